// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_ANNOTATIONS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_ANNOTATIONS_HPP

#include <string>
#include <vector>

namespace pprofdelta::tool {

/// Workflow commands of GitHub, one a line, the errors first. At most 10, as GitHub shows no more;
/// the last one counts the rest.
[[nodiscard]] std::string github_annotations(const std::vector<std::string>& errors,
                                             const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_ANNOTATIONS_HPP
