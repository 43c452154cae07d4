// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FIGURES_HPP
#define PPROFDELTA_TOOLS_FIGURES_HPP

#include <cstdint>
#include <optional>
#include <string>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

namespace pprofdelta::tool {

/// With this many digits after the point, which is a point in every locale.
[[nodiscard]] std::string fixed_text(double value, int digits);

/// `current` minus `previous` with its sign, such as "+5" and "-3"; "0" has none.
[[nodiscard]] std::string change_text(std::int64_t previous, std::int64_t current);

/// The change in percent of `previous`, such as "+12.50%"; "new" if that is zero and `current` is
/// not.
[[nodiscard]] std::string percent_text(std::int64_t previous, std::int64_t current);

/// The change with its sign, as pprof prints values: "+1.50MB".
[[nodiscard]] std::string human_change(const value_pair& value, const std::string& unit);

/// Such as "1.25", with six digits.
[[nodiscard]] std::string factor_text(double factor);

/// A limit and its figures: "LIMIT: TYPE/UNIT: previous 1, current 2, change +1 (+100.00%)". The
/// previous value is marked if it was normalized.
[[nodiscard]] std::string describe(const judgement& found, std::optional<normalization> by);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FIGURES_HPP
