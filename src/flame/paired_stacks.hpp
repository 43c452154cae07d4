// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_FLAME_PAIRED_STACKS_HPP
#define PPROFDELTA_SRC_FLAME_PAIRED_STACKS_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/report.hpp>

#include "flame/stack_set.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

/// The stacks of one or two profiles, equal ones added up, each with a value for each of some
/// sample types.
class paired_stacks {
public:
    /// @param types places of the sample types.
    paired_stacks(std::vector<std::size_t> types, std::uint32_t deepest)
        : m_types{std::move(types)}, m_stacks{deepest} {}

    /// @returns the sums of all samples, also of those that do not count; by type.
    std::vector<std::int64_t> read(const profile_stacks& from, const location_rows& rows,
                                   side_of_pair which);

    [[nodiscard]] const stack_set& stacks() const noexcept { return m_stacks; }
    /// @param stack its number among stacks().
    /// @param type  a place among the types of this.
    [[nodiscard]] const value_pair& value_of(std::uint32_t stack, std::size_t type = 0) const {
        return m_values[stack * m_types.size() + type];
    }

    /// Puts the tree of one type's values, as one of make_flame_graph(), into a graph.
    /// @param type a place among the types of this.
    void draw(std::size_t type, const row_names& names, const flame_graph_limits& limits,
              flame_graph& out) const;

private:
    std::vector<std::size_t> m_types;
    stack_set m_stacks;
    std::vector<value_pair> m_values; // of each stack, all types
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_FLAME_PAIRED_STACKS_HPP
