// SPDX-License-Identifier: Apache-2.0
#include "document/report_cells.hpp"

#include <cstdint>

#include "base/value_text.hpp"

namespace pprofdelta::tool {

void add_value_columns(table& to, const report_view& view, const std::string& name) {
    if (view.content.of == report::content::comparison) {
        to.columns.insert(to.columns.end(), {{"change", name},
                                             {"previous", name, table::place::where_it_fits},
                                             {"current", name},
                                             {"percent", name}});
    } else {
        to.columns.insert(to.columns.end(), {{name}, {name + "%"}});
    }
}

void add_value_cells(table::row& to, const report_view& view, const value_pair& value) {
    const report& r = view.content;
    to.cells.push_back(amount_text(view, value));
    if (r.of == report::content::comparison) {
        const std::string& unit = r.totals[r.type].type.unit;
        to.cells.insert(to.cells.end(), {human(value.previous, unit), human(value.current, unit),
                                         percent_text(value.previous, value.current)});
    } else {
        to.cells.push_back(share_text(value.current, shares_of(r).current));
    }
}

std::string amount_text(const report_view& view, const value_pair& value) {
    const report& r = view.content;
    const std::string& unit = r.totals[r.type].type.unit;
    if (r.of == report::content::comparison) {
        return human_change(value, unit);
    }
    const char* const sign = r.of == report::content::delta && value.current > 0 ? "+" : "";
    return sign + (view.per ? human_rate(value.current, r.duration_nanos, unit, *view.per)
                            : human(value.current, unit));
}

} // namespace pprofdelta::tool
