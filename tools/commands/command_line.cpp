// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/version.hpp>

#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "cli/command_options.hpp"
#include "commands/commands.hpp"
#include "files/captures.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

namespace {

// The commands are in the order of the help.
constexpr std::array<const command_kind*, 9> commands{&delta_kind, &report_kind, &compare_kind,
                                                      &trend_kind, &merge_kind,  &batch_kind,
                                                      &top_kind,   &export_kind, &info_kind};
const command_kind& default_command = delta_kind;

const command_kind* find(std::string_view name) {
    const auto* const command =
        std::ranges::find_if(commands, [&](const auto* each) { return each->name == name; });
    return command == commands.end() ? nullptr : *command;
}

// A command that was asked for, and its options.
struct declared {
    explicit declared(const command_kind& kind) : chosen{kind.make()}, options{kind.usage} {
        chosen->name = kind.name;
        chosen->add_options(options);
    }

    std::unique_ptr<command> chosen;
    command_options options;
};

// The program's own name for an option or a command that people know from elsewhere, mostly from
// pprof.
struct known_name {
    std::string_view name;    // without dashes; '-' and '_' are the same
    std::string_view command; // that has it here; empty if `words` are a sentence about it
    std::string_view words;   // the options there; may be empty
};

// The names are those of internal/driver of google/pprof, and those of other tools for a
// difference, without names that are the same here.
constexpr std::array<known_name, 44> all_known{{
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
    {"diff_base", "report", "PREV CUR, with --diff for two processes"},
    {"base", "report", "PREV CUR, with --diff for two processes"},
    {"normalize", "report", "--diff --normalize total"},
    {"sample_index", "report", "--sample-type TYPE"},
    {"inuse_space", "report", "--sample-type inuse_space"},
    {"inuse_objects", "report", "--sample-type inuse_objects"},
    {"alloc_space", "report", "--sample-type alloc_space"},
    {"alloc_objects", "report", "--sample-type alloc_objects"},
    {"tagfocus", "report", "--label KEY=REGEX"},
    {"tagignore", "report", "--no-label KEY=REGEX"},
    {"tagroot", "report", "--label-root KEY"},
    {"cum", "", "--order cum sorts by it"},
    {"flat", "report", "--order flat"},
    {"nodecount", "report", "--top N"},
    {"functions", "report", "--by function"},
    {"files", "report", "--by file"},
    {"lines", "report", "--by line"},
    {"unit", "", "each value has the unit that fits it"},
    {"json", "", "--format json writes it, of info --json"},
    {"format", "", "reports have it, info has --json, and export takes it as its first word"},
    {"limit", "", "--fail-on takes a limit, and --limits a file of them"},
    {"tls_ca", "delta", "--ca-file FILE"},
    {"tls_cert", "delta", "--cert FILE"},
    {"tls_key", "delta", "--key FILE"},
}};

// @returns nullptr for one that nobody knows from elsewhere.
const known_name* find_known_name(std::string name) {
    std::ranges::replace(name, '-', '_');
    const auto* const known = std::ranges::find(all_known, name, &known_name::name);
    return known == all_known.end() ? nullptr : known;
}

// The end of a message, such as "try pprofdelta report --callers REGEX".
std::string hint_at(const known_name& known) {
    if (known.command.empty()) {
        return std::string{known.words};
    }
    std::string text = "try pprofdelta ";
    text.append(known.command).append(known.words.empty() ? "" : " ").append(known.words);
    return text;
}

// Whether one letter is wrong, missing, too many, or exchanged with the next.
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

// The one of `words` that `typed` may be a slip of; empty if there is none.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
    const auto nearest =
        std::ranges::find_if(words, [&](const auto& word) { return is_slip(typed, word); });
    return nearest == words.end() ? "" : *nearest;
}

// The first word of a command line may be a file of the default command, or the slip of a finger.
void refuse_unknown_command(const std::vector<std::string>& words) {
    const std::string word = words.empty() ? "" : words.front();
    if (word.starts_with('-')) {
        return; // what is no option is refused as one
    }
    const std::string meant = nearest_word(
        word, mapped(commands, [](const auto* each) { return std::string{each->name}; }));
    const known_name* const known = find_known_name(word);
    std::error_code fault; // what cannot be looked at is no file that could be read
    if ((!meant.empty() || known != nullptr) && !std::filesystem::exists(word, fault)) {
        wrong_usage("there is no command or file " + word + "; " +
                    (meant.empty() ? hint_at(*known) : "try " + meant));
    }
}

// A command behind options is taken for a file of the default command.
void refuse_command_behind_options(const std::vector<std::string>& words,
                                   const command_options& options) {
    const auto is_command = [](const std::string& word) {
        std::error_code fault; // what cannot be looked at is no file that could be read
        return find(word) != nullptr && !std::filesystem::exists(word, fault);
    };
    // It may be the value of an option as well. To describe all options takes time.
    if (std::ranges::none_of(words, is_command)) {
        return;
    }
    for (const command_options::described& each : options.all()) {
        const auto command = std::ranges::find_if(each.given, is_command);
        if (each.names.empty() && command != each.given.end()) {
            wrong_usage("a command comes before its options; try pprofdelta " + *command);
        }
    }
}

// The long option that `typed` may be a slip of; empty if there is none.
std::string nearest_option(const command_options& options, std::string_view typed) {
    return nearest_word(typed, mapped(options.all(), [](const command_options::described& each) {
                            return each.names.empty() ? "" : each.names.back();
                        }));
}

// "--show-from" of "-show_from", as pprof has it.
std::string long_name(const std::string& option) {
    std::string name = "-" + option;
    std::ranges::replace(name, '_', '-');
    return name;
}

// An option that the command does not have, or several letters after one dash, which may be one as
// pprof has them. Those letters may be an option with its value as well, so no slips are looked
// for.
void refuse_unknown_option(const command_options& here, const std::string& option) {
    const bool is_long = option.starts_with("--");
    const bool is_letter = !is_long && option.size() == 2;
    const std::string own = is_long || is_letter ? option : long_name(option);
    const std::string message = "there is no option " + option;
    const known_name* const known = is_letter ? nullptr : find_known_name(own.substr(2));
    if (known != nullptr && (!is_long || known->command.empty())) {
        wrong_usage(message + "; " + hint_at(*known));
    }
    if (here.has(own)) {
        wrong_usage(message + "; try " + own);
    }
    std::string of_others;
    for (const command_kind* const each : commands) {
        const declared other{*each};
        if (other.options.has(own)) {
            wrong_usage(message + " here; pprofdelta " + each->name + " has " +
                        (own == option ? "one" : own));
        }
        const std::string nearest = nearest_option(other.options, own);
        if (of_others.empty() && !nearest.empty()) {
            of_others = " here; try " + nearest + " of pprofdelta " + each->name;
        }
    }
    if (known != nullptr) {
        wrong_usage(message + "; " + hint_at(*known));
    }
    const std::string nearest = nearest_option(here, own);
    if (is_long && !(nearest + of_others).empty()) {
        wrong_usage(message + (nearest.empty() ? of_others : "; try " + nearest));
    }
}

// "-http" of pprof would be "-h" to CLI11, and "-output FILE" a file "utput".
void refuse_long_names_after_one_dash(const command_options& here,
                                      const std::vector<std::string>& words) {
    // Nothing else is worth declaring the options of all commands for.
    const auto can_be_name = [](std::string_view text) {
        return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-_") == std::string_view::npos;
    };
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (word == "--") {
            return;
        }
        if (name.size() > 2 && name[0] == '-' && name[1] != '-' && can_be_name(name) &&
            (find_known_name(name.substr(1)) != nullptr || here.has(long_name(name)) ||
             std::ranges::any_of(commands, [&](const auto* each) {
                 return declared{*each}.options.has(long_name(name));
             }))) {
            refuse_unknown_option(here, name);
        }
    }
}

// The help of the program, not of a command.
std::string overview() {
    constexpr std::size_t column = 10;
    std::string text =
        "Subtract one pprof profile from another, and write the difference as a profile.\n\n"
        "Usage: pprofdelta [OPTION]... PREV CUR\n"
        "       pprofdelta [OPTION]... --state FILE [CUR]\n"
        "       pprofdelta COMMAND [OPTION]... FILE...\n\n"
        "Commands:\n";
    for (const command_kind* const each : commands) {
        std::string line = std::string{"  "} + each->name;
        line.resize(2 + column, ' ');
        text += line + each->summary + "\n";
    }
    return text + "Options of a command: pprofdelta COMMAND -h; all of them: --help\n"
                  "Version: pprofdelta --version\n\n"
                  "PREV and CUR are profiles in gzip, zstd or plain form; '-' is standard input.\n"
                  "To name a file like a command, write ./report.\n"
                  "Example: pprofdelta prev.pb.gz cur.pb.gz > delta.pb.gz\n\n"
                  "Exit status: 0 success, 1 a limit was crossed, 2 wrong usage, 3 a damaged "
                  "input\n"
                  "or not a profile, 4 inputs that do not match or are too few, 5 reading or\n"
                  "writing failed. The manual is pprofdelta(1).\n";
}

// "help" and "help COMMAND".
std::string help_for(const std::vector<std::string>& words) {
    if (words.size() == 1) {
        return overview();
    }
    const command_kind* const command = find(words[1]);
    if (command == nullptr || words.size() > 2) {
        wrong_usage("help takes the name of one command; see pprofdelta --help");
    }
    return declared{*command}.options.help();
}

// The scripts in tools/deploy/completions ask this when a user presses TAB; no file is called so.
constexpr std::string_view completing = "__complete";

// The words that can replace the one that is being typed.
struct completion {
    struct candidate {
        std::string word;
        std::string text; // what it means; it may be empty
    };
    std::vector<candidate> candidates{};
    std::string prefix{}; // what a name stands behind, such as "--state="
    // The other possibilities, "files" or "folders"; or "parts" if each candidate is but the
    // beginning of a word.
    std::string also = "none";
};

// The first line of an answer has `also`, a TAB and the prefix; then each candidate has a line.
std::string to_text(const completion& all) {
    std::string text = all.also + "\t" + all.prefix + "\n";
    for (const auto& [word, meaning] : all.candidates) {
        text.append(word).append("\t").append(meaning).append("\n");
    }
    return text;
}

completion of_words(const std::vector<std::string>& words, const std::string& prefix = "") {
    const auto candidate = [&](const std::string& word) {
        return completion::candidate{prefix + word, ""};
    };
    return {.candidates = mapped(words, candidate), .prefix = prefix};
}

completion of_commands() {
    const auto candidate = [](const command_kind* each) {
        return completion::candidate{each->name, each->summary};
    };
    return {.candidates = mapped(commands, candidate)};
}

// The limits are low because a user waits.
constexpr std::size_t most_on_disk = std::size_t{32} << 20U;
constexpr std::size_t most_inflated = std::size_t{128} << 20U;
constexpr std::size_t most_tried = 4;

// None of what is neither a profile nor a state.
std::vector<type_treatment> types_of(const std::string& path) {
    try {
        raw_file raw{path, most_on_disk};
        if (is_state(raw.bytes)) {
            return read_state_info(raw.bytes).types;
        }
        return list_types(profile_file{std::move(raw), {most_inflated}}.bytes());
    } catch (const failure&) {
        return {};
    } catch (const error&) {
        return {};
    }
}

// The files that a word of the line stands for. "~/x" is what a shell would have expanded.
std::vector<std::string> files_of(const std::string& word) {
    const char* const home = std::getenv("HOME");
    try {
        return find_files(
            {word.starts_with("~/") && home != nullptr ? home + word.substr(1) : word}, nullptr);
    } catch (const failure&) {
        return {};
    }
}

// Completes a word of a command line. Sample types are those of the first profile or state on the
// line that can be read. Nothing that takes long is: no pipe, and no large file.
class completer {
public:
    // @param words   are those of the command line, with quotes taken off, but for the name of the
    //                command.
    // @param place   is that of the word that is being typed, up to the cursor.
    // @param options are those of the command, which are of no other use after it.
    completer(std::vector<std::string> words, std::size_t place, command_options& options)
        : m_word{std::exchange(words[place], here)}, m_first_words{options.first_words()} {
        options.parse_unfinished(words);
        m_options = options.all();
    }

    completion complete() const {
        const auto at = std::ranges::find_if(
            m_options, [](const described& each) { return contains(each.given, here); });
        if (at == m_options.end()) {
            return {.also = "files"};
        }
        const bool is_file = at->names.empty();
        if (m_word.starts_with('-') && (is_file || at->is_list)) {
            return option();
        }
        if (!is_file) {
            return value_of(*at, "");
        }
        return at->given.front() == here && !m_first_words.empty() ? of_words(m_first_words)
                                                                   : completion{.also = "files"};
    }

private:
    using described = command_options::described;
    static constexpr const char* here = "\n"; // stands for the word that is being typed

    completion option() const {
        const std::size_t sign = m_word.find('=');
        if (!m_word.starts_with("--") || sign == std::string::npos) {
            completion names;
            for (const described& each : m_options) {
                for (const std::string& name : each.names) {
                    names.candidates.push_back({name, each.text});
                }
            }
            return names;
        }
        const std::string prefix = m_word.substr(0, sign + 1);
        for (const described& each : m_options) {
            if (contains(each.names, m_word.substr(0, sign))) {
                return value_of(each, prefix);
            }
        }
        return {.prefix = prefix};
    }

    // The help's name for the value decides; other values have no candidates.
    // @param prefix precedes the value in the word.
    completion value_of(const described& option, const std::string& prefix) const {
        completion all = of_words(option.words, prefix);
        const std::string& name = option.value_name;
        if (contains(std::array{"FILE", "LIST", "PATH", "TEMPLATE"}, name)) {
            all.also = "files";
        } else if (name == "DIR" || name == "ROOT") {
            all.also = "folders";
        } else if (name == "TYPE") {
            add_types(all, "");
        } else if (name == "LIMIT" && m_word.find('>') == std::string::npos) {
            // The type of a limit follows the last colon, and '>' follows the type.
            all.prefix = m_word.substr(0, std::max(m_word.rfind(':') + 1, prefix.size()));
            all.also = "parts";
            add_types(all, ">");
        }
        return all;
    }

    // A type comes with its unit where one is being typed, or where the type alone would stand for
    // several.
    void add_types(completion& words, const char* end) const {
        const std::vector<type_treatment> types = types_on_line();
        const bool has_unit = m_word.find('/', words.prefix.size()) != std::string::npos;
        for (const auto& [type, kind] : types) {
            const auto of_this_name =
                std::ranges::count_if(types, [&type = type](const type_treatment& each) {
                    return each.type.type == type.type;
                });
            const std::string name = has_unit || of_this_name > 1 ? to_string(type) : type.type;
            // Others would do what they want to the terminal, or to this answer.
            if (printable(name) == name) {
                words.candidates.push_back(
                    {words.prefix + name + end, printable(type.unit) + ", " + to_string(kind)});
            }
        }
    }

    std::vector<type_treatment> types_on_line() const {
        std::size_t tried = 0;
        for (const std::string& word : profiles_on_line()) {
            for (const std::string& file : files_of(word)) {
                const std::size_t size = regular_file_size(file);
                if (size == 0 || size > most_on_disk) {
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

    // Names of profiles come first, as a state may be of other ones.
    std::vector<std::string> profiles_on_line() const {
        std::vector<std::string> profiles;
        std::vector<std::string> states;
        for (const described& each : m_options) {
            const bool is_of_profiles = each.names.empty() || each.is_list;
            if (is_of_profiles || contains(each.names, "--state")) {
                std::vector<std::string>& into = is_of_profiles ? profiles : states;
                std::ranges::copy_if(each.given, std::back_inserter(into),
                                     [](const std::string& word) { return word != here; });
            }
        }
        profiles.insert(profiles.end(), states.begin(), states.end());
        return profiles;
    }

    std::string m_word;
    std::vector<std::string> m_first_words;
    std::vector<described> m_options;
};

completion complete_first(const std::string& word) {
    if (word.starts_with('-')) {
        declared chosen{default_command};
        completion all = completer{{word}, 0, chosen.options}.complete();
        if (word.find('=') == std::string::npos) {
            all.candidates.push_back({"--version", "Print the version"});
        }
        return all;
    }
    completion all = of_commands();
    all.candidates.push_back({"help", "Print the options of a command"});
    all.also = "files";
    return all;
}

// "__complete PLACE WORD...", where the word at PLACE, from 0, is the one that is being typed. It
// may be missing at the end.
completion complete(const std::vector<std::string>& arguments) {
    const auto place = number_in<std::size_t>(arguments.size() > 1 ? arguments[1] : "");
    if (!place || *place > arguments.size() - 2) {
        wrong_usage("__complete is for the completion scripts of shells");
    }
    std::vector<std::string> words(arguments.begin() + 2, arguments.end());
    words.resize(std::max(words.size(), *place + 1));
    if (*place == 0) {
        return complete_first(words.front());
    }
    if (words.front() == "help") {
        return *place == 1 ? of_commands() : completion{};
    }
    const command_kind* const named = find(words.front());
    declared chosen{named == nullptr ? default_command : *named};
    words.erase(words.begin(), words.begin() + (named == nullptr ? 0 : 1));
    return completer{words, *place - (named == nullptr ? 0 : 1), chosen.options}.complete();
}

} // namespace

std::unique_ptr<command> parse_command_line(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
        write_standard_output(help_for(words));
        return nullptr;
    }
    if (!words.empty() && words.front() == completing) {
        write_standard_output(to_text(complete(words)));
        return nullptr;
    }
    const command_kind* const named = words.empty() ? nullptr : find(words.front());
    if (named != nullptr) {
        words.erase(words.begin());
    }
    declared all{named == nullptr ? default_command : *named};
    command_options& options = all.options;
    try {
        if (named == nullptr) {
            refuse_unknown_command(words);
        }
        refuse_long_names_after_one_dash(options, words);
        switch (options.parse(
            words, [&](const std::string& option) { refuse_unknown_option(options, option); })) {
        case command_options::outcome::short_help:
            if (named != nullptr && !named->common.empty()) {
                write_standard_output(options.short_help(named->common) +
                                      "All options: pprofdelta " + named->name + " --help\n");
                return nullptr;
            }
            [[fallthrough]];
        case command_options::outcome::help:
            write_standard_output(named == nullptr ? overview() : options.help());
            return nullptr;
        case command_options::outcome::version:
            write_standard_output(std::string{"pprofdelta "} + version() + "\n");
            return nullptr;
        case command_options::outcome::parsed:
            break;
        }
        if (named == nullptr) {
            refuse_command_behind_options(words, options);
        }
        all.chosen->check();
        all.chosen->notes = options.notes();
        return std::move(all.chosen);
    } catch (const usage_failure& e) {
        throw failure{exit_status::usage,
                      std::string{e.what()} + "; see pprofdelta " +
                          (named == nullptr ? "" : std::string{named->name} + " ") + "--help"};
    }
}

} // namespace pprofdelta::tool
