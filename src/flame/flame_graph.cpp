// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include "base/about_input.hpp"
#include "flame/paired_stacks.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/sample_type.hpp"
#include "select/stack_filter.hpp"

namespace pprofdelta {

namespace {

// Its values are the current ones.
flame_graph tree_of_one(const profile_index& index, std::size_t type, report::content of,
                        const report_options& options, const flame_graph_limits& limits) {
    row_names names;
    const location_rows rows{index, options.by, names};
    paired_stacks stacks{{type}, limits.deepest};
    flame_graph graph;
    graph.total.current = stacks.read(index, rows, {index, options}, &value_pair::current).front();
    graph.of = of;
    graph.type = index.types.sample_types[type];
    stacks.draw(0, names, limits, graph);
    return graph;
}

} // namespace

flame_graph make_flame_graph(std::string_view previous, std::string_view current,
                             const report_options& options, const flame_graph_limits& limits) {
    const compared_profiles profiles{previous, current, options};
    row_names names;
    const auto rows_of = [&](const profile_index& index) {
        return location_rows{index, options.by, names};
    };
    const location_rows rows_now =
        about_input(error_input::current, [&] { return rows_of(profiles.now); });
    const location_rows rows_before =
        about_input(error_input::previous, [&] { return rows_of(profiles.before); });
    paired_stacks stacks{{profiles.type}, limits.deepest};
    flame_graph graph;
    graph.total.current = about_input(error_input::current, [&] {
        return stacks.read(profiles.now, rows_now, {profiles.now, options}, &value_pair::current)
            .front();
    });
    graph.total.previous = about_input(error_input::previous, [&] {
        return stacks
            .read(profiles.before, rows_before, {profiles.before, options}, &value_pair::previous)
            .front();
    });
    graph.type = profiles.now.types.sample_types[profiles.type];
    stacks.draw(0, names, limits, graph);
    return graph;
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
    std::size_t type = choose_type(index, options);
    if (!options.sample_type && !delta.types[type].cumulative) {
        type = make_report(delta, options).type; // whether anything changed decides
    }
    const bool is_cumulative = delta.types[type].cumulative;
    if (!is_cumulative && delta.previous) {
        return make_flame_graph(*delta.previous, delta.current, options, limits);
    }
    return tree_of_one(index, type,
                       is_cumulative ? report::content::delta : report::content::profile, options,
                       limits);
}

} // namespace pprofdelta
