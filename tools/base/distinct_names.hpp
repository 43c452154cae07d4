// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_DISTINCT_NAMES_HPP
#define PPROFDELTA_TOOLS_BASE_DISTINCT_NAMES_HPP

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace pprofdelta::tool {

/// Shortens names of functions so that they stay different from each other, as far as there is
/// room. Type arguments of Go make no other function. The class ShortNames in tools/page/names.js
/// does the same, which a test compares.
class distinct_names {
public:
    /// @param names all that there are, printable and each once.
    explicit distinct_names(const std::vector<std::string>& names);

    /// The longest text that fits and that no other name can be called; what is left out is, in
    /// this order: folders, arguments, what the function is in. If none fits, the shortest one is
    /// cut in its middle, as names that begin alike often end differently.
    /// @param room in characters, at least two.
    [[nodiscard]] std::string shortened(const std::string& name, std::size_t room) const;

private:
    [[nodiscard]] bool is_clear(const std::string& text) const;

    // The function that can be called so; empty for several.
    std::map<std::string, std::string> m_owners;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_DISTINCT_NAMES_HPP
