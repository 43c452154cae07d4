// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_INPUT_TEXT_HPP
#define PPROFDELTA_SRC_INPUT_TEXT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/label.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/text.hpp"
#include "traces/records.hpp"

namespace pprofdelta {

class text_output;

/// Reads a text profile line by line. What it returns are views of the text.
class text_lines {
public:
    explicit text_lines(std::string_view text) noexcept : m_text{text}, m_rest{text} {}

    /// Gives all comments that next() passes over to `out`, which has to outlive this.
    void give_comments_to(text_output& out) noexcept { m_comments_to = &out; }

    /// Goes to the next line that is neither empty nor a comment. False at the end of the text, and
    /// where the list of mappings begins.
    bool next();

    /// Goes to the next line, whatever it is, and keeps the blanks around it. False at the end.
    bool next_of_any_kind();

    /// Goes over bytes that are whole lines.
    void skip(std::size_t size) noexcept {
        m_number += static_cast<std::size_t>(
            std::count(m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
        m_rest.remove_prefix(size);
    }

    /// What comes after the line at hand.
    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

    /// The line at hand, without blanks around it unless they were to be kept.
    [[nodiscard]] std::string_view line() const noexcept { return m_line; }

    /// The list of mappings; empty if there is none. The lines before it are skipped.
    [[nodiscard]] std::string_view memory_map();

    /// Whether there is a list of mappings, once it was asked for.
    [[nodiscard]] bool has_memory_map() const noexcept { return m_in_memory_map; }

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
    text_output* m_comments_to = nullptr;
    bool m_in_memory_map = false;
    bool m_has_closing_part = false;
};

/// The profile that a text profile becomes. All throw error too_large beyond
/// its size limit.
class text_output {
public:
    /// @param profile  replaced; has to live until finish().
    /// @param max_size the most that it may have.
    text_output(std::string& profile, std::size_t max_size) noexcept
        : m_profile{&profile}, m_max_size{max_size} {}

    void begin(std::span<const value_type> types) { m_traces.begin(types, *m_profile); }

    /// Takes symbols, "0x401010 main.run", up to the line "---". They name the addresses of
    /// samples.
    void take_symbols(text_lines& lines);

    /// Takes a comment that names an address, as Go writes one for each after a sample:
    /// "#	0x401010	main.run+0x5c	/src/main.go:27". Others are passed over.
    void take_comment(std::string_view comment);

    void add_sample(std::span<const std::uint64_t> stack, std::span<const std::int64_t> values,
                    std::span<const label> labels = {});

    /// What shows that a text was not cut off.
    enum class ending : std::uint8_t {
        mappings, ///< The list of mappings, which the profiler writes last.
        figures,  ///< If there are no samples, that list or the figures with which Go ends a heap.
        anything, ///< Nothing is to be expected.
    };

    /// A text that was cut off would pass for a restart, or for less of everything.
    /// @param lines where the list of mappings follows.
    /// @throws error malformed for a text that was cut off, as its end or that of its last line is
    ///         missing.
    void finish(const trace_header& header, text_lines& lines, ending expected);

private:
    void end_stack();

    std::string* m_profile;
    std::size_t m_max_size;
    bool m_has_samples = false;
    // Of the stack at hand: its outermost address unless there is a comment on it, and whether
    // there is one on any.
    std::optional<std::uint64_t> m_outermost;
    bool m_has_comment = false;
    trace_profile m_traces;
    std::vector<std::pair<std::uint64_t, std::string_view>> m_symbols;
};

// Each of these converts a text profile of one family of formats. `lines` stands before the first
// line, whose start has been looked at already. All throw error malformed and too_large.

/// Heap profiles of gperftools, tcmalloc and Go: `heap profile:`.
void convert_heap_text(text_lines& lines, text_output& out);

/// Heap profiles of jemalloc: `heap_v2/`.
void convert_jemalloc_text(text_lines& lines, text_output& out);

/// Profiles of mutexes and of blocking, of gperftools and Go: `--- contention` and `--- mutex`.
void convert_contention_text(text_lines& lines, text_output& out);

/// Whether `bytes` are folded stacks, `main;run;sleep 12`, as far as the first 64 KiB tell. These
/// have no start of their own. So the first line of two frames has to be a stack, and so has each
/// line before it; and there may be no control character, as each profile of protobuf has some.
/// O(1)
[[nodiscard]] bool is_folded_text(std::string_view bytes) noexcept;

/// Folded stacks. A frame becomes a function of that name, without an address. A line that is not
/// like the others may be the last one of a text that was cut off, so it is an error.
/// @param counted  what the numbers are.
/// @param profile  replaced.
/// @param max_size the most that it may have.
void convert_folded_text(text_lines& lines, const value_type& counted, std::string& profile,
                         std::size_t max_size);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_INPUT_TEXT_HPP
