// SPDX-License-Identifier: Apache-2.0
// The choice of the rows of many captures, and limits on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/value_type.hpp>

#include "captures/captures.hpp"
#include "captures/rows.hpp"
#include "select/names.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

/// Chooses rows. Name and size alone decide: a choice by difference or growth would make small p
/// more likely among the rest.
class row_filter {
public:
    /// @param options come from a comparison or a trend.
    /// @throws error invalid_argument
    template <typename Options>
    explicit row_filter(const Options& options)
        : m_min_amount{options.min_amount}, m_min_share{options.min_share} {
        if (!options.rows.empty()) {
            m_pattern.emplace(options.rows);
        }
    }

    /// Whether rows of this name are looked at.
    [[nodiscard]] bool has(const std::string& name) const {
        return !m_pattern || m_pattern->is_in(name);
    }

    /// Smaller rows are left out. Sums and means of doubles are rounded, so a row of exactly the
    /// least size can have less.
    template <typename Row>
    [[nodiscard]] double least_size(const value_type& type, const Row& total) const {
        const auto given = m_min_amount ? in_unit(*m_min_amount, type) : std::nullopt;
        return (given ? *given : m_min_share * size_of(total)) * nearly_all;
    }

private:
    std::optional<name_pattern> m_pattern;
    std::optional<amount> m_min_amount;
    double m_min_share;
};

/// Whether a row is not left out; counts it if it is.
template <typename Row>
[[nodiscard]] bool is_large(const Row& row, double least, std::size_t& left_out) {
    const double size = size_of(row);
    const bool is_left_out = size > 0 && size < least;
    left_out += is_left_out ? 1 : 0;
    return size > 0 && !is_left_out;
}

/// Puts in the rows that are not left out.
/// @param row_of   returns the row of some samples.
/// @param left_out counts those that are too small.
/// @returns all of them, to be tested.
template <typename Row, typename RowOf>
std::vector<Row*> choose_rows(const row_names& names, const row_filter& filter, double least,
                              RowOf&& row_of, std::vector<Row>& flat, std::vector<Row>& cum,
                              std::size_t& left_out) {
    const auto add = [&](sample_group::kind kind, std::uint32_t number, std::vector<Row>& to) {
        Row added = row_of(sample_group{kind, number});
        if (is_large(added, least, left_out)) {
            added.name = names.name(number);
            to.push_back(std::move(added));
        }
    };
    for (std::uint32_t number = 0; number < names.size(); ++number) {
        if (filter.has(names.name(number))) {
            add(sample_group::kind::flat, number, flat);
            add(sample_group::kind::cum, number, cum);
        }
    }
    std::vector<Row*> all;
    append_pointers(all, flat);
    append_pointers(all, cum);
    return all;
}

/// The place where the values of a limit are.
struct limit_place {
    std::size_t limit = 0;
    std::size_t type = 0;
};

/// Judges limits, each for every sample type that it names.
/// @tparam Limit is a limit's result, with a `row` for its subject.
/// @param judge has `test_limits(places, all)`, which puts in the rows of limits, tested, and
///              whether there are too few captures for that, where a limit on each function gets
///              the total; `is_beyond(limit, type, row)`; and `rows_of_each(type, found)`, the rows
///              that a limit on each function is about, and whether there are too few captures. It
///              may have `sort_crossing(found)`, which puts the functions that cross a limit in
///              another order than that of these rows, and `count_noisy(limit, type, rows, found)`,
///              which puts in how many of the judged rows vary too much for a limit.
template <typename Limit, typename Captures, typename Judge>
[[nodiscard]] std::vector<Limit> judge_limits(const Captures& captures, Judge& judge) {
    const std::vector<limit>& limits = captures.reader().limits();
    const std::vector<value_type>& types = captures.reader().types();
    std::vector<Limit> all;
    std::vector<limit_place> places;
    for_each_named_type(limits, types, [&](std::size_t number, std::size_t type) {
        const limit& l = limits[number];
        Limit& found = all.emplace_back();
        found.limit = l.text;
        found.type = types[type];
        found.of = l.of;
        found.on = l.on;
        found.has_match = !is_of_some(l) || captures.has_match(number);
        places.push_back({number, type});
    });
    judge.test_limits(places, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const limit& l = limits[places[i].limit];
        const std::size_t type = places[i].type;
        Limit& found = all[i];
        // The call also checks that the unit fits.
        found.crossed = judge.is_beyond(l, type, found.row);
        const auto count_noisy = [&](auto&& rows) {
            if constexpr (requires { judge.count_noisy(l, type, rows, found); }) {
                judge.count_noisy(l, type, rows, found);
            }
        };
        if (!limit::is_each(l.of)) {
            count_noisy(std::span{&found.row, 1});
            continue;
        }
        const auto& judged = judge.rows_of_each(type, found);
        std::ranges::copy_if(judged, std::back_inserter(found.functions),
                             [&](const auto& each) { return judge.is_beyond(l, type, each); });
        found.crossed = !found.functions.empty();
        if constexpr (requires { judge.sort_crossing(found); }) {
            judge.sort_crossing(found);
        }
        keep_first_crossing(found);
        count_noisy(std::span{judged});
    }
    return all;
}

} // namespace pprofdelta
