// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/output_template.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "base/characters.hpp"
#include "base/failure.hpp"
#include "batch/plan/series_name.hpp"

namespace pprofdelta::tool {

namespace {

[[noreturn]] void refuse(const std::string& what) { wrong_usage("--output: " + what); }

// With zeros in front.
std::string digits(std::uint64_t number, std::size_t least) {
    std::string text = std::to_string(number);
    text.insert(0, least - std::min(least, text.size()), '0');
    return text;
}

// Files' names have up to 255 bytes, and the rest of the template needs some, too. What is longer
// comes from a strange profile or target, and must not stop its series.
std::string short_component(std::string_view value) {
    constexpr std::size_t longest = 64;
    std::string text = series_component(value);
    if (text.size() > longest) {
        std::size_t size = longest;
        while (is_continuation(text[size])) {
            --size;
        }
        text.resize(size);
    }
    return text;
}

// Above its fixed folder a template may lead anywhere; there the names of series have no part.
void require_paths_downwards(std::string_view text) {
    const std::size_t first = text.find('{');
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('/', start), text.size());
        const std::string_view component = text.substr(start, end - start);
        if (end == text.size() && (component.empty() || component == "." || component == "..")) {
            refuse("the template names a folder");
        }
        if (component == ".." && start > first) {
            refuse("the template has '..' after a placeholder");
        }
        start = end + 1;
    }
}

} // namespace

std::string time_in_path(std::int64_t nanos) {
    constexpr std::int64_t a_second = 1'000'000'000;
    constexpr std::int64_t a_day = 86'400 * a_second;
    // Downwards, also before 1970. <chrono> would overflow for the first times of all.
    const std::int64_t rest = (nanos % a_day + a_day) % a_day;
    const std::int64_t days = nanos / a_day - (nanos % a_day < 0 ? 1 : 0);
    const std::chrono::year_month_day date{
        std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
    const auto part = [&](std::int64_t unit, std::int64_t most, std::size_t least) {
        return digits(static_cast<std::uint64_t>(rest / unit % most), least);
    };
    return digits(static_cast<std::uint64_t>(static_cast<int>(date.year())), 4) +
           digits(static_cast<unsigned>(date.month()), 2) +
           digits(static_cast<unsigned>(date.day()), 2) + 'T' + part(3600 * a_second, 24, 2) +
           part(60 * a_second, 60, 2) + part(a_second, 60, 2) + '.' + part(1, a_second, 9) + 'Z';
}

output_template::output_template(const std::string& text, bool has_labels) {
    constexpr std::size_t longest = 4096; // as paths have them
    if (text.size() > longest || text.find('\0') != std::string::npos) {
        refuse("the template is no path");
    }
    std::string_view rest = text;
    for (;;) {
        const std::size_t brace = rest.find_first_of("{}");
        m_pieces.push_back({std::string{rest.substr(0, brace)}});
        if (brace == std::string_view::npos) {
            break;
        }
        const std::size_t end = rest.find('}', brace);
        const std::string_view name = end == brace || end == std::string_view::npos
                                          ? std::string_view{}
                                          : rest.substr(brace + 1, end - brace - 1);
        field next = field_called(name);
        const bool may_be_label =
            !name.empty() && name.find_first_of("{/") == std::string_view::npos;
        if (next == field::none && has_labels && may_be_label) {
            next = field::label;
            m_pieces.back().label = name;
        }
        if (next == field::none) {
            const std::size_t size = end == std::string_view::npos ? end : end - brace + 1;
            refuse("'" + std::string{rest.substr(brace, size)} +
                   "' is none of {series}, {time}, {n} and {type}" +
                   (may_be_label ? "; labels need --targets" : ""));
        }
        m_pieces.back().next = next;
        rest.remove_prefix(end + 1);
    }
    require_fields();
    require_paths_downwards(text);
    require_separated_series();
    const std::string& start = m_pieces.front().text;
    m_folder = start.substr(0, start.rfind('/') + 1);
}

output_template::field output_template::field_called(std::string_view name) {
    return name == "series" ? field::series
           : name == "time" ? field::time
           : name == "n"    ? field::number
           : name == "type" ? field::type
                            : field::none;
}

bool output_template::has(field wanted) const {
    return std::any_of(m_pieces.begin(), m_pieces.end(),
                       [&](const piece& each) { return each.next == wanted; });
}

std::vector<std::string> output_template::labels() const {
    std::vector<std::string> names;
    for (const piece& each : m_pieces) {
        if (each.next == field::label) {
            names.push_back(each.label);
        }
    }
    return names;
}

void output_template::require_fields() const {
    if (!has(field::series)) {
        refuse("the template has no {series}, so that all series would have one path");
    }
    if (!has(field::time) && !has(field::number)) {
        refuse("the template has neither {time} nor {n}, so that all deltas of a series would have "
               "one path");
    }
}

// Whether the end of one can be told from the beginning of the other, of which one is a series. A
// number is digits only, and a type and a label have no slash; a time is as long as any other, and
// ends with a letter.
bool output_template::are_apart(std::size_t one, std::size_t other) const {
    const auto is_component = [this](std::size_t place) {
        return m_pieces[place].next == field::type || m_pieces[place].next == field::label;
    };
    const bool needs_slash = is_component(one) || is_component(other);
    for (std::size_t i = one + 1; i <= other; ++i) {
        const std::string& text = m_pieces[i].text;
        if (needs_slash ? text.find('/') != std::string::npos
                        : text.find_first_not_of("0123456789") != std::string::npos ||
                              (i < other && m_pieces[i].next == field::time)) {
            return true;
        }
    }
    return false;
}

// Otherwise two series could overwrite each other's deltas.
void output_template::require_separated_series() const {
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        for (std::size_t j = i + 1; j < m_pieces.size(); ++j) {
            const field one = m_pieces[i].next;
            const field other = m_pieces[j].next;
            const auto is_pair = [&](field wanted) {
                return (one == field::series && other == wanted) ||
                       (one == wanted && other == field::series);
            };
            if (is_pair(field::number) && !are_apart(i, j)) {
                refuse("the template needs more than digits between {series} and {n}");
            }
            if (is_pair(field::type) && !are_apart(i, j)) {
                refuse("the template needs a slash between {series} and {type}");
            }
            if (is_pair(field::label) && !are_apart(i, j)) {
                refuse("the template needs a slash between {series} and a label");
            }
        }
    }
}

std::string output_template::path(const output_parts& parts) const {
    std::string result;
    for (const piece& each : m_pieces) {
        result += each.text;
        switch (each.next) {
        case field::none:
            break;
        case field::series:
            result += parts.series;
            break;
        case field::time:
            result += time_in_path(parts.time_nanos);
            break;
        case field::number:
            result += digits(parts.number, 6);
            break;
        case field::type:
            result += short_component(parts.type);
            break;
        case field::label:
            result += short_component(parts.labels.value(each.label));
            break;
        }
    }
    return result;
}

} // namespace pprofdelta::tool
