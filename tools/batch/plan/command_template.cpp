// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/command_template.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/failure.hpp"

namespace pprofdelta::tool {

namespace {

[[noreturn]] void refuse_command(const std::string& what) { wrong_usage("--exec: " + what); }

// The name of a placeholder, if `text` begins with one in braces; else nothing.
std::string_view placeholder_at(std::string_view text) {
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    if (!text.starts_with('{')) {
        return {};
    }
    const std::size_t end = std::min(text.find_first_not_of(letters, 1), text.size());
    const std::string_view name = text.substr(1, end - 1);
    const bool is_name = !name.empty() && (name.front() < '0' || name.front() > '9');
    return is_name && text.substr(end).starts_with('}') ? name : std::string_view{};
}

} // namespace

command_template::command_template(std::string_view text,
                                   const std::vector<std::string_view>& known,
                                   bool others_are_labels) {
    if (text.find('\0') != std::string_view::npos) {
        refuse_command("the command has a NUL");
    }
    char quote = '\0';
    bool is_in_word = false;
    while (!text.empty()) {
        const char c = text.front();
        if (quote == '\0' && std::string_view{" \t\n\r"}.find(c) != std::string_view::npos) {
            is_in_word = false;
            text.remove_prefix(1);
            continue;
        }
        if (!std::exchange(is_in_word, true)) {
            m_words.emplace_back();
        }
        if (quote == '\0' ? c == '\'' || c == '"' : c == quote) {
            quote = quote == '\0' ? c : '\0';
            text.remove_prefix(1);
        } else if (const std::string_view name = placeholder_at(text); !name.empty()) {
            if (!others_are_labels && std::find(known.begin(), known.end(), name) == known.end()) {
                refuse_command("'{" + std::string{name} +
                               "}' is no placeholder; labels need --targets");
            }
            m_words.back().push_back({std::string{name}, true});
            text.remove_prefix(name.size() + 2);
        } else {
            text.remove_prefix(append_character(text, quote));
        }
    }
    if (quote != '\0') {
        refuse_command(std::string{"there is no end of what begins with "} + quote);
    }
    if (m_words.empty()) {
        refuse_command("there is no command");
    }
}

// @returns how much of the text it took, with a backslash before it.
std::size_t command_template::append_character(std::string_view text, char quote) {
    const bool is_escaped = text.front() == '\\' && quote != '\'' && text.size() > 1 &&
                            (quote == '\0' || text[1] == '"' || text[1] == '\\');
    std::vector<piece>& word = m_words.back();
    if (word.empty() || word.back().is_placeholder) {
        word.emplace_back();
    }
    word.back().text += text[is_escaped ? 1 : 0];
    return is_escaped ? 2 : 1;
}

std::vector<std::string> command_template::words(const placeholder_values& values) const {
    std::vector<std::string> all;
    for (const std::vector<piece>& each : m_words) {
        std::string word;
        for (const piece& part : each) {
            const auto value = values.find(part.text);
            if (!part.is_placeholder) {
                word += part.text;
            } else if (value != values.end()) {
                if (word.empty() && value->second.starts_with('-')) {
                    throw failure{exit_status::io,
                                  "--exec: {" + part.text +
                                      "} begins with '-', so the command "
                                      "would take it for an option; have a text before it"};
                }
                word += value->second;
            }
        }
        all.push_back(std::move(word));
    }
    return all;
}

} // namespace pprofdelta::tool
