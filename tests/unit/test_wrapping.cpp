// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.hpp"

#include <limits>

#include "catch.hpp"

using namespace pprofdelta;

TEST_CASE("arithmetic wraps around") {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    CHECK(wrapping_add(1, 2) == 3);
    CHECK(wrapping_add(highest, 1) == lowest);
    CHECK(wrapping_add(lowest, -1) == highest);
    CHECK(wrapping_subtract(1, 2) == -1);
    CHECK(wrapping_subtract(lowest, 1) == highest);
    CHECK(wrapping_subtract(0, lowest) == lowest);
    CHECK(wrapping_subtract(highest, lowest) == -1);
}
