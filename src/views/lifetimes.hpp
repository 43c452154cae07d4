// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

/// The number of sampled allocations, by the rule of scale_heap_sample(), at most a thousand
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

    /// Numbers of sampled allocations, as far as they are known.
    struct events {
        double in_use = 0;
        double freed = 0;
    };

    /// The variance of an estimate, from the values of a sample of these types: that of a Poisson
    /// variable, of which each event stands for so much. In units of variance_unit(), so that it
    /// fits 64 bits; 0 if it is not known.
    [[nodiscard]] std::int64_t variance(std::span<const std::int64_t> values) const;
    [[nodiscard]] double variance_unit() const noexcept { return m_variance_unit; }

    /// The events of amounts, as if all allocations had the mean size.
    [[nodiscard]] events events_of(const std::vector<lifetimes::amount>& amounts) const;

    /// @param seconds the length of the interval.
    [[nodiscard]] lifetimes::row row(std::string name, const lifetimes::amount& amount,
                                     const events& sampled, double seconds) const;

private:
    std::vector<heap_pair> m_types;
    std::optional<double> m_rate; // in bytes
    double m_variance_unit = 1;
};

/// An amount of which that much was freed, before that is rounded.
[[nodiscard]] lifetimes::amount make_amount(std::int64_t allocated, double freed,
                                            const value_pair& in_use, double mean_in_use);

/// Puts rows in their order, without those that are zero.
void put_in_order(std::vector<lifetimes::row>& rows);

} // namespace pprofdelta
