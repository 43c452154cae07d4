// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_DELTA_FINDINGS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_DELTA_FINDINGS_HPP

#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>

namespace pprofdelta::tool {

/// Why counters count as started over, for people: "as the process is another one
/// than before".
[[nodiscard]] const char* reset_text(reset_reason reason) noexcept;

/// What is wrong with a whole series, for people, without its name; a delta has it once.
[[nodiscard]] std::vector<std::string> series_findings(const delta_summary& of);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_DELTA_FINDINGS_HPP
