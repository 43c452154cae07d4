// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/compare.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "captures/call_sums.hpp"
#include "captures/capture_set.hpp"
#include "captures/compared_stacks.hpp"
#include "captures/family_test.hpp"
#include "captures/questions.hpp"
#include "captures/study.hpp"

namespace pprofdelta {

namespace {

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

} // namespace

class profile_comparison::impl final : public study<capture_set, compared_rows, compared_limit> {
public:
    impl(const compare_options& options, std::vector<limit> limits)
        : study{options, std::move(limits)}, m_options{options} {}

    const compared_family& totals() {
        if (!m_totals) {
            m_totals = test_totals();
        }
        return *m_totals;
    }

    std::vector<compared_limit> judge() {
        std::vector<compared_limit> all = study::judge();
        for (compared_limit& found : all) {
            std::sort(found.functions.begin(), found.functions.end(),
                      [&](const compared_row& a, const compared_row& b) {
                          const double of_a = judged_amount(a, found.on);
                          const double of_b = judged_amount(b, found.on);
                          return of_a != of_b ? of_a > of_b : a.name < b.name;
                      });
        }
        return all;
    }

    // One test for rows and edges, as an edge is often all of its row.
    compared_calls test_calls(kin asked, std::size_t type) {
        compared_calls found;
        add_edges(asked, type, add_functions(asked, type, found), found);
        std::vector<compared_row*> rows;
        if (size_of(found.together) > 0) {
            rows.push_back(&found.together);
        }
        for (compared_calls::function& each : found.functions) {
            rows.push_back(&each.cum);
            std::transform(each.edges.begin(), each.edges.end(), std::back_inserter(rows),
                           [](compared_row& edge) { return &edge; });
        }
        test_table(rows, found);
        for (compared_calls::function& each : found.functions) {
            std::sort(each.edges.begin(), each.edges.end(), is_larger_change);
        }
        std::sort(found.functions.begin(), found.functions.end(),
                  [](const auto& a, const auto& b) { return is_larger_change(a.cum, b.cum); });
        return found;
    }

    compared_tree tree(std::size_t type, const compared_tree_limits& limits) {
        return cut_tree(find_or_make(m_trees, type, [&] { return test_tree(type); }),
                        row_of(type, {}), captures().reader(), limits);
    }

    compared_paths paths(std::size_t type, std::size_t most) {
        return cut_paths(find_or_make(m_paths, type, [&] { return test_paths(type); }),
                         row_of(type, {}), captures().reader(), most);
    }

    // The tests are those of as many captures as there are.
    family_test& tests() {
        if (!m_tests) {
            m_tests.emplace(m_options, captures().count(compare_side::base),
                            captures().count(compare_side::head));
        }
        return *m_tests;
    }

private:
    void forget() noexcept override {
        m_tests.reset();
        m_totals.reset();
        m_judged.clear();
        m_trees.clear();
        m_paths.clear();
    }

    compared_row row_of(std::size_t type, const sample_group& samples) override {
        compared_row made;
        made.base.values = captures().values(compare_side::base, type, samples);
        made.head.values = captures().values(compare_side::head, type, samples);
        return made;
    }

    // Both sides together, as what depended on their difference would be no choice by size.
    [[nodiscard]] double size_of(const compared_row& row) const override {
        return mean_size({row.base.values, row.head.values});
    }

    // Returns the place of each row among the functions, by the number of its name.
    std::vector<std::uint32_t> add_functions(kin asked, std::size_t type, compared_calls& to) {
        const capture_reader& reader = captures().reader();
        const double least = least_size(type, row_of(type, {}));
        std::vector<std::uint32_t> places(reader.names().size(), row_call::none);
        for (std::uint32_t name = 0; name < places.size(); ++name) {
            if (reader.asked().has(asked, reader.names().name(name))) {
                const auto next = static_cast<std::uint32_t>(to.functions.size());
                compared_row cum = row_of(type, {sample_group::kind::cum, name});
                if (is_large(cum, least, to.left_out)) {
                    cum.name = reader.names().name(name);
                    to.functions.push_back({.cum = std::move(cum)});
                    places[name] = next;
                }
            }
        }
        return places;
    }

    void add_edges(kin asked, std::size_t type, const std::vector<std::uint32_t>& places,
                   compared_calls& to) {
        const capture_reader& reader = captures().reader();
        const double least = least_size(type, row_of(type, {}));
        const keyed_list<row_call>& calls = reader.calls();
        to.together =
            row_of(type, {sample_group::kind::call, calls.find(row_call::with_any(asked).key())});
        for (std::uint32_t number = 0; number < calls.size(); ++number) {
            const row_call& call = calls[number];
            const std::uint32_t function = asked == kin::callers ? call.callee : call.caller;
            const std::uint32_t other = asked == kin::callers ? call.caller : call.callee;
            if (call.caller == row_call::none || places[function] == row_call::none) {
                continue;
            }
            compared_calls::function& of = to.functions[places[function]];
            compared_row edge = row_of(type, {sample_group::kind::call, number});
            if (is_large(edge, least, of.left_out)) {
                edge.name = reader.names().name(other);
                of.edges.push_back(std::move(edge));
            }
        }
    }

    // The rows must have their values.
    void estimate(const std::vector<compared_row*>& rows) {
        std::for_each(rows.begin(), rows.end(), [&](compared_row* row) { tests().estimate(*row); });
    }

    // The rows must have been estimated.
    void test(compared_family& family, family_kind kind) {
        std::vector<compared_row*> rows;
        std::transform(family.rows.begin(), family.rows.end(), std::back_inserter(rows),
                       [](compared_row& row) { return &row; });
        const family_test::family found = tests().test(rows, kind);
        family.questions = found.questions;
        family.too_few = found.too_few;
    }

    // Rows that have their values, for what is corrected as a table.
    template <typename Family>
    void test_table(const std::vector<compared_row*>& rows, Family& of) {
        estimate(rows);
        const family_test::family tested = tests().test(rows, family_kind::rows);
        of.questions = tested.questions;
        of.too_few = tested.too_few;
    }

    template <typename Made, typename Make>
    const Made& find_or_make(std::map<std::size_t, Made>& all, std::size_t type, Make&& make) {
        if (!captures().reader().keeps_stacks()) {
            refuse("the stacks of captures are not kept");
        }
        const auto found = all.find(type);
        return found != all.end() ? found->second : all.emplace(type, make()).first->second;
    }

    stack_tree test_tree(std::size_t type) {
        stack_tree made = make_stack_tree(captures(), type, least_size(type, row_of(type, {})));
        test_table(made.rows(), made);
        return made;
    }

    stack_list test_paths(std::size_t type) {
        stack_list made = make_stack_list(captures(), type, least_size(type, row_of(type, {})));
        test_table(made.rows(), made);
        made.sort();
        return made;
    }

    compared_family test_totals() {
        compared_family family;
        for (std::size_t type = 0; type < types().size(); ++type) {
            family.rows.push_back(row_of(type, {}));
            tests().estimate(family.rows.back());
        }
        test(family, family_kind::mixed);
        return family;
    }

    compared_rows test_rows(std::size_t type) override {
        compared_rows result;
        estimate(
            add_rows(type, row_of(type, {}), result.flat.rows, result.cum.rows, result.left_out));
        for (compared_family* const family : {&result.flat, &result.cum}) {
            test(*family, family_kind::rows);
            std::sort(family->rows.begin(), family->rows.end(), is_larger_change);
        }
        return result;
    }

    // Those on named functions are tested together.
    void test_limits(const std::vector<place>& places, std::vector<compared_limit>& all) override {
        std::vector<compared_limit*> named;
        std::vector<compared_row*> rows;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            if (is_of_some(limits()[number])) {
                all[i].row = row_of(type, {sample_group::kind::limit, number});
                named.push_back(&all[i]);
                rows.push_back(&all[i].row);
            } else {
                all[i].row = totals().rows[type];
                all[i].too_few = too_few_for(all[i], totals().too_few);
            }
        }
        estimate(rows);
        const family_test::family found = tests().test(rows, family_kind::mixed);
        for (compared_limit* const each : named) {
            each->too_few = too_few_for(*each, found.too_few);
        }
    }

    std::optional<too_few_captures> too_few_for(const compared_limit& limit,
                                                const std::optional<too_few_captures>& family) {
        return limit.on == limit::bound::value ? tests().too_few_for_value() : family;
    }

    bool is_beyond(const limit& l, std::size_t type, const compared_row& row) override {
        return tests().is_beyond(l, types()[type], row);
    }

    const std::vector<compared_row>& rows_of_each(std::size_t type,
                                                  compared_limit& found) override {
        const bool is_flat = found.of == limit::scope::each_leaf;
        auto judged = m_judged.find({type, is_flat});
        if (judged == m_judged.end()) {
            compared_family family = is_flat ? rows(type).flat : rows(type).cum;
            test(family, family_kind::judged_rows);
            judged = m_judged.emplace(std::pair{type, is_flat}, std::move(family)).first;
        }
        found.too_few = too_few_for(found, judged->second.too_few);
        return judged->second.rows;
    }

    compare_options m_options;
    // These are kept until another capture is added.
    std::optional<family_test> m_tests;
    std::optional<compared_family> m_totals;
    std::map<std::pair<std::size_t, bool>, compared_family> m_judged; // by type, flat or cum
    std::map<std::size_t, stack_tree> m_trees;                        // by type
    std::map<std::size_t, stack_list> m_paths;                        // by type
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
    case verdict::too_few:
        return "too few";
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
    return m_impl->captures().count(of);
}

const std::vector<value_type>& profile_comparison::types() const noexcept {
    return m_impl->types();
}

std::size_t profile_comparison::find_type(const std::optional<value_type_pattern>& pattern) const {
    return m_impl->find_type(pattern);
}

std::optional<compare_side> profile_comparison::older_side() const noexcept {
    return m_impl->captures().older_side();
}

std::vector<std::string> profile_comparison::programs(compare_side of) const {
    return m_impl->captures().programs(of);
}

bool profile_comparison::is_head_foreign() const { return m_impl->captures().is_head_foreign(); }

compared_family profile_comparison::totals() { return m_impl->totals(); }

compared_rows profile_comparison::rows(std::size_t type) { return m_impl->rows(type); }

compared_calls profile_comparison::callers(std::size_t type) {
    return m_impl->test_calls(kin::callers, type);
}

compared_calls profile_comparison::callees(std::size_t type) {
    return m_impl->test_calls(kin::callees, type);
}

compared_tree profile_comparison::tree(std::size_t type, const compared_tree_limits& limits) {
    return m_impl->tree(type, limits);
}

compared_paths profile_comparison::paths(std::size_t type, std::size_t most) {
    return m_impl->paths(type, most);
}

std::vector<compared_limit> profile_comparison::judge() { return m_impl->judge(); }

std::vector<std::size_t> profile_comparison::samples(compare_side of, std::size_t type) const {
    return m_impl->captures().samples(of, type);
}

std::vector<double> profile_comparison::factors(compare_side of, std::size_t type) const {
    return m_impl->captures().factors(of, type);
}

} // namespace pprofdelta
