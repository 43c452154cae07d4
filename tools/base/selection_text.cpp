// SPDX-License-Identifier: Apache-2.0
#include "base/selection_text.hpp"

#include <cstdint>

#include "base/value_text.hpp"

namespace pprofdelta::tool {

std::string groupings_text(grouping by, const std::string& label_key) {
    return by == grouping::label ? "values of " + grouping_text(by, label_key)
                                 : std::string{to_string(by)} + "s";
}

std::string selection_text(const stack_selection& chosen) {
    std::string text;
    const auto add = [&text](const char* name, const std::string& value) {
        if (!value.empty()) {
            text += (text.empty() ? "" : ", ") + std::string{name} + " " + value;
        }
    };
    add("focus", chosen.focus);
    add("ignore", chosen.ignore);
    for (const std::string& each : chosen.labels) {
        add("label", each);
    }
    for (const std::string& each : chosen.no_labels) {
        add("no-label", each);
    }
    add("hide", chosen.hide);
    add("show-from", chosen.show_from);
    return text;
}

std::string selection_note(const stack_selection& chosen) {
    std::string text = selection_text(chosen);
    const auto add = [&text](const char* name, const std::vector<std::string>& values) {
        for (const std::string& each : values) {
            text += (text.empty() ? "" : ", ") + std::string{name} + " " + each;
        }
    };
    add("rename", chosen.renames);
    add("label-root", chosen.label_roots);
    return text.empty() ? text : "selection: " + text;
}

std::string filter_text(const report_options& options, const std::string& unit, report::content of,
                        const value_pair& shown, const value_pair& total) {
    const std::string filter = selection_text(options.selection);
    if (filter.empty()) {
        return {};
    }
    const auto part = [&](std::int64_t some, std::int64_t all) {
        return human(some, unit) + " of " + human(all, unit) +
               (all == 0 ? "" : " (" + share_text(some, all) + ")");
    };
    return of == report::content::comparison
               ? filter + ": previous " + part(shown.previous, total.previous) + ", current " +
                     part(shown.current, total.current)
               : filter + ": " + part(shown.current, total.current);
}

} // namespace pprofdelta::tool
