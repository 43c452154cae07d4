// SPDX-License-Identifier: Apache-2.0
#include "flame_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "compare_figures.hpp"
#include "figures.hpp"
#include "flame_script.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

// In pixels.
constexpr double margin = 10;
constexpr double full_width = 1180;
constexpr double line_height = 17;
constexpr double frames_top = 112;
constexpr std::size_t longest_name = 500; // in characters, for each frame
constexpr double letter_width = 7.3;      // of a monospaced font of 12 pixels

// What is printable is XML, too, but for these.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : printable(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += c;
            break;
        }
    }
    return result;
}

// Without zeros that mean nothing, as there are thousands of them.
std::string pixels(double value) {
    std::string result = fixed_text(value, 2);
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') {
        result.pop_back();
    }
    return result;
}

// Grey for what is as before, red for what grew, blue for what shrank; the stronger, the larger the
// change is compared with the larger of both values.
std::string color(const value_pair& value, double strength = 1) {
    const auto previous = static_cast<double>(value.previous);
    const auto current = static_cast<double>(value.current);
    const double larger = std::max(std::fabs(previous), std::fabs(current));
    const double change =
        larger == 0 ? 0 : strength * std::clamp((current - previous) / larger, -1.0, 1.0);
    constexpr std::array<double, 3> same{232, 232, 232};
    constexpr std::array<double, 3> grown{255, 96, 80};
    constexpr std::array<double, 3> shrunk{96, 144, 255};
    const std::array<double, 3>& other = change > 0 ? grown : shrunk;
    std::array<unsigned, 3> mixed{};
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] =
            static_cast<unsigned>(std::lround(same[i] + (other[i] - same[i]) * std::fabs(change)));
    }
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
    return text.data();
}

// A warm one that differs between names, where there is nothing to compare with.
std::string color(const std::string& name) {
    std::uint32_t hash = 2166136261; // FNV-1a
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    }
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", 244 + hash % 12, 176 + hash / 12 % 48,
                  96 + hash / 576 % 48);
    return text.data();
}

// What of a name fits: without the folders of a package, and of a longer one the end.
std::string label(const std::string& name, double width) {
    const double letters = (width - 6) / letter_width;
    if (letters < 3) {
        return {};
    }
    const std::size_t slash = name.substr(0, name.find_first_of("(<[ ")).rfind('/');
    return shortened(printable(name.substr(slash + 1)), // npos + 1 is 0
                     static_cast<std::size_t>(letters));
}

std::string share_of_all(const flame_graph& graph, const value_pair& value) {
    return " (" + share_text(value.current, graph.nodes.front().value.current) + ")";
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

// Of a graph of medians what is known of all frames that are called like a row; null if it was not
// tested.
const compared_row* row_of(const flame_view& view, const flame_graph::node& node) {
    if (node.depth == 0) {
        return view.total;
    }
    const std::string& name = view.content.names[node.name];
    const auto& rows = view.rows->rows;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const compared_row& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

bool are_tested_medians(const flame_view& view) { return view.rows != nullptr && view.is_tested; }

std::string row_text(const flame_view& view, const flame_graph::node& node) {
    if (!are_tested_medians(view)) {
        return {};
    }
    const std::string start = node.depth == 0 ? "; " : "; all frames of this name: ";
    const compared_row* const row = row_of(view, node);
    return row == nullptr ? start + "not tested"
                          : start + to_string(row->is) + " (" + percent_text(*row) + ", p " +
                                p_text(row->corrected_p) + ")";
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

std::string text_at(double y, const std::string& text, const char* attributes = "") {
    return "<text x=\"" + pixels(margin) + "\" y=\"" + pixels(y) + "\"" + attributes + ">" +
           escaped(text) + "</text>\n";
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
        return "Width is what happened in between.";
    case report::content::profile:
        break;
    }
    return "Width is the value.";
}

// Of the names of files no more than fits beside each other.
std::string subject(const flame_view& view) {
    constexpr std::size_t room = 112;
    if (view.previous.empty()) {
        return short_names({view.current}, room).front();
    }
    const std::vector<std::string> files = short_names({view.previous, view.current}, room / 2);
    return files[0] + " to " + files[1];
}

std::string heading(const flame_view& view) {
    const flame_graph& graph = view.content;
    const std::string& unit = graph.type.unit;
    std::vector<std::string> notes;
    if (graph.vanished != 0) {
        notes.push_back("vanished, and so without a width: " + human(graph.vanished, unit));
    }
    if (graph.left_out != 0) {
        notes.push_back("narrower or deeper frames left out: " + std::to_string(graph.left_out));
    }
    if (!view.filter_text.empty()) {
        notes.push_back(view.filter_text);
    }
    if (!view.normalization_text.empty()) {
        notes.push_back(view.normalization_text);
    }
    std::string note;
    for (const std::string& each : notes) {
        note += (note.empty() ? "" : "; ") + each;
    }
    return text_at(24, to_string(graph.type) + ": " + subject(view), " font-size=\"14\"") +
           text_at(44, value_text(view, graph.nodes.front().value)) +
           text_at(61, legend(view) + " Click to zoom in, Esc to zoom out.") + text_at(78, note) +
           text_at(98, "", " class=\"details\" font-weight=\"bold\"");
}

std::string frame(const flame_view& view, const flame_graph::node& node, const std::string& name,
                  double x, double width) {
    const flame_graph& graph = view.content;
    const double y = frames_top + node.depth * line_height;
    const std::string shown = label(name, width);
    std::string text =
        "<g><title>" + escaped(name) + "\n" + value_text(view, node.value) +
        escaped(row_text(view, node)) + "</title><rect x=\"" + pixels(x) + "\" y=\"" + pixels(y) +
        "\" width=\"" + pixels(width) + "\" height=\"16\" fill=\"" +
        (graph.of == report::content::comparison ? color(node.value, strength(view, node))
                                                 : color(name)) +
        "\"/>";
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
    const std::string size = "width=\"" + pixels(full_width + 2 * margin) + "\" height=\"" +
                             pixels(frames_top + (deepest + 1) * line_height + margin) + "\"";
    std::string text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size +
        " font-family=\"monospace\" font-size=\"12\">\n<title>" +
        escaped("Flame graph of " + to_string(graph.type) + ": " +
                (view.previous.empty() ? "" : view.previous + " to ") + view.current) +
        "</title>\n<style>.frames rect { stroke: white; stroke-width: 0.3 } .frames > g { cursor: "
        "pointer } .frames > g:hover rect { stroke: black } text { pointer-events: "
        "none }</style>\n<rect fill=\"white\" " +
        size + "/>\n" + heading(view) + "<g class=\"frames\">\n";
    const double whole = graph.nodes.front().width;
    const double scale = whole > 0 ? full_width / whole : 0;
    std::vector<std::string> names = short_names(graph.names, longest_name);
    names.front() = "all";
    std::vector<double> ends; // by depth: where the next node there begins
    for (const auto& node : graph.nodes) {
        const double x = node.depth == 0 ? margin : ends[node.depth];
        const double width = node.depth == 0 ? full_width : node.width * scale;
        ends.resize(node.depth + 1);
        ends[node.depth] = x + width;
        ends.push_back(x); // of the first child
        text += frame(view, node, names[node.name], x, width);
    }
    text += "</g>\n<script><![CDATA[";
    text += flame_script;
    return text + "]]></script>\n</svg>\n";
}

} // namespace pprofdelta::tool
