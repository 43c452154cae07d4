// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <pprofdelta/value_type.hpp>

#include "profile/index.hpp"
#include "profile/view.hpp"
#include "profile/writer.hpp"

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::message_builder;
using test::varint;

// The tests of deltas and sums see what is read of profiles, and what is written, which they
// compare with what the tests' own reader reads. Here is what bounds it.

TEST_CASE("a pattern is a type with any unit, or with one") {
    struct example {
        const char* pattern;
        value_type type;
        bool matches;
    };
    for (const auto& [pattern, type, matches] : {
             example{"delay/nanoseconds", {"delay", "nanoseconds"}, true},
             example{"delay/nanoseconds", {"delay", "seconds"}, false},
             example{"delay/nanoseconds", {"delay", ""}, false},
             example{"delay", {"delay", "nanoseconds"}, true},
             example{"delay", {"delay", ""}, true},
             example{"delay", {"delays", "nanoseconds"}, false},
             example{"delay", {"dela", "y"}, false},
             example{"delay", {"DELAY", "nanoseconds"}, false},
             example{"a/b", {"a/b", "count"}, true},
             example{"a/b/count", {"a/b", "count"}, true},
             example{"io/bytes/s", {"io", "bytes/s"}, true},
             example{"io/bytes", {"io", "bytes/s"}, false},
             example{"", {"", "count"}, true},
             example{"", {"x", ""}, false},
         }) {
        CAPTURE(pattern, to_string(type));
        CHECK(value_type_pattern{pattern}.matches(type) == matches);
    }
}

TEST_CASE("an error names the first of many types") {
    CHECK(to_string(std::vector<value_type>(23)).ends_with("/, / and 3 more"));
    CHECK(to_string(std::vector<value_type>{}) == "none");
    CHECK(to_string(std::vector<value_type>{{"a", "b"}, {"c", "d"}}) == "a/b, c/d");
}

namespace {

profile_types read(const std::string& bytes) {
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    profile_types types;
    types.read(view, strings);
    return types;
}

} // namespace

TEST_CASE("the number of types and the length of their names are bounded") {
    const auto with = [](std::size_t count) {
        message_builder to;
        for (std::size_t i = 0; i < count; ++i) {
            to.bytes(1, "");
        }
        return to.bytes(6, "").str();
    };
    CHECK(read(with(max_sample_types)).sample_types.size() == max_sample_types);
    CHECK(fails_as(error_kind::too_large, [&] { read(with(max_sample_types + 1)); }));
    const auto named = [](std::size_t size) {
        const std::string type = message_builder{}.number(1, 1).str();
        const std::string unit = message_builder{}.number(2, 1).str();
        return message_builder{}
            .bytes(1, type)
            .bytes(1, unit)
            .bytes(6, "")
            .bytes(6, std::string(size, 'x'))
            .str();
    };
    CHECK(read(named(max_type_names_size / 2)).sample_types.size() == 2);
    CHECK(fails_as(error_kind::too_large, [&] { read(named(max_type_names_size / 2 + 1)); }));
}

namespace {

const std::string no_strings = message_builder{}.bytes(6, "").str();

bool is_refused(const std::string& bytes) {
    profile_view view;
    return fails_as(error_kind::malformed, [&] { view.parse(bytes); });
}

} // namespace

TEST_CASE("a wrong wire type is refused for every field") {
    for (const unsigned number : {1U, 2U, 3U, 4U, 5U, 6U, 11U}) {
        CAPTURE(number);
        CHECK(is_refused(no_strings + message_builder{}.number(number, 5).str()));
    }
    for (const unsigned number : {7U, 8U, 9U, 10U, 12U, 14U, 15U}) {
        CAPTURE(number);
        CHECK(is_refused(no_strings + message_builder{}.bytes(number, "x").str()));
    }
    CHECK(is_refused(no_strings + varint(9U << 3U | 1U) + "12345678"));
    CHECK(is_refused(no_strings + varint(13U << 3U | 5U) + "1234"));
}

TEST_CASE("a profile of 2 GiB is refused before it is read") {
    // The size alone is looked at, so no such memory is needed.
    const std::string_view huge{no_strings.data(), std::size_t{1} << 31U};
    profile_view view;
    CHECK(fails_as(error_kind::too_large, [&] { view.parse(huge); }));
}

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Adds all ids, and checks that each is at its place and no other one is found.
void check_places(const std::vector<std::uint64_t>& ids) {
    id_map map;
    for (const std::uint64_t id : ids) {
        CHECK(map.find(id) == id_map::npos);
        CHECK(map.add(id));
    }
    CHECK(map.size() == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CHECK(map.find(ids[i]) == i);
        CHECK_FALSE(map.add(ids[i]));
    }
    CHECK(map.size() == ids.size());
    CHECK(map.find(0) == id_map::npos);
}

} // namespace

TEST_CASE("ids of every order get their places") {
    check_places({1, 2, 3, 4});
    check_places({4, 3, 2, 1});
    check_places({1, 2, 4, 3, 5}); // leaves the sequence and would return to it
    check_places({2, 1, 3});
    check_places({largest});
    check_places({largest, 1, 2, std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) + 1});
    check_places({1, largest, 2, 0x8000000000000000});
}

namespace {

std::string write_all_of(const profile_index& index, std::size_t max_size) {
    profile_writer writer;
    std::string out;
    writer.start(index, nullptr, out, max_size);
    const std::vector<std::int64_t> values(index.types.sample_types.size(), 1);
    for (const record sample : index.view.samples) {
        writer.write_sample(side::current, sample, values);
    }
    writer.finish(0);
    return out;
}

} // namespace

TEST_CASE("a profile that is written does not become larger than one that is read") {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x1000, 0x2000, 0, "app"}};
    for (int i = 0; i < 10; ++i) {
        p.samples.push_back({{add_frame(p, "f" + std::to_string(i), "f.c", i)}, {1, 1, 1, 1}});
    }
    p.comments = {"one", "two"};
    p.unknown = test::message_builder{}.bytes(100, "something new").str();
    const std::string bytes = serialize(p);
    profile_index index;
    index.build(bytes, match_mode::exact);
    const std::string whole = write_all_of(index, max_profile_size);
    CHECK(write_all_of(index, whole.size()) == whole);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        REQUIRE(fails_as(error_kind::too_large, [&] { write_all_of(index, size); }));
    }
}
