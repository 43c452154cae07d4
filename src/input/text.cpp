// SPDX-License-Identifier: Apache-2.0
#include "input/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include <pprofdelta/error.hpp>
#include <pprofdelta/text_profile.hpp>

#include "codec/codec.hpp"
#include "traces/mappings.hpp"

namespace pprofdelta {

namespace {

// google/pprof looks for these anywhere in a line, as there may be a log's prefix before them.
bool begins_memory_map(std::string_view line) {
    return line.find("MAPPED_LIBRARIES:") != std::string_view::npos ||
           line.find("--- Memory map: ---") != std::string_view::npos;
}

std::optional<std::uint64_t> to_address(std::string_view word) {
    return word.starts_with("0x") ? to_number<std::uint64_t>(word.substr(2), 16) : std::nullopt;
}

} // namespace

bool text_lines::next() {
    while (!m_rest.empty() && !m_in_memory_map) {
        m_line = trim(take_line(m_rest));
        ++m_number;
        m_in_memory_map = begins_memory_map(m_line);
        // Go ends a heap with these figures, where others list the mappings.
        m_has_closing_part |= m_in_memory_map || m_line.starts_with("# runtime.MemStats");
        if (!m_in_memory_map && !m_line.empty()) {
            if (m_line.front() != '#') {
                return true;
            }
            if (m_comments_to != nullptr) {
                m_comments_to->take_comment(m_line);
            }
        }
    }
    return false;
}

bool text_lines::next_of_any_kind() {
    const bool is_there = !m_rest.empty();
    if (is_there) {
        m_line = take_line(m_rest);
        ++m_number;
    }
    return is_there;
}

std::string_view text_lines::memory_map() {
    while (next()) {
    }
    return m_rest;
}

void text_lines::fail(const std::string& what) const {
    throw error{error_kind::malformed, "line " + std::to_string(m_number) + ": " + what,
                static_cast<std::uint64_t>(m_line.data() - m_text.data())};
}

std::int64_t text_lines::take_number(text_scanner& from) const {
    from.skip_blanks();
    const std::string_view digits =
        from.take_while([](char c) { return is_decimal(c) || c == '-'; });
    const auto number = to_number<std::int64_t>(digits);
    if (!number) {
        fail(digits.empty() ? "a number is missing" : "a number does not fit into 64 bits");
    }
    return *number;
}

void text_lines::take(text_scanner& from, std::string_view text) const {
    from.skip_blanks();
    if (!from.skip(text)) {
        fail(std::string{"'"}.append(text).append("' is missing"));
    }
}

void text_lines::take_end(text_scanner& from) const {
    from.skip_blanks();
    if (!from.at_end()) {
        fail("the line has more text than expected");
    }
}

void text_lines::take_stack(text_scanner& from, std::vector<std::uint64_t>& stack) const {
    stack.clear();
    for (std::string_view word = from.word(); !word.empty(); word = from.word()) {
        const auto address = to_address(word);
        if (!address) {
            fail("an address must be a hexadecimal number of at most 64 bits, with 0x");
        }
        stack.push_back(*address - 1);
    }
}

void text_output::add_sample(std::span<const std::uint64_t> stack,
                             std::span<const std::int64_t> values, std::span<const label> labels) {
    end_stack();
    m_traces.add_sample(stack, values, labels);
    m_outermost = stack.empty() ? std::nullopt : std::optional{stack.back()};
    m_has_samples = true;
    // Samples can take more room than their lines.
    require_within(m_traces.size(), m_max_size);
}

void text_output::take_symbols(text_lines& lines) {
    while (lines.next_of_any_kind() && trim(lines.line()) != "---") {
        text_scanner line{lines.line()};
        const auto address = to_address(line.word());
        const std::string_view name = trim(line.rest());
        if (address && !name.empty()) {
            m_symbols.emplace_back(*address, name);
        }
    }
}

void text_output::take_comment(std::string_view comment) {
    text_scanner line{comment.substr(1)};
    const auto address = to_address(line.word());
    std::string_view rest = trim(line.rest());
    const std::size_t tab = rest.find('\t');
    const std::string_view symbol = rest.substr(0, tab);
    const std::size_t offset = symbol.rfind("+0x");
    if (address) {
        m_has_comment = true;
        m_outermost = m_outermost == address ? std::nullopt : m_outermost;
    }
    if (!address || tab == std::string_view::npos || offset == std::string_view::npos) {
        return;
    }
    rest = trim(rest.substr(tab));
    const std::size_t colon = rest.rfind(':');
    const auto number = colon == std::string_view::npos
                            ? std::nullopt
                            : to_number<std::int64_t>(rest.substr(colon + 1));
    m_traces.add_name(*address, symbol.substr(0, offset), number ? rest.substr(0, colon) : rest,
                      number.value_or(0));
}

// Go leaves out the comment on runtime.goexit, with which its stacks begin, and has one, if only
// with an address, for all others but for functions of the runtime before the first one
// (printStackRecord of runtime/pprof).
void text_output::end_stack() {
    if (m_outermost && m_has_comment) {
        m_traces.end_names();
        m_traces.add_name(*m_outermost, "runtime.goexit", {}, 0);
    }
    m_traces.end_names();
    m_outermost.reset();
    m_has_comment = false;
}

void text_output::finish(const trace_header& header, text_lines& lines, ending expected) {
    const std::string_view memory_map = lines.memory_map();
    if (!m_has_samples && !lines.has_closing_part() && expected != ending::anything) {
        lines.fail("there is no sample, and the end of the profile is missing");
    }
    if (!lines.has_last_line_end()) {
        lines.fail("the profile was cut off: its last line is incomplete");
    }
    if (expected == ending::mappings && !lines.has_memory_map()) {
        lines.fail("the profile was cut off: the list of mappings, which comes last, is missing; "
                   "if its profiler writes none, add a line MAPPED_LIBRARIES:");
    }
    end_stack();
    // Of callers a symbol can be that of the call, or of the address to return to.
    for (const std::uint64_t before : {0U, 1U}) {
        for (const auto& [address, name] : m_symbols) {
            m_traces.end_names();
            m_traces.add_name(address - before, name, {}, 0);
        }
    }
    m_traces.finish(header, parse_memory_map(memory_map, m_max_size));
    require_within(m_profile->size(), m_max_size);
}

namespace {

struct text_format {
    std::string_view start;
    void (*convert)(text_lines&, text_output&);
};

constexpr std::array<text_format, 4> formats{{
    {"heap profile:", convert_heap_text},
    {"heap_v2/", convert_jemalloc_text},
    {"--- mutex", convert_contention_text},
    {"--- contention", convert_contention_text},
}};

constexpr std::string_view symbols_start{"--- symbol"};

// How many bytes come before the first line of a profile that say nothing of it: empty lines, the
// heading of a part, and what jemalloc writes to standard error.
std::size_t size_before(std::string_view bytes) noexcept {
    constexpr std::size_t most = 4096;
    std::string_view rest = bytes.substr(0, most);
    std::size_t size = 0;
    while (!rest.empty()) {
        const std::string_view line = trim(take_line(rest));
        const bool is_heading = line == "--- heap" || line == "--- profile" || line == "--- growth";
        if (!line.empty() && !is_heading && !line.starts_with("<jemalloc>:")) {
            break;
        }
        size = std::min(bytes.size(), most) - rest.size();
    }
    return size;
}

const text_format* find_format(std::string_view bytes) noexcept {
    bytes.remove_prefix(size_before(bytes));
    const auto* const format = std::find_if(formats.begin(), formats.end(), [&](const auto& each) {
        return bytes.starts_with(each.start);
    });
    return format == formats.end() ? nullptr : format;
}

std::string_view without_byte_order_mark(std::string_view bytes) noexcept {
    constexpr std::string_view mark{"\xef\xbb\xbf"};
    return bytes.substr(bytes.starts_with(mark) ? mark.size() : 0);
}

// As PowerShell's `>` and other programs of Windows write text. No profile of protobuf begins so.
bool is_utf16(std::string_view bytes) noexcept {
    return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

// The text in UTF-8. Sets `end` to where it stops: after the last byte, or at half a character.
std::string from_utf16(std::string_view bytes, std::size_t& end) {
    const std::size_t high = bytes.front() == '\xff' ? 1 : 0; // place of the high byte
    constexpr char32_t none = 0xffffffff;
    const auto unit = [&](std::size_t at) -> char32_t {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
        return at + 1 < bytes.size() ? char32_t{byte(high)} << 8U | byte(1 - high) : none;
    };
    std::string text;
    for (end = 2; end < bytes.size();) {
        char32_t code = unit(end);
        const bool is_pair = code >= 0xd800 && code < 0xdc00;
        if (is_pair) {
            const char32_t low = unit(end + 2);
            code = low >= 0xdc00 && low < 0xe000
                       ? 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00)
                       : none;
        }
        if (code == none || (code >= 0xdc00 && code < 0xe000)) {
            break;
        }
        end += is_pair ? 4 : 2;
        constexpr std::array<unsigned, 4> first_byte{0, 0xc0, 0xe0, 0xf0};
        unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        text += static_cast<char>(first_byte[more] | code >> 6 * more);
        while (more-- > 0) {
            text += static_cast<char>(0x80U | (code >> 6 * more & 0x3fU));
        }
    }
    return text;
}

} // namespace

bool is_text_profile(std::string_view bytes) noexcept {
    if (is_utf16(bytes)) {
        constexpr std::size_t enough = std::size_t{128} << 10U; // 64 Ki letters, and the mark
        try {
            std::size_t end = 0;
            return is_text_profile(from_utf16(bytes.substr(0, enough + 2), end));
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
    bytes = without_byte_order_mark(bytes);
    return find_format(bytes) != nullptr || bytes.starts_with(symbols_start) ||
           is_folded_text(bytes);
}

void convert_text_profile(std::string_view text, std::string& profile, std::size_t max_size,
                          const value_type& counted) {
    std::string converted;
    if (is_utf16(text)) {
        std::size_t end = 0;
        converted = from_utf16(text, end);
        if (end != text.size()) {
            throw error{error_kind::malformed, "this text in UTF-16 has an incomplete character",
                        end};
        }
        text = converted;
    }
    text = without_byte_order_mark(text);
    text_lines lines{text};
    text_output out{profile, max_size};
    const bool has_symbols = text.starts_with(symbols_start);
    if (has_symbols) {
        out.take_symbols(lines);
    }
    const text_format* const format = find_format(lines.rest());
    if (has_symbols && format == nullptr) {
        lines.fail("these symbols belong to a profile in a format that is not supported; go tool "
                   "pprof -proto converts it");
    }
    if (format == nullptr && is_folded_text(text)) {
        convert_folded_text(lines, counted, profile, max_size);
        return;
    }
    if (format == nullptr) {
        const std::string_view unread = unread_format(text);
        throw error{error_kind::malformed,
                    unread.empty() ? "this is not a text profile in a known format"
                                   : "this is " + std::string{unread},
                    0};
    }
    lines.skip(size_before(lines.rest()));
    lines.give_comments_to(out);
    format->convert(lines, out);
}

} // namespace pprofdelta
