// SPDX-License-Identifier: Apache-2.0
#include "document/compare_page.hpp"

#include "base/json.hpp"
#include "base/short_names.hpp"
#include "document/compare_cells.hpp"
#include "document/html_page.hpp"
#include "document/page_data.hpp"
#include "document/page_rows.hpp"

namespace pprofdelta::tool {

namespace {

std::string measured_json(const compared_row* row, bool is_tested) {
    if (row == nullptr) {
        return "null";
    }
    return is_tested ? page_measured(*row, row->corrected_p, to_string(row->is))
                     : page_measured(*row, std::nullopt, std::nullopt);
}

} // namespace

std::string compare_as_page(const compare_view& view, profile_comparison& captures,
                            const median_flame_graph* stacks, const std::vector<page_input>& inputs,
                            const std::vector<std::string>& given,
                            const std::vector<std::string>& warnings) {
    const compare_options& options = view.options;
    page_head head{.command = "compare",
                   .title = std::to_string(view.base.size()) + " base and " +
                            std::to_string(view.head.size()) + " head captures",
                   .sides = {"base", "head"},
                   .inputs = inputs,
                   .options = given,
                   .warnings = warnings,
                   .by = grouping_text(options.by, options.by_label),
                   .type = view.shown.front().type,
                   .alpha = options.alpha};
    for (const document::note& note : notes_below(view)) {
        head.notes.push_back(note.has_names ? printable(note.text) : note.text);
    }
    if (options.normalized_by) {
        head.notes.push_back(std::string{"Captures are normalized by "} +
                             to_string(*options.normalized_by) + ", to the median of the head.");
    }
    for (const compared_limit& limit : view.limits) {
        head.limits.push_back({describe(limit, options), limit.crossed ? "crossed" : "kept"});
    }
    page_names names;
    std::vector<std::string> types;
    for (std::size_t type = 0; type < view.types.size(); ++type) {
        const compared_rows rows = captures.rows(type);
        // One after the other, as what comes first gives the names their numbers.
        const page_rows<compared_row> shown{rows.flat.rows, rows.cum.rows,
                                            view.base.size() + view.head.size()};
        const std::string listed = shown.json(
            names, [&](const compared_row* row) { return measured_json(row, options.is_tested); });
        const std::string tree =
            stacks == nullptr
                ? "null"
                : page_tree(stacks->make(type, captures.factors(compare_side::base, type),
                                         captures.factors(compare_side::head, type)),
                            names, true);
        std::string& json = types.emplace_back("{");
        json += page_type(view.types[type], false, "comparison");
        json += "\"total\":" + measured_json(&view.totals.rows[type], options.is_tested);
        json += ",\"rows\":" + listed;
        json += ",\"rows_left_out\":" + std::to_string(rows.left_out + shown.left_out());
        json += ",\"tree\":" + tree + "}";
    }
    compare_view plain = view;
    plain.has_colors = false;
    return html_page({.title = printable(head.title),
                      .json = page_data(head, types, names),
                      .text = compare_as_text(plain)});
}

} // namespace pprofdelta::tool
