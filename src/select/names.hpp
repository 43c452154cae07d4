// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "profile/index.hpp"

namespace re2 {

class RE2;

} // namespace re2

namespace pprofdelta {

/// A regular expression of RE2's syntax, to search names for. It sees characters of UTF-8, and a
/// byte that is none as U+FFFD, as Go does. Unlike in Go `.` matches a line break as well: no name
/// is out of a pattern's reach for what it holds.
class name_pattern {
public:
    /// @param longest size of it that is taken.
    /// @throws error invalid_argument with what is wrong
    explicit name_pattern(std::string_view text, std::size_t longest = longest_pattern);

    /// The length is in bytes. RE2's parser can use 20 kB for each byte of a pattern, and does not
    /// count that towards the bound to its memory.
    static constexpr std::size_t longest_pattern = 1000;

    /// The length is in RE2's instructions. A search can look at all of them for each byte of a
    /// name, if there are too many combinations to remember.
    static constexpr int longest_program = 10000;

    /// How many instructions of RE2 a search of so many bytes looks at, at most.
    [[nodiscard]] std::uint64_t steps_for(std::uint64_t bytes) const;

    /// Time is linear in the name, and memory does not depend on it, but for a copy of a name that
    /// is not UTF-8.
    /// @throws std::bad_alloc
    [[nodiscard]] bool is_in(std::string_view name) const { return matches(name, false); }
    /// Whether the whole name matches, at the cost of is_in().
    [[nodiscard]] bool is_all_of(std::string_view name) const { return matches(name, true); }

private:
    [[nodiscard]] bool matches(std::string_view name, bool whole) const;

    std::shared_ptr<const re2::RE2> m_compiled;
};

/// nullptr for an empty expression, which selects nothing.
/// @throws error as name_pattern().
[[nodiscard]] inline std::unique_ptr<const name_pattern>
compiled_pattern(const std::string& regex) {
    return regex.empty() ? nullptr : std::make_unique<const name_pattern>(regex);
}

/// The number of bytes that may be searched and written to rename the functions of one profile.
/// Each match of a name can take a search of all that follows, and each text can be longer than
/// what it replaces.
[[nodiscard]] inline budget budget_of_renames(std::size_t profile_size) {
    return {profile_size, 16, "the names of all functions together are too long to rename"};
}

/// One of stack_selection::renames.
class name_rewriter {
public:
    /// @param text REGEX=TEXT, where REGEX is that of a name_pattern.
    /// @throws error invalid_argument
    explicit name_rewriter(std::string_view text);

    /// Replaces all matches, of which none overlap. Bytes of a name that are no UTF-8 become
    /// U+FFFD.
    /// @throws error too_large; std::bad_alloc
    void rewrite(std::string& name, budget& of_profile) const;

private:
    std::shared_ptr<const re2::RE2> m_compiled;
    std::string m_text;
    int m_groups = 0; // how many of them the text has
};

/// The strings of a profile that a pattern is in. Each is searched once, when it is first asked
/// for: many functions can share a name.
/// @tparam Texts has the text(number) of each: a string_index, or function_names.
template <typename Texts>
class matching_strings {
public:
    /// The pattern and the texts must outlive this.
    matching_strings(const name_pattern& pattern, const Texts& texts, std::size_t count)
        : m_pattern{pattern}, m_texts{texts}, m_is_known(count), m_is_match(count) {}

    [[nodiscard]] bool has(std::uint32_t number) {
        if (!m_is_known[number]) {
            m_is_known[number] = true;
            m_is_match[number] = m_pattern.is_in(m_texts.text(number));
        }
        return m_is_match[number];
    }

private:
    const name_pattern& m_pattern;
    const Texts& m_texts;
    std::vector<bool> m_is_known; // by string number
    std::vector<bool> m_is_match;
};

/// The names of the functions of one profile, as rules change them.
class function_names {
public:
    /// Cost: none without rules, else time linear in the different names, for each rule.
    /// @param index          must outlive this.
    /// @param between_builds whether names get what name_between_builds() leaves of them.
    /// @throws error too_large
    function_names(const profile_index& index, const std::vector<name_rewriter>& renames,
                   bool between_builds);

    /// The name of a function that has that string of the profile as its name.
    [[nodiscard]] std::string_view text(std::uint32_t string_number) const {
        if (!m_place.empty()) {
            if (const std::uint32_t place = m_place[string_number]; place != 0) {
                return m_renamed[place - 1];
            }
        }
        return m_index.strings.text(string_number);
    }

private:
    const profile_index& m_index;
    std::vector<std::uint32_t> m_place; // by string number, from 1; 0 for the string itself
    std::vector<std::string> m_renamed;
};

} // namespace pprofdelta
