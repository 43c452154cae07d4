// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_COMMAND_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CLI_COMMAND_OPTIONS_HPP

#include <charconv>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "cli/arguments.hpp"

namespace pprofdelta::tool {

/// The words that an option accepts, each with its meaning, in the order of the message that lists
/// them.
template <typename Value>
using choices = std::vector<std::pair<std::string, Value>>;

/// Values of an option that are not among its words.
struct other_words {
    std::string shown{};                                 ///< For the message, as "label:KEY".
    std::function<bool(const std::string& word)> take{}; ///< False for what is none either.
};

/// The options of one command, in the order of its help. Each is added with the variable for its
/// value, which must outlive this.
class command_options {
public:
    using use_value = std::function<void(const std::string& value)>;

    explicit command_options(std::string usage);
    ~command_options();
    command_options(const command_options&) = delete;
    command_options& operator=(const command_options&) = delete;

    /// A heading over the options that are added next.
    void add_heading(const std::string& heading) { m_help += heading + ":\n"; }
    /// The line for --help, which every command has.
    void add_help() { add_shown({"-h,--help", "", "Print this help"}); }

    /// @param names such as "-o,--output".
    void add_flag(const std::string& names, bool& value, const std::string& text);
    /// An option that is given once, with a value that the help calls `value_name`.
    void add_value(const std::string& names, const std::string& value_name, const use_value& use,
                   const std::string& text);
    /// Adds an option that can be given several times.
    void add_values(const std::string& names, const std::string& value_name, const use_value& use,
                    const std::string& text);
    /// An option whose value, if it has one, follows after '='; empty if it has none.
    void add_optional_value(const std::string& name, const std::string& value_name,
                            const use_value& use, const std::string& text);

    void add_value(const std::string& names, const std::string& value_name, std::string& value,
                   const std::string& text) {
        add_value(
            names, value_name, [&value](const std::string& word) { value = word; }, text);
    }

    /// Adds an option whose value may be followed by more of them, up to the next option.
    void add_list(const std::string& name, const std::string& value_name,
                  std::vector<std::string>& values, const std::string& text);

    template <typename Value>
    void add_values(const std::string& names, const std::string& value_name,
                    std::vector<Value>& values, const std::string& text) {
        add_values(
            names, value_name, [&values](const std::string& word) { values.emplace_back(word); },
            text);
    }

    /// A decimal number, which is whole if `value` is.
    template <typename Number>
    void add_number(const std::string& name, const std::string& value_name, Number& value,
                    const std::string& text) {
        const auto use = [&value, name](const std::string& word) {
            const char* const end = word.data() + word.size();
            const auto [rest, fault] = std::from_chars(word.data(), end, value);
            if (fault != std::errc{} || rest != end) {
                wrong_usage(name + " " + word + ": it is no number");
            }
        };
        add_value(name, value_name, use, text);
    }

    template <typename Value>
    void add_choice(const std::string& name, const std::string& value_name, Value& value,
                    const choices<Value>& all, const std::string& text,
                    const other_words& others = {}) {
        const auto use = [&value, all, name, others](const std::string& typed) {
            std::string words;
            for (const auto& [word, meaning] : all) {
                if (word == typed) {
                    value = meaning;
                    return;
                }
                words += (words.empty() ? "" : "|") + word;
            }
            if (others.take && others.take(typed)) {
                return;
            }
            words += (others.shown.empty() ? "" : "|") + others.shown;
            wrong_usage(name + ": '" + typed + "' is none of " + words);
        };
        add_value(name, value_name, use, text);
        for (const auto& [word, meaning] : all) {
            m_shown.back().words.push_back(word);
        }
    }

    /// What is given without an option.
    void add_files(std::vector<std::string>& files);

    /// Words of which the first that is given without an option is one; for completions.
    void add_first_words(std::vector<std::string> words) { m_first_words = std::move(words); }
    [[nodiscard]] const std::vector<std::string>& first_words() const noexcept {
        return m_first_words;
    }

    /// Both options must have been added.
    void needs(const std::string& name, const std::string& other);
    void excludes(const std::string& name, const std::string& other);

    /// Has parse() put what is given of the options that were added so far into `names`, such as
    /// "--by file", in the order of the help. Files are left out, and so are the `others`.
    void collect_given(std::vector<std::string>& names, const std::vector<std::string>& others);

    [[nodiscard]] const std::string& help() const noexcept { return m_help; }
    [[nodiscard]] option_kind kind(const std::string& name) const;

    /// An option as the help has it.
    struct shown {
        std::string names;      ///< Such as "-o,--output".
        std::string value_name; ///< Empty for a flag.
        std::string text;
        std::vector<std::string> words{}; ///< That are its values, if no others are.
        bool is_list = false;             ///< More values may follow.
    };
    [[nodiscard]] const std::vector<shown>& all_shown() const noexcept { return m_shown; }

    enum class outcome { parsed, help, version };

    /// Reads the words of a command line, and gives their values to the options. `--help` and
    /// `--version` take precedence over everything else.
    /// @param refuse_unknown is called with an option that is not among these, or several letters
    ///                       after one dash, and throws if it has more to say than that.
    /// @throws usage_failure
    [[nodiscard]] outcome parse(const std::vector<std::string>& words,
                                const std::function<void(const std::string&)>& refuse_unknown);

private:
    class impl;

    void add_shown(shown option, bool is_value_optional = false);
    [[nodiscard]] std::vector<std::string> given(const shown& option) const;

    std::unique_ptr<impl> m_impl;
    std::string m_help;
    std::vector<shown> m_shown;
    std::vector<std::string> m_first_words;
    std::vector<shown> m_to_tell;
    std::vector<std::string>* m_names = nullptr;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_COMMAND_OPTIONS_HPP
