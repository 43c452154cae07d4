// SPDX-License-Identifier: Apache-2.0
#include "delta/series.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

profile_types types(std::vector<value_type> sample_types, value_type period_type = {}) {
    return {std::move(sample_types), std::move(period_type)};
}

using places = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("the known cumulative types are subtracted") {
    const auto plan = plan_subtraction(types({{"inuse_objects", "count"},
                                              {"alloc_objects", "count"},
                                              {"inuse_space", "bytes"},
                                              {"alloc_space", "bytes"},
                                              {"contentions", "count"},
                                              {"delay", "nanoseconds"}}),
                                       {});
    CHECK(plan.cumulative == places{1, 3, 4, 5});
    CHECK(plan.is_cumulative == std::vector<bool>{false, true, false, true, true, true});
}

TEST_CASE("a known name in another unit is not known") {
    CHECK(plan_subtraction(types({{"alloc_objects", "bytes"},
                                  {"alloc_space", "count"},
                                  {"delay", "count"},
                                  {"contentions", "nanoseconds"},
                                  {"samples", "count"}}),
                           {})
              .cumulative.empty());
}

TEST_CASE("contentions of one Java recording are not cumulative") {
    const std::vector<value_type> mutex{{"contentions", "count"}, {"delay", "nanoseconds"}};
    CHECK(plan_subtraction(types(mutex, {"mutex", "count"}), {}).cumulative.empty());
    CHECK(plan_subtraction(types(mutex, {"contentions", "count"}), {}).cumulative == places{0, 1});
    CHECK(plan_subtraction(types(mutex), {}).cumulative == places{0, 1});
    CHECK(plan_subtraction(types({{"alloc_space", "bytes"}}, {"mutex", "count"}), {}).cumulative ==
          places{0});
}

TEST_CASE("options override the known types") {
    const auto heap =
        types({{"alloc_space", "bytes"}, {"inuse_space", "bytes"}, {"x", "a"}, {"x", "b"}});
    delta_options options;
    options.cumulative.emplace_back("x");
    options.gauge.emplace_back("alloc_space");
    CHECK(plan_subtraction(heap, options).cumulative == places{2, 3});
    options.cumulative = {value_type_pattern{"x/b"}, value_type_pattern{"inuse_space"}};
    options.gauge.clear();
    CHECK(plan_subtraction(heap, options).cumulative == places{0, 1, 3});
}

TEST_CASE("options that cannot be meant are refused by name") {
    const auto heap = types({{"alloc_space", "bytes"}, {"x", "a"}});
    delta_options options;
    options.gauge.emplace_back("y");
    const auto fault = error_from([&] { (void)plan_subtraction(heap, options); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(std::string{fault->what()} == "no sample type is y; there are: alloc_space/bytes, x/a");
    options.gauge = {value_type_pattern{"x"}};
    options.cumulative = {value_type_pattern{"x/a"}};
    CHECK(fails_as(error_kind::incompatible, [&] { (void)plan_subtraction(heap, options); }));
}

TEST_CASE("a plan has to subtract something") {
    const auto gauges = types({{"inuse_space", "bytes"}});
    const auto plan = plan_subtraction(gauges, {});
    CHECK(fails_as(error_kind::no_cumulative_type, [&] { require_cumulative(plan, gauges); }));
    const auto heap = types({{"alloc_space", "bytes"}});
    require_cumulative(plan_subtraction(heap, {}), heap);
}
