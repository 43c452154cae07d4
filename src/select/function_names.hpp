// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_FUNCTION_NAMES_HPP
#define PPROFDELTA_SRC_SELECT_FUNCTION_NAMES_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/index.hpp"
#include "select/name_pattern.hpp"

namespace pprofdelta {

/// The names of the functions of one profile, as rules change them.
class function_names {
public:
    /// Cost: none without rules, else time linear in the different names, for each rule.
    /// @param index must outlive this.
    /// @throws error too_large
    function_names(const profile_index& index, const std::vector<name_rewriter>& renames);

    /// The name of a function that has that string of the profile as its name.
    [[nodiscard]] std::string_view text(std::uint32_t string_number) const {
        if (!m_place.empty()) {
            if (const std::uint32_t place = m_place[string_number]; place != 0) {
                return m_renamed[place - 1];
            }
        }
        return m_index.strings.text(string_number);
    }

private:
    const profile_index& m_index;
    std::vector<std::uint32_t> m_place; // by string number, from 1; 0 for the string itself
    std::vector<std::string> m_renamed;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_FUNCTION_NAMES_HPP
