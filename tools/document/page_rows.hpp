// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_PAGE_ROWS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_PAGE_ROWS_HPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "document/page_data.hpp"

namespace pprofdelta::tool {

/// How many rows a page about many captures has. It is to stay small, however many rows and
/// captures there are, so it has the first ones, each with a value for each capture.
[[nodiscard]] constexpr std::size_t most_page_rows(std::size_t captures) noexcept {
    constexpr std::size_t most_values = 20'000;
    constexpr std::size_t least_rows = 20;
    return std::max(least_rows, most_values / std::max<std::size_t>(captures, 1) / 2);
}

/// The rows of a type on such a page.
template <typename Row>
class page_rows {
public:
    /// @param flat in the order of what matters most, as `cum`. Both must outlive this.
    page_rows(const std::vector<Row>& flat, const std::vector<Row>& cum, std::size_t captures) {
        const std::size_t most = most_page_rows(captures);
        put(flat, &both::flat, most);
        put(cum, &both::cum, most);
    }

    /// @param row_json of one row, or of nullptr where it is not shown.
    template <typename RowJson>
    [[nodiscard]] std::string json(page_names& names, RowJson&& row_json) const {
        std::vector<std::string> all;
        all.reserve(m_by_name.size());
        for (const auto& [name, rows] : m_by_name) {
            all.push_back("{\"name\":" + names.number(name) + ",\"flat\":" + row_json(rows.flat) +
                          ",\"cum\":" + row_json(rows.cum) + "}");
        }
        return page_array(all);
    }

    /// How many rows there is no room for, flat and cum.
    [[nodiscard]] std::size_t left_out() const noexcept { return m_left_out; }

private:
    struct both {
        const Row* flat = nullptr;
        const Row* cum = nullptr;
    };

    void put(const std::vector<Row>& rows, const Row* both::*which, std::size_t most) {
        const std::size_t shown = std::min(rows.size(), most);
        for (std::size_t i = 0; i < shown; ++i) {
            m_by_name[rows[i].name].*which = &rows[i];
        }
        m_left_out += rows.size() - shown;
    }

    std::map<std::string_view, both> m_by_name;
    std::size_t m_left_out = 0;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_PAGE_ROWS_HPP
