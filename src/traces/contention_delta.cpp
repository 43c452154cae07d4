// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/contention_traces.hpp>

#include <pprofdelta/sampling.hpp>

#include "traces/delta.hpp"

namespace pprofdelta {

namespace {

profile_types types_of_contention() {
    profile_types types;
    types.sample_types = {{"contentions", "count"}, {"delay", "nanoseconds"}};
    types.period_type = types.sample_types.front();
    return types;
}

} // namespace

class contention_delta::impl {
public:
    explicit impl(const contention_delta_options& options)
        : m_options{options}, m_series{types_of_contention(), options} {}

    void report(std::span<const contention_trace> traces, trace_meta meta) {
        if (meta.period == 0) {
            meta.period = m_options.sampling_period;
        }
        m_series.report(traces, meta, [this](const contention_trace& t, trace_batch& batch) {
            const contention_sample scaled = scale_contention_sample(
                {t.contentions, t.delay}, m_options.sampling_period, m_options.cycles_per_second);
            std::int64_t* const values = batch.add(t.stack, t.stack_id, 0);
            values[0] = scaled.count;
            values[1] = scaled.delay;
        });
    }

    delta_summary write(std::string& delta) { return m_series.write(delta); }

private:
    contention_delta_options m_options;
    trace_series m_series;
};

contention_delta::contention_delta(const contention_delta_options& options)
    : m_impl{std::make_unique<impl>(options)} {}

contention_delta::~contention_delta() = default;

void contention_delta::report_contention_traces(std::span<const contention_trace> traces,
                                                const trace_meta& meta) {
    m_impl->report(traces, meta);
}

delta_summary contention_delta::write(std::string& delta) { return m_impl->write(delta); }

} // namespace pprofdelta
