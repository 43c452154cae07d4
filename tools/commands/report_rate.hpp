// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_REPORT_RATE_HPP
#define PPROFDELTA_TOOLS_COMMANDS_REPORT_RATE_HPP

#include <pprofdelta/report.hpp>

namespace pprofdelta::tool {

/// Says why the sample type of a report has no rate, and which ones have.
/// @throws failure incompatible
[[noreturn]] void refuse_rate(const report& content);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_REPORT_RATE_HPP
