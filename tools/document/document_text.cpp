// SPDX-License-Identifier: Apache-2.0
#include "document/document.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "base/short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t gap = 2;  // between columns
constexpr std::size_t step = 2; // of names
constexpr std::size_t least_room_of_names = 20;

// In the terminal's red, for what is worse, or green.
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

// What columns leave of a line.
std::size_t room_beside(const std::vector<std::size_t>& columns, std::size_t width) {
    std::size_t used = 0;
    for (const std::size_t column : columns) {
        used += column + gap;
    }
    return width - std::min(width, used);
}

// Each name between dashes, as wide as its columns together.
std::string line_of_groups(const std::vector<table::column>& columns,
                           const std::vector<std::size_t>& widths) {
    std::string all;
    for (std::size_t i = 0; i < columns.size();) {
        const std::string& group = columns[i].group;
        const std::string name = group.empty() ? "" : " " + group + " ";
        std::size_t width = widths[i];
        while (++i < columns.size() && columns[i].group == group) {
            width += gap + widths[i];
        }
        const std::size_t dashes = width - std::min(width, count_characters(name));
        const char fill = group.empty() ? ' ' : '-';
        all += std::string(dashes / 2, fill) + name + std::string(dashes - dashes / 2, fill) +
               std::string(gap, ' ');
    }
    all.erase(all.find_last_not_of(' ') + 1);
    return all.empty() ? all : all + "\n";
}

std::string line_of(const table::row& row, const std::vector<std::size_t>& widths,
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

std::string line_of(const document::limit& limit, bool has_colors) {
    const bool is_crossed = limit.as == document::judged::crossed;
    const std::string word = is_crossed                           ? "crossed"
                             : limit.as == document::judged::kept ? "kept"
                                                                  : "unknown";
    return (has_colors ? colored(word, is_crossed) : word) + "  " + printable(limit.text) + "\n";
}

} // namespace

std::string as_text(table shown, std::size_t width, bool has_colors) {
    const auto leave_out = [&](table::place place) {
        erase_columns(shown, [&](std::size_t i) { return shown.columns[i].shown == place; });
    };
    leave_out(table::place::markdown);
    if (width != 0 && room_beside(widths_of(shown), width) < least_room_of_names) {
        leave_out(table::place::where_it_fits);
    }
    const std::vector<std::size_t> widths = widths_of(shown);
    table::row head{shown.of, {}, false};
    std::vector<std::string> names;
    for (const table::column& column : shown.columns) {
        head.cells.push_back(column.head);
    }
    for (const table::row& row : shown.rows) {
        names.push_back(row.name);
    }
    const std::size_t room =
        width == 0 ? std::string::npos : std::max(least_room_of_names, room_beside(widths, width));
    names = short_names(names, [&](std::size_t i) {
        const std::size_t used = step * shown.rows[i].indent;
        return std::max(least_room_of_names, room - std::min(room, used));
    });
    std::string text =
        line_of_groups(shown.columns, widths) + line_of(head, widths, head.name, has_colors);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string indent(step * shown.rows[i].indent, ' ');
        text += line_of(shown.rows[i], widths, indent + names[i], has_colors);
    }
    return text;
}

std::string as_text(const document& content, std::size_t width, bool has_colors) {
    std::string text;
    for (const document::note& note : content.notes) {
        text += printable(note.text) + "\n";
    }
    text += text.empty() ? "" : "\n";
    text += as_text(content.totals, width, has_colors);
    for (const document::rows_of_type& type : content.types) {
        text += "\n" + printable(type.filter) + (type.filter.empty() ? "" : "\n");
        text += printable(type.type) + type.what + printable(type.whose) + ": " +
                (type.outline.empty() ? std::to_string(type.rows.rows.size()) + " of " +
                                            std::to_string(type.all) + type.which
                                      : type.outline) +
                "\n";
        text += as_text(type.rows, width, has_colors);
    }
    text += content.notes_below.empty() ? "" : "\n";
    for (const document::note& note : content.notes_below) {
        text += (note.has_names ? printable(note.text) : note.text) + "\n";
    }
    text += content.limits.empty() ? "" : "\n";
    for (const document::limit& limit : content.limits) {
        text += line_of(limit, has_colors);
    }
    return text;
}

} // namespace pprofdelta::tool
