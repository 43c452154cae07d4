// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TREND_CELLS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TREND_CELLS_HPP

#include <string>

#include <pprofdelta/trend.hpp>

#include "document/trend_format.hpp"

namespace pprofdelta::tool {

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

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TREND_CELLS_HPP
