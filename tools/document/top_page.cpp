// SPDX-License-Identifier: Apache-2.0
#include "document/top_page.hpp"

#include <algorithm>
#include <cstddef>

#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/html_page.hpp"
#include "document/page_data.hpp"
#include "document/page_rows.hpp"

namespace pprofdelta::tool {

namespace {

// The means of a row stand where those of compare have medians.
std::string slots_json(const fleet_row& row) {
    compared_row shown = row.test;
    shown.base.median = row.before;
    shown.base.within.reset();
    shown.head.median = row.now;
    shown.head.within.reset();
    shown.change = row.change();
    shown.within.reset();
    return page_measured(shown, tested_p(row), verdict_text(row));
}

// Services have flat values, and their functions others, so that the table has one of both.
std::string rows_json(const fleet_table& table, page_names& names) {
    const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
    std::vector<std::string> services;
    std::vector<std::string> functions;
    for (const fleet_row& service : table.rows) {
        if (services.size() == most) {
            break;
        }
        const std::string number = names.number(service.name);
        services.push_back("{\"name\":" + number + ",\"flat\":" + slots_json(service) +
                           ",\"cum\":null}");
        for (const fleet_row& function : service.rows) {
            if (functions.size() < most) {
                functions.push_back("{\"name\":" + names.number(function.name) +
                                    ",\"service\":" + number +
                                    ",\"flat\":null,\"cum\":" + slots_json(function) + "}");
            }
        }
    }
    services.insert(services.end(), functions.begin(), functions.end());
    return page_array(services);
}

std::string type_json(const fleet_table& table, page_names& names) {
    const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
    const std::size_t left_out = table.rows.size() - std::min(most, table.rows.size());
    return "{" + page_type(table.type, false, "comparison") +
           "\"rate\":" + (table.is_rate ? "true" : "false") +
           ",\"total\":" + slots_json(table.total) + ",\"rows\":" + rows_json(table, names) +
           ",\"rows_left_out\":" + std::to_string(table.left_out + left_out) + ",\"tree\":null}";
}

} // namespace

std::string top_as_page(const top_view& view, const std::vector<std::string>& given,
                        const std::vector<std::string>& warnings) {
    page_head head{.command = "top",
                   .title = "Top of " + view.from,
                   .sides = {"before", "now"},
                   .options = given,
                   .warnings = warnings,
                   .notes = notes_of(view),
                   .interval = when_text(view) + "; " + how_many_text(view),
                   .by = what_rows_are(view),
                   .alpha = view.options.alpha};
    page_names names;
    std::vector<std::string> types;
    for (const fleet_table& table : view.tables) {
        types.push_back(type_json(table, names));
    }
    top_view plain = view;
    plain.has_colors = false;
    return html_page({.title = printable(head.title),
                      .json = page_data(head, types, names),
                      .text = top_as_text(plain)});
}

} // namespace pprofdelta::tool
