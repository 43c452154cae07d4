// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace pprofdelta::test {

using json = nlohmann::ordered_json; // types are in the order of the profile

/// @throws std::exception for what is not one JSON value in UTF-8, or names a member twice.
[[nodiscard]] json parse_json(std::string_view text);

/// The bytes of a name in a report: a U+FFFD and two digits stand for one that is no UTF-8.
/// @throws std::exception for a U+FFFD that stands for none.
[[nodiscard]] std::string name_of(const std::string& text);

/// Whether `text` is UTF-8, with none but the shortest forms, no surrogates, and nothing over
/// U+10FFFF.
[[nodiscard]] bool is_utf8(const std::string& text);

} // namespace pprofdelta::test
