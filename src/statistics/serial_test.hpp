// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace pprofdelta {

/// A row of numbers of two times, each in the order in which they were observed.
struct serial_row {
    std::span<const double> before;
    std::span<const double> after;
};

/// Tests whether means differ by more than the noise of numbers that resemble the one before, as
/// the load of a server does from one minute to the next: Student's test of as many numbers as
/// these are worth. Each number is taken for a part of its predecessor with noise (AR(1)).
///
/// How much numbers resemble each other can hardly be told from a dozen, but rows of the same times
/// are alike. Hence the likeness of a row is drawn towards the mean of all, and no row is taken for
/// much less dependent than that. Half a standard error is added, for which trials decided. Nothing
/// is taken for more alike than by 0.7, beyond which a dozen of numbers could prove no change at
/// all.
///
/// @returns two-sided p, not corrected, of each row.
[[nodiscard]] std::vector<double> test_serial_rows(std::span<const serial_row> rows);

} // namespace pprofdelta
