// SPDX-License-Identifier: Apache-2.0
#include "captures/fleet_service.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/questions.hpp"
#include "delta/subtraction_plan.hpp"
#include "select/row_sums.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

// What is shorter is lost in a double of the time since 1970, and what is longer is that time, as
// some profilers have it there.
constexpr std::int64_t shortest_delta_nanos = 1000;
constexpr std::int64_t longest_delta_nanos = 1'000'000'000'000'000'000;
// Of what was true at one moment, as no slot has a moment without length.
constexpr double moment_nanos = 1e6;

bool has_counter(const profile_types& types) {
    const std::vector<bool> are = plan_subtraction(types, {}).is_cumulative;
    return std::find(are.begin(), are.end(), true) != are.end();
}

void add_parts(slot_values& to, double value, const slot_values& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        to[i] += value * parts[i];
    }
}

void add_rates(slot_values& to, const slot_values& sums, const slot_values& covered,
               double factor) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (covered[i] > 0) {
            to[i] += factor * sums[i] / covered[i];
        }
    }
}

} // namespace

fleet_question::fleet_question(const fleet_options& of) : options{of}, rules{of} {
    check_test(options);
    if (options.begin_nanos >= options.end_nanos || options.begin_nanos < 0 ||
        options.ago_nanos < 0) {
        refuse("the time that is looked at ends after it begins, and the base is not after it");
    }
    tests.alpha = options.alpha;
    tests.min_change = options.min_change;
}

void fleet_service::next_series() {
    if (m_series.of != nullptr) {
        constexpr double nanos_per_second = 1e9;
        fleet_rates& rates = *m_series.of;
        const double factor = rates.is_rate ? nanos_per_second : 1;
        rates.rows.resize(std::max(rates.rows.size(), m_series.rows.size()));
        for (std::size_t i = 0; i < m_series.rows.size(); ++i) {
            add_rates(rates.rows[i], m_series.rows[i], m_series.covered, factor);
        }
        add_rates(rates.total, m_series.total, m_series.covered, factor);
        for (std::size_t i = 0; i < m_series.covered.size(); ++i) {
            rates.series[i] += m_series.covered[i] > 0 ? 1 : 0;
        }
        rates.durations.push_back(median(m_series.durations));
    }
    m_series = {};
}

std::size_t fleet_service::type_of_series() const {
    if (m_series.of == nullptr) {
        report_options wanted;
        wanted.sample_type = m_asked.options.sample_type;
        return choose_type_of_one(m_index, wanted);
    }
    return find_type(value_type_pattern{to_string(m_series.of->type)}, m_index.types.sample_types);
}

// Without any counter a profile with a duration, as of CPU time, has what was counted in that time.
bool fleet_service::is_rate(std::size_t type) const {
    return has_counter(m_index.types) ? plan_subtraction(m_index.types, {}).is_cumulative[type]
                                      : m_index.view.duration_nanos > 0;
}

fleet_rates& fleet_service::rates_of(const value_type& type, bool is_rate) {
    const auto found = std::find_if(m_rates.begin(), m_rates.end(), [&](const fleet_rates& each) {
        return each.type == type && each.is_rate == is_rate;
    });
    if (found != m_rates.end()) {
        return *found;
    }
    m_rates.push_back({.type = type, .is_rate = is_rate});
    return m_rates.back();
}

void fleet_service::add(std::string_view delta, bool to_base, bool to_head) {
    const fleet_options& options = m_asked.options;
    m_index.view.parse(delta);
    const std::int64_t time = m_index.view.time_nanos;
    const std::int64_t given = m_index.view.duration_nanos;
    const bool has_duration = given >= shortest_delta_nanos && given <= longest_delta_nanos;
    const double nanos = has_duration ? static_cast<double>(given) : moment_nanos;
    const auto end = static_cast<double>(time);
    slot_values parts{};
    const bool is_before =
        to_base && add_overlaps(options, compare_side::base, end - nanos, end, parts);
    const bool is_now =
        to_head && add_overlaps(options, compare_side::head, end - nanos, end, parts);
    const std::int64_t latest =
        std::max(m_counts.latest_nanos, to_head && !is_now ? time : std::int64_t{0});
    if (!is_before && !is_now) {
        m_counts.latest_nanos = latest;
        ++m_counts.elsewhere;
        return;
    }
    m_index.build_types(delta);
    if (!has_duration && (given != 0 || has_counter(m_index.types))) {
        ++m_counts.without_duration;
        return;
    }
    const std::vector<value_type>& all = m_index.types.sample_types;
    if (options.sample_type && std::none_of(all.begin(), all.end(), [&](const value_type& each) {
            return options.sample_type->matches(each);
        })) {
        ++m_counts.of_other_types;
        return;
    }
    m_index.build(delta, match_mode::exact);
    const std::array<std::size_t, 1> types{type_of_series()};
    fleet_rates& rates = m_series.of != nullptr
                             ? *m_series.of
                             : rates_of(m_index.types.sample_types[types[0]], is_rate(types[0]));
    const row_sums sums = sum_rows(m_index, types, m_asked.rules, rates.names);
    const std::vector<std::int64_t>& of_rows = options.by_cum ? sums.cum : sums.flat;
    m_series.rows.resize(std::max(m_series.rows.size(), of_rows.size()));
    m_series.durations.push_back(nanos);
    m_series.of = &rates;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        m_series.covered[i] += parts[i];
        parts[i] /= rates.is_rate ? nanos : 1;
    }
    for (std::size_t i = 0; i < of_rows.size(); ++i) {
        if (of_rows[i] != 0) {
            add_parts(m_series.rows[i], static_cast<double>(of_rows[i]), parts);
        }
    }
    add_parts(m_series.total, static_cast<double>(sums.shown[0]), parts);
    m_counts.latest_nanos = latest;
    m_counts.before += is_before ? 1 : 0;
    m_counts.now += is_now ? 1 : 0;
}

} // namespace pprofdelta
