// SPDX-License-Identifier: Apache-2.0
#include "verdicts/family_test.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <numeric>

#include "base/numbers.hpp"
#include "captures/capture_set.hpp"
#include "statistics/change_to_find.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

namespace {

// The chance that so many captures are all on one side of what they are drawn around.
double least_p_of_median(std::size_t captures) {
    return 2 * std::pow(0.5, static_cast<double>(captures));
}

// The middle of roots need not be the median.
interval with_median(const interval& within, double median) {
    return {std::min(within.low, median), std::max(within.high, median)};
}

// Values that are never below zero cannot lose more than there was, or gain more than there is: an
// estimate by means, or by pairs of captures, may be beyond the medians.
void bound_change(compared_row& row) {
    const auto is_bound = [](const compared_values& side) {
        return std::ranges::all_of(side.values, [](double v) { return v >= 0; });
    };
    if (is_bound(row.base) && is_bound(row.head)) {
        row.change = std::clamp(row.change, -row.base.median, row.head.median);
        if (row.within) {
            row.within = with_median(*row.within, row.change);
        }
    }
}

std::vector<double> differences_of(const compared_row& row) {
    std::vector<double> result;
    std::ranges::transform(row.head.values, row.base.values, std::back_inserter(result),
                           std::minus<>{});
    return result;
}

// The sum of the squares of the distances from the mean.
double squares(const std::vector<double>& numbers) {
    const double mean = mean_of(numbers);
    return std::accumulate(numbers.begin(), numbers.end(), 0.0, [&](double sum, double number) {
        return sum + (number - mean) * (number - mean);
    });
}

// Resembles the logarithm, but also takes 0, which samplers often find for a small row, and
// negative numbers.
std::vector<double> differences_of_logarithms(const compared_row& row) {
    constexpr double small = 0.01;
    const double unit = small * size_of(row);
    const auto logarithm = [&](double number) { return unit == 0 ? 0 : std::asinh(number / unit); };
    std::vector<double> result;
    std::ranges::transform(
        row.base.values, row.head.values, std::back_inserter(result),
        [&](double base, double head) { return logarithm(head) - logarithm(base); });
    return result;
}

} // namespace

bool is_larger_change(const compared_row& a, const compared_row& b) {
    if (a.is_significant() != b.is_significant()) {
        return a.is_significant();
    }
    const double size_of_a = std::fabs(a.change);
    const double size_of_b = std::fabs(b.change);
    return size_of_a != size_of_b ? size_of_a > size_of_b : a.name < b.name;
}

family_test::family_test(const compare_options& options, std::size_t base, std::size_t head)
    : m_options{options}, m_base{base}, m_head{head},
      m_is_moderated{test_of(options, base, head) == test_kind::moderated}, m_test{base, head},
      m_permutations{options.are_paired ? permutation_test::of_pairs(base)
                                        : permutation_test::of_sides(base, head)} {
    if (base == 0 || head == 0) {
        refuse("a comparison needs at least one capture of each side");
    }
    if (options.are_paired && base != head) {
        refuse("pairs need as many captures of the base as of the head");
    }
}

void family_test::estimate(compared_row& row) {
    for (compared_values* const side : {&row.base, &row.head}) {
        side->median = median(side->values);
        side->within = median_interval(side->values, m_options.alpha);
    }
    if (!m_options.is_tested) {
        row.change = row.head.median - row.base.median;
    } else if (m_options.are_paired) {
        const std::vector<double> differences = differences_of(row);
        row.change = median(differences);
        row.within = median_interval(differences, m_options.alpha);
    } else {
        const u_test::result tested = m_test.test(row.base.values, row.head.values);
        row.u = tested.u;
        row.p = tested.p;
        const u_test::shift shift =
            m_test.estimate(row.base.values, row.head.values, m_options.alpha);
        row.change = shift.value;
        row.within = shift.within;
    }
    bound_change(row);
}

void family_test::estimate(compared_row& row, const moderated_test& rows, double least_variance,
                           bool is_total) const {
    const std::vector<double> values = all_values(row);
    const moderated_test::result found =
        is_total ? rows.test_total(values, least_variance) : rows.test(values, least_variance);
    const auto put = [&](compared_values& side, const moderated_test::side& of) {
        side.median = median(side.values);
        side.within = with_median(found.within(of, m_options.alpha), side.median);
    };
    put(row.base, found.base);
    put(row.head, found.head);
    row.p = found.p;
    row.change = found.change();
    row.within = found.change_within(m_options.alpha);
    row.moderated = found;
    bound_change(row);
}

// The scores are the subject of a permutation test; otherwise they tell whether two rows ask the
// same question.
std::vector<double> family_test::scores_of(const compared_row& row) const {
    if (!m_is_moderated) {
        return m_options.are_paired ? differences_of_logarithms(row)
                                    : ranks(row.base.values, row.head.values);
    }
    std::vector<double> scores = all_values(row);
    const double size = size_of(row);
    std::ranges::transform(scores, scores.begin(),
                           [&](double score) { return size == 0 ? 0 : score / size; });
    // Ten times as many events are another question, but not ten times the time of each. Beside
    // numbers around 1, this has the first digits of p.
    scores.push_back(row.p > 0 ? std::log10(row.p) / 1000 : -1);
    return scores;
}

family_test::family family_test::test(const std::vector<compared_row*>& rows, family_kind kind,
                                      double times) const {
    if (!m_options.is_tested || rows.empty()) {
        return {};
    }
    const std::vector<std::uint32_t> question_of =
        number_questions(rows, [&](const compared_row& row) { return scores_of(row); });
    std::vector<std::vector<double>> scores; // of the first row to ask each question, as p
    std::vector<double> p;
    std::vector<double> weights; // a question is as large as the largest row that asks
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::uint32_t question = question_of[i];
        if (question == p.size()) {
            scores.push_back(scores_of(*rows[i]));
            p.push_back(rows[i]->p);
            weights.push_back(0);
        }
        weights[question] = std::max(weights[question], std::sqrt(size_of(*rows[i])));
    }
    const std::size_t hypotheses = p.size();
    const bool is_by_bh = m_options.corrected == correction::benjamini_hochberg;
    const bool is_strict = is_by_bh && kind != family_kind::rows;
    if (kind == family_kind::mixed) {
        weights.assign(hypotheses, 1);
    }
    // The p that each question needs, if it alone is about a change.
    std::vector<double> needed(hypotheses, needed_p(m_options, hypotheses));
    std::vector<double> corrected;
    if (is_strict && m_is_moderated) {
        corrected = correct_by_holm(p);
    } else if (m_options.are_paired || is_strict) {
        for (const permutation_test::result& each : m_permutations.test(scores, weights)) {
            if (m_options.are_paired) {
                p[corrected.size()] = each.p;
            }
            corrected.push_back(each.corrected_p);
        }
    }
    if (is_by_bh && !is_strict) {
        corrected = correct_by_benjamini_hochberg(p, weights);
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        std::ranges::transform(weights, needed.begin(),
                               [&](double weight) { return m_options.alpha * weight / all; });
    } else if (!is_strict) {
        corrected = correct(p, m_options.corrected);
    }
    const family found{hypotheses, too_few(hypotheses, *std::ranges::max_element(needed) / times)};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]->p = p[question_of[i]];
        // Weights could make it smaller, which would be hard to believe.
        rows[i]->corrected_p =
            std::max(rows[i]->p, std::min(times * corrected[question_of[i]], 1.0));
        // Functions of the standard library differ in the last digits, which a float does not have.
        if (const auto found_change = detectable(*rows[i], needed[question_of[i]] / times)) {
            rows[i]->detectable = static_cast<float>(*found_change);
        }
        rows[i]->verdict = verdict_of(*rows[i], found.too_few.has_value());
    }
    return found;
}

// A test on ranks keeps 3 / pi of the information that Student's test has: E. L. Lehmann,
// Nonparametrics: Statistical Methods Based on Ranks (1975), chapter 2.
std::optional<double> family_test::detectable(const compared_row& row, double p) const {
    constexpr double missed = 0.2;
    if (row.moderated) {
        return row.moderated->detectable(p, missed);
    }
    if (least_p(m_base, m_head) > p || m_base + m_head < 4) {
        return std::nullopt;
    }
    const auto base = static_cast<double>(m_base);
    const auto head = static_cast<double>(m_head);
    if (m_options.are_paired) {
        const double variance = squares(differences_of(row)) / (base - 1);
        return change_to_find(p, missed, base - 1, std::sqrt(variance / base), 0, 0);
    }
    const double deviation =
        std::sqrt(std::numbers::pi / 3 * (squares(row.base.values) + squares(row.head.values)) /
                  (base + head - 2));
    return change_to_find(p, missed, base + head - 2, deviation / std::sqrt(base),
                          deviation / std::sqrt(head), (row.base.median + row.head.median) / 2);
}

verdict family_test::verdict_of(const compared_row& row, bool are_too_few) const {
    const double least = m_options.min_change * std::fabs(row.base.median);
    if (row.within && row.within->low >= -least && row.within->high <= least) {
        return verdict::same;
    }
    // Half of the pairs is what chance gives.
    const double distance = m_options.are_paired || m_is_moderated
                                ? row.change
                                : row.u - static_cast<double>(m_base * m_head) / 2;
    if (row.corrected_p <= m_options.alpha && distance != 0) {
        return distance > 0 ? verdict::grew : verdict::fell;
    }
    return are_too_few ? verdict::too_few : verdict::unsure;
}

std::vector<double> correct(const std::vector<double>& p, correction correct) {
    return correct == correction::holm                 ? correct_by_holm(p)
           : correct == correction::benjamini_hochberg ? correct_by_benjamini_hochberg(p)
                                                       : p;
}

bool family_test::is_beyond(const limit& l, const value_type& type, const compared_row& row) const {
    if (l.on == limit::bound::value) {
        const std::optional<interval> within =
            row.moderated ? with_median(row.moderated->within(row.moderated->head, gate_alpha()),
                                        row.head.median)
                          : row.head.within;
        const double least = within ? within->low : 0;
        return is_crossed(l, type, 0,
                          {0, to_nearest(m_options.is_tested ? least : row.head.median)}, 0);
    }
    // The middle of two numbers may have a half. A percentage of twice as much is the same.
    const double times = l.on == limit::bound::percent ? 2 : 1;
    // The call also checks that the unit fits.
    const bool is_more = is_crossed(
        l, type, 0,
        {to_nearest(times * row.base.median), to_nearest(times * (row.base.median + row.change))},
        to_nearest(times * row.change));
    return is_more && (!m_options.is_tested || row.corrected_p <= gate_alpha());
}

bool family_test::is_rare_growth(const limit& l, const value_type& type,
                                 const compared_row& row) const {
    const double before = mean_of(row.base.values);
    const double now = mean_of(row.head.values);
    const bool is_up =
        m_options.are_paired ? now > before : row.u > static_cast<double>(m_base * m_head) / 2;
    if (m_is_moderated || row.corrected_p > gate_alpha() || !is_up || row.change != 0) {
        return false;
    }
    // Rows that are seldom sampled have means below 1. A percentage of many times as much is the
    // same.
    constexpr double large = 1e15;
    const double times = l.on == limit::bound::percent && now < large ? 1000 : 1;
    return is_crossed(l, type, 0, {to_nearest(times * before), to_nearest(times * now)},
                      to_nearest(times * (now - before)));
}

double family_test::least_p(std::size_t base, std::size_t head) const {
    return m_options.are_paired ? permutation_test::of_pairs(base).least_p()
                                : u_test{base, head}.least_p();
}

std::optional<too_few_captures> family_test::too_few(std::size_t hypotheses, double needed) const {
    const double least = least_p(m_base, m_head);
    if (m_is_moderated || least <= needed) {
        return std::nullopt;
    }
    return too_few_captures{hypotheses, least, needed, fewest([&](std::size_t count) {
                                return least_p(count, count) <= needed;
                            })};
}

std::optional<too_few_captures> family_test::too_few_for_value() const {
    const double least = least_p_of_median(m_head);
    if (!m_options.is_tested || m_is_moderated || least <= m_options.alpha) {
        return std::nullopt;
    }
    return too_few_captures{1, least, m_options.alpha, fewest([&](std::size_t count) {
                                return least_p_of_median(count) <= m_options.alpha;
                            })};
}

} // namespace pprofdelta
