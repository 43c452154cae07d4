// SPDX-License-Identifier: Apache-2.0
#include "files/series_record.hpp"

#include <charconv>
#include <system_error>

#include <pprofdelta/characters.hpp>

#include "base/failure.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view magic = "pprofdelta series ";
constexpr std::string_view version = "1";

// A text of a line, in which a path may have any bytes.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < ' ' || c == '%') {
            result += '%' + hexadecimal(byte, 2);
        } else {
            result += c;
        }
    }
    return result;
}

// What the header says, line by line.
class header_reader {
public:
    header_reader(std::string_view bytes, const std::string& name) : m_rest{bytes}, m_name{name} {}

    // The rest of the next line, which begins with `word`.
    std::string_view line(std::string_view word) {
        const std::size_t end = m_rest.find('\n');
        if (end == std::string_view::npos || !m_rest.starts_with(word)) {
            fail("its header has no line '" + std::string{word} + "'");
        }
        const std::string_view value = m_rest.substr(word.size(), end - word.size());
        m_rest.remove_prefix(end + 1);
        return value;
    }

    template <typename Number>
    Number number(std::string_view word, int base = 10) {
        const std::string_view text = line(word);
        Number value{};
        const char* const end = text.data() + text.size();
        const auto [rest, fault] = std::from_chars(text.data(), end, value, base);
        if (fault != std::errc{} || rest != end) {
            fail("its header has no number after '" + std::string{word} + "'");
        }
        return value;
    }

    std::string unescaped(std::string_view word) {
        const std::string_view text = line(word);
        std::string value;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '%') {
                value += text[i];
                continue;
            }
            unsigned byte = 0;
            const std::string_view digits = text.substr(i + 1, 2);
            const auto [rest, fault] =
                std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
            if (fault != std::errc{} || rest != digits.data() + 2) {
                fail("its header has a damaged '" + std::string{word} + "'");
            }
            value += static_cast<char>(byte);
            i += 2;
        }
        return value;
    }

    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

    [[noreturn]] void fail(const std::string& what) const {
        throw failure{exit_status::malformed, m_name + ": not the state of a series: " + what +
                                                  "; if you remove it, the series begins anew"};
    }

private:
    std::string_view m_rest;
    const std::string& m_name;
};

} // namespace

std::string to_bytes(const series_record& record) {
    std::string bytes{magic};
    bytes.append(version).append("\n");
    bytes += "series " + escaped(record.series) + "\n";
    bytes += "deltas " + std::to_string(record.deltas) + "\n";
    bytes += "time " + std::to_string(record.time_nanos) + "\n";
    bytes += "input " + escaped(record.input) + "\n";
    bytes += "content " + hash_text(record.input_hash) + "\n";
    bytes += "header " + hash_text(content_hash(bytes)) + "\n";
    return bytes += record.state;
}

bool is_record(std::string_view bytes) noexcept { return bytes.starts_with(magic); }

series_record parse_record(std::string_view bytes, const std::string& name) {
    header_reader header{bytes, name};
    if (const std::string_view first = header.line(magic); first != version) {
        if (first.find_first_not_of("0123456789") != std::string_view::npos) {
            header.fail("its version is not a number");
        }
        throw failure{exit_status::incompatible, name + ": version " + std::string{first} +
                                                     " of the state of a series is not supported; "
                                                     "if you remove it, the series begins anew"};
    }
    series_record record;
    record.series = header.unescaped("series ");
    record.deltas = header.number<std::uint64_t>("deltas ");
    record.time_nanos = header.number<std::int64_t>("time ");
    record.input = header.unescaped("input ");
    record.input_hash = header.number<std::uint64_t>("content ", 16);
    const std::string_view checked = bytes.substr(0, bytes.size() - header.rest().size());
    if (header.number<std::uint64_t>("header ", 16) != content_hash(checked)) {
        header.fail("its header is damaged");
    }
    record.state = header.rest();
    return record;
}

} // namespace pprofdelta::tool
