// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/json.hpp>

#include <array>
#include <charconv>

#include "base/json_parts.hpp"

namespace pprofdelta {

std::string json_string(std::string_view text) {
    std::string result;
    for_each_json_part(text, [&](std::string_view part) { result += part; });
    return result;
}

std::string json_strings(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + json_string(text);
    }
    return "[" + all + "]";
}

std::string json_number(double value) {
    std::array<char, 400> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

std::string json_numbers(const std::vector<double>& numbers) {
    std::string all;
    for (const double number : numbers) {
        all += (all.empty() ? "" : ", ") + json_number(number);
    }
    return "[" + all + "]";
}

std::string type_members(const value_type& type) {
    return "\"type\": " + json_string(type.type) + ", \"unit\": " + json_string(type.unit) + ", ";
}

std::string json_array(const std::vector<std::string>& objects, std::size_t indentation) {
    std::string text = "[";
    for (const std::string& object : objects) {
        text +=
            (text.size() == 1 ? "\n" : ",\n") + std::string(indentation, ' ') + "{" + object + "}";
    }
    return text + (objects.empty() ? "]" : "\n" + std::string(indentation - 2, ' ') + "]");
}

} // namespace pprofdelta
