// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_CONTENTION_TRACES_HPP
#define PPROFDELTA_CONTENTION_TRACES_HPP

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/traces.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// How often threads waited in one stack, and how long, since the process or its profiler started.
struct contention_trace {
    /// Addresses, leaf first; see memory_trace.
    std::span<const std::uint64_t> stack{};
    std::int64_t contentions = 0;
    std::int64_t delay = 0;     ///< In cycles of the clock in the options.
    std::uint64_t stack_id = 0; ///< See memory_trace.
};

struct contention_delta_options : trace_delta_options {
    /// The rate of the clock that delays are measured with. 0 if they are in nanoseconds.
    std::int64_t cycles_per_second = 0;
    /// The profiler sampled one of this many events. The values of traces are multiplied by it, and
    /// it is the period of the profile unless trace_meta has another one.
    std::int64_t sampling_period = 1;
};

/// Turns rounds of contention traces into deltas: contentions/count and delay/nanoseconds, both of
/// which become current minus previous. Everything else is as with memory_delta.
class contention_delta {
public:
    explicit contention_delta(const contention_delta_options& options = {});
    ~contention_delta();
    contention_delta(const contention_delta&) = delete;
    contention_delta& operator=(const contention_delta&) = delete;

    /// See memory_delta::report_memory_traces().
    void report_contention_traces(std::span<const contention_trace> traces, const trace_meta& meta);

    /// See memory_delta::write().
    delta_summary write(std::string& delta);

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_CONTENTION_TRACES_HPP
