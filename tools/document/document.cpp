// SPDX-License-Identifier: Apache-2.0
#include "document/document.hpp"

namespace pprofdelta::tool {

void erase_columns(table& of, const std::function<bool(std::size_t)>& is_left_out) {
    for (std::size_t column = of.columns.size(); column-- > 0;) {
        if (!is_left_out(column)) {
            continue;
        }
        const auto place = static_cast<std::ptrdiff_t>(column);
        of.columns.erase(of.columns.begin() + place);
        for (table::row& row : of.rows) {
            row.cells.erase(row.cells.begin() + place);
        }
    }
}

} // namespace pprofdelta::tool
