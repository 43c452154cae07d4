// SPDX-License-Identifier: Apache-2.0
#include "otlp/strings.hpp"

#include <algorithm>

#include "base/hash128.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

constexpr auto tag_of_string =
    static_cast<char>(short_tag(field::profile::string_table, wire_type::length_delimited));

// Where a string's tag is, if that and the length take no more bytes than they need; or npos.
std::size_t begin_of_field(record string, std::string_view message) noexcept {
    constexpr auto tag = static_cast<char>(
        short_tag(field::otlp::dictionary::string_table, wire_type::length_delimited));
    const std::size_t begin = string.offset - 1 - varint_size(string.size);
    return message[begin] == tag ? begin : std::string_view::npos;
}

} // namespace

std::uint32_t otlp_strings::number(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    m_room.take(text.size()); // whether or not it is known: to look costs time as well
    const std::uint32_t known = m_texts.size();
    const std::uint32_t place = m_texts.find_or_add(hash_bytes(text));
    if (place == known) {
        append_bytes(m_fields, field::profile::string_table, text);
    }
    return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.strings.size(), 1)) +
           place;
}

void otlp_strings::append_to(std::string& profile) const {
    if (m_dictionary.strings.empty()) {
        append_bytes(profile, field::profile::string_table, "");
    }
    // Strings that follow each other are copied at once, but for their field number.
    const std::string_view message = m_dictionary.bytes();
    for (auto first = m_dictionary.strings.begin(); first != m_dictionary.strings.end();) {
        const std::size_t begin = begin_of_field(*first, message);
        if (begin == std::string_view::npos) {
            append_bytes(profile, field::profile::string_table, m_dictionary.at(*first++));
            continue;
        }
        std::size_t end = begin;
        auto last = first;
        for (; last != m_dictionary.strings.end() && begin_of_field(*last, message) == end;
             ++last) {
            end = std::size_t{last->offset} + last->size;
        }
        const std::size_t copy = profile.size();
        profile += message.substr(begin, end - begin);
        for (; first != last; ++first) {
            profile[copy + begin_of_field(*first, message) - begin] = tag_of_string;
        }
    }
    profile += m_fields;
}

} // namespace pprofdelta
