// SPDX-License-Identifier: Apache-2.0
#include "json.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace pprofdelta::test {

namespace {

unsigned hexadecimal_digit(char c) {
    const std::size_t digit = std::string_view{"0123456789abcdef"}.find(c);
    if (digit == std::string_view::npos) {
        throw std::runtime_error{"JSON: no hexadecimal digit"};
    }
    return static_cast<unsigned>(digit);
}

class json_reader {
public:
    explicit json_reader(std::string_view text) : m_rest{text} {}

    json_value whole() {
        json_value result = value();
        skip_blanks();
        require(m_rest.empty(), "something follows the value");
        return result;
    }

private:
    static void require(bool holds, const char* what) {
        if (!holds) {
            throw std::runtime_error{std::string{"JSON: "} + what};
        }
    }

    void skip_blanks() {
        m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\r\n"), m_rest.size()));
    }

    char next() {
        require(!m_rest.empty(), "it ends too soon");
        const char c = m_rest.front();
        m_rest.remove_prefix(1);
        return c;
    }

    bool take(char c) {
        skip_blanks();
        if (m_rest.empty() || m_rest.front() != c) {
            return false;
        }
        m_rest.remove_prefix(1);
        return true;
    }

    // In UTF-8.
    std::string escaped_character() {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            code = code * 16 + hexadecimal_digit(next());
        }
        require(code < 0xd800U || code >= 0xe000U, "half of a pair");
        const auto part = [&](unsigned shift, unsigned bits, unsigned mark) {
            return static_cast<char>((code >> shift & ((1U << bits) - 1)) | mark);
        };
        return code < 0x80U    ? std::string{part(0, 7, 0)}
               : code < 0x800U ? std::string{part(6, 5, 0xc0), part(0, 6, 0x80)}
                               : std::string{part(12, 4, 0xe0), part(6, 6, 0x80), part(0, 6, 0x80)};
    }

    std::string string() {
        require(take('"'), "a string is missing");
        std::string text;
        for (char c = next(); c != '"'; c = next()) {
            require(static_cast<unsigned char>(c) >= 0x20U, "a control character in a string");
            if (c == '\\') {
                c = next();
                if (c == 'u') {
                    text += escaped_character();
                    continue;
                }
                require(c == '"' || c == '\\' || c == '/', "an unknown escape");
            }
            text += c;
        }
        return text;
    }

    std::string_view digits() {
        const std::size_t size = std::min(m_rest.find_first_not_of("0123456789"), m_rest.size());
        const std::string_view taken = m_rest.substr(0, size);
        require(size > 0, "a digit is missing");
        m_rest.remove_prefix(size);
        return taken;
    }

    std::string number() {
        const std::string sign = take('-') ? "-" : "";
        const std::string_view number = digits();
        require(number.size() == 1 || number.front() != '0', "a zero in front");
        std::string text = sign + std::string{number};
        if (take('.')) {
            text += "." + std::string{digits()};
        }
        if (take('e')) {
            text += take('-') ? "e-" : take('+') ? "e+" : "e";
            text += digits();
        }
        return text;
    }

    std::string word() {
        for (const std::string_view each : {"true", "false", "null"}) {
            if (m_rest.starts_with(each)) {
                m_rest.remove_prefix(each.size());
                return std::string{each};
            }
        }
        throw std::runtime_error{"JSON: no value"};
    }

    json_value list(json_value::kind kind, char end) {
        json_value result{kind, {}, {}};
        while (!take(end)) {
            require(result.members.empty() || take(','), "a comma is missing");
            std::string name;
            if (kind == json_value::kind::object) {
                name = string();
                require(take(':'), "a colon is missing");
            }
            result.members.push_back({std::move(name), value()});
        }
        return result;
    }

    json_value value() {
        skip_blanks();
        require(!m_rest.empty(), "a value is missing");
        if (m_rest.front() == '"') {
            return {json_value::kind::string, string(), {}};
        }
        if (m_rest.front() == '-' || (m_rest.front() >= '0' && m_rest.front() <= '9')) {
            return {json_value::kind::number, number(), {}};
        }
        if (take('{')) {
            return list(json_value::kind::object, '}');
        }
        if (take('[')) {
            return list(json_value::kind::array, ']');
        }
        return {json_value::kind::word, word(), {}};
    }

    std::string_view m_rest;
};

} // namespace

const json_value& json_value::at(std::string_view name) const {
    const auto has_name = [&](const auto& member) { return member.name == name; };
    const auto found = std::find_if(members.begin(), members.end(), has_name);
    if (is != kind::object || found == members.end() ||
        std::any_of(found + 1, members.end(), has_name)) {
        throw std::runtime_error{"JSON: not one member " + std::string{name}};
    }
    return found->value;
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
        if (digits.size() != 2) {
            throw std::runtime_error{"JSON: digits are missing"};
        }
        name += static_cast<char>(hexadecimal_digit(digits[0]) * 16 + hexadecimal_digit(digits[1]));
        i += mark.size() + 1;
    }
    return name;
}

json_value parse_json(std::string_view text) {
    if (!is_utf8(text)) {
        throw std::runtime_error{"JSON: not in UTF-8"};
    }
    return json_reader{text}.whole();
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text.front());
        text.remove_prefix(1);
        unsigned more = 0;
        std::uint32_t character = first;
        std::uint32_t least = 0;
        if (first >= 0xf0U) {
            more = 3;
            character = first & 0x0fU;
            least = 0x10000;
        } else if (first >= 0xe0U) {
            more = 2;
            character = first & 0x0fU;
            least = 0x800;
        } else if (first >= 0xc0U) {
            more = 1;
            character = first & 0x1fU;
            least = 0x80;
        } else if (first >= 0x80U) {
            return false;
        }
        for (; more > 0; --more) {
            if (text.empty() || (static_cast<unsigned char>(text.front()) & 0xc0U) != 0x80U) {
                return false;
            }
            character = character << 6U | (static_cast<unsigned char>(text.front()) & 0x3fU);
            text.remove_prefix(1);
        }
        const bool is_surrogate = character >= 0xd800U && character < 0xe000U;
        if (character < least || character > 0x10ffffU || is_surrogate) {
            return false;
        }
    }
    return true;
}

} // namespace pprofdelta::test
