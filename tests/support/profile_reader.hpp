// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "profile.hpp"

namespace pprofdelta::test {

/// A serialized profile read back, by a reader that shares nothing with the library's.
struct parsed_profile {
    profile content{};
    std::vector<std::string> strings{};    ///< The string table as it stands.
    std::set<std::size_t> strings_used{0}; ///< Places of the strings that something names.
};

/// @throws std::runtime_error for anything that is not a valid profile.
[[nodiscard]] parsed_profile parse(std::string_view bytes);

/// The fault of `bytes` as a compact profile, as deltas are: ids that are not unique or not known,
/// records that nothing refers to, gaps or doubles in the string table, and a first mapping other
/// than `main`, unless that is null.
/// @param stands_alone whether a mapping is there for its own sake.
/// @returns "none" if nothing is.
[[nodiscard]] std::string find_fault(
    std::string_view bytes, const mapping* main = nullptr,
    bool (*stands_alone)(const mapping&) = [](const mapping&) { return false; });

/// Whether a record of the profile is there twice under two ids, as in deltas, which copy records,
/// and not in sums.
[[nodiscard]] bool has_doubles(std::string_view bytes);

} // namespace pprofdelta::test
