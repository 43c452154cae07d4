// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_REPORT_OUTPUT_HPP
#define PPROFDELTA_TOOLS_REPORT_OUTPUT_HPP

#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "comparison.hpp"
#include "options.hpp"

namespace pprofdelta::tool {

/// The report that is asked for. Colours and width are those of a terminal, if it goes to one.
/// @throws failure malformed, incompatible.
[[nodiscard]] std::string make_report_text(const options& chosen, const comparison& profiles,
                                           const std::vector<judgement>& judgements);

/// The picture that is asked for.
/// @throws failure malformed, incompatible.
[[nodiscard]] std::string draw_flame_graph(const options& chosen, const comparison& profiles);

/// Writes both to where they are to go, if they are asked for.
/// @throws failure io
void write_reports(const options& chosen, const std::string& report, const std::string& picture);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_REPORT_OUTPUT_HPP
