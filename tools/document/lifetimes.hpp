// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <pprofdelta/lifetimes.hpp>

#include "base/json.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

/// How long the total lives.
[[nodiscard]] document::finding finding_of(const lifetimes& found);

/// The first rows. Memory in use is that at the end, and for a series the mean.
/// @param names says what rows are.
[[nodiscard]] document::rows_of_type table_of(const lifetimes& found, const std::string& names,
                                              std::size_t top, bool is_series);

/// The total and the first rows, for programs.
[[nodiscard]] ordered_json as_json(const lifetimes& found, std::size_t top);

} // namespace pprofdelta::tool
