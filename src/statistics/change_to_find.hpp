// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pprofdelta {

/// The smallest change that Student's test finds, but for a chance to miss it.
///
/// An error that was estimated is too small more often than not, by what the median of its
/// distribution is below the mean: a twentieth with 8 degrees of freedom (E. B. Wilson and M. M.
/// Hilferty, The Distribution of Chi-Square, 1931). And what grows by a tenth has a tenth more
/// noise, as runs differ by a part of what they take.
///
/// @param p          the largest one that is a find.
/// @param missed     the chance.
/// @param freedom    the degrees of freedom of the errors.
/// @param base,head  standard errors of the means of both sides.
/// @param mean       of the values; 0 or less for noise that does not grow along with them.
[[nodiscard]] double change_to_find(double p, double missed, double freedom, double base,
                                    double head, double mean);

} // namespace pprofdelta
