// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>
#include <array>

#include "figures.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr const char* red = "\x1b[31m";
constexpr const char* green = "\x1b[32m";
constexpr const char* plain = "\x1b[0m";

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

// Figures in columns that are as wide as need be, and a name.
class table {
public:
    using figures = std::array<std::string, 5>;

    explicit table(const figures& head, std::string name_head)
        : m_head{head}, m_name_head{std::move(name_head)} {}

    void add(const figures& row, std::string name) {
        m_rows.push_back(row);
        m_names.push_back(std::move(name));
    }

    [[nodiscard]] std::string text(std::size_t width, bool has_colors) const {
        std::array<std::size_t, 5> widths{};
        std::size_t used = 0;
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = m_head[i].size();
            for (const figures& row : m_rows) {
                widths[i] = std::max(widths[i], row[i].size());
            }
            used += widths[i] + 2;
        }
        constexpr std::size_t least = 20;
        const std::size_t room =
            width == 0 ? std::string::npos : std::max(least, width - std::min(width, used));
        const std::vector<std::string> names = short_names(m_names, room);
        std::string all = line(m_head, widths, m_name_head, false);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            all += line(m_rows[i], widths, names[i], has_colors);
        }
        return all;
    }

private:
    static std::string line(const figures& row, const std::array<std::size_t, 5>& widths,
                            const std::string& name, bool has_colors) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool is_change = has_colors && (row[i][0] == '+' || row[i][0] == '-');
            text += is_change ? (row[i][0] == '+' ? red : green) : "";
            text += padded(row[i], widths[i]);
            text += is_change ? plain : "";
            text += "  ";
        }
        return text + name + "\n";
    }

    figures m_head;
    std::string m_name_head;
    std::vector<figures> m_rows;
    std::vector<std::string> m_names;
};

} // namespace

std::string report_as_text(const report_view& view) {
    const report& r = view.content;
    table totals{{"", "change", "previous", "current", "percent"}, "total"};
    for (const auto& [type, value] : r.totals) {
        totals.add({"", human_change(value, type.unit), human(value.previous, type.unit),
                    human(value.current, type.unit), percent_text(value.previous, value.current)},
                   to_string(type));
    }
    const value_type& type = r.totals[r.type].type;
    table rows{{"flat", "cum", "previous", "current", "percent"}, to_string(view.reported.by)};
    const std::size_t shown = std::min(view.top, r.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const value_pair& cumulative = r.rows[i].cumulative;
        rows.add({human_change(r.rows[i].flat, type.unit), human_change(cumulative, type.unit),
                  human(cumulative.previous, type.unit), human(cumulative.current, type.unit),
                  percent_text(cumulative.previous, cumulative.current)},
                 r.rows[i].name);
    }
    std::string text;
    if (view.normalized_by) {
        text += printable(view.normalization_text) + "\n\n";
    }
    text += totals.text(view.width, view.has_colors);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += printable(view.filter_text) + "\n";
    }
    text += printable(to_string(type)) + ": " + std::to_string(shown) + " of " +
            std::to_string(r.rows.size()) + " that changed\n";
    text += rows.text(view.width, view.has_colors);
    if (!view.judgements.empty()) {
        text += "\n";
    }
    for (const judgement& j : view.judgements) {
        const char* const color = j.crossed ? red : green;
        text += view.has_colors ? color : "";
        text += j.crossed ? "crossed" : "kept";
        text += view.has_colors ? plain : "";
        text += "  " + printable(describe(j, view.normalized_by)) + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
