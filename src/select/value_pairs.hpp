// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_VALUE_PAIRS_HPP
#define PPROFDELTA_SRC_SELECT_VALUE_PAIRS_HPP

#include <pprofdelta/report.hpp>

#include "base/fitting.hpp"

namespace pprofdelta {

/// @throws error too_large for a sum that would not fit 64 bits.
inline void add_pair(value_pair& to, const value_pair& value) {
    to.previous = fitting_add(to.previous, value.previous);
    to.current = fitting_add(to.current, value.current);
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_VALUE_PAIRS_HPP
