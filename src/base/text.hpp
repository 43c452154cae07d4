// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

/// The number of bytes at the start of `text` that are UTF-8. O(length)
[[nodiscard]] inline std::size_t utf8_prefix(std::string_view text) noexcept {
    std::size_t i = 0;
    while (i < text.size()) {
        // Most names are ASCII.
        std::uint64_t word = 0;
        if (text.size() - i >= sizeof word) {
            std::memcpy(&word, text.data() + i, sizeof word);
            if ((word & 0x8080808080808080) == 0) {
                i += sizeof word;
                continue;
            }
        }
        const std::size_t size = first_character(text.substr(i)).size;
        if (size == 0) {
            break;
        }
        i += size;
    }
    return i;
}

/// The first line of folded stacks in which each line that follows is one, with one blank before
/// its number: for names that are taken for something else otherwise.
inline constexpr std::string_view exact_folded_text{"# folded stacks, exact"};

// These are the same in every locale, unlike those of <cctype>.
[[nodiscard]] constexpr bool is_blank(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
[[nodiscard]] constexpr bool is_decimal(char c) noexcept { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) noexcept { return is_lower(c) || is_upper(c); }
[[nodiscard]] constexpr bool is_in_word(char c) noexcept {
    return is_letter(c) || is_decimal(c) || c == '_';
}
[[nodiscard]] constexpr bool is_hexadecimal(char c) noexcept {
    return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A character of ASCII that is shown, and of which no command of a CI system is made within a
/// line, as nearly all characters are.
[[nodiscard]] constexpr bool is_plain(char c) noexcept { return c >= ' ' && c <= '~' && c != '#'; }

/// Whether `text` is not empty and has nothing but characters of one kind.
template <typename Kind>
[[nodiscard]] constexpr bool is_all(std::string_view text, Kind kind) {
    return !text.empty() && std::ranges::all_of(text, kind);
}

/// `text` as a number, if it is one as a whole and fits.
template <typename Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text, int base = 10) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number, base);
    return fault == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

/// Takes a text apart from its start. The views that it returns are of the text.
class text_scanner {
public:
    explicit text_scanner(std::string_view text) noexcept : m_rest{text} {}

    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }
    [[nodiscard]] bool at_end() const noexcept { return m_rest.empty(); }

    /// Takes all characters of one kind that come next; none is fine.
    template <typename Kind>
    std::string_view take_while(Kind kind) {
        const auto* const end = std::find_if_not(m_rest.begin(), m_rest.end(), kind);
        const std::string_view taken =
            m_rest.substr(0, static_cast<std::size_t>(end - m_rest.begin()));
        m_rest.remove_prefix(taken.size());
        return taken;
    }

    bool skip_blanks() { return !take_while(is_blank).empty(); }

    /// Takes blanks and the word after them; empty at the end.
    std::string_view word() {
        skip_blanks();
        return take_while([](char c) { return !is_blank(c); });
    }

    /// Takes `text` if it comes next.
    bool skip(std::string_view text) noexcept {
        const bool is_next = m_rest.starts_with(text);
        if (is_next) {
            m_rest.remove_prefix(text.size());
        }
        return is_next;
    }

private:
    std::string_view m_rest;
};

[[nodiscard]] inline std::string_view without_last_blanks(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

[[nodiscard]] inline std::string_view trim(std::string_view text) {
    text_scanner scanner{text};
    scanner.skip_blanks();
    return without_last_blanks(scanner.rest());
}

/// Takes the next line off `text`, without its end.
[[nodiscard]] inline std::string_view take_line(std::string_view& text) noexcept {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

} // namespace pprofdelta
