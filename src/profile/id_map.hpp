// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_ID_MAP_HPP
#define PPROFDELTA_SRC_PROFILE_ID_MAP_HPP

#include <cstddef>
#include <cstdint>

#include "base/key_table.hpp"

namespace pprofdelta {

/// Maps the ids of locations, functions or mappings to the places of their records in the profile.
/// Most producers number their records 1, 2, 3 …, which costs nothing here; any other 64-bit ids
/// work too. Memory depends on the number of ids only, never on their values.
class id_map {
public:
    static constexpr std::uint32_t npos = key_table::npos;

    /// Keeps the memory.
    void clear() noexcept;

    /// Gives `id`, which may be 0, the next place: 0 for the first id added.
    /// @returns false if the id was added before.
    [[nodiscard]] bool add(std::uint64_t id);

    /// The place of `id`, or npos. O(1).
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const {
        if (id - 1 < m_sequential) {
            return static_cast<std::uint32_t>(id - 1);
        }
        return m_others.size() == 0 ? npos : find_other(id);
    }

    /// How many ids came first and in order; find(id) is id − 1 for 1 to this.
    [[nodiscard]] std::uint64_t sequential() const noexcept { return m_sequential; }

    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    [[nodiscard]] std::uint32_t find_other(std::uint64_t id) const;

    std::uint32_t m_size = 0;
    std::uint64_t m_sequential = 0; // ids 1 to this one came first and in order
    key_table m_others;             // all that followed
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_ID_MAP_HPP
