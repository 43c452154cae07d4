// SPDX-License-Identifier: Apache-2.0
#include "document/document.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

void erase_columns(table& target, const std::function<bool(std::size_t)>& is_left_out) {
    for (std::size_t column = target.columns.size(); column-- > 0;) {
        if (!is_left_out(column)) {
            continue;
        }
        const auto place = static_cast<std::ptrdiff_t>(column);
        target.columns.erase(target.columns.begin() + place);
        for (table::row& row : target.rows) {
            row.cells.erase(row.cells.begin() + place);
        }
    }
}

std::string short_text(std::int64_t seconds) {
    for (const auto& [unit, letter] : {std::pair{86400, "d"}, {3600, "h"}, {60, "m"}}) {
        if (seconds % unit == 0) {
            return std::to_string(seconds / unit) + letter;
        }
    }
    return std::to_string(seconds) + "s";
}

std::string counted_text(std::size_t count, std::size_t left_out, const std::string& what) {
    return std::to_string(count) + " of " + std::to_string(count + left_out) + " " + what;
}

void add_note(std::vector<document::note>& to, const std::string& text, bool has_names) {
    if (!text.empty()) {
        to.push_back({text, has_names});
    }
}

std::string folded_text(std::size_t functions) {
    return functions == 0 ? ""
                          : "Folded into their callers: " + counted(functions, "function") +
                                " of allocators and the like; --allocators shows " +
                                (functions == 1 ? "it." : "them.");
}

void add_named(std::vector<document::note>& to, const char* before, const std::string& name,
               const std::string& after) {
    to.push_back({before});
    to.push_back({cut_name(name), true});
    to.push_back({after});
}

std::string chain_text(const std::vector<std::string>& frames) {
    return joined(frames, " \u2192 ", cut_name);
}

static constexpr std::size_t longest_chain = 120; // in characters

// A long chain without its middle. The start says whose it is, and the inner end says most.
static std::vector<std::string> short_chain(std::vector<std::string> frames) {
    constexpr std::size_t most = 5;
    if (frames.size() > most) {
        frames.erase(frames.begin() + 2, frames.end() - 2);
        frames[1] = ellipsis;
    }
    while (frames.size() > 2 && count_characters(chain_text(frames)) > longest_chain) {
        frames.erase(frames.begin() + (frames.size() > 3 ? 2 : 1));
        frames[1] = ellipsis;
    }
    return frames;
}

std::string short_chain_text(std::vector<std::string> frames) {
    return chain_text(short_chain(std::move(frames)));
}

std::string text_of_roots(const std::optional<std::string>& pattern) {
    if (!pattern) {
        return "";
    }
    return "; the two sides have no outermost frame in common: " +
           (pattern->empty() || pattern->find('\'') != std::string::npos
                ? "--hide removes frames that differ in every run"
                : "--hide '" + printable(*pattern) + "' removes what differs in every run");
}

bool is_of_binary(const std::string& name) {
    return name.starts_with('[') && name.ends_with(']') && name != "[unknown]"; // perf's
}

std::string growth_text(double change, const std::string& percent) {
    if (change == 0) {
        return "did not change";
    }
    const std::string_view factor = "\u00d7";
    return (change > 0 ? "grew" : "fell") +
           (percent == "new"              ? " from 0"
            : percent == "0%"             ? " by less than 0.01%"
            : percent.starts_with(factor) ? " by a factor of " + percent.substr(factor.size())
                                          : " by " + percent.substr(1));
}

// The name of a cause.
static std::string name_of(const shown_cause& cause, const distinct_names& names) {
    std::vector<std::string> frames = cause.frames;
    std::erase_if(frames, runs_benchmarks);
    if (frames.empty()) {
        return "the package testing, which runs the benchmarks";
    }
    for (std::string& frame : frames) {
        frame = names.shortened(printable(cut_name(frame)), std::string::npos);
    }
    frames = short_chain(std::move(frames));
    std::string chain = chain_text(frames);
    if (count_characters(chain) > longest_chain) {
        const std::size_t part = longest_chain / frames.size() - 3; // without the arrow
        for (std::string& frame : frames) {
            frame = names.shortened(frame, part);
        }
        chain = chain_text(frames);
    }
    switch (cause.of) {
    case cause_kind::itself:
        return chain + " itself";
    case cause_kind::renamed:
        return chain + cause.value.renamed + cut_name(cause.previous_name);
    case cause_kind::function:
        return chain + ", whoever calls it";
    case cause_kind::stacks:
        break;
    }
    return chain;
}

// The frame of a cause that the fewest others have; empty if all have each of them.
static std::string telling_frame(const std::vector<shown_cause>& causes,
                                 const std::vector<std::size_t>& others, std::size_t cause) {
    std::string found;
    std::size_t least = others.size();
    for (const std::string& frame : causes[cause].frames) {
        const auto count =
            static_cast<std::size_t>(std::ranges::count_if(others, [&](std::size_t other) {
                const std::vector<std::string>& frames = causes[other].frames;
                return std::ranges::find(frames, frame) != frames.end();
            }));
        if (count < least) {
            least = count;
            found = frame;
        }
    }
    return found;
}

table causes_table(std::vector<table::column> columns, const std::vector<shown_cause>& causes,
                   const std::vector<std::string>& others) {
    std::set<std::string> all;
    const auto add = [&](const std::string& name) { all.insert(printable(cut_name(name))); };
    std::ranges::for_each(others, add);
    for (const shown_cause& each : causes) {
        std::ranges::for_each(each.frames, add);
    }
    const distinct_names names{{all.begin(), all.end()}};
    table made{"where it comes from", std::move(columns)};
    // Lines of one parent that would have the same text.
    std::map<std::tuple<std::size_t, std::uint32_t, std::string>, std::vector<std::size_t>> equal;
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < causes.size(); ++i) {
        const shown_cause& each = causes[i];
        made.rows.push_back({name_of(each, names), each.value.cells, true, each.depth});
        parents.resize(each.depth + 1);
        parents.back() = i;
        const std::size_t parent = each.depth == 0 ? causes.size() : parents[each.depth - 1];
        equal[{parent, each.depth, made.rows.back().name}].push_back(i);
    }
    for (const auto& [text, lines] : equal) {
        for (const std::size_t i : lines) {
            if (const std::string frame = telling_frame(causes, lines, i); !frame.empty()) {
                made.rows[i].name +=
                    ", through " + names.shortened(printable(cut_name(frame)), std::string::npos);
            }
        }
    }
    return made;
}

void add_stack(table& to, table::row first, const std::vector<std::string>& frames,
               std::size_t left_out) {
    const table::row blank{.name = {}, .cells = std::vector<std::string>(first.cells.size())};
    const auto add = [&](const std::string& name) {
        to.rows.push_back(std::exchange(first, blank));
        to.rows.back().name = name;
    };
    if (left_out != 0) {
        add(std::to_string(left_out) + " outer ones left out");
    }
    for (const std::string& each : frames) {
        add(cut_name(each));
    }
}

std::string part_text(double part) {
    const double percent = part * 100;
    return part > 1    ? ">100%"
           : part == 0 ? "0%"
                       : fixed_text(percent, percent < 9.95 ? 1 : 0) + "%";
}

std::string order_text(std::initializer_list<std::vector<std::string>> lists) {
    const bool are_in_order = std::ranges::all_of(lists, [](const auto& names) {
        return std::ranges::is_sorted(names, is_before_naturally{});
    });
    return are_in_order ? " in the order of their names" : " in the order given";
}

std::string ends_text(const std::vector<std::string>& names) {
    constexpr std::size_t room = 60;
    if (names.size() == 1) {
        return short_names(names, room).front();
    }
    const std::vector<std::string> ends = short_names({names.front(), names.back()}, room / 2);
    return ends.front() + " \u2026 " + ends.back();
}

std::string reach_text(double value, const std::optional<interval>& within, const std::string& unit,
                       const std::string& per) {
    if (!within) {
        return "\u00b1\u221e";
    }
    const double reach = std::max(within->high - value, value - within->low);
    return "\u00b1" +
           (value == 0 ? format_number(reach, unit) + per : part_text(reach / std::fabs(value)));
}

std::string p_text(double p) { return p < 0.00005 ? "<0.0001" : fixed_text(p, 4); }

std::string needed_text(const too_few_captures& found, double alpha, correction correct) {
    std::string text =
        "p cannot be less than " + p_text(found.least_p) + ", but --alpha " + factor_text(alpha);
    if (correct != correction::none && found.hypotheses > 1) {
        text += std::string{" with --correct "} + to_string(correct) + " of " +
                std::to_string(found.hypotheses) + " tests";
    }
    return text + " needs " + p_text(found.needed_p);
}

std::string left_out_text(std::size_t count, const std::string& least_size) {
    return counted(count, "row") + " of less than " + least_size + " left out.";
}

namespace {

constexpr std::size_t most_annotations = 10;

std::string with_replaced(std::string_view text, char replaced, const char* replacement) {
    std::string result;
    for (const char c : text) {
        result += c == replaced ? replacement : std::string(1, c);
    }
    return result;
}

} // namespace

std::string github_annotations(const std::vector<std::string>& errors,
                               const std::vector<std::string>& warnings) {
    std::vector<std::string> lines;
    const auto add = [&](const char* kind, const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            // Line ends would need it too; printable() has escaped them.
            lines.push_back(std::string{kind} +
                            " title=pprofdelta::" + with_replaced(printable(text), '%', "%25"));
        }
    };
    add("::error", errors);
    add("::warning", warnings);
    if (lines.size() > most_annotations) {
        const std::size_t rest = lines.size() - (most_annotations - 1);
        lines.resize(most_annotations - 1);
        lines.push_back(std::string{errors.size() >= most_annotations ? "::error" : "::warning"} +
                        " title=pprofdelta::and " + std::to_string(rest) + " more");
    }
    return joined(lines, "", [](const std::string& line) { return line + "\n"; });
}

namespace {

constexpr std::size_t gap = 2;         // between columns
constexpr std::size_t indentation = 2; // of names
constexpr std::size_t least_room_of_names = 20;

// Colors text in the terminal's red if it is worse, and else in green.
std::string colored(const std::string& text, bool is_worse) {
    return (is_worse ? "\x1b[31m" : "\x1b[32m") + text + "\x1b[0m";
}

// A "\u00b1" is more bytes than columns.
std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, count_characters(text)), ' ') + text;
}

std::vector<std::size_t> widths_of(const table& shown) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < shown.columns.size(); ++i) {
        std::size_t& width = widths.emplace_back(count_characters(shown.columns[i].head));
        for (const table::row& row : shown.rows) {
            width = std::max(width, count_characters(row.cells[i]));
        }
    }
    return widths;
}

// The columns leave this much of a line.
std::size_t room_beside(const std::vector<std::size_t>& columns, std::size_t width) {
    std::size_t used = 0;
    for (const std::size_t column : columns) {
        used += column + gap;
    }
    return width - std::min(width, used);
}

// Takes the first of such columns away until `fits(widths)` of those that are left, and says how
// many those are.
template <typename Fits>
std::string leave_last(table& shown, Fits&& fits) {
    std::vector<std::size_t> widths = widths_of(shown);
    std::vector<bool> goes(shown.columns.size());
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < goes.size() && !fits(widths); ++i) {
        if (shown.columns[i].shown == table::place::last_that_fit) {
            goes[i] = true;
            widths.erase(widths.begin() + static_cast<std::ptrdiff_t>(i - left_out++));
        }
    }
    erase_columns(shown, [&](std::size_t column) { return goes[column]; });
    return left_out == 0 ? "" : counted(left_out, "earlier column") + " left out\n";
}

// Each name between dashes, as wide as its columns together.
std::string line_of_groups(const std::vector<table::column>& columns,
                           const std::vector<std::size_t>& widths) {
    std::string all;
    for (std::size_t i = 0; i < columns.size();) {
        const std::string& group = columns[i].group;
        std::size_t width = widths[i];
        while (++i < columns.size() && columns[i].group == group) {
            width += gap + widths[i];
        }
        const bool has_dashes = !group.empty() && width >= count_characters(group) + 2;
        const std::string name = has_dashes ? " " + group + " " : group;
        const std::size_t dashes = width - std::min(width, count_characters(name));
        const char fill = group.empty() ? ' ' : '-';
        all += std::string(dashes / 2, fill) + name + std::string(dashes - dashes / 2, fill) +
               std::string(gap, ' ');
    }
    all.erase(all.find_last_not_of(' ') + 1);
    return all.empty() ? all : all + "\n";
}

std::string row_line(const table::row& row, const std::vector<std::size_t>& widths,
                     const std::string& name, bool has_colors) {
    std::string text;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string& cell = row.cells[i];
        const bool is_more = cell.starts_with('+') || cell.starts_with("\u00d7");
        const bool is_change = has_colors && row.is_news && (is_more || cell.starts_with('-'));
        const std::string shown = padded(cell, widths[i]);
        text += (is_change ? colored(shown, is_more) : shown) + std::string(gap, ' ');
    }
    return text + name + "\n";
}

const char* to_string(document::judged as) {
    return as == document::judged::crossed ? "crossed"
           : as == document::judged::kept  ? "kept"
                                           : "unknown";
}

std::string limit_line(const document::limit& limit, bool has_colors) {
    const std::string word = to_string(limit.as);
    const bool is_colored = has_colors && limit.as != document::judged::unknown;
    return (is_colored ? colored(word, limit.as == document::judged::crossed) : word) + "  " +
           printable(limit.text) + "\n";
}

} // namespace

std::string as_text(table shown, std::size_t width, bool has_colors) {
    const auto leave_out = [&](table::place place) {
        erase_columns(shown, [&](std::size_t i) { return shown.columns[i].shown == place; });
    };
    leave_out(table::place::markdown);
    for (std::size_t i = shown.columns.size();
         i-- > 0 && width != 0 && room_beside(widths_of(shown), width) < least_room_of_names;) {
        if (shown.columns[i].shown == table::place::where_it_fits) {
            erase_columns(shown, [i](std::size_t column) { return column == i; });
        }
    }
    const std::string left_out = leave_last(shown, [&](const std::vector<std::size_t>& widths) {
        return width == 0 || room_beside(widths, width) >= least_room_of_names;
    });
    const std::vector<std::size_t> widths = widths_of(shown);
    const table::row head{shown.of, mapped(shown.columns, &table::column::head), false};
    const std::size_t room =
        width == 0 ? std::string::npos : std::max(least_room_of_names, room_beside(widths, width));
    const auto room_of = [&](std::size_t i) {
        const std::size_t used = indentation * shown.rows[i].indent;
        return std::max(least_room_of_names, room - std::min(room, used));
    };
    const std::vector<std::string> names =
        short_names(mapped(shown.rows, &table::row::name), room_of);
    std::string text =
        line_of_groups(shown.columns, widths) + row_line(head, widths, head.name, has_colors);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string indent(indentation * shown.rows[i].indent, ' ');
        text += row_line(shown.rows[i], widths, indent + names[i], has_colors);
    }
    return text + left_out;
}

std::string line_of(const std::vector<document::note>& parts) {
    return joined(parts, "", [](const document::note& part) {
        return part.has_names ? printable(part.text) : part.text;
    });
}

std::string findings_as_text(const document& content, std::size_t width, bool has_colors) {
    std::string text;
    for (const document::finding& finding : content.findings) {
        text += printable(finding.of) + " " + finding.what + finding.how + "\n";
        for (const std::string& note : finding.notes) {
            text += note + "\n";
        }
        text += finding.from.rows.empty() ? "" : as_text(finding.from, width, has_colors);
    }
    for (const std::vector<document::note>& parts : content.notes_of_findings) {
        text += line_of(parts) + "\n";
    }
    return text;
}

std::string as_text(const document& content, std::size_t width, bool has_colors) {
    std::string text = findings_as_text(content, width, has_colors);
    text += text.empty() ? "" : "\n";
    for (const document::note& note : content.notes) {
        text += printable(note.text) + "\n";
    }
    if (!content.totals.rows.empty()) {
        text += text.empty() || text.ends_with("\n\n") ? "" : "\n";
        text += as_text(content.totals, width, has_colors);
    }
    for (const document::rows_of_type& type : content.types) {
        text += "\n" + printable(type.filter) + (type.filter.empty() ? "" : "\n");
        text += printable(type.type) + type.heading + printable(type.heading_text) + ": " +
                (type.outline.empty() ? std::to_string(type.rows.rows.size()) + " of " +
                                            std::to_string(type.all) + type.count_note
                                      : type.outline) +
                "\n";
        text += as_text(type.rows, width, has_colors);
    }
    text += content.notes_below.empty() ? "" : "\n";
    for (const document::note& note : content.notes_below) {
        text += line_of({note}) + "\n";
    }
    text += content.limits.empty() ? "" : "\n";
    for (const document::limit& limit : content.limits) {
        text += limit_line(limit, has_colors);
    }
    return text;
}

namespace {

constexpr std::size_t longest_in_markdown = 200;           // in characters
constexpr std::size_t widest_outline = 240;                // in characters
constexpr std::size_t longest_limit = 1000;                // in bytes, with what was found
constexpr std::size_t largest_markdown = 64U * 1024 - 200; // leaves room for a last line
static_assert(most_rows_of_markdown > largest_markdown / 24, "no row of a table has fewer bytes");

// Shortens runs of backticks: renderers know no fence of more than some 80 of them, and would read
// what stands behind a longer one as Markdown.
std::string with_short_runs(const std::string& text) {
    constexpr std::size_t longest = 8;
    std::string cut;
    std::size_t length = 0;
    for (const char c : text) {
        length = c == '`' ? length + 1 : 0;
        cut.append(length <= longest ? 1 : 0, c);
    }
    return cut;
}

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
std::string code_span(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    const std::string printable = with_short_runs(text);
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
std::string limit_note(const document::limit& limit) {
    std::string text = printable(limit.text);
    if (text.size() > longest_limit) {
        text = std::string{start_of(text, longest_limit)} + ellipsis;
    }
    const char* const mark = limit.as == document::judged::crossed ? "**" : "";
    return std::string{"- "} + mark + to_string(limit.as) + mark + " " + code_span(text);
}

// A bar would end a cell, even in a code span. Its backslash is taken away before anything else is
// read, whatever stands before it.
std::string cell_of_name(const std::string& shortened) {
    return with_backslashes(code_span(shortened), "|");
}

// The name of a tag could follow a '<', as of a small p.
std::string without_tags(const std::string& text) { return with_replaced(text, '<', "&lt;"); }

std::string cell_of(const std::string& text, table::kind cells, bool is_news) {
    const std::string shown = cells == table::kind::markdown ? text : without_tags(text);
    return cells == table::kind::verdict && is_news ? "**" + shown + "**" : shown;
}

std::string head_of(const table& shown) {
    std::string head = "| " + shown.of + " |";
    std::string line = "| --- |";
    for (const table::column& column : shown.columns) {
        head += " " + column.group + (column.group.empty() ? "" : " ") + column.head + " |";
        const bool is_word =
            column.cells == table::kind::verdict || column.cells == table::kind::drawing;
        line += is_word ? " --- |" : " ---: |";
    }
    return head + "\n" + line + "\n";
}

std::vector<std::string> lines_of(const table& shown) {
    const std::vector<std::string> names =
        short_names(mapped(shown.rows, &table::row::name), longest_in_markdown);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const table::row& row = shown.rows[i];
        std::string& line = lines.emplace_back("| " + cell_of_name(names[i]) + " |");
        for (std::size_t k = 0; k < row.cells.size(); ++k) {
            line += " " + cell_of(row.cells[k], shown.columns[k].cells, row.is_news) + " |";
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
    constexpr std::size_t most_last = 12;
    const std::string left_out = leave_last(
        shown, [&](const std::vector<std::size_t>& widths) { return widths.size() <= most_last; });
    text += head_of(shown);
    const std::size_t added = add_lines(text, lines_of(shown), most);
    text += left_out.empty() ? "" : "\n" + left_out;
    return added;
}

// A block of code, in which nothing is Markdown either.
std::size_t add_outline(std::string& text, const table& shown, std::size_t most) {
    const std::string all = with_short_runs(as_text(shown, widest_outline, false));
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
std::vector<std::string> lines_of(std::vector<document::limit> limits) {
    std::stable_partition(limits.begin(), limits.end(), [](const document::limit& each) {
        return each.as == document::judged::crossed;
    });
    return mapped(limits, [](const document::limit& each) { return limit_note(each); });
}

} // namespace

std::string name_in_cell(const std::string& name, std::size_t width) {
    return cell_of_name(shortened(printable(name), width));
}

std::string as_markdown(const document& content) {
    // Each part leaves room for those after it.
    constexpr std::size_t for_totals = largest_markdown * 5 / 8;
    const std::size_t for_rows =
        (content.notes_below.empty() ? largest_markdown : largest_markdown * 15 / 16) - for_totals;
    std::string text;
    for (const std::vector<document::note>& parts : content.verdicts) {
        text += joined(parts, "", text_of) + "\n\n";
    }
    if (!content.brief.rows.empty()) {
        add_rows(text, content.brief, largest_markdown / 4);
        text += "\n" + paragraph_of({content.brief_note});
    }
    std::size_t left_out = content.limits.size() + content.totals.rows.size();
    std::vector<document::limit> limits = content.limits;
    std::vector<document::limit> limits_below; // of which a sentence says the news
    if (!content.verdicts.empty() && !content.findings.empty()) {
        const auto crossed =
            std::stable_partition(limits.begin(), limits.end(), [](const document::limit& each) {
                return each.as != document::judged::crossed;
            });
        limits_below.assign(crossed, limits.end());
        limits.erase(crossed, limits.end());
    }
    left_out -= add_lines(text, lines_of(limits), largest_markdown / 2);
    text += limits.empty() ? "" : "\n";
    for (const document::finding& finding : content.findings) {
        text +=
            name_of(finding.of) + " **" + finding.what + "**" + without_tags(finding.how) + "\n\n";
        for (const std::string& note : finding.notes) {
            text += without_tags(note) + "\n\n";
        }
        if (!finding.from.rows.empty()) {
            left_out += finding.from.rows.size();
            left_out -= add_outline(text, finding.from, for_totals);
            text += "\n";
        }
    }
    for (const std::vector<document::note>& parts : content.notes_of_findings) {
        text += joined(parts, "", text_of) + "\n\n";
    }
    const bool has_tables = !limits_below.empty() || !content.notes.empty() ||
                            !content.totals.rows.empty() || !content.types.empty() ||
                            !content.notes_below.empty();
    const bool are_folded = !content.findings.empty() && has_tables;
    text += are_folded ? "<details><summary>Tables</summary>\n\n" : "";
    left_out -= add_lines(text, lines_of(limits_below), largest_markdown / 2);
    text += limits_below.empty() ? "" : "\n";
    for (const document::note& note : content.notes) {
        text += paragraph_of(note);
    }
    if (!content.totals.rows.empty()) {
        left_out -= add_rows(text, content.totals, for_totals);
    }
    std::size_t number = 0;
    for (const document::rows_of_type& type : content.types) {
        const bool is_outline = !type.outline.empty();
        text += "\n" + paragraph_of({type.filter, true}) + name_of(type.type) + type.heading +
                name_of(type.heading_text) +
                (is_outline ? ": " + type.outline : " by " + type.rows.of + ":") + "\n\n";
        const std::size_t most = for_totals + for_rows * ++number / content.types.size();
        left_out += is_outline ? type.rows.rows.size() - add_outline(text, type.rows, most)
                               : type.all - add_rows(text, type.rows, most);
    }
    text += content.notes_below.empty() ? "" : "\n";
    for (const document::note& note : content.notes_below) {
        text += text_of(note) + "\n";
    }
    text += are_folded ? "\n</details>\n" : "";
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
