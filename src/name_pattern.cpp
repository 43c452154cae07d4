// SPDX-License-Identifier: Apache-2.0
#include "name_pattern.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace pprofdelta {

namespace {

// The place of the bracket that ends the expression which begins at `begin`, or the last one.
std::size_t end_of_bracket(std::string_view text, std::size_t begin) {
    std::size_t i = begin + 1;
    i += i < text.size() && text[i] == '^' ? 1 : 0;
    i += i < text.size() && text[i] == ']' ? 1 : 0; // stands for itself in the first place
    while (i < text.size() && text[i] != ']') {
        // A class such as [:alpha:] has a bracket of its own.
        if (text[i] == '[' && i + 1 < text.size() &&
            std::string_view{":.="}.find(text[i + 1]) != std::string_view::npos) {
            const std::array<char, 2> end{text[i + 1], ']'};
            const std::size_t found = text.find({end.data(), end.size()}, i + 2);
            i = found == std::string_view::npos ? text.size() : found + 1;
        }
        ++i;
    }
    return std::min(i, text.size() - 1);
}

// Takes a repetition such as {2,5} off the start of `text`.
// @returns how many copies it makes at most; 0 if it is none.
std::size_t take_repetition(std::string_view& text, std::size_t enough) {
    const std::size_t end = text.find_first_not_of("0123456789,", 1);
    if (text.empty() || text.front() != '{' || end == std::string_view::npos || text[end] != '}') {
        return 0;
    }
    std::size_t most = 0;
    for (std::size_t i = 1; i < end; i = std::min(text.find(',', i), end) + 1) {
        std::size_t count = 0;
        const auto [rest, fault] = std::from_chars(text.data() + i, text.data() + end, count);
        most = std::max(most, fault == std::errc::result_out_of_range ? enough : count);
    }
    text.remove_prefix(end + 1);
    return std::min(most + 1, enough); // {2,} is {2} and a star
}

// How many elements the C library makes of a pattern, as it writes repetitions out: no less than it
// does, and no more than `enough`.
std::size_t written_out(std::string_view text, std::size_t enough) {
    std::vector<std::size_t> groups{0}; // what each that is open has so far
    std::size_t last = 0;               // what the last part of the innermost has
    const auto add = [&](std::size_t size) {
        last = std::min(size, enough);
        groups.back() = std::min(groups.back() + size, enough);
    };
    const auto repeat = [&](std::size_t times) {
        groups.back() = std::min(groups.back() + last * (times - 1), enough);
        last = std::min(last * times, enough);
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        switch (text[i]) {
        case '(':
            groups.push_back(0);
            last = 0;
            break;
        case ')':
            if (groups.size() == 1) {
                add(1);
            } else {
                const std::size_t size = groups.back() + 1;
                groups.pop_back();
                add(size);
            }
            break;
        case '*':
        case '?':
            break; // what follows repeats the part that they end
        case '+':
            repeat(2); // the C library's a+ is aa*
            break;
        case '{': {
            std::string_view rest = text.substr(i);
            const std::size_t copies = take_repetition(rest, enough);
            if (copies == 0) {
                add(1);
            } else {
                repeat(copies);
                i = text.size() - rest.size() - 1;
            }
            break;
        }
        case '[':
            i = end_of_bracket(text, i);
            add(1);
            break;
        case '\\':
            ++i;
            add(1);
            break;
        default:
            add(1);
            break;
        }
    }
    return std::min(std::accumulate(groups.begin(), groups.end(), std::size_t{0}), enough);
}

bool has_back_reference(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '\\' && text[++i] >= '1' && text[i] <= '9') {
            return true;
        }
    }
    return false;
}

// The C library's compiler trusts its input: it recurses for each parenthesis until the stack
// ends, writes repetitions out, and takes memory for the square of their number. Back-references,
// which POSIX does not have in extended expressions, take time that grows exponentially.
void refuse_costly(const std::string& text) {
    if (text.size() > name_pattern::longest_pattern) {
        throw std::invalid_argument{"the regular expression has more than " +
                                    std::to_string(name_pattern::longest_pattern) + " bytes"};
    }
    constexpr std::size_t most = name_pattern::longest_written_out;
    if (written_out(text, most + 1) > most) {
        throw std::invalid_argument{"the regular expression repeats too much"};
    }
    if (has_back_reference(text)) {
        throw std::invalid_argument{"the regular expression has a back-reference"};
    }
}

} // namespace

name_pattern::name_pattern(const std::string& text) {
    if (text.empty()) {
        throw std::invalid_argument{"the regular expression is empty"};
    }
    if (text.find('\0') != std::string::npos) {
        throw std::invalid_argument{"the regular expression has a zero byte"};
    }
    refuse_costly(text);
    const int fault = ::regcomp(&m_compiled, text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (fault == REG_ESPACE) {
        throw std::bad_alloc{};
    }
    if (fault != 0) {
        std::array<char, 128> reason{};
        ::regerror(fault, &m_compiled, reason.data(), reason.size());
        throw std::invalid_argument{"bad regular expression '" + text + "': " + reason.data()};
    }
}

bool name_pattern::is_in(std::string_view name) const {
    // The name ends with no zero, and may have some.
    const std::size_t size = std::min(name.size(), longest_name);
    std::array<regmatch_t, 1> range{};
    range[0].rm_so = 0;
    range[0].rm_eo = static_cast<regoff_t>(size);
    const int flags = REG_STARTEND | (size < name.size() ? REG_NOTEOL : 0);
    const int answer = ::regexec(&m_compiled, name.data(), range.size(), range.data(), flags);
    if (answer == REG_ESPACE) {
        throw std::bad_alloc{};
    }
    return answer == 0;
}

} // namespace pprofdelta
