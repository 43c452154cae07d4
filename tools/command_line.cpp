// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <charconv>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

#include <pprofdelta/version.hpp>

#include "arguments.hpp"
#include "check_options.hpp"
#include "failure.hpp"

namespace pprofdelta::tool {

namespace {

// Two columns on lines of at most 80 characters.
class help_formatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: pprofdelta [OPTION]... PREV CUR\n"
               "       pprofdelta [OPTION]... --state FILE [CUR]\n"
               "       pprofdelta --list-types FILE...\n"
               "       pprofdelta --state-info FILE\n\n";
    }
    std::string make_description(const CLI::App* app) const override {
        return app->get_description() + "\n";
    }
    std::string make_group(std::string group, bool /*is_positional*/,
                           std::vector<const CLI::Option*> options) const override {
        std::string text = group + ":\n";
        for (const CLI::Option* option : options) {
            text += make_option(option, false);
        }
        return text;
    }
    std::string make_footer(const CLI::App* app) const override { return app->get_footer() + "\n"; }
    std::string make_option(const CLI::Option* option, bool /*is_positional*/) const override {
        constexpr std::size_t second_column = 30;
        constexpr std::size_t width = 80;
        std::string line = "  " + option->get_name(false, true);
        if (!option->get_type_name().empty()) {
            line += " " + option->get_type_name();
        }
        std::string text;
        if (line.size() + 1 >= second_column) {
            text = line + "\n";
            line.clear();
        }
        line.resize(second_column, ' ');
        std::istringstream words{option->get_description()};
        for (std::string word; words >> word;) {
            if (line.size() + word.size() > width) {
                line.erase(line.find_last_not_of(' ') + 1);
                text += line + "\n";
                line.assign(second_column, ' ');
            }
            line += word + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        return text + line + "\n";
    }
};

// CLI11 checks which options go together. It would take apart what is in brackets, and take the
// next word for the value that is missing in "--name="; each version does so in other cases. So the
// words are taken apart before, and it gets the numbers of values in their place.
class application : public CLI::App {
public:
    using CLI::App::App;

    void parse_words(int argc, char** argv) {
        const auto kind_of = [this](const std::string& name) {
            const CLI::Option* option = get_option_no_throw(name);
            return option == nullptr                       ? option_kind::unknown
                   : option->get_items_expected_min() == 0 ? option_kind::flag
                                                           : option_kind::with_value;
        };
        const std::vector<std::string> given(argv + std::min(argc, 1), argv + argc);
        std::vector<std::string> words;
        for (argument& each : split_arguments(given, kind_of)) {
            if (!each.option.empty()) {
                words.push_back(std::move(each.option));
            }
            if (each.value) {
                words.push_back(std::to_string(m_values.size()));
                m_values.push_back(std::move(*each.value));
            }
        }
        parse(
            std::vector<std::string>{words.rbegin(), words.rend()}); // it wants the last one first
    }

    [[nodiscard]] const std::string& value(const std::string& number) const {
        return m_values.at(std::stoul(number));
    }

private:
    std::vector<std::string> m_values;
};

template <typename Use>
CLI::Option* add_value(application& app, const std::string& name, Use use,
                       const std::string& text) {
    return app.add_option_function<std::string>(
        name, [&app, use](const std::string& number) { use(app.value(number)); }, text);
}

CLI::Option* add_text(application& app, const std::string& name, std::string& value,
                      const std::string& text) {
    return add_value(
        app, name, [&value](const std::string& given) { value = given; }, text);
}

template <typename Number>
CLI::Option* add_number(application& app, const std::string& name, Number& value,
                        const std::string& text) {
    return add_value(
        app, name,
        [&value, name](const std::string& given) {
            const char* const end = given.data() + given.size();
            const auto [rest, fault] = std::from_chars(given.data(), end, value);
            if (fault != std::errc{} || rest != end) {
                wrong_usage(name + " " + given + ": it is no number");
            }
        },
        text);
}

// Options that may be given several times, and files.
template <typename Value>
CLI::Option* add_values(application& app, const std::string& name, std::vector<Value>& values,
                        const std::string& text) {
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [&app, &values](const std::vector<std::string>& numbers) {
                for (const std::string& number : numbers) {
                    values.emplace_back(app.value(number));
                }
            },
            text)
        ->allow_extra_args(name.front() != '-')
        ->take_all();
}

// The words that an option takes, each with its meaning; in the order of the help.
template <typename Value>
using choices = std::vector<std::pair<std::string, Value>>;

template <typename Value>
CLI::Option* add_choice(application& app, const std::string& name, Value& value,
                        const choices<Value>& all, const std::string& text) {
    std::string words;
    for (const auto& [word, meaning] : all) {
        words += (words.empty() ? "" : "|") + word;
    }
    return add_value(
               app, name,
               [&value, all, name, words](const std::string& given) {
                   for (const auto& [word, meaning] : all) {
                       if (word == given) {
                           value = meaning;
                           return;
                       }
                   }
                   wrong_usage(name + ": '" + given + "' is none of " + words);
               },
               text)
        ->type_name(words);
}

} // namespace

std::optional<options> parse_command_line(int argc, char** argv) {
    options chosen;
    bool list_types = false;
    std::string info;
    application app{"The difference between two pprof profiles, as a pprof profile.", "pprofdelta"};
    app.formatter(std::make_shared<help_formatter>());
    app.set_help_flag(); // added anew below, to stand where it belongs
    app.footer("PREV and CUR are profiles in gzip, zstd or plain form; '-' is standard input.\n"
               "Example: pprofdelta prev.pb.gz cur.pb.gz > delta.pb.gz\n"
               "\n"
               "Exit status: 0 done, 1 a limit was crossed, 2 wrong usage, 3 an input is damaged\n"
               "or no profile, 4 inputs that do not go together, 5 reading or writing failed.\n"
               "More is in the manual, pprofdelta(1).");
    add_values(app, "files", chosen.files, "")->group("");

    const std::string what = "What to subtract";
    CLI::Option* cumulative = add_values(app, "--cumulative", chosen.delta.cumulative,
                                         "Subtract this sample type; repeatable")
                                  ->type_name("TYPE[/UNIT]")
                                  ->group(what);
    CLI::Option* gauge = add_values(app, "--gauge", chosen.delta.gauge,
                                    "Pass this sample type through as it is; repeatable")
                             ->type_name("TYPE[/UNIT]")
                             ->group(what);
    add_choice<match_mode>(app, "--match", chosen.delta.match,
                           {{"exact", match_mode::exact},
                            {"line", match_mode::line},
                            {"function", match_mode::function}},
                           "When two frames are the same one (default: exact)")
        ->group(what);
    CLI::Option* diff = app.add_flag("--diff", chosen.diff,
                                     "Compare two captures: subtract every type, and keep what "
                                     "only PREV has")
                            ->group(what)
                            ->excludes(cumulative)
                            ->excludes(gauge);
    add_choice<std::optional<normalization>>(
        app, "--normalize", chosen.normalize,
        {{"total", normalization::total}, {"duration", normalization::duration}},
        "Scale PREV to CUR's totals or duration, for a diff of captures of unlike size")
        ->group(what)
        ->needs(diff);
    app.add_flag("--drop-negative", chosen.delta.drop_negative,
                 "Leave out samples with a negative difference")
        ->group(what);
    add_choice<reset_policy>(app, "--on-reset", chosen.delta.on_reset,
                             {{"emit", reset_policy::emit},
                              {"drop", reset_policy::drop},
                              {"error", reset_policy::error},
                              {"negative", reset_policy::negative}},
                             "If the counters started over: take CUR's values (default), write "
                             "no samples, end with status 4, or subtract all the same")
        ->group(what)
        ->excludes(diff);

    add_value(
        app, "--max-size",
        [&chosen](const std::string& given) { chosen.max_size = parse_size(given); },
        "The most that a profile may have, uncompressed, in bytes or with K, M or G "
        "(default: 2G)")
        ->type_name("SIZE")
        ->group("Input");

    const std::string state = "State";
    CLI::Option* with_state = add_text(app, "--state", chosen.state,
                                       "Subtract what FILE holds, and make CUR's state its "
                                       "content; CUR is standard input unless given")
                                  ->type_name("FILE")
                                  ->group(state)
                                  ->excludes(diff);
    add_choice<bool>(app, "--first", chosen.delta.skip_first, {{"emit", false}, {"skip", true}},
                     "Without a state yet: write all of CUR (default), or no samples")
        ->group(state)
        ->needs(with_state);
    app.add_flag("--reset-state", chosen.reset_state, "Go on as if there were no state yet")
        ->group(state)
        ->needs(with_state);
    add_number(app, "--lock-timeout", chosen.lock_timeout_seconds,
               "How long to wait for another run on the same state (default: 30)")
        ->type_name("SECONDS")
        ->group(state)
        ->needs(with_state);

    const std::string output = "Output";
    add_text(app, "-o,--output", chosen.output, "Write to FILE instead of standard output")
        ->type_name("FILE")
        ->group(output);
    add_choice<codec>(app, "--compress", chosen.compress,
                      {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                      "Wrap the delta (default: gzip)")
        ->group(output);
    add_number(app, "--level", chosen.level, "Compression level: gzip 0 to 9, zstd 1 to 19")
        ->type_name("N")
        ->group(output);
    app.add_flag("-f,--force", chosen.force, "Write a profile even to a terminal")->group(output);
    app.add_flag("-q,--quiet", chosen.quiet, "No warnings")->group(output);
    app.add_flag("-v,--verbose", chosen.verbose, "One line of figures on standard error")
        ->group(output);

    const std::string gate = "Limits";
    add_values(app, "--fail-on", chosen.limits,
               "End with status 1 if this is crossed, as in alloc_space>+10%; repeatable")
        ->type_name("LIMIT")
        ->group(gate);
    add_values(app, "--limits", chosen.limit_files,
               "The same for each line of FILE but blank ones and # comments; repeatable")
        ->type_name("FILE")
        ->group(gate);
    add_choice<bool>(app, "--annotations", chosen.annotations, {{"github", true}},
                     "Print crossed limits as workflow commands, too")
        ->group(gate);

    const std::string report = "Report";
    CLI::Option* with_report =
        add_choice<options::report_form>(app, "--report", chosen.report,
                                         {{"text", options::report_form::text},
                                          {"markdown", options::report_form::markdown},
                                          {"json", options::report_form::json},
                                          {"none", options::report_form::none}},
                                         "Say what changed most (default: none)")
            ->group(report);
    add_text(app, "--report-file", chosen.report_file,
             "Where to; otherwise text goes to standard error, the rest to standard output")
        ->type_name("FILE")
        ->group(report)
        ->needs(with_report);
    add_choice<grouping>(app, "--by", chosen.reported.by,
                         {{"function", grouping::function},
                          {"file", grouping::file},
                          {"package", grouping::package},
                          {"line", grouping::line}},
                         "What the rows are (default: function)")
        ->group(report);
    add_value(
        app, "--sort", [&](const std::string& type) { chosen.reported.sort.emplace(type); },
        "The sample type to report on (default: the profile's)")
        ->type_name("TYPE[/UNIT]")
        ->group(report);
    add_number(app, "--top", chosen.top, "How many rows (default: 20)")
        ->type_name("N")
        ->group(report)
        ->needs(with_report);
    add_text(app, "--flamegraph", chosen.flame_graph,
             "Draw both profiles as a flame graph, for a browser")
        ->type_name("FILE")
        ->group(report);
    app.add_flag("--no-delta", chosen.no_delta, "Write no delta, just what else is asked for")
        ->group(report)
        ->excludes(app.get_option("--output"));

    const std::string information = "Information";
    CLI::Option* listing =
        app.add_flag("--list-types", list_types,
                     "Print the sample types of profiles, and how each would be treated")
            ->group(information)
            ->excludes(with_state);
    add_text(app, "--state-info", info, "Print what the state in FILE is of")
        ->type_name("FILE")
        ->group(information)
        ->excludes(with_state)
        ->excludes(listing);
    app.set_help_flag("-h,--help", "Print this help")->group(information);
    app.set_version_flag("--version", std::string{"pprofdelta "} + version(), "Print the version")
        ->group(information);

    try {
        app.parse_words(argc, argv);
    } catch (const CLI::Success& answer) {
        app.exit(answer);
        if (!std::cout.flush()) {
            throw failure{exit_status::io, "standard output: writing failed"};
        }
        return std::nullopt;
    } catch (const CLI::ParseError& e) {
        wrong_usage(e.what());
    }
    if (chosen.report == options::report_form::none && chosen.flame_graph.empty()) {
        for (const char* name : {"--by", "--sort"}) {
            if (app.count(name) != 0) {
                wrong_usage(std::string{name} + " needs --report or --flamegraph");
            }
        }
    }
    if (list_types) {
        chosen.run = options::command::list_types;
    } else if (!info.empty()) {
        chosen.run = options::command::state_info;
        chosen.state = info;
    } else if (!chosen.state.empty()) {
        chosen.run = options::command::state_delta;
    }
    if (chosen.output == "-") {
        chosen.output.clear();
    }
    check_options(chosen);
    return chosen;
}

} // namespace pprofdelta::tool
