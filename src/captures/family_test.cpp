// SPDX-License-Identifier: Apache-2.0
#include "captures/family_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "base/whole.hpp"
#include "captures/questions.hpp"
#include "limits/bounds.hpp"

namespace pprofdelta {

namespace {

// The smallest number for which `is_enough(number)`, which is true from there on.
template <typename IsEnough>
std::size_t first(IsEnough&& is_enough) {
    std::size_t number = 1;
    while (!is_enough(number)) {
        ++number;
    }
    return number;
}

// How likely it is that so many captures are all on one side of what they are drawn around.
double least_p_of_median(std::size_t captures) {
    return 2 * std::pow(0.5, static_cast<double>(captures));
}

} // namespace

family_test::family_test(const compare_options& options, std::size_t base, std::size_t head)
    : m_options{options}, m_base{base}, m_head{head}, m_test{base, head} {
    if (base == 0 || head == 0) {
        refuse("there is nothing to compare before each side has a capture");
    }
}

std::size_t family_test::run(const std::vector<compared_row*>& rows) {
    for (compared_row* const row : rows) {
        for (compared_values* const side : {&row->base, &row->head}) {
            side->median = median(side->values);
            side->within = median_interval(side->values, m_options.alpha);
        }
    }
    const answers<u_test::result> found{
        rows, m_options.corrected,
        [](const compared_row& row) { return ranks(row.base.values, row.head.values); },
        [&](const compared_row& row) { return m_test.test(row.base.values, row.head.values); }};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        compared_row& row = *rows[i];
        row.u = found.of(i).u;
        if (m_options.is_tested) {
            row.p = found.of(i).p;
            row.corrected_p = found.corrected_p(i);
        }
        estimate(row);
    }
    return found.questions();
}

std::vector<double> correct(const std::vector<double>& p, correction how) {
    switch (how) {
    case correction::holm:
        return correct_by_holm(p);
    case correction::benjamini_hochberg:
        return correct_by_benjamini_hochberg(p);
    case correction::none:
        break;
    }
    return p;
}

void family_test::estimate(compared_row& row) {
    if (!m_options.is_tested) {
        row.change = row.head.median - row.base.median;
        return;
    }
    const u_test::shift shift = m_test.estimate(row.base.values, row.head.values, m_options.alpha);
    row.change = shift.value;
    row.within = shift.within;
    const double least = m_options.min_change * std::fabs(row.base.median);
    if (row.within && row.within->low >= -least && row.within->high <= least) {
        row.is = verdict::same;
    } else if (row.corrected_p <= m_options.alpha) {
        const auto pairs = static_cast<double>(m_base * m_head);
        row.is = row.u > pairs / 2 ? verdict::grew : verdict::fell;
    }
}

bool family_test::is_beyond(const limit& l, const value_type& type, const compared_row& row) const {
    if (l.on == limit::bound::value) {
        const double least = row.head.within ? row.head.within->low : 0;
        return is_crossed(l, type, 0,
                          {0, to_nearest(m_options.is_tested ? least : row.head.median)}, 0);
    }
    // The middle of two numbers may have a half. A percentage of twice as much is the same.
    const double times = l.on == limit::bound::percent ? 2 : 1;
    // Also to find out whether the unit fits.
    const bool is_more = is_crossed(
        l, type, 0,
        {to_nearest(times * row.base.median), to_nearest(times * (row.base.median + row.change))},
        to_nearest(times * row.change));
    return is_more && (!m_options.is_tested || row.corrected_p <= m_options.alpha);
}

std::optional<too_few_captures> family_test::too_few(std::size_t questions) {
    const double needed = needed_p(m_options, questions);
    const double least = m_test.least_p();
    if (!m_options.is_tested || least <= needed) {
        return std::nullopt;
    }
    const std::size_t enough = first([&](std::size_t count) {
        return u_test{count, count}.least_p() <= needed;
    });
    return too_few_captures{questions, least, needed, enough};
}

std::optional<too_few_captures> family_test::too_few_for(limit::bound on, std::size_t questions) {
    if (on != limit::bound::value) {
        return too_few(questions);
    }
    const double least = least_p_of_median(m_head);
    if (!m_options.is_tested || least <= m_options.alpha) {
        return std::nullopt;
    }
    const std::size_t enough =
        first([&](std::size_t count) { return least_p_of_median(count) <= m_options.alpha; });
    return too_few_captures{1, least, m_options.alpha, enough};
}

} // namespace pprofdelta
