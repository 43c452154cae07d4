// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_series.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <pprofdelta/error.hpp>

#include "delta/restart.hpp"
#include "delta/series.hpp"
#include "select/viewed_profiles.hpp"

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

void capture_series::add(const profile_index& index, std::string name) {
    if (name.empty()) {
        name = "capture " + std::to_string(count() + 1);
    }
    const bool is_first = m_reader.is_empty();
    std::vector<value_kind> kinds = m_kinds;
    std::size_t type = 0;
    if (is_first) {
        delta_options chosen;
        chosen.cumulative = m_options.cumulative;
        chosen.gauge = m_options.gauge;
        chosen.interval = m_options.interval;
        kinds = plan_subtraction(index.types, chosen).kinds;
        const std::vector<value_type>& types = index.types.sample_types;
        const auto in_use =
            std::ranges::find(types, std::string_view{"inuse_space"}, &value_type::type);
        type = in_use == types.end() ? choose_type(index, {})
                                     : static_cast<std::size_t>(in_use - types.begin());
    }
    m_reader.require_types_of(index);
    if (!m_options.seconds_between && index.view.time_nanos == 0) {
        throw error{error_kind::incompatible,
                    "the profile has no time, and the interval between captures is not given"};
    }
    m_names.push_back(name);
    try {
        m_reader.read(index, type, name, m_captures);
    } catch (...) {
        m_names.pop_back();
        throw;
    }
    m_kinds = std::move(kinds);
    m_period = index.view.period;
}

std::vector<trend_capture> capture_series::in_time() const {
    std::vector<trend_capture> all;
    const bool are_deltas =
        !m_options.are_independent && !m_options.seconds_between && has_durations() &&
        std::ranges::any_of(m_kinds, [](value_kind kind) { return kind != value_kind::gauge; });
    for (std::size_t i = 0; i < count(); ++i) {
        const capture& each = m_captures.all()[i];
        // The first delta of a series can be empty. A total without samples counts nothing so
        // far, as that of mutexes while nothing waits.
        if (!are_deltas || each.duration_nanos != 0 || !each.is_empty) {
            all.push_back({.added = i, .time_nanos = each.time_nanos});
        }
    }
    if (!m_options.seconds_between) {
        std::ranges::stable_sort(all, {}, &trend_capture::time_nanos);
        if (std::vector<trend_capture> ordered = in_order_of_counters(all); !ordered.empty()) {
            all = std::move(ordered);
        }
    }
    constexpr std::size_t enough_without = 3;
    if (!m_options.are_independent && all.size() > enough_without &&
        has_levels(all[all.size() - 2]) && !has_levels(all.back())) {
        all.pop_back(); // what a process writes when it has freed all, at its exit
    }
    const std::vector<bool> are_new_runs = find_restarts(all);
    std::size_t clock = 0; // the first capture of it as it is set
    for (std::size_t i = 1; i < all.size(); ++i) {
        bool is_new_run = are_new_runs[i];
        if (m_options.seconds_between) {
            all[i].hours = static_cast<double>(i) * *m_options.seconds_between / seconds_per_hour;
        } else if (all[i].time_nanos == all[i - 1].time_nanos) {
            throw error{error_kind::incompatible, m_names[all[i - 1].added] + " and " +
                                                      m_names[all[i].added] +
                                                      " have the same time"};
        } else if (all[i].time_nanos < all[i - 1].time_nanos) {
            clock = i; // how long it took to get here, nobody knows
            is_new_run = true;
            all[i].hours = all[i - 1].hours;
        } else {
            all[i].hours =
                all[clock].hours + seconds_between(all[clock], all[i]) / seconds_per_hour;
        }
        all[i].has_other_period = has_other_period(all[i - 1], all[i]);
        is_new_run = is_new_run || all[i].has_other_period;
        all[i].run = all[i - 1].run + (is_new_run ? 1 : 0);
    }
    return all;
}

std::vector<std::uint32_t> capture_series::depths_of_rows() const {
    std::vector<std::uint32_t> depths(m_reader.names().size(), stack_frames::none);
    for (std::uint32_t stack = 0; stack < m_reader.stacks().size(); ++stack) {
        stack_frames frames = m_reader.frames(stack);
        std::uint32_t depth = 0;
        for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
            depths[row] = std::min(depths[row], depth++);
        }
    }
    return depths;
}

bool capture_series::has_levels(const trend_capture& each) const {
    const std::vector<std::int64_t>& totals = m_captures.all()[each.added].totals;
    for (std::size_t type = 0; type < m_kinds.size(); ++type) {
        if (m_kinds[type] == value_kind::gauge && totals[type] != 0) {
            return true;
        }
    }
    return false;
}

bool capture_series::are_of_one_process(const trend_capture& before,
                                        const trend_capture& now) const {
    return relation_of(m_captures.all()[before.added].process,
                       m_captures.all()[now.added].process) == process_relation::same;
}

bool capture_series::has_other_period(const trend_capture& before, const trend_capture& now) const {
    const std::int64_t earlier = m_captures.all()[before.added].period;
    const std::int64_t later = m_captures.all()[now.added].period;
    return !m_options.are_independent && earlier > 0 && later > 0 && earlier != later &&
           are_of_one_process(before, now);
}

bool capture_series::has_fallen(const trend_capture& before, const trend_capture& now) const {
    if (has_other_period(before, now)) {
        return false;
    }
    const std::vector<std::int64_t>& earlier = m_captures.all()[before.added].totals;
    const std::vector<std::int64_t>& later = m_captures.all()[now.added].totals;
    for (std::size_t type = 0; type < m_kinds.size(); ++type) {
        if (m_kinds[type] == value_kind::cumulative && later[type] < earlier[type]) {
            return are_of_one_process(before, now);
        }
    }
    return false;
}

std::vector<trend_capture>
capture_series::in_order_of_counters(const std::vector<trend_capture>& in_time) const {
    const auto fallen = [this](const trend_capture& before, const trend_capture& now) {
        return has_fallen(before, now);
    };
    // Whether the first counter that differs is less.
    const auto has_less = [this](const trend_capture& a, const trend_capture& b) {
        const std::vector<std::int64_t>& of_a = m_captures.all()[a.added].totals;
        const std::vector<std::int64_t>& of_b = m_captures.all()[b.added].totals;
        for (std::size_t type = 0; type < m_kinds.size(); ++type) {
            if (m_kinds[type] == value_kind::cumulative && of_a[type] != of_b[type]) {
                return of_a[type] < of_b[type];
            }
        }
        return false;
    };
    const auto count_of = [](const std::vector<trend_capture>& all, auto&& is_counted) {
        std::size_t count = 0;
        for (std::size_t i = 1; i < all.size(); ++i) {
            count += is_counted(all[i - 1], all[i]) ? 1 : 0;
        }
        return count;
    };
    const std::size_t falls =
        m_options.are_independent || has_durations() ? 0 : count_of(in_time, fallen);
    if (falls == 0) {
        return {};
    }
    std::vector<trend_capture> ordered = in_time;
    for (auto first = ordered.begin(); first != ordered.end();) {
        const auto end = std::find_if(first + 1, ordered.end(), [&](const trend_capture& each) {
            return !are_of_one_process(*first, each);
        });
        std::stable_sort(first, end, has_less);
        first = end;
    }
    const auto goes_back = [](const trend_capture& before, const trend_capture& now) {
        return now.time_nanos < before.time_nanos;
    };
    if (count_of(ordered, fallen) != 0 || count_of(ordered, goes_back) >= falls) {
        return {};
    }
    const std::vector<bool> are_restarts = find_restarts(ordered);
    for (std::size_t i = 1; i < ordered.size(); ++i) {
        if (are_restarts[i] && are_of_one_process(ordered[i - 1], ordered[i])) {
            return {};
        }
    }
    return ordered;
}

std::vector<bool> capture_series::find_restarts(const std::vector<trend_capture>& in_time) const {
    std::vector<bool> are_restarts(in_time.size());
    if (m_options.are_independent) {
        return are_restarts;
    }
    if (has_durations()) { // a later delta without one counts from the start of a process
        for (std::size_t i = 1; i < in_time.size(); ++i) {
            are_restarts[i] = m_captures.all()[in_time[i].added].duration_nanos == 0;
        }
        return are_restarts;
    }
    std::vector<counter_changes> changes(in_time.size());
    for (counter_changes& each : changes) {
        each.begin(m_kinds.size());
    }
    for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
        std::vector<std::vector<std::int64_t>> sums(m_kinds.size()); // of counters
        std::vector<bool> is_there(count());
        for (std::size_t type = 0; type < m_kinds.size(); ++type) {
            if (m_kinds[type] == value_kind::cumulative) {
                sums[type] = m_captures.flat_sums(type, row);
                for (std::size_t i = 0; i < is_there.size(); ++i) {
                    is_there[i] = is_there[i] || sums[type][i] != 0;
                }
            }
        }
        for (std::size_t i = 1; i < in_time.size(); ++i) {
            const std::size_t before = in_time[i - 1].added;
            const std::size_t now = in_time[i].added;
            for (std::size_t type = 0; type < m_kinds.size(); ++type) {
                if (!sums[type].empty()) {
                    changes[i].add(type, sums[type][before], sums[type][now], is_there[now]);
                }
            }
            changes[i].end_sample(is_there[before], is_there[now]);
        }
    }
    const std::vector<capture>& all = m_captures.all();
    for (std::size_t i = 1; i < in_time.size(); ++i) {
        const process_relation process =
            relation_of(all[in_time[i - 1].added].process, all[in_time[i].added].process);
        are_restarts[i] = !has_other_period(in_time[i - 1], in_time[i]) &&
                          changes[i].find_reset({process}) != reset_reason::none;
    }
    return are_restarts;
}

capture_series::measured_values::measured_values(const capture_series& series,
                                                 const std::vector<trend_capture>& all,
                                                 std::size_t type) {
    const bool are_differences = series.is_rate(type) && !series.has_durations();
    runs.resize(all.back().run + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        value added{.now = all[i].added, .before = all[i].added};
        if (are_differences) {
            if (i == 0 || all[i].run != all[i - 1].run) {
                continue;
            }
            added.before = all[i - 1].added;
            // The seconds are not computed from the hours: equal numbers have to stay
            // equal.
            added.seconds = series.m_options.seconds_between ? *series.m_options.seconds_between
                                                             : seconds_between(all[i - 1], all[i]);
        } else if (series.is_rate(type)) {
            const std::int64_t nanos = series.m_captures.all()[added.now].duration_nanos;
            if (nanos <= 0) {
                continue;
            }
            added.seconds = static_cast<double>(nanos) / nanos_per_second;
        }
        values.push_back(added);
        places.push_back(i);
        hours.push_back(all[i].hours);
        ++runs[all[i].run];
    }
}

std::vector<double> capture_series::measured_values::of(const std::vector<double>& sums) const {
    std::vector<double> result;
    result.reserve(values.size());
    for (const value& each : values) {
        const double before = each.before == each.now ? 0 : sums[each.before];
        result.push_back((sums[each.now] - before) / each.seconds);
    }
    return result;
}

} // namespace pprofdelta
