// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACE_SERIES_HPP
#define PPROFDELTA_SRC_TRACE_SERIES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/traces.hpp>

#include "profile_types.hpp"
#include "trace_batch.hpp"
#include "trace_delta.hpp"

namespace pprofdelta {

/// A trace_delta that several threads may use at once.
class trace_series {
public:
    static constexpr std::size_t most_values = 4;

    /// @param types up to most_values; see trace_delta.
    trace_series(profile_types types, const trace_delta_options& options)
        : m_value_count{types.sample_types.size()}, m_delta{std::move(types), options} {}

    /// Reports traces of any kind.
    /// @param read `read(const Trace&, std::int64_t* values)` writes the values of a trace, and
    ///             returns its block size.
    template <typename Trace, typename Read>
    void report(std::span<const Trace> traces, const trace_meta& meta, Read&& read) {
        // Of the thread and not on the stack, as a batch can be large, and kept for the next one.
        thread_local trace_batch batch;
        batch.start(meta.labels, m_value_count);
        std::array<std::int64_t, most_values> values{};
        for (const Trace& t : traces) {
            const std::int64_t block_size = read(t, values.data());
            batch.add(t.stack, values.data(), block_size);
        }
        const std::lock_guard lock{m_mutex};
        m_delta.add(batch, meta);
    }

    delta_summary write(std::string& delta) {
        const std::lock_guard lock{m_mutex};
        return m_delta.write(delta);
    }

private:
    std::size_t m_value_count;
    std::mutex m_mutex; // of all that follows
    trace_delta m_delta;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACE_SERIES_HPP
