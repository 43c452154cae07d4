// SPDX-License-Identifier: Apache-2.0
#include "cli/command_options.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include <pprofdelta/error.hpp>

#include "base/lists.hpp"
#include "base/value_text.hpp"
#include "files/captures.hpp"

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
    // The help has the options of these names only, under one heading.
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

std::string command_options::hide(std::string word) {
    m_hidden.push_back(std::move(word));
    return "#" + std::to_string(m_hidden.size() - 1);
}

std::vector<std::string> command_options::hide_values(const std::vector<std::string>& words) {
    enum class kind { unknown, flag, with_value };
    const auto kind_of = [this](const std::string& name) {
        const auto option = m_by_name.find(name);
        return option == m_by_name.end()  ? kind::unknown
               : is_flag(*option->second) ? kind::flag
                                          : kind::with_value;
    };
    std::vector<std::string> hidden;
    bool is_value = false;
    bool are_files = false;
    for (const std::string& word : words) {
        std::size_t value = 0; // where it begins
        if (is_value || are_files || word.size() < 2 || word[0] != '-') {
            is_value = false;
        } else if (word[1] == '-') {
            are_files = word.size() == 2;
            value = word.find('=');
            value += value == std::string::npos ? 0 : 1;
            is_value = value == std::string::npos && kind_of(word) == kind::with_value;
        } else {
            std::size_t letter = 1;
            while (letter < word.size() && kind_of({'-', word[letter]}) == kind::flag) {
                ++letter;
            }
            is_value = letter < word.size() && kind_of({'-', word[letter]}) == kind::with_value;
            value = is_value && letter + 1 < word.size() ? letter + 1 : std::string::npos;
            is_value = is_value && value == std::string::npos;
        }
        hidden.push_back(
            value == std::string::npos ? word : word.substr(0, value) + hide(word.substr(value)));
    }
    return hidden;
}

const std::string& command_options::typed(const std::string& word) const {
    return word.starts_with('#') ? m_hidden.at(*number_in<std::size_t>(word.substr(1))) : word;
}

std::vector<std::string> command_options::given(const CLI::Option& option) const {
    return mapped(option.results(), [this](const std::string& word) { return typed(word); });
}

// An error about the value names the option.
static void use_one(const std::string& name, const command_options::use_value& use,
                    const std::string& word) {
    if (word.empty() && name.starts_with('-')) {
        wrong_usage(name + " needs a value");
    }
    try {
        use(word);
    } catch (const error& e) {
        wrong_usage(name + ": " + e.what());
    }
}

static auto use_of_each(const std::string& name, bool is_single,
                        const command_options::use_value& use) {
    return [name, is_single, use](const std::vector<std::string>& words) {
        if (is_single && words.size() > 1) {
            wrong_usage(name + " is given twice");
        }
        for (const std::string& word : words) {
            use_one(name, use, word);
        }
    };
}

CLI::Option& command_options::add(const std::string& names, const std::string& value_name,
                                  bool is_single, const use_value& use, const std::string& text) {
    const auto accept = [](const CLI::results_t&) { return true; };
    CLI::Option& added = m_app->add_alone([&] { return m_app->add_option(names, accept, text); });
    m_uses.emplace_back(&added, use_of_each(names.substr(names.rfind(',') + 1), is_single, use));
    return put(*added.take_all(), value_name);
}

void command_options::add_help() {
    const auto common = [] { throw CLI::CallForHelp{}; };
    const auto all = [] { throw CLI::CallForAllHelp{}; };
    put(*m_app->add_flag_callback("-h", common, "Print the most common options"), "")
        .trigger_on_parse();
    put(*m_app->add_flag_callback("--help", all, "Print all options"), "").trigger_on_parse();
}

void command_options::add_flag(const std::string& names, bool& value, const std::string& text,
                               bool given) {
    const std::string name = names.substr(names.rfind(',') + 1);
    CLI::Option& added = m_app->add_alone([&] { return m_app->add_flag(names, text); });
    m_uses.emplace_back(&added, [name, &value, given](const std::vector<std::string>& words) {
        if (words.back() != "true" && words.back() != "false") {
            wrong_usage(name + "=" + words.back() + ": expected true or false");
        }
        value = (words.back() == "true") == given;
    });
    put(added, "");
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
    CLI::Option& added =
        m_app->add_alone([&] { return m_app->add_flag(name + "{" + hide(implied) + "}", text); });
    m_uses.emplace_back(&added, use_of_each(name, false, use));
    put(added, value_name);
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
        m_rules.push_back({m_by_name.at(name), m_by_name.at(other), true});
    }
}

void command_options::excludes(const std::string& name, std::initializer_list<const char*> others) {
    for (const char* const other : others) {
        m_rules.push_back({m_by_name.at(name), m_by_name.at(other), false});
        m_rules.push_back({m_by_name.at(other), m_by_name.at(name), false});
    }
}

void command_options::check_rules() const {
    const CLI::App& app = *m_app;
    for (const CLI::Option* const option : app.get_options()) {
        for (const rule& each : m_rules) {
            if (each.option == option && !option->empty() && each.other->empty() == each.is_need) {
                wrong_usage(option->get_name() + (each.is_need ? " requires " : " excludes ") +
                            each.other->get_name());
            }
        }
    }
}

void command_options::collect_given(std::vector<std::string>& names,
                                    const std::vector<std::string>& others) {
    m_given = &names;
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
    try {
        parse_unchecked(words);
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
            const std::string name = typed(word.substr(0, word.find('=')));
            refuse_unknown(name);
            wrong_usage("there is no option " + name);
        }
    }
    for (const auto& [option, use] : m_uses) {
        if (!option->empty()) {
            use(given(*option));
        }
    }
    check_rules();
    for (const CLI::Option* const option : m_to_tell) {
        const std::string name = option->get_name();
        for (const std::string& value : option->results()) {
            const bool is_implied =
                is_flag(*option) && value == option->get_flag_value(name.substr(2), "");
            std::string given = name;
            if (!is_implied) {
                given.append(is_flag(*option) ? "=" : " ").append(typed(value));
            }
            m_given->push_back(std::move(given));
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
                           given(*each), each->get_allow_extra_args()});
    }
    return options;
}

void command_options::parse_unchecked(const std::vector<std::string>& words) {
    std::vector<std::string> hidden = hide_values(words);
    std::ranges::reverse(hidden);
    m_app->parse(std::move(hidden));
}

void command_options::parse_unfinished(const std::vector<std::string>& words) {
    try {
        parse_unchecked(words);
    } catch (const std::exception&) {
        // The options of the line are known by now, even if one of them is refused.
    }
}

} // namespace pprofdelta::tool
