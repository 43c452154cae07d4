// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/error.hpp>

#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "captures/capture_set.hpp"
#include "captures/captures.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "select/names.hpp"
#include "select/units.hpp"
#include "select/viewed_profiles.hpp"
#include "verdicts/family_test.hpp"
#include "verdicts/judging.hpp"
#include "views/calls.hpp"
#include "views/causes.hpp"
#include "views/flame.hpp"
#include "views/limits.hpp"
#include "views/stack_tree.hpp"

namespace pprofdelta {

namespace {

/// The tree of both sides' stacks, with what was found of it for any limits of compared_tree.
struct tested_tree {
    stack_tree<compared_row> stacks;
    compared_tree found{};
};

// Takes nodes in the order in which they are shown.
// @param total counts all samples.
compared_tree cut(const tested_tree& tree, const row_names& names, const compared_row& total,
                  const compared_tree_limits& limits) {
    const auto& nodes = tree.stacks.nodes;
    std::vector<std::uint32_t> named;
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        if (!nodes[i].rows.empty()) {
            named.push_back(i);
        }
    }
    compared_tree made = tree.found;
    made.too_small = tree.stacks.left_out;
    made.left_out = named.size(); // until they are put
    std::ranges::stable_sort(named, [&](std::uint32_t a, std::uint32_t b) {
        return size_of(nodes[a].value) > size_of(nodes[b].value);
    });
    named.resize(std::min(named.size(), limits.most_nodes));
    std::vector<bool> is_large(nodes.size());
    for (const std::uint32_t each : named) {
        is_large[each] = true;
    }
    compared_row covered = nodes.front().value;
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        return is_larger_change(nodes[b].value, nodes[a].value);
    };
    walk(nodes, is_before, [&](std::uint32_t number, std::uint32_t depth) {
        const auto& node = nodes[number];
        const bool is_deep = depth >= limits.deepest;
        if (is_deep || !is_large[number]) {
            if (!is_deep) {
                subtract_values(covered, node.value);
            }
            return false;
        }
        --made.left_out;
        made.nodes.push_back({names.names(node.rows), depth, node.value});
        return true;
    });
    made.coverage = part_of(covered, total);
    return made;
}

// The stacks, and what each node has beside its nodes with frames, without values if it has none.
// All that is not too small is tested together, so that alpha is the chance that anything is named
// where nothing changed.
struct cause_tree {
    stack_tree<compared_row> stacks;
    std::vector<compared_row> own;
};

/// All stacks that are large enough, of which compared_paths are some: `name` is empty.
struct stack_list {
    std::vector<std::pair<std::uint32_t, compared_row>>
        stacks{};           ///< The stacks with their numbers.
    compared_paths found{}; ///< The paths as they stand for any limit.
};

// @param total counts all samples.
compared_paths cut(const stack_list& list, const capture_reader& reader, const compared_row& total,
                   std::size_t most) {
    compared_paths made = list.found;
    made.left_out = list.stacks.size() - std::min(list.stacks.size(), most);
    compared_row covered;
    for (std::size_t i = 0; i < list.stacks.size() - made.left_out; ++i) {
        const auto& [number, value] = list.stacks[i];
        const innermost_frames frames = take_innermost(reader.frames(number), call_paths::longest);
        made.paths.push_back({reader.names().names(frames.rows), frames.left_out, value});
        add_values(covered, value);
    }
    made.coverage = part_of(covered, total);
    return made;
}

void check(const compare_options& options, const std::vector<limit>& limits) {
    check_test(options);
    if (options.are_paired && options.test == test_kind::moderated) {
        refuse("a moderated test cannot compare pairs");
    }
    for (const limit& l : limits) {
        if (l.on == limit::bound::rate || l.on == limit::bound::share) {
            refuse(about_limit(l) + (l.on == limit::bound::rate
                                         ? "a rate needs a delta"
                                         : "a share is of one profile, and not of several"));
        }
        if (options.normalized_by == normalization::total && l.of == limit::scope::all &&
            l.on != limit::bound::value) {
            refuse(about_limit(l) +
                   "no change can cross this limit, because normalizing makes all totals equal");
        }
    }
}

} // namespace

class profile_comparison::impl {
public:
    impl(const compare_options& options, std::vector<limit> limits)
        : m_options{options}, m_captures{options, std::move(limits)}, m_filter{options} {
        m_callers_of = compiled_pattern(options.callers_of);
        m_callees_of = compiled_pattern(options.callees_of);
    }

    void add(compare_side to, const profile_index& index) {
        m_tests.reset();
        m_totals.reset();
        m_of_types.clear();
        m_captures.add(to, index);
    }

    [[nodiscard]] const capture_set& captures() const noexcept { return m_captures; }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_captures.reader().types();
    }

    [[nodiscard]] test_kind test() const noexcept {
        return test_of(m_options, captures().count(compare_side::base),
                       captures().count(compare_side::head));
    }

    const compared_family& totals() {
        if (!m_totals) {
            m_totals = test_totals();
        }
        return *m_totals;
    }

    const compared_rows& rows(std::size_t type) {
        require(type);
        std::optional<compared_rows>& all = m_of_types[type].rows;
        if (!all) {
            all = test_rows(type);
        }
        return *all;
    }

    std::vector<compared_limit>
    judge(const std::function<bool(const std::string& function)>& do_rounds_differ) {
        static_cast<void>(tests());
        find_rounds(do_rounds_differ);
        std::vector<compared_limit> all = judge_limits<compared_limit>(captures(), *this);
        for (compared_limit& found : all) {
            const bool is_of_rounds = found.do_rounds_differ && !limit::is_each(found.of);
            found.have_other_durations =
                !limit::is_of_value(found.on) && !m_options.normalized_by && is_scaled(found.type);
            found.is_undecided |=
                found.have_other_durations || found.is_rare ||
                (found.crossed &&
                 (is_of_rounds || (m_options.is_tested && !m_options.trusts_order &&
                                   is_of_time(found.type) && captures().older_side().has_value())));
            found.is_too_noisy = found.is_too_noisy && !found.have_other_durations;
            found.crossed = found.crossed && !found.is_undecided;
            found.do_rounds_differ = found.do_rounds_differ && !found.crossed;
            // Where rows rise together, a correction costs less than it may.
            if (found.crossed || found.row.is_significant()) {
                found.too_few.reset();
            }
        }
        return all;
    }

    [[nodiscard]] bool is_scaled(const value_type& type) const {
        return captures().is_scaled(
            static_cast<std::size_t>(std::ranges::find(types(), type) - types().begin()));
    }

    // The members that judge_limits() asks for.

    // Those on named functions are tested together.
    void test_limits(const std::vector<limit_place>& places, std::vector<compared_limit>& all) {
        std::vector<compared_limit*> named;
        std::vector<compared_row*> rows;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            all[i].do_rounds_differ = is_of_rounds(captures().reader().limits()[number], type);
            if (is_of_some(captures().reader().limits()[number])) {
                all[i].is_gone = captures().is_gone(number);
                all[i].row = row_of(type, {sample_group::kind::limit, number});
                named.push_back(&all[i]);
                rows.push_back(&all[i].row);
                estimate(type, all[i].row);
            } else {
                all[i].row = totals().rows[type];
                all[i].too_few = too_few_for(all[i], totals().too_few);
            }
        }
        const family_test::family found = tests().test(rows, family_kind::mixed);
        for (compared_limit* const each : named) {
            each->too_few = too_few_for(*each, found.too_few);
        }
    }

    // A new name for what was there is no growth.
    bool is_beyond(const limit& l, std::size_t type, const compared_row& row) {
        return tests().is_beyond(l, types()[type], row) &&
               (row.other_name.empty() || limit::is_of_value(l.on));
    }

    void count_noisy(const limit& l, std::size_t type, std::span<const compared_row> judged,
                     compared_limit& found) {
        if (!m_options.is_tested || limit::is_of_value(l.on)) {
            return;
        }
        found.judged = judged.size();
        const double percent =
            static_cast<double>(l.threshold.digits) / std::pow(10.0, l.threshold.decimals);
        std::vector<double> parts; // that would be found, of the base; infinite for none
        double all = 0;            // of the base, as small rows vary most and matter least
        double noisy = 0;
        for (const compared_row& row : judged) {
            const double base = std::fabs(row.base.median);
            all += base;
            const double change = row.detectable.value_or(std::numeric_limits<double>::infinity());
            const double allowed = l.on == limit::bound::percent
                                       ? percent / 100 * base
                                       : in_unit(l.threshold, types()[type]).value_or(0);
            if (base > 0 && change > allowed && change > 0) {
                parts.push_back(change / base);
                noisy += base;
            }
        }
        found.noisy = parts.size();
        if (!parts.empty() && std::isfinite(median(parts))) {
            found.detectable_part = median(parts);
        }
        found.is_too_noisy = !found.crossed && noisy > 0 && noisy * 2 >= all;
        found.is_rare = !found.crossed && std::ranges::any_of(judged, [&](const compared_row& row) {
            return tests().is_rare_growth(l, types()[type], row);
        });
    }

    const std::vector<compared_row>& rows_of_each(std::size_t type, compared_limit& found) {
        const bool is_flat = found.of == limit::scope::each_leaf;
        results& known = m_of_types[type];
        std::optional<compared_family>& judged = is_flat ? known.judged_flat : known.judged_cum;
        if (!judged) {
            compared_family family = is_flat ? rows(type).flat : rows(type).cum;
            std::erase_if(family.rows,
                          [](const compared_row& row) { return runs_benchmarks(row.name); });
            leave_out_other_benchmarks(type, is_flat, family.rows);
            test(family, family_kind::judged_rows);
            judged = std::move(family);
        }
        found.too_few = too_few_for(found, judged->too_few);
        return judged->rows;
    }

    void sort_crossing(compared_limit& found) const {
        if (found.do_rounds_differ) {
            const std::set<std::string>& rows =
                found.of == limit::scope::each_leaf ? m_other_rounds.flat : m_other_rounds.cum;
            const std::size_t removed = std::erase_if(
                found.functions, [&](const compared_row& row) { return rows.contains(row.name); });
            found.crossed = !found.functions.empty();
            found.is_undecided = !found.crossed && removed != 0;
        }
        const auto amount_of = [&](const compared_row& row) {
            return found.on == limit::bound::value ? row.head.median : row.change;
        };
        std::ranges::sort(found.functions, [&](const compared_row& a, const compared_row& b) {
            return amount_of(a) != amount_of(b) ? amount_of(a) > amount_of(b) : a.name < b.name;
        });
    }

    // One test for rows and edges, as an edge is often all of its row.
    compared_calls calls(call_end asked_for, std::size_t type) {
        require(type);
        compared_calls found = sum_calls(asked_for, type);
        std::vector<compared_row*> rows;
        if (size_of(found.together) > 0) {
            rows.push_back(&found.together);
        }
        for (compared_calls::function& each : found.functions) {
            rows.push_back(&each.cum);
            for (compared_row& edge : each.edges) {
                rows.push_back(&edge);
            }
        }
        test_table(type, rows, found);
        for (compared_calls::function& each : found.functions) {
            std::ranges::sort(each.edges, is_larger_change);
        }
        std::ranges::sort(found.functions, is_larger_change, &compared_calls::function::cum);
        return found;
    }

    compared_tree tree(std::size_t type, const compared_tree_limits& limits) {
        require(type);
        std::optional<tested_tree>& all = m_of_types[type].tree;
        if (!all) {
            tested_tree made{estimated_tree(type)};
            test(made.stacks.rows(), family_kind::rows, made.found);
            all = std::move(made);
        }
        return cut(*all, captures().reader().names(), row_of(type, {}), limits);
    }

    compared_paths paths(std::size_t type, std::size_t most) {
        require(type);
        std::optional<stack_list>& all = m_of_types[type].paths;
        if (!all) {
            all = test_paths(type);
        }
        return cut(*all, captures().reader(), row_of(type, {}), most);
    }

    compared_causes causes(std::size_t type, std::size_t most) {
        constexpr double least_part = 0.05; // of the total's change
        require(type);
        std::optional<cause_tree>& all = m_of_types[type].causes;
        if (!all) {
            all = test_causes(type);
        }
        const change_tree::change total = change_of(totals().rows[type]);
        const double least = total.by != 0 ? least_part * std::fabs(total.by) : least_size(type);
        compared_causes made{.rest = row_of(type, {})};
        if (least == 0) {
            return made;
        }
        cause_search<compared_row> search{all->stacks, all->own, captures().reader().names(),
                                          [this](const auto& row) { return change_of(row); }};
        made.differing_roots = search.differing_roots([&](const compared_row& row) {
            return sides_of_place{row.base.has_any(), row.head.has_any()};
        });
        const auto functions = [&]() -> const auto& { return rows(type).flat.rows; };
        const auto joined = [](const compared_row& gone, const compared_row& now) {
            compared_row row;
            row.base = gone.base;
            row.head = now.head;
            row.change = row.head.median - row.base.median;
            return row;
        };
        made.causes = search.find(total, least, most, functions, joined);
        for (const change_cause<compared_row>& each : made.causes) {
            if (each.depth == 0) {
                subtract_values(made.rest, each.value);
            }
        }
        estimate(type, made.rest);
        tests().test({&made.rest}, family_kind::mixed);
        return made;
    }

    /// Goes before what needs captures on both sides, and the place of a type.
    /// @throws error invalid_argument
    void require(std::size_t type) {
        static_cast<void>(tests());
        captures().reader().require_type(type);
    }

    /// The tests are those of as many captures as there are.
    /// @throws error invalid_argument without captures on both sides, as many for pairs.
    family_test& tests() {
        if (!m_tests) {
            m_tests.emplace(m_options, captures().count(compare_side::base),
                            captures().count(compare_side::head));
        }
        return *m_tests;
    }

private:
    // None, if it may be noise.
    [[nodiscard]] change_tree::change change_of(const compared_row& row) const {
        return {row.base.median, row.head.median,
                row.is_significant() || !m_options.is_tested ? row.change : 0};
    }

    // A slower machine makes these values larger. Samples are of the time beside them.
    [[nodiscard]] bool is_of_time(const value_type& type) const {
        const auto has_time = [](const value_type& sample_type) {
            const std::optional<unit> known = type_unit(sample_type.unit);
            return known && known->of == dimension::time;
        };
        return has_time(type) ||
               (type == value_type{"samples", "count"} && std::ranges::any_of(types(), has_time));
    }

    [[nodiscard]] compared_row row_of(std::size_t type, const sample_group& samples) const {
        return scale_row(captures(), type, sums_of(captures(), type, samples));
    }

    // Smaller rows are left out.
    [[nodiscard]] double least_size(std::size_t type) const {
        return m_filter.least_size(types()[type], row_of(type, {}));
    }

    compared_calls sum_calls(call_end asked_for, std::size_t type) {
        const capture_reader& reader = captures().reader();
        const std::unique_ptr<const name_pattern>& pattern =
            asked_for == call_end::callee ? m_callers_of : m_callees_of;
        const double least = least_size(type);
        compared_calls found;
        for (const compare_side side : both_sides) {
            values_of(found.together, side).resize(captures().count(side));
        }
        std::vector<bool> are_asked(reader.names().size());
        std::vector<std::uint32_t> places(reader.names().size(), stack_frames::none);
        for (std::uint32_t name = 0; name < places.size(); ++name) {
            are_asked[name] = pattern && pattern->is_in(reader.names().name(name));
            compared_row cum =
                are_asked[name] ? row_of(type, {sample_group::kind::cum, name}) : compared_row{};
            if (is_large(cum, least, found.left_out)) {
                cum.name = reader.names().name(name);
                places[name] = static_cast<std::uint32_t>(found.functions.size());
                found.functions.push_back({.cum = std::move(cum)});
            }
        }
        keyed_list<call_sum<compared_row>> edges;
        for (std::uint32_t stack = 0; stack < reader.stacks().size(); ++stack) {
            const compared_row sums = sums_of_stack(captures(), type, stack);
            add_calls(stack, reader.frames(stack), asked_for, places, edges,
                      [&](compared_row& to) { add_values(to, sums); });
            if (has_any(reader.frames(stack), are_asked)) {
                add_values(found.together, sums);
            }
        }
        found.together = scale_row(captures(), type, std::move(found.together));
        std::vector<call_sum<compared_row>> in_order = edges.values();
        std::ranges::sort(in_order, [](const auto& a, const auto& b) {
            return std::tuple{a.first_stack, b.depth} < std::tuple{b.first_stack, a.depth};
        });
        for (call_sum<compared_row>& each : in_order) {
            compared_calls::function& of = found.functions[each.function];
            compared_row edge = scale_row(captures(), type, std::move(each.value));
            if (is_large(edge, least, of.left_out)) {
                edge.name = reader.names().name(each.other);
                of.edges.push_back(std::move(edge));
            }
        }
        return found;
    }

    // A row must have its values.
    void estimate(std::size_t type, compared_row& row, bool is_total = false) {
        if (!tests().is_moderated()) {
            tests().estimate(row);
            return;
        }
        std::optional<moderated_test>& test = m_of_types[type].moderated;
        if (!test) {
            test = moderated_by_rows(type);
        }
        tests().estimate(row, *test, least_variance(type, row), is_total);
    }
    void estimate(std::size_t type, const std::vector<compared_row*>& rows) {
        std::ranges::for_each(rows, [&](compared_row* row) { estimate(type, *row); });
    }

    // The variance is of the roots of counted events, which captures can have equally many of by
    // chance. Those that are sampled have the variance of Poisson's distribution, which is a
    // quarter for each root of an event; all that are counted may be one more or one less.
    double least_variance(std::size_t type, const compared_row& row) {
        const double size = size_of(row);
        if (size == 0) {
            return 0;
        }
        const double event = row.events > 0 ? size / row.events : step_of(type);
        return captures().source_of_events(type).are_sampled ? event / 4
                                                             : event * event / (4 * size);
    }

    // The unit of which all values of a type are multiples, such as the time between two samples.
    double step_of(std::size_t type) {
        std::optional<double>& known = m_of_types[type].step;
        if (!known) {
            std::int64_t step = 0;
            for (std::uint32_t name = 0; name < captures().reader().names().size(); ++name) {
                const compared_row row =
                    sums_of(captures(), type, {sample_group::kind::flat, name});
                for (const double value : all_values(row)) {
                    step = std::gcd(step, to_nearest(std::fabs(value)));
                }
            }
            known = static_cast<double>(std::max<std::int64_t>(step, 1));
        }
        return *known;
    }

    // All rows of a type that are not too small take part, whichever are shown.
    moderated_test moderated_by_rows(std::size_t type) {
        const std::size_t base = captures().count(compare_side::base);
        std::vector<std::vector<double>> rows;
        const double least = least_size(type);
        for (std::uint32_t name = 0; name < captures().reader().names().size(); ++name) {
            const compared_row row = row_of(type, {sample_group::kind::flat, name});
            if (const double size = size_of(row); size > 0 && size >= least) {
                rows.push_back(all_values(row));
            }
        }
        return {base, captures().count(compare_side::head), rows};
    }

    // The rows must have been estimated.
    template <typename Family>
    void test(const std::vector<compared_row*>& rows, family_kind kind, Family& family) {
        const family_test::family tested = tests().test(rows, kind);
        family.hypotheses = tested.hypotheses;
        family.too_few = tested.too_few;
    }
    void test(compared_family& family, family_kind kind) {
        std::vector<compared_row*> rows;
        append_pointers(rows, family.rows);
        test(rows, kind, family);
    }

    // Rows that have their values, for what is corrected as a table.
    template <typename Family>
    void test_table(std::size_t type, const std::vector<compared_row*>& rows, Family& family) {
        estimate(type, rows);
        test(rows, family_kind::rows, family);
    }

    // A tree's own test, or that of causes, is taken where it is known.
    stack_tree<compared_row> estimated_tree(std::size_t type) {
        const results& known = m_of_types[type];
        if (known.tree || known.causes) {
            return known.tree ? known.tree->stacks : known.causes->stacks;
        }
        const capture_reader& reader = captures().reader();
        stack_tree<compared_row> made =
            make_stack_tree(reader.stacks(), reader.names(), reader.no_stack(),
                            {.width = least_size(type)}, compared_sums{captures(), type});
        estimate(type, made.rows());
        return made;
    }

    cause_tree test_causes(std::size_t type) {
        const double least = least_size(type);
        cause_tree made{estimated_tree(type), {}};
        made.own = own_rows(made.stacks, compared_sums{captures(), type});
        std::vector<compared_row*> tested = made.stacks.rows();
        for (compared_row& each : made.own) {
            if (size_of(each) > 0 && size_of(each) >= least) {
                estimate(type, each);
                tested.push_back(&each);
            }
        }
        tests().test(tested, family_kind::rows);
        return made;
    }

    stack_list test_paths(std::size_t type) {
        const double least = least_size(type);
        stack_list made;
        for (std::uint32_t stack = 0; stack < captures().reader().stacks().size(); ++stack) {
            compared_row value = row_of(type, {sample_group::kind::stack, stack});
            if (is_large(value, least, made.found.too_small)) {
                made.stacks.emplace_back(stack, std::move(value));
            }
        }
        std::vector<compared_row*> rows;
        for (auto& [stack, value] : made.stacks) {
            rows.push_back(&value);
        }
        test_table(type, rows, made.found);
        // Equal ones as they came.
        std::ranges::stable_sort(made.stacks, [](const auto& a, const auto& b) {
            return is_larger_change(a.second, b.second);
        });
        return made;
    }

    compared_family test_totals() {
        compared_family family;
        for (std::size_t type = 0; type < types().size(); ++type) {
            family.rows.push_back(row_of(type, {}));
            estimate(type, family.rows.back(), true);
        }
        test(family, family_kind::mixed);
        return family;
    }

    compared_rows test_rows(std::size_t type) {
        compared_rows result;
        const auto row_of_samples = [&](const sample_group& samples) {
            return row_of(type, samples);
        };
        estimate(type,
                 choose_rows(captures().reader().names(), m_filter, least_size(type),
                             row_of_samples, result.flat.rows, result.cum.rows, result.left_out));
        result.folded_functions = captures().reader().names().folded();
        const std::map<std::string, std::string> renamed = find_renamed(type);
        for (compared_family* const family : {&result.flat, &result.cum}) {
            test(*family, family_kind::rows);
            std::ranges::sort(family->rows, is_larger_change);
            for (compared_row& row : family->rows) {
                if (const auto found = renamed.find(row.name); found != renamed.end()) {
                    row.other_name = found->second;
                }
            }
        }
        return result;
    }

    // Pairs of names, both ways, as compared_row::other_name has it. Names of one side only stand
    // for any such name in the callers and callees that have to be equal, so that a function and
    // its caller may have been renamed together.
    std::map<std::string, std::string> find_renamed(std::size_t type) {
        const capture_reader& reader = captures().reader();
        struct function {
            bool is_gone = false;
            compared_row flat{};
            compared_row cum{};
            std::set<std::uint32_t> callers{};
            std::set<std::uint32_t> callees{};
        };
        constexpr std::uint32_t any = stack_frames::none;
        std::map<std::uint32_t, function> functions; // of one side only
        for (std::uint32_t name = 0; name < reader.names().size(); ++name) {
            const bool was_there = captures().side(compare_side::base).has(name);
            if (was_there != captures().side(compare_side::head).has(name)) {
                functions[name] = {was_there, row_of(type, {sample_group::kind::flat, name}),
                                   row_of(type, {sample_group::kind::cum, name})};
            }
        }
        if (functions.empty()) {
            return {};
        }
        const auto known = [&](std::uint32_t name) {
            return functions.contains(name) ? any : name;
        };
        for (std::uint32_t stack = 0; stack < reader.stacks().size(); ++stack) {
            stack_frames frames = reader.frames(stack);
            std::uint32_t caller = frames.take();
            while (caller != stack_frames::none) {
                const std::uint32_t callee = frames.take();
                if (const auto found = functions.find(caller);
                    found != functions.end() && callee != stack_frames::none) {
                    found->second.callees.insert(known(callee));
                }
                if (const auto found = functions.find(callee); found != functions.end()) {
                    found->second.callers.insert(known(caller));
                }
                caller = callee;
            }
        }
        const auto is_close = [&](const compared_row& gone, const compared_row& came) {
            const double before = median(gone.base.values);
            return std::fabs(median(came.head.values) - before) <=
                   m_options.min_change * std::fabs(before);
        };
        const auto are_close = [&](std::uint32_t gone, std::uint32_t came) {
            return is_close(functions[gone].cum, functions[came].cum) &&
                   is_close(functions[gone].flat, functions[came].flat);
        };
        // The only one that is close; none if there are several.
        const auto only = [&](const std::vector<std::uint32_t>& all, const auto& fits) {
            std::uint32_t found = any;
            for (const std::uint32_t each : all) {
                if (fits(each)) {
                    if (found != any) {
                        return any;
                    }
                    found = each;
                }
            }
            return found;
        };
        struct alike {
            std::vector<std::uint32_t> gone{};
            std::vector<std::uint32_t> came{};
        };
        std::map<std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>>, alike> groups;
        for (const auto& [name, each] : functions) {
            alike& group = groups[{each.callers, each.callees}];
            (each.is_gone ? group.gone : group.came).push_back(name);
        }
        std::map<std::string, std::string> found;
        for (const auto& [calls, group] : groups) {
            constexpr std::size_t most = 100; // where many are alike, none is surely another
            if (std::max(group.gone.size(), group.came.size()) > most) {
                continue;
            }
            for (const std::uint32_t came : group.came) {
                const std::uint32_t gone =
                    only(group.gone, [&](std::uint32_t each) { return are_close(each, came); });
                const bool is_only = gone != any && only(group.came, [&](std::uint32_t each) {
                                                        return are_close(gone, each);
                                                    }) == came;
                if (is_only) {
                    found[reader.names().name(came)] = reader.names().name(gone);
                    found[reader.names().name(gone)] = reader.names().name(came);
                }
            }
        }
        return found;
    }

    std::optional<too_few_captures> too_few_for(const compared_limit& limit,
                                                const std::optional<too_few_captures>& family) {
        return limit.on == limit::bound::value ? tests().too_few_for_value() : family;
    }

    // Finds the stacks that have other rounds on both sides, and their rows. A stack of no
    // benchmark, as of a goroutine that one starts, may be of any.
    void find_rounds(const std::function<bool(const std::string& function)>& do_rounds_differ) {
        const capture_reader& reader = captures().reader();
        m_other_rounds = {};
        std::vector<bool> are_other(reader.names().size());
        std::vector<bool> are_benchmarks(reader.names().size());
        for (std::uint32_t name = 0; do_rounds_differ && name < are_other.size(); ++name) {
            are_other[name] = do_rounds_differ(reader.names().name(name));
            are_benchmarks[name] = !benchmark_name(reader.names().name(name)).empty();
        }
        if (std::ranges::find(are_other, true) == are_other.end()) {
            return;
        }
        for (std::uint32_t stack = 0; stack < reader.stacks().size(); ++stack) {
            if (has_any(reader.frames(stack), are_other) ||
                !has_any(reader.frames(stack), are_benchmarks)) {
                const std::vector<std::uint32_t> rows = rows_of_stack(stack);
                for (const std::uint32_t row : rows) {
                    m_other_rounds.cum.insert(reader.names().name(row));
                }
                m_other_rounds.flat.insert(reader.names().name(rows.back()));
                m_other_rounds.stacks.push_back(stack);
            }
        }
    }

    // Whether a limit is on the growth of what was counted in other rounds. What a label selects
    // may be.
    [[nodiscard]] bool is_of_rounds(const limit& l, std::size_t type) const {
        const profile_types& all = captures().reader().all_types();
        if (m_other_rounds.stacks.empty() || limit::is_of_value(l.on) ||
            kind_of(types()[type], all.period_type, true) == value_kind::gauge) {
            return false;
        }
        if (l.of != limit::scope::through && l.of != limit::scope::leaf) {
            return true;
        }
        const name_pattern pattern{l.functions};
        const row_names& names = captures().reader().names();
        return std::ranges::any_of(m_other_rounds.stacks, [&](std::uint32_t stack) {
            const std::vector<std::uint32_t> rows = rows_of_stack(stack);
            return std::any_of(l.of == limit::scope::leaf ? rows.end() - 1 : rows.begin(),
                               rows.end(),
                               [&](std::uint32_t row) { return pattern.is_in(names.name(row)); });
        });
    }

    // The outermost first.
    [[nodiscard]] std::vector<std::uint32_t> rows_of_stack(std::uint32_t stack) const {
        std::vector<std::uint32_t> rows;
        stack_frames frames = captures().reader().frames(stack);
        for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
            rows.push_back(row);
        }
        return rows;
    }

    // Whether Go's package testing runs nothing in a stack that was given to it: it formats
    // results, or matches names.
    [[nodiscard]] bool is_of_testing(const std::vector<std::uint32_t>& rows) const {
        bool is_testing = false;
        bool was_run = false; // by the frame before
        for (const std::uint32_t row : rows) {
            const std::string& name = captures().reader().names().name(row);
            const bool is_here = runs_benchmarks(name);
            if (!benchmark_name(name).empty() ||
                (was_run && !is_here && !name.starts_with("runtime."))) {
                return false;
            }
            is_testing |= is_here;
            was_run = name == "testing.(*B).runN" || name == "testing.tRunner";
        }
        return is_testing;
    }

    // Takes away from rows what they have in stacks of benchmarks that one side alone has, and in
    // those of what runs benchmarks, which grow with their number.
    void leave_out_other_benchmarks(std::size_t type, bool is_flat,
                                    std::vector<compared_row>& rows) {
        const capture_reader& reader = captures().reader();
        std::vector<bool> are_single(reader.names().size());
        bool has_benchmarks = false;
        for (std::uint32_t name = 0; name < are_single.size(); ++name) {
            if (!benchmark_name(reader.names().name(name)).empty()) {
                has_benchmarks = true;
                are_single[name] = captures().side(compare_side::base).has(name) !=
                                   captures().side(compare_side::head).has(name);
            }
        }
        if (!has_benchmarks) {
            return;
        }
        std::map<std::string, compared_row> left_out;
        for (std::uint32_t stack = 0; stack < reader.stacks().size(); ++stack) {
            std::vector<std::uint32_t> frames = rows_of_stack(stack);
            if (!has_any(reader.frames(stack), are_single) && !is_of_testing(frames)) {
                continue;
            }
            const compared_row sums = sums_of_stack(captures(), type, stack);
            if (is_flat) {
                frames = {frames.back()};
            }
            for (const std::uint32_t row : std::set<std::uint32_t>{frames.begin(), frames.end()}) {
                add_values(left_out[reader.names().name(row)], sums);
            }
        }
        std::erase_if(rows, [&](compared_row& row) {
            const auto found = left_out.find(row.name);
            if (found != left_out.end()) {
                subtract_values(row, scale_row(captures(), type, std::move(found->second)));
                estimate(type, row);
            }
            return size_of(row) == 0;
        });
    }

    // What has other rounds on both sides: stacks, and rows by name.
    struct other_rounds {
        std::vector<std::uint32_t> stacks{};
        std::set<std::string> flat{};
        std::set<std::string> cum{};
    };

    // The results of one type.
    struct results {
        std::optional<compared_rows> rows{};
        std::optional<moderated_test> moderated{};
        std::optional<double> step{};
        std::optional<compared_family> judged_flat{};
        std::optional<compared_family> judged_cum{};
        std::optional<tested_tree> tree{};
        std::optional<cause_tree> causes{};
        std::optional<stack_list> paths{};
    };

    compare_options m_options;
    capture_set m_captures;
    row_filter m_filter;
    std::unique_ptr<const name_pattern> m_callers_of; // nullptr for none
    std::unique_ptr<const name_pattern> m_callees_of;
    // These are kept until another capture is added.
    std::optional<family_test> m_tests;
    std::optional<compared_family> m_totals;
    std::map<std::size_t, results> m_of_types;
    other_rounds m_other_rounds; // of the limits that are being judged
};

const char* to_string(compare_side side) noexcept {
    return side == compare_side::base ? "base" : "head";
}

// The names follow the order of the declarations.

const char* to_string(correction correct) noexcept {
    constexpr std::array names{"holm", "bh", "none"};
    return names[static_cast<std::size_t>(correct)];
}

const char* to_string(test_kind kind) noexcept {
    constexpr std::array names{"auto", "ranks", "moderated"};
    return names[static_cast<std::size_t>(kind)];
}

const char* to_string(verdict found) noexcept {
    constexpr std::array names{"grew", "fell", "same", "unsure", "too few"};
    return names[static_cast<std::size_t>(found)];
}

std::string_view benchmark_name(std::string_view function) noexcept {
    constexpr std::string_view start = "Benchmark";
    const std::size_t dot = function.rfind(".Benchmark");
    const std::string_view name = dot == std::string_view::npos ? "" : function.substr(dot + 1);
    // Other languages have names that are no identifiers, and mean something in Markdown.
    const bool is_of_go = std::ranges::all_of(name, [](char c) {
        return is_in_word(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    });
    // The name of a test goes on with no small letter.
    const bool has_word = name.size() > start.size() && is_lower(name[start.size()]);
    const std::size_t inner = std::min(name.find('.'), name.size());
    const std::string_view rest = name.substr(inner);
    const bool is_whole = rest.empty() || rest.starts_with(".func");
    return has_word || !is_whole || !is_of_go ? "" : name;
}

profile_comparison::profile_comparison(const compare_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_comparison::~profile_comparison() = default;

void profile_comparison::add(compare_side to, const viewed_profiles& capture) {
    m_impl->add(to, viewed_profiles::impl::of(capture).main().whole_as(m_impl->types()));
}

std::optional<normalization> profile_comparison::normalized_by() const {
    return m_impl->captures().normalized_by();
}

value_pair profile_comparison::durations() const { return m_impl->captures().durations(); }

std::size_t profile_comparison::captures(compare_side side) const noexcept {
    return m_impl->captures().count(side);
}

const std::vector<value_type>& profile_comparison::types() const noexcept {
    return m_impl->types();
}

std::size_t profile_comparison::find_type(const std::optional<value_type_pattern>& pattern) const {
    return m_impl->captures().reader().find_type(pattern);
}

std::optional<compare_side> profile_comparison::older_side() const noexcept {
    return m_impl->captures().older_side();
}

std::vector<std::string> profile_comparison::programs(compare_side side) const {
    return m_impl->captures().side(side).programs();
}

bool profile_comparison::is_head_foreign() const { return m_impl->captures().is_head_foreign(); }

test_kind profile_comparison::test() const noexcept { return m_impl->test(); }

compared_family profile_comparison::totals() const { return m_impl->totals(); }

compared_rows profile_comparison::rows(std::size_t type) const { return m_impl->rows(type); }

compared_calls profile_comparison::callers(std::size_t type) const {
    return m_impl->calls(call_end::callee, type);
}

compared_calls profile_comparison::callees(std::size_t type) const {
    return m_impl->calls(call_end::caller, type);
}

compared_tree profile_comparison::tree(std::size_t type, const compared_tree_limits& limits) const {
    return m_impl->tree(type, limits);
}

compared_paths profile_comparison::paths(std::size_t type, std::size_t most) const {
    return m_impl->paths(type, most);
}

compared_causes profile_comparison::causes(std::size_t type, std::size_t most) const {
    return m_impl->causes(type, most);
}

std::vector<compared_limit> profile_comparison::judge(
    const std::function<bool(const std::string& function)>& do_rounds_differ) const {
    return m_impl->judge(do_rounds_differ);
}

std::vector<std::size_t> profile_comparison::samples(compare_side side, std::size_t type) const {
    m_impl->require(type);
    std::vector<std::size_t> counts;
    for (const capture& each : m_impl->captures().side(side).all()) {
        counts.push_back(each.samples[type]);
    }
    return counts;
}

std::vector<double> profile_comparison::factors(compare_side side, std::size_t type) const {
    m_impl->require(type);
    return m_impl->captures().factors(side, type);
}

pprofdelta::flame_graph profile_comparison::flame_graph(std::size_t type,
                                                        const flame_graph_limits& limits) const {
    m_impl->require(type);
    return draw(m_impl->captures(), type, limits);
}

} // namespace pprofdelta
