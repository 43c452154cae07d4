// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_TYPES_HPP
#define PPROFDELTA_SRC_PROFILE_TYPES_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <pprofdelta/value_type.hpp>

#include "profile/string_index.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// The most that the types and units of a profile may have together, in bytes: more than anyone
/// reads, and little to copy.
inline constexpr std::size_t max_type_names_size = std::size_t{1} << 20U;

/// What a profile measures. Two profiles can be subtracted if they measure the same.
struct profile_types {
    std::vector<value_type> sample_types;
    value_type period_type; ///< Both strings are empty where the profile has none.

    [[nodiscard]] bool has_period_type() const { return !(period_type == value_type{}); }

    /// Replaces the content; memory is reused.
    /// @throws error malformed; too_large for more types than max_sample_types, or names with more
    ///         bytes than max_type_names_size.
    void read(const profile_view& view, const string_index& strings);

    /// @param reader that cannot tell types of one name apart.
    /// @throws error incompatible if several sample types are the same.
    void require_distinct(const char* reader) const;
};

/// "alloc_objects/count, alloc_space/bytes"; of very many the first ones.
[[nodiscard]] std::string to_string(const std::vector<value_type>& types);

/// @param asker how the message begins: whose pattern it is, with ": " behind it, or empty.
/// @throws error incompatible, always: no sample type is what `pattern` asks for.
[[noreturn]] void fail_no_match(const value_type_pattern& pattern,
                                const std::vector<value_type>& types,
                                const std::string& asker = {});

/// @throws error incompatible, about both and with both named, unless the sample types are equal in
/// their
///         order, and the period types are equal or one is missing.
void require_same(const profile_types& previous, const profile_types& current);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_TYPES_HPP
