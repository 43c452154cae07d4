// SPDX-License-Identifier: Apache-2.0
#include "traces/string_table.hpp"

#include "base/hash128.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

void string_table::start() {
    m_texts.clear();
    m_fields.clear();
    number("");
}

std::uint32_t string_table::number(std::string_view text) {
    const std::uint32_t known = m_texts.size();
    const std::uint32_t number = m_texts.find_or_add(hash_bytes(text));
    if (number == known) {
        append_bytes(m_fields, field::profile::string_table, text);
    }
    return number;
}

} // namespace pprofdelta
