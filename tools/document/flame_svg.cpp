// SPDX-License-Identifier: Apache-2.0
#include "document/flame_svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/compare.hpp"
#include "document/page.hpp"
#include "document/palette.hpp"
#include "files/path_list.hpp"
#include "page_parts.hpp"

namespace pprofdelta::tool {

namespace {

// Lengths are in pixels.
constexpr double margin = 10;
constexpr double line_height = 17;
constexpr double first_baseline = 24;
constexpr double controls_height = 36;
constexpr double letter_width = 7.3;       // of a monospaced font of 12 pixels
constexpr double least_seen = 0.1;         // of what was left out
constexpr double title_letter_width = 8.5; // of 14 pixels

// The looks of a picture, on which its script also relies.
constexpr std::string_view flame_style = R"css(
.frames rect { stroke: white; stroke-width: 0.3 }
.frames > g { cursor: pointer }
.frames > g:hover rect, .frames > .match rect { stroke: black; stroke-width: 1 }
.frames > .dark text { fill: white }
.frames > .above { opacity: 0.5 }
.searching > g:not(.match) { opacity: 0.3 }
text { pointer-events: none }
.details { font-weight: bold }
.search { box-sizing: border-box; width: 100%; height: 100%; font: inherit; padding: 0 4px }
@media print { foreignObject { display: none } }
)css";

// The script of pages uses the same name.
constexpr const char* left_out_name = "(frames too narrow to show)";

std::string escaped(std::string_view text) { return as_markup(printable(text)); }

// Trailing zeros are left out, since there are thousands of them.
std::string pixels(double value) {
    std::string result = fixed_text(value, 2);
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') {
        result.pop_back();
    }
    return result;
}

// The change as a part of the larger value, so that what is new is 1 and what is gone -1.
double relative_change(const value_pair& value) {
    const auto previous = static_cast<double>(value.previous);
    const auto current = static_cast<double>(value.current);
    const double larger = std::max(std::fabs(previous), std::fabs(current));
    return larger == 0 ? 0 : (current - previous) / larger;
}

// Lines of as many words as fit, and what of a longer word fits.
std::vector<std::string> wrapped(const std::string& text, std::size_t room) {
    std::vector<std::string> lines;
    std::size_t used = room;
    std::istringstream words{printable(text)};
    for (std::string word; std::getline(words, word, ' ');) {
        word = shortened(word, room);
        const std::size_t letters = count_characters(word);
        if (used + 1 + letters > room) {
            lines.push_back(word);
            used = letters;
        } else {
            lines.back() += " " + word;
            used += 1 + letters;
        }
    }
    return lines;
}

std::string legend(const flame_view& view) {
    if (view.rows != nullptr) {
        return std::string{"Width is the median of the head. Red grew, blue shrank"} +
               (view.is_tested ? "; pale may be noise." : "; without a test, it may be noise.");
    }
    return view.content.of == report::content::comparison
               ? "Width is the current value. Red grew, blue shrank, grey is as before."
           : view.content.of == report::content::delta ? "Width is the value of the delta."
                                                       : "Width is the value.";
}

// The names lack the folders of this machine, and each is cut to fit on a line.
std::string subject(const flame_view& view, std::size_t room) {
    constexpr std::size_t most = 56;
    const std::vector<std::string> files =
        short_names(file_labels(view.previous.empty() ? std::vector{view.current}
                                                      : std::vector{view.previous, view.current}),
                    std::min(room, most));
    return to_string(view.content.type) + ": " + files.front() +
           (files.size() == 1 ? "" : " to " + files.back());
}

bool is_left_out(const flame_graph::node& node) { return node.depth > 0 && node.name == 0; }

// Frames of what was left out are drawn if they are wider than this, for there not to be too many.
double width_of_too_many(const flame_graph& graph) {
    if (graph.nodes.size() <= most_frames) {
        return 0;
    }
    std::vector<double> widths;
    for (const flame_graph::node& node : graph.nodes) {
        if (is_left_out(node)) {
            widths.push_back(node.width);
        }
    }
    std::ranges::sort(widths);
    const std::size_t too_many = std::min(graph.nodes.size() - most_frames, widths.size());
    return too_many == 0 ? 0 : widths[too_many - 1];
}

// A picture, and what all its frames have in common.
class picture {
public:
    explicit picture(const flame_view& view)
        : m_view{view}, m_graph{view.content},
          m_has_negative{std::ranges::any_of(
              m_graph.nodes, [](const auto& node) { return node.value.current < 0; })},
          m_names{short_names(m_graph.names, longest_name)}, m_groups{{&m_graph}} {
        m_names.front() = "all";
        std::set<std::string> shown;
        for (const flame_graph::node& node : m_graph.nodes) {
            shown.insert(name_of(node));
        }
        m_labels = distinct_names{{shown.begin(), shown.end()}};
    }

    [[nodiscard]] std::string svg() const {
        std::uint32_t deepest = 0;
        for (const auto& node : m_graph.nodes) {
            deepest = std::max(deepest, node.depth);
        }
        double top = first_baseline;
        const std::string above = heading(top);
        std::vector<std::string> names;
        const std::string drawn = frames(top + controls_height, names);
        const std::string size =
            "width=\"" + std::to_string(m_view.width) + "\" height=\"" +
            pixels(top + controls_height + (deepest + 1) * line_height + margin) + "\"";
        std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
                           " font-family=\"monospace\" font-size=\"12\">\n<title>" +
                           escaped("Flame graph of " + subject(m_view, longest_name)) +
                           "</title>\n<style>";
        text += flame_style;
        // Its script puts what it adds into the controls. An ordinary picture has an empty space.
        text += "</style>\n<rect fill=\"white\" " + size + "/>\n" + above +
                "<g class=\"controls\" transform=\"translate(" + pixels(margin) + " " +
                pixels(top) + ")\"/>\n<g class=\"frames\">\n" + drawn + "</g>\n<metadata>" +
                as_markup(forms_as_json(names, m_labels)) + "</metadata>\n<script><![CDATA[" +
                joined(picture_script, "") + "]]></script>\n</svg>\n";
        return text;
    }

private:
    // The text above the frames.
    // @param end is set to the end of the heading, in pixels.
    std::string heading(double& end) const {
        const double width = m_view.width - 2 * margin;
        std::string lines;
        const auto add = [&](const std::string& text, double letter,
                             const std::string& attributes) {
            for (const std::string& line :
                 wrapped(text, static_cast<std::size_t>(width / letter))) {
                lines += "<text x=\"" + pixels(margin) + "\" y=\"" + pixels(end) + "\"" +
                         attributes + ">" + escaped(line) + "</text>\n";
                end += line_height;
            }
        };
        add(subject(m_view, static_cast<std::size_t>(width / title_letter_width)),
            title_letter_width, " font-size=\"14\"");
        end += 3;
        add(value_text(m_graph.nodes.front()), letter_width, "");
        add(legend(m_view), letter_width, "");
        add(notes(), letter_width, "");
        return lines;
    }

    std::string notes() const {
        std::string all;
        const auto add = [&](const std::string& note) { all += (all.empty() ? "" : "; ") + note; };
        if (m_graph.vanished != 0) {
            add("vanished, so without a width: " +
                format_value(m_graph.vanished, m_graph.type.unit));
        }
        if (m_graph.left_out != 0) {
            add("narrower or deeper frames left out: " + std::to_string(m_graph.left_out));
        }
        if (m_has_negative) {
            add("some values are negative: widths are sums of absolute values" +
                std::string{m_graph.of == report::content::comparison
                                ? ""
                                : ", as are shares; red is above zero, blue below"});
        }
        for (const std::string& each : {m_view.filter_text, m_view.normalization_text}) {
            if (!each.empty()) {
                add(each);
            }
        }
        return all;
    }

    // @param names gets those that are drawn, in the order of their first frames.
    std::string frames(double top, std::vector<std::string>& names) const {
        const double full_width = m_view.width - 2 * margin;
        const double whole = m_graph.nodes.front().width;
        const double scale = whole > 0 ? full_width / whole : 0;
        const double too_many = width_of_too_many(m_graph);
        std::string text;
        std::vector<double> ends; // by depth: where the next node there begins
        std::set<std::string> known;
        for (const auto& node : m_graph.nodes) {
            const double x = node.depth == 0 ? margin : ends[node.depth];
            const double width = node.depth == 0 ? full_width : node.width * scale;
            ends.resize(node.depth + 1);
            ends[node.depth] = x + width;
            ends.push_back(x); // of the first child
            if (!is_left_out(node) || (node.width > too_many && width >= least_seen)) {
                text += frame(node, x, top + node.depth * line_height, width);
                if (const auto [name, is_new] = known.insert(name_of(node)); is_new) {
                    names.push_back(*name);
                }
            }
        }
        return text;
    }

    std::string frame(const flame_graph::node& node, double x, double y, double width) const {
        const std::string name = name_of(node);
        const double letters = (width - 6) / letter_width;
        const std::string label =
            letters < 3 ? "" : m_labels.shortened(name, static_cast<std::size_t>(letters));
        const color fill = color_of(node);
        const std::string text =
            std::string{is_dark(fill) ? "<g class=\"dark\">" : "<g>"} + "<title>" + escaped(name) +
            "\n" + value_text(node) + (is_left_out(node) ? "" : escaped(row_text(node))) +
            "</title><rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" +
            pixels(width) + "\" height=\"16\" fill=\"" + to_string(fill) + "\"/>";
        return text +
               (label.empty() ? ""
                              : "<text x=\"" + pixels(x + 3) + "\" y=\"" + pixels(y + 12) + "\">" +
                                    escaped(label) + "</text>") +
               "</g>\n";
    }

    std::string name_of(const flame_graph::node& node) const {
        return is_left_out(node) ? left_out_name : m_names[node.name];
    }

    color color_of(const flame_graph::node& node) const {
        if (is_left_out(node)) {
            return left_out_color;
        }
        if (m_graph.of == report::content::comparison || m_has_negative) {
            constexpr double pale = 0.2; // where a change may be noise
            const compared_row* const row = is_tested() ? row_of(node) : nullptr;
            const bool is_strong = !is_tested() || (row != nullptr && row->is_significant());
            return color_of_change((is_strong ? 1 : pale) * relative_change(node.value));
        }
        return node.depth == 0 ? light_palette.unchanged
                               : light_palette.groups[m_groups.place(m_graph.names[node.name])];
    }

    std::string value_text(const flame_graph::node& node) const {
        const value_pair& value = node.value;
        const std::string& unit = m_graph.type.unit;
        const bool are_medians = m_view.rows != nullptr;
        if (m_graph.of == report::content::comparison) {
            return (are_medians ? "base " : "previous ") + format_value(value.previous, unit) +
                   (are_medians ? ", head " : ", current ") + format_value(value.current, unit) +
                   change_text(node);
        }
        const double whole = std::min(m_graph.nodes.front().width, 0x1p62); // which fits always
        return (m_graph.of == report::content::delta ? human_change(value.current, unit)
                                                     : format_value(value.current, unit)) +
               " (" + share_text(value.current, static_cast<std::int64_t>(whole)) + ")";
    }

    // The change of all is what the command says of the total; that of a frame is between medians.
    std::string change_text(const flame_graph::node& node) const {
        const std::string& unit = m_graph.type.unit;
        const bool is_shift = node.depth == 0 && is_tested() && m_view.total != nullptr;
        return is_shift ? ", shift " + human_change(m_view.total->change, unit) + " (" +
                              percent_of_row(*m_view.total) + ")"
                        : (m_view.rows != nullptr ? ", change of medians " : ", change ") +
                              human_change(node.value, unit) + " (" +
                              percent_text(node.value.previous, node.value.current) + ")";
    }

    bool is_tested() const { return m_view.rows != nullptr && m_view.is_tested; }

    // The tested row of a graph of medians for all frames of one name; null if it was not tested.
    const compared_row* row_of(const flame_graph::node& node) const {
        if (node.depth == 0) {
            return m_view.total;
        }
        const std::string& name = m_graph.names[node.name];
        const auto& rows = m_view.rows->rows;
        const auto at = std::ranges::find_if(rows, [&](const compared_row& row) {
            return row.name == name ||
                   (row.name.size() > name.size() && cut_name(row.name) == name);
        });
        return at == rows.end() ? nullptr : &*at;
    }

    std::string row_text(const flame_graph::node& node) const {
        if (!is_tested()) {
            return {};
        }
        const bool is_root = node.depth == 0;
        const std::string start = is_root ? "; " : "; all frames of this name: ";
        const compared_row* const row = row_of(node);
        return row == nullptr ? start + "not tested"
                              : start + to_string(row->verdict) + " (" +
                                    (is_root ? "" : "shift " + percent_of_row(*row) + ", ") + "p " +
                                    p_text(row->corrected_p) + ")";
    }

    const flame_view& m_view;
    const flame_graph& m_graph;
    bool m_has_negative;
    std::vector<std::string> m_names; // by the name of a node; printable and different
    distinct_names m_labels{{}};
    group_colors m_groups;
};

} // namespace

std::string flame_graph_as_svg(const flame_view& view) { return picture{view}.svg(); }

} // namespace pprofdelta::tool
