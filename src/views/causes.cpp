// SPDX-License-Identifier: Apache-2.0
#include "views/causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
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

// Whether nearly all of what there was before and is now has a place. A part can have many times as
// much as all where values cancel.
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
        // A frame of nearly all samples says nothing.
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

    // The frames of nearly all samples are the cause if nothing else changed.
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
    [[nodiscard]] bool is_cause(const change& candidate) const {
        return size_of(candidate) >= m_least;
    }

    [[nodiscard]] std::vector<std::uint32_t> parts_of(std::uint32_t node) const {
        std::vector<std::uint32_t> parts;
        std::ranges::copy_if(m_children[node], std::back_inserter(parts),
                             [&](std::uint32_t child) { return m_largest[child] >= m_least; });
        return parts;
    }

    // The one that has nearly all of a node's change; 0 for none.
    [[nodiscard]] std::uint32_t dominant_child(std::uint32_t node) const {
        const std::vector<std::uint32_t> parts = parts_of(node);
        if (parts.size() != 1 || is_cause(own(node)) || !is_cause(m_changes[parts[0]])) {
            return 0;
        }
        const double part = m_changes[parts[0]].by / m_changes[node].by;
        return part >= heirs_part && part <= 1 / heirs_part ? parts[0] : 0;
    }

    // Puts the causes that changed in a node, but not with all of it.
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
        for (std::uint32_t heir = dominant_child(node); heir != 0; heir = dominant_child(node)) {
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
            if (depth + 1 < levels) {
                put_below_renamed(gone, came, depth + 1, {});
            }
        }
    }

    // The changes below a function that was perhaps renamed: the same callees on both sides.
    // @param frames up to the two, without these.
    void put_below_renamed(std::uint32_t gone, std::uint32_t came, std::uint32_t depth,
                           const std::vector<std::uint32_t>& frames) {
        const auto put_change = [&](const found_cause& cause, double amount) {
            if (std::fabs(amount) >= m_least) {
                m_found.push_back(cause);
            }
            return std::fabs(amount) >= m_least;
        };
        for (const std::uint32_t now : m_children[came]) {
            const auto before = std::ranges::find_if(m_children[gone], [&](std::uint32_t other) {
                return m_nodes[other].rows == m_nodes[now].rows;
            });
            const bool is_there = before != m_children[gone].end();
            std::vector<std::uint32_t> chain = frames;
            chain.insert(chain.end(), m_nodes[now].rows.begin(), m_nodes[now].rows.end());
            const double by = m_changes[now].now - (is_there ? m_changes[*before].before : 0);
            const found_cause cause{
                .rows = chain, .place = now, .gone = is_there ? *before : 0, .depth = depth};
            if (!put_change(cause, by) && is_there) {
                put_below_renamed(*before, now, depth, chain);
            }
        }
        for (const std::uint32_t before : m_children[gone]) {
            if (std::ranges::none_of(m_children[came], [&](std::uint32_t other) {
                    return m_nodes[other].rows == m_nodes[before].rows;
                })) {
                std::vector<std::uint32_t> chain = frames;
                chain.insert(chain.end(), m_nodes[before].rows.begin(), m_nodes[before].rows.end());
                put_change({.rows = std::move(chain), .place = before, .depth = depth},
                           m_changes[before].before);
            }
        }
        if (own(came).now != 0 || own(gone).before != 0) {
            put_change({.of = cause_kind::itself,
                        .rows = {m_nodes[came].rows.back()},
                        .place = m_nodes.size() + came,
                        .gone = m_nodes.size() + gone,
                        .depth = depth},
                       own(came).now - own(gone).before);
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

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A regular expression for a name whose numbers differ: "^tid:" of "tid:25352", and where little
// comes before the number all of it, as "^P[0-9]+$" of "P4935". Empty without a number.
std::string pattern_of(std::string_view name) {
    constexpr std::size_t telling = 3; // letters before a number
    constexpr std::string_view special = "\\.+*?()|[]{}^$";
    std::string pattern{"^"};
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_digit(name[i])) {
            if (special.find(name[i]) != std::string_view::npos) {
                pattern += '\\';
            }
            pattern += name[i];
            continue;
        }
        if (i >= telling) {
            return pattern;
        }
        const bool is_hex = name.substr(i).starts_with("0x");
        const std::string_view digits = is_hex ? "0123456789abcdef" : "0123456789";
        pattern += is_hex ? "0x[0-9a-f]+" : "[0-9]+";
        i = std::min(name.find_first_not_of(digits, i + (is_hex ? 2 : 0)), name.size()) - 1;
    }
    return std::ranges::any_of(name, is_digit) ? pattern + "$" : "";
}

} // namespace

std::optional<std::string>
differing_roots(const std::vector<change_tree::node>& nodes,
                const std::function<sides_of_place(std::size_t node)>& sides,
                const std::function<std::string(std::uint32_t row)>& name) {
    constexpr std::size_t deepest = 4; // such as a process and a thread
    constexpr std::size_t most = 3;    // kinds of frames in one place
    const std::vector<std::vector<std::uint32_t>> children = children_of(nodes);
    struct place {
        std::uint32_t node = 0;
        std::size_t frame = 0; // of its rows
    };
    std::vector<place> places;
    const auto add_children = [&](std::uint32_t node) {
        for (const std::uint32_t child : children[node]) {
            if (!nodes[child].rows.empty()) {
                places.push_back({child, 0});
            }
        }
    };
    add_children(0);
    std::optional<std::string> found;
    for (std::size_t level = 0; level < deepest; ++level) {
        std::array<std::set<std::uint32_t>, 2> rows;
        std::array<std::set<std::string>, 2> patterns;
        for (const place& each : places) {
            const std::uint32_t row = nodes[each.node].rows[each.frame];
            const sides_of_place has = sides(each.node);
            for (const bool is_now : {false, true}) {
                if (is_now ? has.now : has.before) {
                    rows[is_now].insert(row);
                    patterns[is_now].insert(pattern_of(name(row)));
                }
            }
        }
        const bool has_both =
            std::ranges::any_of(rows[0], [&](std::uint32_t row) { return rows[1].contains(row); });
        const bool has_callees = std::ranges::any_of(places, [&](const place& each) {
            return each.frame + 1 < nodes[each.node].rows.size() || !children[each.node].empty();
        });
        if (rows[0].empty() || rows[1].empty() || has_both || !has_callees) {
            break;
        }
        found = found.value_or("");
        if (patterns[0] != patterns[1] || patterns[0].size() > most || patterns[0].contains("")) {
            break;
        }
        for (const std::string& each : patterns[0]) {
            *found += (found->empty() ? "" : "|") + each;
        }
        for (const place& each : std::exchange(places, {})) {
            if (each.frame + 1 < nodes[each.node].rows.size()) {
                places.push_back({each.node, each.frame + 1});
            } else {
                add_children(each.node);
            }
        }
    }
    return found;
}

const char* to_string(cause_kind kind) noexcept { // in the order of their declarations
    constexpr std::array names{"stacks", "itself", "renamed", "function"};
    return names[static_cast<std::size_t>(kind)];
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
                sum += each.gone != 0 ? of.now - tree.changes[each.gone].before : of.by;
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
    // A function with many callers may change each of them only a little.
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
