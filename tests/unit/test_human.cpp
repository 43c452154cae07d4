// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <limits>

#include "catch.hpp"

using pprofdelta::human;

TEST_CASE("values are printed as pprof does") {
    CHECK(human(0, "bytes") == "0");
    CHECK(human(1023, "bytes") == "1023B");
    CHECK(human(1024, "bytes") == "1kB");
    CHECK(human(1572864, "bytes") == "1.50MB");
    CHECK(human(-1572864, "bytes") == "-1.50MB");
    CHECK(human(2048, "kilobytes") == "2MB");
    CHECK(human(12'300'000, "nanoseconds") == "12.30ms");
    CHECK(human(999, "nanoseconds") == "999ns");
    CHECK(human(90, "seconds") == "90s");
    CHECK(human(7200, "seconds") == "2hrs");
    CHECK(human(123456789, "count") == "123456789");
    CHECK(human(-5, "") == "-5");
    CHECK(human(std::numeric_limits<std::int64_t>::min(), "bytes") == "-8192PB");
}
