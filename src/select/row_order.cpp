// SPDX-License-Identifier: Apache-2.0
#include "select/row_order.hpp"

#include <algorithm>
#include <tuple>

#include "base/wrapping.hpp"

namespace pprofdelta {

namespace {

__extension__ using wide = unsigned __int128;

// Whether the change of `a` is the larger part of its previous value. Of nothing any change is
// infinitely much, and two of these are alike.
bool is_larger_part(const value_pair& a, const value_pair& b) {
    const std::uint64_t change_of_a = change_size(a);
    const std::uint64_t change_of_b = change_size(b);
    if (change_of_a == 0 || change_of_b == 0) {
        return change_of_a != 0;
    }
    return static_cast<wide>(change_of_a) * magnitude(b.previous) >
           static_cast<wide>(change_of_b) * magnitude(a.previous);
}

} // namespace

std::uint64_t change_size(const value_pair& value) noexcept {
    const auto [from, to] = std::minmax(value.previous, value.current);
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

void sort_rows(std::vector<report::row>& rows, row_order by) {
    using key = std::tuple<std::uint64_t, std::uint64_t, const std::string&>;
    const auto by_size = [by](const report::row& a, const report::row& b) {
        const value_pair report::row::*const first =
            by == row_order::flat ? &report::row::flat : &report::row::cum;
        const value_pair report::row::*const second =
            by == row_order::flat ? &report::row::cum : &report::row::flat;
        return key{change_size(b.*first), change_size(b.*second), a.name} <
               key{change_size(a.*first), change_size(a.*second), b.name};
    };
    std::sort(rows.begin(), rows.end(), [&](const report::row& a, const report::row& b) {
        if (by == row_order::percent) {
            if (is_larger_part(a.cum, b.cum)) {
                return true;
            }
            if (is_larger_part(b.cum, a.cum)) {
                return false;
            }
        }
        return by_size(a, b);
    });
}

} // namespace pprofdelta
