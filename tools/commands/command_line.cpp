// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <pprofdelta/version.hpp>

#include "cli/command_options.hpp"
#include "cli/completion.hpp"
#include "cli/slips.hpp"
#include "commands/commands.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

// In the order of the help.
constexpr std::array<const command_kind*, 9> commands{&delta_kind, &report_kind, &compare_kind,
                                                      &trend_kind, &merge_kind,  &batch_kind,
                                                      &top_kind,   &export_kind, &info_kind};
const command_kind& default_command = delta_kind;

const command_kind* find(std::string_view name) {
    const auto* const command = std::find_if(commands.begin(), commands.end(),
                                             [&](const auto* each) { return each->name == name; });
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

// The first word of a command line may be a file of the default command, or the slip of a finger.
void refuse_unknown_command(const std::vector<std::string>& words) {
    const std::string word = words.empty() ? "" : words.front();
    if (word.starts_with('-')) {
        return; // what is no option is refused as one
    }
    std::vector<std::string_view> names;
    std::transform(commands.begin(), commands.end(), std::back_inserter(names),
                   [](const auto* each) { return each->name; });
    const std::string_view meant = nearest_word(word, names);
    const known_name* const known = find_known_name(word);
    std::error_code fault; // what cannot be looked at is no file that could be read
    if ((!meant.empty() || known != nullptr) && !std::filesystem::exists(word, fault)) {
        wrong_usage("there is no command or file " + word + "; " +
                    (meant.empty() ? hint_at(*known) : "try " + std::string{meant}));
    }
}

// The long option that `typed` may be a slip of; empty if there is none.
std::string nearest_option(const command_options& options, std::string_view typed) {
    const std::vector<command_options::described> all = options.all();
    std::vector<std::string_view> names;
    for (const command_options::described& each : all) {
        if (!each.names.empty()) {
            names.push_back(each.names.back());
        }
    }
    return std::string{nearest_word(typed, names)};
}

// An option that the command does not have, or several letters after one dash, which may be one as
// pprof has them. Those letters may be an option with its value as well, so no slips are looked
// for.
void refuse_unknown_option(const command_options& here, const std::string& option) {
    const bool is_long = option.starts_with("--");
    const bool is_letter = !is_long && option.size() == 2;
    const std::string own = is_long || is_letter ? option : "-" + option;
    const std::string message = "there is no option " + option;
    const known_name* const known = is_letter ? nullptr : find_known_name(own.substr(2));
    if (known != nullptr && !is_long) {
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
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (word == "--") {
            return;
        }
        if (name.size() > 2 && name[0] == '-' && name[1] != '-' &&
            (here.has("-" + name) || find_known_name(name.substr(1)) != nullptr)) {
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

// What the scripts in tools/deploy/completions ask; no file is called so.
constexpr std::string_view completing = "__complete";

completion command_names() {
    completion all;
    for (const command_kind* const each : commands) {
        all.candidates.push_back({each->name, each->summary});
    }
    return all;
}

completion complete_first(const std::string& word) {
    if (word.starts_with('-')) {
        declared chosen{default_command};
        completion all = complete({{}, word, {}}, chosen.options);
        if (word.find('=') == std::string::npos) {
            all.candidates.push_back({"--version", "Print the version"});
        }
        return all;
    }
    completion all = command_names();
    all.candidates.push_back({"help", "Print the options of a command"});
    all.also = completion::names::files;
    return all;
}

// "__complete PLACE WORD...", where the word at PLACE, from 0, is the one that is being typed. It
// may be missing at the end.
std::string complete_words(const std::vector<std::string>& arguments) {
    std::size_t place = 0;
    const std::string& number = arguments.size() > 1 ? arguments[1] : arguments[0];
    const char* const end = number.data() + number.size();
    const auto [rest, fault] = std::from_chars(number.data(), end, place);
    if (fault != std::errc{} || rest != end || place > arguments.size() - 2) {
        wrong_usage("__complete is for the completion scripts of shells");
    }
    std::vector<std::string> words(arguments.begin() + 2, arguments.end());
    words.resize(std::max(words.size(), place + 1));
    if (place == 0) {
        return complete_first(words.front()).answer();
    }
    if (words.front() == "help") {
        return (place == 1 ? command_names() : completion{}).answer();
    }
    const command_kind* const named = find(words.front());
    const auto here = words.begin() + static_cast<std::ptrdiff_t>(place);
    const typed_line line{
        {words.begin() + (named == nullptr ? 0 : 1), here}, *here, {std::next(here), words.end()}};
    declared chosen{named == nullptr ? default_command : *named};
    return complete(line, chosen.options).answer();
}

} // namespace

std::unique_ptr<command> parse_command_line(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
        write_standard_output(help_for(words));
        return nullptr;
    }
    if (!words.empty() && words.front() == completing) {
        write_standard_output(complete_words(words));
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
        all.chosen->check();
        return std::move(all.chosen);
    } catch (const usage_failure& e) {
        throw failure{exit_status::usage,
                      std::string{e.what()} + "; see pprofdelta " +
                          (named == nullptr ? "" : std::string{named->name} + " ") + "--help"};
    }
}

} // namespace pprofdelta::tool
