// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <pprofdelta/version.hpp>

#include "file.hpp"

namespace pprofdelta::tool {

namespace {

// A command, and where its options go.
class entry {
public:
    entry(const char* called, const char* does, const char* usage)
        : name{called}, summary{does}, options{usage} {}
    virtual ~entry() = default;
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;

    [[nodiscard]] virtual command checked() = 0;

    const std::string name;
    const std::string summary;
    command_options options;
};

template <typename Command>
class entry_of : public entry {
public:
    entry_of() : entry{Command::name, Command::summary, Command::usage} {
        m_chosen.add_options(options);
    }
    [[nodiscard]] command checked() override {
        m_chosen.check();
        return m_chosen;
    }

private:
    Command m_chosen;
};

using entries = std::vector<std::unique_ptr<entry>>;

// In the order of the help.
entries all_commands() {
    entries commands;
    commands.push_back(std::make_unique<entry_of<delta_command>>());
    commands.push_back(std::make_unique<entry_of<report_command>>());
    commands.push_back(std::make_unique<entry_of<compare_command>>());
    commands.push_back(std::make_unique<entry_of<trend_command>>());
    commands.push_back(std::make_unique<entry_of<info_command>>());
    return commands;
}

entry* find(const entries& commands, const std::string& name) {
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& each) { return each->name == name; });
    return found == commands.end() ? nullptr : found->get();
}

// The help of the program, not of a command.
std::string overview(const entries& commands) {
    constexpr std::size_t column = 10;
    std::string text = "The difference between two pprof profiles, as a pprof profile.\n\n"
                       "Usage: pprofdelta [OPTION]... PREV CUR\n"
                       "       pprofdelta [OPTION]... --state FILE [CUR]\n"
                       "       pprofdelta COMMAND [OPTION]... FILE...\n\n"
                       "Commands:\n";
    for (const auto& each : commands) {
        std::string line = "  " + each->name;
        line.resize(2 + column, ' ');
        text += line + each->summary + "\n";
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
std::string help_for(const entries& commands, const std::vector<std::string>& words) {
    if (words.size() == 1) {
        return overview(commands);
    }
    const entry* const found = find(commands, words[1]);
    if (found == nullptr || words.size() > 2) {
        wrong_usage("help takes the name of one command; see pprofdelta --help");
    }
    return found->options.help();
}

} // namespace

std::optional<command> parse_command_line(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const entries commands = all_commands();
    if (!words.empty() && words.front() == "help") {
        write_standard_output(help_for(commands, words));
        return std::nullopt;
    }
    const bool is_named = !words.empty() && find(commands, words.front()) != nullptr;
    entry& chosen = *(is_named ? find(commands, words.front()) : commands.front().get());
    if (is_named) {
        words.erase(words.begin());
    }
    command_parser parser;
    for (const auto& each : commands) {
        parser.add(each->name, each->options);
    }
    try {
        switch (parser.parse(chosen.name, words)) {
        case command_parser::outcome::help:
            write_standard_output(is_named ? chosen.options.help() : overview(commands));
            return std::nullopt;
        case command_parser::outcome::version:
            write_standard_output(std::string{"pprofdelta "} + version() + "\n");
            return std::nullopt;
        case command_parser::outcome::parsed:
            break;
        }
        return chosen.checked();
    } catch (const usage_failure& e) {
        throw failure{exit_status::usage, std::string{e.what()} + "; see pprofdelta " +
                                              (is_named ? chosen.name + " " : "") + "--help"};
    }
}

} // namespace pprofdelta::tool
