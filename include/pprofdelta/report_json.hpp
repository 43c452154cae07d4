// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const report found = make_report({previous, current});
//     std::cout << report_as_json(found, {.previous = "a.pb.gz", .current = "b.pb.gz"});

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

/// The parts of a report in JSON besides its figures.
struct report_context {
    std::string previous{}; ///< The names of the profiles; empty for none.
    std::string current{};
    report_options reported{}; ///< The options of make_report().
    std::vector<judgement> judgements{};
    std::optional<normalization> normalized_by{}; ///< The way previous values were scaled.
    std::vector<double> factors{};                ///< The factor of each sample type.
    std::size_t top = 20;                         ///< The largest number of rows.
    /// Further members, each with its value as JSON.
    std::vector<std::pair<std::string, std::string>> more{};
};

/// Returns a report as a JSON object and a newline: the output of `pprofdelta report --format
/// json` less its `causes`, `rest` and `next`. The schema is in pprofdelta(1). The same report
/// gives the same bytes. Linear in the result.
[[nodiscard]] std::string report_as_json(const report& content, const report_context& context);

/// Returns a judgement as a JSON object on one line, as in a report.
[[nodiscard]] std::string limit_as_json(const judgement& found);

} // namespace pprofdelta

#pragma GCC visibility pop
