// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_NAME_PATTERN_HPP
#define PPROFDELTA_SRC_NAME_PATTERN_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <regex.h>

namespace pprofdelta {

/// An extended regular expression of POSIX, to search names for. Not std::regex, which needs stack
/// in proportion to the name and ends the program on long ones.
class name_pattern {
public:
    /// @throws std::invalid_argument with what is wrong.
    explicit name_pattern(const std::string& text);
    ~name_pattern() { ::regfree(&m_compiled); }
    name_pattern(const name_pattern&) = delete;
    name_pattern& operator=(const name_pattern&) = delete;

    /// Patterns that would take the C library much time, memory or stack are refused.
    static constexpr std::size_t longest_pattern = 1000;
    static constexpr std::size_t longest_written_out = 5000; ///< With a{3} as aaa.

    /// Of a longer name only so many bytes are looked at, as the time for one can grow with the
    /// square of its length.
    static constexpr std::size_t longest_name = 4096;

    /// @throws std::bad_alloc
    [[nodiscard]] bool is_in(std::string_view name) const;

private:
    regex_t m_compiled{};
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_NAME_PATTERN_HPP
