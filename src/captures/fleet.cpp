// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/fleet.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/study.hpp"
#include "delta/series.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "statistics/serial_test.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

namespace {

/// The number of slots in a window. Enough that one service of ten thousand can be found to have
/// changed: all of the one side above all of the other is by chance once in 1.3 million times. The
/// exact distribution with equal values takes the fourth power of it.
constexpr std::size_t slots_of_window = 12;

/// A number for each slot of each window, of which the base is the first and the head the second,
/// or else all are periods.
using slot_values = std::vector<double>;
constexpr std::size_t base = 0;
constexpr std::size_t head = 1;

std::size_t windows_of(const slot_values& all) { return all.size() / slots_of_window; }

std::span<const double> slots_in(const slot_values& all, std::size_t window) {
    return std::span{all}.subspan(window * slots_of_window, slots_of_window);
}

/// The slots of a row in the windows in which it has any: of hundreds of periods, most functions
/// have something in few.
class row_slots {
public:
    [[nodiscard]] std::span<double> in(std::size_t window) {
        // Most deltas come in the order of time, and to search takes a miss of the cache a step.
        const auto last = m_windows.empty() ? m_windows.end() : std::prev(m_windows.end());
        const bool is_new = last == m_windows.end() || last->first < window;
        return m_windows.try_emplace(is_new ? m_windows.end() : last, window)->second;
    }

    void add(const slot_values& more) {
        for (std::size_t window = 0; window < windows_of(more); ++window) {
            const std::span<const double> slots = slots_in(more, window);
            if (std::ranges::any_of(slots, [](double value) { return value != 0; })) {
                const std::span<double> to = in(window);
                std::ranges::transform(slots, to, to.begin(), std::plus<>{});
            }
        }
    }

    /// @param to all slots.
    void put_into(slot_values& to) const {
        std::ranges::fill(to, 0);
        for (const auto& [window, slots] : m_windows) {
            std::ranges::copy(slots, to.data() + window * slots_of_window);
        }
    }

private:
    std::map<std::size_t, std::array<double, slots_of_window>> m_windows;
};

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

/// Chooses the slots that count, and how many of them are merged into one.
class slot_plan {
public:
    /// @param series how many cover a slot.
    /// @param usual_duration is that of a delta, in nanoseconds: one slot is not much shorter.
    slot_plan(const fleet_options& options, const slot_values& series, double usual_duration) {
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

    /// The values of rows with equal plans are of the same times.
    [[nodiscard]] auto operator<=>(const slot_plan&) const = default;

    [[nodiscard]] std::size_t count(std::size_t window) const noexcept { return m_counts[window]; }

    [[nodiscard]] std::vector<double> values(std::size_t window, const slot_values& all) const {
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

    /// Gives a service the mean of its slots in those that do not count, so that what is added up
    /// of several services has less only where one has less.
    void fill(slot_values& all) const {
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

private:
    // Calls `use` with the places of the slots that count, of each group of slots that has any.
    template <typename Use>
    void for_each_group(std::size_t window, Use&& use) const {
        const std::size_t end = (window + 1) * slots_of_window;
        for (std::size_t first = window * slots_of_window; first < end; first += m_together) {
            std::vector<std::size_t> places;
            for (std::size_t i = first; i < first + m_together; ++i) {
                if (m_counts_in[i]) {
                    places.push_back(i);
                }
            }
            if (!places.empty()) {
                use(std::as_const(places));
            }
        }
    }

    std::vector<bool> m_counts_in;
    std::vector<std::size_t> m_counts; // of groups
    std::size_t m_together = 1;        // slots
};

/// The rates of one sample type, for a service or the whole fleet.
struct fleet_rates {
    value_type type;
    bool is_rate = true;
    row_names names{};
    std::vector<row_slots> rows{}; ///< The index is the number of the name.
    slot_values total{};
    slot_values series{}; ///< The number of them that cover a slot.
    slot_values
        covered{}; ///< The time, in nanoseconds, of the series that covers most of the slot.
    std::vector<std::size_t> series_of_windows{};
    std::vector<double> durations{}; ///< The usual one of each series, in nanoseconds.
    fleet_findings found{};
};

/// Those of a type, which are added if they are not there, with as many zeros as there are slots.
template <typename Rates>
Rates& rates_of(std::list<Rates>& all, const value_type& type, bool is_rate,
                const slot_values& zeros) {
    const auto found = std::ranges::find_if(
        all, [&](const Rates& each) { return each.type == type && each.is_rate == is_rate; });
    if (found != all.end()) {
        return *found;
    }
    Rates& added = all.emplace_back();
    added.type = type;
    added.is_rate = is_rate;
    added.total = added.series = added.covered = zeros;
    added.series_of_windows.resize(windows_of(zeros));
    return added;
}

// Shorter times are lost in a double of the time since 1970.
constexpr std::int64_t shortest_delta_nanos = 1000;
// A value that was true at one moment gets this length, since no slot has a moment without length.
constexpr double moment_nanos = 1e6;

// Whether something was counted, in the duration of the profile or since a process started.
bool has_counted(const profile_types& types) {
    return std::ranges::any_of(plan_subtraction(types, {}).kinds,
                               [](value_kind kind) { return kind != value_kind::gauge; });
}

void add_values(slot_values& to, const slot_values& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
        to[i] += more[i];
    }
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

void keep_largest(slot_values& to, const slot_values& more) {
    std::ranges::transform(more, to, to.begin(), [](double a, double b) { return std::max(a, b); });
}

/// The question asked about all services of a fleet.
struct fleet_question {
    /// @throws error invalid_argument as fleet_comparison has it.
    explicit fleet_question(const fleet_options& chosen) : options{chosen}, rules{chosen} {
        check_test(options);
        if (options.begin_nanos >= options.end_nanos || options.begin_nanos < 0 ||
            options.ago_nanos < 0) {
            refuse("the window must end after it begins, and the base must not be a later window");
        }
        std::int64_t windows = 2;
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

    fleet_options options;
    stack_rules rules;
    compare_options tests;
    slot_values zeros; ///< There is one zero for each slot.

    /// A comparison of periods only shows the sums of services.
    [[nodiscard]] bool has_rows() const noexcept {
        return options.is_one || options.period_nanos == 0;
    }
};

/// Adds up the deltas of the series of a service.
class fleet_service {
public:
    /// @param asked outlives this.
    explicit fleet_service(const fleet_question& asked) : m_asked{asked}, m_series{asked.zeros} {}

    /// See fleet_comparison::service.
    void next_series() {
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

    void add(std::string_view delta, bool to_base, bool to_head) {
        const fleet_options& options = m_asked.options;
        m_index.view.parse(delta);
        const std::int64_t time = m_index.view.time_nanos;
        const std::int64_t given = m_index.view.duration_nanos;
        const bool has_duration = given >= shortest_delta_nanos;
        const double nanos = has_duration ? static_cast<double>(given) : moment_nanos;
        const auto end = static_cast<double>(time);
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
            ++(m_index.view.samples.empty() ? m_counts.empty : m_counts.without_duration);
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
        fleet_rates& rates = m_series.of != nullptr ? *m_series.of
                                                    : rates_of(m_rates, all[types[0]],
                                                               is_rate(types[0]), m_asked.zeros);
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
        const auto add = [](std::span<double> to, std::span<const double> more,
                            std::int64_t value) {
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

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }
    /// These are the series that have ended.
    [[nodiscard]] std::list<fleet_rates>& rates() noexcept { return m_rates; }

private:
    // The series whose deltas are added: values times the part of their duration that is in a slot.
    struct open_series {
        explicit open_series(const slot_values& zeros) : total{zeros}, covered{zeros} {}

        fleet_rates* of = nullptr; // nullptr before its first delta
        std::vector<row_slots> rows{};
        slot_values total;
        slot_values covered; // nanoseconds
        std::vector<double> durations{};
    };

    // The place of the sample type in the delta at hand.
    [[nodiscard]] std::size_t type_of_series() const {
        if (m_series.of == nullptr) {
            report_options wanted;
            wanted.sample_type = m_asked.options.sample_type;
            return choose_type_of_one(m_index, wanted);
        }
        return find_type(value_type_pattern{to_string(m_series.of->type)},
                         m_index.types.sample_types);
    }

    // Notes how the values of the delta at hand are to be taken.
    void note_findings(fleet_findings& to, std::size_t type) {
        const std::vector<value_type>& all = m_index.types.sample_types;
        if (all[type].type == "delay") {
            std::vector<std::size_t> every(all.size());
            std::iota(every.begin(), every.end(), std::size_t{0});
            const std::vector<std::int64_t> sums =
                visit_samples(profile_stacks{m_index, m_asked.rules, false}, every,
                              [](const auto& /*values*/, auto /*stack*/) {});
            to.mean_wait_nanos =
                std::max(to.mean_wait_nanos,
                         mean_of_longer_waits(all, type, sums, m_index.view.duration_nanos));
        }
        const std::int64_t period = m_index.view.period;
        if (period > 0) {
            to.least_period = to.least_period == 0 ? period : std::min(to.least_period, period);
            to.most_period = std::max(to.most_period, period);
            to.period_unit = m_index.types.period_type.unit;
        }
    }

    [[nodiscard]] bool is_rate(std::size_t type) const {
        return plan_subtraction(m_index.types, {}).kinds[type] == value_kind::interval;
    }

    const fleet_question& m_asked;
    profile_index m_index; // of the delta at hand; its memory is used again
    open_series m_series;
    std::list<fleet_rates> m_rates; // which series point at
    fleet_counts m_counts;
};

// Ranks of slots take these for independent. A change is no news either if it may be a run of slots
// that resemble each other, as under a load that rises and falls.
// @param p comes from a test that knows that slots resemble each other.
void require_no_run(compared_row& row, double p, double corrected_p, double alpha) {
    row.detectable.reset(); // which ranks alone would find
    row.p = std::max(row.p, p);
    row.corrected_p = std::max(row.corrected_p, corrected_p);
    if (row.is_significant() && row.corrected_p > alpha) {
        row.verdict = verdict::unsure;
    }
}

// Ranks tell whether there is a change, and means how large it is, as they add up. Neither is news
// if the two differ in direction, as they do for rare events.
void require_change_of_mean(fleet_row& row, double min_change) {
    const bool is_up = row.test.verdict == verdict::grew;
    if (!row.is_significant()) {
        return;
    }
    if (row.change() == 0 || (row.change() > 0) != is_up) {
        row.test.verdict = verdict::unsure;
    } else if (std::fabs(row.change()) < min_change * std::fabs(row.before)) {
        row.test.verdict = verdict::same;
    }
}

// A wait counts when it ends, so a part of these is of another time.
void require_no_older_waits(fleet_row& row) {
    if (row.has_older_waits && row.is_significant()) {
        row.test.verdict = verdict::unsure;
    }
}

// A row that may well have changed is looked at before one that is only large.
int rank_of(const fleet_row& row) {
    return row.is_significant()                       ? 0
           : row.presence != fleet_row::state::tested ? 2
           : row.is_suspect()                         ? 1
                                                      : 3;
}

// The excess of the variation of values as a whole over that from one to the next: much where there
// is a step or a slope, and nothing on average where there is but noise.
double course_of(const std::vector<double>& values, double mean) {
    constexpr std::size_t few = 4; // to tell these apart
    if (values.size() < few) {
        const auto [least, most] = std::ranges::minmax_element(values);
        return values.empty() ? 0 : *most - *least;
    }
    double excess = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double step = i == 0 ? 0 : values[i] - values[i - 1];
        excess += (values[i] - mean) * (values[i] - mean) - step * step / 2;
    }
    return excess;
}

double news_of(const fleet_row& row) {
    if (!row.periods.empty()) {
        return course_of(row.test.head.values, row.now);
    }
    const int rank = rank_of(row);
    return rank == 1                                           ? -row.test.corrected_p
           : rank == 3 && row.test.verdict != verdict::too_few ? std::fabs(row.now)
                                                               : std::fabs(row.change());
}

// A row that is not tested yet; the values of periods are those of the head.
fleet_row make_fleet_row(std::string name, const slot_values& rates, const slot_plan& plan,
                         const fleet_options& options) {
    fleet_row row;
    row.name = std::move(name);
    std::vector<double>& values = row.test.head.values;
    if (options.period_nanos == 0) {
        row.test.base.values = plan.values(base, rates);
        values = plan.values(head, rates);
    } else {
        row.periods.resize(windows_of(rates));
        row.test.verdict = verdict::too_few;
    }
    for (std::size_t window = 0; window < row.periods.size(); ++window) {
        if (plan.count(window) != 0) {
            row.periods[window].value = values.emplace_back(mean_of(plan.values(window, rates)));
        }
    }
    row.before = row.test.base.values.empty() ? 0 : mean_of(row.test.base.values);
    row.now = values.empty() ? 0 : mean_of(values);
    return row;
}

// Those that have something, and have a part of the total that is large enough.
// @param rates are indexed by the number of the name.
// @param slots is the number of slots that there are.
// @param left_out counts those that are too small.
std::vector<fleet_row> make_fleet_rows(const row_names& names, const std::vector<row_slots>& rates,
                                       slot_values slots, const fleet_row& total,
                                       const slot_plan& plan, const fleet_options& options,
                                       std::size_t& left_out) {
    const double least = options.min_share * size_of(total.test) * nearly_all;
    std::vector<fleet_row> rows;
    for (std::uint32_t number = 0; number < rates.size(); ++number) {
        rates[number].put_into(slots);
        fleet_row row = make_fleet_row({}, slots, plan, options);
        const double size = size_of(row.test);
        if (size > 0 && size >= least) {
            row.name = names.name(number);
            rows.push_back(std::move(row));
        } else {
            left_out += size > 0 ? 1 : 0;
        }
    }
    return rows;
}

// Tests rows together, of which each has the state `tested`.
// @param times is that of family_test::test().
// @returns the result of family_test; nothing is found if a side has no slot.
family_test::family test_fleet_rows(const std::vector<fleet_row*>& rows, family_kind kind,
                                    const compare_options& options, const slot_plan& plan,
                                    double times = 1) {
    const std::size_t before = plan.count(base);
    const std::size_t now = plan.count(head);
    if (before == 0 || now == 0) {
        for (fleet_row* const row : rows) {
            row->test.verdict = verdict::too_few;
        }
        return {};
    }
    family_test tests{options, before, now};
    std::vector<compared_row*> compared;
    for (fleet_row* const row : rows) {
        tests.estimate(row->test);
        compared.push_back(&row->test);
    }
    const family_test::family found = tests.test(compared, kind, times);
    std::vector<serial_row> in_time;
    std::ranges::transform(compared, std::back_inserter(in_time), [](const compared_row* row) {
        return serial_row{row->base.values, row->head.values};
    });
    const std::vector<double> p = test_serial_rows(in_time);
    const std::vector<double> corrected =
        correct(p, kind == family_kind::rows ? options.corrected : correction::holm);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        require_no_run(*compared[i], p[i], std::min(times * corrected[i], 1.0), options.alpha);
        require_change_of_mean(*rows[i], options.min_change);
        require_no_older_waits(*rows[i]);
    }
    return found;
}

// Puts them in the order that fleet_table has.
void sort_fleet_rows(std::vector<fleet_row>& rows) {
    std::ranges::sort(rows, [](const fleet_row& a, const fleet_row& b) {
        if (rank_of(a) != rank_of(b)) {
            return rank_of(a) < rank_of(b);
        }
        return news_of(a) != news_of(b) ? news_of(a) > news_of(b) : a.name < b.name;
    });
}

// A service that has ended, of one sample type, and when its own series have deltas.
struct ended_service {
    fleet_row row;
    slot_plan plan;
};

// The sums of one sample type over all services; with rows of a fleet, that is one service.
struct fleet_sums : fleet_rates {
    std::vector<ended_service> services;
};

// Adds what was found in a service to what is told of all of them.
void add_findings(fleet_findings& to, const std::string& service, const fleet_findings& more) {
    if (more.least_period != more.most_period && (to.service.empty() || service < to.service)) {
        to.service = service;
        to.least_period = more.least_period;
        to.most_period = more.most_period;
        to.period_unit = more.period_unit;
    }
    to.mean_wait_nanos = std::max(to.mean_wait_nanos, more.mean_wait_nanos);
}

// Sets which data a row is made of.
void describe_data(fleet_row& row, const fleet_rates& rates) {
    row.has_older_waits = rates.found.mean_wait_nanos != 0;
    const auto data_of = [&](std::size_t window) {
        const std::span<const double> covered = slots_in(rates.covered, window);
        return fleet_row::data{
            rates.series_of_windows[window],
            static_cast<std::int64_t>(std::accumulate(covered.begin(), covered.end(), 0.0))};
    };
    for (std::size_t window = 0; window < row.periods.size(); ++window) {
        row.periods[window].data = data_of(window);
    }
    if (row.periods.empty()) {
        row.data_before = data_of(base);
        row.data_now = data_of(head);
    }
}

std::vector<fleet_row*> pointers_to(std::vector<fleet_row>& rows) {
    std::vector<fleet_row*> all;
    for (fleet_row& row : rows) {
        if (row.presence == fleet_row::state::tested && row.test.verdict != verdict::too_few) {
            all.push_back(&row);
        }
    }
    return all;
}

ended_service end(const fleet_question& asked, std::string name, const fleet_rates& rates) {
    const slot_plan plan{asked.options, rates.series, median(rates.durations)};
    ended_service ended{make_fleet_row(std::move(name), rates.total, plan, asked.options), plan};
    describe_data(ended.row, rates);
    if (!asked.options.is_one && asked.has_rows()) {
        std::vector<fleet_row>& rows = ended.row.rows;
        std::size_t left_out = 0;
        rows = make_fleet_rows(rates.names, rates.rows, asked.zeros, ended.row, plan, asked.options,
                               left_out);
        for (fleet_row& row : rows) {
            row.has_older_waits = ended.row.has_older_waits;
        }
        test_fleet_rows(pointers_to(rows), family_kind::rows, asked.tests, plan);
        sort_fleet_rows(rows);
        ended.row.all_rows = rows.size() + left_out;
        rows.resize(std::min(rows.size(), asked.options.most_rows));
        rows.shrink_to_fit();
        for (fleet_row& row : rows) {
            row.test.base.values = std::vector<double>{};
            row.test.head.values = std::vector<double>{};
        }
    }
    return ended;
}

// Tests services, each by the slots of its own series. Those with other slots are other families,
// which share alpha by how many services each has; Holm's correction knows no least p of its own,
// as ways that are drawn have.
family_test::family test_services(std::vector<fleet_row>& rows,
                                  const std::vector<ended_service>& services,
                                  const compare_options& options) {
    std::map<slot_plan, std::vector<fleet_row*>> families;
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].presence == fleet_row::state::tested) {
            families[services[i].plan].push_back(&rows[i]);
            ++all;
        }
    }
    family_test::family found;
    std::size_t most = 0;
    for (const auto& [plan, family] : families) {
        constexpr double few = 2;
        const double times = static_cast<double>(all) / static_cast<double>(family.size());
        compare_options corrected = options;
        corrected.corrected = times < few ? options.corrected : correction::holm;
        const family_test::family each =
            test_fleet_rows(family, family_kind::mixed, corrected, plan, times);
        found.hypotheses += each.hypotheses;
        if (family.size() > most) {
            most = family.size();
            found.too_few = each.too_few;
        }
    }
    return found;
}

} // namespace

class fleet_comparison::impl {
public:
    explicit impl(const fleet_options& options) : m_asked{options} {}

    [[nodiscard]] const fleet_question& asked() const noexcept { return m_asked; }

    void add(const std::string& name, fleet_service& ended) {
        ended.next_series();
        for (fleet_rates& rates : ended.rates()) {
            if (rates.durations.empty()) {
                continue; // its only deltas were refused
            }
            const double usual_duration = median(rates.durations);
            ended_service service = end(m_asked, name, rates);
            const std::lock_guard lock{m_mutex};
            fleet_sums& sums = rates_of(m_sums, rates.type, rates.is_rate, m_asked.zeros);
            add_findings(sums.found, name, rates.found);
            add_filled(sums.total, rates.total, service.plan);
            add_values(sums.series, rates.series);
            keep_largest(sums.covered, rates.covered);
            std::ranges::transform(rates.series_of_windows, sums.series_of_windows,
                                   sums.series_of_windows.begin(), std::plus<>{});
            sums.durations.push_back(usual_duration);
            if (m_asked.options.is_one) {
                add_rows(sums, rates, service.plan);
            } else {
                sums.services.push_back(std::move(service));
            }
        }
        const std::lock_guard lock{m_mutex};
        const fleet_counts& more = ended.counts();
        m_counts.before += more.before;
        m_counts.now += more.now;
        m_counts.elsewhere += more.elsewhere;
        m_counts.of_other_types += more.of_other_types;
        m_counts.without_duration += more.without_duration;
        m_counts.empty += more.empty;
        m_counts.latest_nanos = std::max(m_counts.latest_nanos, more.latest_nanos);
    }

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }

    [[nodiscard]] std::vector<fleet_table> tables() const {
        std::vector<const fleet_sums*> in_order;
        std::ranges::transform(m_sums, std::back_inserter(in_order),
                               [](const fleet_sums& each) { return &each; });
        std::ranges::sort(in_order, [](const auto* a, const auto* b) {
            return a->durations.size() != b->durations.size()
                       ? a->durations.size() > b->durations.size()
                       : std::pair{to_string(a->type), a->is_rate} <
                             std::pair{to_string(b->type), b->is_rate};
        });
        std::vector<fleet_table> all;
        std::ranges::transform(in_order, std::back_inserter(all),
                               [&](const fleet_sums* each) { return table_of(*each); });
        return all;
    }

private:
    static void add_filled(slot_values& to, slot_values more, const slot_plan& plan) {
        plan.fill(more);
        add_values(to, more);
    }

    // Rows are gone from the service, so that they are not there twice.
    void add_rows(fleet_sums& to, fleet_rates& rates, const slot_plan& plan) const {
        slot_values slots = m_asked.zeros;
        for (std::uint32_t i = 0; i < rates.rows.size(); ++i) {
            const std::uint32_t row = to.names.number(rates.names.name(i));
            to.rows.resize(std::max<std::size_t>(to.rows.size(), row + std::size_t{1}));
            std::exchange(rates.rows[i], {}).put_into(slots);
            plan.fill(slots);
            to.rows[row].add(slots);
        }
    }

    [[nodiscard]] fleet_table table_of(const fleet_sums& sums) const {
        const fleet_options& options = m_asked.options;
        const double usual_duration = median(sums.durations);
        const slot_plan plan{options, sums.series, usual_duration};
        fleet_table table{.type = sums.type,
                          .is_rate = sums.is_rate,
                          .usual_nanos = static_cast<std::int64_t>(usual_duration),
                          .total = make_fleet_row({}, sums.total, plan, options),
                          .rows = {},
                          .found = sums.found};
        describe_data(table.total, sums);
        if (options.is_one) {
            table.rows = make_fleet_rows(sums.names, sums.rows, m_asked.zeros, table.total, plan,
                                         options, table.left_out);
            for (fleet_row& row : table.rows) {
                describe_data(row, sums);
            }
        }
        std::ranges::transform(sums.services, std::back_inserter(table.rows), &ended_service::row);
        if (options.period_nanos == 0) {
            test(table, sums, plan);
        }
        sort_fleet_rows(table.rows);
        return table;
    }

    void test(fleet_table& table, const fleet_sums& sums, const slot_plan& plan) const {
        table.slots_before = plan.count(base);
        table.slots_now = plan.count(head);
        test_fleet_rows({&table.total}, family_kind::mixed, m_asked.tests, plan);
        const bool has_both = table.slots_before != 0 && table.slots_now != 0;
        // A row of a fleet that is one is a function, and may have nothing to do.
        if (has_both && !m_asked.options.is_one) {
            for (fleet_row& row : table.rows) {
                row.presence = row.data_now.series == 0      ? fleet_row::state::gone
                               : row.data_before.series == 0 ? fleet_row::state::appeared
                                                             : fleet_row::state::tested;
            }
        }
        const family_test::family found =
            m_asked.options.is_one ? test_fleet_rows(pointers_to(table.rows),
                                                     family_kind::judged_rows, m_asked.tests, plan)
                                   : test_services(table.rows, sums.services, m_asked.tests);
        table.hypotheses = found.hypotheses;
        table.too_few = found.too_few;
    }

    fleet_question m_asked;
    std::mutex m_mutex;
    std::list<fleet_sums> m_sums;
    fleet_counts m_counts;
};

class fleet_comparison::service::impl : public fleet_service {
public:
    using fleet_service::fleet_service;
};

fleet_comparison::service::service(const fleet_comparison& comparison)
    : m_impl{std::make_unique<impl>(comparison.m_impl->asked())} {}
fleet_comparison::service::~service() = default;

void fleet_comparison::service::next_series() { m_impl->next_series(); }

void fleet_comparison::service::add(std::string_view delta, bool to_base, bool to_head) {
    m_impl->add(delta, to_base, to_head);
}

fleet_comparison::fleet_comparison(const fleet_options& options)
    : m_impl{std::make_unique<impl>(options)} {}
fleet_comparison::~fleet_comparison() = default;

void fleet_comparison::add(const std::string& name, service& ended) {
    m_impl->add(name, *ended.m_impl);
}

fleet_counts fleet_comparison::counts() const { return m_impl->counts(); }

std::vector<fleet_table> fleet_comparison::tables() const { return m_impl->tables(); }

} // namespace pprofdelta
