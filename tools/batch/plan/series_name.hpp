// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_SERIES_NAME_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_SERIES_NAME_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// In bytes. A file's name has up to 255 on most file systems, and outputs have endings.
inline constexpr std::size_t max_component_size = 200;
inline constexpr std::size_t max_series_name_size = 1000;

/// Why `name` cannot be the name of a series, as the end of a message: "begins with a slash". Empty
/// if it can: if it is a path downwards from some folder, of components that neither are empty nor
/// begin with a point, in UTF-8 and without control characters. Such a name is the only one for its
/// path.
[[nodiscard]] std::string fault_in_series_name(std::string_view name);

/// `text` as one component of a name, other than that of any other text. What no component may have
/// becomes %XX, for each byte, as do '/', '%' and a point at the start; the empty text is "%". It
/// may be too long.
[[nodiscard]] std::string series_component(std::string_view text);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_SERIES_NAME_HPP
