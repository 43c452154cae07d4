// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_STRINGS_HPP
#define PPROFDELTA_SRC_OTLP_STRINGS_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "base/key_table.hpp"
#include "otlp/dictionary.hpp"
#include "otlp/room.hpp"

namespace pprofdelta {

/// The string table of the profile that is made: that of the dictionary, so that indices stay what
/// they are, and behind it what else is needed.
class otlp_strings {
public:
    /// Both have to outlive this.
    otlp_strings(const otlp_dictionary& dictionary, otlp_room& room)
        : m_dictionary{dictionary}, m_room{room} {}

    /// The number of a string that the dictionary need not have. O(length)
    /// @throws error too_large.
    [[nodiscard]] std::uint32_t number(std::string_view text);

    /// Appends the table to a profile.
    void append_to(std::string& profile) const;

private:
    const otlp_dictionary& m_dictionary;
    otlp_room& m_room;
    key_table m_texts;
    std::string m_fields;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_STRINGS_HPP
