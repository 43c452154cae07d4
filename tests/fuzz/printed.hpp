// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz.hpp"
#include "json.hpp"

// These rules hold for everything that people and CI systems read.
namespace pprofdelta::test {

inline std::vector<std::string> lines_of(const std::string& text) {
    require(text.empty() || text.back() == '\n', "a last line ends");
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size(); begin += lines.back().size() + 1) {
        lines.push_back(text.substr(begin, text.find('\n', begin) - begin));
    }
    return lines;
}

// The line neither ends early nor controls a terminal, or what reads it in CI.
inline bool is_printable(std::string_view line) {
    for (const std::string_view no :
         {"\u0085", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202d", "\u202e",
          "\u2066", "\u2069", "\ufeff", "##[", "##vso["}) {
        if (line.find(no) != std::string_view::npos) {
            return false;
        }
    }
    return is_utf8(std::string{line}) && std::none_of(line.begin(), line.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20U || c == '\x7f';
           });
}

inline bool is_command(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("::");
}

/// @returns the lines of a text for people.
inline std::vector<std::string> require_text(const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    require(std::all_of(lines.begin(), lines.end(), is_printable), "text is printable");
    require(std::none_of(lines.begin(), lines.end(), is_command), "a line of text is no command");
    return lines;
}

// A line of Markdown without its code spans.
inline std::string without_code(std::string_view line) {
    std::string rest;
    while (!line.empty()) {
        const std::size_t size = std::min(line.find_first_not_of('`'), line.size());
        if (size == 0) {
            rest += line.front();
            line.remove_prefix(1);
            continue;
        }
        const std::string_view fence = line.substr(0, size);
        line.remove_prefix(size);
        std::size_t run = 0;
        for (std::size_t at = line.find('`');; at = line.find('`', at + run)) {
            require(at != std::string_view::npos, "a code span ends");
            run = std::min(line.find_first_not_of('`', at), line.size()) - at;
            if (run == fence.size()) {
                line.remove_prefix(at + run);
                break;
            }
        }
    }
    return rest;
}

// A line without code spans, and without what stands beside numbers: of a rate "/s", and of a small
// p "&lt;".
inline std::string without_code_and_figures(std::string_view line) {
    std::string rest = without_code(line);
    for (const auto& [text, length] : {std::pair{"/s ", 2U}, {"/s;", 2U}, {"&lt;0.", 4U}}) {
        for (auto at = rest.find(text); at != std::string::npos; at = rest.find(text)) {
            rest.erase(at, length);
        }
    }
    return rest;
}

// Lines that begin with a bar are rows: of a table of totals, and then of one of names. Nothing is
// Markdown in a block of code, which ends at a line that is its fence.
inline void require_markdown(const std::string& text) {
    require(text.size() < std::size_t{64} * 1024, "it fits into a comment");
    std::size_t columns = 0;
    std::string fence;
    for (const std::string& line : lines_of(text)) {
        require(is_printable(line), "Markdown is printable");
        require(!is_command(line), "a line of Markdown is no command");
        if (!fence.empty()) {
            fence = line == fence ? "" : fence;
            continue;
        }
        if (line.starts_with("```") && line.ends_with("`text")) {
            fence = line.substr(0, line.size() - 4);
            continue;
        }
        if (line == "<details><summary>Tables</summary>" || line == "</details>") {
            continue;
        }
        require(without_code_and_figures(line).find_first_of("<&[]@#_\\~$/") == std::string::npos,
                "names are code");
        const bool is_row = line.starts_with('|');
        require(is_row ? line.ends_with(" |") : without_code(line).find('|') == std::string::npos,
                "bars are of rows");
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size() && is_row; ++i) {
            bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
        }
        require(bars == 0 || columns == 0 || bars == columns, "a row has its table's columns");
        columns = bars;
    }
    require(fence.empty(), "a block of code ends");
}

} // namespace pprofdelta::test
