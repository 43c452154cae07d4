// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP
#define PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP

#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// The name that google/pprof shows by default for a function that the linker calls `symbol`: of
/// one of C++ without return type, parameters and template arguments, such as "ns::list::insert"
/// for "_ZN2ns4listIiE6insertEi"; else the name itself.
[[nodiscard]] std::string demangled(const std::string& symbol);

/// A name in the form of C++'s ABI that is demangled already, in full, made as short.
[[nodiscard]] std::string simplified(const std::string& full_name);

/// Copies of profiles whose frames have the names that binaries have for them.
/// @param is_quiet whether nothing is said of those that have none.
[[nodiscard]] std::vector<std::string>
named_by_binaries(const std::vector<std::string_view>& profiles, const std::string& path,
                  const std::string& trimmed, bool is_quiet);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SYMBOLS_SYMBOLIZER_HPP
