// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_STRING_TABLE_HPP
#define PPROFDELTA_SRC_TRACES_STRING_TABLE_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "base/key_table.hpp"

namespace pprofdelta {

/// The string table of a profile that is written: numbers texts in the order in which they are
/// first used.
class string_table {
public:
    /// Forgets all texts. String 0 is the empty one. Memory is reused.
    void start();

    /// The number of `text`. O(length)
    std::uint32_t number(std::string_view text);

    /// The table as fields of a profile. Valid until the next call of anything.
    [[nodiscard]] std::string_view fields() const noexcept { return m_fields; }

private:
    key_table m_texts;
    std::string m_fields;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_STRING_TABLE_HPP
