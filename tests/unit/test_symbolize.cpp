// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/symbolize.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

constexpr std::uint64_t start = 0x7000;

// A profile with one mapping, and a sample of a location for each address in it.
test::profile with_addresses(const std::vector<std::uint64_t>& addresses) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{.id = 1,
                   .start = start,
                   .limit = 0x9000,
                   .offset = 0x400,
                   .file = "/bin/prog",
                   .build_id = "abcd"}};
    for (const std::uint64_t address : addresses) {
        const std::uint64_t id = p.locations.size() + 1;
        p.locations.push_back({.id = id, .mapping = 1, .address = address});
        p.samples.push_back({{id}, {1}, {}, ""});
    }
    return p;
}

using frames_by_offset = std::map<std::uint64_t, std::vector<code_frame>>;

std::string named(const test::profile& p, const frames_by_offset& known,
                  std::vector<std::string>* asked = nullptr) {
    return add_names(test::serialize(p), [&](const code_place& place) {
        if (asked != nullptr) {
            asked->push_back(std::string{place.file} + " " + std::string{place.build_id} + " " +
                             std::to_string(place.offset));
        }
        const auto found = known.find(place.offset);
        return found == known.end() ? std::vector<code_frame>{} : found->second;
    });
}

const code_frame inlined{"f", "_Z1fv", "f.hpp", 7};
const code_frame outer{"g", "_Z1gv", "g.cpp", 9};

} // namespace

TEST_CASE("a location without lines gets those of its place in the file") {
    std::vector<std::string> asked;
    const test::profile p = with_addresses({start, start + 0x10});
    const test::profile result = test::parse(named(p, {{0x410, {inlined, outer}}}, &asked)).content;
    CHECK(asked == std::vector<std::string>{"/bin/prog abcd 1024", "/bin/prog abcd 1040"});
    CHECK(result.locations[0] == p.locations[0]);
    CHECK(result.locations[1].lines == std::vector<test::line>{{1, 7, 0, ""}, {2, 9, 0, ""}});
    REQUIRE(result.functions.size() == 2);
    const auto by_name = [&](const std::string& name) {
        return result.functions[result.functions[0].name == name ? 0 : 1];
    };
    CHECK(by_name("f") == test::function{1, "f", "_Z1fv", "f.hpp", 0, ""});
    CHECK(by_name("g") == test::function{2, "g", "_Z1gv", "g.cpp", 0, ""});
    CHECK(result.mappings[0].has_functions);
    CHECK(result.samples == p.samples);
}

TEST_CASE("a function that is found several times is written once") {
    const test::profile result = test::parse(named(with_addresses({start, start + 1, start + 2}),
                                                   {{0x400, {outer}},
                                                    {0x401, {inlined, outer}},
                                                    {0x402, {{"g", "_Z1gv", "g.cpp", 10}}}}))
                                     .content;
    CHECK(result.functions.size() == 2);
    CHECK(result.locations[0].lines[0].function == result.locations[1].lines[1].function);
    CHECK(result.locations[2].lines[0].function == result.locations[0].lines[0].function);
    CHECK(result.locations[2].lines[0].number == 10);
}

TEST_CASE("what has lines, or no place in a file, is not asked for") {
    test::profile p = with_addresses({start - 1, 0x9000, 0});
    const std::uint64_t frame = test::add_frame(p, "known", "known.cpp", 3);
    p.locations.back().mapping = 1;
    p.locations.back().address = start + 4;
    p.samples.push_back({{frame}, {1}, {}, ""});
    p.locations.push_back({.id = 77, .mapping = 0, .address = start});
    p.samples.push_back({{77}, {1}, {}, ""});
    std::vector<std::string> asked;
    const std::string bytes = test::serialize(p);
    CHECK(named(p, {}, &asked) == bytes);
    CHECK(asked.empty());
}

TEST_CASE("a profile of which nothing is known is not changed") {
    const test::profile p = with_addresses({start});
    std::vector<std::string> asked;
    CHECK(named(p, {}, &asked) == test::serialize(p));
    CHECK(asked.size() == 1);
}

TEST_CASE("new functions have ids that nothing else has") {
    test::profile p = with_addresses({start});
    p.functions = {{.id = 1, .name = "one"},
                   {.id = 3, .name = "three"},
                   {.id = std::numeric_limits<std::uint64_t>::max(), .name = "last"}};
    const test::profile result = test::parse(named(p, {{0x400, {inlined, outer}}})).content;
    REQUIRE(result.functions.size() == 5);
    CHECK(result.locations[0].lines[0].function == 2);
    CHECK(result.locations[0].lines[1].function == 4);
}

TEST_CASE("everything else is copied as it stands") {
    test::profile p = with_addresses({start});
    const std::string unknown = test::message_builder{}.bytes(99, "new").str();
    p.unknown = p.locations[0].unknown = p.mappings[0].unknown = p.samples[0].unknown = unknown;
    p.samples[0].labels = {{"key", "text", 0, "", unknown}};
    p.locations[0].folded = true;
    p.comments = {"a comment"};
    p.time = 5;
    p.period = 6;
    test::profile expected = p;
    expected.mappings[0].has_functions = true;
    // Files, line numbers and inlined frames.
    expected.mappings[0].unknown +=
        test::message_builder{}.number(8, 1).number(9, 1).number(10, 1).str();
    expected.functions = {{.id = 1, .name = "g", .system_name = "_Z1gv", .file = "g.cpp"}};
    expected.locations[0].lines = {{1, 9, 0, ""}};
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        test::layout how;
        how.shuffle = seed;
        const std::string bytes = test::serialize(p, how);
        const std::string result =
            add_names(bytes, [](const code_place&) { return std::vector{outer}; });
        CHECK(test::parse(result).content == expected);
    }
}

TEST_CASE("a damaged profile gets no names") {
    const auto find = [](const code_place&) { return std::vector{outer}; };
    CHECK(fails_as(error_kind::malformed, [&] { (void)add_names("x", find); }));
    CHECK(fails_as(error_kind::malformed, [&] { (void)add_names("", find); }));
}
