// SPDX-License-Identifier: Apache-2.0
#include "commands/command_line.hpp"

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

#include "cli/completion.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

// A command that was asked for, and where its options go.
class entry {
public:
    explicit entry(const char* usage) : options{usage} {}
    virtual ~entry() = default;
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

    [[nodiscard]] virtual command checked() = 0;

    command_options options;
};

template <typename Command>
class entry_of : public entry {
public:
    entry_of() : entry{Command::usage} { m_chosen.add_options(options); }
    [[nodiscard]] command checked() override {
        m_chosen.check();
        return m_chosen;
    }

private:
    Command m_chosen;
};

struct known_command {
    std::string_view name;
    std::string_view summary;
    // Declaring options takes a part of a short run that is worth saving, so only those of one
    // command are.
    std::unique_ptr<entry> (*make)();
};

template <typename Command>
constexpr known_command known() {
    return {Command::name, Command::summary,
            []() -> std::unique_ptr<entry> { return std::make_unique<entry_of<Command>>(); }};
}

// In the order of the help.
constexpr std::array<known_command, 9> commands{
    known<delta_command>(), known<report_command>(), known<compare_command>(),
    known<trend_command>(), known<merge_command>(),  known<batch_command>(),
    known<top_command>(),   known<export_command>(), known<info_command>()};

const known_command* find(std::string_view name) {
    const auto* const command =
        std::find_if(commands.begin(), commands.end(),
                     [&](const known_command& each) { return each.name == name; });
    return command == commands.end() ? nullptr : command;
}

// The first word of a command line may be a file of the default command, or the slip of a finger.
void refuse_unknown_command(const std::vector<std::string>& words) {
    const std::string word = words.empty() ? "" : words.front();
    if (word.starts_with('-')) {
        return; // what is no option is refused as one
    }
    std::vector<std::string_view> names;
    std::transform(commands.begin(), commands.end(), std::back_inserter(names),
                   [](const known_command& each) { return each.name; });
    const std::string_view meant = nearest_word(word, names);
    const known_name* const known = find_known_name(word);
    std::error_code fault; // what cannot be looked at is no file that could be read
    if ((!meant.empty() || known != nullptr) && !std::filesystem::exists(word, fault)) {
        wrong_usage("there is neither a command nor a file " + word + "; " +
                    (meant.empty() ? hint_at(*known) : std::string{meant} + " may be meant"));
    }
}

// The long option that `typed` may be a slip of; empty if there is none.
std::string nearest_option(const command_options& options, std::string_view typed) {
    std::vector<std::string_view> names;
    for (const command_options::shown& each : options.all_shown()) {
        const std::string_view name = each.names;
        names.push_back(name.substr(name.find("--")));
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
    if (here.kind(own) != option_kind::unknown) {
        wrong_usage(message + "; " + own + " may be meant");
    }
    std::string of_others;
    for (const known_command& each : commands) {
        const std::unique_ptr<entry> other = each.make();
        if (other->options.kind(own) != option_kind::unknown) {
            wrong_usage(message + " here; pprofdelta " + std::string{each.name} + " has " +
                        (own == option ? "one" : own));
        }
        const std::string nearest = nearest_option(other->options, own);
        if (of_others.empty() && !nearest.empty()) {
            of_others = " here; " + nearest + " of pprofdelta " + std::string{each.name};
        }
    }
    if (known != nullptr) {
        wrong_usage(message + "; " + hint_at(*known));
    }
    const std::string nearest = nearest_option(here, own);
    if (is_long && !(nearest + of_others).empty()) {
        wrong_usage(message + (nearest.empty() ? of_others : "; " + nearest) + " may be meant");
    }
}

// The help of the program, not of a command.
std::string overview() {
    constexpr std::size_t column = 10;
    std::string text = "The difference between two pprof profiles, as a pprof profile.\n\n"
                       "Usage: pprofdelta [OPTION]... PREV CUR\n"
                       "       pprofdelta [OPTION]... --state FILE [CUR]\n"
                       "       pprofdelta COMMAND [OPTION]... FILE...\n\n"
                       "Commands:\n";
    for (const known_command& each : commands) {
        std::string line = "  ";
        line.append(each.name).resize(2 + column, ' ');
        text.append(line).append(each.summary).append("\n");
    }
    return text + "Options of a command: pprofdelta COMMAND --help\n"
                  "Version: pprofdelta --version\n\n"
                  "PREV and CUR are profiles in gzip, zstd or plain form; '-' is standard input.\n"
                  "A file that is called like a command is given as ./report.\n"
                  "Example: pprofdelta prev.pb.gz cur.pb.gz > delta.pb.gz\n\n"
                  "Exit status: 0 done, 1 a limit was crossed, 2 wrong usage, 3 an input is "
                  "damaged\n"
                  "or no profile, 4 inputs that do not go together, 5 reading or writing failed.\n"
                  "More is in the manual, pprofdelta(1).\n";
}

// "help" and "help COMMAND".
std::string help_for(const std::vector<std::string>& words) {
    if (words.size() == 1) {
        return overview();
    }
    const known_command* const command = find(words[1]);
    if (command == nullptr || words.size() > 2) {
        wrong_usage("help takes the name of one command; see pprofdelta --help");
    }
    return command->make()->options.help();
}

// What the scripts in tools/deploy/completions ask; no file is called so.
constexpr std::string_view completing = "__complete";

completion command_names() {
    completion all;
    for (const known_command& each : commands) {
        all.candidates.push_back({std::string{each.name}, std::string{each.summary}});
    }
    return all;
}

completion complete_first(const std::string& word) {
    if (word.starts_with('-')) {
        completion all = complete({{}, word, {}}, commands.front().make()->options);
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
        wrong_usage("__complete is for scripts of shells");
    }
    std::vector<std::string> words(arguments.begin() + 2, arguments.end());
    words.resize(std::max(words.size(), place + 1));
    if (place == 0) {
        return complete_first(words.front()).answer();
    }
    if (words.front() == "help") {
        return (place == 1 ? command_names() : completion{}).answer();
    }
    const known_command* const named = find(words.front());
    const auto here = words.begin() + static_cast<std::ptrdiff_t>(place);
    const typed_line line{
        {words.begin() + (named == nullptr ? 0 : 1), here}, *here, {std::next(here), words.end()}};
    return complete(line, (named == nullptr ? commands.front() : *named).make()->options).answer();
}

} // namespace

std::optional<command> parse_command_line(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
        write_standard_output(help_for(words));
        return std::nullopt;
    }
    if (!words.empty() && words.front() == completing) {
        write_standard_output(complete_words(words));
        return std::nullopt;
    }
    const known_command* const named = words.empty() ? nullptr : find(words.front());
    if (named != nullptr) {
        words.erase(words.begin());
    }
    const std::unique_ptr<entry> chosen = (named == nullptr ? commands.front() : *named).make();
    try {
        if (named == nullptr) {
            refuse_unknown_command(words);
        }
        const auto refuse = [&](const std::string& option) {
            refuse_unknown_option(chosen->options, option);
        };
        switch (chosen->options.parse(words, refuse)) {
        case command_options::outcome::help:
            write_standard_output(named == nullptr ? overview() : chosen->options.help());
            return std::nullopt;
        case command_options::outcome::version:
            write_standard_output(std::string{"pprofdelta "} + version() + "\n");
            return std::nullopt;
        case command_options::outcome::parsed:
            break;
        }
        return chosen->checked();
    } catch (const usage_failure& e) {
        std::string message = e.what();
        message += "; see pprofdelta ";
        if (named != nullptr) {
            message.append(named->name).append(" ");
        }
        throw failure{exit_status::usage, message + "--help"};
    }
}

} // namespace pprofdelta::tool
