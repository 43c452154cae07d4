// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_NORMALIZE_HPP
#define PPROFDELTA_NORMALIZE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// How the previous of two captures is scaled, so that captures of different size can be compared.
enum class normalization : std::uint8_t {
    /// Each sample type to its total in the current one: differences are those of shares of the
    /// whole.
    total,
    /// All sample types by the ratio of the durations: differences are those of rates.
    duration,
};

/// "total" or "duration".
[[nodiscard]] const char* to_string(normalization by) noexcept;

/// A profile whose values were multiplied.
struct normalized_profile {
    std::string profile;         ///< Serialized, uncompressed.
    std::vector<double> factors; ///< For each sample type.
};

/// `previous` as it would be if it were as large as `current`, or had taken as long.
///
/// Equal samples are added up. Then each value is multiplied, rounded with halves away from zero as
/// by `go tool pprof -normalize` (which scales the other profile), and saturated at the ends of 64
/// bits. So a total may be off by a half for each sample. A type whose total is zero has the factor
/// 0. Samples that become zero in all types are left out, with what only they refer to.
///
/// Cost: time and memory linear in the profiles.
/// @throws error malformed, too_large; incompatible for profiles that do not go together, or one
///         without a duration to normalize by. About `previous`, `current` or `both`.
[[nodiscard]] normalized_profile normalize(std::string_view previous, std::string_view current,
                                           normalization by);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_NORMALIZE_HPP
