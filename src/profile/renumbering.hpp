// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_RENUMBERING_HPP
#define PPROFDELTA_SRC_PROFILE_RENUMBERING_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"

namespace pprofdelta {

/// Which of the two profiles a record comes from. Deltas need but the current one; in a diff,
/// samples of the previous profile appear as well.
enum class side : std::uint8_t { current, previous };

/// Gives the records of one kind, such as strings, new dense numbers as they are used. Records of
/// equal identity share a number, within a profile and between the two.
class renumbering {
public:
    struct used {
        side from;
        std::uint32_t place;
    };

    /// Forgets all numbers. Memory is reused.
    /// @param places how many records each side has.
    void start(std::array<std::size_t, 2> places) {
        m_order.clear();
        m_identities.clear();
        for (std::size_t s = 0; s < places.size(); ++s) {
            m_numbers[s].assign(places[s], none);
        }
    }

    /// The number of a record: 0 for the first one used, and so on. O(1)
    std::uint32_t use(side from, std::uint32_t place, const hash128& identity) {
        std::uint32_t& number = m_numbers[static_cast<std::size_t>(from)][place];
        if (number == none) [[unlikely]] {
            number = m_identities.find_or_add(identity);
            if (number == m_order.size()) {
                m_order.push_back({from, place});
            }
        }
        return number;
    }

    /// Which records are used already, by place: their numbers, or `none`.
    [[nodiscard]] const std::uint32_t* numbers(side from) const noexcept {
        return m_numbers[static_cast<std::size_t>(from)].data();
    }
    static constexpr std::uint32_t none = 0xffffffff;

    /// The number of a record that was used.
    [[nodiscard]] std::uint32_t number(side from, std::uint32_t place) const noexcept {
        return m_numbers[static_cast<std::size_t>(from)][place];
    }

    /// For each number the record that got it.
    [[nodiscard]] const std::vector<used>& order() const noexcept { return m_order; }

private:
    std::array<std::vector<std::uint32_t>, 2> m_numbers;
    key_table m_identities;
    std::vector<used> m_order;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_RENUMBERING_HPP
