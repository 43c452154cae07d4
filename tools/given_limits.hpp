// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_GIVEN_LIMITS_HPP
#define PPROFDELTA_TOOLS_GIVEN_LIMITS_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "common_options.hpp"

namespace pprofdelta::tool {

/// The limits that were given, those of files after the others.
/// @throws failure usage for what is no limit, or what nothing can cross once it is normalized;
///         io.
[[nodiscard]] std::vector<limit> read_limits(const limit_options& chosen,
                                             std::optional<normalization> by);

/// Whether a file is one of limits: there are some, and nothing else but comments.
/// @throws failure io
[[nodiscard]] bool holds_limits(const std::string& path);

/// @throws failure usage
[[nodiscard]] std::optional<amount> read_min_amount(const limit_options& chosen);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_GIVEN_LIMITS_HPP
