// SPDX-License-Identifier: Apache-2.0
#include "profile/view.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"
#include "wire/reader.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;
using test::message_builder;
using test::varint;

namespace {

const std::string no_strings = message_builder{}.bytes(6, "").str();

std::vector<std::string> texts(const profile_view& view, const std::vector<record>& records) {
    std::vector<std::string> out;
    out.reserve(records.size());
    for (const record r : records) {
        out.emplace_back(view.at(r));
    }
    return out;
}

bool is_refused(const std::string& bytes) {
    profile_view view;
    return fails_as(error_kind::malformed, [&] { view.parse(bytes); });
}

} // namespace

TEST_CASE("records are found where they lie") {
    const std::string bytes = message_builder{}
                                  .bytes(6, "")
                                  .bytes(1, "type")
                                  .bytes(2, "sample 1")
                                  .bytes(3, "mapping")
                                  .bytes(4, "location")
                                  .bytes(2, "sample 2")
                                  .bytes(5, "function")
                                  .bytes(6, "string")
                                  .bytes(11, "period")
                                  .str();
    profile_view view;
    view.parse(bytes);
    CHECK(view.bytes().data() == bytes.data());
    CHECK(texts(view, view.sample_types) == std::vector<std::string>{"type"});
    CHECK(texts(view, view.samples) == std::vector<std::string>{"sample 1", "sample 2"});
    CHECK(texts(view, view.mappings) == std::vector<std::string>{"mapping"});
    CHECK(texts(view, view.locations) == std::vector<std::string>{"location"});
    CHECK(texts(view, view.functions) == std::vector<std::string>{"function"});
    CHECK(texts(view, view.strings) == std::vector<std::string>{"", "string"});
    CHECK(texts(view, view.period_types) == std::vector<std::string>{"period"});
    CHECK(view.unknown_fields.empty());
    CHECK(view.comments.empty());
}

TEST_CASE("header numbers are read, the last one counts") {
    const std::string bytes = message_builder{}
                                  .bytes(6, "")
                                  .number(7, 1)
                                  .number(8, 2)
                                  .number(9, static_cast<std::uint64_t>(-3))
                                  .number(10, 100)
                                  .number(10, static_cast<std::uint64_t>(-4))
                                  .number(12, 5)
                                  .number(14, 6)
                                  .number(15, 7)
                                  .str();
    profile_view view;
    view.parse(bytes);
    CHECK(view.drop_frames == 1);
    CHECK(view.keep_frames == 2);
    CHECK(view.time_nanos == -3);
    CHECK(view.duration_nanos == -4);
    CHECK(view.period == 5);
    CHECK(view.default_sample_type == 6);
    CHECK(view.doc_url == 7);
}

TEST_CASE("comments come packed, single, or both") {
    const std::string bytes =
        no_strings +
        message_builder{}.number(13, 1).bytes(13, varint(2) + varint(300)).number(13, 0).str();
    profile_view view;
    view.parse(bytes);
    std::vector<std::uint64_t> numbers;
    for (const record r : view.comments) {
        for_each_packed(view.at(r), view.bytes().data(),
                        [&](std::uint64_t number) { numbers.push_back(number); });
    }
    CHECK(numbers == std::vector<std::uint64_t>{1, 2, 300, 0});
    CHECK(is_refused(no_strings + message_builder{}.bytes(13, "\x80").str()));
}

TEST_CASE("unknown fields are kept whole and in order") {
    const std::string first = message_builder{}.bytes(16, "x").str();
    const std::string second = message_builder{}.number(100'000, 1).str();
    const std::string third = varint(17U << 3U | 1U) + "12345678";
    profile_view view;
    const std::string bytes = first + no_strings + second + third;
    view.parse(bytes);
    CHECK(texts(view, view.unknown_fields) == std::vector<std::string>{first, second, third});
}

TEST_CASE("parsing again replaces everything") {
    profile_view view;
    const std::string full = test::serialize(test::random_series{1}.next()) +
                             message_builder{}.number(100, 1).number(13, 0).number(10, 1).str();
    view.parse(full);
    view.parse(no_strings);
    CHECK(view.strings.size() == 1);
    for (const auto* records : {&view.sample_types, &view.samples, &view.mappings, &view.locations,
                                &view.functions, &view.period_types, &view.unknown_fields}) {
        CHECK(records->empty());
    }
    CHECK(view.comments.empty());
    CHECK(view.time_nanos == 0);
    CHECK(view.duration_nanos == 0);
    CHECK(view.period == 0);
    CHECK(view.doc_url == 0);
}

TEST_CASE("a view that refused a profile can parse another") {
    profile_view view;
    const std::string twice = no_strings + message_builder{}.number(9, 5).number(9, 6).str();
    CHECK(fails_as(error_kind::malformed, [&] { view.parse(twice); }));
    const std::string once = no_strings + message_builder{}.number(9, 5).str();
    view.parse(once);
    CHECK(view.time_nanos == 5);
    CHECK(view.strings.size() == 1);
}

TEST_CASE("without a string table, or an empty first string, there is no profile") {
    CHECK(is_refused(""));
    CHECK(is_refused(message_builder{}.number(9, 5).str()));
    CHECK(is_refused(message_builder{}.bytes(6, "x").str()));
    CHECK(is_refused(message_builder{}.bytes(6, "x").bytes(6, "").str()));
    CHECK_FALSE(is_refused(no_strings + no_strings));
    CHECK(is_refused("not a profile"));
}

TEST_CASE("profiles one after the other are refused") {
    test::profile p;
    p.types = test::heap_types();
    p.time = 5;
    const std::string one = test::serialize(p);
    CHECK_FALSE(is_refused(one));
    CHECK(is_refused(one + one));
    const auto fault = error_from([&] { profile_view{}.parse(one + one); });
    REQUIRE(fault);
    CHECK(fault->offset() >= one.size());
}

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
    // Only the size is looked at, so no such memory is needed.
    const std::string_view huge{no_strings.data(), std::size_t{1} << 31U};
    profile_view view;
    CHECK(fails_as(error_kind::too_large, [&] { view.parse(huge); }));
}

TEST_CASE("a profile cut anywhere is read or refused, never overread") {
    test::random_series series{7};
    const std::string bytes = test::serialize(series.next());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::vector<char> memory(bytes.begin(),
                                       bytes.begin() + static_cast<std::ptrdiff_t>(size));
        profile_view view;
        const auto fault = error_from([&] { view.parse({memory.data(), memory.size()}); });
        if (fault && fault->offset()) {
            CHECK(*fault->offset() <= size);
        }
    }
}
