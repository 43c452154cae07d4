// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_ROW_ORDER_HPP
#define PPROFDELTA_SRC_SELECT_ROW_ORDER_HPP

#include <cstdint>
#include <vector>

#include <pprofdelta/report.hpp>

namespace pprofdelta {

/// How much has changed, up or down.
[[nodiscard]] std::uint64_t change_size(const value_pair& value) noexcept;

/// Rows that are equal in all figures are in the order of their names. O(n log n)
void sort_rows(std::vector<report::row>& rows, row_order by);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_ROW_ORDER_HPP
