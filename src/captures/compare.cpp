// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
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
#include "captures/captures.hpp"
#include "captures/study.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "select/names.hpp"
#include "select/units.hpp"
#include "select/viewed_profiles.hpp"
#include "views/calls.hpp"
#include "views/causes.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

namespace {

constexpr std::array both_sides{compare_side::base, compare_side::head};

constexpr std::size_t place_of(compare_side side) { return static_cast<std::size_t>(side); }

/// The captures of two sides, each kept by itself.
class capture_set {
public:
    capture_set(const compare_options& options, std::vector<limit> limits)
        : m_options{options}, m_normalized_by{options.normalized_by}, m_reader{options,
                                                                               std::move(limits),
                                                                               true} {}

    /// See profile_comparison::add().
    void add(compare_side to, const profile_index& index) {
        const std::size_t type = choose_type(index, {});
        m_reader.require_types_of(index);
        if (m_options.normalized_by == normalization::duration && index.view.duration_nanos <= 0) {
            throw error{error_kind::incompatible, "the profile has no duration to normalize by"};
        }
        m_reader.read(index, type,
                      "capture " + std::to_string(count(to) + 1) + " of the " + to_string(to),
                      m_sides[place_of(to)]);
        if (!m_options.normalized_by && m_options.scales_durations) {
            const value_pair medians = durations();
            m_normalized_by = durations_differ(medians.previous, medians.current)
                                  ? std::optional{normalization::duration}
                                  : std::nullopt;
        }
    }

    /// The same as in profile_comparison; likewise below.
    [[nodiscard]] std::optional<normalization> normalized_by() const noexcept {
        return m_normalized_by;
    }
    [[nodiscard]] value_pair durations() const {
        value_pair medians;
        for (const compare_side each : both_sides) {
            std::vector<double> all;
            for (const capture& c : side(each).all()) {
                if (c.duration_nanos <= 0) {
                    return {};
                }
                all.push_back(static_cast<double>(c.duration_nanos));
            }
            (each == compare_side::base ? medians.previous : medians.current) =
                all.empty() ? 0 : to_nearest(median(all));
        }
        return medians;
    }

    [[nodiscard]] std::size_t count(compare_side which) const noexcept {
        return side(which).all().size();
    }
    /// Its usual type is that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }
    [[nodiscard]] const capture_list& side(compare_side which) const noexcept {
        return m_sides[place_of(which)];
    }

    /// The same as in profile_comparison; likewise below.
    [[nodiscard]] bool is_head_foreign() const {
        const auto& [base, head] = m_sides;
        if (base.programs() == head.programs()) {
            return false;
        }
        std::size_t in_base = 0;
        std::size_t in_head = 0;
        std::size_t in_both = 0;
        for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
            const bool base_has = base.has(row);
            const bool head_has = head.has(row);
            in_base += base_has ? 1 : 0;
            in_head += head_has ? 1 : 0;
            in_both += base_has && head_has ? 1 : 0;
        }
        return in_both * 2 < std::min(in_base, in_head);
    }

    [[nodiscard]] std::optional<compare_side> older_side() const noexcept {
        struct times {
            std::int64_t first = std::numeric_limits<std::int64_t>::max();
            std::int64_t last = std::numeric_limits<std::int64_t>::min();
        };
        std::array<times, 2> of_sides;
        for (const compare_side each : both_sides) {
            times& of = of_sides[place_of(each)];
            for (const capture& c : side(each).all()) {
                if (c.time_nanos != 0) {
                    of.first = std::min(of.first, c.time_nanos);
                    of.last = std::max(of.last, c.time_nanos);
                }
            }
            if (of.first > of.last) {
                return std::nullopt;
            }
        }
        if (of_sides[0].last < of_sides[1].first) {
            return compare_side::base;
        }
        return of_sides[1].last < of_sides[0].first ? std::optional{compare_side::head}
                                                    : std::nullopt;
    }

    /// Values of one side, capture by capture; scaled, if that was asked for.
    [[nodiscard]] std::vector<double> scaled(compare_side side, std::size_t type,
                                             std::vector<double> sums) const {
        if (m_normalized_by) {
            const std::vector<double> by = factors(side, type);
            // Whole numbers, as products of what was equal differ in their last digits, and a test
            // would take that for a difference.
            std::ranges::transform(sums, by, sums.begin(), [](double number, double factor) {
                return std::round(number * factor);
            });
        }
        return sums;
    }

    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const {
        return m_sides[0].has_match(limit) || m_sides[1].has_match(limit);
    }
    /// Whether one of the base does, and none of the head.
    [[nodiscard]] bool is_gone(std::size_t limit) const {
        return m_sides[0].has_match(limit) && !m_sides[1].has_match(limit);
    }

    /// The way a type is counted, by the largest period of all captures.
    [[nodiscard]] event_source source_of_events(std::size_t type) const {
        std::int64_t period = 0;
        for (const capture_list& each : m_sides) {
            for (const capture& c : each.all()) {
                period = std::max(period, c.period);
            }
        }
        return event_source_of(m_reader.all_types(), type, period);
    }

    /// The same as in compared_row; 0 for a test that does not need it.
    [[nodiscard]] double events(std::size_t type, const sample_group& samples) const {
        const auto [base, head] = std::pair{m_sides[0].all().size(), m_sides[1].all().size()};
        if (test_of(m_options, base, head) != test_kind::moderated) {
            return 0;
        }
        return source_of_events(type).events([&](std::size_t each) {
            return mean_size(m_sides[0].values(each, samples), m_sides[1].values(each, samples));
        });
    }

    /// The factor by which each capture is multiplied.
    [[nodiscard]] std::vector<double> factors(compare_side which, std::size_t type) const {
        const profile_types& types = m_reader.all_types();
        if (!m_normalized_by ||
            (m_normalized_by == normalization::duration &&
             kind_of(types.sample_types[type], types.period_type, true) == value_kind::gauge)) {
            return std::vector<double>(count(which), 1.0);
        }
        const auto size_of = [&](const capture& c) {
            return static_cast<double>(m_normalized_by == normalization::duration ? c.duration_nanos
                                                                                  : c.totals[type]);
        };
        std::vector<double> sizes;
        for (const capture& c : side(compare_side::head).all()) {
            sizes.push_back(size_of(c));
        }
        const double usual = median(sizes);
        std::vector<double> result;
        for (const capture& c : side(which).all()) {
            const double size = size_of(c);
            result.push_back(size == 0 ? 0 : usual / size);
        }
        return result;
    }

private:
    compare_options m_options;
    std::optional<normalization> m_normalized_by; // which may depend on the captures
    capture_reader m_reader;
    std::array<capture_list, 2> m_sides;
};

template <typename Row>
auto& values_of(Row& row, compare_side side) {
    return side == compare_side::base ? row.base.values : row.head.values;
}

bool have_same_values(const compared_row& a, const compared_row& b) {
    return a.base.values == b.base.values && a.head.values == b.head.values;
}

// Adds or subtracts the values of a row. One without captures is one of zeros.
template <typename Operation>
void change_values(compared_row& to, Operation operation, const compared_row& change) {
    for (const compare_side side : both_sides) {
        std::vector<double>& values = values_of(to, side);
        const std::vector<double>& others = values_of(change, side);
        values.resize(std::max(values.size(), others.size()));
        std::ranges::transform(values, others, values.begin(), operation);
    }
    to.events = operation(to.events, change.events);
}

void add_values(compared_row& to, const compared_row& more) {
    change_values(to, std::plus{}, more);
}
void subtract_values(compared_row& from, const compared_row& less) {
    change_values(from, std::minus{}, less);
}

double share(const std::vector<double>& part, const std::vector<double>& all) {
    const double whole = median(all);
    return part.empty() || whole == 0 ? 0 : median(part) / whole;
}

compared_part part_of(const compared_row& row, const compared_row& total) {
    return {share(row.base.values, total.base.values), share(row.head.values, total.head.values)};
}

// Before it is scaled.
compared_row sums_of(const capture_set& captures, std::size_t type, const sample_group& samples) {
    compared_row sums;
    for (const compare_side side : both_sides) {
        values_of(sums, side) = captures.side(side).values(type, samples);
    }
    sums.events = captures.events(type, samples);
    return sums;
}

compared_row sums_of_stack(const capture_set& captures, std::size_t type, std::uint32_t stack) {
    return sums_of(captures, type, {sample_group::kind::stack, stack});
}

compared_row scale_row(const capture_set& captures, std::size_t type, compared_row sums) {
    for (const compare_side side : both_sides) {
        values_of(sums, side) = captures.scaled(side, type, std::move(values_of(sums, side)));
    }
    return sums;
}

/// The sums of stacks, as make_tree_of_stacks() asks for them.
struct compared_sums {
    const capture_set& captures;
    std::size_t type;

    [[nodiscard]] compared_row of_stack(std::uint32_t stack) const {
        return sums_of_stack(captures, type, stack);
    }
    [[nodiscard]] compared_row scaled(compared_row sums) const {
        return scale_row(captures, type, std::move(sums));
    }
    static void add(compared_row& to, const compared_row& more) { add_values(to, more); }
    [[nodiscard]] static bool are_equal(const compared_row& a, const compared_row& b) {
        return have_same_values(a, b);
    }
};

// The median of what captures have, each by its factor, to be shown.
std::int64_t scaled_median(const std::vector<double>& sums, const std::vector<double>& factors) {
    std::vector<double> values;
    std::ranges::transform(sums, factors, std::back_inserter(values), std::multiplies<>{});
    return to_nearest(median(values));
}

flame_graph draw(const capture_set& captures, std::size_t type, const flame_graph_limits& limits) {
    flame_graph graph;
    graph.type = captures.reader().types()[type];
    std::array<std::vector<double>, 2> factors;
    std::array<side_of_pair, 2> pair{&value_pair::previous, &value_pair::current};
    for (const compare_side side : both_sides) {
        if (captures.count(side) == 0) {
            refuse("a flame graph needs at least one capture of each side");
        }
        factors[place_of(side)] = captures.factors(side, type);
        graph.total.*pair[place_of(side)] =
            scaled_median(captures.side(side).values(type, {}), factors[place_of(side)]);
    }
    // The width is that of the means, which add up, so that no frame is wider than its caller.
    const auto mean_width = [&](compare_side side, const compared_row& sums) {
        double width = 0;
        const std::vector<double>& values = values_of(sums, side);
        for (std::size_t i = 0; i < values.size(); ++i) {
            width += std::fabs(values[i] *
                               (factors[place_of(side)][i] / static_cast<double>(values.size())));
        }
        return width;
    };
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < captures.reader().stacks().size(); ++stack) {
        const compared_row sums = sums_of_stack(captures, type, stack);
        if (size_of(sums) > 0) {
            stacks.push_back({stack, mean_width(compare_side::head, sums),
                              mean_width(compare_side::base, sums)});
        }
    }
    // A frame may have a median where the other side has none; it is left out below if it has no
    // width.
    flame_graph_limits of_both = limits;
    of_both.keeps_previous = true;
    flame_tree tree = make_tree(captures.reader().stacks(), stacks, of_both);
    const std::vector<compared_row> sums =
        sums_of_nodes<compared_row>(stacks, tree, compared_sums{captures, type});
    for (std::size_t i = 0; i < sums.size(); ++i) {
        for (const compare_side side : both_sides) {
            tree.nodes[i].value.*pair[place_of(side)] =
                scaled_median(values_of(sums[i], side), factors[place_of(side)]);
        }
    }
    put_widths(tree.nodes);
    graph.left_out = tree.left_out;
    write_tree(limits.keeps_previous ? tree.nodes : with_width(tree.nodes, graph),
               captures.reader().names(), graph);
    return graph;
}

/// All that is large enough of the tree of both sides' stacks, of which a compared_tree shows some.
struct stack_tree : tree_of_stacks<compared_row> {
    compared_tree found{}; ///< The tree as it stands for any limits.
};

// Makes the nodes of all captures together, and then what each capture has in them. Nothing of it
// is tested.
// @param least the size of what is large enough: the mean over all captures of both sides.
stack_tree make_stack_tree(const capture_set& captures, std::size_t type, double least) {
    stack_tree made{
        make_tree_of_stacks<compared_row>(captures.reader(), least, compared_sums{captures, type}),
        {}};
    made.found.too_small = made.left_out;
    return made;
}

// Takes nodes in the order in which they are shown.
// @param total counts all samples.
compared_tree cut(const stack_tree& tree, const capture_reader& names, const compared_row& total,
                  const compared_tree_limits& limits) {
    std::vector<std::uint32_t> named;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        if (!tree.nodes[i].rows.empty()) {
            named.push_back(i);
        }
    }
    compared_tree made = tree.found;
    made.left_out = named.size(); // until they are put
    std::ranges::stable_sort(named, [&](std::uint32_t a, std::uint32_t b) {
        return size_of(tree.nodes[a].cum) > size_of(tree.nodes[b].cum);
    });
    named.resize(std::min(named.size(), limits.most_nodes));
    std::vector<bool> is_large(tree.nodes.size());
    for (const std::uint32_t each : named) {
        is_large[each] = true;
    }
    compared_row covered = tree.nodes.front().cum;
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        return is_larger_change(tree.nodes[b].cum, tree.nodes[a].cum);
    };
    walk(tree.nodes, is_before, [&](std::uint32_t number, std::uint32_t depth) {
        const stack_tree::node& node = tree.nodes[number];
        const bool is_deep = depth >= limits.deepest;
        if (is_deep || !is_large[number]) {
            if (!is_deep) {
                subtract_values(covered, node.cum);
            }
            return false;
        }
        --made.left_out;
        made.nodes.push_back(
            {.frames = names_of(node.rows, names), .depth = depth, .cum = node.cum});
        return true;
    });
    made.coverage = part_of(covered, total);
    return made;
}

// The stacks, and what each node has beside its nodes with frames, without values if it has none.
// All that is not too small is tested together, so that alpha is the chance that anything is named
// where nothing changed.
struct cause_tree {
    stack_tree stacks;
    std::vector<compared_row> own;
};

/// All stacks that are large enough, of which compared_paths are some: `name` is empty.
struct stack_list {
    std::vector<std::pair<std::uint32_t, compared_row>>
        stacks{};           ///< The stacks with their numbers.
    compared_paths found{}; ///< The paths as they stand for any limit.
};

// @param total counts all samples.
compared_paths cut(const stack_list& list, const capture_reader& names, const compared_row& total,
                   std::size_t most) {
    compared_paths made = list.found;
    made.left_out = list.stacks.size() - std::min(list.stacks.size(), most);
    compared_row covered;
    for (std::size_t i = 0; i < list.stacks.size() - made.left_out; ++i) {
        const auto& [number, value] = list.stacks[i];
        const innermost_frames frames = take_innermost(names.frames(number), call_paths::longest);
        made.paths.push_back(
            {.frames = names_of(frames.rows, names), .left_out = frames.left_out, .value = value});
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

class profile_comparison::impl final : public study<capture_set, compared_rows, compared_limit> {
public:
    impl(const compare_options& options, std::vector<limit> limits)
        : study{options, std::move(limits)}, m_options{options} {
        m_callers_of = compiled_pattern(options.callers_of);
        m_callees_of = compiled_pattern(options.callees_of);
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

    std::vector<compared_limit> judge() {
        std::vector<compared_limit> all = study::judge();
        for (compared_limit& found : all) {
            found.is_undecided = found.crossed && m_options.is_tested && !m_options.trusts_order &&
                                 is_of_time(found.type) && captures().older_side().has_value();
            found.crossed = found.crossed && !found.is_undecided;
        }
        return all;
    }

    // One test for rows and edges, as an edge is often all of its row.
    compared_calls calls(call_end asked_for, std::size_t type) {
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
        std::optional<stack_tree>& all = m_of_types[type].tree;
        if (!all) {
            stack_tree made = estimated_tree(type);
            test(made.rows(), family_kind::rows, made.found);
            all = std::move(made);
        }
        return cut(*all, captures().reader(), row_of(type, {}), limits);
    }

    compared_paths paths(std::size_t type, std::size_t most) {
        std::optional<stack_list>& all = m_of_types[type].paths;
        if (!all) {
            all = test_paths(type);
        }
        return cut(*all, captures().reader(), row_of(type, {}), most);
    }

    compared_causes causes(std::size_t type, std::size_t most) {
        constexpr double least_part = 0.05; // of the total's change
        std::optional<cause_tree>& all = m_of_types[type].causes;
        if (!all) {
            all = test_causes(type);
        }
        const change_tree::change total = change_of(totals().rows[type]);
        const double least =
            total.by != 0 ? least_part * std::fabs(total.by) : least_size(type, row_of(type, {}));
        compared_causes made{.rest = row_of(type, {})};
        if (least == 0) {
            return made;
        }
        change_tree tree;
        std::vector<const compared_row*> values; // of its changes, and then of functions
        for (const stack_tree::node& each : all->stacks.nodes) {
            tree.nodes.push_back({each.parent, each.rows});
            values.push_back(&each.cum);
        }
        for (const compared_row& each : all->own) {
            values.push_back(&each);
        }
        std::ranges::transform(values, std::back_inserter(tree.changes),
                               [&](const compared_row* row) { return change_of(*row); });
        const auto has_samples = [](const compared_values& side) {
            return std::ranges::any_of(side.values, [](auto value) { return value != 0; });
        };
        made.differing_roots = differing_roots(
            tree.nodes,
            [&](std::size_t node) {
                return sides_of_place{has_samples(values[node]->base),
                                      has_samples(values[node]->head)};
            },
            [&](std::uint32_t row) { return names_of({row}, captures().reader()).front(); });
        const auto functions = [&] {
            std::vector<double> changes;
            for (const compared_row& each : rows(type).flat.rows) {
                values.push_back(&each);
                changes.push_back(change_of(each).by);
            }
            return changes;
        };
        for (const found_cause& each : find_causes(tree, total, functions, least, most)) {
            compared_causes::cause& cause = made.causes.emplace_back();
            cause.of = each.of;
            cause.depth = each.depth;
            const compared_row& row = *values[each.place];
            cause.frames = each.of == cause_kind::function
                               ? std::vector{row.name}
                               : names_of(each.rows, captures().reader());
            if (each.of == cause_kind::renamed) {
                cause.previous_name = values[each.gone]->name;
            }
            if (each.gone != 0) {
                cause.row.base = values[each.gone]->base;
                cause.row.head = row.head;
                cause.row.change = row.head.median - cause.row.base.median;
            } else {
                cause.row = row;
            }
            if (each.depth == 0) {
                subtract_values(made.rest, cause.row);
            }
        }
        estimate(type, made.rest);
        tests().test({&made.rest}, family_kind::mixed);
        return made;
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
        m_of_types.clear();
    }

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

    compared_row row_of(std::size_t type, const sample_group& samples) override {
        return scale_row(captures(), type, sums_of(captures(), type, samples));
    }

    compared_calls sum_calls(call_end asked_for, std::size_t type) {
        const capture_reader& reader = captures().reader();
        const std::unique_ptr<const name_pattern>& pattern =
            asked_for == call_end::callee ? m_callers_of : m_callees_of;
        const double least = least_size(type, row_of(type, {}));
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
        const double least = least_size(type, row_of(type, {}));
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
    stack_tree estimated_tree(std::size_t type) {
        const results& known = m_of_types[type];
        if (known.tree || known.causes) {
            return known.tree ? *known.tree : known.causes->stacks;
        }
        stack_tree made = make_stack_tree(captures(), type, least_size(type, row_of(type, {})));
        estimate(type, made.rows());
        return made;
    }

    cause_tree test_causes(std::size_t type) {
        const double least = least_size(type, row_of(type, {}));
        cause_tree made{estimated_tree(type), {}};
        const auto untested = [](const compared_row& row) {
            compared_row values;
            values.base.values = row.base.values;
            values.head.values = row.head.values;
            return values;
        };
        made.own = own_rows<compared_row>(made.stacks.nodes, untested, subtract_values);
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
        const double least = least_size(type, row_of(type, {}));
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

    compared_rows test_rows(std::size_t type) override {
        compared_rows result;
        estimate(type, add_rows(type, row_of(type, {}), result.flat.rows, result.cum.rows,
                                result.left_out));
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

    // Those on named functions are tested together.
    void test_limits(const std::vector<place>& places, std::vector<compared_limit>& all) override {
        std::vector<compared_limit*> named;
        std::vector<compared_row*> rows;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            if (is_of_some(limits()[number])) {
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

    std::optional<too_few_captures> too_few_for(const compared_limit& limit,
                                                const std::optional<too_few_captures>& family) {
        return limit.on == limit::bound::value ? tests().too_few_for_value() : family;
    }

    // A new name for what was there is no growth.
    bool is_beyond(const limit& l, std::size_t type, const compared_row& row) override {
        return tests().is_beyond(l, types()[type], row) &&
               (row.other_name.empty() || limit::is_of_value(l.on));
    }

    void count_noisy(const limit& l, std::size_t type, std::span<const compared_row> judged,
                     compared_limit& found) const override {
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
    }

    const std::vector<compared_row>& rows_of_each(std::size_t type,
                                                  compared_limit& found) override {
        const bool is_flat = found.of == limit::scope::each_leaf;
        results& known = m_of_types[type];
        std::optional<compared_family>& judged = is_flat ? known.judged_flat : known.judged_cum;
        if (!judged) {
            compared_family family = is_flat ? rows(type).flat : rows(type).cum;
            std::erase_if(family.rows,
                          [](const compared_row& row) { return runs_benchmarks(row.name); });
            leave_out_single_benchmarks(type, is_flat, family.rows);
            test(family, family_kind::judged_rows);
            judged = std::move(family);
        }
        found.too_few = too_few_for(found, judged->too_few);
        return judged->rows;
    }

    // Takes away from rows what they have in stacks of benchmarks that one side alone has.
    void leave_out_single_benchmarks(std::size_t type, bool is_flat,
                                     std::vector<compared_row>& rows) {
        const capture_reader& reader = captures().reader();
        std::vector<bool> are_single(reader.names().size());
        for (std::uint32_t name = 0; name < are_single.size(); ++name) {
            are_single[name] = captures().side(compare_side::base).has(name) !=
                                   captures().side(compare_side::head).has(name) &&
                               !benchmark_name(reader.names().name(name)).empty();
        }
        if (std::ranges::find(are_single, true) == are_single.end()) {
            return;
        }
        std::map<std::string, compared_row> left_out;
        for (std::uint32_t stack = 0; stack < reader.stacks().size(); ++stack) {
            if (!has_any(reader.frames(stack), are_single)) {
                continue;
            }
            std::vector<std::uint32_t> frames;
            stack_frames all = reader.frames(stack);
            for (std::uint32_t row = all.take(); row != stack_frames::none; row = all.take()) {
                frames.push_back(row);
            }
            const compared_row sums =
                scale_row(captures(), type, sums_of_stack(captures(), type, stack));
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
                subtract_values(row, found->second);
                estimate(type, row);
            }
            return size_of(row) == 0;
        });
    }

    void sort_crossing(compared_limit& found) const override {
        const auto amount_of = [&](const compared_row& row) {
            return found.on == limit::bound::value ? row.head.median : row.change;
        };
        std::ranges::sort(found.functions, [&](const compared_row& a, const compared_row& b) {
            return amount_of(a) != amount_of(b) ? amount_of(a) > amount_of(b) : a.name < b.name;
        });
    }

    // The results of one type.
    struct results {
        std::optional<moderated_test> moderated{};
        std::optional<double> step{};
        std::optional<compared_family> judged_flat{};
        std::optional<compared_family> judged_cum{};
        std::optional<stack_tree> tree{};
        std::optional<cause_tree> causes{};
        std::optional<stack_list> paths{};
    };

    compare_options m_options;
    std::unique_ptr<const name_pattern> m_callers_of; // nullptr for none
    std::unique_ptr<const name_pattern> m_callees_of;
    // These are kept until another capture is added.
    std::optional<family_test> m_tests;
    std::optional<compared_family> m_totals;
    std::map<std::size_t, results> m_of_types;
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
    return m_impl->find_type(pattern);
}

std::optional<compare_side> profile_comparison::older_side() const noexcept {
    return m_impl->captures().older_side();
}

std::vector<std::string> profile_comparison::programs(compare_side side) const {
    return m_impl->captures().side(side).programs();
}

bool profile_comparison::is_head_foreign() const { return m_impl->captures().is_head_foreign(); }

test_kind profile_comparison::test() const noexcept { return m_impl->test(); }

compared_family profile_comparison::totals() { return m_impl->totals(); }

compared_rows profile_comparison::rows(std::size_t type) { return m_impl->rows(type); }

compared_calls profile_comparison::callers(std::size_t type) {
    return m_impl->calls(call_end::callee, type);
}

compared_calls profile_comparison::callees(std::size_t type) {
    return m_impl->calls(call_end::caller, type);
}

compared_tree profile_comparison::tree(std::size_t type, const compared_tree_limits& limits) {
    return m_impl->tree(type, limits);
}

compared_paths profile_comparison::paths(std::size_t type, std::size_t most) {
    return m_impl->paths(type, most);
}

compared_causes profile_comparison::causes(std::size_t type, std::size_t most) {
    return m_impl->causes(type, most);
}

std::vector<compared_limit> profile_comparison::judge() { return m_impl->judge(); }

std::vector<std::size_t> profile_comparison::samples(compare_side side, std::size_t type) const {
    std::vector<std::size_t> counts;
    for (const capture& each : m_impl->captures().side(side).all()) {
        counts.push_back(each.samples[type]);
    }
    return counts;
}

std::vector<double> profile_comparison::factors(compare_side side, std::size_t type) const {
    return m_impl->captures().factors(side, type);
}

pprofdelta::flame_graph profile_comparison::flame_graph(std::size_t type,
                                                        const flame_graph_limits& limits) const {
    return draw(m_impl->captures(), type, limits);
}

} // namespace pprofdelta
