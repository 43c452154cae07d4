// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "delta/series.hpp"
#include "delta/value_table.hpp"

namespace pprofdelta {

/// The version that is written. Versions 3, which has no mappings, and 4, which has no periods, are
/// read as well.
inline constexpr std::uint32_t state_version = 5;

/// A series as bytes; the format is described in pprofdelta-state(5).
[[nodiscard]] std::string encode_state(const series& kept, const value_table& table);

struct decoded_state {
    std::uint32_t version = 0;
    std::size_t body_size = 0; ///< The size in bytes.
};

/// Replaces `kept` and `table`, whose content is unspecified after a throw.
/// @throws error malformed, or incompatible for an unknown version.
decoded_state decode_state(std::string_view state, series& kept, value_table& table);

} // namespace pprofdelta
