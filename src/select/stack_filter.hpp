// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_STACK_FILTER_HPP
#define PPROFDELTA_SRC_SELECT_STACK_FILTER_HPP

#include <memory>
#include <string_view>
#include <vector>

#include <pprofdelta/report.hpp>

#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "select/name_pattern.hpp"

namespace pprofdelta {

/// nullptr for an empty one.
/// @throws error invalid_argument for what is not a regular expression.
[[nodiscard]] std::unique_ptr<const name_pattern> compiled_pattern(std::string_view regex);

/// Which samples of one profile report_options::focus and ::ignore let through.
class stack_filter {
public:
    /// Cost: without patterns none, else time linear in the frames of all locations and in their
    /// different names.
    /// @throws error malformed
    /// @throws error invalid_argument for a pattern that is not a regular expression.
    stack_filter(const profile_index& index, const report_options& options);
    /// The same with compiled patterns, for many profiles; nullptr for none.
    stack_filter(const profile_index& index, const name_pattern* focus, const name_pattern* ignore);

    /// Whether the sample at hand is shown.
    [[nodiscard]] bool has(stack_reader& sample) const;

private:
    // By the place of a location, whether it has a match; without a pattern there are none.
    std::vector<bool> m_focus;
    std::vector<bool> m_ignore;
    bool m_has_focus;
    bool m_has_ignore;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_STACK_FILTER_HPP
