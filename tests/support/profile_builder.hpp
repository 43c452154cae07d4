// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "message_builder.hpp"
#include "profile.hpp"

namespace pprofdelta::test {

/// How repeated numbers are written. Readers have to accept all three.
enum class packing : std::uint8_t { packed, unpacked, mixed };

/// Choices in serializing that do not change what a profile means.
struct layout {
    packing numbers = packing::packed;
    bool sparse_ids = false;              ///< Ids far apart instead of the profile's own.
    bool explicit_zeros = false;          ///< Write fields with their default value, too.
    std::uint32_t copies = 1;             ///< How often each string stands in the string table.
    std::vector<std::string> unused;      ///< Strings that nothing refers to.
    std::optional<std::uint32_t> shuffle; ///< Seed for the order of fields and strings.
};

/// The serialized, uncompressed profile.
[[nodiscard]] std::string serialize(const profile& from, const layout& how = {});

/// Adds a function and a location for it, without address and mapping.
/// @returns the location's id.
std::uint64_t add_frame(profile& to, const std::string& name, const std::string& file = "",
                        std::int64_t line_number = 0);

using rows_of_values = std::vector<std::vector<std::int64_t>>;

/// A profile of objects and space with a sample for each row, of one function each: f0, f1 and
/// so on.
[[nodiscard]] profile with_values(const rows_of_values& rows);
[[nodiscard]] rows_of_values values_of(const profile& p);

/// A heap profile's value types: alloc_objects, alloc_space, inuse_objects, inuse_space.
[[nodiscard]] std::vector<value_type> heap_types();

} // namespace pprofdelta::test
