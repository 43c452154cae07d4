// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "base/value_text.hpp"

// It takes seconds to compile, so that only one source includes it.
namespace CLI {
class Option;
} // namespace CLI

namespace pprofdelta::tool {

/// The words that an option accepts, each with its meaning, in the order of the message that lists
/// them.
template <typename Value>
using choices = std::vector<std::pair<std::string, Value>>;

/// Values of an option that are not among its words.
struct other_words {
    /// Their form in the message, as "label:KEY".
    std::string shown{};
    std::function<bool(const std::string& word)> take{}; ///< False for what is none either.
};

/// The numbers that an option takes.
template <typename Number>
struct number_range {
    Number least = std::numeric_limits<Number>::lowest();
    Number most = std::numeric_limits<Number>::max();
    /// The description after "must be"; nullptr for "a number from LEAST to MOST".
    const char* text = nullptr;
};

/// The ends of ranges that these are not in.
inline constexpr double above_0 = std::numeric_limits<double>::min();
inline constexpr double below_1 = 1 - std::numeric_limits<double>::epsilon() / 2;

/// The options of one command, in the order of its help, declared to CLI11. Each is added with the
/// variable for its value, which must outlive this.
class command_options {
public:
    /// The function may throw a usage_failure, or an error of the library, which gets the name of
    /// the option.
    using use_value = std::function<void(const std::string& value)>;

    /// @param usage the lines that help begins with.
    explicit command_options(const std::string& usage);
    ~command_options();
    command_options(const command_options&) = delete;
    command_options& operator=(const command_options&) = delete;

    /// A heading over the options that are added next; it is "Options" if there is none.
    void add_heading(std::string heading) { m_heading = std::move(heading); }
    /// The lines for -h and --help, which every command has.
    void add_help();

    /// @param names such as "-o,--output"; the last one is what messages call it.
    /// @param given value that it stands for.
    void add_flag(const std::string& names, bool& value, const std::string& text,
                  bool given = true);
    /// An option that is given once, with a value that the help calls `value_name`.
    void add_value(const std::string& names, const std::string& value_name, const use_value& use,
                   const std::string& text);
    /// Adds an option that can be given several times.
    void add_values(const std::string& names, const std::string& value_name, const use_value& use,
                    const std::string& text);
    /// A flag with a value, which follows after '='.
    /// @param implied the value if none follows.
    void add_flag_with_value(const std::string& name, const std::string& value_name,
                             const std::string& implied, const use_value& use,
                             const std::string& text);
    /// Adds an option whose value may be followed by more of them, up to the next option.
    void add_list(const std::string& name, const std::string& value_name,
                  std::vector<std::string>& values, const std::string& text);
    /// Adds the words given without an option. No URL among them may have a user's name or a
    /// password, as in a list.
    void add_files(std::vector<std::string>& files);

    void add_value(const std::string& names, const std::string& value_name, std::string& value,
                   const std::string& text) {
        add_value(
            names, value_name, [&value](const std::string& word) { value = word; }, text);
    }

    template <typename Value>
    void add_values(const std::string& names, const std::string& value_name,
                    std::vector<Value>& values, const std::string& text) {
        add_values(
            names, value_name, [&values](const std::string& word) { values.emplace_back(word); },
            text);
    }

    /// CLI11's own conversion is no choice: it reads 010 as 8, and numbers in other forms in later
    /// versions.
    template <typename Number>
    void add_number(const std::string& name, const std::string& value_name, Number& value,
                    const std::string& text, const number_range<Number>& range = {}) {
        const auto use = [&value, name, range](const std::string& word) {
            const std::optional<Number> number = number_in<Number>(word);
            if (!number) {
                wrong_usage(name + " " + word + ": expected a " +
                            (std::is_integral_v<Number> ? "whole number" : "number") +
                            (std::is_unsigned_v<Number> ? ", 0 or more" : ""));
            }
            if (!(*number >= range.least && *number <= range.most)) {
                wrong_usage(name + " must be " +
                            (range.text != nullptr
                                 ? range.text
                                 : "a number from " + std::to_string(range.least) + " to " +
                                       std::to_string(range.most)));
            }
            value = *number;
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
            wrong_usage(name + ": '" + typed + "' is not one of " + words);
        };
        add_value(name, value_name, use, text);
        for (const auto& [word, meaning] : all) {
            m_words[name].push_back(word);
        }
    }

    /// Words of which the first that is given without an option is one; for completions.
    void add_first_words(std::vector<std::string> words) { m_first_words = std::move(words); }
    [[nodiscard]] const std::vector<std::string>& first_words() const noexcept {
        return m_first_words;
    }

    /// Makes a run warn of what an option was taken for.
    void note(std::string text) { m_notes.push_back(std::move(text)); }
    [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return m_notes; }

    /// All of these must have been added.
    void needs(std::initializer_list<const char*> names, const std::string& other);
    void excludes(const std::string& name, std::initializer_list<const char*> others);

    /// Makes parse() put what is given of the options that were added so far into `names`, such as
    /// "--by file", in the order of the help. Files are left out, and so are the `others`.
    void collect_given(std::vector<std::string>& names, const std::vector<std::string>& others);

    [[nodiscard]] std::string help() const;
    /// The help with the options of these names only.
    [[nodiscard]] std::string short_help(const std::vector<std::string>& names) const;
    /// @param name includes its dashes.
    [[nodiscard]] bool has(const std::string& name) const;

    enum class outcome { parsed, short_help, help, version };

    /// Reads the words of a command line, and gives their values to the options. `--help` and
    /// `--version` take precedence over values that are wrong.
    /// @param refuse_unknown is called with an option that is not among these, and throws if it has
    ///                       more to say than that.
    /// @throws usage_failure
    [[nodiscard]] outcome parse(const std::vector<std::string>& words,
                                const std::function<void(const std::string&)>& refuse_unknown);

    /// An option as completions need it.
    struct described {
        std::vector<std::string> names; ///< The names include their dashes; files have none.
        std::string value_name;         ///< Empty for a flag.
        std::string text;
        std::vector<std::string> words; ///< The possible values, if no others are.
        std::vector<std::string> given; ///< See parse_unfinished().
        bool is_list = false;           ///< More values may follow.
    };
    /// All but `--version`, in the order of the help, with files.
    [[nodiscard]] std::vector<described> all() const;
    /// Makes all() tell what a line that is being typed gives to each, up to `--help`. The values
    /// that the commands get are unspecified.
    void parse_unfinished(const std::vector<std::string>& words);

private:
    CLI::Option& add(const std::string& names, const std::string& value_name, bool is_single,
                     const use_value& use, const std::string& text);
    CLI::Option& put(CLI::Option& option, const std::string& value_name);

    // CLI11 gets options and, for all else, numbers of what was typed: what it makes of words such
    // as [x], {}, %% and 1,5 differs between its versions.
    std::string hide(std::string word);
    std::vector<std::string> hide_values(const std::vector<std::string>& words);
    [[nodiscard]] const std::string& typed(const std::string& word) const;
    [[nodiscard]] std::vector<std::string> given(const CLI::Option& option) const;
    void check_rules() const;
    void parse_unchecked(const std::vector<std::string>& words);

    class parser;
    std::unique_ptr<parser> m_app;
    std::map<std::string, CLI::Option*> m_by_name; // CLI11 looks through all of them for a name
    std::string m_heading = "Options";
    std::map<std::string, std::vector<std::string>> m_words; // by the names of options
    std::vector<std::string> m_first_words;
    std::vector<std::string> m_notes;
    std::vector<std::string> m_hidden; // words, by number
    // The actions that take the given values, once the line is known to be right.
    using use_values = std::function<void(const std::vector<std::string>& values)>;
    std::vector<std::pair<const CLI::Option*, use_values>> m_uses;
    // CLI11 would check these before values in some of its versions, and after them in others.
    struct rule {
        const CLI::Option* option;
        const CLI::Option* other;
        bool is_need; // or they exclude each other
    };
    std::vector<rule> m_rules;
    std::vector<const CLI::Option*> m_to_tell;
    std::vector<std::string>* m_given = nullptr;
};

} // namespace pprofdelta::tool
