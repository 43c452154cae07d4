// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/sampling.hpp>

#include <cstdint>
#include <limits>

#include "catch.hpp"

using namespace pprofdelta;

TEST_CASE("heap samples are scaled as google/pprof scales them") {
    struct example {
        heap_sample sampled;
        std::int64_t rate;
        heap_sample scaled;
    };
    // What scaleHeapSample() of google/pprof gives.
    const example examples[] = {
        {{1, 16}, 524288, {32768, 524296}},
        {{3, 48}, 524288, {98305, 1572888}},
        {{1, 9216}, 524288, {57, 528909}},
        {{7, 1048576}, 524288, {28, 4219236}},
        {{2, 3000000}, 512000, {2, 3169283}},
        {{1, 1}, 2, {2, 2}},
        {{1000000, 16000000}, 524288, {32768500002, 524296000040}},
        {{5, 5}, 1, {5, 5}},
        {{5, 5}, 0, {5, 5}},
        {{5, 5}, -3, {5, 5}},
        {{0, 9}, 7, {0, 0}},
        {{9, 0}, 7, {0, 0}},
        {{-1, 16}, 524288, {32767, -524280}},
        {{-2, -4096}, 524288, {-513, -1050625}},
    };
    for (const example& each : examples) {
        CHECK(scale_heap_sample(each.sampled, each.rate) == each.scaled);
    }
}

TEST_CASE("an estimate that no number can hold is the largest there is") {
    constexpr std::int64_t large = std::int64_t{1} << 40U;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    CHECK(scale_heap_sample({large, large}, std::int64_t{1} << 62U) == heap_sample{most, most});
    CHECK(scale_heap_sample({-large, -large}, std::int64_t{1} << 62U) == heap_sample{least, least});
    CHECK(scale_contention_sample({1, most}, most, 1) == contention_sample{most, most});
}

TEST_CASE("contention samples are scaled as google/pprof scales them") {
    struct example {
        contention_sample sampled;
        std::int64_t period;
        std::int64_t cycles_per_second;
        contention_sample scaled;
    };
    // What parseContentionSample() of google/pprof gives.
    const example examples[] = {
        {{2, 19227}, 100, 3201000000, {200, 600656}},
        {{1, 1}, 1, 2500000000, {1, 0}},
        {{17, 123456789}, 5, 2899999000, {85, 212856606}},
        {{3, 77}, 0, 1000000000, {3, 77}},
        {{3, 77}, 10, 0, {30, 77}},
        {{3, 77}, -1, 5, {3, 77}},
        {{1, 9000000000000000}, 1, 999999937, {1, 9000000567000036}},
    };
    for (const example& each : examples) {
        CHECK(scale_contention_sample(each.sampled, each.period, each.cycles_per_second) ==
              each.scaled);
    }
}
