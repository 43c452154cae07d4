// SPDX-License-Identifier: Apache-2.0
#include "profile/stacks.hpp"

#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/report.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::message_builder;

TEST_CASE("each line is a frame, and so is a location without lines") {
    test::profile p;
    test::add_frame(p, "inner", "a.c", 3);
    test::add_frame(p, "outer", "a.c", 7);
    p.mappings = {{5, 0x1000, 0x2000, 0, "/bin/program", "", false, ""}};
    p.locations[0].lines.push_back(p.locations[1].lines[0]);
    p.locations[0].lines.push_back({0, 8, 0, ""}); // a line without a function
    p.locations[1].lines.clear();
    p.locations[1].mapping = 5;
    const std::string bytes = test::serialize(p);
    profile_index index;
    index.build(bytes, match_mode::exact);
    const frame_index frames{index};
    REQUIRE(frames.begin(0) == 0);
    REQUIRE(frames.begin(1) == 3);
    REQUIRE(frames.begin(2) == 4);
    CHECK(frames.frames()[0].function == 0);
    CHECK(frames.frames()[0].line == 3);
    CHECK(frames.frames()[1].function == 1);
    CHECK(frames.frames()[2].function == id_map::npos);
    CHECK(frames.frames()[2].line == 8);
    CHECK(frames.frames()[3].function == id_map::npos);
    CHECK(index.strings.text(frames.frames()[0].mapping_file).empty());
    CHECK(index.strings.text(frames.frames()[3].mapping_file) == "/bin/program");
}

TEST_CASE("a stack is read leaf first, however its numbers are written") {
    test::profile p;
    p.types = {{"a", "count"}, {"b", "count"}};
    const auto f = test::add_frame(p, "f");
    const auto g = test::add_frame(p, "g");
    p.samples = {{{g, f, g}, {5, -1}, {}, ""}, {{}, {0, 2}, {}, ""}};
    for (const auto numbers :
         {test::packing::packed, test::packing::unpacked, test::packing::mixed}) {
        for (const bool is_sparse : {false, true}) {
            test::layout how;
            how.numbers = numbers;
            how.sparse_ids = is_sparse;
            const std::string bytes = test::serialize(p, how);
            profile_index index;
            index.build(bytes, match_mode::exact);
            stack_reader reader{index};
            reader.read(index.view.samples.at(0));
            const auto places = reader.locations();
            CHECK(std::vector(places.begin(), places.end()) == std::vector<std::uint32_t>{1, 0, 1});
            CHECK(reader.values() == std::vector<std::int64_t>{5, -1});
            reader.read(index.view.samples.at(1));
            CHECK(reader.locations().empty());
            CHECK(reader.values() == std::vector<std::int64_t>{0, 2});
        }
    }
}

TEST_CASE("a sample with a location too many or a value too few is an error") {
    for (const std::string& sample :
         {message_builder{}.number(1, 9).number(2, 1).str(), std::string{}}) {
        const std::string bytes =
            message_builder{}.bytes(6, "").bytes(1, "").bytes(2, sample).str();
        profile_index index;
        index.build(bytes, match_mode::exact);
        stack_reader reader{index};
        CHECK(fails_as(error_kind::malformed, [&] {
            reader.read(index.view.samples.at(0));
            (void)reader.locations();
        }));
    }
}

TEST_CASE("a location has at most 1000 lines") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.samples.push_back({{test::add_frame(p, "inner")}, {1}, {}, ""});
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    const std::string most = test::serialize(p);
    CHECK(make_report(most, most).rows.empty());
    p.locations[0].lines.resize(1001, p.locations[0].lines[0]);
    const std::string more = test::serialize(p);
    for (const auto& both : {std::pair{most, more}, std::pair{more, most}}) {
        CHECK(fails_as(error_kind::too_large,
                       [&] { static_cast<void>(make_report(both.first, both.second)); }));
    }
}
