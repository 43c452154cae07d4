// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>

#include <pprofdelta/report_json.hpp>

#include "base/json.hpp"
#include "document/compare_cells.hpp"

namespace pprofdelta::tool {

namespace {

std::string members(const compared_values& side) {
    return "{\"median\": " + json_number(side.median) + ", " + interval_members(side.within) +
           ", \"values\": " + json_numbers(side.values) + "}";
}

// What was not tested is null.
std::string members(const compared_row& row, const compare_options& options) {
    const bool is_tested = options.is_tested;
    return "\"base\": " + members(row.base) + ", \"head\": " + members(row.head) +
           ", \"change\": " + json_number(row.change) + ", " + interval_members(row.within) +
           ", \"u\": " + (is_tested && !options.are_paired ? json_number(row.u) : "null") +
           ", \"p\": " + (is_tested ? json_number(row.p) : "null") +
           ", \"p_corrected\": " + (is_tested ? json_number(row.corrected_p) : "null") +
           ", \"detectable\": " + (row.detectable ? json_number(*row.detectable) : "null") +
           ", \"verdict\": " + (is_tested ? json_string(to_string(row.is)) : "null");
}

std::string named_members(const compared_row& row, const compare_options& options) {
    return "\"name\": " + json_string(row.name) + ", " + members(row, options);
}

std::string array(const compare_view& view, const compared_family& family,
                  std::size_t indentation) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, family.rows.size()); ++i) {
        rows.push_back(named_members(family.rows[i], view.options));
    }
    return json_array(rows, indentation);
}

// How many of so many rows are left out, and of how many that is for their size.
std::string left_out_members(const std::string& what, std::size_t rows, std::size_t top,
                             std::size_t small) {
    return ", \"" + what + "_left_out\": " + std::to_string(rows - std::min(top, rows)) +
           ", \"small_" + what + "_left_out\": " + std::to_string(small);
}

// A member "callers" or "callees", or nothing.
std::string calls_member(const compare_view& view, const std::optional<compared_calls>& calls,
                         const std::string& edges, const std::string& regex,
                         std::size_t indentation) {
    if (!calls) {
        return {};
    }
    std::vector<std::string> functions;
    for (std::size_t i = 0; i < std::min(view.top, calls->functions.size()); ++i) {
        const compared_calls::function& f = calls->functions[i];
        std::string listed;
        for (std::size_t k = 0; k < std::min(view.top, f.edges.size()); ++k) {
            listed += listed.empty() ? "{" : ", {";
            listed += named_members(f.edges[k], view.options) + "}";
        }
        std::string function = named_members(f.cum, view.options);
        function.append(", \"").append(edges).append("\": [").append(listed).append("]");
        function += left_out_members(edges, f.edges.size(), view.top, f.left_out);
        functions.push_back(std::move(function));
    }
    return ",\n" + std::string(indentation, ' ') + "\"" + edges +
           "\": {\"regex\": " + json_string(regex) +
           ", \"questions\": " + std::to_string(calls->questions) + ", \"together\": {" +
           members(calls->together, view.options) +
           "}, \"functions\": " + json_array(functions, indentation + 2) +
           left_out_members("functions", calls->functions.size(), view.top, calls->left_out) + "}";
}

std::string coverage_members(std::size_t questions, const compared_part& coverage) {
    return "\"questions\": " + std::to_string(questions) +
           ", \"coverage\": {\"base\": " + json_number(coverage.base) +
           ", \"head\": " + json_number(coverage.head) + "}";
}

// A member "tree", or nothing.
std::string tree_member(const compare_view& view, const std::optional<compared_tree>& tree,
                        std::size_t indentation) {
    if (!tree) {
        return {};
    }
    std::vector<std::string> nodes;
    for (const compared_tree::node& node : tree->nodes) {
        nodes.push_back("\"depth\": " + std::to_string(node.depth) + ", \"frames\": " +
                        json_strings(node.frames) + ", " + members(node.cum, view.options));
    }
    return ",\n" + std::string(indentation, ' ') + "\"tree\": {" +
           coverage_members(tree->questions, tree->coverage) +
           ", \"nodes\": " + json_array(nodes, indentation + 2) +
           left_out_members("nodes", tree->left_out, 0, tree->too_small) + "}";
}

// A member "paths", or nothing.
std::string paths_member(const compare_view& view, const std::optional<compared_paths>& paths,
                         std::size_t indentation) {
    if (!paths) {
        return {};
    }
    std::vector<std::string> all;
    for (const compared_paths::path& path : paths->paths) {
        all.push_back("\"frames\": " + json_strings(path.frames) + ", \"frames_left_out\": " +
                      std::to_string(path.left_out) + ", " + members(path.value, view.options));
    }
    return ",\n" + std::string(indentation, ' ') + "\"paths\": {" +
           coverage_members(paths->questions, paths->coverage) +
           ", \"paths\": " + json_array(all, indentation + 2) +
           left_out_members("paths", paths->left_out, 0, paths->too_small) + "}";
}

// The rows of a sample type, each member on a line that starts with `indentation` blanks.
std::string members(const compare_view& view, const compared_type& shown, std::size_t indentation) {
    const value_type& type = view.types[shown.type];
    const compared_family& flat = shown.rows.flat;
    const compared_family& cum = shown.rows.cum;
    const std::size_t left_out = flat.rows.size() - std::min(view.top, flat.rows.size()) +
                                 cum.rows.size() - std::min(view.top, cum.rows.size());
    const std::string next = ",\n" + std::string(indentation, ' ');
    return "\"type\": " + json_string(type.type) + next + "\"unit\": " + json_string(type.unit) +
           next + "\"by\": " + json_string(grouping_text(view.options.by, view.options.by_label)) +
           next + "\"questions\": " + std::to_string(flat.questions) + next +
           "\"cum_questions\": " + std::to_string(cum.questions) + next +
           "\"flat\": " + array(view, flat, indentation + 2) + next +
           "\"cum\": " + array(view, cum, indentation + 2) + next +
           "\"rows_left_out\": " + std::to_string(left_out) + next +
           "\"small_rows_left_out\": " + std::to_string(shown.rows.left_out) +
           calls_member(view, shown.callers, "callers", view.options.callers_of, indentation) +
           calls_member(view, shown.callees, "callees", view.options.callees_of, indentation) +
           tree_member(view, shown.tree, indentation) +
           paths_member(view, shown.paths, indentation);
}

} // namespace

std::string limit_members(const compared_limit& limit, const compare_options& options) {
    std::string functions;
    for (const compared_row& row : limit.functions) {
        functions += (functions.empty() ? "{" : ", {") + ("\"name\": " + json_string(row.name)) +
                     ", " + members(row, options) + "}";
    }
    return "\"limit\": " + json_string(limit.limit) + ", " + type_members(limit.type) +
           members(limit.row, options) + ", \"crossed\": " + (limit.crossed ? "true" : "false") +
           (functions.empty() ? "" : ", \"functions\": [" + functions + "]");
}

std::string compare_as_json(const compare_view& view) {
    const compare_options& options = view.options;
    std::vector<std::string> totals;
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        totals.push_back(type_members(view.types[i]) + members(view.totals.rows[i], options));
    }
    std::vector<std::string> limits;
    for (const compared_limit& limit : view.limits) {
        limits.push_back(limit_members(limit, options));
    }
    std::vector<std::string> others;
    for (std::size_t i = 1; i < view.shown.size(); ++i) {
        others.push_back(members(view, view.shown[i], 6));
    }
    return std::string{
               "{\n  \"schema\": \"pprofdelta/compare/1\",\n  \"version\": 1,\n  \"tested\": "} +
           (options.is_tested ? "true" : "false") +
           ",\n  \"alpha\": " + json_number(options.alpha) +
           ",\n  \"correction\": " + json_string(to_string(options.corrected)) +
           ",\n  \"strict_correction\": " + json_string(strict_name(options.corrected)) +
           ",\n  \"paired\": " + (options.are_paired ? "true" : "false") +
           ",\n  \"min_change\": " + json_number(options.min_change) +
           ",\n  \"base\": " + json_strings(view.base) +
           ",\n  \"head\": " + json_strings(view.head) + ",\n  \"normalized_by\": " +
           (options.normalized_by ? json_string(to_string(*options.normalized_by)) : "null") +
           selection_members(options.selection) +
           ",\n  \"total_questions\": " + std::to_string(view.totals.questions) +
           ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) + ",\n  " +
           members(view, view.shown.front(), 2) + ",\n  \"other_types\": " + json_array(others, 4) +
           budget_member(view.budget) + ",\n  \"next\": " + json_commands(view.next) + "\n}\n";
}

} // namespace pprofdelta::tool
