// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP
#define PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP

#include <cstdint>
#include <vector>

#include "profile/index.hpp"
#include "select/name_pattern.hpp"

namespace pprofdelta {

/// Which strings of a profile a pattern is in. Each is searched once, when it is first asked for:
/// many functions can share a name.
class matching_strings {
public:
    /// Both must outlive this.
    matching_strings(const name_pattern& pattern, const profile_index& index)
        : m_pattern{pattern}, m_index{index}, m_is_known(index.strings.size()),
          m_is_match(index.strings.size()) {}

    [[nodiscard]] bool has(std::uint32_t number) {
        if (!m_is_known[number]) {
            m_is_known[number] = true;
            m_is_match[number] = m_pattern.is_in(m_index.strings.text(number));
        }
        return m_is_match[number];
    }

private:
    const name_pattern& m_pattern;
    const profile_index& m_index;
    std::vector<bool> m_is_known; // by string number
    std::vector<bool> m_is_match;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP
