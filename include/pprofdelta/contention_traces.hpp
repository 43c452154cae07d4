// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     contention_delta rounds;
//     const std::vector<std::uint64_t> stack{0x401000, 0x402000}; // leaf first
//     const std::vector<contention_trace> waits{{stack, 3, 1'500'000}};
//     rounds.report_contention_traces(waits, {});
//     const auto [delta, summary] = rounds.write();

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/traces.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The number of waits in one stack, and their duration, since the start of the process or its
/// profiler.
struct contention_trace {
    /// Addresses, leaf first; see memory_trace.
    std::span<const std::uint64_t> stack{};
    std::int64_t contentions = 0;
    std::int64_t delay = 0;     ///< The delay in cycles of the clock in the options.
    std::uint64_t stack_id = 0; ///< See memory_trace.
};

/// Callers whose profiler samples, or counts cycles, set both.
struct contention_delta_options : trace_delta_options {
    /// The rate of the clock that measures delays. Delays are nanoseconds if this is 0, and pass
    /// through unscaled, whatever `sampling_period` is.
    std::int64_t cycles_per_second = 0;
    /// The profiler sampled one in this many events. Contentions are multiplied by it, and delays
    /// unless `cycles_per_second` is 0. It is the period of the profile, unless trace_meta has
    /// another one.
    std::int64_t sampling_period = 1;
};

/// Turns rounds of contention traces into deltas. The sample types are contentions/count and
/// delay/nanoseconds, which both become current minus previous. Otherwise as memory_delta.
class contention_delta {
public:
    explicit contention_delta(const contention_delta_options& options = {});
    ~contention_delta();
    contention_delta(const contention_delta&) = delete;
    contention_delta& operator=(const contention_delta&) = delete;

    /// Adds a batch to the round; see memory_delta::report_memory_traces().
    void report_contention_traces(std::span<const contention_trace> traces, const trace_meta& meta);

    /// Writes the delta of the round; see memory_delta::write().
    delta_summary write(std::string& delta);
    /// Returns the delta as well, in a string of its own.
    [[nodiscard]] delta_result write() {
        delta_result result;
        result.summary = write(result.delta);
        return result;
    }

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop
