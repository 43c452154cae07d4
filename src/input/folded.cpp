// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "codec/codec.hpp"
#include "input/text.hpp"
#include "traces/records.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

struct folded_line {
    std::string_view stack;
    std::string_view number;
};

bool is_control(char c) noexcept {
    return (static_cast<unsigned char>(c) < ' ' && !is_blank(c)) || c == '\x7f';
}

constexpr std::string_view exponent_marks = "eE";

// Digits, maybe with a sign before them, or a point among or after them, or an exponent.
bool is_figure(std::string_view text) noexcept {
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    const std::size_t mark = text.find_first_of(exponent_marks);
    if (mark != std::string_view::npos) {
        const std::size_t sign = text.find_first_of("+-", mark) == mark + 1 ? 1 : 0;
        if (!is_all(text.substr(mark + 1 + sign), is_decimal)) {
            return false;
        }
        text = text.substr(0, mark);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    return is_all(text.substr(0, point), is_decimal) &&
           (fraction.empty() || is_all(fraction, is_decimal));
}

std::string_view without_last_blanks(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// The last word of a line is its number. Names can have blanks.
std::optional<folded_line> split(std::string_view line) noexcept {
    line = without_last_blanks(line);
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos || !is_figure(line.substr(blank + 1))) {
        return std::nullopt;
    }
    const std::string_view stack = without_last_blanks(line.substr(0, blank));
    return stack.empty() ? std::nullopt : std::optional{folded_line{stack, line.substr(blank + 1)}};
}

// What tools write about a recording: "# mode: wall". A frame may begin with '#' and no blank.
bool is_comment(std::string_view line) noexcept {
    line = trim(line);
    return line == "#" || (line.size() > 1 && line.front() == '#' && is_blank(line[1]));
}

// Whether one frame follows another. In prose there is a blank after a semicolon.
bool has_callee(std::string_view stack) noexcept {
    for (std::size_t at = stack.find(';'); at != std::string_view::npos;
         at = stack.find(';', at + 1)) {
        if (at != 0 && at + 1 < stack.size() && !is_blank(stack[at + 1])) {
            return true;
        }
    }
    return false;
}

// No name of a function has the first of these, and none begins with the others.
bool is_markup(std::string_view line) noexcept {
    return line.find("</") != std::string_view::npos || line.starts_with("<!") ||
           line.starts_with("<?");
}

// Whether a line that is too long to be seen as a whole may be one. What is minified is not meant.
bool begins_like_folded_line(std::string_view line) noexcept {
    return has_callee(line) && line.find_first_of("<[{") != 0;
}

// Takes the stacks of a text together to a profile. A frame is a function, and a location.
class folded_profile {
public:
    folded_profile(const value_type& counted, std::string& out) {
        m_records.start(std::array{counted}, out);
    }

    void add(std::string_view stack, std::int64_t value) {
        m_ids.clear();
        for (bool is_last = false; !is_last;) {
            const std::string_view name = stack.substr(0, stack.find(';'));
            is_last = name.size() == stack.size();
            stack.remove_prefix(name.size() + (is_last ? 0 : 1));
            m_ids.push_back(id_of(name));
        }
        std::reverse(m_ids.begin(), m_ids.end()); // a sample begins with the innermost
        m_locations.clear();
        append_numbers(m_locations, field::sample::location_id, m_ids.data(), m_ids.size(),
                       m_packed);
        m_records.add_sample(m_locations, std::array{value}, {});
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_records.size(); }

    void finish() { m_records.finish({}); }

private:
    std::uint32_t id_of(std::string_view name) {
        const std::uint32_t known = m_names.size();
        const std::uint32_t number = m_names.find_or_add(hash_bytes(name));
        if (number == known) {
            const trace_records::frame_line line{.function = number + 1U};
            m_records.add_location(line.function, 0, mapping_search::npos, {&line, 1});
            m_records.add_function(line.function, name, {});
        }
        return number + 1;
    }

    trace_records m_records;
    key_table m_names;
    std::vector<std::uint32_t> m_ids;
    std::string m_locations;
    std::string m_packed;
};

// Profiles have whole numbers, so a fraction has to be none.
std::int64_t value_of(std::string_view number, const text_lines& lines) {
    if (number.find_first_of(exponent_marks) != std::string_view::npos) {
        lines.fail("a number has an exponent, so digits may be missing; in awk, printf \"%d\" "
                   "writes all of them");
    }
    const std::string_view whole = number.substr(0, number.find('.'));
    const std::string_view fraction = number.substr(std::min(whole.size() + 1, number.size()));
    if (fraction.find_first_not_of('0') != std::string_view::npos) {
        lines.fail("a number has a fraction, but values of a profile are whole numbers; use a "
                   "smaller unit");
    }
    const auto value = to_number<std::int64_t>(whole);
    if (!value) {
        lines.fail("a number does not fit into 64 bits");
    }
    return *value;
}

} // namespace

bool is_folded_text(std::string_view bytes) noexcept {
    constexpr std::size_t most = std::size_t{64} << 10U;
    std::string_view rest = bytes.substr(0, most);
    if (std::any_of(rest.begin(), rest.end(), is_control)) {
        return false;
    }
    while (!rest.empty()) {
        const bool is_whole = bytes.size() < most || rest.find('\n') != std::string_view::npos;
        const std::string_view line = take_line(rest);
        // Comments of Prometheus' text, which has labels in quotes.
        if (is_markup(line) || line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
            return false;
        }
        if (!is_whole) {
            return begins_like_folded_line(line);
        }
        if (without_last_blanks(line).empty() || is_comment(line)) {
            continue;
        }
        const auto parts = split(line);
        if (!parts || has_callee(parts->stack) || parts->stack == "(no stack)") {
            return parts.has_value();
        }
    }
    return false;
}

void convert_folded_text(text_lines& lines, const value_type& counted, std::string& profile,
                         std::size_t max_size) {
    folded_profile out{counted, profile};
    bool has_one_number = false; // in some line
    while (lines.next_of_any_kind()) {
        const std::string_view line = lines.line();
        if (without_last_blanks(line).empty() || is_comment(line)) {
            continue;
        }
        if (line.find('\0') != std::string_view::npos) {
            lines.fail("the text has a NUL");
        }
        const auto parts = split(line);
        if (!parts) {
            lines.fail("a line of folded stacks must end with a blank and a number");
        }
        has_one_number = has_one_number || !split(parts->stack);
        out.add(parts->stack, value_of(parts->number, lines));
        require_within(out.size(), max_size);
    }
    if (!has_one_number) {
        lines.fail(
            "each line has two numbers, as in a diff of folded stacks, which is not supported");
    }
    out.finish();
    require_within(profile.size(), max_size);
}

} // namespace pprofdelta
