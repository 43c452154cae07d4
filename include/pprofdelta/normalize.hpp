// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const normalized_profile scaled = normalize(previous, current, normalization::total);
//     std::cout << "the first type was multiplied by " << scaled.factors.front() << '\n';
//     const report found = make_report({scaled.profile, current});

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The way the previous of two captures is scaled, to compare captures of different size.
enum class normalization : std::uint8_t {
    /// Each sample type to its total in the current capture, to compare shares of the whole.
    total,
    /// Counted values by the ratio of the durations, to compare rates. Gauges stay as they are.
    duration,
};

/// Returns "total" or "duration".
[[nodiscard]] const char* to_string(normalization normalize) noexcept;

/// A profile whose values were scaled.
struct normalized_profile {
    std::string profile;         ///< Serialized, uncompressed.
    std::vector<double> factors; ///< The factor of each sample type, in their order.
};

/// Scales `previous` to the totals or the duration of `current`.
///
/// Equal samples are added up. Then each value is multiplied, saturated at the ends of 64 bits, and
/// rounded up or down, whichever keeps the total, and the sums of the functions on its stack,
/// nearer to what they would be without. Rounded one by one, as by `go tool pprof -normalize`
/// (which scales the other profile), many small values would be nothing, or twice as much. A type
/// whose total is zero has the factor 0. Samples that become zero in all types are left out,
/// together with the records that only they refer to.
///
/// Cost: time and memory linear in the profiles.
/// @throws error malformed, too_large; incompatible for profiles that do not go together, or that
///         lack the duration, or any value, to normalize by. About `previous`, `current` or
///         `both`.
[[nodiscard]] normalized_profile normalize(std::string_view previous, std::string_view current,
                                           normalization normalize);

} // namespace pprofdelta

#pragma GCC visibility pop
