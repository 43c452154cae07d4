// SPDX-License-Identifier: Apache-2.0
#include "document/html_page.hpp"

#include <pprofdelta/codec.hpp>

#include "document/base64.hpp"
#include "document/markup.hpp"
#include "page_parts.hpp"

namespace pprofdelta::tool {

namespace {

template <typename Strings>
void append(std::string& page, const Strings& strings) {
    for (const auto& each : strings) {
        page += each;
    }
}

} // namespace

std::string html_page(const page_parts& parts) {
    constexpr int smallest = 9; // A page is written once, kept, and read over a network.
    std::string page;
    append(page, page_before_title);
    page += as_markup(parts.title);
    append(page, page_before_text);
    page += as_markup(parts.text);
    append(page, page_before_data);
    page += base64(encode(parts.json, codec::gzip, smallest));
    append(page, page_end);
    return page;
}

} // namespace pprofdelta::tool
