// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pprofdelta {

enum class dimension : std::uint8_t { memory, time };

struct unit {
    dimension of;
    std::int64_t size; ///< The size in bytes or nanoseconds.
};

/// A unit as it is written after a number: B, kB, MB, GB, TB of powers of 1000,
/// KiB, MiB, GiB, TiB of powers of 1024, ns, us, ms, s.
[[nodiscard]] std::optional<unit> number_unit(std::string_view text);

/// The unit of a sample type, such as bytes, under the names that pprof knows; like there, a
/// kilobyte has 1024 bytes. Empty for all others, such as count.
[[nodiscard]] std::optional<unit> type_unit(std::string_view text);

} // namespace pprofdelta
