// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report_json.hpp>

#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>

#include "base/json.hpp"
#include "document/report_format.hpp"

namespace pprofdelta::tool {

namespace {

std::vector<std::pair<std::string, std::string>> members_of(const report_view& view) {
    const call_views& calls = view.calls;
    const report::content of = view.content.of;
    std::vector<std::pair<std::string, std::string>> all;
    if (calls.callers) {
        all.emplace_back("callers", call_list_as_json(*calls.callers, *calls.stacks, of, "callers",
                                                      calls.callers_of));
    }
    if (calls.callees) {
        all.emplace_back("callees", call_list_as_json(*calls.callees, *calls.stacks, of, "callees",
                                                      calls.callees_of));
    }
    if (calls.tree) {
        all.emplace_back("tree", call_tree_as_json(*calls.tree, *calls.stacks, of));
    }
    if (calls.paths) {
        all.emplace_back("paths", call_paths_as_json(*calls.paths, *calls.stacks, of));
    }
    if (view.budget) {
        all.emplace_back("budget", json_of(*view.budget));
    }
    all.emplace_back("next", json_commands(view.next));
    return all;
}

} // namespace

std::string report_as_json(const report_view& view) {
    return pprofdelta::report_as_json(view.content, {.previous = view.previous,
                                                     .current = view.current,
                                                     .reported = view.reported,
                                                     .judgements = view.judgements,
                                                     .normalized_by = view.normalized_by,
                                                     .factors = view.factors,
                                                     .top = view.top,
                                                     .more = members_of(view)});
}

} // namespace pprofdelta::tool
