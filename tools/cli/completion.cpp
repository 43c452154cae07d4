// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "base/failure.hpp"
#include "base/names.hpp"
#include "cli/inputs.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

namespace {

using described = command_options::described;

// Stands for the word that is being typed.
constexpr const char* word_here = "\n";

// What the values of options are, by the names that the help has for them; of others there is
// nothing to tell.
enum class value_kind { other, file, folder, type, limit };

value_kind kind_of_value(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, value_kind>, 8> kinds{{
        {"DIR", value_kind::folder},
        {"FILE", value_kind::file},
        {"LIMIT", value_kind::limit},
        {"LIST", value_kind::file},
        {"PATH", value_kind::file},
        {"ROOT", value_kind::folder},
        {"TEMPLATE", value_kind::file},
        {"TYPE", value_kind::type},
    }};
    const auto* const kind = std::find_if(kinds.begin(), kinds.end(),
                                          [&](const auto& each) { return each.first == name; });
    return kind == kinds.end() ? value_kind::other : kind->second;
}

// "~/x" is what a shell would have expanded.
std::string expanded(const std::string& path) {
    const char* const home = std::getenv("HOME");
    return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
}

// As a user waits.
constexpr std::size_t most_on_disk = std::size_t{32} << 20U;
constexpr std::size_t most_inflated = std::size_t{128} << 20U;
constexpr std::size_t most_tried = 4;

bool is_quick_to_read(const std::string& path) {
    const std::size_t size = regular_file_size(path);
    return size > 0 && size <= most_on_disk;
}

// None of what is neither a profile nor a state.
std::vector<type_treatment> types_of(const std::string& path) {
    try {
        raw_file raw{path, most_on_disk};
        if (is_state(raw.bytes)) {
            return read_state_info(raw.bytes).types;
        }
        const profile_file profile{std::move(raw), {most_inflated}};
        return list_types(profile.bytes());
    } catch (const failure&) {
        return {};
    } catch (const error&) {
        return {};
    }
}

// The files that a word of the line stands for.
std::vector<std::string> files_of(const std::string& word) {
    try {
        return find_files({expanded(word)}, nullptr);
    } catch (const failure&) {
        return {};
    }
}

class completer {
public:
    completer(const typed_line& line, command_options& options)
        : m_line{line}, m_first_words{options.first_words()} {
        std::vector<std::string> words = line.before;
        words.emplace_back(word_here);
        words.insert(words.end(), line.after.begin(), line.after.end());
        options.parse_unfinished(words);
        m_options = options.all();
    }

    completion complete() const {
        const auto here =
            std::find_if(m_options.begin(), m_options.end(),
                         [](const described& each) { return has(each.given, word_here); });
        if (here == m_options.end()) {
            return {.also = completion::names::files};
        }
        const bool is_file = here->names.empty();
        if (m_line.word.starts_with('-') && (is_file || here->is_list)) {
            return option();
        }
        if (!is_file) {
            return value_of(&*here, "");
        }
        if (here->given.front() == word_here && !m_first_words.empty()) {
            return of_words(m_first_words, "");
        }
        return {.also = completion::names::files};
    }

private:
    static bool has(const std::vector<std::string>& words, std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    static completion of_words(const std::vector<std::string>& words, const std::string& prefix) {
        completion all{.prefix = prefix};
        for (const std::string& word : words) {
            all.candidates.push_back({prefix + word, ""});
        }
        return all;
    }

    const described* find(const std::string& name) const {
        const auto found =
            std::find_if(m_options.begin(), m_options.end(),
                         [&name](const described& each) { return has(each.names, name); });
        return found == m_options.end() ? nullptr : &*found;
    }

    completion option() const {
        const std::size_t sign = m_line.word.find('=');
        if (m_line.word.starts_with("--") && sign != std::string::npos) {
            return value_of(find(m_line.word.substr(0, sign)), m_line.word.substr(0, sign + 1));
        }
        completion words;
        for (const described& each : m_options) {
            for (const std::string& name : each.names) {
                words.candidates.push_back({name, each.text});
            }
        }
        return words;
    }

    // @param option is nullptr for one that there is not.
    // @param prefix what the value stands behind in the word.
    completion value_of(const described* option, const std::string& prefix) const {
        completion words =
            of_words(option == nullptr ? std::vector<std::string>{} : option->words, prefix);
        if (option == nullptr || !words.candidates.empty()) {
            return words;
        }
        switch (kind_of_value(option->value_name)) {
        case value_kind::file:
            words.also = completion::names::files;
            break;
        case value_kind::folder:
            words.also = completion::names::folders;
            break;
        case value_kind::type:
            add_types(words, "");
            break;
        case value_kind::limit:
            // The type of a limit follows the last colon, and '>' follows the type.
            if (m_line.word.find('>') == std::string::npos) {
                words.prefix =
                    m_line.word.substr(0, std::max(m_line.word.rfind(':') + 1, prefix.size()));
                words.is_part = true;
                add_types(words, ">");
            }
            break;
        case value_kind::other:
            break;
        }
        return words;
    }

    // With the unit where one is being typed, or the type alone would stand for several.
    void add_types(completion& words, const char* end) const {
        const std::vector<type_treatment> types = types_on_line();
        const bool has_unit = m_line.word.find('/', words.prefix.size()) != std::string::npos;
        const auto stands_for_several = [&types](const std::string& name) {
            return std::count_if(types.begin(), types.end(), [&name](const type_treatment& each) {
                       return each.type.type == name;
                   }) > 1;
        };
        for (const auto& [type, is_cumulative] : types) {
            const std::string name =
                has_unit || stands_for_several(type.type) ? to_string(type) : type.type;
            // Others would do what they want to the terminal, or to this answer.
            if (printable(name) == name) {
                words.candidates.push_back(
                    {words.prefix + name + end,
                     printable(type.unit) + (is_cumulative ? ", cumulative" : ", gauge")});
            }
        }
    }

    // Names of profiles come first, as a state may be of other ones.
    std::vector<std::string> profiles_on_line() const {
        std::vector<std::string> profiles;
        std::vector<std::string> states;
        for (const described& each : m_options) {
            const bool is_of_profiles = each.names.empty() || each.is_list;
            if (is_of_profiles || has(each.names, "--state")) {
                std::vector<std::string>& into = is_of_profiles ? profiles : states;
                std::copy_if(each.given.begin(), each.given.end(), std::back_inserter(into),
                             [](const std::string& word) { return word != word_here; });
            }
        }
        profiles.insert(profiles.end(), states.begin(), states.end());
        return profiles;
    }

    std::vector<type_treatment> types_on_line() const {
        std::size_t tried = 0;
        for (const std::string& word : profiles_on_line()) {
            for (const std::string& file : files_of(word)) {
                if (!is_quick_to_read(file)) {
                    continue;
                }
                std::vector<type_treatment> types = types_of(file);
                if (!types.empty() || ++tried == most_tried) {
                    return types;
                }
            }
        }
        return {};
    }

    const typed_line& m_line;
    const std::vector<std::string>& m_first_words;
    std::vector<described> m_options;
};

} // namespace

std::string completion::answer() const {
    std::string text = is_part                  ? "parts"
                       : also == names::files   ? "files"
                       : also == names::folders ? "folders"
                                                : "none";
    text += "\t" + prefix + "\n";
    for (const auto& [word, meaning] : candidates) {
        text.append(word).append("\t").append(meaning).append("\n");
    }
    return text;
}

completion complete(const typed_line& line, command_options& options) {
    return completer{line, options}.complete();
}

} // namespace pprofdelta::tool
