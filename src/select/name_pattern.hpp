// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_NAME_PATTERN_HPP
#define PPROFDELTA_SRC_SELECT_NAME_PATTERN_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
} // namespace re2

namespace pprofdelta {

/// A regular expression of RE2's syntax, to search names for. It sees characters of UTF-8, and a
/// byte that is none as U+FFFD, as Go does. Unlike in Go `.` matches a line break as well: no name
/// is out of a pattern's reach for what it holds.
class name_pattern {
public:
    /// @throws error invalid_argument with what is wrong
    explicit name_pattern(std::string_view text);
    ~name_pattern();
    name_pattern(const name_pattern&) = delete;
    name_pattern& operator=(const name_pattern&) = delete;

    /// In bytes. What RE2's parser makes of a pattern can have 20 kB for each of them, and does not
    /// count for the bound to its memory.
    static constexpr std::size_t longest_pattern = 1000;

    /// In RE2's instructions. A search can look at all of them for each byte of a name, if there
    /// are too many combinations to remember.
    static constexpr int longest_program = 10000;

    /// Time is linear in the name, and memory does not depend on it, but for a copy of a name that
    /// is not UTF-8.
    /// @throws std::bad_alloc
    [[nodiscard]] bool is_in(std::string_view name) const { return matches(name, false); }
    /// The same, of the whole name.
    [[nodiscard]] bool is_all_of(std::string_view name) const { return matches(name, true); }

private:
    [[nodiscard]] bool matches(std::string_view name, bool whole) const;

    std::unique_ptr<const re2::RE2> m_compiled;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_NAME_PATTERN_HPP
