// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <set>
#include <stdexcept>
#include <vector>

namespace pprofdelta::test {

json parse_json(std::string_view text) {
    std::vector<std::set<std::string>> names; // of the objects that are open
    return json::parse(text, [&](int, json::parse_event_t event, const json& parsed) {
        if (event == json::parse_event_t::object_start) {
            names.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            names.pop_back();
        } else if (event == json::parse_event_t::key && !names.back().insert(parsed).second) {
            throw std::runtime_error{"JSON: a member is named twice"};
        }
        return true;
    });
}

std::string name_of(const std::string& text) {
    const std::string_view mark = "\xef\xbf\xbd";
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, mark.size(), mark) != 0) {
            name += text[i];
            continue;
        }
        const std::string digits = text.substr(i + mark.size(), 2);
        if (digits.size() != 2 ||
            digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
            throw std::runtime_error{"JSON: digits are missing"};
        }
        name += static_cast<char>(std::stoi(digits, nullptr, 16));
        i += mark.size() + 1;
    }
    return name;
}

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(json(text).dump());
        return true;
    } catch (const json::type_error&) {
        return false;
    }
}

} // namespace pprofdelta::test
