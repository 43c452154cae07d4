// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TREND_FORMAT_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TREND_FORMAT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/trend.hpp>

#include "base/json.hpp"

namespace pprofdelta::tool {

/// What a trend of captures shows.
struct trend_view {
    std::vector<std::string> files{}; ///< Names of the captures, in the order of their times.
    std::vector<trend_capture> captures{};
    value_type type;
    std::size_t place_of_type = 0;
    bool is_rate = false;
    std::vector<std::size_t> places{}; ///< Which captures the values of a row are of.
    trend_rows rows;
    std::vector<trend_limit> limits{};
    trend_options options{};
    std::string least_size_text{};             ///< Of a row, such as "1%" of the total.
    std::optional<too_few_captures> too_few{}; ///< For the rows.
    command_list next{};                       ///< What JSON has to go on with.
    std::optional<row_budget> budget{};        ///< If there is one.
    std::size_t top = 20;                      ///< At most so many rows in each table.
    std::size_t width = 0;                     ///< Of a line of text, in columns.
    bool has_colors = false;
};

/// What stands above the tables: which captures they are of.
[[nodiscard]] std::string captures_text(const trend_view& view);

/// What stands below the tables: how they were made, and what they lack.
[[nodiscard]] std::string notes_below(const trend_view& view);

/// Tables for people.
[[nodiscard]] std::string trend_as_text(const trend_view& view);

/// Tables in GitHub's Markdown, of less than 64 KiB; the last line counts what is left out.
[[nodiscard]] std::string trend_as_markdown(const trend_view& view);

/// The schema is described in pprofdelta-trend(1).
[[nodiscard]] std::string trend_as_json(const trend_view& view);

/// The members of an object of JSON for a limit, as in the trend.
[[nodiscard]] std::string limit_members(const trend_limit& limit, const trend_view& view);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TREND_FORMAT_HPP
