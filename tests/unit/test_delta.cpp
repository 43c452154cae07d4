// SPDX-License-Identifier: Apache-2.0
// What delta_computer does with values and samples, one rule at a time.
#include <pprofdelta/delta.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

using values = std::vector<std::int64_t>;
using flat = std::map<std::string, values>;

// A heap profile of functions without callers. All are of one process, as its mapping says.
profile heap(const flat& functions) {
    profile p;
    p.mappings = {{1, 0x7ffff7fc9000, 0x7ffff7fcb000, 0, "[vdso]"}};
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    for (const auto& [name, each] : functions) {
        p.samples.push_back({{add_frame(p, name)}, each, {}, ""});
    }
    return p;
}

flat read_flat(const std::string& delta) {
    CHECK(find_fault(delta) == "none");
    const profile p = parse(delta).content;
    flat out;
    for (const auto& each : p.samples) {
        const auto& frame = p.locations.at(each.stack.at(0) - 1); // ids are dense
        const auto& name = p.functions.at(frame.lines.at(0).function - 1).name;
        CHECK(out.emplace(name, each.values).second);
    }
    return out;
}

flat step(delta_computer& computer, const flat& functions, delta_summary* summary = nullptr) {
    std::string delta;
    const auto result = computer.compute(serialize(heap(functions)), delta);
    if (summary != nullptr) {
        *summary = result;
    }
    return read_flat(delta);
}

delta_options on_reset(reset_policy policy) {
    delta_options options;
    options.on_reset = policy;
    return options;
}

} // namespace

TEST_CASE("cumulative values are subtracted, gauges pass through") {
    delta_computer computer;
    step(computer, {{"f", {100, 40}}});
    CHECK(step(computer, {{"f", {130, 35}}}) == flat{{"f", {30, 35}}});
}

TEST_CASE("the first delta is the profile without what is all zero") {
    delta_computer computer;
    delta_summary summary;
    CHECK(step(computer, {{"f", {5, 0}}, {"g", {0, 0}}, {"h", {0, 1}}}, &summary) ==
          flat{{"f", {5, 0}}, {"h", {0, 1}}});
    CHECK(summary.first);
    CHECK_FALSE(summary.reset);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_kept == 2);
}

TEST_CASE("a sample stays as long as one value is not zero") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}, {"g", {5, 1}}, {"h", {5, 1}}});
    CHECK(step(computer, {{"f", {5, 0}}, {"g", {5, 1}}, {"h", {6, 0}}}) ==
          flat{{"g", {0, 1}}, {"h", {1, 0}}});
}

TEST_CASE("a sample that is new counts from zero") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}});
    CHECK(step(computer, {{"f", {5, 1}}, {"g", {7, 2}}}) == flat{{"f", {0, 1}}, {"g", {7, 2}}});
}

TEST_CASE("a sample that vanished yields nothing, and is remembered") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}, {"g", {100, 0}}});
    CHECK(step(computer, {{"g", {100, 0}}}).empty());
    CHECK(step(computer, {{"g", {101, 0}}}) == flat{{"g", {1, 0}}});
    CHECK(step(computer, {{"f", {8, 1}}, {"g", {101, 0}}}) == flat{{"f", {3, 1}}});
}

TEST_CASE("samples of one identity are added up, before they are compared") {
    profile p = heap({{"f", {1, 10}}});
    p.samples.push_back({p.samples[0].stack, {2, 20}, {}, ""});
    p.samples.push_back({{add_frame(p, "f")}, {4, 40}, {}, ""}); // the same frame twice
    delta_computer computer;
    std::string delta;
    const auto summary = computer.compute(serialize(p), delta);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_kept == 1);
    CHECK(read_flat(delta) == flat{{"f", {7, 70}}});
    CHECK(step(computer, {{"f", {8, 70}}}) == flat{{"f", {1, 70}}});
}

TEST_CASE("parts that cancel out are no sample") {
    profile p = heap({{"f", {1, -5}}});
    p.samples.push_back({p.samples[0].stack, {-1, 5}, {}, ""});
    delta_computer computer;
    std::string delta;
    computer.compute(serialize(p), delta);
    CHECK(read_flat(delta).empty());
}

TEST_CASE("values wrap around at 64 bits") {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    delta_computer computer{on_reset(reset_policy::negative)};
    step(computer, {{"f", {lowest, 0}}, {"g", {1, 0}}});
    CHECK(step(computer, {{"f", {highest, 0}}, {"g", {lowest, 0}}}) ==
          flat{{"f", {-1, 0}}, {"g", {highest, 0}}});
}

TEST_CASE("totals are those of the samples that are written") {
    delta_computer computer;
    CHECK(computer.totals().empty());
    step(computer, {{"a", {10, 1}}, {"b", {5, 2}}});
    CHECK(computer.totals() == values{15, 3});
    step(computer, {{"a", {11, 4}}, {"b", {8, 1}}, {"c", {0, 0}}});
    CHECK(computer.totals() == values{4, 5});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    step(computer, {{"a", {11, most}}, {"b", {8, 1}}});
    CHECK(fails_as(error_kind::too_large, [&] { static_cast<void>(computer.totals()); }));
    step(computer, {{"a", {11, 0}}});
    CHECK(computer.totals() == values{0, 0});
}

TEST_CASE("a single negative value is kept as it is") {
    delta_computer computer;
    step(computer, {{"f", {100, 1}}, {"g", {10, 1}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {110, 1}}, {"g", {7, 1}}}, &summary) ==
          flat{{"f", {10, 1}}, {"g", {-3, 1}}});
    CHECK_FALSE(summary.reset);
}

TEST_CASE("drop_negative looks at cumulative values only") {
    delta_options options;
    options.drop_negative = true;
    delta_computer computer{options};
    step(computer, {{"f", {100, 1}}, {"g", {10, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {110, -1}}, {"g", {7, 1}}, {"h", {10, -2}}}) ==
          flat{{"f", {10, -1}}, {"h", {0, -2}}});
    // The sample left out was remembered all the same.
    CHECK(step(computer, {{"f", {110, 0}}, {"g", {9, 0}}, {"h", {10, 0}}}) == flat{{"g", {2, 0}}});
}

TEST_CASE("counters that lose more than half have started over") {
    for (const std::int64_t now : {50, 49}) {
        delta_computer computer;
        step(computer, {{"f", {60, 0}}, {"g", {40, 0}}});
        delta_summary summary;
        const flat delta = step(computer, {{"f", {now - 40, 7}}, {"g", {40, 0}}}, &summary);
        const bool reset = now < 50; // half is not more than half
        CHECK(summary.reset == reset);
        CHECK(delta == (reset ? flat{{"f", {9, 7}}, {"g", {40, 0}}} : flat{{"f", {-50, 7}}}));
    }
}

TEST_CASE("what others gain does not hide a reset, nor does a gauge make one") {
    delta_computer computer;
    step(computer, {{"f", {100, 1000}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {100, 1}}}, &summary) == flat{{"f", {0, 1}}});
    CHECK_FALSE(summary.reset);
    step(computer, {{"f", {10, 1}}, {"g", {5000, 1}}}, &summary);
    CHECK(summary.reset);
}

TEST_CASE("one cumulative type is enough for a reset") {
    profile p;
    p.types = heap_types();
    const auto frame = add_frame(p, "f");
    p.samples = {{{frame}, {100, 1000, 0, 0}, {}, ""}};
    delta_computer computer;
    computer.prime(serialize(p));
    p.samples[0].values = {101, 400, 0, 0};
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).reset);
    CHECK(parse(delta).content.samples.at(0).values == values{101, 400, 0, 0});
}

TEST_CASE("samples that vanish this time count for a reset, those gone before do not") {
    delta_computer computer;
    step(computer, {{"f", {100, 0}}, {"g", {150, 0}}});
    delta_summary summary;
    step(computer, {{"g", {150, 0}}}, &summary);
    CHECK_FALSE(summary.reset);
    // Of f and g together, less than half is lost; of g alone, more.
    step(computer, {{"g", {60, 0}}}, &summary);
    CHECK(summary.reset);
    step(computer, {{"h", {1, 0}}}, &summary);
    CHECK(summary.reset);
    CHECK(step(computer, {}, &summary).empty());
    CHECK(summary.reset);
}

TEST_CASE("on_reset emit gives the current values and forgets the rest") {
    delta_computer computer;
    step(computer, {{"f", {100, 1}}, {"g", {100, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {5, 2}}, {"g", {0, 3}}}) == flat{{"f", {5, 2}}, {"g", {0, 3}}});
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {11, 1}}});
}

TEST_CASE("on_reset drop gives no samples and goes on from there") {
    delta_computer computer{on_reset(reset_policy::drop)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {5, 2}}}, &summary).empty());
    CHECK(summary.reset);
    CHECK(summary.samples_kept == 0);
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {11, 1}}});
}

TEST_CASE("on_reset error changes nothing") {
    delta_computer computer{on_reset(reset_policy::error)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    CHECK(fails_as(error_kind::reset, [&] { step(computer, {{"f", {5, 2}}, {"new", {7, 7}}}); }));
    CHECK(step(computer, {{"f", {101, 2}}, {"new", {8, 0}}}) ==
          flat{{"f", {1, 2}}, {"new", {8, 0}}});
    CHECK(step(computer, {{"f", {101, 0}}, {"new", {8, 0}}, {"h", {12, 0}}}) ==
          flat{{"h", {2, 0}}});
}

TEST_CASE("on_reset negative subtracts all the same") {
    delta_computer computer{on_reset(reset_policy::negative)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {5, 2}}}) == flat{{"f", {-95, 2}}});
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {1, 1}}});
}

TEST_CASE("prime makes a profile the one before, whatever it has lost") {
    delta_computer computer{on_reset(reset_policy::error)};
    computer.prime(serialize(heap({{"f", {100, 1}}})));
    computer.prime(serialize(heap({{"f", {10, 1}}})));
    delta_summary summary;
    CHECK(step(computer, {{"f", {11, 1}}}, &summary) == flat{{"f", {1, 1}}});
    CHECK_FALSE(summary.first);
}

TEST_CASE("a computer can be moved, and goes on where it was") {
    delta_computer first;
    step(first, {{"f", {100, 1}}});
    delta_computer second{std::move(first)};
    CHECK(step(second, {{"f", {101, 1}}}) == flat{{"f", {1, 1}}});
    first = delta_computer{}; // one moved from can be assigned to, and then starts anew
    delta_summary summary;
    CHECK(step(first, {{"f", {101, 1}}}, &summary) == flat{{"f", {101, 1}}});
    CHECK(summary.first);
    first = std::move(second);
    CHECK(step(first, {{"f", {102, 1}}}) == flat{{"f", {1, 1}}});
}
