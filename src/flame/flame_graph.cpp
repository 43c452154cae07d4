// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include "base/about_input.hpp"
#include "flame/paired_stacks.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

// Its values are the current ones.
flame_graph tree_of_one(const profile_index& index, std::size_t type, report::content of,
                        const report_options& options, const flame_graph_limits& limits) {
    row_names names;
    const stack_rules rules{options};
    const profile_stacks from{index, rules, true};
    const location_rows rows{from, names};
    paired_stacks stacks{{type}, limits.deepest};
    flame_graph graph;
    graph.total.current = stacks.read(from, rows, &value_pair::current).front();
    graph.of = of;
    graph.type = index.types.sample_types[type];
    stacks.draw(0, names, limits, graph);
    return graph;
}

flame_graph tree_of_two(const compared_profiles& profiles, std::size_t type,
                        const report_options& options, const flame_graph_limits& limits) {
    row_names names;
    const stack_rules rules{options};
    paired_stacks stacks{{type}, limits.deepest};
    const auto read = [&](error_input input, const profile_index& index, side_of_pair which) {
        return about_input(input, [&] {
            const profile_stacks from{index, rules, true};
            const location_rows rows{from, names};
            return stacks.read(from, rows, which).front();
        });
    };
    flame_graph graph;
    graph.total.current = read(error_input::current, profiles.now, &value_pair::current);
    graph.total.previous = read(error_input::previous, profiles.before, &value_pair::previous);
    graph.type = profiles.now.types.sample_types[type];
    stacks.draw(0, names, limits, graph);
    return graph;
}

} // namespace

flame_graph make_flame_graph(std::string_view previous, std::string_view current,
                             const report_options& options, const flame_graph_limits& limits) {
    const compared_profiles profiles{previous, current};
    return tree_of_two(profiles, choose_type_of_two(profiles, options), options, limits);
}

flame_graph make_flame_graph(std::string_view profile, const report_options& options,
                             const flame_graph_limits& limits) {
    profile_index index;
    index.build(profile, match_mode::exact);
    return tree_of_one(index, choose_type_of_one(index, options), report::content::profile, options,
                       limits);
}

flame_graph make_flame_graph(const computed_delta& delta, const report_options& options,
                             const flame_graph_limits& limits) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    const std::size_t type = choose_type_of_delta(delta, index, options);
    const bool is_cumulative = delta.types[type].cumulative;
    if (!is_cumulative && delta.previous) {
        return tree_of_two({*delta.previous, delta.current}, type, options, limits);
    }
    return tree_of_one(index, type,
                       is_cumulative ? report::content::delta : report::content::profile, options,
                       limits);
}

} // namespace pprofdelta
