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
#include "document/capture_cells.hpp"
#include "document/compare.hpp"
#include "document/page.hpp"
#include "document/palette.hpp"
#include "files/path_list.hpp"
#include "page_parts.hpp"

namespace pprofdelta::tool {

namespace {

// In pixels.
constexpr double margin = 10;
constexpr double line_height = 17;
constexpr double first_baseline = 24;
constexpr double controls_height = 36;
constexpr std::size_t longest_name = 500;  // in characters, for each frame
constexpr double letter_width = 7.3;       // of a monospaced font of 12 pixels
constexpr double least_seen = 0.1;         // of what was left out
constexpr double title_letter_width = 8.5; // of 14 pixels

// What a picture looks like, also to its script.
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

std::string escaped(std::string_view text) { return as_markup(printable(text)); }

// Without zeros that mean nothing, as there are thousands of them.
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

// What the script of pages calls it, too.
constexpr const char* left_out_name = "(frames too narrow to show)";

bool has_negative(const flame_graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const flame_graph::node& node) { return node.value.current < 0; });
}

// What all frames have in common.
struct frame_looks {
    const std::vector<std::string>& names; ///< By the name of a node; printable and different.
    bool are_changes;                      ///< Whether colors are of changes, or of signs.
    distinct_names labels;
    group_colors groups;
};

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
    std::sort(widths.begin(), widths.end());
    const std::size_t too_many = std::min(graph.nodes.size() - most_frames, widths.size());
    return too_many == 0 ? 0 : widths[too_many - 1];
}

std::string name_of(const flame_graph::node& node, const frame_looks& looks) {
    return is_left_out(node) ? left_out_name : looks.names[node.name];
}

// What of a name fits.
std::string label(const std::string& name, const frame_looks& looks, double width) {
    const double letters = (width - 6) / letter_width;
    return letters < 3 ? "" : looks.labels.shortened(name, static_cast<std::size_t>(letters));
}

frame_looks looks_of(const flame_graph& graph, const std::vector<std::string>& names) {
    std::set<std::string> shown;
    frame_looks looks{names,
                      graph.of == report::content::comparison || has_negative(graph),
                      distinct_names{{}},
                      {}};
    for (const flame_graph::node& node : graph.nodes) {
        shown.insert(name_of(node, looks));
        if (node.name != 0) {
            looks.groups.add(names[node.name], std::fabs(static_cast<double>(node.value.current)));
        }
    }
    looks.labels = distinct_names{{shown.begin(), shown.end()}};
    looks.groups.choose();
    return looks;
}

std::string share_of_all(const flame_graph& graph, const value_pair& value) {
    const double whole = std::min(graph.nodes.front().width, 0x1p62); // which fits in any case
    return " (" + share_text(value.current, static_cast<std::int64_t>(whole)) + ")";
}

std::string value_text(const flame_view& view, const value_pair& value) {
    const flame_graph& graph = view.content;
    const std::string& unit = graph.type.unit;
    const bool are_medians = view.rows != nullptr;
    switch (graph.of) {
    case report::content::comparison:
        return (are_medians ? "base " : "previous ") + human(value.previous, unit) +
               (are_medians ? ", head " : ", current ") + human(value.current, unit) + ", change " +
               human_change(value, unit) + " (" + percent_text(value.previous, value.current) + ")";
    case report::content::delta:
        return human_change(value.current, unit) + share_of_all(graph, value);
    case report::content::profile:
        break;
    }
    return human(value.current, unit) + share_of_all(graph, value);
}

// What a graph of medians knows of all frames that are called like a row; null if it was not
// tested.
const compared_row* row_of(const flame_view& view, const flame_graph::node& node) {
    if (node.depth == 0) {
        return view.total;
    }
    const std::string& name = view.content.names[node.name];
    const auto& rows = view.rows->rows;
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const compared_row& row) {
        return row.name == name || (row.name.size() > name.size() && cut_name(row.name) == name);
    });
    return at == rows.end() ? nullptr : &*at;
}

bool are_tested_medians(const flame_view& view) { return view.rows != nullptr && view.is_tested; }

std::string row_text(const flame_view& view, const flame_graph::node& node) {
    if (!are_tested_medians(view)) {
        return {};
    }
    const std::string start = node.depth == 0 ? "; " : "; all frames of this name: ";
    const compared_row* const row = row_of(view, node);
    return row == nullptr ? start + "not tested"
                          : start + to_string(row->verdict) + " (shift " + percent_of_row(*row) +
                                ", p " + p_text(row->corrected_p) + ")";
}

// Weak where a change may be noise.
double strength(const flame_view& view, const flame_graph::node& node) {
    constexpr double pale = 0.2;
    if (!are_tested_medians(view)) {
        return 1;
    }
    const compared_row* const row = row_of(view, node);
    return row != nullptr && row->is_real() ? 1 : pale;
}

std::string legend(const flame_view& view) {
    if (view.rows != nullptr) {
        return std::string{"Width is the median of the head. Red grew, blue shrank"} +
               (view.is_tested ? "; pale may be noise." : "; without a test, it may be noise.");
    }
    switch (view.content.of) {
    case report::content::comparison:
        return "Width is the current value. Red grew, blue shrank, grey is as before.";
    case report::content::delta:
        return "Width is the value of the delta.";
    case report::content::profile:
        break;
    }
    return "Width is the value.";
}

// Without the folders of this machine, and of each name no more than fits on a line.
std::string subject(const flame_view& view, std::size_t room) {
    constexpr std::size_t most = 56;
    const std::vector<std::string> files =
        short_names(file_labels(view.previous.empty() ? std::vector{view.current}
                                                      : std::vector{view.previous, view.current}),
                    std::min(room, most));
    return to_string(view.content.type) + ": " + files.front() +
           (files.size() == 1 ? "" : " to " + files.back());
}

std::string notes(const flame_view& view) {
    const flame_graph& graph = view.content;
    std::string all;
    const auto add = [&](const std::string& note) { all += (all.empty() ? "" : "; ") + note; };
    if (graph.vanished != 0) {
        add("vanished, so without a width: " + human(graph.vanished, graph.type.unit));
    }
    if (graph.left_out != 0) {
        add("narrower or deeper frames left out: " + std::to_string(graph.left_out));
    }
    if (has_negative(graph)) {
        add("some values are negative: widths are sums of absolute values" +
            std::string{graph.of == report::content::comparison
                            ? ""
                            : ", as are shares; red is above zero, blue below"});
    }
    if (!view.filter_text.empty()) {
        add(view.filter_text);
    }
    if (!view.normalization_text.empty()) {
        add(view.normalization_text);
    }
    return all;
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

// What stands above the frames.
struct heading {
    std::string text;
    double end; // in pixels
};

heading heading_of(const flame_view& view) {
    const double width = view.width - 2 * margin;
    heading lines{{}, first_baseline};
    const auto add = [&](const std::string& text, double letter, const std::string& attributes) {
        const auto room = static_cast<std::size_t>(width / letter);
        for (const std::string& line : wrapped(text, room)) {
            lines.text += "<text x=\"" + pixels(margin) + "\" y=\"" + pixels(lines.end) + "\"" +
                          attributes + ">" + escaped(line) + "</text>\n";
            lines.end += line_height;
        }
    };
    add(subject(view, static_cast<std::size_t>(width / title_letter_width)), title_letter_width,
        " font-size=\"14\"");
    lines.end += 3;
    add(value_text(view, view.content.nodes.front().value), letter_width, "");
    add(legend(view), letter_width, "");
    add(notes(view), letter_width, "");
    return lines;
}

// Where its script puts what it adds. An ordinary picture has an empty space there.
std::string controls(double top) {
    return "<g class=\"controls\" transform=\"translate(" + pixels(margin) + " " + pixels(top) +
           ")\"/>\n";
}

color color_of(const flame_view& view, const flame_graph::node& node, const frame_looks& looks) {
    if (is_left_out(node)) {
        return left_out_color;
    }
    if (looks.are_changes) {
        return color_of_change(strength(view, node) * relative_change(node.value));
    }
    return node.depth == 0 ? unchanged_color : looks.groups.of(looks.names[node.name]);
}

std::string frame(const flame_view& view, const flame_graph::node& node, const frame_looks& looks,
                  double x, double y, double width) {
    const std::string name = name_of(node, looks);
    const std::string shown = label(name, looks, width);
    const color fill = color_of(view, node, looks);
    std::string text = std::string{is_dark(fill) ? "<g class=\"dark\">" : "<g>"} + "<title>" +
                       escaped(name) + "\n" + value_text(view, node.value) +
                       (is_left_out(node) ? "" : escaped(row_text(view, node))) +
                       "</title><rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" width=\"" +
                       pixels(width) + "\" height=\"16\" fill=\"" + to_string(fill) + "\"/>";
    if (!shown.empty()) {
        text += "<text x=\"" + pixels(x + 3) + "\" y=\"" + pixels(y + 12) + "\">" + escaped(shown) +
                "</text>";
    }
    return text + "</g>\n";
}

} // namespace

std::string flame_graph_as_svg(const flame_view& view) {
    const flame_graph& graph = view.content;
    std::uint32_t deepest = 0;
    for (const auto& node : graph.nodes) {
        deepest = std::max(deepest, node.depth);
    }
    const heading above = heading_of(view);
    const double frames_top = above.end + controls_height;
    const std::string size = "width=\"" + std::to_string(view.width) + "\" height=\"" +
                             pixels(frames_top + (deepest + 1) * line_height + margin) + "\"";
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
                       " font-family=\"monospace\" font-size=\"12\">\n<title>" +
                       escaped("Flame graph of " + subject(view, longest_name)) +
                       "</title>\n<style>";
    text += flame_style;
    text += "</style>\n<rect fill=\"white\" " + size + "/>\n" + above.text + controls(above.end) +
            "<g class=\"frames\">\n";
    const double full_width = view.width - 2 * margin;
    const double whole = graph.nodes.front().width;
    const double scale = whole > 0 ? full_width / whole : 0;
    std::vector<std::string> names = short_names(graph.names, longest_name);
    names.front() = "all";
    const frame_looks looks = looks_of(graph, names);
    const double too_many = width_of_too_many(graph);
    std::vector<double> ends; // by depth: where the next node there begins
    for (const auto& node : graph.nodes) {
        const double x = node.depth == 0 ? margin : ends[node.depth];
        const double width = node.depth == 0 ? full_width : node.width * scale;
        ends.resize(node.depth + 1);
        ends[node.depth] = x + width;
        ends.push_back(x); // of the first child
        if (is_left_out(node) && (node.width <= too_many || width < least_seen)) {
            continue;
        }
        text += frame(view, node, looks, x, frames_top + node.depth * line_height, width);
    }
    text += "</g>\n<script><![CDATA[";
    for (const std::string_view part : picture_script) {
        text += part;
    }
    return text + "]]></script>\n</svg>\n";
}

} // namespace pprofdelta::tool
