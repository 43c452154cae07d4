// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SYMBOLS_DEMANGLED_HPP
#define PPROFDELTA_TOOLS_SYMBOLS_DEMANGLED_HPP

#include <string>

namespace pprofdelta::tool {

/// The name that google/pprof shows by default for a function that the linker calls `symbol`: of
/// one of C++ without return type, parameters and template arguments, such as "ns::list::insert"
/// for
/// "_ZN2ns4listIiE6insertEi"; else the name itself.
[[nodiscard]] std::string demangled(const std::string& symbol);

/// A name in the form of C++'s ABI that is demangled already, in full, made as short.
[[nodiscard]] std::string simplified(const std::string& full_name);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SYMBOLS_DEMANGLED_HPP
