// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/calls.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <pprofdelta/json.hpp>

#include "report/value_members.hpp"

namespace pprofdelta {

namespace {

std::string value(const value_pair& pair, report::content of) {
    return "{" + value_members(pair, of) + "}";
}

std::string frames(const std::vector<std::uint32_t>& names, const call_stacks& stacks) {
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const std::uint32_t name : names) {
        texts.push_back(stacks.name(name));
    }
    return json_strings(texts);
}

// The array, with what was left out and how much is there.
std::string object(const std::string& first, const std::string& name,
                   const std::vector<std::string>& all, std::size_t left_out, double coverage) {
    return "{" + first + "\"coverage\": " + json_number(coverage) + ", \"" + name +
           "\": " + json_array(all, 4) + ", \"" + name +
           "_left_out\": " + std::to_string(left_out) + "}";
}

} // namespace

std::string call_list_as_json(const call_list& list, const call_stacks& stacks, report::content of,
                              const std::string& edges, const std::string& regex) {
    std::vector<std::string> functions;
    for (const call_list::function& f : list.functions) {
        std::string each;
        for (const call_list::edge& edge : f.edges) {
            each += (each.empty() ? "{" : ", {") +
                    ("\"name\": " + json_string(stacks.name(edge.name))) + ", " +
                    value_members(edge.value, of) + "}";
        }
        std::string& function = functions.emplace_back("\"name\": ");
        function.append(json_string(stacks.name(f.name)));
        function.append(", \"flat\": ").append(value(f.flat, of));
        function.append(", \"cum\": ").append(value(f.cum, of));
        function.append(", \"").append(edges).append("\": [").append(each).append("], \"");
        function.append(edges).append("_left_out\": ").append(std::to_string(f.edges_left_out));
        function.append(", \"left_out\": ").append(value(f.left_out, of));
    }
    return object("\"regex\": " + json_string(regex) + ", ", "functions", functions,
                  list.functions_left_out, list.coverage);
}

std::string call_tree_as_json(const call_tree& tree, const call_stacks& stacks,
                              report::content of) {
    std::vector<std::string> nodes;
    for (const call_tree::node& node : tree.nodes) {
        nodes.push_back("\"depth\": " + std::to_string(node.depth) + ", \"frames\": " +
                        frames(node.names, stacks) + ", \"flat\": " + value(node.flat, of) +
                        ", \"cum\": " + value(node.cum, of) +
                        ", \"left_out\": " + std::to_string(node.left_out));
    }
    return object("\"too_small\": " + std::to_string(tree.too_small) + ", ", "nodes", nodes,
                  tree.too_deep, tree.coverage);
}

std::string call_paths_as_json(const call_paths& paths, const call_stacks& stacks,
                               report::content of) {
    std::vector<std::string> all;
    for (const call_paths::path& path : paths.paths) {
        all.push_back("\"frames\": " + frames(path.names, stacks) + ", \"frames_left_out\": " +
                      std::to_string(path.left_out) + ", " + value_members(path.value, of));
    }
    return object("", "paths", all, paths.paths_left_out, paths.coverage);
}

} // namespace pprofdelta
