// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace pprofdelta::test {

using numbers = std::vector<double>;

/// Whether two numbers differ by no more than this part of the larger one.
inline bool is_near(double a, double b, double most = 1e-12) {
    return std::fabs(a - b) <= most * std::max({std::fabs(a), std::fabs(b)});
}

} // namespace pprofdelta::test
