// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_COMPARE_CELLS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_COMPARE_CELLS_HPP

#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "document/document.hpp"

namespace pprofdelta::tool {

/// What the difference of a row is called: "shift", as u_test::estimate() has it, which is not that
/// of the medians beside it; without a test, where it is that, "change".
[[nodiscard]] const char* difference_name(const compare_options& options);

/// How totals, and what limits judge, are corrected if rows are by this: "wy" instead of "bh", for
/// Westfall and Young.
[[nodiscard]] const char* strict_name(correction by);

/// The median and how far its interval goes: "1.50MiB ±2%"; "±∞" for want of captures. Of a median
/// of 0 as a value, "0 ±1MiB". Of a single capture its value alone.
[[nodiscard]] std::string median_text(const compared_values& side, const std::string& unit);

/// The change as a part of the base's median: "+12.50%"; "new" if that is zero and the head's is
/// not.
[[nodiscard]] std::string percent_text(const compared_row& row);

/// "8+8".
[[nodiscard]] std::string count_text(const compared_row& row);

/// The columns of all tables of a comparison.
[[nodiscard]] std::vector<table::column> compare_columns(const compare_options& options);

/// A row of these.
[[nodiscard]] table::row compare_row(const compared_row& row, const value_type& type,
                                     const compare_options& options, const std::string& name);

/// A limit and what was found: "LIMIT: TYPE/UNIT: base 1MiB ±2%, head 2MiB ±1%, shift +1MiB
/// (+100.00%), p 0.0012 (8+8)"; of a limit on each function the worst of those that cross it.
[[nodiscard]] std::string describe(const compared_limit& found, const compare_options& options);

/// "6 base and 6 head captures are too few: …", and how many would do.
[[nodiscard]] std::string describe(const too_few_captures& found, const compare_options& options);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_COMPARE_CELLS_HPP
