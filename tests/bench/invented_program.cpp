// SPDX-License-Identifier: Apache-2.0
#include "invented_program.hpp"

#include <algorithm>

namespace pprofdelta::test {

invented_program::invented_program(const invented_code& code, std::uint64_t seed, unsigned in_use)
    : m_code{code}, m_random{seed}, m_in_use{in_use} {
    for (std::vector<std::uint32_t>& chain : m_leaves) {
        extend(chain, 2 + pick(4));
    }
}

invented_sample invented_program::next() {
    std::vector<std::uint32_t>& stack = m_recent[pick(m_recent.size())];
    // The same place otherwise allocates blocks of another size.
    if (stack.empty() || !chance(100)) {
        const std::size_t depth = 8 + (pick(53) + pick(53)) / 2;
        const std::size_t kept = std::min(stack.size(), depth - 1);
        stack.resize(kept - pick(kept + 1) / 2);
        extend(stack, depth);
        if (chance(500)) {
            const std::vector<std::uint32_t>& leaves = m_leaves[pick(m_leaves.size())];
            std::copy(leaves.begin(), leaves.end(), stack.end() - std::ptrdiff_t(leaves.size()));
        }
    }
    invented_sample sample;
    sample.stack = stack;
    sample.block_size = 8 * (1 + pick(std::size_t{1} << (2 + pick(9))));
    sample.allocated = some();
    sample.in_use = chance(m_in_use) ? 1 + pick(sample.allocated) : 0;
    return sample;
}

void invented_program::advance(invented_sample& sample) {
    if (chance(30)) {
        const std::uint64_t more = some();
        sample.allocated += more;
        sample.in_use = sample.in_use != 0 ? pick(sample.in_use + more + 1) : 0;
    }
}

void invented_program::extend(std::vector<std::uint32_t>& stack, std::size_t depth) {
    while (stack.size() < depth) {
        const std::uint32_t function =
            stack.empty() ? m_code.popular(m_random()) : m_code.callee(stack.back());
        stack.push_back(invented_code::site_in(function, m_random()));
    }
}

} // namespace pprofdelta::test
