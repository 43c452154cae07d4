// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_FLEET_TEST_HPP
#define PPROFDELTA_SRC_CAPTURES_FLEET_TEST_HPP

#include <string>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "captures/family_test.hpp"
#include "captures/fleet_slots.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

/// A row that is not tested yet.
[[nodiscard]] fleet_row make_fleet_row(std::string name, const slot_values& rates,
                                       const slot_plan& plan);

/// Those that have something, and have a part of the total that is large enough.
/// @param rates by the number of the name.
/// @param left_out counts those that are too small.
[[nodiscard]] std::vector<fleet_row> make_fleet_rows(const row_names& names,
                                                     const std::vector<slot_values>& rates,
                                                     const fleet_row& total, const slot_plan& plan,
                                                     double min_share, std::size_t& left_out);

/// Tests rows together, of which each has the state `tested`.
/// @returns what family_test does; nothing is found if a side has no slot.
family_test::family test_fleet_rows(const std::vector<fleet_row*>& rows, family_kind kind,
                                    const compare_options& options, const slot_plan& plan);

/// Puts them in the order that fleet_table has.
void sort_fleet_rows(std::vector<fleet_row>& rows);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_FLEET_TEST_HPP
