// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pprofdelta::tool {

template <typename All, typename Value>
[[nodiscard]] bool contains(const All& all, const Value& value) {
    return std::ranges::find(all, value) != std::end(all);
}

/// Returns the result of `make` for each element, in order.
/// @param make a function, or a member of each.
template <typename All, typename Make>
[[nodiscard]] auto mapped(const All& all, Make make) {
    std::vector<std::decay_t<std::invoke_result_t<Make&, decltype(*std::begin(all))>>> made;
    made.reserve(std::size(all));
    for (const auto& each : all) {
        made.push_back(std::invoke(make, each));
    }
    return made;
}

/// The first ones, at most so many.
template <typename Element>
[[nodiscard]] std::span<const Element> first_of(const std::vector<Element>& all,
                                                std::size_t most) noexcept {
    return std::span{all}.first(std::min(most, all.size()));
}

/// Keeps the first ones in an order, at most so many.
template <typename Element, typename Less>
void keep_first(std::vector<Element>& all, std::size_t most, Less less) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(), less);
    all.erase(end, all.end());
}

/// The number of rows left out if there is room for so many.
[[nodiscard]] constexpr std::size_t beyond(std::size_t most, std::size_t rows) noexcept {
    return rows - std::min(most, rows);
}

/// "1 row", "3 rows".
[[nodiscard]] inline std::string counted(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// All in one text: "a, b, c".
/// @param in_words makes a text of each.
template <typename All, typename InWords = std::identity>
[[nodiscard]] std::string joined(const All& all, std::string_view between, InWords in_words = {}) {
    std::string text;
    for (const auto& each : all) {
        text.append(text.empty() ? "" : between).append(std::invoke(in_words, each));
    }
    return text;
}

/// The first of some rows, each in words: "main.f +1MiB; main.g +1KiB; and 3 more".
template <typename Row, typename InWords>
[[nodiscard]] std::string listed_text(const std::vector<Row>& rows, InWords in_words) {
    constexpr std::size_t most = 5;
    const std::size_t others = beyond(most, rows.size());
    return joined(first_of(rows, most), "; ", in_words) +
           (others == 0 ? "" : "; and " + std::to_string(others) + " more");
}

} // namespace pprofdelta::tool
