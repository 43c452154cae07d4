// SPDX-License-Identifier: Apache-2.0
#include "traces/delta.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/sampling.hpp>
#include <pprofdelta/traces.hpp>

#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "traces/stacks.hpp"

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

class memory_delta::impl : public trace_delta {
public:
    explicit impl(const memory_delta_options& options)
        : trace_delta{types_of(options), options}, has_allocations{options.allocations} {}

    const bool has_allocations;
};

memory_delta::memory_delta(const memory_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

memory_delta::~memory_delta() = default;

void memory_delta::report_memory_traces(std::span<const memory_trace> traces,
                                        const trace_meta& meta) {
    m_impl->report(traces, meta, [this](const memory_trace& t, trace_batch& batch) {
        std::int64_t* values = batch.add(t.stack, t.stack_id, t.block_size);
        if (m_impl->has_allocations) {
            *values++ = t.allocs;
            *values++ = t.alloc_bytes;
        }
        *values++ = wrapping_subtract(t.allocs, t.frees);
        *values = wrapping_subtract(t.alloc_bytes, t.free_bytes);
    });
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

class contention_delta::impl : public trace_delta {
public:
    explicit impl(const contention_delta_options& given)
        : trace_delta{{{{"contentions", "count"}, {"delay", "nanoseconds"}},
                       {"contentions", "count"}},
                      given},
          options{given} {}

    const contention_delta_options options;
};

contention_delta::contention_delta(const contention_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

contention_delta::~contention_delta() = default;

void contention_delta::report_contention_traces(std::span<const contention_trace> traces,
                                                const trace_meta& meta) {
    const contention_delta_options& options = m_impl->options;
    trace_meta with_period = meta;
    with_period.period = meta.period != 0 ? meta.period : options.sampling_period;
    m_impl->report(traces, with_period, [&](const contention_trace& t, trace_batch& batch) {
        const contention_sample scaled = scale_contention_sample(
            {t.contentions, t.delay}, options.sampling_period, options.cycles_per_second);
        std::int64_t* const values = batch.add(t.stack, t.stack_id, 0);
        values[0] = scaled.count;
        values[1] = scaled.delay;
    });
}

delta_summary contention_delta::write(std::string& delta) { return m_impl->write(delta); }

} // namespace pprofdelta
