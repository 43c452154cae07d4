// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_VIEWS_REPORT_HPP
#define PPROFDELTA_SRC_VIEWS_REPORT_HPP

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/report.hpp>

#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

/// The totals of a report.
/// @throws error malformed; too_large for one that would not fit 64 bits.
[[nodiscard]] std::vector<report::total> totals_of(viewed_profiles::impl& of);

/// As make_report() without stacks, and with what is in `kept` replaced.
[[nodiscard]] report make_report(const viewed_profiles& of, const report_options& options,
                                 viewed_stacks& kept);

// Parts of JSON, of which each value is a text of JSON.

using json_members = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] json_members joined(std::initializer_list<json_members> parts);
[[nodiscard]] std::string json_object(const json_members& members);
/// On one line.
[[nodiscard]] std::string json_array(const std::vector<std::string>& items);
/// The same with a line for each item.
[[nodiscard]] std::string json_lines(const std::vector<std::string>& items);
[[nodiscard]] std::string json_strings(std::vector<std::string> texts);

/// A value of one profile, or of two with their difference.
[[nodiscard]] json_members members_of(const value_pair& value, report::content of);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_VIEWS_REPORT_HPP
