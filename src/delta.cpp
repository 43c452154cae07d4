// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include <algorithm>
#include <utility>

#include <pprofdelta/error.hpp>

#include "aggregation.hpp"
#include "profile_index.hpp"
#include "profile_writer.hpp"
#include "subtraction_plan.hpp"
#include "value_table.hpp"
#include "wrapping.hpp"

namespace pprofdelta {

// The six passes are those of DataDog's fastdelta.
class delta_computer::impl {
public:
    explicit impl(delta_options options) : m_options{std::move(options)} {}

    /// @param delta nullptr if only the state is to advance.
    delta_summary compute(std::string_view profile, std::string* delta) {
        const std::uint32_t frames_before = m_frames.size();
        m_table.begin();
        try {
            pass_1_index(profile);
            pass_2_aggregate();
            if (delta != nullptr) {
                look_for_reset();
                m_writer.start(m_frames, m_index, nullptr, *delta);
                pass_3_write_samples();
                pass_4_write_locations_and_mappings();
                pass_5_write_functions();
                pass_6_write_headers_and_strings();
            }
        } catch (...) {
            m_table.rollback();
            m_frames.truncate(frames_before);
            throw;
        }
        advance();
        return m_summary;
    }

private:
    void pass_1_index(std::string_view profile) {
        m_index.build(profile, m_options.match, m_frames);
        m_summary = {};
        m_summary.samples_in = m_index.view.samples.size();
        m_summary.first = !m_has_previous;
        m_summary.previous_has_duration = m_has_previous && m_previous_duration != 0;
        if (m_has_previous) {
            require_same(m_types, m_index.types);
        } else {
            m_plan = plan_subtraction(m_index.types, m_options);
            require_cumulative(m_plan, m_index.types);
            m_table.configure(m_index.types.sample_types.size(), m_plan.cumulative);
            m_types = m_index.types;
        }
    }

    void pass_2_aggregate() { m_samples.run(m_index, m_table); }

    void look_for_reset() {
        if (!m_has_previous || m_options.on_reset == reset_policy::negative) {
            return;
        }
        m_summary.reset = m_table.is_reset();
        if (m_summary.reset && m_options.on_reset == reset_policy::error) {
            throw error{error_kind::reset,
                        "the counters started over, as after a restart of the process"};
        }
    }

    void pass_3_write_samples() {
        if (m_summary.reset && m_options.on_reset == reset_policy::drop) {
            return;
        }
        // Of a new entry the previous values are zero, so a first profile needs no exception.
        const bool subtract = !m_summary.reset;
        m_samples.for_each([&](record sample, std::uint32_t entry) {
            if (take_values(entry, subtract)) {
                m_writer.write_sample(side::current, sample, m_values);
                ++m_summary.samples_kept;
            }
        });
    }

    // Whether the sample is to be written, with m_values.
    bool take_values(std::uint32_t entry, bool subtract) {
        const std::int64_t* const current = m_table.current(entry);
        m_values.assign(current, current + m_types.sample_types.size());
        bool negative = false;
        const std::int64_t* previous = m_table.previous(entry);
        for (const std::uint32_t i : m_plan.cumulative) {
            const std::int64_t before = *previous++;
            m_values[i] = subtract ? wrapping_subtract(m_values[i], before) : m_values[i];
            negative = negative || m_values[i] < 0;
        }
        return !(negative && m_options.drop_negative) &&
               std::any_of(m_values.begin(), m_values.end(), [](auto value) { return value != 0; });
    }

    void pass_4_write_locations_and_mappings() { m_writer.write_locations_and_mappings(); }
    void pass_5_write_functions() { m_writer.write_functions(); }
    void pass_6_write_headers_and_strings() {
        m_writer.write_headers(duration());
        m_writer.write_strings();
    }

    // Consumers take a duration for the sign of a delta.
    [[nodiscard]] std::int64_t duration() const {
        return m_has_previous ? duration_between(m_previous_time, m_index.view)
                              : m_index.view.duration_nanos;
    }

    // The delta is complete. Nothing here can fail: what is built anew after a reset needs no more
    // memory than is there already.
    void advance() noexcept {
        if (m_summary.reset) {
            // A new series begins, and nothing of the old one is worth its memory.
            m_frames.clear();
            m_index.build(m_index.view.bytes(), m_options.match, m_frames);
            m_table.clear();
            pass_2_aggregate();
        }
        m_table.commit();
        if (m_index.types.has_period_type()) {
            std::swap(m_types.period_type, m_index.types.period_type);
        }
        m_previous_time = m_index.view.time_nanos;
        m_previous_duration = m_index.view.duration_nanos;
        m_has_previous = true;
    }

    delta_options m_options;

    // What is known of the profiles before.
    bool m_has_previous = false;
    profile_types m_types;
    subtraction_plan m_plan;
    std::int64_t m_previous_time = 0;
    std::int64_t m_previous_duration = 0;
    key_table m_frames;
    value_table m_table;

    // The call at hand.
    profile_index m_index;
    aggregation m_samples;
    profile_writer m_writer;
    std::vector<std::int64_t> m_values;
    delta_summary m_summary;
};

delta_computer::delta_computer(delta_options options)
    : m_impl{std::make_unique<impl>(std::move(options))} {}
delta_computer::~delta_computer() = default;
delta_computer::delta_computer(delta_computer&&) noexcept = default;
delta_computer& delta_computer::operator=(delta_computer&&) noexcept = default;

delta_summary delta_computer::compute(std::string_view profile, std::string& delta) {
    return m_impl->compute(profile, &delta);
}

void delta_computer::prime(std::string_view profile) { m_impl->compute(profile, nullptr); }

std::vector<type_treatment> list_types(std::string_view profile, const delta_options& options) {
    profile_index index;
    index.view.parse(profile);
    index.strings.build(index.view);
    index.types.read(index.view, index.strings);
    const subtraction_plan plan = plan_subtraction(index.types, options);
    std::vector<type_treatment> treatments;
    for (std::size_t i = 0; i < index.types.sample_types.size(); ++i) {
        treatments.push_back({index.types.sample_types[i], plan.is_cumulative[i]});
    }
    return treatments;
}

} // namespace pprofdelta
