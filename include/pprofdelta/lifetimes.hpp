// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     delta_computer computer;
//     computer.prime(previous);
//     const auto [delta, summary] = computer.compute(current);
//     const computed_delta made{delta, current, previous, computer.types(), summary};
//     for (const lifetimes::row& each : make_lifetimes(made, {}).rows) {
//         std::cout << printable(each.name) << ' '
//                   << (each.seconds ? std::to_string(*each.seconds) + " s" : "is not freed")
//                   << '\n';
//     }

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The lifetimes of memory, by two heap profiles of one process that say what was allocated since
/// the start and what is in use, such as Go's: what is freed in between is what is allocated less
/// the growth of what is in use, and by Little's law the mean lifetime is the mean amount in use
/// divided by what is freed per second. (J. D. C. Little, A proof for the queuing formula L = λW,
/// Operations Research 9, 1961.)
///
/// A lifetime ends when the profiler sees that the memory is free: in Go, when a garbage collector
/// has run. Memory that lives shorter than its cycle is garbage here, however long it lived. The
/// law is exact for a steady state. The lifetime of memory that grows or shrinks much is only
/// roughly that of what was freed.
struct lifetimes {
    /// The memory that was there in the interval.
    struct amount {
        std::int64_t allocated = 0; ///< The memory allocated in the interval.
        /// The memory freed: to 53 bits, and not negative, though rounding of estimates can make
        /// the sum so. Saturates at the end of 64 bits.
        std::int64_t freed = 0;
        value_pair in_use{}; ///< The memory in use at the start and end.
        /// The mean of both, in the same unit; for a series, the mean over time.
        double mean_in_use = 0;
    };
    struct row {
        std::string name; ///< The name of the row in a report.
        amount value;     ///< The amount in the unit of `type`.
        /// The mean lifetime in seconds. Empty where nothing was freed, so that it is longer than
        /// the profiles can tell.
        std::optional<double> seconds{};
        /// The bounds of the lifetime, in seconds, with 95 % confidence as far as the sampling of
        /// allocations goes: each sampled allocation that is in use or was freed is taken for an
        /// event of a Poisson process. The high end is infinite where nothing was freed. Empty if
        /// the profiles do not tell how many allocations were sampled, and where so many were of
        /// which none was freed that they live longer than the interval: no more is known of them.
        std::optional<interval> within{};
    };

    /// The type of the allocated memory, such as alloc_space in bytes.
    value_type type;
    std::int64_t duration_nanos = 0; ///< The length of the interval, of a series without restarts.
    std::int64_t time_nanos = 0;     ///< Its end.
    row total{};                     ///< The sum of the selected samples.
    /// The rows that are not zero, those first of which most was there in the interval, equal ones
    /// by name.
    std::vector<row> rows{};
};

/// Finds lifetimes.
///
/// @param profiles      a delta with the profiles that it was made from.
/// @param options `sample_type` is either type of a pair alloc_X and inuse_X; empty for the last
///                such pair in bytes. An amount belongs, with an order of row_order::flat, to the
///                row of the innermost frame, else to each row of the stack.
/// @throws error as make_report(); incompatible without such a pair of types, without the previous
///         profile or the interval's length, and if the counters started over in the interval.
[[nodiscard]] lifetimes make_lifetimes(const viewed_profiles& profiles,
                                       const report_options& options);

} // namespace pprofdelta

#pragma GCC visibility pop
