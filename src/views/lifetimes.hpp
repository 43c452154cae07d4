// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/lifetimes.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// The places of two sample types of the same thing.
struct heap_pair {
    std::size_t allocated;
    std::size_t in_use;
};

/// How many allocations were sampled, by the rule of scale_heap_sample(), at most a thousand
/// million.
/// @param rate is 1 or less if all allocations were counted.
[[nodiscard]] double sampled_allocations(double count, double bytes, double rate);

/// Makes lifetimes of what rows allocate and have in use.
class lifetime_maker {
public:
    /// @param types  are those of the profiles, of which `period` is the latest.
    /// @param asked  is the type that make_lifetimes() takes.
    /// @throws error incompatible
    lifetime_maker(const profile_types& types, std::int64_t period,
                   const std::optional<value_type_pattern>& asked);

    /// The places of the sample types that are needed: of what was asked for, and if it is known
    /// how often allocations are sampled, of what tells how many were.
    [[nodiscard]] const std::vector<heap_pair>& types() const noexcept { return m_types; }

    /// @param amounts      has an amount of each of the types.
    /// @param seconds the length of the interval.
    [[nodiscard]] lifetimes::row
    row(std::string name, const std::vector<lifetimes::amount>& amounts, double seconds) const;

private:
    std::vector<heap_pair> m_types;
    std::optional<double> m_rate; // in bytes
};

/// An amount of which that much was freed, before that is rounded.
[[nodiscard]] lifetimes::amount make_amount(std::int64_t allocated, double freed,
                                            const value_pair& in_use, double mean_in_use);

/// Puts rows in their order, without those that are zero.
void put_in_order(std::vector<lifetimes::row>& rows);

} // namespace pprofdelta
