// SPDX-License-Identifier: Apache-2.0
#include "select/stack_rules.hpp"

#include <algorithm>
#include <utility>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

namespace {

std::unique_ptr<const name_pattern> compiled_pattern(const std::string& regex) {
    return regex.empty() ? nullptr : std::make_unique<const name_pattern>(regex);
}

} // namespace

stack_rules::stack_rules(const stack_selection& selection, grouping rows,
                         const std::string& by_label)
    : by{rows}, focus{compiled_pattern(selection.focus)},
      ignore{compiled_pattern(selection.ignore)}, hide{compiled_pattern(selection.hide)},
      show_from{compiled_pattern(selection.show_from)}, labels{selection.labels.begin(),
                                                               selection.labels.end()},
      no_labels{selection.no_labels.begin(), selection.no_labels.end()},
      renames{selection.renames.begin(), selection.renames.end()} {
    for (const auto* const patterns : {&labels, &no_labels}) {
        for (const label_pattern& pattern : *patterns) {
            add_key(pattern.key());
        }
    }
    for (const std::string& key : selection.label_roots) {
        root_keys.push_back(add_key(key));
    }
    if (by == grouping::label) {
        row_key = add_key(by_label);
    }
}

std::uint32_t stack_rules::add_key(const std::string& key) {
    if (key.empty()) {
        throw error{error_kind::invalid_argument, "the key of a label is empty"};
    }
    const auto found = std::find(keys.begin(), keys.end(), key);
    const auto place = static_cast<std::uint32_t>(found - keys.begin());
    if (found == keys.end()) {
        keys.push_back(key);
    }
    return place;
}

void stack_rules::keep_only(label_text label) {
    add_key(label.key);
    only_label = std::move(label);
}

void check_selection(const stack_selection& selection) {
    static_cast<void>(stack_rules{selection});
}

} // namespace pprofdelta
