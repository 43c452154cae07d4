// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const heap_sample sampled{.count = 2, .bytes = 2048};
//     const heap_sample estimated = scale_heap_sample(sampled, 512 * 1024);
//     std::cout << estimated.count << " objects of " << estimated.bytes << " bytes\n";

#include <cstdint>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Allocations, or memory in use, of one stack.
struct heap_sample {
    std::int64_t count;
    std::int64_t bytes;

    friend bool operator==(const heap_sample&, const heap_sample&) = default;
};

/// Estimates the allocations of a program from those that a sampling profiler recorded.
///
/// Profilers sample an allocation with a probability of 1 − exp(−size / rate), where `rate` is the
/// mean number of bytes between two samples of a Poisson process. The two numbers are divided by
/// that probability for the mean size of the samples, and truncated to whole numbers. The rule is
/// that of Go's runtime/pprof, google/pprof (profile/legacy_profile.go) and gperftools.
///
/// @param sampled the numbers, not negative. Samples of other sizes in the same stack are scaled
///             apart: their mean size is that of none of them.
/// @param rate the mean number of bytes between two samples. 1 means that everything was sampled; 0
///             and less mean unknown. The numbers are unchanged in these cases.
/// @returns zeros if either number is zero. Estimates saturate at the ends of 64 bits.
[[nodiscard]] heap_sample scale_heap_sample(heap_sample sampled, std::int64_t rate) noexcept;

/// Returns what scale_heap_sample() was given: its exact inverse for blocks of multiples of 8
/// bytes, as allocators and Go have them. Of others the bytes can be off by one; sizes beyond 10^10
/// bytes of more than 100,000 samples are off by some millionths. Estimates that were added up have
/// no inverse.
///
/// @param estimated the numbers, not negative.
[[nodiscard]] heap_sample unscale_heap_sample(heap_sample estimated, std::int64_t rate) noexcept;

/// The number of waits in one stack, and their duration.
struct contention_sample {
    std::int64_t count;
    std::int64_t delay; ///< The delay in nanoseconds, or in cycles of a clock before scaling.

    friend bool operator==(const contention_sample&, const contention_sample&) = default;
};

/// Estimates the number and duration of waits from those that a profiler recorded, and converts
/// cycles to nanoseconds. The rule is google/pprof's (profile/legacy_profile.go).
///
/// @param sampled           has the delay in cycles.
/// @param period            one in this many events was sampled. If it is not positive, nothing is
///                          changed.
/// @param cycles_per_second the rate of the clock. If it is not positive, the delay is unchanged.
/// @returns a count that wraps around at 64 bits, as in Go, and a delay truncated to whole
///          nanoseconds, which saturates at the ends of 64 bits.
[[nodiscard]] contention_sample scale_contention_sample(contention_sample sampled,
                                                        std::int64_t period,
                                                        std::int64_t cycles_per_second) noexcept;

} // namespace pprofdelta

#pragma GCC visibility pop
