// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/compare.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include <pprofdelta/error.hpp>

#include "captures/capture_set.hpp"
#include "captures/family_test.hpp"
#include "captures/questions.hpp"
#include "limits/bounds.hpp"
#include "select/name_pattern.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw error{error_kind::invalid_argument, what};
}

void check(const compare_options& options, const std::vector<limit>& limits) {
    check_test(options);
    for (const limit& l : limits) {
        if (l.on == limit::bound::rate) {
            refuse("'" + l.text + "': a rate needs a delta");
        }
        if (options.normalized_by == normalization::total && l.of == limit::scope::all &&
            l.on != limit::bound::value) {
            refuse("'" + l.text + "': nothing can cross this, as all totals are made equal");
        }
    }
}

// By what a limit judges.
double judged_amount(const compared_row& row, limit::bound on) {
    return on == limit::bound::value ? row.head.median : row.change;
}

bool is_larger_change(const compared_row& a, const compared_row& b) {
    if (a.is_real() != b.is_real()) {
        return a.is_real();
    }
    const double size_of_a = std::fabs(a.change);
    const double size_of_b = std::fabs(b.change);
    return size_of_a != size_of_b ? size_of_a > size_of_b : a.name < b.name;
}

} // namespace

class profile_comparison::impl {
public:
    impl(const compare_options& options, std::vector<limit> limits)
        : m_options{options}, m_captures{options.by, options.normalized_by, std::move(limits)} {
        if (!options.rows.empty()) {
            m_pattern = std::make_unique<name_pattern>(options.rows);
        }
    }

    void add(compare_side to, std::string_view profile) {
        m_captures.add(to, profile);
        m_tests.reset();
        m_totals.reset();
        m_rows.clear();
    }

    [[nodiscard]] const capture_set& all() const noexcept { return m_captures; }

    const compared_family& totals() {
        if (!m_totals) {
            m_totals = test_totals();
        }
        return *m_totals;
    }

    const compared_rows& rows(std::size_t type) {
        const auto found = m_rows.find(type);
        return found != m_rows.end() ? found->second
                                     : m_rows.emplace(type, test_rows(type)).first->second;
    }

    std::vector<compared_limit> judge() {
        std::vector<compared_limit> all;
        std::vector<place> places;
        const std::vector<value_type>& types = m_captures.types();
        for_each_named_type(m_captures.reader().limits(), types,
                            [&](std::size_t number, std::size_t type) {
                                places.push_back({number, type});
                                all.emplace_back().type = types[type];
                            });
        put_rows(places, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const limit& l = m_captures.reader().limits()[places[i].limit];
            compared_limit& found = all[i];
            found.limit = l.text;
            found.of = l.of;
            found.on = l.on;
            found.has_match = m_captures.has_match(places[i].limit);
            if (limit::is_each(l.of)) {
                judge_each(l, rows(places[i].type), found);
            } else {
                found.crossed = tests().is_beyond(l, found.type, found.row);
            }
        }
        return all;
    }

    // Of as many captures as there are.
    family_test& tests() {
        if (!m_tests) {
            m_tests.emplace(m_options, m_captures.count(compare_side::base),
                            m_captures.count(compare_side::head));
        }
        return *m_tests;
    }

private:
    static std::vector<compared_row*> pointers(std::vector<compared_row>& rows) {
        std::vector<compared_row*> result(rows.size());
        std::transform(rows.begin(), rows.end(), result.begin(),
                       [](compared_row& row) { return &row; });
        return result;
    }

    // Of a row that is not left out, in the unit of the type. By size alone, and of both sides
    // together: what depended on their difference would make small p more likely among the rest.
    [[nodiscard]] double least_size(std::size_t type) const {
        const auto given = m_options.min_amount
                               ? in_unit(*m_options.min_amount, m_captures.types()[type])
                               : std::nullopt;
        if (given) {
            return *given;
        }
        compared_row total;
        total.base.values = m_captures.totals(compare_side::base, type);
        total.head.values = m_captures.totals(compare_side::head, type);
        return m_options.min_share * mean_size(total);
    }

    compared_family test_totals() {
        compared_family family;
        for (std::size_t type = 0; type < m_captures.types().size(); ++type) {
            compared_row row;
            row.base.values = m_captures.totals(compare_side::base, type);
            row.head.values = m_captures.totals(compare_side::head, type);
            family.rows.push_back(std::move(row));
        }
        family.questions = tests().run(pointers(family.rows));
        return family;
    }

    compared_rows test_rows(std::size_t type) {
        compared_rows result;
        const double least = least_size(type);
        const auto add_row = [&](std::uint32_t number, auto column, std::vector<compared_row>& to) {
            compared_row row;
            row.base.values = (m_captures.*column)(compare_side::base, type, number);
            row.head.values = (m_captures.*column)(compare_side::head, type, number);
            const double size = mean_size(row);
            if (size > 0 && size >= least) {
                row.name = m_captures.reader().names().name(number);
                to.push_back(std::move(row));
            } else {
                result.left_out += size > 0 ? 1 : 0;
            }
        };
        for (std::uint32_t number = 0; number < m_captures.reader().names().size(); ++number) {
            if (m_pattern == nullptr ||
                m_pattern->is_in(m_captures.reader().names().name(number))) {
                add_row(number, &capture_set::flat, result.flat.rows);
                add_row(number, &capture_set::cum, result.cum.rows);
            }
        }
        std::vector<compared_row*> together = pointers(result.flat.rows);
        const std::vector<compared_row*> more = pointers(result.cum.rows);
        together.insert(together.end(), more.begin(), more.end());
        result.flat.questions = result.cum.questions = tests().run(together);
        std::sort(result.flat.rows.begin(), result.flat.rows.end(), is_larger_change);
        std::sort(result.cum.rows.begin(), result.cum.rows.end(), is_larger_change);
        return result;
    }

    // Where the values of a limit are.
    struct place {
        std::size_t limit = 0;
        std::size_t type = 0;
    };

    // Those on named functions are tested together. Limits on each function get the total.
    void put_rows(const std::vector<place>& places, std::vector<compared_limit>& all) {
        const compared_family& of_totals = totals();
        std::vector<compared_row*> named;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            if (!names_functions(m_captures.reader().limits()[number])) {
                all[i].row = of_totals.rows[type];
                all[i].too_few = tests().too_few_for(m_captures.reader().limits()[number].on,
                                                     of_totals.questions);
                continue;
            }
            compared_row& row = all[i].row;
            row.base.values = m_captures.of_limit(compare_side::base, type, number);
            row.head.values = m_captures.of_limit(compare_side::head, type, number);
            named.push_back(&row);
        }
        const std::size_t questions = tests().run(named);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const limit& l = m_captures.reader().limits()[places[i].limit];
            if (names_functions(l)) {
                all[i].too_few = tests().too_few_for(l.on, questions);
            }
        }
    }

    void judge_each(const limit& l, const compared_rows& rows, compared_limit& found) {
        const compared_family& family = l.of == limit::scope::each_leaf ? rows.flat : rows.cum;
        found.too_few = tests().too_few_for(l.on, family.questions);
        std::copy_if(
            family.rows.begin(), family.rows.end(), std::back_inserter(found.functions),
            [&](const compared_row& row) { return tests().is_beyond(l, found.type, row); });
        std::sort(found.functions.begin(), found.functions.end(),
                  [&](const compared_row& a, const compared_row& b) {
                      const double of_a = judged_amount(a, l.on);
                      const double of_b = judged_amount(b, l.on);
                      return of_a != of_b ? of_a > of_b : a.name < b.name;
                  });
        found.crossed = !found.functions.empty();
    }

    compare_options m_options;
    capture_set m_captures;
    std::unique_ptr<name_pattern> m_pattern;
    // Of all captures that there are.
    std::optional<family_test> m_tests;
    std::optional<compared_family> m_totals;
    std::map<std::size_t, compared_rows> m_rows; // by type
};

const char* to_string(compare_side of) noexcept {
    return of == compare_side::base ? "base" : "head";
}

const char* to_string(correction how) noexcept {
    switch (how) {
    case correction::holm:
        return "holm";
    case correction::benjamini_hochberg:
        return "bh";
    case correction::none:
        return "none";
    }
    return "";
}

const char* to_string(verdict of) noexcept {
    switch (of) {
    case verdict::grew:
        return "grew";
    case verdict::fell:
        return "fell";
    case verdict::same:
        return "same";
    case verdict::unsure:
        return "unsure";
    }
    return "";
}

profile_comparison::profile_comparison(const compare_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_comparison::~profile_comparison() = default;

void profile_comparison::add(compare_side to, std::string_view profile) {
    m_impl->add(to, profile);
}

std::size_t profile_comparison::captures(compare_side of) const noexcept {
    return m_impl->all().count(of);
}

const std::vector<value_type>& profile_comparison::types() const noexcept {
    return m_impl->all().types();
}

std::size_t profile_comparison::find_type(const std::optional<value_type_pattern>& pattern) const {
    return pattern ? pprofdelta::find_type(*pattern, types()) : m_impl->all().default_type();
}

bool profile_comparison::is_head_older() const noexcept { return m_impl->all().is_head_older(); }

std::vector<std::string> profile_comparison::programs(compare_side of) const {
    return m_impl->all().programs(of);
}

bool profile_comparison::is_head_foreign() const { return m_impl->all().is_head_foreign(); }

compared_family profile_comparison::totals() { return m_impl->totals(); }

compared_rows profile_comparison::rows(std::size_t type) { return m_impl->rows(type); }

std::vector<compared_limit> profile_comparison::judge() { return m_impl->judge(); }

std::optional<too_few_captures> profile_comparison::too_few(std::size_t questions) const {
    return m_impl->tests().too_few(questions);
}

std::vector<double> profile_comparison::factors(compare_side of, std::size_t type) const {
    return m_impl->all().factors(of, type);
}

} // namespace pprofdelta
