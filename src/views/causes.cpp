// SPDX-License-Identifier: Apache-2.0
#include "views/causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "views/flame.hpp"

namespace pprofdelta {

namespace {

using change = change_tree::change;

constexpr double nearly = 0.95;    // of all samples
constexpr double heirs_part = 0.9; // of a change
constexpr double alike = 0.1;      // the most by which two functions differ
constexpr std::uint32_t levels = 3;

double size_of(const change& value) { return std::fabs(value.by); }

// Whether nearly all of what there was before and is now has a place. Where values cancel, one can
// have many times as much as all.
bool is_nearly_all(const change& part, const change& all) {
    const auto is_share = [](double of_part, double of_all) {
        const double share = of_all == 0 ? 0 : of_part / of_all;
        return share >= nearly && share <= 1 / nearly;
    };
    return is_share(part.before, all.before) && is_share(part.now, all.now);
}

// Follows the change of a total down the tree.
class cause_finder {
public:
    cause_finder(const change_tree& all, const change& total)
        : m_nodes{all.nodes}, m_changes{all.changes}, m_children{children_of(m_nodes)},
          m_largest(m_nodes.size()) {
        for (std::vector<std::uint32_t>& each : m_children) { // what is too small is no cause
            std::erase_if(each, [&](std::uint32_t i) { return m_nodes[i].rows.empty(); });
        }
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            m_largest[i] = std::max({m_largest[i], size_of(m_changes[i]), size_of(own(i))});
            double& above = m_largest[m_nodes[i].parent];
            above = std::max(above, m_largest[i]);
        }
        // What nearly all samples go through says nothing.
        for (bool has_moved = true; has_moved;) {
            has_moved = false;
            for (const std::uint32_t child : m_children[m_start]) {
                if (is_nearly_all(m_changes[child], total)) {
                    m_start = child;
                    has_moved = true;
                    break;
                }
            }
        }
    }

    // @param least change of what is a cause.
    [[nodiscard]] std::vector<found_cause> find(double least) {
        m_found.clear();
        m_least = least;
        put_parts(m_start, 0, {});
        return m_found.empty() && m_children[m_start].empty() ? find_start() : m_found;
    }

    // What nearly all samples go through, if nothing else changed.
    [[nodiscard]] std::vector<found_cause> find_start() {
        m_found.clear();
        if (m_start != 0) {
            put(m_start, 0, {});
        }
        return m_found;
    }

private:
    [[nodiscard]] const change& own(std::size_t node) const {
        return m_changes[m_nodes.size() + node];
    }
    [[nodiscard]] bool is_cause(const change& of) const { return size_of(of) >= m_least; }

    [[nodiscard]] std::vector<std::uint32_t> parts_of(std::uint32_t node) const {
        std::vector<std::uint32_t> parts;
        std::ranges::copy_if(m_children[node], std::back_inserter(parts),
                             [&](std::uint32_t child) { return m_largest[child] >= m_least; });
        return parts;
    }

    // The one that has nearly all of a node's change; 0 for none.
    [[nodiscard]] std::uint32_t heir_of(std::uint32_t node) const {
        const std::vector<std::uint32_t> parts = parts_of(node);
        if (parts.size() != 1 || is_cause(own(node)) || !is_cause(m_changes[parts[0]])) {
            return 0;
        }
        const double part = m_changes[parts[0]].by / m_changes[node].by;
        return part >= heirs_part && part <= 1 / heirs_part ? parts[0] : 0;
    }

    // What changed in a node, but not with all of it.
    // @param above frames up to the node that did not change as a whole.
    void put_parts(std::uint32_t node, std::uint32_t depth,
                   const std::vector<std::uint32_t>& above) {
        std::vector<std::uint32_t> parts = parts_of(node);
        put_renamed(parts, depth, above);
        std::ranges::sort(parts, {}, [&](auto i) { return std::pair{-m_largest[i], i}; });
        auto part = parts.begin();
        for (; part != parts.end() && m_largest[*part] >= size_of(own(node)); ++part) {
            put(*part, depth, above);
        }
        if (is_cause(own(node))) {
            const std::vector<std::uint32_t>& rows = above.empty() ? m_nodes[node].rows : above;
            m_found.push_back({.of = cause_kind::itself,
                               .rows = {rows.end() - (rows.empty() ? 0 : 1), rows.end()},
                               .place = m_nodes.size() + node,
                               .depth = depth});
        }
        for (; part != parts.end(); ++part) {
            put(*part, depth, above);
        }
    }

    void put(std::uint32_t node, std::uint32_t depth, std::vector<std::uint32_t> frames) {
        const auto add = [&] {
            const std::vector<std::uint32_t>& rows = m_nodes[node].rows;
            frames.insert(frames.end(), rows.begin(), rows.end());
        };
        add();
        if (!is_cause(m_changes[node])) {
            put_parts(node, depth, frames);
            return;
        }
        for (std::uint32_t heir = heir_of(node); heir != 0; heir = heir_of(node)) {
            node = heir;
            add();
        }
        m_found.push_back({.rows = std::move(frames), .place = node, .depth = depth});
        if (depth + 1 < levels) {
            put_parts(node, depth + 1, {});
        }
    }

    // Takes pairs out of `parts` of which one came, and one went that looks like it.
    void put_renamed(std::vector<std::uint32_t>& parts, std::uint32_t depth,
                     const std::vector<std::uint32_t>& above) {
        for (const std::uint32_t gone : std::vector<std::uint32_t>{parts}) {
            const auto found = std::ranges::find_if(
                parts, [&](std::uint32_t other) { return is_renamed(gone, other); });
            if (found == parts.end()) {
                continue;
            }
            const std::uint32_t came = *found;
            std::vector<std::uint32_t> frames = above;
            frames.push_back(m_nodes[came].rows.front());
            m_found.push_back({.of = cause_kind::renamed,
                               .rows = std::move(frames),
                               .place = came,
                               .gone = gone,
                               .depth = depth});
            std::erase(parts, gone);
            std::erase(parts, came);
        }
    }

    [[nodiscard]] bool is_renamed(std::uint32_t from, std::uint32_t to) const {
        const change& gone = m_changes[from];
        const change& came = m_changes[to];
        return is_cause(gone) && is_cause(came) && gone.now == 0 && came.before == 0 &&
               std::fabs(came.now - gone.before) <= alike * std::fabs(gone.before) &&
               callees_of(from) == callees_of(to);
    }

    // All below the first frame of a node, but for what is too small.
    [[nodiscard]] std::vector<std::uint32_t> callees_of(std::uint32_t node) const {
        const std::vector<std::uint32_t>& rows = m_nodes[node].rows;
        std::vector<std::uint32_t> callees(rows.begin() + 1, rows.end());
        for (const std::uint32_t child : m_children[node]) {
            callees.push_back(m_nodes[child].rows.front());
        }
        std::ranges::sort(callees);
        return callees;
    }

    const std::vector<change_tree::node>& m_nodes;
    const std::vector<change>& m_changes;
    std::vector<std::vector<std::uint32_t>> m_children;
    std::vector<double> m_largest; // the largest change of a node and all below it
    double m_least = 0;
    std::uint32_t m_start = 0;
    std::vector<found_cause> m_found;
};

} // namespace

const char* to_string(cause_kind of) noexcept { // in the order of their declarations
    constexpr std::array names{"stacks", "itself", "renamed", "function"};
    return names[static_cast<std::size_t>(of)];
}

std::vector<found_cause> find_causes(const change_tree& tree, const change& total,
                                     const std::function<std::vector<double>()>& functions,
                                     double least, std::size_t most) {
    // How much those account for that are not a part of others.
    const auto size_of_all = [&](const std::vector<found_cause>& causes) {
        double sum = 0;
        for (const found_cause& each : causes) {
            const change& of = tree.changes[each.place];
            if (each.depth == 0) {
                sum += each.of == cause_kind::renamed ? of.now - tree.changes[each.gone].before
                                                      : of.by;
            }
        }
        return std::fabs(sum);
    };
    cause_finder finder{tree, total};
    std::vector<found_cause> causes = finder.find(least);
    while (causes.size() > most) {
        least *= 1.5;
        causes = finder.find(least);
    }
    // What many call changes a little everywhere.
    if (const double found = size_of_all(causes); total.by != 0 && found < size_of(total) / 2) {
        const std::vector<double> flat = functions();
        std::vector<found_cause> large;
        double sum = 0;
        for (std::size_t i = 0; i < flat.size() && large.size() < most; ++i) {
            if (std::fabs(flat[i]) >= least) {
                large.push_back({.of = cause_kind::function, .place = tree.changes.size() + i});
                sum += flat[i];
            }
        }
        if (std::fabs(sum) > found) {
            causes = std::move(large);
        }
    }
    return causes.empty() ? finder.find_start() : causes;
}

} // namespace pprofdelta
