// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pprofdelta/characters.hpp>

namespace pprofdelta::tool {

/// The sign for characters that were left out.
inline constexpr const char* ellipsis = "\u2026";

/// Whether it is a letter of ASCII, a digit or "_".
[[nodiscard]] constexpr bool is_in_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/// The text with letters of ASCII in lower case.
[[nodiscard]] std::string lower_case(std::string text);

/// The order of names in which numbers count: "f2" before "f10", and "f02" before "f2".
[[nodiscard]] std::strong_ordering natural_order(std::string_view a, std::string_view b);

/// The order is one for std::ranges::sort().
struct is_before_naturally {
    [[nodiscard]] bool operator()(std::string_view a, std::string_view b) const {
        return natural_order(a, b) < 0;
    }
};

/// The text with a backslash before each of some characters.
[[nodiscard]] std::string with_backslashes(std::string_view text, std::string_view before);

/// Whether it is a byte of a character of UTF-8 other than the first one.
[[nodiscard]] bool is_continuation(char c);

/// The start of a text, of at most so many bytes, without a part of a character.
[[nodiscard]] std::string_view start_of(std::string_view text, std::size_t most);

/// The number of characters of a text that is UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text);

/// A printable name in at most `width` characters, or an ellipsis. The function at its end
/// stays: of a longer name first the folder of the file goes, in a row of lines, then what is in
/// parentheses and in template arguments behind a word, and then its start.
[[nodiscard]] std::string shortened(const std::string& name, std::size_t width);

/// Different names, made printable and shortened() to `width` characters, as far as they can differ
/// in that. A name gets a number if two would look alike. Equal ones are shown equal.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t width);

/// Short names with a width for each, by its place. Equal ones of one width are shown equal.
[[nodiscard]] std::vector<std::string>
short_names(const std::vector<std::string>& names,
            const std::function<std::size_t(std::size_t)>& width_of);

/// The ways to write a name that no other one can be written, for where there is more or less room.
struct name_forms {
    std::vector<std::string> texts; ///< At least one, from the longest to the shortest.
    std::size_t tail = 0; ///< How many characters stay at the end of the last one if it is cut.
};

/// Shortens names of functions so that they stay different from each other, as far as there is
/// room. Type arguments of Go make no other function.
class distinct_names {
public:
    /// @param names         all that there are, printable and each once.
    /// @param keeps_folders whether these stay where there is room.
    explicit distinct_names(const std::vector<std::string>& names, bool keeps_folders = false);

    /// Left out is, in this order: folders, arguments, what the function is in. A name that is not
    /// among these has one form, and so have those behind 64 MiB of forms.
    [[nodiscard]] name_forms forms(const std::string& name) const;

    /// The longest of its forms() that fits. If none fits, the shortest one is cut in its middle,
    /// as names that begin alike often end differently. The class ShortNames in tools/page/names.js
    /// does the same with forms from here.
    /// @param room is in characters, at least two.
    [[nodiscard]] std::string shortened(const std::string& name, std::size_t room) const;

private:
    [[nodiscard]] bool is_clear(const std::string& text) const;

    bool m_keeps_folders;
    // The function that can be called so; empty for several.
    std::unordered_map<std::string, std::string> m_owners;
};

} // namespace pprofdelta::tool
