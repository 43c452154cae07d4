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
    /// Whether the whole name matches, at the cost of is_in().
    [[nodiscard]] bool is_all_of(std::string_view name) const { return matches(name, true); }

private:
    [[nodiscard]] bool matches(std::string_view name, bool whole) const;

    std::unique_ptr<const re2::RE2> m_compiled;
};

/// How many bytes may be searched and written to rename the functions of one profile. Each match of
/// a name can take a search of all that follows, and each text can be longer than what it replaces.
class rename_allowance {
public:
    explicit rename_allowance(std::size_t profile_size) : m_left{least + 16 * profile_size} {}

    /// @throws error too_large if there are not as many left.
    void take(std::size_t bytes);

private:
    static constexpr std::size_t least = std::size_t{64} << 20U;

    std::size_t m_left;
};

/// One of stack_selection::renames.
class name_rewriter {
public:
    /// @param text REGEX=TEXT, where REGEX is that of a name_pattern.
    /// @throws error invalid_argument
    explicit name_rewriter(std::string_view text);
    ~name_rewriter();
    name_rewriter(name_rewriter&&) noexcept;
    name_rewriter& operator=(name_rewriter&&) noexcept;

    /// Replaces all matches, of which none overlap. What is no UTF-8 in a name becomes U+FFFD.
    /// @throws error too_large; std::bad_alloc
    void rewrite(std::string& name, rename_allowance& allowance) const;

private:
    std::unique_ptr<const re2::RE2> m_compiled;
    std::string m_text;
    int m_groups = 0; // how many of them the text has
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_NAME_PATTERN_HPP
