// SPDX-License-Identifier: Apache-2.0
#include "select/name_pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <pprofdelta/report.hpp>
#include <re2/re2.h>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

namespace {

// For the program and for the states that a search remembers. Patterns for names need some 10 kB.
// With more states than fit RE2 goes on without remembering any: slower, with the same result. A
// program that does not fit is refused.
constexpr std::int64_t most_memory = std::int64_t{2} << 20U;

// Twice what compiling took at most, of the patterns that a search for bad ones has found.
constexpr std::size_t most_memory_to_compile = std::size_t{32} << 20U;

// The same of a search, which most_memory bounds.
constexpr std::size_t most_memory_to_search = 2 * std::size_t{most_memory};

// RE2 does not reckon with allocations that fail: while it parses, such a failure can damage the
// heap, and versions since 2023 can be left in a state in which the next search never ends. So what
// it may need is asked for here, where a failure does no harm, and given back.
void require_memory([[maybe_unused]] std::size_t size) {
    // AddressSanitizer writes an eighth of it each time, which would be most of what a fuzzer does.
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    ::operator delete(::operator new(size));
#endif
}

re2::RE2::Options options() {
    re2::RE2::Options chosen;
    chosen.set_encoding(re2::RE2::Options::EncodingUTF8);
    chosen.set_max_mem(most_memory);
    chosen.set_log_errors(false); // a library prints nothing
    chosen.set_never_capture(true);
    chosen.set_dot_nl(true);
    return chosen;
}

// How many bytes the character at the start of `text` has; 0 if there is none. There has to be a
// byte.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto is_within = [&](std::size_t i, unsigned low, unsigned high) {
        return byte(i) >= low && byte(i) <= high;
    };
    const auto continues = [&](std::size_t i) { return is_within(i, 0x80, 0xbf); };
    // The second byte rules out what fits into fewer bytes, halves of UTF-16's pairs, and what is
    // above U+10FFFF.
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    if (first >= 0xe0 && first <= 0xef) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = first == 0xed ? 0x9f : 0xbf;
        return is_within(1, low, high) && continues(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
        return is_within(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

// How many bytes at the start of `text` are UTF-8.
std::size_t utf8_prefix(std::string_view text) {
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
        const std::size_t size = character_size(text.substr(i));
        if (size == 0) {
            break;
        }
        i += size;
    }
    return i;
}

// `text` itself if it is UTF-8. Otherwise a copy in `room` that has U+FFFD for each byte that is
// part of no character: what Go makes of such bytes. O(length)
std::string_view as_utf8(std::string_view text, std::string& room) {
    std::size_t good = utf8_prefix(text);
    if (good == text.size()) {
        return text;
    }
    room.clear();
    while (true) {
        room.append(text, 0, good);
        text.remove_prefix(good);
        if (text.empty()) {
            return room;
        }
        room += "\xef\xbf\xbd";
        text.remove_prefix(1);
        good = utf8_prefix(text);
    }
}

} // namespace

name_pattern::name_pattern(std::string_view text) {
    if (text.empty()) {
        throw error{error_kind::invalid_argument, "the regular expression is empty"};
    }
    if (text.size() > longest_pattern) {
        throw error{error_kind::invalid_argument, "the regular expression has more than " +
                                                      std::to_string(longest_pattern) + " bytes"};
    }
    require_memory(most_memory_to_compile);
    m_compiled = std::make_unique<const re2::RE2>(std::string{text}, options());
    const bool is_too_large = m_compiled->error_code() == re2::RE2::ErrorPatternTooLarge;
    if (is_too_large || m_compiled->ProgramSize() > longest_program) {
        throw error{error_kind::invalid_argument, "the regular expression repeats too much"};
    }
    if (!m_compiled->ok()) {
        throw error{error_kind::invalid_argument,
                    "bad regular expression '" + std::string{text} + "': " + m_compiled->error()};
    }
    // The first search makes what all need, and may compile it once more, backwards.
    static_cast<void>(is_in(""));
}

name_pattern::~name_pattern() = default;

bool name_pattern::matches(std::string_view name, bool whole) const {
    std::string room;
    const std::string_view text = as_utf8(name, room);
    require_memory(most_memory_to_search);
    return m_compiled->Match({text.data(), text.size()}, 0, text.size(),
                             whole ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED, nullptr, 0);
}

void check_pattern(std::string_view regex) { static_cast<void>(name_pattern{regex}); }

} // namespace pprofdelta
