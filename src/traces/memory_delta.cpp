// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/memory_traces.hpp>

#include "base/wrapping.hpp"
#include "traces/delta.hpp"

namespace pprofdelta {

namespace {

profile_types types_of(const memory_delta_options& options) {
    profile_types types{{{"inuse_objects", "count"}, {"inuse_space", "bytes"}}, {"space", "bytes"}};
    if (options.allocations) {
        types.sample_types.insert(types.sample_types.begin(),
                                  {{"alloc_objects", "count"}, {"alloc_space", "bytes"}});
    }
    return types;
}

} // namespace

class memory_delta::impl {
public:
    explicit impl(const memory_delta_options& options)
        : m_allocations{options.allocations}, m_series{types_of(options), options} {}

    void report(std::span<const memory_trace> traces, const trace_meta& meta) {
        m_series.report(traces, meta, [this](const memory_trace& t, trace_batch& batch) {
            std::int64_t* values = batch.add(t.stack, t.stack_id, t.block_size);
            if (m_allocations) {
                *values++ = t.allocs;
                *values++ = t.alloc_bytes;
            }
            *values++ = wrapping_subtract(t.allocs, t.frees);
            *values = wrapping_subtract(t.alloc_bytes, t.free_bytes);
        });
    }

    delta_summary write(std::string& delta) { return m_series.write(delta); }

private:
    bool m_allocations;
    trace_series m_series;
};

memory_delta::memory_delta(const memory_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

memory_delta::~memory_delta() = default;

void memory_delta::report_memory_traces(std::span<const memory_trace> traces,
                                        const trace_meta& meta) {
    m_impl->report(traces, meta);
}

delta_summary memory_delta::write(std::string& delta) { return m_impl->write(delta); }

batching_reporter::batching_reporter(memory_trace_reporter& next, std::size_t batch)
    : m_next{next}, m_batch{std::max<std::size_t>(batch, 1)} {}

void batching_reporter::report_memory_traces(std::span<const memory_trace> traces,
                                             const trace_meta& meta) {
    do {
        const auto batch = traces.first(std::min(m_batch, traces.size()));
        m_next.report_memory_traces(batch, meta);
        traces = traces.subspan(batch.size());
    } while (!traces.empty());
}

} // namespace pprofdelta
