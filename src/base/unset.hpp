// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_UNSET_HPP
#define PPROFDELTA_SRC_BASE_UNSET_HPP

#include <memory>
#include <utility>
#include <vector>

namespace pprofdelta {

/// Like std::allocator, but what no value is given for has none: for memory that is written to
/// before it is read, and so large that to write zeros to it first takes time.
template <typename Number>
class unset_allocator : public std::allocator<Number> {
public:
    template <typename Other>
    struct rebind {
        using other = unset_allocator<Other>;
    };

    template <typename Other>
    void construct(Other* place) noexcept {
        ::new (static_cast<void*>(place)) Other;
    }
    template <typename Other, typename... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Other(std::forward<Arguments>(arguments)...);
    }
};

/// A vector of numbers in which resize() with one argument leaves the new ones unset.
template <typename Number>
using unset_vector = std::vector<Number, unset_allocator<Number>>;

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_UNSET_HPP
