// SPDX-License-Identifier: Apache-2.0
// Tests of the rows of many captures share this code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend.hpp>

#include "base/errors.hpp"
#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "captures/captures.hpp"
#include "select/names.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "views/flame.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

/// p of many tests, corrected.
[[nodiscard]] std::vector<double> correct(const std::vector<double>& p, correction correct);

/// Numbers the questions that rows ask when they are tested together. Those whose captures have the
/// same scores, such as the same order, ask one, which is tested once.
/// @returns numbers from 0 on, in the order of the rows that are the first to ask.
template <typename Row, typename ScoresOf>
[[nodiscard]] std::vector<std::uint32_t> number_questions(const std::vector<Row*>& rows,
                                                          ScoresOf&& scores_of) {
    key_table known;
    std::vector<std::uint32_t> numbers;
    for (const Row* const row : rows) {
        const std::vector<double> scores = scores_of(*row);
        numbers.push_back(
            known.find_or_add(hash_bytes(scores.data(), scores.size() * sizeof scores[0])));
    }
    return numbers;
}

/// The level that the smallest p has to reach for anything to be found among so many questions.
template <typename Options>
[[nodiscard]] double needed_p(const Options& options, std::size_t hypotheses) {
    return options.corrected == correction::none || hypotheses == 0
               ? options.alpha
               : options.alpha / static_cast<double>(hypotheses);
}

/// The smallest number for which `is_enough(number)`, which is true from there on.
template <typename IsEnough>
[[nodiscard]] std::size_t fewest(IsEnough&& is_enough) {
    std::size_t number = 1;
    while (!is_enough(number)) {
        ++number;
    }
    return number;
}

/// @throws error invalid_argument for a chance or a part that is out of range.
template <typename Options>
void check_test(const Options& options) {
    if (!(options.alpha > 0 && options.alpha < 1)) {
        refuse("alpha must be a number between 0 and 1");
    }
    if (!(options.min_change >= 0 && options.min_share >= 0)) {
        refuse("the least change and the least share must be numbers, 0 or more");
    }
}

/// Sums and means of doubles are rounded, so a row of exactly the least size can have less.
inline constexpr double nearly_all = 1 - 1e-9;

/// The mean over all captures, of both sides together: what depended on their difference would be
/// no choice by size.
[[nodiscard]] inline double size_of(const compared_row& row) {
    return mean_size(row.base.values, row.head.values);
}
[[nodiscard]] inline double size_of(const trend_row& row) { return mean_size(row.values); }

/// The values of both sides, one after the other.
[[nodiscard]] inline std::vector<double> all_values(const compared_row& row) {
    std::vector<double> all = row.base.values;
    all.insert(all.end(), row.head.values.begin(), row.head.values.end());
    return all;
}

/// Appends pointers to rows, to be tested.
template <typename Row>
void append_pointers(std::vector<Row*>& to, std::vector<Row>& rows) {
    std::ranges::transform(rows, std::back_inserter(to), [](Row& row) { return &row; });
}

/// The study of many captures: it decides which rows are looked at, and which limits are crossed.
/// Results are kept until another capture is added. The test of rows is left to what derives.
/// @tparam Captures keeps them: capture_set or capture_series.
/// @tparam Rows hold one sample type, flat and cum.
/// @tparam Limit is a limit's result, with a `row` for its subject.
template <typename Captures, typename Rows, typename Limit, typename Row = decltype(Limit::row)>
class study {
public:
    study(const study&) = delete;
    study& operator=(const study&) = delete;
    virtual ~study() = default;

    template <typename... Arguments>
    auto add(Arguments&&... arguments) {
        m_rows.clear();
        forget();
        return m_captures.add(std::forward<Arguments>(arguments)...);
    }

    [[nodiscard]] const Captures& captures() const noexcept { return m_captures; }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_captures.reader().types();
    }
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const {
        return pattern ? pprofdelta::find_type(*pattern, types())
                       : m_captures.reader().usual_type();
    }

    const Rows& rows(std::size_t type) {
        const auto found = m_rows.find(type);
        return found != m_rows.end() ? found->second
                                     : m_rows.emplace(type, test_rows(type)).first->second;
    }

    std::vector<Limit> judge() {
        std::vector<Limit> all;
        std::vector<place> places;
        for_each_named_type(limits(), types(), [&](std::size_t number, std::size_t type) {
            const limit& l = limits()[number];
            Limit& found = all.emplace_back();
            found.limit = l.text;
            found.type = types()[type];
            found.of = l.of;
            found.on = l.on;
            found.has_match = !is_of_some(l) || m_captures.has_match(number);
            places.push_back({number, type});
        });
        test_limits(places, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const limit& l = limits()[places[i].limit];
            const std::size_t type = places[i].type;
            // The call also checks that the unit fits.
            all[i].crossed = is_beyond(l, type, all[i].row);
            if (limit::is_each(l.of)) {
                const std::vector<Row>& judged = rows_of_each(type, all[i]);
                std::ranges::copy_if(judged, std::back_inserter(all[i].functions),
                                     [&](const Row& each) { return is_beyond(l, type, each); });
                all[i].crossed = !all[i].functions.empty();
                sort_crossing(all[i]);
                keep_first_crossing(all[i]);
                count_noisy(l, type, judged, all[i]);
            } else {
                count_noisy(l, type, {&all[i].row, 1}, all[i]);
            }
        }
        return all;
    }

protected:
    // The place where the values of a limit are.
    struct place {
        std::size_t limit = 0;
        std::size_t type = 0;
    };

    template <typename Options>
    study(const Options& options, std::vector<limit> limits)
        : m_captures{options, std::move(limits)}, m_min_amount{options.min_amount},
          m_min_share{options.min_share} {
        if (!options.rows.empty()) {
            m_pattern.emplace(options.rows);
        }
    }

    [[nodiscard]] const std::vector<limit>& limits() const noexcept {
        return m_captures.reader().limits();
    }

    // Forgets the tests of the captures so far.
    virtual void forget() noexcept = 0;
    // A row that has its values, and no more.
    virtual Row row_of(std::size_t type, const sample_group& samples) = 0;
    virtual Rows test_rows(std::size_t type) = 0;
    // Puts in the rows of limits, tested, and whether there are too few captures for that. A limit
    // on each function gets the total.
    virtual void test_limits(const std::vector<place>& places, std::vector<Limit>& all) = 0;
    virtual bool is_beyond(const limit& l, std::size_t type, const Row& tested) = 0;
    // The rows that a limit on each function is about. Puts in whether there are too few captures.
    virtual const std::vector<Row>& rows_of_each(std::size_t type, Limit& found) = 0;
    // Puts the functions that cross a limit in their order, if it is not that of rows_of_each().
    virtual void sort_crossing(Limit& /*found*/) const {}
    // Puts in how many of the judged rows vary too much for a limit.
    virtual void count_noisy(const limit& /*l*/, std::size_t /*type*/,
                             std::span<const Row> /*judged*/, Limit& /*found*/) const {}

    // Whether rows of this name are looked at.
    [[nodiscard]] bool is_asked(const std::string& name) const {
        return !m_pattern || m_pattern->is_in(name);
    }

    // Smaller rows are left out.
    [[nodiscard]] double least_size(std::size_t type, const Row& total) const {
        const auto given = m_min_amount ? in_unit(*m_min_amount, types()[type]) : std::nullopt;
        return (given ? *given : m_min_share * size_of(total)) * nearly_all;
    }

    // Whether a row is not left out; counts it if it is.
    [[nodiscard]] bool is_large(const Row& row, double least, std::size_t& left_out) const {
        const double size = size_of(row);
        const bool is_left_out = size > 0 && size < least;
        left_out += is_left_out ? 1 : 0;
        return size > 0 && !is_left_out;
    }

    // Puts in the rows that are not left out. Name and size alone decide: a choice by difference or
    // growth would make small p more likely among the rest.
    // @param left_out counts those that are too small.
    // @returns all of them, to be tested.
    std::vector<Row*> add_rows(std::size_t type, const Row& total, std::vector<Row>& flat,
                               std::vector<Row>& cum, std::size_t& left_out) {
        const double least = least_size(type, total);
        const row_names& names = m_captures.reader().names();
        const auto add = [&](sample_group::kind kind, std::uint32_t number, std::vector<Row>& to) {
            Row added = row_of(type, {kind, number});
            if (is_large(added, least, left_out)) {
                added.name = names.name(number);
                to.push_back(std::move(added));
            }
        };
        for (std::uint32_t number = 0; number < names.size(); ++number) {
            if (is_asked(names.name(number))) {
                add(sample_group::kind::flat, number, flat);
                add(sample_group::kind::cum, number, cum);
            }
        }
        std::vector<Row*> all;
        append_pointers(all, flat);
        append_pointers(all, cum);
        return all;
    }

private:
    Captures m_captures;
    std::optional<name_pattern> m_pattern;
    std::optional<amount> m_min_amount;
    double m_min_share;
    std::map<std::size_t, Rows> m_rows; // by type
};

/// The rows that are tested together. Alpha is the chance of any difference where there is none,
/// except for `rows`, and unless nothing is corrected.
enum class family_kind : std::uint8_t {
    rows,        ///< Those of a table, by the correction that the options have for these.
    judged_rows, ///< Those that a limit on each function is about.
    mixed,       ///< Totals are an example: they can have different units, so that none is larger.
};

/// Real changes first, and then the larger ones; equal ones by name.
[[nodiscard]] bool is_larger_change(const compared_row& a, const compared_row& b);

/// The test of so many captures: not `automatic`.
[[nodiscard]] test_kind test_of(const compare_options& options, std::size_t base, std::size_t head);

/// Tests rows together, of so many captures on each side.
class family_test {
public:
    /// @throws error invalid_argument for a side without captures, and for pairs if one side has
    ///         more.
    family_test(const compare_options& options, std::size_t base, std::size_t head);

    /// Computes the figures of a row that has its values which do not depend on other rows.
    void estimate(compared_row& row);
    /// The same by a moderated test.
    /// @param rows      share the sample type of `row`.
    /// @param least_variance is that of the roots.
    /// @param is_total  whether they add up to this one.
    void estimate(compared_row& row, const moderated_test& rows, double least_variance,
                  bool is_total) const;

    /// The outcome of a test of several rows together.
    struct family {
        std::size_t hypotheses = 0;
        std::optional<too_few_captures> too_few{};
    };

    /// Tests rows that have been estimated together.
    /// @param times multiplies each corrected p: the number of other families.
    family test(const std::vector<compared_row*>& rows, family_kind kind, double times = 1) const;

    /// Whether a limit is crossed that is not on each function.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const compared_row& row) const;

    [[nodiscard]] bool is_moderated() const noexcept { return m_is_moderated; }

    /// Whether the head has too few captures for an interval of its median.
    [[nodiscard]] std::optional<too_few_captures> too_few_for_value() const;

private:
    [[nodiscard]] double least_p(std::size_t base, std::size_t head) const;
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t hypotheses,
                                                          double needed) const;
    [[nodiscard]] std::vector<double> scores_of(const compared_row& row) const;
    [[nodiscard]] std::optional<double> detectable(const compared_row& row, double p) const;
    // The p that a limit needs.
    [[nodiscard]] double gate_alpha() const noexcept {
        return m_options.alpha * (m_is_moderated ? compare_options::gate_share : 1);
    }
    [[nodiscard]] verdict verdict_of(const compared_row& row, bool are_too_few) const;

    compare_options m_options;
    std::size_t m_base;
    std::size_t m_head;
    bool m_is_moderated;
    u_test m_test;
    permutation_test m_permutations;
};

} // namespace pprofdelta
