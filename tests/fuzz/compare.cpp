// SPDX-License-Identifier: Apache-2.0
// Captures of two versions: what is refused changes nothing, totals are those of the reference's
// reader, rows add up to them, and each form keeps its rules.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>

#include "captures.hpp"
#include "document/compare.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "printed.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

struct wanted : asked_of_captures<compare_options> {
    explicit wanted(steering& bytes)
        : asked_of_captures{bytes,
                            {"each:delay>+1%", "alloc_space>1kB", "func:f:alloc_space>+10%",
                             "flat:main:inuse_space>0", "contentions>+10%",
                             "each:cum:alloc_objects>+3"}} {
        options.is_tested = bits / 4 % 2 == 0;
        options.min_change = bits / 64 % 2 == 0 ? 0 : 0.02;
        if (more / 4 % 4 == 3) {
            options.normalized_by = static_cast<normalization>(more / 16 % 2);
        }
        if (more / 4 % 4 == 1) {
            options.callers_of = more / 16 % 2 == 0 ? "." : "m|f";
            options.callees_of = more / 32 % 2 == 0 ? "" : "a";
        }
        has_stacks = more / 4 % 4 == 2;
    }

    bool has_stacks = false;
};

// All that is known of the captures, as people and programs read it.
struct results {
    bool is_judged = false;
    tool::compare_view view{};
    std::string text{};
    std::string json{};
};

results results_of(profile_comparison& of, const wanted& asked) {
    results found;
    tool::compare_view& view = found.view;
    found.is_judged = is_accepted([&] { view.limits = of.judge(); });
    view.types = of.types();
    view.totals = of.totals();
    for (std::size_t type = 0; type < view.types.size(); ++type) {
        view.shown.push_back({.type = type, .why = "one of all", .rows = of.rows(type)});
        if (!asked.options.callers_of.empty()) {
            view.shown.back().calls.push_back(
                {"callers", asked.options.callers_of, of.callers(type)});
        }
        if (!asked.options.callees_of.empty()) {
            view.shown.back().calls.push_back(
                {"callees", asked.options.callees_of, of.callees(type)});
        }
        if (asked.has_stacks) {
            view.shown.back().tree = of.tree(type);
            view.shown.back().paths = of.paths(type, asked.top);
        }
    }
    view.base = std::vector<std::string>(of.captures(compare_side::base), "base");
    view.head = std::vector<std::string>(of.captures(compare_side::head), asked.name);
    view.options = asked.options;
    view.top = asked.top;
    found.text = tool::as_text(tool::document_of(view), 100, false);
    found.json = tool::as_json(view);
    return found;
}

void require_within(const std::optional<interval>& within) {
    require(!within || within->low <= within->high, "an interval has two ends");
}

void require_row(const compared_row& row, const compare_options& options) {
    for (const compared_values* const side : {&row.base, &row.head}) {
        const auto [least, most] = std::minmax_element(side->values.begin(), side->values.end());
        require(*least <= side->median && side->median <= *most, "a median lies between");
        require_within(side->within);
    }
    require_within(row.within);
    require_chances(row);
    require(!row.is_significant() || (row.corrected_p <= options.alpha &&
                                      (row.verdict == verdict::grew) == (row.change > 0)),
            "what is real has a small p and a direction");
    const bool is_plain = row.base.values.size() == 1 && row.head.values.size() == 1;
    require((options.is_tested && !is_plain) || row.change == row.head.median - row.base.median,
            "a change is that of the medians");
    require((options.is_tested && !is_plain) || (!row.is_significant() && row.p >= 1),
            "without a test nothing is known");
}

void require_rows(const compared_rows& rows, const compared_row& total, const wanted& asked) {
    for (const compared_family* const family : {&rows.flat, &rows.cum}) {
        require_different_names(family->rows);
        for (const compared_row& row : family->rows) {
            require_row(row, asked.options);
        }
    }
    // Scaled values are rounded.
    if (asked.options.min_share == 0 && !asked.options.normalized_by) {
        require(rows.left_out == 0, "no row is too small");
        require_sum(
            rows.flat.rows, total.base.values,
            [](const compared_row& row) -> const auto& { return row.base.values; });
        require_sum(
            rows.flat.rows, total.head.values,
            [](const compared_row& row) -> const auto& { return row.head.values; });
    }
}

// Each call is some of its function's samples.
void require_calls(const compared_calls& calls, const wanted& asked) {
    require_row(calls.together, asked.options);
    for (const compared_calls::function& f : calls.functions) {
        require_row(f.cum, asked.options);
        for (const compared_row& edge : f.edges) {
            require_row(edge, asked.options);
        }
    }
    if (asked.options.min_share == 0) {
        require(calls.left_out == 0 && std::all_of(calls.functions.begin(), calls.functions.end(),
                                                   [](const auto& f) { return f.left_out == 0; }),
                "no call is too small");
    }
}

// A node has its place below the one before it, and what is there has frames.
void require_stacks(const compared_tree& tree, const compared_paths& paths, const wanted& asked) {
    std::uint32_t deepest = 0;
    for (const stack_node<compared_row>& node : tree.nodes) {
        require_row(node.cum, asked.options);
        require(node.depth <= deepest && !node.frames.empty(), "a node is below another");
        deepest = node.depth + 1;
    }
    for (const stack_path<compared_row>& path : paths.paths) {
        require_row(path.value, asked.options);
        require(!path.frames.empty(), "a stack has frames");
    }
    require(paths.paths.size() <= asked.top, "no more stacks than asked for");
    require(asked.options.min_share > 0 || paths.too_small == 0, "no stack is too small");
}

void require_printed(const results& found) {
    require_text(found.text);
    const std::string markdown = tool::as_markdown(tool::markdown_document_of(found.view));
    require(markdown.size() < 65536, "Markdown fits");
    require_markdown(markdown);
    const json whole = parse_json(found.json);
    const compared_rows& rows = found.view.shown.front().rows;
    for (const auto& [name, family] : {std::pair{"flat", &rows.flat}, {"cum", &rows.cum}}) {
        require(whole.at(name).size() == std::min(found.view.top, family->rows.size()),
                "as many rows as are asked for");
    }
}

using sides = std::array<std::vector<const given_capture*>, 2>;

void require_totals(const compared_family& totals, const sides& captures, const wanted& asked) {
    if (asked.options.normalized_by) {
        return;
    }
    for (std::size_t side = 0; side < captures.size(); ++side) {
        for (std::size_t i = 0; i < captures[side].size(); ++i) {
            if (!captures[side][i]->content) {
                continue;
            }
            const std::vector<std::int64_t> expected = sums(*captures[side][i]->content);
            for (std::size_t type = 0; type < expected.size(); ++type) {
                const compared_row& row = totals.rows[type];
                const auto& values = side == 0 ? row.base.values : row.head.values;
                require(values[i] == static_cast<double>(expected[type]),
                        "a total is that of all samples");
            }
        }
    }
}

void check(const std::vector<given_capture>& captures, const wanted& asked) {
    std::unique_ptr<profile_comparison> all;
    if (!is_accepted([&] { // a limit that nothing can cross
            all = std::make_unique<profile_comparison>(asked.options, asked.limits);
        })) {
        return;
    }
    profile_comparison sound{asked.options, asked.limits};
    sides added;
    for (const given_capture& each : captures) {
        const std::size_t side = each.choice % 2U;
        const auto to = static_cast<compare_side>(side);
        if (is_accepted([&] { all->add(to, each.bytes); })) {
            sound.add(to, each.bytes);
            added[side].push_back(&each);
            require(!each.content || each.content->time == 0 ||
                        !is_accepted([&] { all->add(to, each.bytes); }),
                    "a copy is refused");
        }
        require(all->captures(to) == added[side].size(), "what is refused is not counted");
        if (!added[0].empty() && !added[1].empty() && each.choice / 2 % 4 == 0) {
            static_cast<void>(all->rows(0)); // whose results are kept until the next capture
        }
    }
    if (added[0].empty() || added[1].empty()) {
        require(!is_accepted([&] { static_cast<void>(all->totals()); }),
                "each side needs a capture");
        return;
    }
    const results found = results_of(*all, asked);
    const results expected = results_of(sound, asked);
    require(found.is_judged == expected.is_judged && found.text == expected.text &&
                found.json == expected.json && all->is_head_foreign() == sound.is_head_foreign() &&
                all->older_side() == sound.older_side(),
            "what is refused changes nothing");
    require_totals(found.view.totals, added, asked);
    for (std::size_t type = 0; type < found.view.types.size(); ++type) {
        require_row(found.view.totals.rows[type], asked.options);
        const tool::compared_type& shown = found.view.shown[type];
        require_rows(shown.rows, found.view.totals.rows[type], asked);
        for (const tool::shown_calls<compared_calls>& calls : shown.calls) {
            require_calls(calls.found, asked);
        }
        if (shown.tree) {
            require_stacks(*shown.tree, *shown.paths, asked);
        }
    }
    require_printed(found);
}

} // namespace

FUZZ_TARGET(compare, data, size) {
    steering bytes{data, size};
    const wanted asked{bytes};
    const std::vector<given_capture> captures = choose_captures(bytes);
    check(captures, asked);
    return 0;
}
