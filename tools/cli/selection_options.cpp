// SPDX-License-Identifier: Apache-2.0
#include "cli/selection_options.hpp"

#include <string_view>

#include <pprofdelta/error.hpp>

#include "base/failure.hpp"
#include "cli/common_options.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view label_prefix = "label:";

// A selection of but one thing, so that what is wrong is said of its option.
void check(const char* option, const stack_selection& alone) {
    try {
        check_selection(alone);
    } catch (const error& e) {
        wrong_usage(std::string{option} + ": " + e.what());
    }
}

void check(const char* option, const std::vector<std::string>& texts,
           std::vector<std::string> stack_selection::*list) {
    for (const std::string& each : texts) {
        stack_selection alone;
        alone.*list = {each};
        check(option, alone);
    }
}

// "label:KEY".
template <typename Grouping>
other_words label_words(Grouping& by, std::string& label_key) {
    const auto take = [&by, &label_key](const std::string& word) {
        const bool is_label = word.starts_with(label_prefix) && word.size() > label_prefix.size();
        if (is_label) {
            by = grouping::label;
            label_key = word.substr(label_prefix.size());
        }
        return is_label;
    };
    return {"label:KEY", take};
}

} // namespace

void add_grouping(command_options& options, grouping& by, std::string& label_key) {
    options.add_choice<grouping>("--by", "WHAT", by,
                                 {{"function", grouping::function},
                                  {"file", grouping::file},
                                  {"package", grouping::package},
                                  {"line", grouping::line}},
                                 "Rows: function (default), file, package, line, label:KEY",
                                 label_words(by, label_key));
}

void add_fleet_grouping(command_options& options, std::optional<grouping>& by,
                        std::string& label_key) {
    options.add_choice<std::optional<grouping>>(
        "--by", "WHAT", by,
        {{"service", std::nullopt},
         {"function", grouping::function},
         {"file", grouping::file},
         {"package", grouping::package},
         {"line", grouping::line}},
        "Rows: service (default), function, file, package, line, label:KEY",
        label_words(by, label_key));
}

void add_stack_filters(command_options& options, std::string& focus, std::string& ignore) {
    options.add_value("--focus", "REGEX", focus, "Only samples with a match in the stack");
    options.add_value("--ignore", "REGEX", ignore, "Only samples without a match in the stack");
}

void add_label_filters(command_options& options, std::vector<std::string>& labels,
                       std::vector<std::string>& no_labels) {
    options.add_values("--label", "KEY=REGEX", labels,
                       "Only samples with this label, or in a range: bytes=1kb:1mb");
    options.add_values("--no-label", "KEY=REGEX", no_labels,
                       "Only samples without this label; repeatable");
}

void add_selection(command_options& options, stack_selection& chosen) {
    add_stack_filters(options, chosen.focus, chosen.ignore);
    add_label_filters(options, chosen.labels, chosen.no_labels);
    options.add_value("--hide", "REGEX", chosen.hide, "Take matching frames out of stacks");
    options.add_value("--show-from", "REGEX", chosen.show_from,
                      "Begin stacks with their outermost match");
    options.add_values("--rename", "REGEX=TEXT", chosen.renames,
                       "Change names of functions, before all else; repeatable");
    options.add_values("--label-root", "KEY", chosen.label_roots,
                       "Put the values of a label at the root of stacks");
}

void check_selection_options(const stack_selection& chosen) {
    check("--focus", {.focus = chosen.focus});
    check("--ignore", {.ignore = chosen.ignore});
    check("--label", chosen.labels, &stack_selection::labels);
    check("--no-label", chosen.no_labels, &stack_selection::no_labels);
    check("--hide", {.hide = chosen.hide});
    check("--show-from", {.show_from = chosen.show_from});
    check("--rename", chosen.renames, &stack_selection::renames);
    check("--label-root", chosen.label_roots, &stack_selection::label_roots);
}

void add_types_and_labels(command_options& options, trim_options& trim) {
    options.add_values("--keep-type", "TYPE", trim.keep_types,
                       "Only this sample type, or TYPE/UNIT; repeatable");
    options.add_values("--drop-label", "KEY", trim.drop_labels,
                       "No labels of this key, or of a key that this matches; repeatable");
}

void check_dropped_labels(const trim_options& trim) {
    for (const std::string& key : trim.drop_labels) {
        if (key.empty()) {
            wrong_usage("--drop-label needs a key");
        }
        check_regex("--drop-label", key);
    }
}

} // namespace pprofdelta::tool
