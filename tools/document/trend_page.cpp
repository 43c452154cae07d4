// SPDX-License-Identifier: Apache-2.0
#include "document/trend_page.hpp"

#include "base/json.hpp"
#include "base/short_names.hpp"
#include "document/html_page.hpp"
#include "document/page_rows.hpp"
#include "document/trend_cells.hpp"

namespace pprofdelta::tool {

namespace {

// Values of a type's rows, one for each capture, null where there is none.
class series_writer {
public:
    series_writer(std::vector<std::size_t> places, std::size_t captures)
        : m_places{std::move(places)}, m_captures{captures} {}

    [[nodiscard]] std::string json(const trend_row* row) const {
        if (row == nullptr) {
            return "null";
        }
        const bool has_interval = row->slope.within.has_value();
        std::vector<std::string> values(m_captures, "null");
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            values[m_places[i]] = json_number(row->values[i]);
        }
        return "{\"values\":" + page_array(values) + ",\"first\":" + json_number(row->first()) +
               ",\"last\":" + json_number(row->last()) +
               ",\"slope\":" + json_number(row->slope.value) +
               ",\"low\":" + (has_interval ? json_number(row->slope.within->low) : "null") +
               ",\"high\":" + (has_interval ? json_number(row->slope.within->high) : "null") +
               ",\"p\":" + json_number(row->corrected_p) +
               ",\"verdict\":" + json_string(to_string(row->is)) + ",\"step\":" +
               (row->is == trend_verdict::steps ? std::to_string(m_places[row->step]) : "null") +
               ",\"jump\":" +
               (row->is == trend_verdict::steps ? json_number(row->after - row->before) : "null") +
               ",\"share\":" + (row->share ? json_number(*row->share) : "null") + "}";
    }

private:
    std::vector<std::size_t> m_places;
    std::size_t m_captures;
};

std::string type_json(profile_trend& trend, std::size_t type, const flame_graph* stacks,
                      page_names& names) {
    const trend_rows rows = trend.rows(type);
    const series_writer writer{trend.places(type), trend.captures().size()};
    const page_rows<trend_row> shown{rows.flat, rows.cum, trend.captures().size()};
    const std::string listed =
        shown.json(names, [&](const trend_row* row) { return writer.json(row); });
    return "{" + page_type(trend.types()[type], trend.is_rate(type), "comparison") +
           "\"rate\":" + (trend.is_rate(type) ? "true" : "false") +
           ",\"total\":" + writer.json(&rows.total) + ",\"rows\":" + listed +
           ",\"rows_left_out\":" + std::to_string(rows.left_out + shown.left_out()) +
           ",\"tree\":" + (stacks == nullptr ? "null" : page_tree(*stacks, names, false)) + "}";
}

} // namespace

std::string trend_as_page(const trend_view& view, profile_trend& trend,
                          const std::optional<overview>& ends,
                          const std::vector<page_input>& inputs,
                          const std::vector<std::string>& given,
                          const std::vector<std::string>& warnings) {
    page_head head{.command = "trend",
                   .title = "Trend of " + std::to_string(view.files.size()) + " captures",
                   .sides = {"first", "last"},
                   .inputs = inputs,
                   .options = given,
                   .warnings = warnings,
                   .notes = {captures_text(view), notes_below(view)},
                   .by = grouping_text(view.options.by, view.options.by_label),
                   .type = view.place_of_type,
                   .alpha = view.options.alpha};
    for (const trend_limit& limit : view.limits) {
        head.limits.push_back({describe(view, limit), limit.crossed ? "crossed" : "kept"});
    }
    page_names names;
    std::vector<std::string> types;
    for (std::size_t type = 0; type < trend.types().size(); ++type) {
        types.push_back(type_json(trend, type, ends ? &ends->types[type].stacks : nullptr, names));
    }
    std::vector<std::string> captures;
    captures.reserve(view.captures.size());
    for (const trend_capture& c : view.captures) {
        captures.push_back("{\"hours\":" + json_number(c.hours) +
                           ",\"series\":" + std::to_string(c.run) + "}");
    }
    trend_view plain = view;
    plain.has_colors = false;
    return html_page(
        {.title = printable(head.title),
         .json = page_data(head, types, names,
                           ",\"captures\":" + page_array(captures) +
                               (ends ? ",\"places\":" + names.places_json(ends->places) : "")),
         .text = trend_as_text(plain)});
}

} // namespace pprofdelta::tool
