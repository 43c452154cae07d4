// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/overview.hpp>
#include <pprofdelta/trend.hpp>

#include "base/json.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

/// The content of a trend of captures.
struct trend_view {
    std::vector<std::string> files{}; ///< Names of the captures, in the order of their times.
    std::vector<trend_capture> captures{};
    std::size_t left_out = 0; ///< The number of those without values, which are not among these.
    /// A sample type.
    struct shown_type {
        std::size_t place = 0; ///< Its place among all types.
        value_type type;
        bool is_rate = false;
        std::vector<std::size_t> places{}; ///< The captures that the values of a row come from.
    };
    shown_type of; ///< The type of the rows.
    trend_rows rows;
    trend_causes causes{}; ///< The causes of the total's growth.
    /// A total of another sample type.
    struct shown_total {
        shown_type of;
        trend_row row;
    };
    std::vector<shown_total> others{}; ///< Those that grow.
    struct shown_limit {
        trend_limit found;
        shown_type of;
    };
    std::vector<shown_limit> limits{};
    trend_options options{};
    std::string least_size_text{}; ///< The least size of a row, such as "1%" of the total.
    std::optional<too_few_captures> too_few{}; ///< Applies to the rows.
    command_list next{};                       ///< The commands that JSON proposes next.
    std::optional<row_budget> budget{};        ///< If there is one.
    std::size_t top = 20;                      ///< The largest number of rows in each table.
    bool has_all = false; ///< Whether rows without a clear change are shown, too.

    /// Shown in place of rows; JSON has both.
    struct lifetimes_of_rows {
        lifetimes flat;
        lifetimes cum;
    };
    std::optional<lifetimes_of_rows> lives{};

    /// How often the clock was set back, or seems to have been: the captures of a process are then
    /// in the order of its counters.
    [[nodiscard]] std::size_t clocks_set_back() const;
};

[[nodiscard]] trend_view::shown_type shown_type_of(profile_trend& trend, std::size_t type);

/// Judges all limits.
/// @throws error as profile_trend::judge().
void add_limits(trend_view& view, profile_trend& trend);

/// Why nothing can be found, and how many captures would do.
[[nodiscard]] std::string describe(const trend_view& view, const too_few_captures& found);

[[nodiscard]] std::vector<document::limit> limits_of(const trend_view& view);

/// A sentence on each total that grows, with its causes, and what is unsure.
[[nodiscard]] document findings_of(const trend_view& view);

/// The same, and tables for people.
[[nodiscard]] document document_of(const trend_view& view);

/// The schema is described in pprofdelta-trend(1).
[[nodiscard]] std::string as_json(const trend_view& view);

/// A page that shows a trend: totals, rows with all captures, and the stacks of the last capture
/// beside those of the first, of all sample types.
/// @param ends are the first and the last capture; empty if they cannot be drawn.
/// @param head supplies inputs, options and warnings.
[[nodiscard]] std::string page_of(const trend_view& view, profile_trend& trend,
                                  const std::optional<overview>& ends, page_head head);

} // namespace pprofdelta::tool
