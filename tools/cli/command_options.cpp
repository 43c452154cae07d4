// SPDX-License-Identifier: Apache-2.0
#include "cli/command_options.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

namespace pprofdelta::tool {

namespace {

// These are answered before CLI11 sees any word.
bool is_help(std::string_view name) { return name == "-h" || name == "--help"; }
bool is_version(std::string_view name) { return name == "--version"; }

option_kind kind_of_option(const CLI::App& app, const std::set<std::string>& with_optional_value,
                           const std::string& name) {
    if (is_help(name) || is_version(name)) {
        return option_kind::flag;
    }
    if (with_optional_value.contains(name)) {
        return option_kind::with_optional_value;
    }
    const CLI::Option* option = app.get_option_no_throw(name);
    return option == nullptr                       ? option_kind::unknown
           : option->get_items_expected_min() == 0 ? option_kind::flag
                                                   : option_kind::with_value;
}

} // namespace

// CLI11 checks which options go together. It would split values in brackets, and use the next word
// as the missing value in "--name="; each version does so in different cases. So the words are
// parsed before, and CLI11 gets the numbers of values in their place.
class command_options::impl {
public:
    [[nodiscard]] const std::string& value(const std::string& number) const {
        return values.at(std::stoul(number));
    }
    [[nodiscard]] CLI::Option* option(const std::string& name) const {
        return app->get_option(name);
    }

    // CLI11 would say "At Most 1 required".
    void require_single(const std::vector<argument>& arguments) const {
        std::set<const CLI::Option*> met;
        for (const argument& each : arguments) {
            const CLI::Option* const option =
                each.option.empty() ? nullptr : app->get_option_no_throw(each.option);
            if (option != nullptr && option->get_items_expected_max() == 1 &&
                option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw &&
                !met.insert(option).second) {
                wrong_usage(each.option + " is given twice");
            }
        }
    }

    [[nodiscard]] option_kind kind(const std::string& name) const {
        return kind_of_option(*app, with_optional_value, name);
    }

    std::shared_ptr<CLI::App> app = std::make_shared<CLI::App>();
    std::set<std::string> with_optional_value; // which get an empty one
    std::set<std::string> lists;               // which take all files that follow them
    std::vector<std::string> values;
};

command_options::command_options(std::string usage)
    : m_impl{std::make_unique<impl>()}, m_help{std::move(usage)} {}
command_options::~command_options() = default;

// Two columns on lines of at most 80 characters.
void command_options::add_shown(shown option, bool is_value_optional) {
    constexpr std::size_t second_column = 22;
    constexpr std::size_t width = 80;
    std::string line = "  " + option.names;
    if (is_value_optional) {
        line += "[=" + option.value_name + "]";
    } else if (!option.value_name.empty()) {
        line += " " + option.value_name;
    }
    if (line.size() + 1 >= second_column) {
        m_help += line + "\n";
        line.clear();
    }
    line.resize(second_column, ' ');
    std::istringstream words{option.text};
    for (std::string word; words >> word;) {
        if (line.size() + word.size() > width) {
            line.erase(line.find_last_not_of(' ') + 1);
            m_help += line + "\n";
            line.assign(second_column, ' ');
        }
        line += word + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    m_help += line + "\n";
    m_shown.push_back(std::move(option));
}

void command_options::add_flag(const std::string& names, bool& value, const std::string& text) {
    m_impl->app->add_flag(names, value);
    add_shown({names, "", text});
}

void command_options::add_value(const std::string& names, const std::string& value_name,
                                const use_value& use, const std::string& text) {
    m_impl->app->add_option_function<std::string>(
        names, [this, use](const std::string& number) { use(m_impl->value(number)); });
    add_shown({names, value_name, text});
}

void command_options::add_values(const std::string& names, const std::string& value_name,
                                 const use_value& use, const std::string& text) {
    m_impl->app
        ->add_option_function<std::vector<std::string>>(
            names,
            [this, use](const std::vector<std::string>& numbers) {
                for (const std::string& number : numbers) {
                    use(m_impl->value(number));
                }
            })
        ->allow_extra_args(false)
        ->take_all();
    add_shown({names, value_name, text});
}

void command_options::add_list(const std::string& name, const std::string& value_name,
                               std::vector<std::string>& values, const std::string& text) {
    add_values(name, value_name, values, text);
    m_impl->lists.insert(name);
    m_shown.back().is_list = true;
}

void command_options::add_optional_value(const std::string& name, const std::string& value_name,
                                         const use_value& use, const std::string& text) {
    m_impl->app->add_option_function<std::string>(
        name, [this, use](const std::string& number) { use(m_impl->value(number)); });
    m_impl->with_optional_value.insert(name);
    add_shown({name, value_name, text}, true);
}

void command_options::add_files(std::vector<std::string>& files) {
    m_impl->app->add_option_function<std::vector<std::string>>(
        "files", [this, &files](const std::vector<std::string>& numbers) {
            for (const std::string& number : numbers) {
                files.push_back(m_impl->value(number));
            }
        });
}

void command_options::needs(const std::string& name, const std::string& other) {
    m_impl->option(name)->needs(m_impl->option(other));
}

void command_options::excludes(const std::string& name, const std::string& other) {
    m_impl->option(name)->excludes(m_impl->option(other));
}

void command_options::collect_given(std::vector<std::string>& names,
                                    const std::vector<std::string>& others) {
    m_names = &names;
    std::copy_if(m_shown.begin(), m_shown.end(), std::back_inserter(m_to_tell),
                 [&](const shown& option) {
                     return !option.is_list &&
                            std::find(others.begin(), others.end(), option.names) == others.end();
                 });
}

std::vector<std::string> command_options::given(const shown& option) const {
    const bool is_value_optional = m_impl->with_optional_value.contains(option.names);
    std::vector<std::string> all;
    for (const std::string& number : m_impl->option(option.names)->results()) {
        const std::string value = option.value_name.empty() ? "" : m_impl->value(number);
        const char* const between = value.empty() ? "" : is_value_optional ? "=" : " ";
        all.push_back(option.names + between + value);
    }
    return all;
}

option_kind command_options::kind(const std::string& name) const { return m_impl->kind(name); }

command_options::outcome
command_options::parse(const std::vector<std::string>& words,
                       const std::function<void(const std::string&)>& refuse_unknown) {
    const auto kind_of = [&](const std::string& option) {
        const option_kind known = kind(option);
        if (known == option_kind::unknown) {
            refuse_unknown(option);
        }
        return known;
    };
    std::vector<argument> arguments = split_arguments(words, kind_of);
    const auto has = [&arguments](bool (*is_meant)(std::string_view)) {
        return std::any_of(arguments.begin(), arguments.end(),
                           [=](const argument& each) { return is_meant(each.option); });
    };
    if (has(is_help)) {
        return outcome::help;
    }
    if (has(is_version)) {
        return outcome::version;
    }
    m_impl->require_single(arguments);
    std::vector<std::string> numbered;
    std::string list; // that files are of
    for (argument& each : arguments) {
        if (each.option.empty()) {
            each.option = list;
        } else {
            list = m_impl->lists.contains(each.option) ? each.option : "";
        }
        if (!each.option.empty()) {
            numbered.push_back(std::move(each.option));
        }
        if (each.value) {
            numbered.push_back(std::to_string(m_impl->values.size()));
            m_impl->values.push_back(std::move(*each.value));
        }
    }
    std::reverse(numbered.begin(), numbered.end()); // CLI11 expects the last one first
    try {
        m_impl->app->parse(std::move(numbered));
    } catch (const CLI::ParseError& e) {
        wrong_usage(e.what());
    }
    for (const shown& option : m_to_tell) {
        const std::vector<std::string> all = given(option);
        m_names->insert(m_names->end(), all.begin(), all.end());
    }
    return outcome::parsed;
}

} // namespace pprofdelta::tool
