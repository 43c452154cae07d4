// SPDX-License-Identifier: Apache-2.0
#include "report/name_pattern.hpp"

#include <cstdint>
#include <new>

#include <re2/re2.h>

#include <pprofdelta/error.hpp>

#include "base/utf8.hpp"

namespace pprofdelta {

namespace {

// For the program and for the states that a search remembers. Patterns for names need some 10 kB.
// With more states than fit RE2 goes on without remembering any: slower, with the same result. A
// program that does not fit is refused.
constexpr std::int64_t most_memory = std::int64_t{2} << 20U;

// Twice what compiling took at most, of the patterns that a search for bad ones has found.
constexpr std::size_t most_memory_to_compile = std::size_t{32} << 20U;

// RE2 does not reckon with allocations that fail: while it parses, such a failure can damage the
// heap. So what it may need is asked for here, where a failure does no harm, and given back.
void require_memory() { ::operator delete(::operator new(most_memory_to_compile)); }

re2::RE2::Options options() {
    re2::RE2::Options chosen;
    chosen.set_encoding(re2::RE2::Options::EncodingUTF8);
    chosen.set_max_mem(most_memory);
    chosen.set_log_errors(false); // a library prints nothing
    chosen.set_never_capture(true);
    chosen.set_dot_nl(true);
    return chosen;
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
    require_memory();
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

bool name_pattern::is_in(std::string_view name) const {
    std::string room;
    const std::string_view text = as_utf8(name, room);
    return m_compiled->Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED,
                             nullptr, 0);
}

} // namespace pprofdelta
