// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_COMMAND_TEMPLATE_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_COMMAND_TEMPLATE_HPP

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// What placeholders stand for, by their names. One that is not there is empty.
using placeholder_values = std::map<std::string, std::string, std::less<>>;

/// A command to run for each delta: `curl -fsS -T {file} 'https://host/{series}'`. There is no
/// shell: words are divided at blanks, but for what is in quotes or behind a backslash, as a shell
/// would, and a value is never more than a part of one word, whatever it has.
class command_template {
public:
    /// None.
    command_template() = default;
    /// @param known the names of placeholders. Other braces stand for themselves, but for a name in
    ///              braces where `others_are_labels` is false.
    /// @throws usage_failure for a text without a word, a quote that does not end, or a placeholder
    ///         that is not known.
    command_template(std::string_view text, const std::vector<std::string_view>& known,
                     bool others_are_labels);

    [[nodiscard]] bool is_empty() const noexcept { return m_words.empty(); }

    /// The words of the command for one delta.
    /// @throws failure io for a word that begins with a value that begins with '-': the command
    ///         would take it for an option.
    [[nodiscard]] std::vector<std::string> words(const placeholder_values& values) const;

private:
    // A text, or the name of a placeholder.
    struct piece {
        std::string text;
        bool is_placeholder = false;
    };

    std::size_t append_character(std::string_view text, char quote);

    std::vector<std::vector<piece>> m_words;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_COMMAND_TEMPLATE_HPP
