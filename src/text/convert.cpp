// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/text_profile.hpp>

#include <algorithm>
#include <array>

#include <pprofdelta/error.hpp>

#include "text/formats.hpp"

namespace pprofdelta {

namespace {

struct text_format {
    std::string_view start;
    void (*convert)(text_lines&, text_output&);
};

constexpr std::array<text_format, 4> formats{{
    {"heap profile:", convert_heap_text},
    {"heap_v2/", convert_jemalloc_text},
    {"--- mutex", convert_contention_text},
    {"--- contention", convert_contention_text},
}};

const text_format* find_format(std::string_view bytes) noexcept {
    const auto* const format = std::find_if(formats.begin(), formats.end(), [&](const auto& each) {
        return bytes.starts_with(each.start);
    });
    return format == formats.end() ? nullptr : format;
}

} // namespace

bool is_text_profile(std::string_view bytes) noexcept {
    return find_format(bytes) != nullptr || is_folded_text(bytes);
}

void convert_text_profile(std::string_view text, std::string& profile, std::size_t max_size,
                          const value_type& counted) {
    const text_format* const format = find_format(text);
    text_lines lines{text};
    if (format == nullptr && is_folded_text(text)) {
        convert_folded_text(lines, counted, profile, max_size);
        return;
    }
    if (format == nullptr) {
        const std::string_view unread = unread_format(text);
        throw error{error_kind::malformed,
                    unread.empty() ? "this is no text profile of a known format"
                                   : "this is " + std::string{unread},
                    0};
    }
    text_output out{profile, max_size};
    format->convert(lines, out);
}

} // namespace pprofdelta
