// SPDX-License-Identifier: Apache-2.0
#include "document/text_table.hpp"

#include <algorithm>

#include "base/characters.hpp"
#include "base/short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t gap = 2; // between columns
constexpr std::size_t least_room_of_names = 20;

// A "\u00b1" is more bytes than columns.
std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, count_characters(text)), ' ') + text;
}

std::string line(const text_table::figures& row, const std::vector<std::size_t>& widths,
                 const std::string& name, bool has_colors) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_more = row[i].starts_with('+') || row[i].starts_with("\u00d7");
        const bool is_change = has_colors && (is_more || row[i].starts_with('-'));
        const std::string cell = padded(row[i], widths[i]);
        text += (is_change ? colored(cell, is_more) : cell) + std::string(gap, ' ');
    }
    return text + name + "\n";
}

// What columns leave of a line.
std::size_t room_beside(const std::vector<std::size_t>& columns, std::size_t width) {
    std::size_t used = 0;
    for (const std::size_t column : columns) {
        used += column + gap;
    }
    return width - std::min(width, used);
}

} // namespace

std::string colored(const std::string& text, bool is_worse) {
    return (is_worse ? "\x1b[31m" : "\x1b[32m") + text + "\x1b[0m";
}

std::vector<std::size_t> text_table::widths() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < m_head.size(); ++i) {
        std::size_t& width = widths.emplace_back(count_characters(m_head[i]));
        for (const figures& row : m_rows) {
            width = std::max(width, count_characters(row[i]));
        }
    }
    return widths;
}

bool text_table::fits(std::size_t width) const {
    return width == 0 || room_beside(widths(), width) >= least_room_of_names;
}

// Each name between dashes, as wide as its columns together.
std::string text_table::line_of_groups(const std::vector<std::size_t>& widths) const {
    std::string all;
    for (std::size_t i = 0; i < m_groups.size();) {
        const bool has_name = !m_groups[i].empty();
        const std::string name = has_name ? " " + m_groups[i] + " " : "";
        std::size_t width = widths[i];
        while (++i < m_groups.size() && m_groups[i] == m_groups[i - 1]) {
            width += gap + widths[i];
        }
        const std::size_t dashes = width - std::min(width, count_characters(name));
        const char fill = has_name ? '-' : ' ';
        all += std::string(dashes / 2, fill) + name + std::string(dashes - dashes / 2, fill) +
               std::string(gap, ' ');
    }
    all.erase(all.find_last_not_of(' ') + 1);
    return all.empty() ? all : all + "\n";
}

std::string text_table::text(std::size_t width, bool has_colors) const {
    const std::vector<std::size_t> columns = widths();
    const std::size_t room =
        width == 0 ? std::string::npos : std::max(least_room_of_names, room_beside(columns, width));
    const std::vector<std::string> names = short_names(m_names, room);
    std::string all = line_of_groups(columns) + line(m_head, columns, m_name_head, false);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        all += line(m_rows[i], columns, names[i], has_colors && m_are_news[i]);
    }
    return all;
}

} // namespace pprofdelta::tool
