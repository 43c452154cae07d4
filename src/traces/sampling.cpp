// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/sampling.hpp>

#include <cmath>

#include "base/whole.hpp"
#include "base/wrapping.hpp"

namespace pprofdelta {

heap_sample scale_heap_sample(heap_sample sampled, std::int64_t rate) noexcept {
    if (sampled.count == 0 || sampled.bytes == 0) {
        return {0, 0};
    }
    if (rate <= 1) {
        return sampled;
    }
    const auto count = static_cast<double>(sampled.count);
    const auto bytes = static_cast<double>(sampled.bytes);
    // Not expm1(), which is more precise: the figures should be those of other tools.
    const double scale = 1 / (1 - std::exp(-(bytes / count) / static_cast<double>(rate)));
    return {to_whole(count * scale), to_whole(bytes * scale)};
}

contention_sample scale_contention_sample(contention_sample sampled, std::int64_t period,
                                          std::int64_t cycles_per_second) noexcept {
    if (period <= 0) {
        return sampled;
    }
    if (cycles_per_second > 0) {
        const double cycles_per_nanosecond = static_cast<double>(cycles_per_second) / 1e9;
        sampled.delay = to_whole(static_cast<double>(sampled.delay) * static_cast<double>(period) /
                                 cycles_per_nanosecond);
    }
    sampled.count = wrapping_multiply(sampled.count, period);
    return sampled;
}

} // namespace pprofdelta
