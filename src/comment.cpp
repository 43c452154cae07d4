// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/comment.hpp>

#include <array>
#include <cstdint>

#include "packed_numbers.hpp"
#include "profile_view.hpp"
#include "wire.hpp"

namespace pprofdelta {

namespace {

void append_varint(std::string& out, std::uint64_t number) {
    std::array<char, longest_varint> bytes{};
    out.append(bytes.data(), encode_varint(bytes.data(), number));
}

// Of protobuf's wire types.
constexpr std::uint64_t tag(field::profile f, bool is_bytes) {
    return static_cast<std::uint64_t>(f) << 3U | (is_bytes ? 2U : 0U);
}

} // namespace

// Fields can come in any order, and a repeated one in several places.
void add_comment(std::string& profile, std::string_view text) {
    profile_view view;
    view.parse(profile);
    append_varint(profile, tag(field::profile::string_table, true));
    append_varint(profile, text.size());
    profile += text;
    append_varint(profile, tag(field::profile::comment, false));
    append_varint(profile, view.strings.size());
}

} // namespace pprofdelta
