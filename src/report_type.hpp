// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_TYPE_HPP
#define PPROFDELTA_SRC_REPORT_TYPE_HPP

#include <cstddef>

#include <pprofdelta/report.hpp>

#include "profile_index.hpp"

namespace pprofdelta {

/// The place of the sample type to report on: the one asked for, else the profile's default, else
/// the last one.
/// @throws error incompatible unless there is one, and one alone.
[[nodiscard]] std::size_t report_type(const profile_index& index, const report_options& options);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_TYPE_HPP
