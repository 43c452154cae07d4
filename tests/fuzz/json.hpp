// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_JSON_HPP
#define PPROFDELTA_TESTS_JSON_HPP

#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::test {

struct json_member;

/// A JSON value, by RFC 8259 without escapes for pairs of surrogates and with whole numbers alone,
/// as a report has no others.
struct json_value {
    enum class kind { word, number, string, array, object };

    kind is = kind::word;
    std::string text; ///< A word or number as it stands, a string unescaped.
    std::vector<json_member> members;

    /// @throws std::runtime_error if there is none of this name, or more than one.
    [[nodiscard]] const json_value& at(std::string_view name) const;
};

struct json_member {
    std::string name; ///< Empty in an array.
    json_value value;
};

/// The bytes of a name in a report: a U+FFFD and two digits stand for one that is no UTF-8.
/// @throws std::runtime_error for a U+FFFD that stands for none.
[[nodiscard]] std::string name_of(const std::string& text);

/// @throws std::runtime_error for what is not one JSON value in UTF-8.
[[nodiscard]] json_value parse_json(std::string_view text);

/// Whether `text` is UTF-8, with none but the shortest forms, no surrogates, and nothing over
/// U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_JSON_HPP
