// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>

#include <pprofdelta/version.hpp>

#include "failure.hpp"

namespace pprofdelta::tool {

namespace {

[[noreturn]] void wrong_usage(const std::string& what) {
    throw failure{exit_status::usage, what + "; see pprofdelta --help"};
}

class help_formatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: pprofdelta [OPTION]... PREV CUR\n"
               "       pprofdelta --list-types FILE...\n";
    }
};

// An option whose value is one of a few words.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::map<std::string, Value>& choices, const std::string& text) {
    std::string words;
    for (const auto& [word, meaning] : choices) {
        words += (words.empty() ? "" : "|") + word;
    }
    return app
        .add_option_function<std::string>(
            name,
            [&value, choices, name, words](const std::string& word) {
                const auto choice = choices.find(word);
                if (choice == choices.end()) {
                    throw CLI::ValidationError{name, "'" + word + "' is none of " + words};
                }
                value = choice->second;
            },
            text)
        ->type_name(words);
}

CLI::Option* add_patterns(CLI::App& app, const std::string& name,
                          std::vector<value_type_pattern>& patterns, const std::string& text) {
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [&patterns](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    patterns.emplace_back(word);
                }
            },
            text)
        ->type_name("TYPE[/UNIT]")
        ->allow_extra_args(false)
        ->take_all();
}

void check(const options& chosen, bool list_types) {
    if (list_types) {
        if (chosen.files.empty()) {
            wrong_usage("--list-types needs a profile");
        }
    } else if (chosen.files.size() != 2) {
        wrong_usage("a delta needs two profiles, PREV and CUR, and " +
                    std::to_string(chosen.files.size()) +
                    (chosen.files.size() == 1 ? " is given" : " are given"));
    }
    if (std::count(chosen.files.begin(), chosen.files.end(), "-") > 1) {
        wrong_usage("standard input can be read for one profile only");
    }
    const level_range range = levels(chosen.compress);
    if (chosen.level != default_level &&
        (chosen.level < range.lowest || chosen.level > range.highest)) {
        wrong_usage("--level " + std::to_string(chosen.level) + " is not within " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

} // namespace

std::optional<options> parse_command_line(int argc, char** argv) {
    options chosen;
    bool list_types = false;
    CLI::App app{"The difference between two pprof profiles, as a pprof profile.", "pprofdelta"};
    app.formatter(std::make_shared<help_formatter>());
    app.footer(
        "PREV and CUR are profiles in gzip, zstd or plain form; '-' is standard input.\n"
        "Example: pprofdelta prev.pb.gz cur.pb.gz > delta.pb.gz\n"
        "Exit status: 0 done, 2 usage, 3 not a profile, 4 profiles that do not go together,\n"
        "5 reading or writing failed. More in pprofdelta(1).");
    app.set_version_flag("--version", std::string{"pprofdelta "} + version(),
                         "Print the version and exit");
    app.set_help_flag("--help,-h", "Print this help and exit");
    app.add_option("files", chosen.files)->group("");

    const std::string what = "What to subtract";
    add_patterns(app, "--cumulative", chosen.delta.cumulative,
                 "Subtract this sample type (repeatable)")
        ->group(what);
    add_patterns(app, "--gauge", chosen.delta.gauge,
                 "Pass this sample type through as it is (repeatable)")
        ->group(what);
    add_choice<match_mode>(app, "--match", chosen.delta.match,
                           {{"exact", match_mode::exact},
                            {"line", match_mode::line},
                            {"function", match_mode::function}},
                           "When two frames are the same one; default exact")
        ->group(what);
    CLI::Option* diff =
        app.add_flag("--diff", chosen.diff,
                     "Compare two captures: subtract every type, and keep what only PREV has")
            ->group(what);
    app.add_flag("--drop-negative", chosen.delta.drop_negative,
                 "Leave out samples with a negative difference")
        ->group(what);
    add_choice<reset_policy>(app, "--on-reset", chosen.delta.on_reset,
                             {{"emit", reset_policy::emit},
                              {"drop", reset_policy::drop},
                              {"error", reset_policy::error},
                              {"negative", reset_policy::negative}},
                             "If the counters started over: emit CUR's values (default), drop the "
                             "samples, end with an error, or subtract all the same")
        ->group(what)
        ->excludes(diff);

    const std::string output = "Output";
    app.add_option("-o,--output", chosen.output, "Write to FILE instead of standard output")
        ->type_name("FILE")
        ->group(output);
    add_choice<codec>(app, "--compress", chosen.compress,
                      {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                      "Wrap the delta; default gzip")
        ->group(output);
    app.add_option("--level", chosen.level, "Compression level: gzip 0 to 9, zstd 1 to 19")
        ->type_name("N")
        ->group(output);
    app.add_flag("-f,--force", chosen.force, "Write a profile even to a terminal")->group(output);

    const std::string information = "Information";
    app.add_flag("--list-types", list_types,
                 "Print the sample types of profiles, and how each would be treated")
        ->group(information);
    app.add_flag("-q,--quiet", chosen.quiet, "No warnings")->group(information);
    app.add_flag("-v,--verbose", chosen.verbose, "One line of figures on standard error")
        ->group(information);
    for (const char* name : {"--help", "--version"}) {
        app.get_option(name)->group(information);
    }

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& answer) {
        app.exit(answer);
        if (!std::cout.flush()) {
            throw failure{exit_status::io, "standard output: writing failed"};
        }
        return std::nullopt;
    } catch (const CLI::ParseError& e) {
        wrong_usage(e.what());
    }
    chosen.run = list_types ? options::command::list_types : options::command::delta;
    check(chosen, list_types);
    return chosen;
}

} // namespace pprofdelta::tool
