// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "invented_code.hpp"

namespace pprofdelta::test {

struct invented_sample {
    std::vector<std::uint32_t> stack; // sites, root first
    std::uint64_t block_size = 0;
    std::uint64_t allocated = 0; // numbers of blocks
    std::uint64_t in_use = 0;
};

/// Invents one sample after the other: what a program does again and again, at changing places.
class invented_program {
public:
    static constexpr unsigned usual_in_use = 125;

    /// @param in_use how many of a thousand samples have memory in use.
    invented_program(const invented_code& code, std::uint64_t seed, unsigned in_use = usual_in_use);

    invented_sample next();

    /// Lets 30 seconds pass: 3 % of the samples change.
    void advance(invented_sample& sample);

private:
    std::size_t pick(std::size_t below) { return m_random() % below; }
    bool chance(std::size_t per_mille) { return pick(1000) < per_mille; }
    std::uint64_t some() { return 1 + pick(std::size_t{1} << pick(13)); }
    void extend(std::vector<std::uint32_t>& stack, std::size_t depth);

    const invented_code& m_code;
    std::mt19937_64 m_random;
    unsigned m_in_use;
    std::array<std::vector<std::uint32_t>, 64> m_recent;
    std::array<std::vector<std::uint32_t>, 500> m_leaves;
};

} // namespace pprofdelta::test
