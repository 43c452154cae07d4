// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <pprofdelta/value_type.hpp>

#include "delta/passes.hpp"
#include "profile/view.hpp"
#include "profile/writer.hpp"
#include "wire/reader.hpp"

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;
using test::message_builder;
using test::varint;

TEST_CASE("a value type as text") {
    CHECK(to_string(value_type{"alloc_space", "bytes"}) == "alloc_space/bytes");
    CHECK(to_string(value_type{"", ""}) == "/");
}

TEST_CASE("value types are equal in type and unit") {
    const value_type a{"delay", "nanoseconds"};
    CHECK(a == value_type{"delay", "nanoseconds"});
    CHECK_FALSE(a == value_type{"delay", "seconds"});
    CHECK_FALSE(a == value_type{"wait", "nanoseconds"});
}

TEST_CASE("a pattern with a unit takes that unit only") {
    const value_type_pattern pattern{"delay/nanoseconds"};
    CHECK(pattern.text() == "delay/nanoseconds");
    CHECK(pattern.matches({"delay", "nanoseconds"}));
    CHECK_FALSE(pattern.matches({"delay", "seconds"}));
    CHECK_FALSE(pattern.matches({"delay", ""}));
}

TEST_CASE("a pattern without a unit takes any") {
    const value_type_pattern pattern{"delay"};
    CHECK(pattern.matches({"delay", "nanoseconds"}));
    CHECK(pattern.matches({"delay", ""}));
    CHECK_FALSE(pattern.matches({"delays", "nanoseconds"}));
    CHECK_FALSE(pattern.matches({"dela", "y"}));
    CHECK_FALSE(pattern.matches({"DELAY", "nanoseconds"}));
}

TEST_CASE("types and units with slashes can be named") {
    CHECK(value_type_pattern{"a/b"}.matches({"a/b", "count"}));
    CHECK(value_type_pattern{"a/b/count"}.matches({"a/b", "count"}));
    CHECK(value_type_pattern{"io/bytes/s"}.matches({"io", "bytes/s"}));
    CHECK_FALSE(value_type_pattern{"io/bytes"}.matches({"io", "bytes/s"}));
}

TEST_CASE("an empty pattern takes only the type without a name") {
    CHECK(value_type_pattern{""}.matches({"", "count"}));
    CHECK_FALSE(value_type_pattern{""}.matches({"x", ""}));
}

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

// What is written is seen in the tests of deltas; this is how much may be.

namespace {

std::string write_all_of(const profile_index& index, std::size_t max_size) {
    profile_writer writer;
    std::string out;
    writer.start(index, nullptr, out, max_size);
    const std::vector<std::int64_t> values(index.types.sample_types.size(), 1);
    for (const record sample : index.view.samples) {
        writer.write_sample(side::current, sample, values);
    }
    write_locations_and_mappings(writer);
    write_functions(writer);
    write_headers_and_strings(writer, 0);
    return out;
}

} // namespace

TEST_CASE("a profile that is written does not become larger than one that is read") {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x1000, 0x2000, 0, "app", "", false, ""}};
    for (int i = 0; i < 10; ++i) {
        p.samples.push_back(
            {{add_frame(p, "f" + std::to_string(i), "f.c", i)}, {1, 1, 1, 1}, {}, ""});
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

TEST_CASE("records are numbered as they are used") {
    renumbering numbers;
    numbers.start({10, 0});
    CHECK(numbers.use(side::current, 7, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 2, {2, 2}) == 1);
    CHECK(numbers.use(side::current, 7, {1, 1}) == 0);
    CHECK(numbers.numbers(side::current)[2] == 1);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 7);
    CHECK(numbers.order()[1].place == 2);
}

TEST_CASE("records of one identity share a number, and the first one stands for it") {
    renumbering numbers;
    numbers.start({3, 3});
    CHECK(numbers.use(side::current, 0, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 2, {1, 1}) == 0);
    CHECK(numbers.use(side::previous, 0, {2, 2}) == 1);
    CHECK(numbers.use(side::previous, 1, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 1);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].from == side::current);
    CHECK(numbers.order()[0].place == 0);
    CHECK(numbers.order()[1].from == side::previous);
    CHECK(numbers.numbers(side::previous)[1] == 0);
}

TEST_CASE("a new start forgets all numbers") {
    renumbering numbers;
    numbers.start({2, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.use(side::current, 1, {2, 2});
    numbers.start({2, 0});
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 1, {2, 2}) == 0);
}

TEST_CASE("what the next profile has in common with those before keeps its number") {
    renumbering numbers;
    numbers.start({2, 0});
    CHECK(numbers.use(side::current, 0, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 1);
    numbers.keep();
    numbers.go_on({3, 0});
    CHECK(numbers.first() == 2);
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 2, {2, 2}) == 1);
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 0, {3, 3}) == 2);
    CHECK(numbers.use(side::current, 1, {4, 4}) == 3);
    CHECK(numbers.use(side::current, 0, {3, 3}) == 2);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 0);
    CHECK(numbers.order()[1].place == 1);
    CHECK(numbers.numbers(side::current)[2] == 1);
}

TEST_CASE("numbers that are taken back are given again") {
    renumbering numbers;
    numbers.start({2, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.keep();
    numbers.go_on({2, 0});
    CHECK(numbers.use(side::current, 0, {2, 2}) == 1);
    CHECK(numbers.use(side::current, 1, {1, 1}) == 0);
    numbers.take_back();
    numbers.go_on({2, 0});
    CHECK(numbers.first() == 1);
    CHECK(numbers.use(side::current, 0, {3, 3}) == 1);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 2);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 0);
    // A first profile can be taken back as well.
    numbers.start({1, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.take_back();
    numbers.go_on({1, 0});
    CHECK(numbers.first() == 0);
    CHECK(numbers.use(side::current, 0, {2, 2}) == 0);
}

namespace {

// A profile of one mapping, with id 1.
std::string mapped_at(std::uint64_t start, const std::string& file) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{1, start, start + 0x1000, 0, file, "", false, ""}};
    p.locations = {{1, 1, start + 0x10, {}, false, ""}};
    return test::serialize(p);
}

profile_index index_of(const std::string& bytes) {
    profile_index index;
    index.build(bytes, match_mode::exact);
    return index;
}

} // namespace

TEST_CASE("addresses of later profiles are those in the mapping that came first") {
    const std::string first_bytes = mapped_at(0x400000, "main");
    const std::string second_bytes = mapped_at(0x500000, "main");
    const std::string other_bytes = mapped_at(0x600000, "other");
    const profile_index first = index_of(first_bytes);
    const profile_index second = index_of(second_bytes);
    const profile_index other = index_of(other_bytes);
    references all;
    const auto use_location = [&] {
        std::uint32_t ordinal = 1;
        all.use_locations(side::current, &ordinal, 1);
        return ordinal;
    };
    all.start(first, nullptr);
    CHECK(all.use_mapping(side::current, 1) == 1);
    all.keep();
    all.go_on(second);
    CHECK(all.use_mapping(side::current, 1) == 1);
    CHECK(all.mappings().order().empty());
    CHECK(all.rebase(side::current, 1, 0x500010) == 0x400010);
    CHECK(all.rebase(side::current, 1, 0) == 0);
    CHECK(use_location() == 1);
    all.keep();
    // Taken back with the start of its mapping.
    all.go_on(other);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(use_location() == 2);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x600010);
    all.take_back();
    const std::string moved_bytes = mapped_at(0x700000, "other");
    const profile_index moved = index_of(moved_bytes);
    all.go_on(moved);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(all.rebase(side::current, 1, 0x700010) == 0x700010);
    all.keep();
    all.go_on(other);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x700010);
    CHECK(use_location() == 2);
}

TEST_CASE("the first mapping is that of the first profile which has one") {
    test::profile none;
    none.types = {{"space", "bytes"}};
    const std::string none_bytes = test::serialize(none);
    const std::string first_bytes = mapped_at(0x400000, "main");
    const std::string other_bytes = mapped_at(0x600000, "other");
    const profile_index without = index_of(none_bytes);
    const profile_index first = index_of(first_bytes);
    const profile_index other = index_of(other_bytes);
    references all;
    all.start(without, nullptr);
    CHECK(all.mappings().order().empty());
    all.keep();
    all.go_on(first);
    CHECK(all.mappings().order().size() == 1);
    all.take_back();
    all.go_on(other);
    CHECK(all.mappings().order().size() == 1);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x600010);
    all.keep();
    all.go_on(first);
    CHECK(all.mappings().order().empty());
    CHECK(all.use_mapping(side::current, 1) == 2);
}
