// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_SERIES_HPP
#define PPROFDELTA_SRC_TRACES_SERIES_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/traces.hpp>

#include "profile/types.hpp"
#include "traces/batch.hpp"
#include "traces/delta.hpp"

namespace pprofdelta {

/// A trace_delta that several threads may use at once.
class trace_series {
public:
    /// See trace_delta.
    trace_series(profile_types types, const trace_delta_options& options)
        : m_value_count{types.sample_types.size()}, m_delta{std::move(types), options} {}

    /// Reports traces of any kind.
    /// @param read `read(const Trace&, trace_batch&)` adds a trace.
    template <typename Trace, typename Read>
    void report(std::span<const Trace> traces, const trace_meta& meta, Read&& read) {
        // Of the thread and not on the stack, as a batch can be large, and kept for the next one.
        thread_local trace_batch of_this_thread;
        trace_batch& batch = of_this_thread;
        batch.start(meta.labels, m_value_count, traces.size());
        for (std::size_t i = 0; i < traces.size(); ++i) {
            if (i + traces_ahead < traces.size()) {
                prefetch(traces[i + traces_ahead]);
            }
            read(traces[i], batch);
        }
        const std::lock_guard lock{m_mutex};
        m_delta.add(batch, meta);
    }

    delta_summary write(std::string& delta) {
        const std::lock_guard lock{m_mutex};
        return m_delta.write(delta);
    }

private:
    // Stacks lie anywhere in memory, and most of the time for a trace is that of waiting for its.
    static constexpr std::size_t traces_ahead = 6;
    template <typename Trace>
    static void prefetch(const Trace& t) noexcept {
        constexpr std::size_t words_per_line = 64 / sizeof(std::uint64_t);
        const std::size_t words = t.stack_id != 0 ? 0 : t.stack.size();
        for (std::size_t i = 0; i < words; i += words_per_line) {
            __builtin_prefetch(t.stack.data() + i);
        }
    }

    std::size_t m_value_count;
    std::mutex m_mutex; // of all that follows
    trace_delta m_delta;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_SERIES_HPP
