// SPDX-License-Identifier: Apache-2.0
// The rows of many captures as lists of numbers.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/trend.hpp>

#include "statistics/order.hpp"

namespace pprofdelta {

/// Sums and means of doubles are rounded, so a row of exactly the least size can have less.
inline constexpr double nearly_all = 1 - 1e-9;

/// The size of a row: the mean over all captures, of both sides together. What depended on their
/// difference would be no choice by size.
[[nodiscard]] inline double size_of(const compared_row& row) {
    return mean_size(row.base.values, row.head.values);
}
[[nodiscard]] inline double size_of(const trend_row& row) { return mean_size(row.values); }

/// The values of both sides, one after the other.
[[nodiscard]] inline std::vector<double> all_values(const compared_row& row) {
    std::vector<double> all = row.base.values;
    all.insert(all.end(), row.head.values.begin(), row.head.values.end());
    return all;
}

/// Appends pointers to rows, to be tested.
template <typename Row>
void append_pointers(std::vector<Row*>& to, std::vector<Row>& rows) {
    std::ranges::transform(rows, std::back_inserter(to), [](Row& row) { return &row; });
}

} // namespace pprofdelta
