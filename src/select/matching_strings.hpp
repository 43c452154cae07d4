// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP
#define PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "select/name_pattern.hpp"

namespace pprofdelta {

/// Which strings of a profile a pattern is in. Each is searched once, when it is first asked for:
/// many functions can share a name.
/// @tparam Texts has the text(number) of each: a string_index, or function_names.
template <typename Texts>
class matching_strings {
public:
    /// The pattern and the texts must outlive this.
    matching_strings(const name_pattern& pattern, const Texts& texts, std::size_t count)
        : m_pattern{pattern}, m_texts{texts}, m_is_known(count), m_is_match(count) {}

    [[nodiscard]] bool has(std::uint32_t number) {
        if (!m_is_known[number]) {
            m_is_known[number] = true;
            m_is_match[number] = m_pattern.is_in(m_texts.text(number));
        }
        return m_is_match[number];
    }

private:
    const name_pattern& m_pattern;
    const Texts& m_texts;
    std::vector<bool> m_is_known; // by string number
    std::vector<bool> m_is_match;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_MATCHING_STRINGS_HPP
