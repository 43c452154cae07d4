// SPDX-License-Identifier: Apache-2.0
#include "captures/fleet_service.hpp"

#include <numeric>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "captures/captures.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

namespace {

constexpr std::array<std::size_t, 6> divisors{1, 2, 3, 4, 6, 12};

double nanos_of_slot(const fleet_options& options) {
    const double window = options.period_nanos != 0 ? static_cast<double>(options.period_nanos)
                                                    : static_cast<double>(options.end_nanos) -
                                                          static_cast<double>(options.begin_nanos);
    return window / static_cast<double>(slots_of_window);
}

// Adds the time of each slot of a window, or of periods, that lies between two times, in
// nanoseconds.
// @param start is that of the first slot.
// @returns whether there is any.
bool add_overlaps(double start, double slot, double begin, double end, double* first,
                  std::size_t count) {
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        const double at = start + static_cast<double>(i) * slot;
        const double overlap = std::min(end, at + slot) - std::max(begin, at);
        if (overlap > 0) {
            first[i] += overlap;
            any = true;
        }
    }
    return any;
}

// Shorter times are lost in a double of the time since 1970.
constexpr std::int64_t shortest_delta_nanos = 1000;
// A value that was true at one moment gets this length, since no slot has a moment without length.
constexpr double moment_nanos = 1e6;

// The usual time from one profile to the next; 0 if there is one.
double usual_step(std::vector<double> ends) {
    std::ranges::sort(ends);
    std::vector<double> steps;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        if (ends[i] > ends[i - 1]) { // and is no copy
            steps.push_back(ends[i] - ends[i - 1]);
        }
    }
    return steps.empty() ? 0 : median(steps);
}

// Whether something was counted, in the duration of the profile or since a process started.
bool has_counted(const profile_types& types) {
    return std::ranges::any_of(plan_subtraction(types, {}).kinds,
                               [](value_kind kind) { return kind != value_kind::gauge; });
}

// A gap between deltas of a window is filled with the mean of these, so that what the other series
// of a service have there is not taken for all of it. A slot in which no series has a delta does
// not count.
void add_rates(slot_values& to, const slot_values& sums, const slot_values& covered,
               double factor) {
    for (std::size_t window = 0; window < windows_of(to); ++window) {
        std::size_t first = window * slots_of_window;
        std::size_t end = first + slots_of_window;
        while (first < end && covered[first] <= 0) {
            ++first;
        }
        while (first < end && covered[end - 1] <= 0) {
            --end;
        }
        const auto sum_of = [&](const slot_values& values) {
            return std::accumulate(values.data() + first, values.data() + end, 0.0);
        };
        const double usual = first < end ? sum_of(sums) / sum_of(covered) : 0;
        for (std::size_t i = first; i < end; ++i) {
            to[i] += covered[i] > 0 ? factor * sums[i] / covered[i] : factor * usual;
        }
    }
}

} // namespace

void add_values(slot_values& to, const slot_values& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
        to[i] += more[i];
    }
}

void keep_largest(slot_values& to, const slot_values& more) {
    std::ranges::transform(more, to, to.begin(), [](double a, double b) { return std::max(a, b); });
}

slot_plan::slot_plan(const fleet_options& options, const slot_values& series,
                     double usual_duration) {
    // Timers are late, so a delta may be a little longer than what it is meant to be.
    const double slot = nanos_of_slot(options);
    const auto* const fitting = std::ranges::find_if(divisors, [&](std::size_t count) {
        return usual_duration <= 1.1 * (slot * static_cast<double>(count));
    });
    m_together = fitting == divisors.end() ? divisors.back() : *fitting;
    for (std::size_t window = 0; window < windows_of(series); ++window) {
        const std::span<const double> slots = slots_in(series, window);
        const double most = std::ranges::max(slots);
        std::ranges::transform(slots, std::back_inserter(m_counts_in),
                               [most](double count) { return count > 0 && count * 2 >= most; });
        std::size_t& groups = m_counts.emplace_back();
        for_each_group(window, [&](const std::vector<std::size_t>&) { ++groups; });
    }
}

std::vector<double> slot_plan::values(std::size_t window, const slot_values& all) const {
    std::vector<double> result;
    for_each_group(window, [&](const std::vector<std::size_t>& places) {
        double sum = 0;
        for (const std::size_t place : places) {
            sum += all[place];
        }
        result.push_back(sum / static_cast<double>(places.size()));
    });
    return result;
}

void slot_plan::fill(slot_values& all) const {
    for (std::size_t window = 0; window < windows_of(all); ++window) {
        const std::size_t first = window * slots_of_window;
        double sum = 0;
        double count = 0;
        for (std::size_t i = first; i < first + slots_of_window; ++i) {
            sum += m_counts_in[i] ? all[i] : 0;
            count += m_counts_in[i] ? 1 : 0;
        }
        for (std::size_t i = first; i < first + slots_of_window; ++i) {
            all[i] = m_counts_in[i] || count == 0 ? all[i] : sum / count;
        }
    }
}

fleet_question::fleet_question(const fleet_options& chosen) : options{chosen}, rules{chosen} {
    check_test(options);
    if (options.begin_nanos >= options.end_nanos || options.begin_nanos < 0 ||
        options.ago_nanos < 0) {
        refuse("the window must end after it begins, and the base must not be a later window");
    }
    std::int64_t windows = 2;
    if (options.period_nanos != 0 && options.ago_nanos != 0) {
        refuse("a window that is divided into periods has no base");
    }
    if (options.period_nanos != 0) {
        constexpr std::int64_t most_periods = 10'000;
        const std::int64_t window = options.end_nanos - options.begin_nanos;
        windows = window / options.period_nanos;
        if (windows < 1 || windows > most_periods || window % options.period_nanos != 0) {
            refuse("the window must be 1 to 10000 periods long");
        }
    }
    zeros.resize(slots_of_window * static_cast<std::size_t>(windows));
    tests.test = test_kind::ranks; // of slots, not of captures
    tests.alpha = options.alpha;
    tests.min_change = options.min_change;
}

fleet_life fleet_service::life() const {
    const fleet_options& options = m_asked.options;
    const bool has_periods = options.period_nanos != 0;
    const double slot = nanos_of_slot(options);
    const double window = slot * static_cast<double>(slots_of_window);
    const std::size_t windows = windows_of(m_asked.zeros);
    const double explained = 2 * m_usual_step; // by a delta that is missing, and one not yet due
    fleet_life life{m_asked.zeros, std::vector<bool>(windows), std::vector<bool>(windows)};
    for (std::size_t i = 0; i < windows; ++i) {
        const times& known = m_times[has_periods ? head : i];
        const double begin =
            static_cast<double>(options.begin_nanos) +
            (has_periods ? static_cast<double>(i) * window
                         : (i == base ? -static_cast<double>(options.ago_nanos) : 0));
        const double end = begin + window;
        life.came[i] = m_usual_step > 0 && known.begin < end && known.begin - begin > explained;
        life.went[i] = m_usual_step > 0 && known.end > begin && end - known.end > explained;
        double* const parts = life.parts.data() + i * slots_of_window;
        add_overlaps(begin, slot, life.came[i] ? known.begin : begin,
                     life.went[i] ? known.end : end, parts, slots_of_window);
        std::transform(parts, parts + slots_of_window, parts,
                       [slot](double nanos) { return std::min(nanos / slot, 1.0); });
    }
    return life;
}

void fleet_service::next_series() {
    m_usual_step = std::max(m_usual_step, usual_step(m_series.ends));
    if (m_series.of != nullptr) {
        constexpr double nanos_per_second = 1e9;
        fleet_rates& rates = *m_series.of;
        const double factor = rates.is_rate ? nanos_per_second : 1;
        rates.rows.resize(std::max(rates.rows.size(), m_series.rows.size()));
        slot_values sums = m_asked.zeros;
        slot_values row_rates = m_asked.zeros;
        for (std::size_t i = 0; i < m_series.rows.size(); ++i) {
            std::exchange(m_series.rows[i], {}).put_into(sums);
            std::ranges::fill(row_rates, 0);
            add_rates(row_rates, sums, m_series.covered, factor);
            rates.rows[i].add(row_rates);
        }
        add_rates(rates.total, m_series.total, m_series.covered, factor);
        const double usual = median(m_series.durations);
        const double slot = nanos_of_slot(m_asked.options);
        for (std::size_t window = 0; window < windows_of(m_series.covered); ++window) {
            rates.series_of_windows[window] += std::ranges::any_of(
                slots_in(m_series.covered, window), [](double covered) { return covered > 0; });
        }
        for (double& covered : m_series.covered) {
            // A moment is all that is known of its slot.
            covered = covered > 0 && usual <= moment_nanos ? slot : std::min(covered, slot);
        }
        for (std::size_t i = 0; i < m_series.covered.size(); ++i) {
            rates.series[i] += m_series.covered[i] > 0 ? 1 : 0;
        }
        keep_largest(rates.covered, m_series.covered);
        rates.durations.push_back(usual);
    }
    m_series = open_series{m_asked.zeros};
}

void fleet_service::add(std::string_view delta, bool to_base, bool to_head) {
    const fleet_options& options = m_asked.options;
    if (to_base && to_head && options.period_nanos == 0 &&
        options.ago_nanos < options.end_nanos - options.begin_nanos) {
        refuse("the windows of the base and the head overlap, so no delta can be for both");
    }
    m_index.view.parse(delta);
    const std::int64_t time = m_index.view.time_nanos;
    const std::int64_t given = m_index.view.duration_nanos;
    const bool has_duration = given >= shortest_delta_nanos;
    const double nanos = has_duration ? static_cast<double>(given) : moment_nanos;
    const auto end = static_cast<double>(time);
    if (time > 0) {
        m_series.ends.push_back(end);
        for (const std::size_t side : {base, head}) {
            if (side == base ? to_base : to_head) {
                times& known = m_times[side];
                known.begin = std::min(known.begin, has_duration ? end - nanos : end);
                known.end = std::max(known.end, end);
            }
        }
    }
    slot_values parts = m_asked.zeros;
    const auto start = static_cast<double>(options.begin_nanos);
    const std::size_t first_now = options.period_nanos == 0 ? slots_of_window : 0;
    const auto is_in = [&](double start_of_window, std::size_t first, std::size_t last) {
        return add_overlaps(start_of_window, nanos_of_slot(options), end - nanos, end,
                            parts.data() + first, last - first);
    };
    const bool is_before =
        to_base && is_in(start - static_cast<double>(options.ago_nanos), 0, first_now);
    const bool is_now = to_head && is_in(start, first_now, parts.size());
    const std::int64_t latest =
        std::max(m_counts.latest_nanos, to_head && !is_now ? time : std::int64_t{0});
    if (!is_before && !is_now) {
        m_counts.latest_nanos = latest;
        ++m_counts.elsewhere;
        return;
    }
    m_index.build_types(delta);
    if (!has_duration && (given != 0 || has_counted(m_index.types))) {
        const bool is_first = m_index.view.samples.empty();
        ++(is_first ? m_counts.empty : m_counts.without_duration);
        m_has_unknown[base] = m_has_unknown[base] || (is_before && !is_first);
        m_has_unknown[head] = m_has_unknown[head] || (is_now && !is_first);
        return;
    }
    const std::vector<value_type>& all = m_index.types.sample_types;
    if (options.sample_type && std::ranges::none_of(all, [&](const value_type& each) {
            return options.sample_type->matches(each);
        })) {
        ++m_counts.of_other_types;
        return;
    }
    m_index.build(delta, match_mode::exact);
    const std::array<std::size_t, 1> types{type_of_series()};
    fleet_rates& rates = m_series.of != nullptr
                             ? *m_series.of
                             : rates_of(m_rates, all[types[0]], is_rate(types[0]), m_asked.zeros);
    row_sums sums;
    if (m_asked.has_rows()) {
        sums = sum_rows(m_index, types, m_asked.rules, rates.names);
    } else { // without the names of all functions
        sums.shown.resize(types.size());
        visit_samples(profile_stacks{m_index, m_asked.rules, false}, types,
                      [&](const auto& values, auto /*stack*/) {
                          sums.shown[0] = fitting_add(sums.shown[0], values[0]);
                      });
    }
    note_findings(rates.found, types[0]);
    const std::vector<std::int64_t>& of_rows = options.by_cum ? sums.cum : sums.flat;
    m_series.rows.resize(std::max(m_series.rows.size(), of_rows.size()));
    const auto is_some = [](double part) { return part != 0; };
    // A delta lies in few windows. All memory is there before anything is added.
    std::vector<std::size_t> windows;
    for (std::size_t window = 0; window < windows_of(parts); ++window) {
        if (std::ranges::any_of(slots_in(parts, window), is_some)) {
            windows.push_back(window);
        }
    }
    const auto for_each_row = [&](auto&& use) {
        for (const std::size_t window : windows) {
            for (std::size_t i = 0; i < of_rows.size(); ++i) {
                if (of_rows[i] != 0) {
                    use(m_series.rows[i].in(window), window, of_rows[i]);
                }
            }
        }
    };
    for_each_row([](auto&&...) {});
    m_series.durations.push_back(nanos);
    m_series.of = &rates;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        m_series.covered[i] += parts[i];
        parts[i] /= rates.is_rate ? nanos : 1;
    }
    const auto add = [](std::span<double> to, std::span<const double> more, std::int64_t value) {
        std::ranges::transform(more, to, to.begin(), [value](double part, double sum) {
            return sum + static_cast<double>(value) * part;
        });
    };
    for_each_row([&](std::span<double> to, std::size_t window, std::int64_t value) {
        add(to, slots_in(parts, window), value);
    });
    add(m_series.total, parts, sums.shown[0]);
    m_counts.latest_nanos = latest;
    m_counts.before += is_before ? 1 : 0;
    m_counts.now += is_now ? 1 : 0;
}

std::size_t fleet_service::type_of_series() const {
    if (m_series.of == nullptr) {
        report_options wanted;
        wanted.sample_type = m_asked.options.sample_type;
        return choose_type_of_one(m_index, wanted);
    }
    return find_type(value_type_pattern{to_string(m_series.of->type)}, m_index.types.sample_types);
}

void fleet_service::note_findings(fleet_findings& to, std::size_t type) {
    const std::vector<value_type>& all = m_index.types.sample_types;
    if (all[type].type == "delay") {
        std::vector<std::size_t> every(all.size());
        std::iota(every.begin(), every.end(), std::size_t{0});
        const std::vector<std::int64_t> sums =
            visit_samples(profile_stacks{m_index, m_asked.rules, false}, every,
                          [](const auto& /*values*/, auto /*stack*/) {});
        to.mean_wait_nanos = std::max(
            to.mean_wait_nanos, mean_of_longer_waits(all, type, sums, m_index.view.duration_nanos));
    }
    const std::int64_t period = m_index.view.period;
    if (period > 0) {
        to.least_period = to.least_period == 0 ? period : std::min(to.least_period, period);
        to.most_period = std::max(to.most_period, period);
        to.period_unit = m_index.types.period_type.unit;
    }
}

} // namespace pprofdelta
