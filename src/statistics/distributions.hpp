// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pprofdelta {

// These are of Boost.Math, and computed in double: a long double is another one on each processor.

[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);
/// The derivative of trigamma().
[[nodiscard]] double tetragamma(double x);

/// @returns the chance that Student's t with so many degrees of freedom is above `t`.
[[nodiscard]] double students_t_above(double t, double freedom);

/// @returns the t above which `tail` of Student's distribution lies: infinite where it is beyond
/// all numbers.
[[nodiscard]] double students_t_with_tail(double tail, double freedom);

/// @returns the chance that the ratio of two variances with so many degrees of freedom is above
/// `ratio`.
[[nodiscard]] double fisher_f_above(double ratio, double freedom, double freedom_below);

/// @returns the number below which `part` of the beta distribution lies.
[[nodiscard]] double beta_quantile(double a, double b, double part);

} // namespace pprofdelta
