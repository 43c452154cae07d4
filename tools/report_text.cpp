// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

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

// Figures in columns that are as wide as necessary, and a name.
class table {
public:
    using figures = std::vector<std::string>;

    table(figures head, std::string name_head)
        : m_head{std::move(head)}, m_name_head{std::move(name_head)} {}

    void add(const figures& row, std::string name) {
        m_rows.push_back(row);
        m_names.push_back(std::move(name));
    }

    [[nodiscard]] std::string text(std::size_t width, bool has_colors) const {
        std::vector<std::size_t> widths(m_head.size());
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
    static std::string line(const figures& row, const std::vector<std::size_t>& widths,
                            const std::string& name, bool has_colors) {
        std::string text;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool is_change =
                has_colors && !row[i].empty() && (row[i][0] == '+' || row[i][0] == '-');
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

table table_of_totals(const report& r) {
    if (r.of == report::content::profile && !r.totals.front().has_previous) {
        table totals{{"value"}, "total"};
        for (const report::total& t : r.totals) {
            totals.add({human(t.value.current, t.type.unit)}, to_string(t.type));
        }
        return totals;
    }
    table totals{{"change", "previous", "current", "percent"}, "total"};
    for (const report::total& t : r.totals) {
        totals.add({t.has_change ? human_change(t.change, t.type.unit) : "",
                    t.has_previous ? human(t.value.previous, t.type.unit) : "",
                    human(t.value.current, t.type.unit),
                    t.has_previous ? percent_text(t.value, t.change) : ""},
                   to_string(t.type));
    }
    return totals;
}

table table_of_rows(const report_view& view, std::size_t shown) {
    const report& r = view.content;
    const std::string& unit = r.totals[r.type].type.unit;
    if (r.of == report::content::comparison) {
        table rows{{"flat", "cum", "previous", "current", "percent"}, to_string(view.reported.by)};
        for (std::size_t i = 0; i < shown; ++i) {
            const value_pair& cumulative = r.rows[i].cumulative;
            rows.add({human_change(r.rows[i].flat, unit), human_change(cumulative, unit),
                      human(cumulative.previous, unit), human(cumulative.current, unit),
                      percent_text(cumulative.previous, cumulative.current)},
                     r.rows[i].name);
        }
        return rows;
    }
    const std::int64_t whole = shares_of(r).current;
    const auto text = [&](std::int64_t value) {
        return r.of == report::content::delta ? human_change(value, unit) : human(value, unit);
    };
    table rows{{"flat", "flat%", "cum", "cum%"}, to_string(view.reported.by)};
    for (std::size_t i = 0; i < shown; ++i) {
        const std::int64_t flat = r.rows[i].flat.current;
        const std::int64_t cumulative = r.rows[i].cumulative.current;
        rows.add(
            {text(flat), share_text(flat, whole), text(cumulative), share_text(cumulative, whole)},
            r.rows[i].name);
    }
    return rows;
}

} // namespace

std::string report_as_text(const report_view& view) {
    const report& r = view.content;
    const table totals = table_of_totals(r);
    const std::size_t shown = std::min(view.top, r.rows.size());
    const table rows = table_of_rows(view, shown);
    std::string text;
    if (view.normalized_by) {
        text += printable(view.normalization_text) + "\n\n";
    }
    text += totals.text(view.width, view.has_colors);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += printable(view.filter_text) + "\n";
    }
    text +=
        printable(heading_of_rows(r, shown)) +
        (view.reported.sample_type || r.totals.size() == 1 ? "" : " (for others --sample-type)") +
        "\n";
    text += rows.text(view.width, view.has_colors);
    if (!view.judgements.empty()) {
        text += "\n";
    }
    for (const judgement& j : view.judgements) {
        const char* const color = j.crossed ? red : green;
        text += view.has_colors ? color : "";
        text += j.crossed ? "crossed" : j.unknown.empty() ? "kept" : "unknown";
        text += view.has_colors ? plain : "";
        text += "  " + printable(describe(j, view.normalized_by)) + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
