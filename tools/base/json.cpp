// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <nlohmann/json.hpp>

#include <pprofdelta/json.hpp>

#include "base/lists.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t step = 2; // of an indentation

void add(std::string& text, const ordered_json& value, json_layout layout, std::size_t indentation);

// The members of an object, or what is in an array.
void add_all(std::string& text, const ordered_json& all, json_layout layout,
             std::size_t indentation) {
    const bool are_on_lines =
        layout == json_layout::lines &&
        (all.is_object() ? indentation == 0 : !all.empty() && all.front().is_object());
    const std::size_t inside = indentation + (are_on_lines ? step : 0);
    const char* const blank = layout == json_layout::compact ? "" : " ";
    const char* before = "";
    text += all.is_object() ? '{' : '[';
    for (auto each = all.begin(); each != all.end(); ++each) {
        text += before;
        text += are_on_lines ? "\n" + std::string(inside, ' ') : *before ? blank : "";
        text += all.is_object() ? json_string(each.key()) + ":" + blank : "";
        add(text, *each, layout, inside);
        before = ",";
    }
    text += are_on_lines ? "\n" + std::string(indentation, ' ') : "";
    text += all.is_object() ? '}' : ']';
}

void add(std::string& text, const ordered_json& value, json_layout layout,
         std::size_t indentation) {
    switch (value.type()) {
    case ordered_json::value_t::object:
    case ordered_json::value_t::array:
        add_all(text, value, layout, indentation);
        break;
    case ordered_json::value_t::string:
        text += json_string(value.get_ref<const std::string&>());
        break;
    case ordered_json::value_t::number_float:
        text += json_number(value.get<double>());
        break;
    case ordered_json::value_t::number_integer:
        text += std::to_string(value.get<std::int64_t>()); // as dump() takes much longer
        break;
    case ordered_json::value_t::number_unsigned:
        text += std::to_string(value.get<std::uint64_t>());
        break;
    case ordered_json::value_t::binary:
        text.append(value.get_binary().begin(), value.get_binary().end());
        break;
    default:
        text += value.dump();
    }
}

} // namespace

std::string to_text(const ordered_json& document, json_layout layout) {
    std::string text;
    const bool is_member = layout == json_layout::member;
    add(text, document, is_member ? json_layout::lines : layout, is_member ? step : 0);
    return text + (layout == json_layout::lines ? "\n" : "");
}

// JSON has no bytes, and so nothing else is a value of this kind.
ordered_json written(std::string_view text) {
    return ordered_json::binary({text.begin(), text.end()});
}

ordered_json written_numbers(std::span<const std::int64_t> numbers) {
    return written(
        "[" + joined(numbers, ",", [](std::int64_t each) { return std::to_string(each); }) + "]");
}

ordered_json text_or_null(const std::string& text) {
    return text.empty() ? nullptr : ordered_json(text);
}

ordered_json type_json(const value_type& type) {
    return {{"type", type.type}, {"unit", type.unit}};
}

void add_selection(ordered_json& to, const stack_selection& chosen) {
    to["focus"] = text_or_null(chosen.focus);
    to["ignore"] = text_or_null(chosen.ignore);
    to["labels"] = chosen.labels;
    to["no_labels"] = chosen.no_labels;
    to["hide"] = text_or_null(chosen.hide);
    to["show_from"] = text_or_null(chosen.show_from);
    to["renames"] = chosen.renames;
    to["label_roots"] = chosen.label_roots;
}

void add_folded(ordered_json& to, std::size_t functions) {
    if (functions != 0) {
        to["folded_functions"] = functions;
    }
}

namespace {

void erase_values(ordered_json& from) {
    if (from.is_object()) {
        from.erase("values");
    }
    if (from.is_structured()) {
        for (ordered_json& each : from) {
            erase_values(each);
        }
    }
}

// Leaves out what is still too large without rows: the values of captures, and then all but what
// the document is and its summary.
void make_smaller(ordered_json& all, const command_list& next, std::size_t max_bytes) {
    constexpr std::size_t end = 200; // the member "budget", and names
    const std::size_t used = to_text(ordered_json(next), json_layout::line).size() + end;
    const auto is_too_large = [&] {
        return to_text(all, json_layout::lines).size() + used > max_bytes;
    };
    if (is_too_large()) {
        erase_values(all);
    }
    if (is_too_large() && all.contains("summary") && all.contains("schema")) {
        all = {{"schema", all["schema"]}, {"version", all["version"]}, {"summary", all["summary"]}};
    }
}

} // namespace

void add_end(ordered_json& to, const std::optional<row_budget>& budget, const command_list& next) {
    if (budget) {
        if (budget->most_rows == 0) {
            make_smaller(to, next, budget->max_bytes);
        }
        to["budget"] = {{"max_bytes", budget->max_bytes},
                        {"most_rows", budget->most_rows},
                        {"option", "--max-bytes"}};
    }
    to["next"] = next;
}

} // namespace pprofdelta::tool
