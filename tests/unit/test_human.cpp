// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <array>
#include <cstdio>
#include <limits>
#include <string>

#include <locale.h>

#include "catch.hpp"
#include "figures.hpp"

using pprofdelta::human;
using namespace pprofdelta::tool;

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

TEST_CASE("figures have as many digits as they say") {
    CHECK(fixed_text(1.0 / 3, 3) == "0.333");
    CHECK(fixed_text(-2.5, 0) == "-2");
    CHECK(fixed_text(-1e300, 2).size() == 305);
    CHECK(percent_text(3, 4) == "+33.33%");
    CHECK(percent_text(4, 3) == "-25.00%");
    CHECK(percent_text(1000000, 1000001) == "0%");
    CHECK(percent_text(1000001, 1000000) == "0%");
    CHECK(percent_text(0, 1) == "new");
    CHECK(percent_text(std::numeric_limits<std::int64_t>::min(), 0) == "+100.00%");
    CHECK(percent_text(1, std::numeric_limits<std::int64_t>::max()) ==
          "+922337203685477580800.00%");
    CHECK(factor_text(1.25) == "1.25");
    CHECK(factor_text(1.0 / 3) == "0.333333");
    CHECK(factor_text(1e10) == "1e+10");
}

// Hidden, as it needs a locale with a comma; the script comma-locale makes one and runs this.
TEST_CASE("figures have a point in every locale", "[.comma-locale]") {
    const locale_t comma = ::newlocale(LC_NUMERIC_MASK, "de_DE.UTF-8", nullptr);
    REQUIRE(comma != nullptr);
    const locale_t before = ::uselocale(comma);
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%.1f", 0.5);
    CHECK(text.data() == std::string{"0,5"});
    CHECK(human(1572864, "bytes") == "1.50MB");
    CHECK(percent_text(3, 4) == "+33.33%");
    CHECK(factor_text(1.25) == "1.25");
    CHECK(fixed_text(0.5, 3) == "0.500");
    ::uselocale(before);
    ::freelocale(comma);
}
