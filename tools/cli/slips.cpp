// SPDX-License-Identifier: Apache-2.0
#include "cli/slips.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pprofdelta::tool {

namespace {

bool is_slip(std::string_view typed, std::string_view word) {
    const auto different = std::mismatch(typed.begin(), typed.end(), word.begin(), word.end());
    const auto same = static_cast<std::size_t>(different.first - typed.begin());
    typed.remove_prefix(same);
    word.remove_prefix(same);
    const auto from = [](std::string_view text, std::size_t place) {
        return text.substr(std::min(place, text.size()));
    };
    const bool is_exchanged = typed.size() > 1 && word.size() > 1 && typed[0] == word[1] &&
                              typed[1] == word[0] && from(typed, 2) == from(word, 2);
    return is_exchanged || from(typed, 1) == from(word, 1) || from(typed, 1) == word ||
           typed == from(word, 1);
}

} // namespace

std::string_view nearest_word(std::string_view typed, const std::vector<std::string_view>& words) {
    const auto nearest = std::find_if(words.begin(), words.end(),
                                      [&](std::string_view word) { return is_slip(typed, word); });
    return nearest == words.end() ? std::string_view{} : *nearest;
}

namespace {

// From internal/driver of google/pprof, and what other tools call a difference.
constexpr std::array<known_name, 50> all_known{{
    {"top", "report", ""},
    {"text", "report", ""},
    {"tree", "report", "--tree"},
    {"peek", "report", "--callers REGEX or --callees REGEX"},
    {"list", "report", "--by line --focus REGEX"},
    {"weblist", "report", "--by line --focus REGEX"},
    {"traces", "report", "--paths N"},
    {"raw", "export", "ndjson"},
    {"tags", "report", "--by label:KEY"},
    {"comments", "info", ""},
    {"http", "report", "--html FILE"},
    {"web", "report", "--html FILE"},
    {"svg", "report", "--flamegraph FILE"},
    {"png", "report", "--flamegraph FILE"},
    {"pdf", "report", "--flamegraph FILE"},
    {"dot", "report", "--flamegraph FILE"},
    {"flame", "report", "--flamegraph FILE"},
    {"proto", "delta", "-o FILE"},
    {"diff", "report", "--diff PREV CUR"},
    {"subtract", "delta", "PREV CUR"},
    {"diff_base", "report", "PREV CUR, with --diff for two processes"},
    {"base", "report", "PREV CUR, with --diff for two processes"},
    {"normalize", "report", "--diff --normalize total"},
    {"drop_negative", "delta", "--drop-negative"},
    {"sample_index", "report", "--sample-type TYPE"},
    {"inuse_space", "report", "--sample-type inuse_space"},
    {"inuse_objects", "report", "--sample-type inuse_objects"},
    {"alloc_space", "report", "--sample-type alloc_space"},
    {"alloc_objects", "report", "--sample-type alloc_objects"},
    {"focus", "report", "--focus REGEX"},
    {"ignore", "report", "--ignore REGEX"},
    {"hide", "report", "--hide REGEX"},
    {"show_from", "report", "--show-from REGEX"},
    {"tagfocus", "report", "--label KEY=REGEX"},
    {"tagignore", "report", "--no-label KEY=REGEX"},
    {"tagroot", "report", "--label-root KEY"},
    {"cum", "report", "--order cum"},
    {"flat", "report", "--order flat"},
    {"nodecount", "report", "--top N"},
    {"functions", "report", "--by function"},
    {"files", "report", "--by file"},
    {"lines", "report", "--by line"},
    {"unit", "", "each value has the unit that fits it"},
    {"symbolize", "report", "--symbolize"},
    {"trim_path", "report", "--trim-path PATH"},
    {"output", "delta", "--output FILE"},
    {"seconds", "delta", "--seconds SEC URL"},
    {"tls_ca", "delta", "--ca-file FILE"},
    {"tls_cert", "delta", "--cert FILE"},
    {"tls_key", "delta", "--key FILE"},
}};

} // namespace

const known_name* find_known_name(std::string_view name) {
    const auto is_same = [](char one, char other) {
        return one == other || (one == '-' && other == '_');
    };
    const auto* const known =
        std::find_if(all_known.begin(), all_known.end(), [&](const known_name& each) {
            return std::equal(name.begin(), name.end(), each.name.begin(), each.name.end(),
                              is_same);
        });
    return known == all_known.end() ? nullptr : known;
}

std::string hint_at(const known_name& known) {
    if (known.command.empty()) {
        return std::string{known.words};
    }
    std::string text = "try pprofdelta ";
    text.append(known.command).append(known.words.empty() ? "" : " ").append(known.words);
    return text;
}

} // namespace pprofdelta::tool
