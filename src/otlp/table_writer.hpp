// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_TABLE_WRITER_HPP
#define PPROFDELTA_SRC_OTLP_TABLE_WRITER_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "otlp/schema.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

/// A table of a dictionary that is written: each element once, numbered in the order in which they
/// are first used, behind the zero value.
class otlp_table {
public:
    explicit otlp_table(field::otlp::dictionary table, std::string_view zero = {})
        : m_table{table} {
        add("");
        if (!zero.empty()) {
            m_fields.clear();
            append_bytes(m_fields, table, zero);
        }
    }

    /// The index of an element. O(length)
    std::uint32_t add(std::string_view element) {
        const std::uint32_t known = m_keys.size();
        const std::uint32_t index = m_keys.find_or_add(hash_bytes(element));
        if (index == known) {
            append_bytes(m_fields, m_table, element);
        }
        return index;
    }

    /// The table as fields of a ProfilesDictionary.
    [[nodiscard]] const std::string& fields() const noexcept { return m_fields; }

private:
    field::otlp::dictionary m_table;
    key_table m_keys;
    std::string m_fields;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_TABLE_WRITER_HPP
