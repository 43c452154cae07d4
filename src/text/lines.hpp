// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_LINES_HPP
#define PPROFDELTA_SRC_TEXT_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_scanner.hpp"

namespace pprofdelta {

/// Reads a text profile line by line. What it returns are views of the text.
class text_lines {
public:
    explicit text_lines(std::string_view text) noexcept : m_text{text}, m_rest{text} {}

    /// Goes to the next line that is neither empty nor a comment. False at the end of the text, and
    /// where the list of mappings begins.
    bool next();

    /// Goes to the next line, whatever it is, and keeps the blanks around it. False at the end.
    bool next_of_any_kind();

    /// The line at hand, without blanks around it unless they were to be kept.
    [[nodiscard]] std::string_view line() const noexcept { return m_line; }

    /// The list of mappings; empty if there is none. The lines before it are skipped.
    [[nodiscard]] std::string_view memory_map();

    /// Whether what comes after the last sample was there: the list of mappings, or the comments
    /// with which Go ends a heap.
    [[nodiscard]] bool has_closing_part() const noexcept { return m_has_closing_part; }

    /// Whether the last line of the text has its end.
    [[nodiscard]] bool has_last_line_end() const noexcept { return m_text.ends_with('\n'); }

    /// @throws error malformed, always, with the number of the line at hand and its place.
    [[noreturn]] void fail(const std::string& what) const;

    // What the lines of several formats have in common. All take it off the start of `from`, a part
    // of the line at hand, and throw an error if it is not there.

    /// Blanks, and a number that may be negative.
    std::int64_t take_number(text_scanner& from) const;

    /// Blanks, and `text`.
    void take(text_scanner& from, std::string_view text) const;

    /// Blanks, and then nothing.
    void take_end(text_scanner& from) const;

    /// All that is left: addresses in hexadecimal digits with 0x, leaf first.
    /// @param stack replaced; one less than each of them, which lies in the call, while they are
    /// the
    ///              addresses to return to.
    void take_stack(text_scanner& from, std::vector<std::uint64_t>& stack) const;

private:
    std::string_view m_text;
    std::string_view m_rest;
    std::string_view m_line;
    std::size_t m_number = 0;
    bool m_in_memory_map = false;
    bool m_has_closing_part = false;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_LINES_HPP
