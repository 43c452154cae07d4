// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_REPORT_JSON_HPP
#define PPROFDELTA_REPORT_JSON_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// What a report in JSON says besides its figures.
struct report_context {
    std::string previous{}; ///< What the profiles are called; empty for none.
    std::string current{};
    report_options reported{}; ///< What make_report() was given.
    std::vector<judgement> judgements{};
    std::optional<normalization> normalized_by{}; ///< Of previous values.
    std::vector<double> factors{};                ///< The same for each sample type.
    std::size_t top = 20;                         ///< At most so many rows.
    /// Further members, each with its value as JSON, such as "tree" with what call_tree_as_json()
    /// returns.
    std::vector<std::pair<std::string, std::string>> more{};
};

/// An object of JSON, and the end of a line: what `pprofdelta report --format json` prints, whose
/// schema is in pprofdelta(1). The same report gives the same bytes. O(what it returns)
[[nodiscard]] std::string report_as_json(const report& content, const report_context& context);

/// The members of a report in JSON that say which samples and frames it is of, each on a line of
/// its own, after a comma: ",\n  \"focus\": null" and so on.
[[nodiscard]] std::string selection_members(const stack_selection& chosen);

/// An object of JSON on one line, as the report has it for each limit.
[[nodiscard]] std::string limit_as_json(const judgement& found);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_REPORT_JSON_HPP
