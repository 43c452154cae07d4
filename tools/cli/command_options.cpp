// SPDX-License-Identifier: Apache-2.0
#include "cli/command_options.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include <pprofdelta/error.hpp>

#include "cli/inputs.hpp"

namespace pprofdelta::tool {

namespace {

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& letter : option.get_snames()) {
        names.push_back("-" + letter);
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

// Whether it takes no value, or one only behind '='.
bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// The options under their headings, in two columns on lines of at most 80 characters.
class help_formatter : public CLI::FormatterBase {
public:
    // Only the options of these names, under one heading.
    static std::string make_short(const CLI::App& app, const std::vector<std::string>& names) {
        std::string text = app.get_description() + "Options:\n";
        for (const std::string& name : names) {
            add_option(text, *app.get_option(name));
        }
        return text;
    }

    std::string make_help(const CLI::App* app, std::string /*name*/,
                          CLI::AppFormatMode /*mode*/) const override {
        std::string text = app->get_description();
        for (const std::string& heading : app->get_groups()) {
            const std::vector<const CLI::Option*> options =
                app->get_options([&heading](const CLI::Option* each) {
                    return each->nonpositional() && each->get_group() == heading;
                });
            if (heading.empty() || options.empty()) {
                continue;
            }
            text += heading + ":\n";
            for (const CLI::Option* const each : options) {
                add_option(text, *each);
            }
        }
        return text;
    }

private:
    static void add_option(std::string& help, const CLI::Option& option) {
        constexpr std::size_t second_column = 23;
        constexpr std::size_t width = 80;
        const std::string value = option.get_type_name();
        std::string line = "  " + CLI::detail::join(names_of(option));
        line += value.empty() ? "" : is_flag(option) ? "[=" + value + "]" : " " + value;
        if (line.size() + 1 >= second_column) {
            help += line + "\n";
            line.clear();
        }
        line.resize(second_column, ' ');
        std::istringstream words{option.get_description()};
        for (std::string word; words >> word;) {
            if (line.size() + word.size() > width) {
                line.erase(line.find_last_not_of(' ') + 1);
                help += line + "\n";
                line.assign(second_column, ' ');
            }
            line += word + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        help += line + "\n";
    }
};

} // namespace

// CLI11 compares each new option with all others, which was a third of an empty run. Names are
// those of m_by_name, each once.
class command_options::parser : public CLI::App {
public:
    using CLI::App::App;

    // @param add adds one option.
    template <typename Add>
    CLI::Option& add_alone(Add&& add) {
        std::vector<CLI::Option_p> others;
        others.swap(options_);
        CLI::Option* const added = add();
        others.push_back(std::move(options_.back()));
        options_.swap(others);
        return *added;
    }
};

command_options::command_options(const std::string& usage)
    : m_app{std::make_unique<parser>(usage)} {
    m_app->formatter(std::make_shared<help_formatter>());
    m_app->allow_extras();  // for parse() to say more of them
    m_app->set_help_flag(); // takes it away; see add_help()
    put(*m_app->add_flag_callback("--version", [] { throw CLI::CallForVersion{}; }), "")
        .trigger_on_parse()
        ->group("");
}

command_options::~command_options() = default;

CLI::Option& command_options::put(CLI::Option& option, const std::string& value_name) {
    for (const std::string& name : names_of(option)) {
        if (!m_by_name.emplace(name, &option).second) {
            throw std::logic_error{name + " is declared twice"};
        }
    }
    return *option.type_name(value_name)->group(m_heading);
}

// What is wrong is about the option.
static void use_one(const std::string& name, const command_options::use_value& use,
                    const std::string& word) {
    try {
        use(word);
    } catch (const error& e) {
        wrong_usage(name + ": " + e.what());
    }
}

// Takes the words as they are: what CLI11 makes of them for a variable is different in each version
// where they are empty, or have brackets.
CLI::Option& command_options::add(const std::string& names, const std::string& value_name,
                                  bool is_single, const use_value& use, const std::string& text) {
    const std::string name = names.substr(names.rfind(',') + 1);
    const auto use_all = [name, is_single, use](const CLI::results_t& words) {
        if (is_single && words.size() > 1) {
            wrong_usage(name + " is given twice");
        }
        for (const std::string& word : words) {
            if (word.empty() && name.starts_with('-')) {
                wrong_usage(name + " needs a value");
            }
            use_one(name, use, word);
        }
        return true;
    };
    CLI::Option& added = m_app->add_alone([&] { return m_app->add_option(names, use_all, text); });
    return put(*added.take_all(), value_name);
}

void command_options::add_help() {
    const auto common = [] { throw CLI::CallForHelp{}; };
    const auto all = [] { throw CLI::CallForAllHelp{}; };
    put(*m_app->add_flag_callback("-h", common, "Print the most common options"), "")
        .trigger_on_parse();
    put(*m_app->add_flag_callback("--help", all, "Print all options"), "").trigger_on_parse();
}

void command_options::add_flag(const std::string& names, bool& value, const std::string& text) {
    put(m_app->add_alone([&] { return m_app->add_flag(names, value, text); }), "");
}

void command_options::add_value(const std::string& names, const std::string& value_name,
                                const use_value& use, const std::string& text) {
    add(names, value_name, true, use, text);
}

void command_options::add_values(const std::string& names, const std::string& value_name,
                                 const use_value& use, const std::string& text) {
    add(names, value_name, false, use, text);
}

void command_options::add_flag_with_value(const std::string& name, const std::string& value_name,
                                          const std::string& implied, const use_value& use,
                                          const std::string& text) {
    const auto use_any = [name, use](const std::string& word) { use_one(name, use, word); };
    CLI::Option& added =
        m_app->add_alone([&] { return m_app->add_flag(name + "{" + implied + "}", text); });
    put(*added.each(use_any), value_name);
}

static command_options::use_value take_into(std::vector<std::string>& files) {
    return [&files](const std::string& word) {
        refuse_credentials({word});
        files.push_back(word);
    };
}

void command_options::add_list(const std::string& name, const std::string& value_name,
                               std::vector<std::string>& values, const std::string& text) {
    add(name, value_name, false, take_into(values), text).allow_extra_args();
}

void command_options::add_files(std::vector<std::string>& files) {
    add("files", "", false, take_into(files), "").allow_extra_args();
}

void command_options::needs(std::initializer_list<const char*> names, const std::string& other) {
    for (const char* const name : names) {
        m_by_name.at(name)->needs(m_by_name.at(other));
    }
}

void command_options::excludes(const std::string& name, std::initializer_list<const char*> others) {
    for (const char* const other : others) {
        m_by_name.at(name)->excludes(m_by_name.at(other));
    }
}

void command_options::collect_given(std::vector<std::string>& names,
                                    const std::vector<std::string>& others) {
    m_told = &names;
    const CLI::App& app = *m_app;
    m_to_tell = app.get_options([&others](const CLI::Option* each) {
        return each->nonpositional() && !each->get_allow_extra_args() &&
               !contains(others, each->get_name());
    });
}

std::string command_options::help() const { return m_app->help(); }

std::string command_options::short_help(const std::vector<std::string>& names) const {
    return help_formatter::make_short(*m_app, names);
}

bool command_options::has(const std::string& name) const { return m_by_name.contains(name); }

command_options::outcome
command_options::parse(const std::vector<std::string>& words,
                       const std::function<void(const std::string&)>& refuse_unknown) {
    // For an empty value after '=' CLI11 would take the next word.
    const auto end = std::ranges::find(words, "--");
    const auto empty = std::find_if(words.begin(), end, [](const std::string& word) {
        return word.starts_with("--") && word.find('=') == word.size() - 1;
    });
    if (empty != end) {
        wrong_usage(empty->substr(0, empty->size() - 1) + " needs a value");
    }
    try {
        m_app->parse(std::vector<std::string>{words.rbegin(), words.rend()});
    } catch (const CLI::CallForHelp&) {
        return outcome::short_help;
    } catch (const CLI::CallForAllHelp&) {
        return outcome::help;
    } catch (const CLI::CallForVersion&) {
        return outcome::version;
    } catch (const CLI::ParseError& e) {
        wrong_usage(e.what());
    }
    for (const std::string& word : m_app->remaining()) {
        if (word != "--") {
            const std::string name = word.substr(0, word.find('='));
            refuse_unknown(name);
            wrong_usage("there is no option " + name);
        }
    }
    for (const CLI::Option* const option : m_to_tell) {
        const std::string name = option->get_name();
        for (const std::string& value : option->results()) {
            const bool is_implied =
                is_flag(*option) && value == option->get_flag_value(name.substr(2), "");
            std::string told = name;
            if (!is_implied) {
                told.append(is_flag(*option) ? "=" : " ").append(value);
            }
            m_told->push_back(std::move(told));
        }
    }
    return outcome::parsed;
}

std::vector<command_options::described> command_options::all() const {
    const CLI::App& app = *m_app;
    std::vector<described> options;
    for (const CLI::Option* const each : app.get_options()) {
        if (each->get_group().empty() && each->nonpositional()) {
            continue;
        }
        const auto words = m_words.find(each->get_name());
        options.push_back({names_of(*each), each->get_type_name(), each->get_description(),
                           words == m_words.end() ? std::vector<std::string>{} : words->second,
                           each->results(), each->get_allow_extra_args()});
    }
    return options;
}

void command_options::parse_unfinished(const std::vector<std::string>& words) {
    try {
        m_app->parse(std::vector<std::string>{words.rbegin(), words.rend()});
    } catch (const std::exception&) {
        // What options were given was read before any value was looked at.
    }
}

} // namespace pprofdelta::tool
