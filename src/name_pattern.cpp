// SPDX-License-Identifier: Apache-2.0
#include "name_pattern.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace pprofdelta {

name_pattern::name_pattern(const std::string& text) {
    if (text.empty()) {
        throw std::invalid_argument{"the regular expression is empty"};
    }
    if (text.find('\0') != std::string::npos) {
        throw std::invalid_argument{"the regular expression has a zero byte"};
    }
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
