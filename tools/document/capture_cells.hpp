// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_CAPTURE_CELLS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_CAPTURE_CELLS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>

namespace pprofdelta::tool {

/// The first and the last name, as far as they fit.
[[nodiscard]] std::string ends_text(const std::vector<std::string>& names);

/// A part of 1, with the digits that matter: "12%", "6.8%", ">100%".
[[nodiscard]] std::string part_text(double part);

/// How far an interval goes from a value that is in it: "±2%", "±>100%" of one that may as well be
/// 0, and of 0 "±1MiB"; "±∞" for want of captures.
/// @param per what follows the unit, such as "/s".
[[nodiscard]] std::string reach_text(double value, const std::optional<interval>& within,
                                     const std::string& unit, const std::string& per = {});

/// p with four digits after the point, "<0.0001" if that is not enough.
[[nodiscard]] std::string p_text(double p);

/// ", corrected by holm among 17", or nothing.
[[nodiscard]] std::string correction_text(correction by, std::size_t questions);

/// Why so few captures cannot find anything: "p cannot be less than 0.1000, but --alpha 0.05 needs
/// 0.0500".
[[nodiscard]] std::string needed_text(const too_few_captures& found, double alpha, correction by);

/// A line about rows that are too small, or nothing.
/// @param least_size such as "1%" of the total.
[[nodiscard]] std::string left_out_text(std::size_t count, const std::string& least_size);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_CAPTURE_CELLS_HPP
