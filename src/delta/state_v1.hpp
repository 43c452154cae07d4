// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_STATE_V1_HPP
#define PPROFDELTA_SRC_DELTA_STATE_V1_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/value_column.hpp"
#include "delta/state_bytes.hpp"

namespace pprofdelta::state_v1 {

// What states of version 1 have of their own: a body that is compressed, and columns of words or
// varints.

/// @param size uncompressed, as the state says.
/// @throws error malformed; also for a size that the body of no series of profiles has, so that a
///         small file cannot ask for much memory.
[[nodiscard]] std::string inflate_body(std::string_view compressed, std::uint64_t size);

/// For the same reason, refuses so many keys in a body that had so many bytes compressed.
/// @throws error malformed
void check_keys(std::uint64_t count, std::size_t compressed_size);

/// Reads the values of `count` entries.
/// @throws error malformed
void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count);

} // namespace pprofdelta::state_v1

#endif // PPROFDELTA_SRC_DELTA_STATE_V1_HPP
