// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <array>
#include <cstdio>
#include <limits>
#include <string>

#include <locale.h>

#include "base/value_text.hpp"
#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

TEST_CASE("values are printed in units that say what they mean") {
    CHECK(human(0, "bytes") == "0");
    CHECK(human(1023, "bytes") == "1023B");
    CHECK(human(1024, "bytes") == "1KiB");
    CHECK(human(1572864, "bytes") == "1.50MiB");
    CHECK(human(-1572864, "bytes") == "-1.50MiB");
    CHECK(human(2048, "kilobytes") == "2MiB");
    CHECK(human(12'300'000, "nanoseconds") == "12.30ms");
    CHECK(human(999, "nanoseconds") == "999ns");
    CHECK(human(90, "seconds") == "90s");
    CHECK(human(5'590'000'000, "nanoseconds") == "5.59s");
    CHECK(human(7200, "seconds") == "2hrs");
    CHECK(human(123456789, "count") == "123456789");
    CHECK(human(-5, "") == "-5");
    CHECK(human(std::numeric_limits<std::int64_t>::min(), "bytes") == "-8192PiB");
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
    CHECK(percent_text(-1, 0) == "+100.00%");
    CHECK(factor_text(1.25) == "1.25");
    CHECK(factor_text(1.0 / 3) == "0.333333");
    CHECK(factor_text(1e10) == "1e+10");
}

TEST_CASE("growth by more than 1000 % is a factor") {
    CHECK(percent_text(100, 1100) == "+1000.00%");
    CHECK(percent_text(100, 1125) == "\u00d711.2");
    CHECK(percent_text(1, 35) == "\u00d735");
    CHECK(percent_text(72, 8500) == "\u00d7118");
    CHECK(percent_text(1, std::numeric_limits<std::int64_t>::max()) == "\u00d79223372036854775808");
    // Of what is less than nothing there is no multiple.
    CHECK(percent_text(-1, 34) == "+3500.00%");
    CHECK(percent_text(1, -34) == "-3500.00%");
}

TEST_CASE("rates are for a time, and small ones are not nothing") {
    CHECK(human_rate(1536, "bytes", rate_time::second) == "1.50KiB/s");
    CHECK(human_rate(1536, "bytes", rate_time::minute) == "90KiB/min");
    CHECK(human_rate(2e6, "nanoseconds", rate_time::second) == "2ms/s");
    CHECK(human_rate(0.25, "count", rate_time::second) == "0.25/s");
    CHECK(human_rate(0.01234, "count", rate_time::minute) == "0.74/min");
    CHECK(human_rate(99.96, "count", rate_time::second) == "100/s");
    CHECK(human_rate(-12.345, "count", rate_time::second) == "-12.3/s");
    CHECK(human_rate(1e-12, "count", rate_time::second) == "0/s");
    CHECK(human_rate(0, "count", rate_time::second) == "0/s");
    CHECK(human_rate(20, 10'000'000'000, "count", rate_time::second) == "2/s");
}

TEST_CASE("an interval is a duration, and two times where they are known") {
    constexpr std::int64_t second = 1'000'000'000;
    CHECK(interval_text(0, 0).empty());
    CHECK(interval_text(5 * second, 0).empty());
    CHECK(interval_text(0, 10 * second) == "duration: 10s");
    CHECK(interval_text(5 * second, 10 * second) == "duration: 10s");
    CHECK(interval_text(100 * second, 10 * second) ==
          "interval: 10s, 1970-01-01T00:01:30Z to 1970-01-01T00:01:40Z");
}

TEST_CASE("changes have their sign, and more bits than values") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(human_change({1024, 3072}, "bytes") == "+2KiB");
    CHECK(human_change({3072, 1024}, "bytes") == "-2KiB");
    CHECK(human_change({5, 5}, "bytes") == "0");
    CHECK(human_change({least, most}, "bytes") == "+18446744073709551615");
    CHECK(human_change({most, least}, "bytes") == "-18446744073709551615");
}

TEST_CASE("messages about limits are for people, and exact where rounding would mislead") {
    const auto message = [](const std::string& text, std::int64_t previous, std::int64_t current,
                            limit::bound on, std::uint64_t most,
                            const value_type& type = {"space", "bytes"}) {
        judgement j;
        j.limit = text;
        j.type = type;
        j.previous = previous;
        j.current = current;
        j.change = static_cast<std::int64_t>(static_cast<std::uint64_t>(current) -
                                             static_cast<std::uint64_t>(previous));
        j.on = on;
        j.allowed = most;
        const std::string all = describe(j, std::nullopt);
        return all.substr(all.find("previous"));
    };
    constexpr auto value = limit::bound::value;
    constexpr auto growth = limit::bound::growth;
    constexpr auto percent = limit::bound::percent;
    CHECK(message("delay>+1s", 5'590'000'000, 7'000'000'000, growth, 1'000'000'000,
                  {"delay", "nanoseconds"}) ==
          "previous 5.59s, current 7s, change +1.41s (+25.22%)");
    CHECK(message("n>1", 1, 2, value, 1, {"n", "count"}) ==
          "previous 1, current 2, change +1 (+100.00%)");
    // Both look alike.
    CHECK(message("space>+0", 2'000'000, 2'000'001, growth, 0) ==
          "previous 1.91MiB (2000000), current 1.91MiB (2000001), change +1B (+1) (0%)");
    CHECK(message("space>1MiB", 2'000'000, 2'000'000, value, 1 << 20) ==
          "previous 1.91MiB, current 1.91MiB, change 0 (0%)");
    // The value looks like its bound.
    CHECK(message("space>2MiB", 0, (2 << 20) + 1, value, 2 << 20) ==
          "previous 0, current 2MiB (2097153), change +2MiB (+2097153) (new)");
    CHECK(message("space>+10%", 1'000'000, 1'100'001, percent, 100'000) ==
          "previous 976.56KiB (1000000), current 1.05MiB (1100001), "
          "change +97.66KiB (+100001) (+10.00%)");
    CHECK(message("space>+10%", 1'000'000, 1'200'000, percent, 100'000) ==
          "previous 976.56KiB, current 1.14MiB, change +195.31KiB (+20.00%)");
    // 2.45MB are less than 2.40MiB.
    CHECK(message("space>2.45MB", 0, 2'521'016, value, 2'450'000) ==
          "previous 0, current 2.40MiB (2521016), change +2.40MiB (+2521016) (new)");
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    CHECK(message("space>+1%", -largest, largest, percent, std::uint64_t{1} << 63U) ==
          "previous -8192PiB, current 8192PiB, change +18446744073709551614 (+200.00%)");
}

// Hidden, as it needs a locale with a comma; the script comma-locale makes one and runs this.
TEST_CASE("figures have a point in every locale", "[.comma-locale]") {
    const locale_t comma = ::newlocale(LC_NUMERIC_MASK, "de_DE.UTF-8", nullptr);
    REQUIRE(comma != nullptr);
    const locale_t before = ::uselocale(comma);
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%.1f", 0.5);
    CHECK(text.data() == std::string{"0,5"});
    CHECK(human(1572864, "bytes") == "1.50MiB");
    CHECK(percent_text(3, 4) == "+33.33%");
    CHECK(factor_text(1.25) == "1.25");
    CHECK(fixed_text(0.5, 3) == "0.500");
    ::uselocale(before);
    ::freelocale(comma);
}
