// SPDX-License-Identifier: Apache-2.0
#include "text_table.hpp"

#include <algorithm>

#include "characters.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

// A "\u00b1" is more bytes than columns.
std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, count_characters(text)), ' ') + text;
}

std::string line(const text_table::figures& row, const std::vector<std::size_t>& widths,
                 const std::string& name, bool has_colors) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_change =
            has_colors && !row[i].empty() && (row[i][0] == '+' || row[i][0] == '-');
        const std::string cell = padded(row[i], widths[i]);
        text += (is_change ? colored(cell, row[i][0] == '+') : cell) + "  ";
    }
    return text + name + "\n";
}

} // namespace

std::string colored(const std::string& text, bool is_worse) {
    return (is_worse ? "\x1b[31m" : "\x1b[32m") + text + "\x1b[0m";
}

std::string text_table::text(std::size_t width, bool has_colors) const {
    std::vector<std::size_t> widths(m_head.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = count_characters(m_head[i]);
        for (const figures& row : m_rows) {
            widths[i] = std::max(widths[i], count_characters(row[i]));
        }
        used += widths[i] + 2;
    }
    constexpr std::size_t least = 20;
    const std::size_t room =
        width == 0 ? std::string::npos : std::max(least, width - std::min(width, used));
    const std::vector<std::string> names = short_names(m_names, room);
    std::string all = line(m_head, widths, m_name_head, false);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        all += line(m_rows[i], widths, names[i], has_colors && m_are_news[i]);
    }
    return all;
}

} // namespace pprofdelta::tool
