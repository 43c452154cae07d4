// SPDX-License-Identifier: Apache-2.0
// The deltas of a service of a fleet, added up by slots of time.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/fleet.hpp>

#include "delta/series.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"

namespace pprofdelta {

/// The number of slots in a window. Enough that one service of ten thousand can be found to have
/// changed: all of the one side above all of the other is by chance once in 1.3 million times. The
/// exact distribution with equal values takes the fourth power of it.
inline constexpr std::size_t slots_of_window = 12;

/// A number for each slot of each window, of which the base is the first and the head the second,
/// or else all are periods.
using slot_values = std::vector<double>;
inline constexpr std::size_t base = 0;
inline constexpr std::size_t head = 1;

[[nodiscard]] inline std::size_t windows_of(const slot_values& all) {
    return all.size() / slots_of_window;
}

[[nodiscard]] inline std::span<const double> slots_in(const slot_values& all, std::size_t window) {
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

/// Chooses the slots that count, and how many of them are merged into one.
class slot_plan {
public:
    /// @param series how many cover a slot.
    /// @param usual_duration is that of a delta, in nanoseconds: one slot is not much shorter.
    slot_plan(const fleet_options& options, const slot_values& series, double usual_duration);

    /// The values of rows with equal plans are of the same times.
    [[nodiscard]] auto operator<=>(const slot_plan&) const = default;

    [[nodiscard]] std::size_t count(std::size_t window) const noexcept { return m_counts[window]; }

    [[nodiscard]] std::vector<double> values(std::size_t window, const slot_values& all) const;

    /// Gives a service the mean of its slots in those that do not count, so that what is added up
    /// of several services has less only where one has less.
    void fill(slot_values& all) const;

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

void add_values(slot_values& to, const slot_values& more);
void keep_largest(slot_values& to, const slot_values& more);

/// The question asked about all services of a fleet.
struct fleet_question {
    /// @throws error invalid_argument as fleet_comparison has it.
    explicit fleet_question(const fleet_options& chosen);

    fleet_options options;
    stack_rules rules;
    compare_options tests;
    slot_values zeros; ///< There is one zero for each slot.

    /// A comparison of periods only shows the sums of services.
    [[nodiscard]] bool has_rows() const noexcept {
        return options.is_one || options.period_nanos == 0;
    }
};

/// When a service was there, if it came with its first profile and went with its last. It need not
/// have done so: deltas can be missing.
struct fleet_life {
    slot_values parts;      ///< The part of each slot.
    std::vector<bool> came; ///< Whether it came within a window, or went.
    std::vector<bool> went;
};

/// Adds up the deltas of the series of a service.
class fleet_service {
public:
    /// @param asked outlives this.
    explicit fleet_service(const fleet_question& asked) : m_asked{asked}, m_series{asked.zeros} {}

    /// See fleet_comparison::service.
    void next_series();

    void add(std::string_view delta, bool to_base, bool to_head);

    [[nodiscard]] const fleet_counts& counts() const noexcept { return m_counts; }
    /// Whether a window of a comparison has profiles without a duration.
    [[nodiscard]] bool has_unknown(std::size_t window) const noexcept {
        return m_has_unknown[window];
    }
    /// Profiles of any time and type tell it. What one missing delta explains is no end.
    [[nodiscard]] fleet_life life() const;
    /// The begin of the earliest delta of a side, in nanoseconds; infinity if there is none.
    [[nodiscard]] double earliest(std::size_t side) const noexcept { return m_times[side].begin; }
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
        std::vector<double> ends{}; // of all profiles, in nanoseconds
    };

    // From the begin of the first profile to the end of the last, in nanoseconds.
    struct times {
        double begin = std::numeric_limits<double>::infinity();
        double end = -begin;
    };

    // The place of the sample type in the delta at hand.
    [[nodiscard]] std::size_t type_of_series() const;

    // Notes how the values of the delta at hand are to be taken.
    void note_findings(fleet_findings& to, std::size_t type);

    [[nodiscard]] bool is_rate(std::size_t type) const {
        return plan_subtraction(m_index.types, {}).kinds[type] == value_kind::interval;
    }

    const fleet_question& m_asked;
    profile_index m_index; // of the delta at hand; its memory is used again
    open_series m_series;
    std::list<fleet_rates> m_rates; // which series point at
    fleet_counts m_counts;
    std::array<bool, 2> m_has_unknown{}; // by window
    std::array<times, 2> m_times{};      // by side
    double m_usual_step = 0; // from one profile of a series to the next, in nanoseconds; 0: unknown
};

} // namespace pprofdelta
