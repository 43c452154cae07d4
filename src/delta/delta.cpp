// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include <algorithm>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/about_input.hpp"
#include "delta/aggregation.hpp"
#include "delta/rules.hpp"
#include "delta/state_format.hpp"
#include "delta/subtraction_plan.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/writer.hpp"

namespace pprofdelta {

const char* to_string(match_mode match) noexcept {
    switch (match) {
    case match_mode::exact:
        return "exact";
    case match_mode::line:
        return "line";
    case match_mode::function:
        return "function";
    }
    return "";
}

const char* to_string(profile_source source) noexcept {
    switch (source) {
    case profile_source::protobuf:
        return "protobuf";
    case profile_source::text:
        return "text";
    }
    return "";
}

// The six passes are those of DataDog's fastdelta.
class delta_computer::impl {
public:
    explicit impl(delta_options options) : m_options{std::move(options)} {
        m_series.match = m_options.match;
    }

    /// @param delta nullptr if only the state is to advance.
    delta_summary compute(std::string_view profile, std::string* delta, profile_source source) {
        m_table.begin();
        try {
            require_same_source(source);
            pass_1_index(profile);
            pass_2_aggregate();
            if (delta != nullptr) {
                m_summary.reset = m_has_previous && look_for_reset(m_table, m_options.on_reset);
                m_writer.start(m_index, nullptr, *delta);
                pass_3_write_samples();
                pass_4_write_locations_and_mappings();
                pass_5_write_functions();
                pass_6_write_headers_and_strings();
            }
        } catch (...) {
            m_table.rollback();
            throw;
        }
        advance();
        m_series.source = source;
        return m_summary;
    }

    [[nodiscard]] bool has_previous() const noexcept { return m_has_previous; }

    [[nodiscard]] std::string save() const {
        if (!m_has_previous) {
            throw error{error_kind::invalid_argument,
                        "there is no profile yet whose state could be saved"};
        }
        return encode_state(m_series, m_table);
    }

    void load(std::string_view state) {
        series saved;
        value_table table;
        decode_state(state, saved, table);
        require_same_options(saved);
        std::swap(m_series, saved);
        std::swap(m_table, table);
        m_has_previous = true;
    }

private:
    void pass_1_index(std::string_view profile) {
        m_index.build(profile, m_options.match);
        m_summary = {};
        m_summary.samples_in = m_index.view.samples.size();
        m_summary.first = !m_has_previous;
        m_summary.out_of_order = m_has_previous && m_index.view.time_nanos != 0 &&
                                 m_index.view.time_nanos < m_series.time_nanos;
        m_summary.previous_has_duration = m_has_previous && m_series.duration_nanos != 0;
        if (m_has_previous) {
            require_same(m_series.types, m_index.types);
        } else {
            m_series.plan = plan_subtraction(m_index.types, m_options);
            require_cumulative(m_series.plan, m_index.types);
            m_table.configure(m_index.types.sample_types.size(), m_series.plan.cumulative);
            m_series.types = m_index.types;
        }
    }

    void require_same_source(profile_source source) const {
        if (m_has_previous && source != m_series.source) {
            throw error{error_kind::incompatible,
                        std::string{"the profile before was "} + to_string(m_series.source) +
                            ", and this one is " + to_string(source) +
                            ": the stacks of one are not those of the other",
                        error_input::both};
        }
    }

    void require_same_options(const series& saved) const {
        if (saved.match != m_options.match) {
            throw error{error_kind::incompatible,
                        std::string{"the state was saved for matching by "} +
                            to_string(saved.match) + ", and " + to_string(m_options.match) +
                            " is asked for"};
        }
        const subtraction_plan wanted = plan_subtraction(saved.types, m_options);
        // The plan was made from the first profile, which may have had no period type yet.
        profile_types first = saved.types;
        first.period_type = {};
        if (wanted.is_cumulative != saved.plan.is_cumulative &&
            plan_subtraction(first, m_options).is_cumulative != saved.plan.is_cumulative) {
            throw error{error_kind::incompatible,
                        "the state was saved for subtracting " +
                            to_string(cumulative_types(saved.types, saved.plan)) + ", and " +
                            to_string(cumulative_types(saved.types, wanted)) + " is asked for"};
        }
    }

    void pass_2_aggregate() { m_samples.run(m_index, m_table); }

    void pass_3_write_samples() {
        if (!has_samples(m_options, m_summary)) {
            return;
        }
        // Of a new entry the previous values are zero, so a first profile needs no exception.
        const bool subtract = !m_summary.reset;
        m_values.resize(m_series.types.sample_types.size());
        m_samples.for_each([&](record sample, std::uint32_t entry) {
            if (take_values(entry, subtract)) {
                m_writer.write_sample(side::current, sample, m_values);
                ++m_summary.samples_kept;
            }
        });
    }

    // Whether the sample is to be written, with m_values.
    bool take_values(std::uint32_t entry, bool subtract) {
        return is_kept(m_options, m_table.difference(entry, subtract, m_values.data()));
    }

    void pass_4_write_locations_and_mappings() { m_writer.write_locations_and_mappings(); }
    void pass_5_write_functions() { m_writer.write_functions(); }
    void pass_6_write_headers_and_strings() {
        m_writer.write_headers(duration());
        m_writer.write_strings();
    }

    // Consumers take a duration for the sign of a delta.
    [[nodiscard]] std::int64_t duration() const {
        const profile_view& view = m_index.view;
        return m_has_previous
                   ? duration_between(m_series.time_nanos, view.time_nanos, view.duration_nanos)
                   : view.duration_nanos;
    }

    // The delta is complete. Nothing here allocates, so nothing here can fail.
    void advance() noexcept {
        if (m_summary.reset) {
            // A new series begins, and nothing of the old one is worth its memory.
            m_table.forget_previous();
        }
        m_table.commit();
        if (m_index.types.has_period_type()) {
            std::swap(m_series.types.period_type, m_index.types.period_type);
        }
        m_series.time_nanos = m_index.view.time_nanos;
        m_series.duration_nanos = m_index.view.duration_nanos;
        m_has_previous = true;
    }

    delta_options m_options;

    // What is known of the profiles before.
    bool m_has_previous = false;
    series m_series;
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

delta_summary delta_computer::compute(std::string_view profile, std::string& delta,
                                      profile_source source) {
    return about_input(error_input::current,
                       [&] { return m_impl->compute(profile, &delta, source); });
}

void delta_computer::prime(std::string_view profile, profile_source source) {
    about_input(error_input::current, [&] { m_impl->compute(profile, nullptr, source); });
}

bool delta_computer::has_previous() const noexcept { return m_impl->has_previous(); }

std::string delta_computer::save() const { return m_impl->save(); }

void delta_computer::load(std::string_view state) {
    about_input(error_input::state, [&] { m_impl->load(state); });
}

} // namespace pprofdelta
