// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TOP_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TOP_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "base/json.hpp"

namespace pprofdelta::tool {

/// A limit on the growth of services, or of the total, as it was found for one sample type.
struct top_limit {
    std::string limit; ///< Its text.
    value_type type;
    std::vector<fleet_row> rows{}; ///< Of those beyond it.
    bool is_judged = true;         ///< Whether anything has data of both times.
    bool crossed = false;
    bool has_match = true;
};

/// What a fleet shows.
struct top_view {
    fleet_options options{};
    std::string from{};    ///< Where the deltas are from.
    std::string against{}; ///< Where those before are from; empty if from there as well.
    fleet_counts counts{};
    std::size_t services = 0; ///< So many were read.
    std::size_t bad = 0;      ///< Files that could not be read.
    std::vector<fleet_table> tables{};
    std::vector<top_limit> limits{};
    command_list next{};                ///< What JSON has to go on with.
    std::optional<row_budget> budget{}; ///< If there is one.
    std::size_t top = 20;               ///< At most so many rows in each table.
    std::size_t functions = 5;          ///< And so many of a service.
    std::size_t width = 0;              ///< Of a line of text, in columns.
    bool has_colors = false;
};

/// Tables for people: of the services that changed, or else of the first one, with its functions.
[[nodiscard]] std::string top_as_text(const top_view& view);

/// Tables in GitHub's Markdown, of less than 64 KiB.
[[nodiscard]] std::string top_as_markdown(const top_view& view);

/// "each:alloc_space>+20%: alloc_space/bytes: 1 service: shop/cart 51.8KiB/s, +17.3KiB/s (+50.16%),
/// p 0.0002"
[[nodiscard]] std::string describe(const top_limit& found, const top_view& view);
[[nodiscard]] std::string limit_as_json(const top_limit& found);

/// The schema is described in pprofdelta-top(1).
[[nodiscard]] std::string top_as_json(const top_view& view);

/// "grew", "too few", "new" or "gone".
[[nodiscard]] std::string verdict_text(const fleet_row& row);

/// None for what was not tested, or by too few slots.
[[nodiscard]] std::optional<double> tested_p(const fleet_row& row);

/// "service" or "function".
[[nodiscard]] std::string what_rows_are(const top_view& view);

/// Which times these are.
[[nodiscard]] std::string when_text(const top_view& view);

/// How many services and deltas there were.
[[nodiscard]] std::string how_many_text(const top_view& view);

/// What was chosen, and what the columns are.
[[nodiscard]] std::vector<std::string> notes_of(const top_view& view);

/// All services and their functions as a page. It has all slots of rates of each, and no picture.
/// @param given the options, as they were.
[[nodiscard]] std::string top_as_page(const top_view& view, const std::vector<std::string>& given,
                                      const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TOP_HPP
