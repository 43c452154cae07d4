// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/trend.hpp>

#include "captures/captures.hpp"
#include "captures/rows.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// The captures in the course of time.
class capture_series {
public:
    capture_series(trend_options options, std::vector<limit> limits)
        : m_options{std::move(options)}, m_reader{m_options, std::move(limits), true} {}

    /// See profile_trend::add().
    void add(const profile_index& index, std::string name);

    [[nodiscard]] std::size_t count() const noexcept { return m_captures.all().size(); }
    /// The period of the capture that was added last.
    [[nodiscard]] std::int64_t period() const noexcept { return m_period; }
    [[nodiscard]] bool is_rate(std::size_t type) const {
        return !m_options.are_independent &&
               (m_kinds[type] == value_kind::cumulative ||
                (m_kinds[type] == value_kind::interval && has_durations()));
    }

    /// Its usual type is inuse_space, or that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }

    /// Returns the captures by time and run, without deltas that say nothing. Where the clock of a
    /// process was set back, they are in the order of its counters.
    /// @throws error incompatible for two captures of one time.
    [[nodiscard]] std::vector<trend_capture> in_time() const;

    [[nodiscard]] const capture_list& captures() const noexcept { return m_captures; }
    /// How many callers each row has at least, in any stack.
    [[nodiscard]] std::vector<std::uint32_t> depths_of_rows() const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const { return m_captures.has_match(limit); }

    class measured_values;

private:
    // Whether anything is in use in a capture.
    [[nodiscard]] bool has_levels(const trend_capture& each) const;
    // Whether both are of one process, for certain.
    [[nodiscard]] bool are_of_one_process(const trend_capture& before,
                                          const trend_capture& now) const;
    // Whether a process, for certain, scales what it counts by another period than before.
    [[nodiscard]] bool has_other_period(const trend_capture& before,
                                        const trend_capture& now) const;
    // Whether counters of one process have fallen in all, with the same period.
    [[nodiscard]] bool has_fallen(const trend_capture& before, const trend_capture& now) const;
    // Whether the process was another one than that of the capture before.
    [[nodiscard]] std::vector<bool> find_restarts(const std::vector<trend_capture>& in_time) const;
    // The captures of each process in the order of its counters, if fewer times then go back than
    // counters do in the order of times; otherwise nothing.
    [[nodiscard]] std::vector<trend_capture>
    in_order_of_counters(const std::vector<trend_capture>& in_time) const;

    // Deltas have one, but for those after a restart, whose rates nobody knows.
    [[nodiscard]] bool has_durations() const {
        return std::ranges::any_of(m_captures.all(),
                                   [](const capture& each) { return each.duration_nanos > 0; });
    }

    trend_options m_options;
    std::vector<value_kind> m_kinds;
    std::int64_t m_period = 0;
    capture_reader m_reader;
    capture_list m_captures;
    std::vector<std::string> m_names; // of captures, in the order of addition
};

/// Makes the values of a type what a row of it has.
class capture_series::measured_values {
public:
    struct value {
        std::size_t now = 0;    ///< Places in the order in which captures were added.
        std::size_t before = 0; ///< The same without one.
        double seconds = 1;
    };

    std::vector<value> values;
    std::vector<std::size_t> places; ///< Their captures, in the order of their times.
    std::vector<double> hours;       ///< Since the first capture.
    std::vector<std::size_t> runs;   ///< The number of them in each run.

    /// @param all is the result of in_time().
    measured_values(const capture_series& series, const std::vector<trend_capture>& all,
                    std::size_t type);

    /// @param sums stand in the order in which captures were added.
    [[nodiscard]] std::vector<double> of(const std::vector<double>& sums) const;
};

/// The values of stacks over time, as make_stack_tree() asks for them.
struct trend_sums {
    using row = trend_row;

    const capture_series& captures;
    const capture_series::measured_values& measured;
    std::size_t type;

    [[nodiscard]] row of_stack(std::uint32_t stack) const {
        row sums;
        sums.values = captures.captures().values(type, {sample_group::kind::stack, stack});
        return sums;
    }
    [[nodiscard]] std::optional<double> width(std::uint32_t stack) const {
        const double size = size_of(scaled(of_stack(stack)));
        return size > 0 ? std::optional{size} : std::nullopt;
    }
    // A row without values, as that of a tree without stacks, stays one.
    [[nodiscard]] row scaled(row sums) const {
        if (!sums.values.empty()) {
            sums.values = measured.of(sums.values);
        }
        return sums;
    }
    void add_stack(row& to, std::uint32_t stack, bool /*is_left_out*/) const {
        add(to, of_stack(stack));
    }
    // A row without values is one of zeros.
    static void add(row& to, const row& more) {
        to.values.resize(std::max(to.values.size(), more.values.size()));
        std::ranges::transform(more.values, to.values, to.values.begin(), std::plus{});
    }
    static void subtract(row& from, const row& less) {
        std::ranges::transform(from.values, less.values, from.values.begin(), std::minus{});
    }
    [[nodiscard]] static row untested(const row& of) {
        row made;
        made.values = of.values;
        return made;
    }
    [[nodiscard]] static bool are_equal(const row& a, const row& b) { return a.values == b.values; }
    static void end_chain(row& /*chain*/, const row& /*last*/) {}
};

} // namespace pprofdelta
