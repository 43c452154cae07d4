// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_LONG_SERIES_HPP
#define PPROFDELTA_TESTS_LONG_SERIES_HPP

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace pprofdelta::test {

/// A series of heap profiles of any length, in which stacks come and go, and the sum that all of
/// its deltas have to have. A profile depends on its number alone.
class long_series {
public:
    /// @param growth new stacks with each profile, of which as many are left behind. Zero for a set
    ///               of stacks that stays the same, of which each profile has about a half.
    explicit long_series(std::uint32_t growth) : m_growth{growth} {}

    /// The serialized profile after those that were asked for before.
    [[nodiscard]] std::string next();

    [[nodiscard]] std::uint64_t count() const noexcept { return m_number; }

    /// How many different stacks there were so far.
    [[nodiscard]] std::size_t stack_count() const noexcept { return m_last.size(); }

    /// Of alloc_objects and alloc_space, which no delta may miss or count twice: for each stack its
    /// value in the last profile that had it.
    [[nodiscard]] std::array<std::int64_t, 2> expected_sums() const;

    /// At a time.
    static constexpr std::uint32_t stacks = 600;
    static constexpr std::uint32_t functions = 200;

private:
    std::uint32_t m_growth;
    std::uint64_t m_number = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> m_last; // by stack: when it was there last
};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_LONG_SERIES_HPP
