// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_FLEET_HPP
#define PPROFDELTA_FLEET_HPP

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

struct fleet_options {
    /// The time that is looked at, in nanoseconds since 1970, without its end. The base is the time
    /// that is as long and begins `ago_nanos` earlier.
    std::int64_t begin_nanos = 0;
    std::int64_t end_nanos = 0;
    std::int64_t ago_nanos = 0;
    /// The type to look at. Without one each series has the one that make_report() takes for its
    /// first delta.
    std::optional<value_type_pattern> sample_type{};
    /// Rows of the whole fleet, and not services with the rows of each.
    bool is_one = false;
    grouping by = grouping::function; ///< What a row is.
    std::string by_label{};           ///< As in report_options, as the next.
    stack_selection selection{};
    bool by_cum = false; ///< Rows are of all samples with a frame in the row, and not flat.
    /// Between 0 and 1: the chance that any change of a service is found where there is none, or in
    /// a fleet that is one of a row of it. The rows of a service are corrected by Benjamini and
    /// Hochberg.
    double alpha = 0.01;
    double min_change = 0.1;    ///< Less than this part of what was before is no change.
    double min_share = 0.01;    ///< Rows that have less of all, in the mean of both times, are left
                                ///< out.
    std::size_t most_rows = 10; ///< So many are kept of each service.
};

/// What a service has, or a function: for a second, in the unit of the sample type; of a gauge the
/// mean level.
struct fleet_row {
    /// What is known of a change. One that was not there before, or is not there any more, is not
    /// tested.
    enum class state : std::uint8_t { tested, appeared, gone };

    /// What is known of one of the two times.
    struct data {
        std::size_t series = 0; ///< That have a delta of it.
        std::int64_t nanos = 0; ///< That deltas of a series cover.
    };

    std::string name; ///< Any bytes; empty for the total.
    double before = 0;
    double now = 0;
    state presence = state::tested;
    data data_before{}; ///< Of a service or all of them, as the next.
    data data_now{};
    /// The rates in each slot, and what the test found: see family_kind. A change is real only if
    /// the means differ in the same direction, by more than the least change.
    compared_row test{};
    std::vector<fleet_row> rows{}; ///< Of a service: those that changed, and then the largest.
    std::size_t all_rows = 0;      ///< So many there were.

    [[nodiscard]] double change() const noexcept { return now - before; }
    [[nodiscard]] bool is_real() const noexcept {
        return presence == state::tested && test.is_real();
    }
};

/// What the deltas of one sample type tell.
struct fleet_table {
    value_type type;
    bool is_rate = true; ///< Else they are levels.
    std::size_t slots_before = 0;
    std::size_t slots_now = 0;
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};
    fleet_row total;
    /// Real changes first, the largest ahead; then those that are unsure, but with a corrected p of
    /// at most 0.2; then what appeared or is gone; then what has most now, or if nothing could be
    /// tested what changed most.
    std::vector<fleet_row> rows;
    std::size_t left_out = 0; ///< Rows that are too small.
};

/// How many deltas there were.
struct fleet_counts {
    std::size_t before = 0;
    std::size_t now = 0;
    std::size_t elsewhere = 0;      ///< Of another time.
    std::size_t of_other_types = 0; ///< Without the type that was asked for.
    /// No deltas: counters since a process began, and what has a duration of less than 1 us or more
    /// than 31 years, which is none.
    std::size_t without_duration = 0;
    std::size_t empty = 0; ///< Without a duration and samples, as the first delta of a series.
    /// The time of the latest one for the head that is not of its time; 0 if there is none.
    std::int64_t latest_nanos = 0;
};

/// Which services of a fleet, and which functions in them, use most, and which changed, by their
/// deltas of two times. Each time is twelve slots. A delta counts in the slots that it covers; what
/// a series has in a slot is what its deltas add up to, divided by the time that they cover, and a
/// service is the sum of its series. So it does not matter how long deltas are, and whether one is
/// given twice. The slots of both times are the sides of u_test. If deltas are longer than slots,
/// several slots are one, as they would not be independent; slots that less than half of the series
/// cover, of a service those of its own, are left out. In other slots a series that has none
/// between its deltas has the mean of these.
///
/// Memory: 24 numbers for each row of the services that are worked on, and for each service; of a
/// fleet that is one, for each of its rows. It does not depend on how many deltas there are.
class fleet_comparison {
    class PPROFDELTA_LOCAL impl;

public:
    /// Adds up the deltas of one service. Not safe in several threads at once; several of them are.
    class service {
    public:
        /// @param of outlives this.
        explicit service(const fleet_comparison& of);
        ~service();
        service(const service&) = delete;
        service& operator=(const service&) = delete;

        /// The deltas that follow are of another series, which is one process at a time.
        void next_series();
        /// Adds an uncompressed delta to the sides that are asked for, as far as it is of their
        /// times. After an exception nothing has changed.
        ///
        /// Cost: time linear in the delta, and in the rows of the service.
        /// @throws error malformed, too_large; incompatible without the sample type of its series.
        void add(std::string_view delta, bool to_base = true, bool to_head = true);

    private:
        friend class fleet_comparison;
        class PPROFDELTA_LOCAL impl;
        std::unique_ptr<impl> m_impl;
    };

    /// @throws error invalid_argument for a bad regular expression, a time that is none, or a
    ///         chance or a part that is out of range.
    explicit fleet_comparison(const fleet_options& options);
    ~fleet_comparison();
    fleet_comparison(const fleet_comparison&) = delete;
    fleet_comparison& operator=(const fleet_comparison&) = delete;

    /// Tests the rows of a service, and takes what is left of it. Safe in several threads at once.
    /// @param name must not have been added before. Any bytes.
    void add(const std::string& name, service& ended);

    /// Of all services that were added.
    [[nodiscard]] fleet_counts counts() const;

    /// The type that most services have comes first.
    [[nodiscard]] std::vector<fleet_table> tables() const;

private:
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_FLEET_HPP
