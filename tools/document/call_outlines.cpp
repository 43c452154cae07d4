// SPDX-License-Identifier: Apache-2.0
#include "document/call_outlines.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "base/selection_text.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/outline_rows.hpp"
#include "document/report_cells.hpp"

namespace pprofdelta::tool {

namespace {

std::int64_t change(const value_pair& value) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                     static_cast<std::uint64_t>(value.previous));
}

class outline_maker {
public:
    explicit outline_maker(const report_view& view)
        : m_view{view}, m_is_comparison{view.content.of == report::content::comparison} {}

    [[nodiscard]] document::rows_of_type of_list(const call_list& list, const std::string& edges,
                                                 const std::string& regex) const {
        document::rows_of_type made = start(", " + edges + " of ", regex);
        made.rows = flat_and_cum();
        made.rows.columns.push_back({"of cum"});
        for (const call_list::function& f : list.functions) {
            made.rows.rows.push_back(row(name(f.name), 0, &f.flat, f.cum));
            made.rows.rows.back().cells.emplace_back();
            const auto add_edge = [&](const std::string& name_of, const value_pair& value) {
                made.rows.rows.push_back(row(name_of, 1, nullptr, value));
                made.rows.rows.back().cells.push_back(
                    change(f.cum) == 0 ? "" : share_text(change(value), change(f.cum)));
            };
            for (const call_list::edge& edge : f.edges) {
                add_edge(name(edge.name), edge.value);
            }
            if (f.edges_left_out != 0) {
                add_edge(others_text(f.edges_left_out), f.left_out);
            }
        }
        made.outline = counted_text(list.functions.size(), list.functions_left_out,
                                    groupings_text(m_view.reported.by, m_view.reported.by_label) +
                                        " that match, in ") +
                       covered(list.coverage);
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_tree(const call_tree& tree) const {
        document::rows_of_type made = start(", tree", "");
        made.rows = flat_and_cum();
        for (const call_tree::node& node : tree.nodes) {
            made.rows.rows.push_back(
                node.names.empty()
                    ? row(others_text(node.left_out), node.depth, nullptr, node.cum)
                    : row(chain_text(names(node.names)), node.depth, &node.flat, node.cum));
        }
        const std::string small = std::to_string(tree.too_small) + " below " +
                                  fixed_text(m_view.calls.smallest_of_tree * 100, 0) + "%";
        const std::string deep = std::to_string(tree.too_deep) + " deeper";
        made.outline = covered(tree.coverage) +
                       (tree.too_small != 0 || tree.too_deep != 0 ? "; left out: " : "") +
                       (tree.too_small != 0 ? small : "") +
                       (tree.too_small != 0 && tree.too_deep != 0 ? ", " : "") +
                       (tree.too_deep != 0 ? deep : "");
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_paths(const call_paths& paths) const {
        document::rows_of_type made = start(", stacks", "");
        made.rows.of = head_of_names();
        add_value_columns(made.rows, m_view, "value");
        for (const call_paths::path& path : paths.paths) {
            table::row first;
            add_value_cells(first, m_view, path.value);
            add_stack(made.rows, std::move(first), names(path.names), path.left_out);
        }
        made.outline = counted_text(paths.paths.size(), paths.paths_left_out, "stacks, ") +
                       covered(paths.coverage);
        return finished(std::move(made));
    }

private:
    [[nodiscard]] document::rows_of_type start(const std::string& what,
                                               const std::string& whose) const {
        const report& r = m_view.content;
        return {.filter = m_view.filter_text,
                .type = to_string(r.totals[r.type].type),
                .what = (r.of == report::content::delta ? " in between" : "") + what,
                .whose = whose,
                .rows = {}};
    }

    static document::rows_of_type finished(document::rows_of_type made) {
        made.all = made.rows.rows.size();
        return made;
    }

    [[nodiscard]] std::string covered(double coverage) const {
        return fixed_text(coverage * 100, 2) + "%" +
               (m_is_comparison ? " of all changes" : " of the whole");
    }

    [[nodiscard]] std::string head_of_names() const {
        return grouping_text(m_view.reported.by, m_view.reported.by_label);
    }
    [[nodiscard]] std::string name(std::uint32_t number) const {
        return cut_name(m_view.calls.stacks->name(number));
    }

    [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& numbers) const {
        std::vector<std::string> all;
        std::transform(numbers.begin(), numbers.end(), std::back_inserter(all),
                       [&](std::uint32_t number) { return name(number); });
        return all;
    }

    // A comparison has only the change of what is flat, which leaves room for names.
    [[nodiscard]] table flat_and_cum() const {
        table made{head_of_names()};
        if (m_is_comparison) {
            made.columns.push_back({"flat"});
        } else {
            add_value_columns(made, m_view, "flat");
        }
        add_value_columns(made, m_view, "cum");
        return made;
    }

    [[nodiscard]] table::row row(const std::string& name, std::uint32_t indent,
                                 const value_pair* flat, const value_pair& cum) const {
        table::row made{.name = name, .cells = {}, .indent = indent};
        if (flat == nullptr) {
            made.cells.resize(m_is_comparison ? 1 : 2);
        } else if (m_is_comparison) {
            made.cells.push_back(amount_text(m_view, *flat));
        } else {
            add_value_cells(made, m_view, *flat);
        }
        add_value_cells(made, m_view, cum);
        return made;
    }

    const report_view& m_view;
    bool m_is_comparison;
};

} // namespace

std::vector<document::rows_of_type> outlines_of(const report_view& view) {
    const outline_maker make{view};
    const call_views& calls = view.calls;
    std::vector<document::rows_of_type> all;
    if (calls.callers) {
        all.push_back(make.of_list(*calls.callers, "callers", calls.callers_of));
    }
    if (calls.callees) {
        all.push_back(make.of_list(*calls.callees, "callees", calls.callees_of));
    }
    if (calls.tree) {
        all.push_back(make.of_tree(*calls.tree));
    }
    if (calls.paths) {
        all.push_back(make.of_paths(*calls.paths));
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
        all[i].filter.clear(); // which is of all
    }
    return all;
}

} // namespace pprofdelta::tool
