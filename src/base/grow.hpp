// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_GROW_HPP
#define PPROFDELTA_SRC_BASE_GROW_HPP

#include <cstddef>

namespace pprofdelta {

/// Makes a string or vector that is used as scratch memory as large as `size`, and somewhat larger,
/// so that sizes that grow little by little do not copy it each time. What it has stays.
template <typename Container>
void grow_to(Container& scratch, std::size_t size) {
    if (scratch.size() < size) {
        scratch.resize(size + size / 4);
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_GROW_HPP
