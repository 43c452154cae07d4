// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/compare.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/captures.hpp"
#include "captures/study.hpp"
#include "profile/index.hpp"
#include "select/sample_type.hpp"
#include "select/units.hpp"
#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

namespace {

constexpr std::array both_sides{compare_side::base, compare_side::head};

/// What captures of two sides add up to, each by itself.
class capture_set {
public:
    capture_set(const compare_options& options, std::vector<limit> limits)
        : m_normalized_by{options.normalized_by}, m_reader{options, std::move(limits),
                                                           options.callers_of, options.callees_of,
                                                           options.keeps_stacks} {}

    /// As profile_comparison::add() has it.
    void add(compare_side to, const profile_index& index) {
        const std::size_t type = choose_type(index, {});
        m_reader.require_types_of(index);
        if (m_normalized_by == normalization::duration && index.view.duration_nanos <= 0) {
            throw error{error_kind::incompatible, "the profile has no duration to normalize by"};
        }
        m_reader.read(index, type,
                      "capture " + std::to_string(count(to) + 1) + " of the " + to_string(to),
                      m_sides[static_cast<std::size_t>(to)]);
    }

    [[nodiscard]] std::size_t count(compare_side of) const noexcept {
        return side(of).all().size();
    }
    /// Its usual type is that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }
    /// As profile_comparison has it, as the next two.
    [[nodiscard]] std::vector<std::string> programs(compare_side of) const {
        return side(of).programs();
    }

    [[nodiscard]] bool is_head_foreign() const {
        if (programs(compare_side::base) == programs(compare_side::head)) {
            return false;
        }
        std::size_t in_base = 0;
        std::size_t in_head = 0;
        std::size_t in_both = 0;
        for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
            const bool base_has = side(compare_side::base).has(row);
            const bool head_has = side(compare_side::head).has(row);
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
            times& of = of_sides[static_cast<std::size_t>(each)];
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
    using column = capture_list::column;

    [[nodiscard]] column values(compare_side of, std::size_t type,
                                const sample_group& samples) const {
        return scaled(of, type, sums(of, type, samples));
    }
    /// The same before they are scaled, to be added up.
    [[nodiscard]] column sums(compare_side of, std::size_t type,
                              const sample_group& samples) const {
        return side(of).values(type, samples);
    }
    [[nodiscard]] column scaled(compare_side of, std::size_t type, column sums) const {
        if (m_normalized_by) {
            const column by = factors(of, type);
            // Whole numbers, as products of what was equal differ in their last digits, and a test
            // would take that for a difference.
            std::transform(
                sums.begin(), sums.end(), by.begin(), sums.begin(),
                [](double number, double factor) { return std::round(number * factor); });
        }
        return sums;
    }

    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const {
        return side(compare_side::base).has_match(limit) ||
               side(compare_side::head).has_match(limit);
    }

    /// As profile_comparison has it.
    [[nodiscard]] std::vector<std::size_t> samples(compare_side of, std::size_t type) const {
        std::vector<std::size_t> counts;
        for (const capture& c : side(of).all()) {
            counts.push_back(c.samples[type]);
        }
        return counts;
    }

    /// By what each is multiplied.
    [[nodiscard]] column factors(compare_side of, std::size_t type) const {
        if (!m_normalized_by) {
            return column(count(of), 1.0);
        }
        const auto size_of = [&](const capture& c) {
            return static_cast<double>(m_normalized_by == normalization::duration ? c.duration_nanos
                                                                                  : c.totals[type]);
        };
        column sizes;
        for (const capture& c : side(compare_side::head).all()) {
            sizes.push_back(size_of(c));
        }
        const double usual = median(sizes);
        column result;
        for (const capture& c : side(of).all()) {
            const double size = size_of(c);
            result.push_back(size == 0 ? 0 : usual / size);
        }
        return result;
    }

private:
    [[nodiscard]] const capture_list& side(compare_side of) const noexcept {
        return m_sides[static_cast<std::size_t>(of)];
    }

    std::optional<normalization> m_normalized_by;
    capture_reader m_reader;
    std::array<capture_list, 2> m_sides;
};

template <typename Row>
auto& values_of(Row& row, compare_side of) {
    return of == compare_side::base ? row.base.values : row.head.values;
}

bool have_same_values(const compared_row& a, const compared_row& b) {
    return a.base.values == b.base.values && a.head.values == b.head.values;
}

// A row without captures is one of zeros.
void add_values(compared_row& to, const compared_row& more) {
    for (const compare_side side : both_sides) {
        std::vector<double>& sums = values_of(to, side);
        const std::vector<double>& added = values_of(more, side);
        sums.resize(added.size());
        std::transform(sums.begin(), sums.end(), added.begin(), sums.begin(), std::plus<>{});
    }
}

void subtract_values(compared_row& from, const compared_row& less) {
    for (const compare_side side : both_sides) {
        std::vector<double>& values = values_of(from, side);
        const std::vector<double>& subtracted = values_of(less, side);
        std::transform(subtracted.begin(), subtracted.end(), values.begin(), values.begin(),
                       [](double without, double all) { return all - without; });
    }
}

double share(const std::vector<double>& of, const std::vector<double>& all) {
    const double whole = median(all);
    return of.empty() || whole == 0 ? 0 : median(of) / whole;
}

compared_part part_of(const compared_row& row, const compared_row& total) {
    return {share(row.base.values, total.base.values), share(row.head.values, total.head.values)};
}

// Before it is scaled.
compared_row sums_of_stack(const capture_set& captures, std::size_t type, std::uint32_t stack) {
    compared_row sums;
    for (const compare_side side : both_sides) {
        values_of(sums, side) = captures.sums(side, type, {sample_group::kind::stack, stack});
    }
    return sums;
}

compared_row scale_row(const capture_set& captures, std::size_t type, compared_row sums) {
    for (const compare_side side : both_sides) {
        values_of(sums, side) = captures.scaled(side, type, std::move(values_of(sums, side)));
    }
    return sums;
}

compared_row row_of_stack(const capture_set& captures, std::size_t type, std::uint32_t stack) {
    return scale_row(captures, type, sums_of_stack(captures, type, stack));
}

std::vector<std::string> names_of(const std::vector<std::uint32_t>& rows,
                                  const capture_reader& names) {
    std::vector<std::string> all;
    std::transform(rows.begin(), rows.end(), std::back_inserter(all),
                   [&](std::uint32_t row) { return names.names().name(row); });
    return all;
}

/// All that is large enough of the tree of both sides' stacks, of which a compared_tree shows some.
struct stack_tree {
    struct node {
        std::uint32_t parent = 0; ///< Stands before it. The first node is the root.
        /// Of its frames; none of the root, and of all that is too small below its parent.
        std::vector<std::uint32_t> rows{};
        compared_row cum{}; ///< With the name of the first frame.
    };

    std::vector<node> nodes{};
    std::size_t too_small = 0; ///< As compared_tree has it, as the next.
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};

    /// Those of nodes with frames, to be tested.
    [[nodiscard]] std::vector<compared_row*> rows() {
        std::vector<compared_row*> all;
        for (node& each : nodes) {
            if (!each.rows.empty()) {
                all.push_back(&each.cum);
            }
        }
        return all;
    }
};

// Makes the nodes of all captures together, and then what each capture has in them.
class tree_of_captures {
public:
    // @param least the size of what is large enough: the mean over all captures of both sides.
    tree_of_captures(const capture_set& captures, std::size_t type, double least)
        : m_captures{captures}, m_type{type} {
        const stack_set& stacks = captures.reader().stacks();
        for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
            if (const double size = size_of(row_of_stack(captures, type, stack)); size > 0) {
                m_stacks.push_back({stack, size, 0});
            }
        }
        const double whole =
            std::accumulate(m_stacks.begin(), m_stacks.end(), 0.0,
                            [](double sum, const wide_stack& each) { return sum + each.width; });
        m_tree = make_tree(stacks, m_stacks,
                           {.narrowest = whole > 0 ? least / whole : 0, .sums_left_out = true});
        put_no_stack(least);
    }

    // Nothing of it is tested.
    [[nodiscard]] stack_tree made() {
        std::vector<compared_row> values = add_up();
        std::vector<std::size_t> children(values.size());
        for (std::size_t i = 1; i < values.size(); ++i) {
            ++children[m_tree.nodes[i].parent];
        }
        stack_tree made{.too_small = m_tree.left_out};
        std::vector<std::uint32_t> places; // of the nodes in what is made
        for (std::size_t i = 0; i < values.size(); ++i) {
            const tree_node& node = m_tree.nodes[i];
            const bool has_frame = i != 0 && node.row != tree_node::left_out;
            const std::uint32_t parent = i == 0 ? 0 : places[node.parent];
            if (has_frame && node.parent != 0 && children[node.parent] == 1 &&
                have_same_values(made.nodes[parent].cum, values[i])) {
                places.push_back(parent);
                made.nodes[parent].rows.push_back(node.row);
                continue;
            }
            places.push_back(static_cast<std::uint32_t>(made.nodes.size()));
            stack_tree::node& added = made.nodes.emplace_back();
            added.parent = parent;
            if (has_frame) {
                values[i].name = m_captures.reader().names().name(node.row);
                added.rows.push_back(node.row);
            }
            added.cum = std::move(values[i]);
        }
        return made;
    }

private:
    // Samples without a stack, which end at the root, are a node like others.
    void put_no_stack(double least) {
        for (std::size_t i = 0; i < m_stacks.size(); ++i) {
            flame_tree::end& end = m_tree.ends[i];
            if (end.node == 0 && !end.is_left_out) {
                const bool is_small = m_stacks[i].width < least;
                m_tree.left_out += is_small ? 1 : 0;
                end.node = static_cast<std::uint32_t>(m_tree.nodes.size());
                m_tree.nodes.push_back(
                    {.row = is_small ? tree_node::left_out : m_captures.reader().no_stack()});
            }
        }
    }

    // Sums are scaled when they are complete, as those of rows.
    [[nodiscard]] std::vector<compared_row> add_up() const {
        std::vector<compared_row> sums(m_tree.nodes.size());
        for (std::size_t i = 0; i < m_stacks.size(); ++i) {
            add_values(sums[m_tree.ends[i].node],
                       sums_of_stack(m_captures, m_type, m_stacks[i].stack));
        }
        for (std::size_t i = sums.size() - 1; i > 0; --i) {
            add_values(sums[m_tree.nodes[i].parent], sums[i]);
        }
        std::transform(sums.begin(), sums.end(), sums.begin(), [&](compared_row& each) {
            return scale_row(m_captures, m_type, std::move(each));
        });
        return sums;
    }

    const capture_set& m_captures;
    std::size_t m_type;
    std::vector<wide_stack> m_stacks; // as wide as the mean over all captures of both sides
    flame_tree m_tree;
};

// Takes nodes in the order in which they are shown.
class tree_cutter {
public:
    tree_cutter(const stack_tree& of, const capture_reader& names,
                const compared_tree_limits& limits)
        : m_of{of}, m_names{names}, m_deepest{limits.deepest}, m_children(of.nodes.size()),
          m_is_large(of.nodes.size()) {
        std::vector<std::uint32_t> named;
        for (std::uint32_t i = 1; i < of.nodes.size(); ++i) {
            m_children[of.nodes[i].parent].push_back(i);
            if (!of.nodes[i].rows.empty()) {
                named.push_back(i);
            }
        }
        m_made.left_out = named.size(); // until they are put
        std::stable_sort(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
            return size_of(of.nodes[a].cum) > size_of(of.nodes[b].cum);
        });
        named.resize(std::min(named.size(), limits.most_nodes));
        for (const std::uint32_t each : named) {
            m_is_large[each] = true;
        }
    }

    // @param total of all samples.
    [[nodiscard]] compared_tree cut(const compared_row& total) {
        put_children(0, 0);
        while (!m_waiting.empty()) {
            const auto [node, depth] = m_waiting.back();
            m_waiting.pop_back();
            --m_made.left_out;
            const stack_tree::node& put = m_of.nodes[node];
            m_made.nodes.push_back(
                {.frames = names_of(put.rows, m_names), .depth = depth, .cum = put.cum});
            put_children(node, depth + 1);
        }
        m_made.coverage = part_of(covered(), total);
        m_made.too_small = m_of.too_small;
        m_made.questions = m_of.questions;
        m_made.too_few = m_of.too_few;
        return std::move(m_made);
    }

private:
    // The first one is the next to be put.
    void put_children(std::uint32_t node, std::uint32_t depth) {
        if (depth >= m_deepest) {
            return;
        }
        std::vector<std::uint32_t>& children = m_children[node];
        std::sort(children.begin(), children.end(), [&](std::uint32_t a, std::uint32_t b) {
            return is_larger_change(m_of.nodes[b].cum, m_of.nodes[a].cum);
        });
        for (const std::uint32_t child : children) {
            if (m_is_large[child]) {
                m_waiting.emplace_back(child, depth);
            } else {
                add_values(m_missing, m_of.nodes[child].cum);
            }
        }
    }

    [[nodiscard]] compared_row covered() const {
        compared_row covered = m_of.nodes.front().cum;
        subtract_values(covered, m_missing);
        return covered;
    }

    const stack_tree& m_of;
    const capture_reader& m_names;
    std::uint32_t m_deepest;
    std::vector<std::vector<std::uint32_t>> m_children;
    std::vector<bool> m_is_large;                                   // by node
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_waiting; // nodes and their depths
    compared_row m_missing;
    compared_tree m_made;
};

// The stacks, and what each node has beside its nodes with frames, without values if it has none.
// All that is not too small is tested together, so that alpha is the chance that anything is named
// where nothing changed.
struct cause_tree {
    stack_tree stacks;
    std::vector<compared_row> own;
};

// Follows the change of a total down the tree.
class cause_finder {
public:
    cause_finder(const cause_tree& all, const capture_reader& names, bool is_tested)
        : m_of{all.stacks}, m_own{all.own}, m_names{names}, m_is_tested{is_tested},
          m_children(m_of.nodes.size()), m_largest(m_of.nodes.size()) {
        const stack_tree& of = m_of;
        for (std::uint32_t i = 1; i < of.nodes.size(); ++i) {
            if (!of.nodes[i].rows.empty()) {
                m_children[of.nodes[i].parent].push_back(i);
            }
        }
        for (std::size_t i = of.nodes.size(); i-- > 0;) {
            m_largest[i] =
                std::max({m_largest[i], change_of(of.nodes[i].cum), change_of(m_own[i])});
            double& above = m_largest[of.nodes[i].parent];
            above = std::max(above, m_largest[i]);
        }
    }

    // @param least change of what is a cause.
    [[nodiscard]] std::vector<compared_causes::cause> find(const compared_row& total,
                                                           double least) {
        m_found.clear();
        m_least = least;
        // What nearly all samples go through says nothing.
        m_start = 0;
        for (bool has_moved = true; has_moved;) {
            has_moved = false;
            for (const std::uint32_t child : m_children[m_start]) {
                const compared_part part = part_of(m_of.nodes[child].cum, total);
                if (part.base >= nearly && part.head >= nearly) {
                    m_start = child;
                    has_moved = true;
                    break;
                }
            }
        }
        put_parts(m_start, 0, {});
        return m_found.empty() && m_children[m_start].empty() ? find_start() : m_found;
    }

    // What nearly all samples go through, if nothing else changed.
    [[nodiscard]] std::vector<compared_causes::cause> find_start() {
        m_found.clear();
        if (m_start != 0) {
            put(m_start, 0, {});
        }
        return m_found;
    }

private:
    using cause = compared_causes::cause;
    static constexpr double nearly = 0.95;    // of all samples
    static constexpr double heirs_part = 0.9; // of a change
    static constexpr double alike = 0.1;      // the most by which two functions differ
    static constexpr std::uint32_t levels = 3;

    // 0 if it is not real.
    [[nodiscard]] double change_of(const compared_row& row) const {
        return row.is_real() || !m_is_tested ? std::fabs(row.change) : 0;
    }
    [[nodiscard]] bool is_cause(const compared_row& row) const { return change_of(row) >= m_least; }

    [[nodiscard]] std::vector<std::uint32_t> parts_of(std::uint32_t node) const {
        std::vector<std::uint32_t> parts;
        std::copy_if(m_children[node].begin(), m_children[node].end(), std::back_inserter(parts),
                     [&](std::uint32_t child) { return m_largest[child] >= m_least; });
        return parts;
    }

    // The one that has nearly all of a node's change; 0 for none.
    [[nodiscard]] std::uint32_t heir_of(std::uint32_t node) const {
        const std::vector<std::uint32_t> parts = parts_of(node);
        if (parts.size() != 1 || is_cause(m_own[node]) || !is_cause(m_of.nodes[parts[0]].cum)) {
            return 0;
        }
        const double part = m_of.nodes[parts[0]].cum.change / m_of.nodes[node].cum.change;
        return part >= heirs_part && part <= 1 / heirs_part ? parts[0] : 0;
    }

    // What changed in a node, but not with all of it.
    // @param above frames up to the node that did not change as a whole.
    void put_parts(std::uint32_t node, std::uint32_t depth,
                   const std::vector<std::uint32_t>& above) {
        std::vector<std::uint32_t> parts = parts_of(node);
        put_renamed(parts, depth, above);
        std::sort(parts.begin(), parts.end(), [&](std::uint32_t a, std::uint32_t b) {
            return m_largest[a] != m_largest[b] ? m_largest[a] > m_largest[b] : a < b;
        });
        auto part = parts.begin();
        const compared_row& own = m_own[node];
        for (; part != parts.end() && m_largest[*part] >= change_of(own); ++part) {
            put(*part, depth, above);
        }
        if (is_cause(own)) {
            const std::vector<std::uint32_t>& rows = above.empty() ? m_of.nodes[node].rows : above;
            m_found.push_back(
                {.of = compared_causes::kind::itself,
                 .frames = names_of({rows.end() - (rows.empty() ? 0 : 1), rows.end()}, m_names),
                 .depth = depth,
                 .row = own});
        }
        for (; part != parts.end(); ++part) {
            put(*part, depth, above);
        }
    }

    void put(std::uint32_t node, std::uint32_t depth, std::vector<std::uint32_t> frames) {
        const auto add = [&] {
            const std::vector<std::uint32_t>& rows = m_of.nodes[node].rows;
            frames.insert(frames.end(), rows.begin(), rows.end());
        };
        add();
        if (!is_cause(m_of.nodes[node].cum)) {
            put_parts(node, depth, frames);
            return;
        }
        for (std::uint32_t heir = heir_of(node); heir != 0; heir = heir_of(node)) {
            node = heir;
            add();
        }
        m_found.push_back(
            {.frames = names_of(frames, m_names), .depth = depth, .row = m_of.nodes[node].cum});
        if (depth + 1 < levels) {
            put_parts(node, depth + 1, {});
        }
    }

    // Takes pairs out of `parts` of which one came, and one went that looks like it.
    void put_renamed(std::vector<std::uint32_t>& parts, std::uint32_t depth,
                     const std::vector<std::uint32_t>& above) {
        for (const std::uint32_t gone : std::vector<std::uint32_t>{parts}) {
            const auto found = std::find_if(parts.begin(), parts.end(), [&](std::uint32_t other) {
                return is_renamed(gone, other);
            });
            if (found == parts.end()) {
                continue;
            }
            const std::uint32_t came = *found;
            std::vector<std::uint32_t> frames = above;
            frames.push_back(m_of.nodes[came].rows.front());
            cause both{.of = compared_causes::kind::renamed,
                       .frames = names_of(frames, m_names),
                       .formerly = m_of.nodes[gone].cum.name,
                       .depth = depth,
                       .row = {}};
            both.row.base = m_of.nodes[gone].cum.base;
            both.row.head = m_of.nodes[came].cum.head;
            both.row.change = both.row.head.median - both.row.base.median;
            m_found.push_back(std::move(both));
            std::erase(parts, gone);
            std::erase(parts, came);
        }
    }

    [[nodiscard]] bool is_renamed(std::uint32_t from, std::uint32_t to) const {
        const compared_row& gone = m_of.nodes[from].cum;
        const compared_row& came = m_of.nodes[to].cum;
        const double before = gone.base.median;
        const double now = came.head.median;
        return is_cause(gone) && is_cause(came) && gone.head.median == 0 && came.base.median == 0 &&
               std::fabs(now - before) <= alike * std::fabs(before) &&
               callees_of(from) == callees_of(to);
    }

    // All below the first frame of a node, but for what is too small.
    [[nodiscard]] std::vector<std::uint32_t> callees_of(std::uint32_t node) const {
        const std::vector<std::uint32_t>& rows = m_of.nodes[node].rows;
        std::vector<std::uint32_t> callees(rows.begin() + 1, rows.end());
        for (const std::uint32_t child : m_children[node]) {
            callees.push_back(m_of.nodes[child].rows.front());
        }
        std::sort(callees.begin(), callees.end());
        return callees;
    }

    const stack_tree& m_of;
    const std::vector<compared_row>& m_own;
    const capture_reader& m_names;
    bool m_is_tested;
    std::vector<std::vector<std::uint32_t>> m_children;
    std::vector<double> m_largest; // the largest change of a node and all below it
    double m_least = 0;
    std::uint32_t m_start = 0;
    std::vector<cause> m_found;
};

/// All stacks that are large enough, of which compared_paths are some.
struct stack_list {
    struct stack {
        std::uint32_t number = 0;
        compared_row value{};
    };

    std::vector<stack> stacks{};
    std::size_t too_small = 0; ///< As compared_paths has it, as the next.
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};

    /// Nothing of it is tested or sorted.
    /// @param least as for the tree.
    stack_list(const capture_set& captures, std::size_t type, double least) {
        for (std::uint32_t number = 0; number < captures.reader().stacks().size(); ++number) {
            compared_row value = row_of_stack(captures, type, number);
            const double size = size_of(value);
            if (size > 0 && size >= least) {
                stacks.push_back({number, std::move(value)});
            } else if (size > 0) {
                ++too_small;
            }
        }
    }

    /// To be tested.
    [[nodiscard]] std::vector<compared_row*> rows() {
        std::vector<compared_row*> all;
        std::transform(stacks.begin(), stacks.end(), std::back_inserter(all),
                       [](stack& each) { return &each.value; });
        return all;
    }

    /// Real changes first, and then the larger ones; equal ones as they came.
    void sort() {
        std::stable_sort(stacks.begin(), stacks.end(), [](const stack& a, const stack& b) {
            return is_larger_change(a.value, b.value);
        });
    }

    /// @param total of all samples.
    [[nodiscard]] compared_paths cut(const compared_row& total, const capture_reader& names,
                                     std::size_t most) const {
        compared_paths made{.left_out = stacks.size() - std::min(stacks.size(), most),
                            .too_small = too_small,
                            .questions = questions,
                            .too_few = too_few};
        compared_row covered;
        for (std::size_t i = 0; i < stacks.size() - made.left_out; ++i) {
            const auto& [number, value] = stacks[i];
            const innermost_frames frames =
                take_innermost(names.frames(number), call_paths::longest);
            made.paths.push_back({.frames = names_of(frames.rows, names),
                                  .left_out = frames.left_out,
                                  .value = value});
            add_values(covered, value);
        }
        made.coverage = part_of(covered, total);
        return made;
    }
};

void check(const compare_options& options, const std::vector<limit>& limits) {
    check_test(options);
    if (options.are_paired && options.test == test_kind::moderated) {
        refuse("a moderated test cannot compare pairs");
    }
    for (const limit& l : limits) {
        if (l.on == limit::bound::rate || l.on == limit::bound::share) {
            refuse("'" + l.text + "': " +
                   (l.on == limit::bound::rate ? "a rate needs a delta"
                                               : "a share is of one profile, and not of several"));
        }
        if (options.normalized_by == normalization::total && l.of == limit::scope::all &&
            l.on != limit::bound::value) {
            refuse("'" + l.text +
                   "': no change can cross this limit, because normalizing makes all totals equal");
        }
    }
}

// Of those that are not a part of others.
double sum_of(const std::vector<compared_causes::cause>& causes) {
    return std::accumulate(causes.begin(), causes.end(), 0.0,
                           [](double sum, const compared_causes::cause& each) {
                               return sum + (each.depth == 0 ? each.row.change : 0);
                           });
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
            std::sort(found.functions.begin(), found.functions.end(),
                      [&](const compared_row& a, const compared_row& b) {
                          const double of_a = judged_amount(a, found.on);
                          const double of_b = judged_amount(b, found.on);
                          return of_a != of_b ? of_a > of_b : a.name < b.name;
                      });
            found.is_undecided = found.crossed && m_options.is_tested && !m_options.trusts_order &&
                                 is_of_time(found.type) && captures().older_side().has_value();
            found.crossed = found.crossed && !found.is_undecided;
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
        test_table(type, rows, found);
        for (compared_calls::function& each : found.functions) {
            std::sort(each.edges.begin(), each.edges.end(), is_larger_change);
        }
        std::sort(found.functions.begin(), found.functions.end(),
                  [](const auto& a, const auto& b) { return is_larger_change(a.cum, b.cum); });
        return found;
    }

    const stack_tree& tree(std::size_t type) {
        return find_or_make(m_trees, type, [&] { return test_tree(type); });
    }

    compared_tree tree(std::size_t type, const compared_tree_limits& limits) {
        return tree_cutter{tree(type), captures().reader(), limits}.cut(row_of(type, {}));
    }

    compared_paths paths(std::size_t type, std::size_t most) {
        const stack_list& all = find_or_make(m_paths, type, [&] { return test_paths(type); });
        return all.cut(row_of(type, {}), captures().reader(), most);
    }

    compared_causes causes(std::size_t type, std::size_t most) {
        constexpr double least_part = 0.05; // of the total's change
        const cause_tree& all = find_or_make(m_causes, type, [&] { return test_causes(type); });
        const compared_row& total = totals().rows[type];
        const bool has_changed = total.is_real() || (!m_options.is_tested && total.change != 0);
        double least =
            has_changed ? least_part * std::fabs(total.change) : least_size(type, row_of(type, {}));
        compared_causes made{.rest = row_of(type, {})};
        if (least == 0) {
            return made;
        }
        cause_finder finder{all, captures().reader(), m_options.is_tested};
        const auto find = [&] { return finder.find(total, least); };
        for (made.causes = find(); made.causes.size() > most; made.causes = find()) {
            least *= 1.5;
        }
        // What many call changes a little everywhere.
        if (has_changed && std::fabs(sum_of(made.causes)) < std::fabs(total.change) / 2) {
            std::vector<compared_causes::cause> functions;
            for (const compared_row& row : rows(type).flat.rows) {
                if ((row.is_real() || !m_options.is_tested) && std::fabs(row.change) >= least &&
                    functions.size() < most) {
                    functions.push_back(
                        {.of = compared_causes::kind::function, .frames = {row.name}, .row = row});
                }
            }
            if (std::fabs(sum_of(functions)) > std::fabs(sum_of(made.causes))) {
                made.causes = std::move(functions);
            }
        }
        if (made.causes.empty()) {
            made.causes = finder.find_start();
        }
        for (const compared_causes::cause& each : made.causes) {
            if (each.depth == 0) {
                subtract_values(made.rest, each.row);
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
        m_moderated.clear();
        m_totals.reset();
        m_judged.clear();
        m_trees.clear();
        m_causes.clear();
        m_paths.clear();
    }

    // What takes longer when the machine is slower. Samples are of the time beside them.
    [[nodiscard]] bool is_of_time(const value_type& type) const {
        const auto has_time = [](const value_type& of) {
            const std::optional<unit> known = type_unit(of.unit);
            return known && known->of == dimension::time;
        };
        return has_time(type) || (type == value_type{"samples", "count"} &&
                                  std::any_of(types().begin(), types().end(), has_time));
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

    // A row must have its values.
    void estimate(std::size_t type, compared_row& row, bool is_total = false) {
        if (!tests().is_moderated()) {
            tests().estimate(row);
            return;
        }
        auto known = m_moderated.find(type);
        if (known == m_moderated.end()) {
            known = m_moderated.emplace(type, moderated_by_rows(type)).first;
        }
        tests().estimate(row, known->second, is_total);
    }
    void estimate(std::size_t type, const std::vector<compared_row*>& rows) {
        std::for_each(rows.begin(), rows.end(), [&](compared_row* row) { estimate(type, *row); });
    }

    // By all rows of a type that are not too small, whatever is asked for.
    moderated_test moderated_by_rows(std::size_t type) {
        const std::size_t base = captures().count(compare_side::base);
        std::vector<std::vector<double>> rows;
        const double least = least_size(type, row_of(type, {}));
        for (std::uint32_t name = 0; name < captures().reader().names().size(); ++name) {
            const compared_row row = row_of(type, {sample_group::kind::flat, name});
            if (const double size = size_of(row); size > 0 && size >= least) {
                std::vector<double>& values = rows.emplace_back(row.base.values);
                values.insert(values.end(), row.head.values.begin(), row.head.values.end());
            }
        }
        return {base, captures().count(compare_side::head), rows};
    }

    // The rows must have been estimated.
    template <typename Family>
    void test(const std::vector<compared_row*>& rows, family_kind kind, Family& of) {
        const family_test::family tested = tests().test(rows, kind);
        of.questions = tested.questions;
        of.too_few = tested.too_few;
    }
    void test(compared_family& family, family_kind kind) {
        std::vector<compared_row*> rows;
        std::transform(family.rows.begin(), family.rows.end(), std::back_inserter(rows),
                       [](compared_row& row) { return &row; });
        test(rows, kind, family);
    }

    // Rows that have their values, for what is corrected as a table.
    template <typename Family>
    void test_table(std::size_t type, const std::vector<compared_row*>& rows, Family& of) {
        estimate(type, rows);
        test(rows, family_kind::rows, of);
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
        stack_tree made = estimated_tree(type);
        test(made.rows(), family_kind::rows, made);
        return made;
    }

    // That of a tree's own test, or of causes, where it is known.
    stack_tree estimated_tree(std::size_t type) {
        if (const auto known = m_trees.find(type); known != m_trees.end()) {
            return known->second;
        }
        if (const auto known = m_causes.find(type); known != m_causes.end()) {
            return known->second.stacks;
        }
        stack_tree made =
            tree_of_captures{captures(), type, least_size(type, row_of(type, {}))}.made();
        estimate(type, made.rows());
        return made;
    }

    cause_tree test_causes(std::size_t type) {
        const double least = least_size(type, row_of(type, {}));
        cause_tree made{estimated_tree(type), {}};
        const std::vector<stack_tree::node>& nodes = made.stacks.nodes;
        made.own.resize(nodes.size());
        for (std::size_t i = nodes.size(); i-- > 1;) {
            const stack_tree::node& node = nodes[i];
            compared_row& above = made.own[node.parent];
            if (!node.rows.empty() && node.parent != 0) {
                if (above.base.values.empty()) {
                    above.base.values = nodes[node.parent].cum.base.values;
                    above.head.values = nodes[node.parent].cum.head.values;
                }
                subtract_values(above, node.cum);
            }
        }
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
        stack_list made{captures(), type, least_size(type, row_of(type, {}))};
        test_table(type, made.rows(), made);
        made.sort();
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
    std::map<std::size_t, moderated_test> m_moderated; // by type
    std::optional<compared_family> m_totals;
    std::map<std::pair<std::size_t, bool>, compared_family> m_judged; // by type, flat or cum
    std::map<std::size_t, stack_tree> m_trees;                        // by type
    std::map<std::size_t, cause_tree> m_causes;
    std::map<std::size_t, stack_list> m_paths; // by type
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

const char* to_string(test_kind of) noexcept {
    switch (of) {
    case test_kind::automatic:
        return "auto";
    case test_kind::ranks:
        return "ranks";
    case test_kind::moderated:
        return "moderated";
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

const char* to_string(compared_causes::kind of) noexcept {
    switch (of) {
    case compared_causes::kind::stacks:
        return "stacks";
    case compared_causes::kind::itself:
        return "itself";
    case compared_causes::kind::renamed:
        return "renamed";
    case compared_causes::kind::function:
        return "function";
    }
    return "";
}

profile_comparison::profile_comparison(const compare_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_comparison::~profile_comparison() = default;

void profile_comparison::add(compare_side to, const viewed_profiles& capture) {
    m_impl->add(to, capture.content().main().whole());
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

test_kind profile_comparison::test() const noexcept { return m_impl->test(); }

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

compared_causes profile_comparison::causes(std::size_t type, std::size_t most) {
    return m_impl->causes(type, most);
}

std::vector<compared_limit> profile_comparison::judge() { return m_impl->judge(); }

std::vector<std::size_t> profile_comparison::samples(compare_side of, std::size_t type) const {
    return m_impl->captures().samples(of, type);
}

std::vector<double> profile_comparison::factors(compare_side of, std::size_t type) const {
    return m_impl->captures().factors(of, type);
}

} // namespace pprofdelta
