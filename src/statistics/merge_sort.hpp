// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_STATISTICS_MERGE_SORT_HPP
#define PPROFDELTA_SRC_STATISTICS_MERGE_SORT_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace pprofdelta {

/// Sorts, and shows which pairs change places. What is equal stays in its order.
/// @param room  as many others.
/// @param visit called for an item that passes others: with these, and with it.
/// Cost: n log n, and that of the visits.
template <typename Item, typename IsBefore, typename Visit>
void merge_sort(std::span<Item> items, std::span<Item> room, const IsBefore& is_before,
                const Visit& visit) {
    if (items.size() < 2) {
        return;
    }
    const std::size_t half = items.size() / 2;
    merge_sort(items.first(half), room.first(half), is_before, visit);
    merge_sort(items.subspan(half), room.subspan(half), is_before, visit);
    std::copy(items.begin(), items.end(), room.begin());
    std::size_t left = 0;
    std::size_t right = half;
    for (Item& next : items) {
        if (right == room.size() || (left < half && !is_before(room[right], room[left]))) {
            next = room[left++];
        } else {
            if (left < half) {
                visit(std::span<const Item>{room.subspan(left, half - left)}, room[right]);
            }
            next = room[right++];
        }
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_STATISTICS_MERGE_SORT_HPP
