// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_REFERENCES_HPP
#define PPROFDELTA_SRC_PROFILE_REFERENCES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/index.hpp"
#include "profile/renumbering.hpp"

namespace pprofdelta {

/// What the records that are written refer to, and the numbers that it has in the new profile.
class references {
public:
    /// Forgets all numbers. String 0 is the empty one, and mapping 1 the current profile's first,
    /// which stands for the main binary: both are there whether or not anything refers to them.
    /// @param previous nullptr if nothing of it will be used.
    void start(const profile_index& current, const profile_index* previous);

    [[nodiscard]] const profile_index& index(side from) const noexcept {
        return *m_sides[static_cast<std::size_t>(from)];
    }

    /// The new number of a string.
    /// @param where the record with the reference, for errors.
    /// @throws error malformed
    std::uint32_t use_string(side from, std::uint64_t number, std::string_view where);

    /// The new id of a mapping; 0 for one that the profile does not have, and for 0.
    std::uint32_t use_mapping(side from, std::uint64_t id);
    /// The new id of a function. 0 stands for none, unless the profile has a function with that id.
    std::uint32_t use_function(side from, std::uint64_t id);
    /// The new id of a location that the profile has.
    std::uint32_t use_location(side from, std::uint64_t id) {
        return use_location_at(from, index(from).locations.find(id));
    }
    /// Replaces locations by their new ids.
    /// @param ordinals see location_index.
    void use_locations(side from, std::uint32_t* ordinals, std::size_t count);
    std::uint32_t use_location_at(side from, std::uint32_t place) {
        return m_locations.use(from, place, {index(from).locations.exact(place), 0}) + 1;
    }

    /// The address that means the same in the mapping that is written for `mapping_id`, which may
    /// be another profile's and start elsewhere.
    [[nodiscard]] std::uint64_t rebase(side from, std::uint64_t mapping_id,
                                       std::uint64_t address) const;

    /// Everything in use, in the order of the new numbers.
    [[nodiscard]] const std::vector<renumbering::used>& strings() const noexcept {
        return m_strings.order();
    }
    [[nodiscard]] const std::vector<renumbering::used>& mappings() const noexcept {
        return m_mappings.order();
    }
    [[nodiscard]] const std::vector<renumbering::used>& functions() const noexcept {
        return m_functions.order();
    }
    [[nodiscard]] const std::vector<renumbering::used>& locations() const noexcept {
        return m_locations.order();
    }

private:
    std::array<const profile_index*, 2> m_sides{};
    renumbering m_strings;
    renumbering m_mappings;
    renumbering m_functions;
    renumbering m_locations;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_REFERENCES_HPP
