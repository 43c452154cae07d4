// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_VALUE_MEMBERS_HPP
#define PPROFDELTA_SRC_REPORT_VALUE_MEMBERS_HPP

#include <string>

#include <pprofdelta/report.hpp>

namespace pprofdelta {

/// What a report in JSON says of a row: a value of one profile, or of two with their difference.
[[nodiscard]] std::string value_members(const value_pair& value, report::content of);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_VALUE_MEMBERS_HPP
