// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "captures/captures.hpp"
#include "captures/rows.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

inline constexpr std::array both_sides{compare_side::base, compare_side::head};

constexpr std::size_t place_of(compare_side side) { return static_cast<std::size_t>(side); }

/// The test of so many captures: not `automatic`.
[[nodiscard]] test_kind test_of(const compare_options& options, std::size_t base, std::size_t head);

/// The captures of two sides, each kept by itself.
class capture_set {
public:
    capture_set(const compare_options& options, std::vector<limit> limits);

    /// See profile_comparison::add().
    void add(compare_side to, const profile_index& index);

    /// The same as in profile_comparison; likewise below.
    [[nodiscard]] std::optional<normalization> normalized_by() const noexcept {
        return m_normalized_by;
    }
    [[nodiscard]] value_pair durations() const;

    [[nodiscard]] std::size_t count(compare_side which) const noexcept {
        return side(which).all().size();
    }
    /// Its usual type is that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }
    [[nodiscard]] const capture_list& side(compare_side which) const noexcept {
        return m_sides[place_of(which)];
    }

    /// The same as in profile_comparison; likewise below.
    [[nodiscard]] bool is_head_foreign() const;
    [[nodiscard]] std::optional<compare_side> older_side() const noexcept;

    /// Values of one side, capture by capture; scaled, if that was asked for, to whole numbers
    /// where they are rounded: what adds up is scaled as a sum.
    [[nodiscard]] std::vector<double> scaled(compare_side side, std::size_t type,
                                             std::vector<double> sums, bool are_rounded) const;

    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const {
        return m_sides[0].has_match(limit) || m_sides[1].has_match(limit);
    }
    /// Whether one of the base does, and none of the head.
    [[nodiscard]] bool is_gone(std::size_t limit) const {
        return m_sides[0].has_match(limit) && !m_sides[1].has_match(limit);
    }

    /// The way a type is counted, by the largest period of all captures.
    [[nodiscard]] event_source source_of_events(std::size_t type) const;

    /// The same as in compared_row; 0 for a test that does not need it.
    [[nodiscard]] double events(std::size_t type, const sample_group& samples) const;

    /// Whether the captures of a type are scaled.
    [[nodiscard]] bool is_scaled(std::size_t type) const;
    /// The factor by which each capture is multiplied.
    [[nodiscard]] std::vector<double> factors(compare_side which, std::size_t type) const;

private:
    compare_options m_options;
    std::optional<normalization> m_normalized_by; // which may depend on the captures
    capture_reader m_reader;
    std::array<capture_list, 2> m_sides;
};

/// A row's values on one side.
template <typename Row>
[[nodiscard]] auto& values_of(Row& row, compare_side side) {
    return side == compare_side::base ? row.base.values : row.head.values;
}

[[nodiscard]] bool have_same_values(const compared_row& a, const compared_row& b);

/// Adds or subtracts the values of a row. One without captures is one of zeros.
void add_values(compared_row& to, const compared_row& more);
void subtract_values(compared_row& from, const compared_row& less);

/// The share of a row in the median total of each side.
[[nodiscard]] compared_part part_of(const compared_row& row, const compared_row& total);

/// A row before it is scaled.
[[nodiscard]] compared_row sums_of(const capture_set& captures, std::size_t type,
                                   const sample_group& samples);
[[nodiscard]] compared_row sums_of_stack(const capture_set& captures, std::size_t type,
                                         std::uint32_t stack);
[[nodiscard]] compared_row scale_row(const capture_set& captures, std::size_t type,
                                     compared_row sums, bool is_rounded = true);

/// The values of stacks, as make_stack_tree() asks for them.
struct compared_sums {
    using row = compared_row;

    const capture_set& captures;
    std::size_t type;

    [[nodiscard]] std::optional<double> width(std::uint32_t stack) const {
        // Many stacks that each would be rounded to nothing are something together.
        const double size =
            size_of(scale_row(captures, type, sums_of_stack(captures, type, stack), false));
        return size > 0 ? std::optional{size} : std::nullopt;
    }
    void add_stack(row& to, std::uint32_t stack, bool /*is_left_out*/) const {
        add_values(to, sums_of_stack(captures, type, stack));
    }
    static void add(row& to, const row& more) { add_values(to, more); }
    static void subtract(row& from, const row& less) { subtract_values(from, less); }
    [[nodiscard]] row scaled(row sums) const { return scale_row(captures, type, std::move(sums)); }
    [[nodiscard]] static row untested(const row& of) {
        row values;
        values.base.values = of.base.values;
        values.head.values = of.head.values;
        return values;
    }
    [[nodiscard]] static bool are_equal(const row& a, const row& b) {
        return have_same_values(a, b);
    }
    static void end_chain(row& /*chain*/, const row& /*last*/) {}
};

/// See profile_comparison::flame_graph(). There must be captures on both sides.
[[nodiscard]] flame_graph draw(const capture_set& captures, std::size_t type,
                               const flame_graph_limits& limits);

} // namespace pprofdelta
