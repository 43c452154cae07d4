// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_STACK_RULES_HPP
#define PPROFDELTA_SRC_SELECT_STACK_RULES_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "select/label_pattern.hpp"
#include "select/name_pattern.hpp"

namespace pprofdelta {

/// A label that is a text.
struct label_text {
    std::string key;
    std::string text;
};

/// A stack_selection and what rows are, with compiled patterns: for any number of profiles.
struct stack_rules {
    stack_rules() = default;
    /// @throws error invalid_argument
    explicit stack_rules(const stack_selection& selection, grouping rows = grouping::function,
                         const std::string& by_label = {});
    /// @tparam Options report_options, or others that have the same.
    template <typename Options>
    explicit stack_rules(const Options& options)
        : stack_rules{options.selection, options.by, options.by_label} {}

    /// The place of a key among `keys`, which gets it unless it is there.
    std::uint32_t add_key(const std::string& key);

    /// Leaves only samples that have the label.
    void keep_only(label_text label);

    /// Whether stacks can have other places than in the profile.
    [[nodiscard]] bool change_stacks() const noexcept {
        return hide || show_from || !root_keys.empty() || by == grouping::label;
    }

    grouping by = grouping::function;
    std::unique_ptr<const name_pattern> focus; ///< nullptr for none, as the next.
    std::unique_ptr<const name_pattern> ignore;
    std::unique_ptr<const name_pattern> hide;
    std::unique_ptr<const name_pattern> show_from;
    std::vector<label_pattern> labels;
    std::vector<label_pattern> no_labels;
    std::optional<label_text> only_label;
    std::vector<name_rewriter> renames;
    std::vector<std::string> keys;        ///< Of all labels that matter, each once.
    std::vector<std::uint32_t> root_keys; ///< By their places among these, outermost first.
    std::uint32_t row_key = 0;            ///< Of the label that rows are about, the same.
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_STACK_RULES_HPP
