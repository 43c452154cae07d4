// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_series.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include <pprofdelta/error.hpp>

#include "delta/restart.hpp"
#include "delta/subtraction_plan.hpp"
#include "profile/index.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

constexpr double nanos_per_second = 1e9;
constexpr double seconds_per_hour = 3600;

// The captures are in the order of their times, which can be farther apart than a signed number
// says.
double seconds_between(const trend_capture& before, const trend_capture& after) {
    return static_cast<double>(static_cast<std::uint64_t>(after.time_nanos) -
                               static_cast<std::uint64_t>(before.time_nanos)) /
           nanos_per_second;
}

} // namespace

void capture_series::add(std::string_view profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    const bool is_first = m_reader.is_empty();
    std::vector<bool> is_cumulative = m_is_cumulative;
    std::size_t type = 0;
    if (is_first) {
        delta_options chosen;
        chosen.cumulative = m_options.cumulative;
        chosen.gauge = m_options.gauge;
        is_cumulative = plan_subtraction(index.types, chosen).is_cumulative;
        const std::vector<value_type>& types = index.types.sample_types;
        const auto in_use = std::find_if(types.begin(), types.end(), [](const value_type& each) {
            return each.type == "inuse_space";
        });
        type = in_use == types.end() ? choose_type(index, {})
                                     : static_cast<std::size_t>(in_use - types.begin());
    }
    m_reader.require_types_of(index);
    const bool has_duration = index.view.duration_nanos > 0;
    if (!is_first && !m_options.are_independent && has_duration != has_durations() &&
        std::find(is_cumulative.begin(), is_cumulative.end(), true) != is_cumulative.end()) {
        throw error{error_kind::incompatible,
                    std::string{"it has "} + (has_duration ? "a duration" : "no duration") +
                        ", unlike the captures before: deltas and profiles do not go together"};
    }
    if (!m_options.seconds_between && index.view.time_nanos == 0) {
        throw error{error_kind::incompatible,
                    "the profile has no time, and nothing says how far captures are apart"};
    }
    m_reader.read(index, type, "capture " + std::to_string(count() + 1), m_captures);
    m_is_cumulative = std::move(is_cumulative);
}

bool capture_series::is_rate(std::size_t type) const {
    return m_is_cumulative[type] && !m_options.are_independent;
}

bool capture_series::is_restart(std::size_t before, std::size_t now) const {
    const packed_sums::rows rows_before = m_captures.rows(before);
    const packed_sums::rows rows_now = m_captures.rows(now);
    counter_changes changes;
    changes.begin(m_is_cumulative.size());
    std::vector<std::uint32_t> rows;
    std::set_union(rows_before.numbers.begin(), rows_before.numbers.end(), rows_now.numbers.begin(),
                   rows_now.numbers.end(), std::back_inserter(rows));
    for (const std::uint32_t row : rows) {
        bool was_before = false;
        for (std::size_t type = 0; type < m_is_cumulative.size(); ++type) {
            if (m_is_cumulative[type]) {
                const std::int64_t value = rows_before.of(row, type);
                was_before = was_before || value != 0;
                changes.add(type, value, rows_now.of(row, type));
            }
        }
        changes.end_sample(was_before, true);
    }
    return changes.find_reset(relation_of(m_captures.all()[before].process,
                                          m_captures.all()[now].process)) != reset_reason::none;
}

std::vector<trend_capture> capture_series::in_time() const {
    std::vector<trend_capture> all(count());
    for (std::size_t i = 0; i < count(); ++i) {
        all[i].added = i;
        all[i].time_nanos = m_captures.all()[i].time_nanos;
    }
    if (!m_options.seconds_between) {
        std::stable_sort(all.begin(), all.end(),
                         [&](const trend_capture& a, const trend_capture& b) {
                             return a.time_nanos < b.time_nanos;
                         });
    }
    const bool can_restart = !m_options.are_independent && !has_durations();
    for (std::size_t i = 1; i < count(); ++i) {
        if (m_options.seconds_between) {
            all[i].hours = static_cast<double>(i) * *m_options.seconds_between / seconds_per_hour;
        } else if (all[i].time_nanos == all[i - 1].time_nanos) {
            throw error{error_kind::incompatible,
                        "captures " + std::to_string(all[i - 1].added + 1) + " and " +
                            std::to_string(all[i].added + 1) + " have the same time"};
        } else {
            all[i].hours = seconds_between(all[0], all[i]) / seconds_per_hour;
        }
        const bool is_new_run = can_restart && is_restart(all[i - 1].added, all[i].added);
        all[i].run = all[i - 1].run + (is_new_run ? 1 : 0);
    }
    return all;
}

capture_series::measured_values::measured_values(const capture_series& of,
                                                 const std::vector<trend_capture>& all,
                                                 std::size_t type) {
    const bool are_differences = of.is_rate(type) && !of.has_durations();
    m_runs.resize(all.back().run + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        value added{.now = all[i].added, .before = all[i].added};
        if (are_differences) {
            if (i == 0 || all[i].run != all[i - 1].run) {
                continue;
            }
            added.before = all[i - 1].added;
            // Not from the hours: what is equal has to stay equal.
            added.seconds = of.m_options.seconds_between ? *of.m_options.seconds_between
                                                         : seconds_between(all[i - 1], all[i]);
        } else if (of.is_rate(type)) {
            added.seconds = static_cast<double>(of.m_captures.all()[added.now].duration_nanos) /
                            nanos_per_second;
        }
        m_places.push_back(i);
        m_hours.push_back(all[i].hours);
        m_values.push_back(added);
        ++m_runs[all[i].run];
    }
}

capture_series::column capture_series::measured_values::of(const column& values) const {
    column result;
    result.reserve(m_values.size());
    for (const value& each : m_values) {
        const double before = each.before == each.now ? 0 : values[each.before];
        result.push_back((values[each.now] - before) / each.seconds);
    }
    return result;
}

} // namespace pprofdelta
