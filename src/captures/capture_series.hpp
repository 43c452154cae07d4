// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_SERIES_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_SERIES_HPP

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/trend.hpp>

#include "captures/capture_list.hpp"
#include "captures/capture_reader.hpp"

namespace pprofdelta {

/// What captures add up to in the course of time.
class capture_series {
public:
    capture_series(trend_options options, std::vector<limit> limits)
        : m_options{std::move(options)}, m_reader{m_options, std::move(limits)} {}

    /// As profile_trend::add() has it.
    void add(std::string_view profile);

    [[nodiscard]] std::size_t count() const noexcept { return m_captures.all().size(); }
    [[nodiscard]] bool is_rate(std::size_t type) const;
    /// Its usual type is inuse_space, or that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }

    /// In the order of their times, and in runs.
    /// @throws error incompatible for two captures of one time.
    [[nodiscard]] std::vector<trend_capture> in_time() const;

    /// Values in the order in which captures were added.
    using column = capture_list::column;

    [[nodiscard]] const capture_list& captures() const noexcept { return m_captures; }
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const { return m_captures.has_match(limit); }

    /// Makes the values of a type what a row of it has.
    class measured_values {
    public:
        /// @param all what in_time() returns.
        measured_values(const capture_series& of, const std::vector<trend_capture>& all,
                        std::size_t type);

        /// Which captures there are values of, in the order of their times.
        [[nodiscard]] const std::vector<std::size_t>& places() const noexcept { return m_places; }
        /// How many of them each run has.
        [[nodiscard]] const std::vector<std::size_t>& runs() const noexcept { return m_runs; }
        /// The time of each of them since the first capture.
        [[nodiscard]] const std::vector<double>& hours() const noexcept { return m_hours; }

        [[nodiscard]] column of(const column& values) const;

    private:
        struct value {
            std::size_t now = 0;    // places in a column
            std::size_t before = 0; // the same without one
            double seconds = 1;
        };

        std::vector<std::size_t> m_places;
        std::vector<std::size_t> m_runs;
        std::vector<double> m_hours;
        std::vector<value> m_values;
    };

private:
    [[nodiscard]] bool is_restart(std::size_t before, std::size_t now) const;
    [[nodiscard]] bool has_durations() const { return m_captures.all().front().duration_nanos > 0; }

    trend_options m_options;
    std::vector<bool> m_is_cumulative;
    capture_reader m_reader;
    capture_list m_captures;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_SERIES_HPP
