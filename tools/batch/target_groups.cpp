// SPDX-License-Identifier: Apache-2.0
#include "batch/target_groups.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/names.hpp"

namespace pprofdelta::tool {

namespace {

using nlohmann::json;

// A name in a message. It may be as long as the text.
std::string in_quotes(const std::string& name) {
    constexpr std::size_t width = 80;
    return '\'' + shortened(printable(name), width) + '\'';
}

// Takes the parts of the text as the parser finds them, so that there is no tree of the whole.
class group_reader : public json::json_sax_t {
public:
    group_reader(std::string_view text, const std::string& name,
                 const std::function<void(const target_group&)>& use)
        : m_text{text}, m_name{name}, m_use{use} {}

    bool null() override {
        if (m_place != place::targets_value && m_place != place::labels_value) {
            refuse_value();
        }
        m_place = place::group;
        return true;
    }
    bool boolean(bool /*value*/) override { refuse_value(); }
    bool number_integer(number_integer_t /*value*/) override { refuse_value(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { refuse_value(); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
        refuse_value();
    }
    bool binary(binary_t& /*value*/) override { refuse_value(); }

    bool string(string_t& value) override {
        if (m_place == place::targets) {
            m_group.targets.push_back(std::move(value));
        } else if (m_place == place::labels) {
            m_group.labels[m_label] = std::move(value);
        } else {
            refuse_value();
        }
        return true;
    }

    bool start_array(std::size_t /*elements*/) override {
        if (m_place == place::start) {
            m_place = place::list;
        } else if (m_place == place::targets_value) {
            m_place = place::targets;
        } else {
            refuse_value();
        }
        return true;
    }

    bool end_array() override {
        m_place = m_place == place::targets ? place::group : place::start;
        return true;
    }

    bool start_object(std::size_t /*elements*/) override {
        if (m_place == place::list) {
            m_place = place::group;
            m_group = {m_group.number + 1, {}, {}};
            m_has_targets = false;
            m_has_labels = false;
        } else if (m_place == place::labels_value) {
            m_place = place::labels;
        } else {
            refuse_value();
        }
        return true;
    }

    bool key(string_t& name) override {
        if (m_place == place::labels) {
            m_label = std::move(name);
            require_first(m_group.labels.try_emplace(m_label).second, m_label);
        } else if (name == "targets") {
            require_first(!std::exchange(m_has_targets, true), name);
            m_place = place::targets_value;
        } else if (name == "labels") {
            require_first(!std::exchange(m_has_labels, true), name);
            m_place = place::labels_value;
        } else {
            refuse(group() + in_quotes(name) + " is neither 'targets' nor 'labels'");
        }
        return true;
    }

    bool end_object() override {
        if (m_place == place::labels) {
            m_place = place::group;
        } else {
            m_use(m_group);
            m_place = place::list;
        }
        return true;
    }

    bool parse_error(std::size_t read, const std::string& /*token*/,
                     const json::exception& /*fault*/) override {
        refuse_text(std::min(read > 0 ? read - 1 : 0, m_text.size()));
    }

    /// @param position in the text, of what no JSON can have there.
    [[noreturn]] void refuse_text(std::size_t position) const {
        const std::string_view before = m_text.substr(0, position);
        const auto lines = std::count(before.begin(), before.end(), '\n');
        const std::size_t column = before.size() - (before.rfind('\n') + 1);
        refuse("line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1) +
               ": it is not JSON");
    }

private:
    // Where the parser is: before the value of something, or in it.
    enum class place { start, list, group, targets_value, targets, labels_value, labels };

    [[noreturn]] void refuse(const std::string& what) const {
        throw failure{exit_status::usage, m_name + ": " + what};
    }

    [[nodiscard]] std::string group() const {
        return "group " + std::to_string(m_group.number) + ": ";
    }

    // Other readers would take the last one, or the first one.
    void require_first(bool is_first, const std::string& name) const {
        if (!is_first) {
            refuse(group() + in_quotes(name) + " appears twice");
        }
    }

    // Refuses a value of a type that has no meaning in this place.
    [[noreturn]] void refuse_value() const {
        switch (m_place) {
        case place::list:
            refuse("group " + std::to_string(m_group.number + 1) + " is not an object");
        case place::targets_value:
            refuse(group() + "its targets are not an array");
        case place::targets:
            refuse(group() + "target " + std::to_string(m_group.targets.size() + 1) +
                   " is not a string");
        case place::labels_value:
            refuse(group() + "its labels are not an object");
        case place::labels:
            refuse(group() + "the label " + in_quotes(m_label) + " is not a string");
        case place::start:
        case place::group: // which has names, and thus no value
            break;
        }
        refuse("it is not an array of groups of targets");
    }

    std::string_view m_text;
    const std::string& m_name;
    const std::function<void(const target_group&)>& m_use;
    place m_place = place::start;
    target_group m_group;
    bool m_has_targets = false;
    bool m_has_labels = false;
    std::string m_label;
};

} // namespace

void read_target_groups(std::string_view json_text, const std::string& name,
                        const std::function<void(const target_group&)>& use) {
    group_reader reader{json_text, name, use};
    // The parser would take it for the end, whatever follows.
    if (const std::size_t position = json_text.find('\0'); position != std::string_view::npos) {
        reader.refuse_text(position);
    }
    json::sax_parse(json_text.begin(), json_text.end(), &reader);
}

} // namespace pprofdelta::tool
