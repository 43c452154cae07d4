// SPDX-License-Identifier: Apache-2.0
// Outputs for programs. They are made as values of nlohmann's JSON, in files that include
// nlohmann/json.hpp, and written here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

/// Writes a missing value as null.
template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
    template <typename Json>
    static void to_json(Json& to, const std::optional<T>& value) {
        to = value ? Json(*value) : Json(nullptr);
    }
};

namespace pprofdelta::tool {

/// Its members stay in their order. Its strings may be any bytes.
using nlohmann::ordered_json;

enum class json_layout : std::uint8_t {
    compact, ///< The text has no blanks.
    line,    ///< The text has blanks between members, and no end of a line.
    lines,   ///< An object has a line for each member, and for each object in an array.
    member,  ///< A member of such an object.
};

/// The text is not nlohmann's, which has no strings but of UTF-8, but that of json_string() and
/// json_number(). The text is UTF-8, does no harm in a log, and has each number exactly.
[[nodiscard]] std::string to_text(const ordered_json& document, json_layout layout);

/// A value that is JSON already, as the library writes it.
[[nodiscard]] ordered_json written(std::string_view text);

/// An array of numbers, written(): a value of each would take many times as long.
[[nodiscard]] ordered_json written_numbers(std::span<const std::int64_t> numbers);

/// Null for an empty text.
[[nodiscard]] ordered_json text_or_null(const std::string& text);

/// The members "type" and "unit".
[[nodiscard]] ordered_json type_json(const value_type& type);

/// Adds which samples and frames are chosen, as reports have it.
void add_selection(ordered_json& to, const stack_selection& chosen);

/// Adds how many functions are folded into their callers, if any.
void add_folded(ordered_json& to, std::size_t functions);

/// Command lines for programs that read an output, each as its words.
using command_list = std::vector<std::vector<std::string>>;

/// The largest size of an output, and how many rows of each table fit into it.
struct row_budget {
    std::size_t max_bytes = 0;
    std::optional<std::size_t> most_rows{}; ///< Nothing for all that were asked for.
};

/// Adds what all documents end with: the member "budget", if there is one, and "next".
void add_end(ordered_json& to, const std::optional<row_budget>& budget, const command_list& next);

} // namespace pprofdelta::tool
