// SPDX-License-Identifier: Apache-2.0
// Samples and frames of a profile with labels, chosen in any way: what a choice takes and what it
// leaves add up, and rows, stacks, trees, flame graphs and folded lines all have the same sum.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/export.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/report.hpp>

#include "fuzz.hpp"
#include "named_profile.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::string choose_pattern(const std::vector<std::string>& names, steering& choices) {
    static const std::vector<std::string> patterns{".", "^[a-f]", "$", "(a|b)*", "\\xff", "[^x]"};
    const unsigned choice = choices.byte();
    switch (choice % 4) {
    case 0:
        return names[choice / 4 % names.size()];
    case 1:
        return std::string{choices.take(choice / 4 % 8)};
    default:
        return patterns[choice / 4 % patterns.size()];
    }
}

std::string choose_label(const std::vector<std::string>& names, steering& choices) {
    static const std::vector<std::string> ranges{"1kb:", ":7", "5", "1ms:2s", ""};
    const unsigned choice = choices.byte();
    return names[choice % names.size()] + "=" +
           (choice / 16 % 2 == 0 ? choose_pattern(names, choices)
                                 : ranges[choice / 32 % ranges.size()]);
}

report_options choose_options(const std::vector<std::string>& names, steering& choices) {
    report_options options;
    stack_selection& selection = options.selection;
    const unsigned bits = choices.byte();
    const unsigned more = choices.byte();
    options.by = static_cast<grouping>(more % 5);
    if (options.by == grouping::label) {
        options.by_label = names[more / 8 % names.size()];
    }
    if (bits % 2 != 0) {
        selection.hide = choose_pattern(names, choices);
    }
    if (bits / 2 % 2 != 0) {
        selection.show_from = choose_pattern(names, choices);
    }
    if (bits / 4 % 2 != 0) {
        selection.renames.push_back(choose_pattern(names, choices) + "=" +
                                    std::string{choices.take(choices.byte() % 8)});
    }
    if (bits / 8 % 2 != 0) {
        selection.label_roots.push_back(names[choices.byte() % names.size()]);
    }
    if (bits / 16 % 2 != 0) {
        selection.labels.push_back(choose_label(names, choices));
    }
    if (bits / 32 % 2 != 0) {
        selection.no_labels.push_back(choose_label(names, choices));
    }
    return options;
}

std::optional<report> report_of(const std::string& profile, const report_options& options) {
    report made;
    return is_accepted([&] { made = make_report(profile, options); }) ? std::optional{made}
                                                                      : std::nullopt;
}

// Parts of which some do not fit 64 bits are refused, and say nothing.
void require_parts(const std::string& profile, const report& whole, const report_options& one,
                   const report_options& other, const char* promise) {
    const std::optional<report> some = report_of(profile, one);
    const std::optional<report> rest = report_of(profile, other);
    require(!some || !rest ||
                wrapping_sum(some->shown.current, rest->shown.current) == whole.shown.current,
            promise);
}

void require_partition(const std::string& profile, const report& whole,
                       const report_options& options, const std::string& pattern,
                       const std::string& label) {
    report_options with = options;
    report_options without = options;
    with.selection.focus = pattern;
    without.selection.ignore = pattern;
    if (!pattern.empty()) {
        require_parts(profile, whole, with, without, "focus and ignore are each other's rest");
    }
    with = without = options;
    with.selection.labels.push_back(label);
    without.selection.no_labels.push_back(label);
    require_parts(profile, whole, with, without, "a label and its absence are each other's rest");
}

void require_stacks(const std::string& profile, const report& whole,
                    const report_options& options) {
    call_stacks stacks;
    report again;
    call_tree tree;
    if (!is_accepted([&] {
            again = make_report(profile, options, stacks);
            tree = stacks.tree({.smallest = 0});
        })) {
        return; // stacks may be too many where rows are not
    }
    require(again.shown.current == whole.shown.current && again.rows.size() == whole.rows.size(),
            "rows of stacks are those of samples");
    std::int64_t sum = 0;
    for (const stack_path<value_pair>& path : stacks.paths(1'000'000).paths) {
        sum = wrapping_sum(sum, path.value.current);
    }
    require(sum == whole.shown.current, "stacks add up");
    sum = 0;
    for (const call_tree::node& node : tree.nodes) {
        sum = node.depth == 0 ? wrapping_sum(sum, node.cum.current) : sum;
    }
    require(sum == whole.shown.current, "the roots of a tree add up");
    flame_graph graph;
    if (is_accepted([&] { graph = make_flame_graph(profile, options, {}); })) {
        require(graph.nodes.front().value.current == whole.shown.current,
                "a flame graph has all that is shown");
    }
}

void check(const std::string& profile, const std::string& later,
           const std::vector<std::string>& names, steering& choices) {
    report_options options = choose_options(names, choices);
    const std::string pattern = choose_pattern(names, choices);
    const std::string label = choose_label(names, choices);
    const std::optional<report> whole = report_of(profile, options);
    if (!whole) {
        return;
    }
    std::int64_t sum = 0;
    for (const report::row& row : whole->rows) {
        sum = wrapping_sum(sum, row.flat.current);
    }
    require(sum == whole->shown.current, "rows add up");
    require_partition(profile, *whole, options, pattern, label);
    require_stacks(profile, *whole, options);
    report pair;
    options.sample_type.emplace(to_string(whole->totals[whole->type].type));
    if (is_accepted([&] { pair = make_report({profile, later}, options); })) {
        require(pair.shown.previous == whole->shown.current,
                "what is chosen of one profile is chosen of two");
    }
    report_options deeper = options;
    deeper.selection.label_roots.push_back(names.back());
    if (const std::optional<report> rooted = report_of(profile, deeper)) {
        require(rooted->shown.current == whole->shown.current, "a root takes nothing away");
    }
}

} // namespace

FUZZ_TARGET(selection, data, size) {
    steering bytes{data, size};
    const bool is_invented = bytes.byte() % 4 != 0;
    const std::vector<std::string> names = choose_names(bytes);
    if (!is_invented) {
        steering choices{data, std::min<std::size_t>(size, 40)};
        const std::string profile{bytes.rest()};
        check(profile, profile, names, choices);
        return 0;
    }
    const std::string profile = serialize(invent_labelled(names, bytes));
    const std::string later = serialize(invent_labelled(names, bytes));
    check(profile, later, names, bytes);
    return 0;
}
