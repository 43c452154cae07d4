// SPDX-License-Identifier: Apache-2.0
#include "document/page.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/version.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "page_parts.hpp"

namespace pprofdelta::tool {

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t group = 3; // bytes, which are four digits
    std::string result;
    result.reserve((bytes.size() + group - 1) / group * 4);
    for (std::size_t begin = 0; begin < bytes.size(); begin += group) {
        const std::size_t count = std::min(group, bytes.size() - begin);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group; ++i) {
            const auto byte = i < count ? static_cast<unsigned char>(bytes[begin + i]) : 0U;
            bits = bits << 8U | byte;
        }
        for (std::size_t i = 0; i <= group; ++i) {
            const std::size_t digit = bits >> (6 * (group - i)) & 0x3FU;
            result += i <= count ? digits[digit] : '=';
        }
    }
    return result;
}

std::string as_markup(std::string_view text) {
    std::string result;
    for (const char c : text) {
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

namespace {

template <typename Strings>
void append(std::string& page, const Strings& strings) {
    for (const auto& each : strings) {
        page += each;
    }
}

} // namespace

std::string html_page(const page_parts& parts) {
    constexpr int smallest = 9; // A page is written once, kept, and read over a network.
    std::string page;
    append(page, page_before_title);
    page += as_markup(parts.title);
    append(page, page_before_text);
    page += as_markup(parts.text);
    append(page, page_before_data);
    page += base64(encode(parts.json, codec::gzip, smallest));
    append(page, page_end);
    return page;
}

namespace {

constexpr std::size_t longest_name = 500; // in characters

std::string text_or_null(const std::string& any) { return any.empty() ? "null" : page_text(any); }

std::string texts(const std::vector<std::string>& all) {
    std::vector<std::string> elements;
    elements.reserve(all.size());
    for (const std::string& each : all) {
        elements.push_back(json_string(printable(each)));
    }
    return page_array(elements);
}

std::vector<std::string> lines_of(const std::vector<std::string>& texts) {
    std::vector<std::string> lines;
    for (const std::string& each : texts) {
        std::istringstream in{each};
        for (std::string line; std::getline(in, line);) {
            lines.push_back(line);
        }
    }
    return lines;
}

std::string seconds_or_null(std::int64_t nanos) {
    constexpr double nanos_per_second = 1e9;
    return nanos > 0 ? json_number(static_cast<double>(nanos) / nanos_per_second) : "null";
}

std::string input_json(const page_input& input) {
    const profile_info info = input.info.value_or(profile_info{});
    return "{\"role\":" + page_text(input.role) + ",\"name\":" + page_text(input.name) +
           ",\"time\":" + text_or_null(time_text(info.time_nanos)) +
           ",\"duration_seconds\":" + seconds_or_null(info.duration_nanos) +
           ",\"binary\":" + text_or_null(info.binary) +
           ",\"build\":" + text_or_null(info.build_id) + "}";
}

// One of the values of each node.
template <typename Value>
std::string column(const flame_graph& graph, Value&& value) {
    std::string all = "[";
    for (const flame_graph::node& node : graph.nodes) {
        all += (all.size() > 1 ? "," : "") + value(node);
    }
    return all + "]";
}

// The members "NAMElow" and "NAMEhigh".
std::string interval_json(const std::string& name, const std::optional<interval>& within) {
    return "\"" + name + "low\":" + (within ? json_number(within->low) : "null") + ",\"" + name +
           "high\":" + (within ? json_number(within->high) : "null") + ",";
}

std::string side_json(const std::string& name, const compared_values& side) {
    return "\"" + name + "\":" + json_numbers(side.values) + ",\"" + name +
           "_median\":" + json_number(side.median) + "," + interval_json(name + "_", side.within);
}

} // namespace

std::string page_text(const std::string& any) {
    return json_string(shortened(printable(cut_name(any)), longest_name));
}

std::string page_names::number(std::string_view name) {
    const auto [entry, is_new] = m_numbers.try_emplace(cut_name(name), m_names.size());
    if (is_new) {
        m_names.push_back(entry->first);
    }
    return std::to_string(entry->second);
}

std::string page_names::json() const {
    std::vector<std::string> shown = short_names(m_names, longest_name);
    shown.front().clear();
    return json_strings(shown);
}

std::string page_names::places_json(const std::map<std::string, source_place>& places) const {
    std::vector<std::string> all;
    for (const std::string& name : m_names) {
        const auto at = places.find(name);
        const source_place place = at == places.end() ? source_place{} : at->second;
        std::string where = place.file;
        if (!where.empty() && place.first_line > 0) {
            where += ":" + std::to_string(place.first_line);
            where +=
                place.last_line > place.first_line ? "-" + std::to_string(place.last_line) : "";
        }
        all.push_back(page_text(where));
    }
    return page_array(all);
}

std::string page_array(const std::vector<std::string>& elements) {
    std::string all = "[";
    for (const std::string& element : elements) {
        all += (all.size() > 1 ? "," : "") + element;
    }
    return all + "]";
}

std::string page_number(std::int64_t value, bool is_known) {
    return is_known ? std::to_string(value) : "null";
}

std::string page_measured(const compared_row& row, const std::optional<double>& p,
                          const std::optional<std::string>& verdict) {
    return "{" + side_json("base", row.base) + side_json("head", row.head) +
           "\"change\":" + json_number(row.change) + "," + interval_json("", row.within) +
           "\"p\":" + (p ? json_number(*p) : "null") +
           ",\"verdict\":" + (verdict ? json_string(*verdict) : "null") + "}";
}

std::string page_type(const value_type& type, bool is_cumulative, std::string_view content) {
    return "\"name\":" + page_text(type.type) + ",\"unit\":" + page_text(type.unit) +
           ",\"cumulative\":" + (is_cumulative ? "true" : "false") + ",\"content\":\"" +
           std::string{content} + "\",";
}

std::string page_tree(const flame_graph& graph, page_names& names, bool are_medians) {
    const bool has_previous = graph.of == report::content::comparison;
    return "{\"name\":" +
           column(graph,
                  [&](const flame_graph::node& node) {
                      return node.name == 0 ? std::string{"0"}
                                            : names.number(graph.names[node.name]);
                  }) +
           ",\"depth\":" +
           column(graph, [](const flame_graph::node& node) { return std::to_string(node.depth); }) +
           ",\"previous\":" +
           (has_previous ? column(graph,
                                  [](const flame_graph::node& node) {
                                      return std::to_string(node.value.previous);
                                  })
                         : "[]") +
           ",\"current\":" +
           column(
               graph,
               [](const flame_graph::node& node) { return std::to_string(node.value.current); }) +
           ",\"left_out\":" + std::to_string(graph.left_out) +
           ",\"medians\":" + (are_medians ? "true" : "false") + "}";
}

std::string page_data(const page_head& head, const std::vector<std::string>& types,
                      const page_names& names, const std::string& more) {
    std::vector<std::string> inputs;
    std::transform(head.inputs.begin(), head.inputs.end(), std::back_inserter(inputs), input_json);
    std::vector<std::string> limits;
    for (const page_head::limit& limit : head.limits) {
        limits.push_back("{\"text\":" + json_string(printable(limit.text)) +
                         ",\"state\":" + json_string(limit.state) + "}");
    }
    return std::string{"{\"version\":1,\"program\":\"pprofdelta "} + version() +
           "\",\"command\":" + page_text(head.command) + ",\"title\":" + page_text(head.title) +
           ",\"sides\":[" + page_text(head.sides[0]) + "," + page_text(head.sides[1]) +
           "],\"inputs\":" + page_array(inputs) + ",\"options\":" + texts(head.options) +
           ",\"warnings\":" + texts(head.warnings) + ",\"notes\":" + texts(lines_of(head.notes)) +
           ",\"limits\":" + page_array(limits) + ",\"interval\":" + text_or_null(head.interval) +
           ",\"duration_seconds\":" + seconds_or_null(head.duration_nanos) + ",\"per\":" +
           (head.per ? *head.per == rate_time::second ? "\"second\"" : "\"minute\"" : "null") +
           ",\"width\":" + (head.begins_with_change ? "\"change\"" : "\"current\"") +
           ",\"by\":" + page_text(head.by) + ",\"type\":" + std::to_string(head.type) +
           (head.alpha ? ",\"alpha\":" + json_number(*head.alpha) : "") + more +
           ",\"types\":" + page_array(types) + ",\"names\":" + names.json() + "}";
}

} // namespace pprofdelta::tool
