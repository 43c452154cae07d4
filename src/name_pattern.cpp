// SPDX-License-Identifier: Apache-2.0
#include "name_pattern.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <stdexcept>

namespace pprofdelta {

namespace {

// How long the pattern would be with its repetitions written out, at most: they are taken to be
// nested, and those that are none in brackets or after a backslash to be some.
std::size_t written_out(std::string_view text, std::size_t enough) {
    std::size_t size = text.size();
    for (std::size_t i = 0; i < text.size() && size <= enough; ++i) {
        if (text[i] != '{') {
            continue;
        }
        std::size_t most = 1;
        const char* next = text.data() + i;
        const char* const end = text.data() + text.size();
        do {
            std::size_t count = 0;
            const auto [rest, fault] = std::from_chars(++next, end, count);
            most = std::max(most, fault == std::errc::result_out_of_range ? enough + 1 : count);
            next = rest;
        } while (next != end && *next == ',');
        size *= std::min(most, enough + 1);
    }
    return size;
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
// ends, and writes repetitions out. Back-references, which POSIX does not have in extended
// expressions, take time that grows exponentially.
void refuse_costly(const std::string& text) {
    if (text.size() > name_pattern::longest_pattern) {
        throw std::invalid_argument{"the regular expression has more than " +
                                    std::to_string(name_pattern::longest_pattern) + " bytes"};
    }
    if (written_out(text, name_pattern::longest_written_out) > name_pattern::longest_written_out) {
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
