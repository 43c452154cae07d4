// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP
#define PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "delta/series.hpp"
#include "delta/value_table.hpp"

namespace pprofdelta {

/// The one version that is written and read.
inline constexpr std::uint32_t state_version = 3;

/// A series as bytes; the format is described in pprofdelta-state(5).
[[nodiscard]] std::string encode_state(const series& kept, const value_table& table);

/// Replaces `kept` and `table`, whose content is unspecified after a throw.
/// @returns the size of the state's body, in bytes.
/// @throws error malformed, or incompatible for an unknown version.
std::size_t decode_state(std::string_view state, series& kept, value_table& table);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP
