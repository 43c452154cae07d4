// SPDX-License-Identifier: Apache-2.0
#include "document/document.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "base/short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t longest_in_markdown = 200;  // in characters
constexpr std::size_t widest_outline = 240;       // in characters
constexpr std::size_t longest_limit = 1000;       // in bytes, with what was found
constexpr std::size_t largest = 64U * 1024 - 200; // leaves room for a last line
static_assert(most_rows_of_markdown > largest / 24, "no row of a table has fewer bytes");

std::size_t longest_run_of_backticks(const std::string& text) {
    std::size_t longest = 0;
    std::size_t length = 0;
    for (const char c : text) {
        length = c == '`' ? length + 1 : 0;
        longest = std::max(longest, length);
    }
    return longest;
}

// A code span, in which nothing is Markdown, HTML, a link or a mention; empty for no text.
// Backslashes would not help, as GitHub looks for addresses and names of users after it has removed
// them.
std::string code_span(const std::string& printable) {
    if (printable.empty()) {
        return {};
    }
    const std::string fence(longest_run_of_backticks(printable) + 1, '`');
    // Blanks at both ends are ignored, and separate fence and content.
    const bool is_apart = printable.front() == '`' || printable.back() == '`' ||
                          (printable.front() == ' ' && printable.back() == ' ');
    const char* const apart = is_apart ? " " : "";
    return fence + apart + printable + apart + fence;
}

std::string name_of(const std::string& name) {
    return code_span(shortened(printable(cut_name(name)), longest_in_markdown));
}

std::string text_of(const document::note& note) {
    return note.has_names ? name_of(note.text) : note.text;
}

std::string paragraph_of(const document::note& note) {
    return note.text.empty() ? "" : text_of(note) + "\n\n";
}

// The name of a limit is at its start.
std::string line_of(const document::limit& limit) {
    std::string text = printable(limit.text);
    if (text.size() > longest_limit) {
        std::size_t end = longest_limit;
        while (is_continuation(text[end])) {
            --end;
        }
        text = text.substr(0, end) + "\u2026";
    }
    const char* const word = limit.as == document::judged::crossed ? "**crossed**"
                             : limit.as == document::judged::kept  ? "kept"
                                                                   : "unknown";
    return std::string{"- "} + word + " " + code_span(text);
}

// A bar would end a cell, even in a code span. Its backslash is taken away before anything else is
// read, whatever stands before it.
std::string cell_of_name(const std::string& shortened) {
    std::string result;
    for (const char c : code_span(shortened)) {
        result += c == '|' ? "\\" : "";
        result += c;
    }
    return result;
}

std::string cell_of(const std::string& text, bool stands_out) {
    // The name of a tag could follow this.
    const std::string shown = text.starts_with('<') ? "&lt;" + text.substr(1) : text;
    return stands_out ? "**" + shown + "**" : shown;
}

std::string head_of(const table& shown) {
    std::string head = "| " + shown.of + " |";
    std::string line = "| --- |";
    for (const table::column& column : shown.columns) {
        head += " " + column.group + (column.group.empty() ? "" : " ") + column.head + " |";
        line += column.cells == table::kind::figure ? " ---: |" : " --- |";
    }
    return head + "\n" + line + "\n";
}

std::vector<std::string> lines_of(const table& shown) {
    std::vector<std::string> names;
    for (const table::row& row : shown.rows) {
        names.push_back(row.name);
    }
    names = short_names(names, longest_in_markdown);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const table::row& row = shown.rows[i];
        std::string& line = lines.emplace_back("| " + cell_of_name(names[i]) + " |");
        for (std::size_t k = 0; k < row.cells.size(); ++k) {
            const bool is_verdict = shown.columns[k].cells == table::kind::verdict;
            line += " " + cell_of(row.cells[k], is_verdict && row.is_news) + " |";
        }
    }
    return lines;
}

// Adds lines until there are `most` bytes, and returns how many were added.
std::size_t add_lines(std::string& text, const std::vector<std::string>& lines, std::size_t most) {
    std::size_t added = 0;
    while (added < lines.size() && text.size() + lines[added].size() < most) {
        text += lines[added++] + "\n";
    }
    return added;
}

std::size_t add_rows(std::string& text, table shown, std::size_t most) {
    erase_columns(shown,
                  [&](std::size_t i) { return shown.columns[i].shown == table::place::text; });
    text += head_of(shown);
    return add_lines(text, lines_of(shown), most);
}

// A block of code, in which nothing is Markdown either.
std::size_t add_outline(std::string& text, const table& shown, std::size_t most) {
    const std::string all = as_text(shown, widest_outline, false);
    const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(all) + 1), '`');
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < all.size(); at += lines.back().size() + 1) {
        lines.push_back(all.substr(at, all.find('\n', at) - at));
    }
    const std::size_t head = lines.size() - shown.rows.size();
    text += fence + "text\n";
    const std::size_t added = add_lines(text, lines, most - std::min(most, fence.size()));
    text += fence + "\n";
    return added - std::min(added, head);
}

// If there are many limits, those that were not crossed can be left out.
std::vector<std::string> lines_of(const std::vector<document::limit>& limits) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const document::limit& limit : limits) {
            if ((limit.as == document::judged::crossed) == is_crossed) {
                lines.push_back(line_of(limit));
            }
        }
    }
    return lines;
}

} // namespace

std::string as_markdown(const document& content) {
    // Each part leaves room for those after it.
    constexpr std::size_t for_totals = largest * 5 / 8;
    const std::size_t for_rows =
        (content.notes_below.empty() ? largest : largest * 15 / 16) - for_totals;
    std::string text;
    std::size_t left_out = content.limits.size() + content.totals.rows.size();
    left_out -= add_lines(text, lines_of(content.limits), largest / 2);
    text += content.limits.empty() ? "" : "\n";
    for (const document::note& note : content.notes) {
        text += paragraph_of(note);
    }
    left_out -= add_rows(text, content.totals, for_totals);
    std::size_t number = 0;
    for (const document::rows_of_type& type : content.types) {
        const bool is_outline = !type.outline.empty();
        text += "\n" + paragraph_of({type.filter, true}) + name_of(type.type) + type.what +
                name_of(type.whose) +
                (is_outline ? ": " + type.outline : " by " + type.rows.of + ":") + "\n\n";
        const std::size_t most = for_totals + for_rows * ++number / content.types.size();
        left_out += type.all - (is_outline ? add_outline(text, type.rows, most)
                                           : add_rows(text, type.rows, most));
    }
    text += content.notes_below.empty() ? "" : "\n";
    for (const document::note& note : content.notes_below) {
        text += text_of(note) + "\n";
    }
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
