// SPDX-License-Identifier: Apache-2.0
#include "captures/compared_stacks.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/family_test.hpp"
#include "captures/study.hpp"
#include "flame/flame_tree.hpp"

namespace pprofdelta {

namespace {

constexpr std::array both_sides{compare_side::base, compare_side::head};

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

// Makes the nodes of all captures together, and then what each capture has in them.
class tree_of_captures {
public:
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
        for (const compare_side side : both_sides) {
            std::vector<double>& values = values_of(covered, side);
            const std::vector<double>& missing = values_of(m_missing, side);
            std::transform(missing.begin(), missing.end(), values.begin(), values.begin(),
                           [](double without, double all) { return all - without; });
        }
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

} // namespace

std::vector<compared_row*> stack_tree::rows() {
    std::vector<compared_row*> all;
    for (node& each : nodes) {
        if (!each.rows.empty()) {
            all.push_back(&each.cum);
        }
    }
    return all;
}

stack_tree make_stack_tree(const capture_set& captures, std::size_t type, double least) {
    return tree_of_captures{captures, type, least}.made();
}

compared_tree cut_tree(const stack_tree& of, const compared_row& total, const capture_reader& names,
                       const compared_tree_limits& limits) {
    return tree_cutter{of, names, limits}.cut(total);
}

std::vector<compared_row*> stack_list::rows() {
    std::vector<compared_row*> all;
    std::transform(stacks.begin(), stacks.end(), std::back_inserter(all),
                   [](stack& each) { return &each.value; });
    return all;
}

void stack_list::sort() {
    std::stable_sort(stacks.begin(), stacks.end(), [](const stack& a, const stack& b) {
        return is_larger_change(a.value, b.value);
    });
}

stack_list make_stack_list(const capture_set& captures, std::size_t type, double least) {
    stack_list made;
    for (std::uint32_t number = 0; number < captures.reader().stacks().size(); ++number) {
        compared_row value = row_of_stack(captures, type, number);
        const double size = size_of(value);
        if (size > 0 && size >= least) {
            made.stacks.push_back({number, std::move(value)});
        } else if (size > 0) {
            ++made.too_small;
        }
    }
    return made;
}

compared_paths cut_paths(const stack_list& of, const compared_row& total,
                         const capture_reader& names, std::size_t most) {
    compared_paths cut{.left_out = of.stacks.size() - std::min(of.stacks.size(), most),
                       .too_small = of.too_small,
                       .questions = of.questions,
                       .too_few = of.too_few};
    compared_row covered;
    for (std::size_t i = 0; i < of.stacks.size() - cut.left_out; ++i) {
        const auto& [number, value] = of.stacks[i];
        const innermost_frames frames = take_innermost(names.frames(number), call_paths::longest);
        cut.paths.push_back(
            {.frames = names_of(frames.rows, names), .left_out = frames.left_out, .value = value});
        add_values(covered, value);
    }
    cut.coverage = part_of(covered, total);
    return cut;
}

} // namespace pprofdelta
