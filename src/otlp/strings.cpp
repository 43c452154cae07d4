// SPDX-License-Identifier: Apache-2.0
#include "otlp/strings.hpp"

#include <algorithm>

#include "base/hash128.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

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
    for (const record string : m_dictionary.strings) {
        append_bytes(profile, field::profile::string_table, m_dictionary.at(string));
    }
    profile += m_fields;
}

} // namespace pprofdelta
