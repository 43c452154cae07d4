// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TREND_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TREND_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/overview.hpp>
#include <pprofdelta/trend.hpp>

#include "base/json.hpp"
#include "document/page.hpp"

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

/// An object of JSON on one line, as the trend has it for each limit.
[[nodiscard]] std::string limit_as_json(const trend_limit& limit, const trend_view& view);

/// A value of a row, such as "1.50MiB", or "1.50MiB/s" of a rate.
[[nodiscard]] std::string value_text(const trend_view& view, double value);

/// By how much a row grows in an hour, and how far the interval of that goes: "+1.50MiB ±20%"; of
/// one that steps the jump: "+1.50MiB once".
[[nodiscard]] std::string slope_text(const trend_view& view, const trend_row& row);

/// What part of the total's growth it is: "42%"; empty if the total does not grow, or the row
/// steps.
[[nodiscard]] std::string share_text(const trend_row& row);

/// "grows"; "steps at 12, 10:37:17" with the number of the capture, from 1, and its time of the
/// day, or in longer series the day.
[[nodiscard]] std::string verdict_text(const trend_view& view, const trend_row& row);

/// The values in eight steps of time and of height: the medians of as many parts of the captures.
[[nodiscard]] std::string sparkline(const trend_row& row);

/// A limit and what was found: "LIMIT: TYPE/UNIT: +2MiB ±10% per hour, from 10MiB to 16MiB, grows,
/// p 0.0012, of 20 captures"; of a limit on each function the worst of those that cross it.
[[nodiscard]] std::string describe(const trend_view& view, const trend_limit& found);

/// Why nothing can be found, and how many captures would do.
[[nodiscard]] std::string describe(const trend_view& view, const too_few_captures& found);

/// A page that shows a trend: totals, rows with all captures, and the stacks of the last capture
/// beside those of the first, of all sample types.
/// @param ends  of the first and the last capture; empty if they cannot be drawn.
/// @param given the options that matter to it.
[[nodiscard]] std::string trend_as_page(const trend_view& view, profile_trend& trend,
                                        const std::optional<overview>& ends,
                                        const std::vector<page_input>& inputs,
                                        const std::vector<std::string>& given,
                                        const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TREND_HPP
