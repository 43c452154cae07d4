// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"

#include <string_view>
#include <utility>

#include "base/failure.hpp"

namespace pprofdelta::tool {

namespace {

class splitter {
public:
    splitter(const std::vector<std::string>& words,
             const std::function<option_kind(const std::string&)>& kind_of)
        : m_words{words}, m_kind_of{kind_of} {}

    std::vector<argument> all() {
        bool are_files = false;
        while (m_next < m_words.size()) {
            const std::string& word = m_words[m_next++];
            if (are_files || word == "-" || !word.starts_with('-')) {
                m_arguments.push_back({{}, word});
            } else if (word == "--") {
                are_files = true;
            } else if (word.starts_with("--")) {
                add_long(word);
            } else {
                add_short(word);
            }
        }
        return std::move(m_arguments);
    }

private:
    void add_long(const std::string& word) {
        const std::size_t sign = word.find('=');
        if (sign == std::string::npos) {
            add(word, std::nullopt);
        } else {
            add(word.substr(0, sign), word.substr(sign + 1));
        }
    }

    // Flags, of which the last one may be an option with a value.
    void add_short(const std::string& word) {
        if (word.size() > 2) {
            static_cast<void>(m_kind_of(word.substr(0, word.find('='))));
        }
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::string name{'-', word[i]};
            if (m_kind_of(name) == option_kind::with_value && i + 1 < word.size()) {
                add(name, word.substr(i + 1));
                return;
            }
            add(name, std::nullopt);
        }
    }

    void add(const std::string& name, std::optional<std::string> value) {
        const option_kind kind = m_kind_of(name);
        if (kind == option_kind::unknown) {
            wrong_usage("there is no option " + name);
        }
        if (kind == option_kind::flag && value) {
            wrong_usage(name + " takes no value");
        }
        if (kind == option_kind::with_value && !value && m_next < m_words.size()) {
            value = m_words[m_next++];
        }
        if (kind == option_kind::with_optional_value && !value) {
            value.emplace();
        }
        if (kind == option_kind::with_value && value.value_or("").empty()) {
            wrong_usage(name + " needs a value");
        }
        m_arguments.push_back({name, std::move(value)});
    }

    const std::vector<std::string>& m_words;
    const std::function<option_kind(const std::string&)>& m_kind_of;
    std::size_t m_next = 0; // the word to be read next
    std::vector<argument> m_arguments;
};

} // namespace

std::vector<argument>
split_arguments(const std::vector<std::string>& words,
                const std::function<option_kind(const std::string& name)>& kind_of) {
    return splitter{words, kind_of}.all();
}

} // namespace pprofdelta::tool
