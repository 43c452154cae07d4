// SPDX-License-Identifier: Apache-2.0
#include "document/page.hpp"

#include <utility>

#include <nlohmann/json.hpp>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/version.hpp>

#include "page_parts.hpp"

namespace pprofdelta::tool {

// The base64 of RFC 4648, with padding and without line breaks.
static std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    std::uint32_t bits = 0;
    unsigned count = 0; // of bits that are in no digit yet
    for (const char byte : bytes) {
        bits = bits << 8U | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) {
            result += digits[bits >> (count - 6) & 0x3FU];
        }
    }
    if (count > 0) {
        result += digits[bits << (6 - count) & 0x3FU];
    }
    result.resize((result.size() + 3) / 4 * 4, '=');
    return result;
}

std::string as_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return result;
}

std::string forms_as_json(const std::vector<std::string>& names, const distinct_names& distinct) {
    std::string all = "[";
    for (const std::string& name : names) {
        const name_forms forms = distinct.forms(name);
        all += (all.size() == 1 ? "[" : ",[") + std::to_string(forms.tail);
        std::string_view whole = name;
        for (const std::string& text : forms.texts) {
            all += ',';
            if (whole.ends_with(text)) {
                all += std::to_string(count_characters(text));
            } else {
                all += to_text(text, json_layout::compact);
                whole = text;
            }
        }
        all += ']';
    }
    return all + "]";
}

std::string html_page(const std::string& title, const std::string& json, const std::string& text,
                      page_kind kind) {
    constexpr int level = 6; // The highest is 6 % smaller, and takes four times as long.
    const bool is_usual = kind == page_kind::usual;
    const std::array<std::string, page_html.size() - 1> between{
        joined(is_usual ? page_policy : periods_policy, ""),
        as_markup(title),
        is_usual ? joined(page_style, "") : joined(periods_style, ""),
        is_usual ? joined(page_script, "") : joined(periods_script, ""),
        as_markup(text),
        base64(encode(json, codec::gzip, level))};
    std::string page;
    for (std::size_t i = 0; i < between.size(); ++i) {
        page.append(page_html[i]).append(between[i]);
    }
    return page.append(page_html.back());
}

namespace {

ordered_json shown_or_null(const std::string& any) { return text_or_null(page_text(any)); }

// Lines of text, but a sentence that goes on in the next one is a line: pages break lines
// themselves.
std::vector<std::string> lines_of(const std::vector<std::string>& texts) {
    std::vector<std::string> lines;
    for (const std::string& each : texts) {
        bool goes_on = false;
        for_each_part(each, '\n', [&](std::string_view line, std::size_t) {
            if (goes_on) {
                lines.back().append(" ").append(line);
            } else {
                lines.emplace_back(line);
            }
            goes_on = !line.ends_with('.');
        });
    }
    return lines;
}

ordered_json seconds_or_null(std::int64_t nanos) {
    return nanos > 0 ? ordered_json(seconds_of(nanos)) : nullptr;
}

ordered_json input_json(const page_input& input) {
    const profile_info info = input.info.value_or(profile_info{});
    return {{"role", page_text(input.role)},
            {"name", page_text(input.name)},
            {"time", shown_or_null(time_text(info.time_nanos))},
            {"duration_seconds", seconds_or_null(info.duration_nanos)},
            {"binary", shown_or_null(info.binary)},
            {"build", shown_or_null(info.build_id)}};
}

ordered_json judged_json(const document::limit& limit) {
    return {{"text", printable(limit.text)},
            {"state", limit.as == document::judged::crossed ? "crossed"
                      : limit.as == document::judged::kept  ? "kept"
                                                            : "unjudged"}};
}

} // namespace

std::string page_text(const std::string& any) {
    return shortened(printable(cut_name(any)), longest_name);
}

std::size_t page_names::number(std::string_view name) {
    const auto [entry, is_new] = m_numbers.try_emplace(cut_name(name), m_names.size());
    if (is_new) {
        m_names.push_back(entry->first);
    }
    return entry->second;
}

std::vector<std::string> page_names::shown() const {
    std::vector<std::string> shown = short_names(m_names, longest_name);
    shown.front().clear();
    return shown;
}

std::vector<std::string>
page_names::places(const std::map<std::string, source_place>& known) const {
    std::vector<std::string> all;
    for (const std::string& name : m_names) {
        const auto at = known.find(name);
        const source_place place = at == known.end() ? source_place{} : at->second;
        std::string where = place.file;
        if (!where.empty() && place.first_line > 0) {
            where += ":" + std::to_string(place.first_line);
            where +=
                place.last_line > place.first_line ? "-" + std::to_string(place.last_line) : "";
        }
        all.push_back(page_text(where));
    }
    return all;
}

std::vector<std::size_t> page_names::groups(const group_colors& colors) const {
    return mapped(m_names, [&](const std::string& name) { return colors.place(name); });
}

ordered_json page_type(const value_type& type, bool is_cumulative, const std::string& content) {
    return {{"name", page_text(type.type)},
            {"unit", page_text(type.unit)},
            {"cumulative", is_cumulative},
            {"content", content}};
}

ordered_json page_tree(const flame_graph& graph, page_names& names, bool are_medians) {
    std::vector<std::size_t> numbers_of_names; // which come in the order of the nodes
    for (const std::string& name : graph.names) {
        numbers_of_names.push_back(numbers_of_names.empty() ? 0 : names.number(name));
    }
    const auto of_each = [&](auto&& number) {
        return written_numbers(mapped(graph.nodes, number));
    };
    const auto name = [&](const flame_graph::node& node) {
        return static_cast<std::int64_t>(numbers_of_names[node.name]);
    };
    const auto depth = [](const flame_graph::node& node) { return std::int64_t{node.depth}; };
    const auto previous = [](const flame_graph::node& node) { return node.value.previous; };
    const auto current = [](const flame_graph::node& node) { return node.value.current; };
    const bool has_previous = graph.of == report::content::comparison;
    return {{"name", of_each(name)},
            {"depth", of_each(depth)},
            {"previous", has_previous ? of_each(previous) : written_numbers({})},
            {"current", of_each(current)},
            {"left_out", graph.left_out},
            {"medians", are_medians}};
}

static ordered_json table_json(const table& shown, const std::string& title) {
    const auto column_json = [](const table::column& column) -> ordered_json {
        return {{"head", column.head}, {"verdict", column.cells == table::kind::verdict}};
    };
    const auto row_json = [](const table::row& row) -> ordered_json {
        return {{"name", page_text(row.name)},
                {"depth", row.indent},
                {"news", row.is_news},
                {"cells", row.cells}};
    };
    return {{"title", page_text(title)},
            {"of", page_text(shown.of)},
            {"columns", mapped(shown.columns, column_json)},
            {"rows", mapped(shown.rows, row_json)}};
}

static ordered_json finding_json(const document::finding& found) {
    return {{"text", page_text(found.of + " " + found.what)},
            {"details", page_text(found.how)},
            {"notes", mapped(found.notes, printable)},
            {"from", table_json(found.from, {})}};
}

std::string page_title(const page_head& head) {
    const std::vector<document::finding>& found = head.answer.findings;
    return page_text(found.empty() ? head.about : found.front().of + " " + found.front().what);
}

ordered_json summary_json(const document& found) {
    ordered_json sentences = ordered_json::array();
    ordered_json causes = ordered_json::array();
    for (const document::finding& each : found.findings) {
        sentences.push_back(page_text(each.of + " " + each.what + each.how));
        for (const table::row& row : each.from.rows) {
            ordered_json& cause = causes.emplace_back();
            cause["depth"] = row.indent;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                cause[each.from.columns[i].head] = row.cells[i];
            }
            cause["name"] = page_text(row.name);
        }
    }
    return {{"sentences", std::move(sentences)},
            {"causes", std::move(causes)},
            {"notes", mapped(found.notes_of_findings, line_of)},
            {"limits", mapped(found.limits, judged_json)}};
}

std::string page_data(const page_head& head, ordered_json types, const page_names& names,
                      ordered_json more) {
    ordered_json all{{"version", 1},
                     {"program", std::string{"pprofdelta "} + version()},
                     {"command", page_text(head.command)},
                     {"title", page_title(head)},
                     {"about", page_text(head.about)},
                     {"sides", {page_text(head.sides[0]), page_text(head.sides[1])}},
                     {"inputs", mapped(head.inputs, input_json)},
                     {"options", mapped(head.options, printable)},
                     {"warnings", mapped(head.warnings, printable)},
                     {"findings", mapped(head.answer.findings, finding_json)},
                     {"remarks", mapped(mapped(head.answer.notes_of_findings, line_of), printable)},
                     {"notes", mapped(lines_of(head.notes), printable)},
                     {"limits", mapped(head.answer.limits, judged_json)},
                     {"interval", shown_or_null(head.interval)},
                     {"duration_seconds", seconds_or_null(head.duration_nanos)},
                     {"per", !head.per                        ? nullptr
                             : *head.per == rate_time::second ? ordered_json("second")
                                                              : ordered_json("minute")},
                     {"width", head.begins_with_change ? "change" : "current"},
                     {"by", page_text(head.by)},
                     {"type", head.type}};
    if (!head.answer.types.empty()) {
        all["tables"] = mapped(head.answer.types, [](const document::rows_of_type& each) {
            return table_json(each.rows, each.type + each.heading);
        });
    }
    for (auto& [key, value] : more.get_ref<ordered_json::object_t&>()) {
        all[key] = std::move(value);
    }
    all["types"] = std::move(types);
    const std::vector<std::string> shown = names.shown();
    all["names"] = shown;
    all["forms"] = written(forms_as_json(shown, distinct_names{shown, head.by == "service"}));
    all["palette"] = frame_rules();
    return to_text(all, json_layout::compact);
}

std::string page_of(const page_head& head, ordered_json types, const page_names& names,
                    ordered_json more, const document& text) {
    const page_kind kind = more.contains("periods") ? page_kind::periods : page_kind::usual;
    return html_page(page_title(head), page_data(head, std::move(types), names, std::move(more)),
                     as_text(text, 0, false), kind);
}

} // namespace pprofdelta::tool
