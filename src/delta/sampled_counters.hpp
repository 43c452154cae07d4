// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <pprofdelta/sampling.hpp>

#include "base/numbers.hpp"

namespace pprofdelta {

/// The counters of a heap of which only samples are known, and were scaled by their mean size. They
/// have to be subtracted before they are scaled where the two profiles were scaled differently, as
/// Go scales all it ever sampled with the period of the moment; and where blocks of several sizes
/// are in one sum, as the mean size of these changes.
struct sampled_counters {
    std::size_t objects = 0;        ///< The place of alloc_objects among the cumulative types.
    std::size_t space = 0;          ///< The place of alloc_space.
    std::int64_t period_before = 0; ///< The mean number of bytes between two samples.
    std::int64_t period_now = 0;

    [[nodiscard]] heap_sample sampled_before(const std::int64_t* counters) const noexcept {
        return unscale_heap_sample({counters[objects], counters[space]}, period_before);
    }
    [[nodiscard]] heap_sample sampled_now(heap_sample estimated) const noexcept {
        return unscale_heap_sample(estimated, period_now);
    }

    /// Scales what was estimated with the period before by that of now.
    void rescale(std::int64_t* counters) const noexcept {
        const heap_sample estimated = scale_heap_sample(sampled_before(counters), period_now);
        counters[objects] = estimated.count;
        counters[space] = estimated.bytes;
    }

    /// Estimates the allocations in between.
    [[nodiscard]] heap_sample difference(const std::int64_t* before,
                                         heap_sample now) const noexcept {
        const heap_sample sampled = sampled_before(before);
        const heap_sample after = sampled_now(now);
        const heap_sample more{wrapping_subtract(after.count, sampled.count),
                               wrapping_subtract(after.bytes, sampled.bytes)};
        if ((more.count < 0) != (more.bytes < 0)) { // which has no mean size
            const heap_sample estimated = scale_heap_sample(sampled, period_now);
            return {wrapping_subtract(now.count, estimated.count),
                    wrapping_subtract(now.bytes, estimated.bytes)};
        }
        return scale_heap_sample(more, period_now);
    }
};

} // namespace pprofdelta
