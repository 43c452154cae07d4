// SPDX-License-Identifier: Apache-2.0
#include "select/names.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/report.hpp>

#include <re2/re2.h>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "profile/producer_names.hpp"

namespace pprofdelta {

namespace {

// The bound holds for the program and for the states that a search remembers. Patterns for names
// need some 10 kB. RE2 remembers no states if they do not fit: it is slower, with the same result.
// A program that does not fit is refused.
constexpr std::int64_t most_memory = std::int64_t{2} << 20U;

// Twice what compiling took at most, of the patterns that a search for bad ones has found.
constexpr std::size_t most_memory_to_compile = std::size_t{32} << 20U;

// More than a search of a text of `size` bytes may take. Each byte can make a state, with a place
// for each other byte and the instructions that it stands for; their table can grow. A queue of
// threads with their groups takes the place of the states if there is no room for them, or each
// instruction is tried at each byte. The sum of all is less than twice most_memory. Most names ask
// for so little that the heap has it at hand; to ask the system each time takes ten times as long
// as the search.
std::size_t memory_to_search(const re2::RE2& compiled, std::size_t size) {
    constexpr std::size_t most = 2 * std::size_t{most_memory};
    constexpr std::size_t long_text = 4096;
    constexpr std::size_t table = std::size_t{512} << 10U;
    constexpr std::size_t state = 2304;
    constexpr std::size_t state_part = 8;
    constexpr std::size_t thread = 512;
    constexpr std::size_t trial = 72;
    if (size > long_text) {
        return most;
    }
    const auto program =
        static_cast<std::size_t>(std::max(compiled.ProgramSize(), compiled.ReverseProgramSize()));
    const std::size_t places = size + 2;
    const std::size_t needed =
        table + places * state + places * program * (state_part + trial) + program * thread;
    return std::min(most, needed);
}

// AddressSanitizer writes an eighth of what is asked for, which would be most of what tests do.
#ifdef __has_feature
constexpr std::size_t share_to_ask_for = __has_feature(address_sanitizer) ? 64 : 1;
#else
constexpr std::size_t share_to_ask_for = 1;
#endif

// RE2 does not reckon with allocations that fail: while it parses, such a failure can damage the
// heap, and versions since 2023 can be left in a state in which the next search never ends. Hence
// the memory that it may need is asked for here, where a failure does no harm, and given back.
void require_memory(std::size_t size) {
    ::operator delete(::operator new(size / share_to_ask_for));
}

re2::RE2::Options options(bool captures) {
    re2::RE2::Options chosen;
    chosen.set_encoding(re2::RE2::Options::EncodingUTF8);
    chosen.set_max_mem(most_memory);
    chosen.set_log_errors(false); // a library prints nothing
    chosen.set_never_capture(!captures);
    chosen.set_dot_nl(true);
    return chosen;
}

// `text` itself if it is UTF-8. Otherwise a copy in `room` that has U+FFFD for each byte that is
// part of no character: what Go makes of such bytes. O(length)
std::string_view as_utf8(std::string_view text, std::string& room) {
    std::size_t good = utf8_prefix(text);
    if (good == text.size()) {
        return text;
    }
    room.clear();
    for (; good != text.size(); good = utf8_prefix(text)) {
        room.append(text, 0, good).append("\xef\xbf\xbd");
        text.remove_prefix(good + 1);
    }
    return room.append(text);
}

std::shared_ptr<const re2::RE2> compiled(std::string_view text, bool captures,
                                         std::size_t longest = name_pattern::longest_pattern) {
    if (text.empty()) {
        refuse("the regular expression is empty");
    }
    if (text.size() > longest) {
        refuse("the regular expression has more than " + std::to_string(longest) + " bytes");
    }
    require_memory(most_memory_to_compile * (1 + text.size() / name_pattern::longest_pattern));
    auto made = std::make_shared<const re2::RE2>(std::string{text}, options(captures));
    const bool is_too_large = made->error_code() == re2::RE2::ErrorPatternTooLarge;
    if (is_too_large || made->ProgramSize() > name_pattern::longest_program) {
        refuse("the regular expression repeats too much");
    }
    if (!made->ok()) {
        refuse("bad regular expression '" + std::string{text} + "': " + made->error());
    }
    static_cast<void>(
        made->ReverseProgramSize()); // which compiles it backwards, here and not later
    return made;
}

// The place of the first '=' that has no backslash before it; npos if there is none.
std::size_t find_sign(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '=') {
            return i;
        }
    }
    return std::string_view::npos;
}

} // namespace

name_pattern::name_pattern(std::string_view text, std::size_t longest)
    : m_compiled{compiled(text, false, longest)} {
    // The first search makes what all need.
    static_cast<void>(is_in(""));
}

std::uint64_t name_pattern::steps_for(std::uint64_t bytes) const {
    return bytes * static_cast<std::uint64_t>(m_compiled->ProgramSize());
}

bool name_pattern::matches(std::string_view name, bool whole) const {
    std::string room;
    const std::string_view text = as_utf8(name, room);
    require_memory(memory_to_search(*m_compiled, text.size()));
    return m_compiled->Match({text.data(), text.size()}, 0, text.size(),
                             whole ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED, nullptr, 0);
}

name_rewriter::name_rewriter(std::string_view text) {
    const std::size_t sign = find_sign(text);
    if (sign == std::string_view::npos) {
        refuse("'" + std::string{text} + "': expected REGEX=TEXT");
    }
    m_compiled = compiled(text.substr(0, sign), true);
    m_text = text.substr(sign + 1);
    if (m_text.size() > name_pattern::longest_pattern) {
        refuse("the text in place of a name has more than " +
               std::to_string(name_pattern::longest_pattern) + " bytes");
    }
    std::string fault;
    if (!m_compiled->CheckRewriteString(m_text, &fault)) {
        refuse("'" + m_text +
               "': a backslash must be followed by another one or by the number of a "
               "group (groups: " +
               std::to_string(m_compiled->NumberOfCapturingGroups()) + ")");
    }
    m_groups = re2::RE2::MaxSubmatch(m_text) + 1;
    // The first search makes what all need, as for a pattern.
    std::string nothing;
    budget enough = budget_of_renames(0);
    rewrite(nothing, enough);
}

void name_rewriter::rewrite(std::string& name, budget& of_profile) const {
    std::string room;
    const std::string_view text = as_utf8(name, room);
    const re2::StringPiece searched{text.data(), text.size()};
    std::array<re2::StringPiece, 10> groups;
    std::string renamed;
    std::size_t done = 0; // of the text, what is in `renamed` or was replaced
    std::size_t from = 0;
    bool has_match = false;
    while (from <= text.size()) {
        of_profile.charge(text.size() - from + 1);
        require_memory(memory_to_search(*m_compiled, text.size() - from));
        if (!m_compiled->Match(searched, from, text.size(), re2::RE2::UNANCHORED, groups.data(),
                               m_groups)) {
            break;
        }
        const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
        const std::size_t size = groups[0].size();
        // Nothing at the end of a match is no other match.
        if (size != 0 || begin != done || !has_match) {
            renamed.append(text, done, begin - done);
            const std::size_t before = renamed.size();
            m_compiled->Rewrite(&renamed, m_text, groups.data(), m_groups);
            of_profile.charge(begin - done + renamed.size() - before);
            done = begin + size;
            has_match = true;
        }
        from = size != 0             ? done
               : begin < text.size() ? begin + first_character(text.substr(begin)).size
                                     : begin + 1;
    }
    if (has_match) {
        of_profile.charge(text.size() - done);
        renamed.append(text, done);
        name = std::move(renamed);
    }
}

function_names::function_names(const profile_index& index,
                               const std::vector<name_rewriter>& renames, bool between_builds)
    : m_index{index} {
    if (renames.empty() && !between_builds) {
        return;
    }
    m_place.resize(index.strings.size());
    budget of_profile = budget_of_renames(index.view.bytes().size());
    for (std::uint32_t place = 0; place < index.view.functions.size(); ++place) {
        const std::uint32_t number = index.functions.at(place).name;
        if (m_place[number] != 0) {
            continue; // of a function before
        }
        std::string name{index.strings.text(number)};
        for (const name_rewriter& rename : renames) {
            rename.rewrite(name, of_profile);
        }
        if (std::string room; between_builds) {
            name = name_between_builds(name, room);
        }
        m_renamed.push_back(std::move(name));
        m_place[number] = static_cast<std::uint32_t>(m_renamed.size());
    }
}

} // namespace pprofdelta
