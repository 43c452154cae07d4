// SPDX-License-Identifier: Apache-2.0
// The fields of a row, declared once for all forms: a column for people, a member for programs, and
// one for pages.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

[[nodiscard]] inline ordered_json low_of(const std::optional<interval>& within) {
    return within ? ordered_json(within->low) : nullptr;
}
[[nodiscard]] inline ordered_json high_of(const std::optional<interval>& within) {
    return within ? ordered_json(within->high) : nullptr;
}

/// Null for a value that is not there.
template <typename Value>
[[nodiscard]] ordered_json value_if(bool is_there, const Value& value) {
    return is_there ? ordered_json(value) : nullptr;
}

/// The members of a cause besides those of its value.
template <typename Value>
[[nodiscard]] ordered_json cause_json(const change_cause<Value>& cause) {
    return {{"kind", to_string(cause.of)},
            {"depth", cause.depth},
            {"frames", cause.frames},
            {"formerly", text_or_null(cause.previous_name)}};
}

template <typename Row>
struct field {
    table::column column{};
    std::function<std::string(const Row&)> cell{}; ///< A field without one has no column.
    std::string key{};      ///< The name of its member in JSON; empty for none.
    std::string page_key{}; ///< The same of a page.
    std::function<ordered_json(const Row&)> value{}; ///< The value of these members.
};

/// The fields of rows, in the order of all forms.
template <typename Row>
class fields {
public:
    /// @param is_news says whether a row's change is no noise; without it all changes are news.
    fields(std::vector<field<Row>> all, std::function<bool(const Row&)> is_news = {})
        : m_all{std::move(all)}, m_is_news{std::move(is_news)} {}

    void add(const fields& more) {
        m_all.insert(m_all.end(), more.m_all.begin(), more.m_all.end());
    }

    /// A table with columns but no rows.
    /// @param title is the head of the names.
    [[nodiscard]] table empty_table(const std::string& title) const {
        table made{title};
        for (const field<Row>& each : m_all) {
            if (each.cell) {
                made.columns.push_back(each.column);
            }
        }
        return made;
    }

    [[nodiscard]] table::row row(const Row& row, const std::string& name,
                                 std::size_t indent = 0) const {
        table::row made{name, {}, !m_is_news || m_is_news(row), indent};
        for (const field<Row>& each : m_all) {
            if (each.cell) {
                made.cells.push_back(each.cell(row));
            }
        }
        return made;
    }

    /// The first rows.
    [[nodiscard]] table table_of(const std::string& names, const std::vector<Row>& rows,
                                 std::size_t most) const {
        table made = empty_table(names);
        made.rows = mapped(first_of(rows, most),
                           [this](const Row& each) { return row(each, cut_name(each.name)); });
        return made;
    }

    /// Adds the members of a row to those that it begins with.
    [[nodiscard]] ordered_json with_members(ordered_json start, const Row& row) const {
        for (const field<Row>& each : m_all) {
            if (!each.key.empty()) {
                start[each.key] = each.value(row);
            }
        }
        return start;
    }

    /// The same, each with its name.
    [[nodiscard]] ordered_json array(const std::vector<Row>& rows, std::size_t most) const {
        return mapped(first_of(rows, most), [this](const Row& each) {
            return with_members(ordered_json::object({{"name", each.name}}), each);
        });
    }

    /// A row of a page; null for none.
    [[nodiscard]] ordered_json on_page(const Row* row) const {
        ordered_json all;
        for (const field<Row>& each : m_all) {
            if (row != nullptr && !each.page_key.empty()) {
                all[each.page_key] = each.value(*row);
            }
        }
        return all;
    }

    /// Adds the rows of a type to a page, as many as it has room for, and how many it has not.
    /// @param flat     begins with what matters most, as does `cum`.
    /// @param captures is the number of values of each row.
    /// @param left_out counts the rows that were left out before.
    void add_to_page(ordered_json& type, const std::vector<Row>& flat, const std::vector<Row>& cum,
                     std::size_t captures, std::size_t left_out, page_names& names) const {
        const std::size_t most = most_page_rows(captures);
        std::map<std::string_view, std::pair<const Row*, const Row*>> by_name;
        for (const Row& each : first_of(flat, most)) {
            by_name[each.name].first = &each;
        }
        for (const Row& each : first_of(cum, most)) {
            by_name[each.name].second = &each;
        }
        ordered_json& rows = type["rows"] = ordered_json::array();
        for (const auto& [name, both] : by_name) {
            rows.push_back({{"name", names.number(name)},
                            {"flat", on_page(both.first)},
                            {"cum", on_page(both.second)}});
        }
        type["rows_left_out"] = left_out + beyond(most, flat.size()) + beyond(most, cum.size());
    }

private:
    std::vector<field<Row>> m_all;
    std::function<bool(const Row&)> m_is_news;
};

/// Makes one row of those that stand together and are equal.
/// @param name_of returns the name of several rows, from theirs.
template <typename Row, typename AreEqual, typename NameOf>
[[nodiscard]] std::vector<Row> joined_rows(const std::vector<Row>& rows, AreEqual&& are_equal,
                                           NameOf&& name_of) {
    std::vector<Row> all;
    for (std::size_t i = 0; i < rows.size();) {
        const Row& first = rows[i];
        std::vector<std::string> names;
        do {
            names.push_back(rows[i++].name);
        } while (i < rows.size() && are_equal(first, rows[i]));
        all.push_back(first);
        if (names.size() > 1) {
            all.back().name = name_of(names);
        }
    }
    return all;
}

} // namespace pprofdelta::tool
