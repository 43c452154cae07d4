// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FIGURES_HPP
#define PPROFDELTA_TOOLS_FIGURES_HPP

#include <cstdint>
#include <string>

namespace pprofdelta::tool {

/// `current` minus `previous` with its sign, such as "+5" and "-3"; "0" has none.
[[nodiscard]] std::string change_text(std::int64_t previous, std::int64_t current);

/// The change in percent of `previous`, such as "+12.50%"; "new" if that is zero and `current` is
/// not.
[[nodiscard]] std::string percent_text(std::int64_t previous, std::int64_t current);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FIGURES_HPP
