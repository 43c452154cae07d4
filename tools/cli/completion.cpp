// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "base/failure.hpp"
#include "base/names.hpp"
#include "cli/arguments.hpp"
#include "cli/inputs.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

namespace {

bool is_slip(std::string_view typed, std::string_view word) {
    const auto different = std::mismatch(typed.begin(), typed.end(), word.begin(), word.end());
    const auto same = static_cast<std::size_t>(different.first - typed.begin());
    typed.remove_prefix(same);
    word.remove_prefix(same);
    const auto from = [](std::string_view text, std::size_t place) {
        return text.substr(std::min(place, text.size()));
    };
    const bool is_exchanged = typed.size() > 1 && word.size() > 1 && typed[0] == word[1] &&
                              typed[1] == word[0] && from(typed, 2) == from(word, 2);
    return is_exchanged || from(typed, 1) == from(word, 1) || from(typed, 1) == word ||
           typed == from(word, 1);
}

} // namespace

std::string_view nearest_word(std::string_view typed, const std::vector<std::string_view>& words) {
    const auto nearest = std::find_if(words.begin(), words.end(),
                                      [&](std::string_view word) { return is_slip(typed, word); });
    return nearest == words.end() ? std::string_view{} : *nearest;
}

namespace {

// From internal/driver of google/pprof, and what other tools call a difference.
constexpr std::array<known_name, 50> all_known{{
    {"top", "report", ""},
    {"text", "report", ""},
    {"tree", "report", "--tree"},
    {"peek", "report", "--callers REGEX or --callees REGEX"},
    {"list", "report", "--by line --focus REGEX"},
    {"weblist", "report", "--by line --focus REGEX"},
    {"traces", "report", "--paths N"},
    {"raw", "export", "ndjson"},
    {"tags", "report", "--by label:KEY"},
    {"comments", "info", ""},
    {"http", "report", "--html FILE"},
    {"web", "report", "--html FILE"},
    {"svg", "report", "--flamegraph FILE"},
    {"png", "report", "--flamegraph FILE"},
    {"pdf", "report", "--flamegraph FILE"},
    {"dot", "report", "--flamegraph FILE"},
    {"flame", "report", "--flamegraph FILE"},
    {"proto", "delta", "-o FILE"},
    {"diff", "report", "--diff PREV CUR"},
    {"subtract", "delta", "PREV CUR"},
    {"diff_base", "report", "PREV CUR, with --diff for two processes,"},
    {"base", "report", "PREV CUR, with --diff for two processes,"},
    {"normalize", "report", "--diff --normalize total"},
    {"drop_negative", "delta", "--drop-negative"},
    {"sample_index", "report", "--sample-type TYPE"},
    {"inuse_space", "report", "--sample-type inuse_space"},
    {"inuse_objects", "report", "--sample-type inuse_objects"},
    {"alloc_space", "report", "--sample-type alloc_space"},
    {"alloc_objects", "report", "--sample-type alloc_objects"},
    {"focus", "report", "--focus REGEX"},
    {"ignore", "report", "--ignore REGEX"},
    {"hide", "report", "--hide REGEX"},
    {"show_from", "report", "--show-from REGEX"},
    {"tagfocus", "report", "--label KEY=REGEX"},
    {"tagignore", "report", "--no-label KEY=REGEX"},
    {"tagroot", "report", "--label-root KEY"},
    {"cum", "report", "--order cum"},
    {"flat", "report", "--order flat"},
    {"nodecount", "report", "--top N"},
    {"functions", "report", "--by function"},
    {"files", "report", "--by file"},
    {"lines", "report", "--by line"},
    {"unit", "", "each value has the unit that fits it"},
    {"symbolize", "report", "--symbolize"},
    {"trim_path", "report", "--trim-path PATH"},
    {"output", "delta", "--output FILE"},
    {"seconds", "delta", "--seconds SEC URL"},
    {"tls_ca", "delta", "--ca-file FILE"},
    {"tls_cert", "delta", "--cert FILE"},
    {"tls_key", "delta", "--key FILE"},
}};

} // namespace

const known_name* find_known_name(std::string_view name) {
    const auto is_same = [](char one, char other) {
        return one == other || (one == '-' && other == '_');
    };
    const auto* const known =
        std::find_if(all_known.begin(), all_known.end(), [&](const known_name& each) {
            return std::equal(name.begin(), name.end(), each.name.begin(), each.name.end(),
                              is_same);
        });
    return known == all_known.end() ? nullptr : known;
}

std::string hint_at(const known_name& known) {
    if (known.command.empty()) {
        return std::string{known.words};
    }
    std::string text = "pprofdelta ";
    text.append(known.command).append(known.words.empty() ? "" : " ").append(known.words);
    return text + " may be meant";
}

namespace {

using shown_option = command_options::shown;

// No option is called so.
constexpr const char* word_here = "--\n";

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

std::vector<std::string> parts(const std::string& names) {
    std::vector<std::string> all;
    for (std::size_t start = 0; start <= names.size();) {
        const std::size_t end = std::min(names.find(',', start), names.size());
        all.push_back(names.substr(start, end - start));
        start = end + 1;
    }
    return all;
}

const shown_option* find(const command_options& options, const std::string& name) {
    const auto& all = options.all_shown();
    const auto option = std::find_if(all.begin(), all.end(), [&](const shown_option& each) {
        const std::vector<std::string> names = parts(each.names);
        return std::find(names.begin(), names.end(), name) != names.end();
    });
    return option == all.end() ? nullptr : &*option;
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
    completer(const typed_line& line, const command_options& options)
        : m_line{line}, m_options{options} {
        std::vector<std::string> words = line.before;
        words.emplace_back(word_here);
        words.insert(words.end(), line.after.begin(), line.after.end());
        m_arguments = split_arguments(words, [&](const std::string& name) {
            const option_kind kind = options.kind(name);
            // Which takes what there is.
            return kind == option_kind::unknown ? option_kind::with_optional_value : kind;
        });
    }

    completion complete() const {
        bool is_first_word = true;
        for (const argument& each : m_arguments) {
            if (each.value == word_here && !each.option.empty()) {
                return value_of(each.option, "");
            }
            if (each.option == word_here && m_line.word.starts_with('-')) {
                return option();
            }
            if (each.option == word_here && is_first_word && !m_options.first_words().empty()) {
                return first_word();
            }
            is_first_word = is_first_word && !each.option.empty();
        }
        return {.also = completion::names::files};
    }

private:
    completion first_word() const {
        completion words;
        for (const std::string& word : m_options.first_words()) {
            words.candidates.push_back({word, ""});
        }
        return words;
    }

    completion option() const {
        const std::size_t sign = m_line.word.find('=');
        if (m_line.word.starts_with("--") && sign != std::string::npos) {
            return value_of(m_line.word.substr(0, sign), m_line.word.substr(0, sign + 1));
        }
        completion words;
        for (const shown_option& each : m_options.all_shown()) {
            for (std::string& name : parts(each.names)) {
                words.candidates.push_back({std::move(name), each.text});
            }
        }
        return words;
    }

    // @param prefix what the value stands behind in the word.
    completion value_of(const std::string& name, const std::string& prefix) const {
        completion words{.prefix = prefix};
        const shown_option* const option = find(m_options, name);
        if (option == nullptr || option->value_name.empty()) {
            return words;
        }
        for (const std::string& word : option->words) {
            words.candidates.push_back({prefix + word, ""});
        }
        switch (option->words.empty() ? kind_of_value(option->value_name) : value_kind::other) {
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
        for (const argument& each : m_arguments) {
            const shown_option* const option =
                each.option.empty() ? nullptr : find(m_options, each.option);
            if (!each.value || each.value == word_here) {
                continue;
            }
            if (each.option.empty() || (option != nullptr && option->is_list)) {
                profiles.push_back(*each.value);
            } else if (each.option == "--state") {
                states.push_back(*each.value);
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
    const command_options& m_options;
    std::vector<argument> m_arguments;
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

completion complete(const typed_line& line, const command_options& options) {
    return completer{line, options}.complete();
}

} // namespace pprofdelta::tool
