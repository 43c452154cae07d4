// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TEXT_TABLE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TEXT_TABLE_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

/// A word in the terminal's red, for what is worse, or green.
[[nodiscard]] std::string colored(const std::string& text, bool is_worse);

/// Figures in columns that are as wide as necessary, and a name.
class text_table {
public:
    using figures = std::vector<std::string>;

    /// @param groups of each column, which stand together above it; empty for none.
    text_table(figures head, std::string name_head, figures groups = {})
        : m_head{std::move(head)}, m_name_head{std::move(name_head)}, m_groups{std::move(groups)} {}

    /// @param is_news whether its figures with a sign have a color.
    void add(const figures& row, std::string name, bool is_news = true) {
        m_rows.push_back(row);
        m_names.push_back(std::move(name));
        m_are_news.push_back(is_news);
    }

    /// Whether names have room in a line of this width; 0 for no limit.
    [[nodiscard]] bool fits(std::size_t width) const;

    /// @param width      of a line, which the names are shortened to fit; 0 for no limit.
    /// @param has_colors of figures with a sign, as a terminal shows them.
    [[nodiscard]] std::string text(std::size_t width, bool has_colors) const;

private:
    [[nodiscard]] std::vector<std::size_t> widths() const;
    [[nodiscard]] std::string line_of_groups(const std::vector<std::size_t>& widths) const;

    figures m_head;
    std::string m_name_head;
    figures m_groups;
    std::vector<figures> m_rows;
    std::vector<std::string> m_names;
    std::vector<bool> m_are_news;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TEXT_TABLE_HPP
