// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     fleet_comparison fleet{{.begin_nanos = 2, .end_nanos = 3, .ago_nanos = 1, .is_one = true}};
//     fleet_comparison::service cart{fleet};
//     cart.next_series();
//     cart.add(current); // and further deltas of the process
//     fleet.add("shop/cart", cart);
//     for (const fleet_table& each : fleet.tables()) {
//         std::cout << to_string(each.type) << ": " << each.total.change() << " a second more\n";
//     }

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Callers set the window, and `ago_nanos` or `period_nanos`. Most leave the test alone: `alpha`,
/// `min_change` and `min_share`.
struct fleet_options {
    /// The window to examine, in nanoseconds since 1970, without its end: the head. The base is the
    /// window of the same length that begins `ago_nanos` earlier. If that is less than the length,
    /// the windows overlap, and each delta can be added to one side alone, as where two fleets are
    /// compared at one time.
    std::int64_t begin_nanos = 0;
    std::int64_t end_nanos = 0;
    std::int64_t ago_nanos = 0;
    /// The length of the periods that the window is divided into for their values, without a base
    /// and without tests; the window has 1 to 10'000 of them, and `ago_nanos` is 0. 0 for a
    /// comparison.
    std::int64_t period_nanos = 0;
    /// The sample type to examine. Each series has, if there is none, the type that make_report()
    /// chooses for its first delta.
    std::optional<value_type_pattern> sample_type{};
    /// Whether there are rows of the whole fleet, instead of services and the rows of each.
    bool is_one = false;
    grouping by = grouping::function; ///< The kind of the rows.
    std::string by_label{};           ///< The key, as in report_options.
    stack_selection selection{};      ///< The samples, as in report_options.
    /// Whether a row has the samples with a frame in it (cum) instead of flat.
    bool by_cum = false;
    /// The significance level, between 0 and 1: the chance of any false change among the services,
    /// or with `is_one`, among the rows. The rows of a service are corrected by Benjamini and
    /// Hochberg.
    double alpha = 0.01;
    double min_change = 0.1; ///< The minimal change, as a part of the base: 0.1 is 10 %.
    /// The smallest row, as a share of the total, from 0 to 1, both as means over the two windows.
    /// Smaller rows are left out.
    double min_share = 0.01;
    std::size_t most_rows = 10; ///< The largest number of rows that is kept of each service.
};

/// The values of a service or a function: per second, in the unit of the sample type; for a gauge,
/// the mean.
struct fleet_row {
    /// Whether a change is tested. A service that appeared or is gone is not.
    enum class state : std::uint8_t { tested, appeared, gone };

    /// The data of one of the two windows.
    struct data {
        std::size_t series = 0; ///< The number of series with a delta in it.
        /// The time that deltas cover; in each slot, those of the series with most.
        std::int64_t nanos = 0;
    };

    /// A part of the window, with fleet_options::period_nanos.
    struct period {
        std::optional<double> value{}; ///< As in fleet_row; empty if no delta lies in it.
        fleet_row::data data{};        ///< The data of a service, or of all.
    };

    std::string name;  ///< Any bytes; empty for the total.
    double before = 0; ///< The mean over the slots of the base.
    double now = 0;    ///< The mean over the slots of the head, or over periods with a value.
    state presence = state::tested;
    data data_before{}; ///< The data of a service, or of all; rows of a service have none.
    data data_now{};    ///< The same of the head.
    /// The values in each slot, which are not kept for the rows of a service, and the result of
    /// their test, which does not tell what change is detectable. A change is significant only if
    /// the means differ in the same direction, and by at least the minimal change.
    compared_row test{};
    std::vector<period> periods{}; ///< The periods in order of time; empty in a comparison.
    std::vector<fleet_row> rows{}; ///< The rows of a service, in the order of fleet_table::rows.
    std::size_t all_rows = 0;      ///< The number of rows before any were left out.
    /// Whether the waits of some delta are longer than it on average, so that some began earlier.
    /// Nothing is significant then.
    bool has_older_waits = false;
    /// Whether the verdict depends on services of which it is not known whether they came or went
    /// within a window, or only lack deltas there. Nothing is significant then.
    bool has_unknown_services = false;
    /// Whether it grew in one of these cases.
    bool may_have_grown = false;
    /// The growth without these services, for certain and by however little, as a part of what was
    /// there before; 0 for none, and empty if there are no such services.
    std::optional<double> growth_without_unknown{};

    [[nodiscard]] double change() const noexcept { return now - before; }
    /// Returns whether it grew for certain, by however little: limits say themselves what is too
    /// little.
    [[nodiscard]] bool has_grown(double alpha) const noexcept {
        return presence == state::tested && change() > 0 &&
               (test.verdict == verdict::grew ||
                (test.verdict == verdict::same && test.corrected_p <= alpha && test.change > 0 &&
                 !has_older_waits));
    }
    /// Returns whether the change is significant.
    [[nodiscard]] bool is_significant() const noexcept {
        return presence == state::tested && test.is_significant();
    }
    /// Returns whether the change is not significant, and may well be one: its p is at most 0.2.
    [[nodiscard]] bool is_suspect() const noexcept {
        constexpr double suspect = 0.2;
        return presence == state::tested && test.verdict == verdict::unsure &&
               test.corrected_p <= suspect;
    }
};

/// Whatever keeps the values of deltas from being compared.
struct fleet_findings {
    /// The first service, by name, whose deltas have several sampling periods, and the shortest and
    /// the longest of these; empty if there is none.
    std::string service;
    std::int64_t least_period = 0;
    std::int64_t most_period = 0;
    std::string period_unit;
    /// The longest mean of waits that is longer than their delta; 0 if there is none.
    std::int64_t mean_wait_nanos = 0;
};

/// The result for one sample type.
struct fleet_table {
    value_type type;
    bool is_rate = true;          ///< Whether values are rates; otherwise they are gauges.
    std::int64_t usual_nanos = 0; ///< The median length of a delta.
    std::size_t slots_before = 0;
    std::size_t slots_now = 0;
    std::size_t hypotheses = 0; ///< The number of distinct questions; see compared_family.
    std::optional<too_few_captures> too_few{};
    fleet_row total;
    /// Significant changes first, the largest first; then unsure rows with a corrected p of at most
    /// 0.2; then services that appeared or are gone; then the others by their current value, or if
    /// nothing could be tested, by the size of the change. The first rows of periods are those
    /// whose values vary most beyond what they do from one period to the next, and a service has no
    /// rows of its own.
    std::vector<fleet_row> rows;
    std::size_t left_out = 0; ///< The number of rows that are too small.
    fleet_findings found{};
    std::size_t folded_functions = 0; ///< The number in all services, as in report.
    /// The number of services of which the first delta of all, or the last, lies within a window.
    std::size_t came = 0;
    std::size_t went = 0;
};

/// The numbers of deltas.
struct fleet_counts {
    std::size_t before = 0;         ///< The number in the base.
    std::size_t now = 0;            ///< The number in the head.
    std::size_t elsewhere = 0;      ///< The number in neither window.
    std::size_t of_other_types = 0; ///< The number without the requested sample type.
    /// Profiles that are not deltas: counters since the start of a process, and profiles with an
    /// invalid duration, less than 1 us or more than 31 years.
    std::size_t without_duration = 0;
    /// The services of a comparison that are in no table, as all that they have in one of the two
    /// windows, though not in the other, has no duration: those that restart before each profile.
    /// Any bytes, in order.
    std::vector<std::string> unknown_services{};
    /// The number without a duration and samples, such as the first delta of a series.
    std::size_t empty = 0;
    /// The time of the latest delta for the head that is outside its window, in nanoseconds since
    /// 1970; 0 if there is none.
    std::int64_t latest_nanos = 0;
    /// The begin of the earliest delta for the base, in nanoseconds since 1970; 0 if there is none.
    std::int64_t earliest_nanos = 0;
};

/// Finds the services of a fleet, and the functions in them, that use most and that changed, from
/// their deltas in two windows.
///
/// Each window is divided into twelve slots. A delta counts in the slots that it covers. The value
/// of a series in a slot is the sum of its deltas divided by the time that they cover, and a
/// service is the sum of its series. Neither the length of deltas nor duplicates therefore affect
/// the values. The slots of both windows are the sides of u_test. If deltas are longer than slots,
/// several slots become one, as they would not be independent. Each period with
/// fleet_options::period_nanos is such a window, and its value the mean over its slots. Slots that
/// less than half of the series cover are left out; for a service, of its own series. A series with
/// a gap between its deltas gets their mean in the other slots.
///
/// The total, and the rows of a fleet that is one, have the mean of a service in those slots of a
/// window that do not count for it. If about as many services have their first delta within a
/// window as have their last one there, they replaced each other, and count from the first to the
/// last. Otherwise it is not known whether they were there; a change is significant only if it is
/// in both cases.
///
/// Memory: 24 numbers, or 12 of each period in which it has something, for each row of the services
/// that are being added, and for each service; with fleet_options::is_one, for each row of the
/// fleet. It does not depend on the number of deltas.
class fleet_comparison {
    class PPROFDELTA_LOCAL impl;

public:
    /// Adds up the deltas of one service. Several threads must not use it at once; distinct objects
    /// are independent.
    class service {
    public:
        /// @param comparison must outlive this object.
        explicit service(const fleet_comparison& comparison);
        ~service();
        service(const service&) = delete;
        service& operator=(const service&) = delete;

        /// Begins another series, which is one process at a time. The deltas that follow belong to
        /// it.
        void next_series();
        /// Adds an uncompressed delta to the requested sides, if it lies in their windows.
        /// Unchanged after an exception, except that the service is known to be there at its time.
        ///
        /// Cost: time linear in the delta, and in the rows of the service.
        /// @throws error malformed, too_large; incompatible without the sample type of its series;
        ///         invalid_argument for both sides of a comparison whose windows overlap.
        void add(std::string_view delta, bool to_base = true, bool to_head = true);

    private:
        friend class fleet_comparison;
        class PPROFDELTA_LOCAL impl;
        std::unique_ptr<impl> m_impl;
    };

    /// @throws error invalid_argument for an invalid regular expression or window, or for a chance
    ///         or a part out of range.
    explicit fleet_comparison(const fleet_options& options);
    ~fleet_comparison();
    fleet_comparison(const fleet_comparison&) = delete;
    fleet_comparison& operator=(const fleet_comparison&) = delete;

    /// Tests the rows of a service, and adds its sums. Safe for use by several threads at once.
    /// @param name  any bytes; must not have been added before.
    /// @param ended the service, with all of its deltas.
    void add(const std::string& name, service& ended);

    /// Returns the counts of all services that were added.
    [[nodiscard]] fleet_counts counts() const;

    /// Returns a table for each sample type, the type of most services first.
    [[nodiscard]] std::vector<fleet_table> tables() const;

private:
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop
