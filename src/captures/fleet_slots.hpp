// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_FLEET_SLOTS_HPP
#define PPROFDELTA_SRC_CAPTURES_FLEET_SLOTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/fleet.hpp>

namespace pprofdelta {

/// Enough that one service of ten thousand can be found to have changed: all of the one side above
/// all of the other is by chance once in 1.3 million times. And the exact distribution with equal
/// values takes the fourth power of it.
inline constexpr std::size_t slots_of_side = 12;

/// A number for each slot, those of the base first.
using slot_values = std::array<double, 2 * slots_of_side>;

/// Of two sides the place of the first slot.
[[nodiscard]] constexpr std::size_t first_slot(compare_side of) noexcept {
    return of == compare_side::base ? 0 : slots_of_side;
}

/// Adds the time of each slot of a side that lies between two times, in nanoseconds.
/// @returns whether there is any.
bool add_overlaps(const fleet_options& options, compare_side to, double begin, double end,
                  slot_values& into);

/// Which slots count, and how many of them are one.
class slot_plan {
public:
    /// @param series how many cover a slot.
    /// @param usual_duration of a delta, in nanoseconds: one slot is not much shorter.
    slot_plan(const fleet_options& options, const slot_values& series, double usual_duration);

    /// @param duration of the usual delta of a service, in nanoseconds.
    /// @returns whether the slots are long enough to be independent for it.
    [[nodiscard]] bool fits(double duration) const noexcept;

    [[nodiscard]] std::size_t count(compare_side of) const noexcept {
        return m_counts[static_cast<std::size_t>(of)];
    }
    [[nodiscard]] std::vector<double> values(compare_side of, const slot_values& all) const;

private:
    // Calls `use` with the places of the slots that count, of each group of slots that has any.
    template <typename Use>
    void for_each_group(compare_side of, Use&& use) const;

    std::array<bool, 2 * slots_of_side> m_counts_in{};
    std::array<std::size_t, 2> m_counts{};
    std::size_t m_together = 1; // slots
    double m_nanos;             // of a group
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_FLEET_SLOTS_HPP
