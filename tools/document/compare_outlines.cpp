// SPDX-License-Identifier: Apache-2.0
#include "document/compare_outlines.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/selection_text.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/compare_cells.hpp"
#include "document/outline_rows.hpp"

namespace pprofdelta::tool {

namespace {

std::string part_of_sides(const compared_part& part) {
    return fixed_text(part.base * 100, 2) + "% of the base and " + fixed_text(part.head * 100, 2) +
           "% of the head";
}

class compare_outliner {
public:
    compare_outliner(const compare_view& view, const compared_type& shown)
        : m_view{view}, m_type{view.types[shown.type]}, m_total{view.totals.rows[shown.type]} {}

    // Rows, and indented below each those that call it or that it calls.
    [[nodiscard]] document::rows_of_type of_calls(const compared_calls& calls,
                                                  const std::string& edges,
                                                  const std::string& regex,
                                                  std::size_t most_rows) const {
        document::rows_of_type made = start(", " + edges + " of ");
        made.whose = regex;
        const std::size_t most = std::min(most_rows, calls.functions.size());
        for (std::size_t i = 0; i < most; ++i) {
            const compared_calls::function& f = calls.functions[i];
            add(made, f.cum, cut_name(f.cum.name), 0);
            const std::size_t most_edges = std::min(most_rows, f.edges.size());
            for (std::size_t k = 0; k < most_edges; ++k) {
                add(made, f.edges[k], cut_name(f.edges[k].name), 1);
            }
            if (f.edges.size() > most_edges) {
                made.rows.rows.push_back(
                    {.name = others_text(f.edges.size() - most_edges),
                     .cells = std::vector<std::string>(made.rows.columns.size()),
                     .indent = 1});
            }
        }
        made.outline = counted_text(most, calls.functions.size() - most,
                                    groupings_text(m_view.options.by, m_view.options.by_label)) +
                       " that match, in " +
                       part_of_sides({part(calls.together.base.median, m_total.base.median),
                                      part(calls.together.head.median, m_total.head.median)});
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_tree(const compared_tree& tree) const {
        document::rows_of_type made = start(", tree");
        for (const compared_tree::node& node : tree.nodes) {
            add(made, node.cum, chain_text(node.frames), node.depth);
        }
        made.outline = counted_text(tree.nodes.size(), tree.left_out, "nodes, ") +
                       part_of_sides(tree.coverage);
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_paths(const compared_paths& paths) const {
        document::rows_of_type made = start(", stacks");
        for (const compared_paths::path& path : paths.paths) {
            add_stack(made.rows, row(path.value, {}), path.frames, path.left_out);
        }
        made.outline = counted_text(paths.paths.size(), paths.left_out, "stacks, ") +
                       part_of_sides(paths.coverage);
        return finished(std::move(made));
    }

private:
    [[nodiscard]] document::rows_of_type start(const std::string& what) const {
        const compare_options& options = m_view.options;
        return {.type = to_string(m_type),
                .what = what,
                .rows = {grouping_text(options.by, options.by_label), compare_columns(options)}};
    }

    static document::rows_of_type finished(document::rows_of_type made) {
        made.all = made.rows.rows.size();
        return made;
    }

    static double part(double of, double whole) { return whole == 0 ? 0 : of / whole; }

    [[nodiscard]] table::row row(const compared_row& of, const std::string& name) const {
        return compare_row(of, m_type, m_view.options, name);
    }

    void add(document::rows_of_type& to, const compared_row& of, const std::string& name,
             std::size_t indent) const {
        to.rows.rows.push_back(row(of, name));
        to.rows.rows.back().indent = indent;
    }

    const compare_view& m_view;
    const value_type& m_type;
    const compared_row& m_total;
};

} // namespace

std::vector<document::rows_of_type> outlines_of(const compare_view& view,
                                                const compared_type& shown, std::size_t most_rows) {
    const compare_outliner make{view, shown};
    std::vector<document::rows_of_type> all;
    if (shown.callers) {
        all.push_back(make.of_calls(*shown.callers, "callers", view.options.callers_of, most_rows));
    }
    if (shown.callees) {
        all.push_back(make.of_calls(*shown.callees, "callees", view.options.callees_of, most_rows));
    }
    if (shown.tree) {
        all.push_back(make.of_tree(*shown.tree));
    }
    if (shown.paths) {
        all.push_back(make.of_paths(*shown.paths));
    }
    return all;
}

} // namespace pprofdelta::tool
