// SPDX-License-Identifier: Apache-2.0
#include "wire/reader.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;
using test::message_builder;
using test::varint;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Both read every field in memory of its own, so that a sanitizer sees every read past the end.
void read_all(const std::string& message) {
    const std::vector<char> memory{message.begin(), message.end()};
    message_reader reader{{memory.data(), memory.size()}, memory.data()};
    while (reader.next()) {
        if (reader.is_bytes()) {
            (void)reader.bytes();
        } else {
            (void)reader.raw();
        }
    }
}

void skip_all(const std::string& message) {
    const std::vector<char> memory{message.begin(), message.end()};
    message_reader reader{{memory.data(), memory.size()}, memory.data()};
    while (reader.next()) {
        reader.skip();
    }
}

bool is_refused(const std::string& message) {
    const bool read = fails_as(error_kind::malformed, [&] { read_all(message); });
    const bool skipped = fails_as(error_kind::malformed, [&] { skip_all(message); });
    CHECK(read == skipped);
    return read;
}

std::vector<std::uint64_t> unpack(const std::string& packed) {
    std::vector<std::uint64_t> out;
    for_each_packed(packed, packed.data(), [&](std::uint64_t value) { out.push_back(value); });
    return out;
}

} // namespace

TEST_CASE("an empty message has no fields") {
    message_reader reader{"", ""};
    CHECK_FALSE(reader.next());
}

TEST_CASE("fields come in order with number and value") {
    const std::string message =
        message_builder{}.number(1, 150).bytes(2, "abc").number(15, 0).bytes(16, "").str();
    message_reader reader{message, message.data()};
    REQUIRE(reader.next());
    CHECK(reader.number() == 1);
    CHECK(reader.as<field::location>() == field::location::id);
    CHECK_FALSE(reader.is_bytes());
    CHECK(reader.varint() == 150);
    REQUIRE(reader.next());
    CHECK(reader.number() == 2);
    CHECK(reader.is_bytes());
    CHECK(reader.bytes() == "abc");
    REQUIRE(reader.next());
    CHECK(reader.number() == 15);
    CHECK(reader.varint() == 0);
    REQUIRE(reader.next());
    CHECK(reader.number() == 16);
    CHECK(reader.bytes().empty());
    CHECK_FALSE(reader.next());
}

TEST_CASE("views point into the message") {
    const std::string message = message_builder{}.bytes(2, "abc").str();
    message_reader reader{message, message.data()};
    REQUIRE(reader.next());
    CHECK(reader.bytes().data() == message.data() + 2);
}

TEST_CASE("varints of every length are read") {
    std::uint64_t value = 0;
    for (unsigned bits = 0; bits <= 64; ++bits) {
        for (const std::uint64_t each : {value, value / 2 + 1}) {
            const std::string message = message_builder{}.number(1, each).str();
            message_reader reader{message, message.data()};
            REQUIRE(reader.next());
            CHECK(reader.varint() == each);
            CHECK_FALSE(reader.next());
        }
        value = value * 2 + 1;
    }
    CHECK(varint(largest).size() == 10);
}

TEST_CASE("a varint may have bytes to spare, up to ten") {
    std::string padded = "\x08\x85";
    for (int length = 2; length <= 10; ++length) {
        const std::string message = padded + '\0';
        message_reader reader{message, message.data()};
        REQUIRE(reader.next());
        CHECK(reader.varint() == 5);
        padded += '\x80';
    }
    CHECK(is_refused(padded + '\0')); // eleven
}

TEST_CASE("a varint longer than ten bytes is refused") {
    CHECK(is_refused(std::string{"\x08"} + std::string(10, '\xff') + '\x01'));
    CHECK(is_refused(std::string{"\x08"} + std::string(100, '\x80')));
}

TEST_CASE("messages cut anywhere within a field are refused") {
    const std::string message =
        message_builder{}.number(1, largest).bytes(200, std::string(200, 'x')).number(3, 300).str();
    const std::size_t ends[] = {0, 11, 11 + 2 + 2 + 200, message.size()};
    for (std::size_t size = 0; size <= message.size(); ++size) {
        const bool whole = std::find(std::begin(ends), std::end(ends), size) != std::end(ends);
        CAPTURE(size);
        CHECK(is_refused(message.substr(0, size)) == !whole);
    }
}

TEST_CASE("fixed-size fields are skipped, and refused when cut") {
    const std::string fixed32 = varint(17U << 3U | 5U) + "1234";
    const std::string fixed64 = varint(18U << 3U | 1U) + "12345678";
    CHECK_FALSE(is_refused(fixed32 + fixed64));
    CHECK(is_refused(fixed32.substr(0, fixed32.size() - 1)));
    CHECK(is_refused(fixed64.substr(0, fixed64.size() - 1)));
    CHECK(is_refused(fixed64.substr(0, 2)));
}

TEST_CASE("groups and unknown wire types are refused") {
    for (const unsigned wire_type : {3U, 4U, 6U, 7U}) {
        CAPTURE(wire_type);
        CHECK(is_refused(varint(20U << 3U | wire_type)));
        CHECK(is_refused(varint(20U << 3U | wire_type) + std::string(8, '\0')));
    }
}

TEST_CASE("impossible field numbers are refused") {
    CHECK(is_refused(varint(0U << 3U) + '\0'));                        // 0
    CHECK(is_refused(varint(0U << 3U | 2U) + '\0'));                   // 0
    CHECK(is_refused(varint((std::uint64_t{1} << 29U) << 3U) + '\0')); // over 2^29 - 1
    // Cut to 32 bits, this is field 1.
    CHECK(is_refused(varint((std::uint64_t{1} << 32U) | 8U) + '\0'));
    CHECK(is_refused(varint((std::uint64_t{1} << 35U) | 8U) + '\0'));
    CHECK(is_refused(varint((std::uint64_t{1} << 63U) | 8U) + '\0'));
    CHECK_FALSE(is_refused(varint(((1U << 29U) - 1) << 3U) + '\0'));
}

TEST_CASE("a tag may have bytes to spare") {
    const std::string message{"\x88\x80\x00\x07", 4};
    message_reader reader{message, message.data()};
    REQUIRE(reader.next());
    CHECK(reader.number() == 1);
    CHECK(reader.varint() == 7);
}

TEST_CASE("a length past the end is refused, however large") {
    const std::uint64_t lengths[] = {4, 0x7fffffff, 0x80000000, 0xffffffff,
                                     // Cut to 32 bits, these would fit.
                                     std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) + 3,
                                     (std::uint64_t{1} << 63U) + 3, largest};
    for (const std::uint64_t length : lengths) {
        CAPTURE(length);
        CHECK(is_refused(std::string{"\x0a"} + varint(length) + "abc"));
    }
    CHECK_FALSE(is_refused(std::string{"\x0a"} + varint(3) + "abc"));
}

TEST_CASE("the wrong wire type is refused") {
    const std::string number = message_builder{}.number(1, 5).str();
    const std::string bytes = message_builder{}.bytes(1, "abc").str();
    const std::string fixed = varint(1U << 3U | 5U) + "1234";
    const auto refuses = [](const std::string& message, auto read) {
        message_reader reader{message, message.data()};
        REQUIRE(reader.next());
        return fails_as(error_kind::malformed, [&] { read(reader); });
    };
    const auto as_varint = [](message_reader& reader) { (void)reader.varint(); };
    const auto as_bytes = [](message_reader& reader) { (void)reader.bytes(); };
    const auto as_numbers = [&](message_reader& reader) { (void)reader.packed(); };
    CHECK(refuses(bytes, as_varint));
    CHECK(refuses(fixed, as_varint));
    CHECK(refuses(number, as_bytes));
    CHECK(refuses(fixed, as_bytes));
    CHECK(refuses(fixed, as_numbers));
}

TEST_CASE("an error tells the field's place in the profile") {
    const std::string inner = message_builder{}.number(1, 5).str() + "\x10"; // cut short
    const std::string profile = message_builder{}.number(9, 1).bytes(4, inner).str();
    message_reader outer{profile, profile.data()};
    REQUIRE(outer.next());
    outer.skip();
    REQUIRE(outer.next());
    message_reader reader{outer.bytes(), profile.data()};
    REQUIRE(reader.next());
    (void)reader.varint();
    REQUIRE(reader.next());
    const auto fault = error_from([&] { (void)reader.varint(); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::malformed);
    CHECK(fault->offset() == std::uint64_t{6}); // 2 before, tag and length, then 2 more
}

TEST_CASE("a raw field is whole, tag included") {
    const std::string first = message_builder{}.number(1000, 5).str();
    const std::string second = message_builder{}.bytes(2, "abc").str();
    const std::string third = varint(17U << 3U | 5U) + "1234";
    const std::string message = first + second + third;
    message_reader reader{message, message.data()};
    for (const std::string& expected : {first, second, third}) {
        REQUIRE(reader.next());
        CHECK(reader.raw() == expected);
    }
    CHECK_FALSE(reader.next());
}

TEST_CASE("packed numbers") {
    CHECK(unpack("").empty());
    CHECK(unpack(varint(1) + varint(300) + varint(largest) + varint(0)) ==
          std::vector<std::uint64_t>{1, 300, largest, 0});
    CHECK(fails_as(error_kind::malformed, [] { unpack("\x01\x80"); }));
    CHECK(fails_as(error_kind::malformed, [] { unpack(std::string(10, '\xff') + '\x01'); }));
    const auto fault = error_from([] { unpack("\x01\x02\x80"); });
    REQUIRE(fault);
    CHECK(fault->offset() == std::uint64_t{2});
}

TEST_CASE("repeated numbers come packed, single, or both") {
    const std::string message = message_builder{}
                                    .number(2, 1)
                                    .bytes(2, varint(2) + varint(300))
                                    .bytes(2, "")
                                    .number(2, 4)
                                    .str();
    std::vector<std::uint64_t> numbers;
    message_reader reader{message, message.data()};
    while (reader.next()) {
        for_each_packed(reader.packed(), message.data(),
                        [&](std::uint64_t n) { numbers.push_back(n); });
    }
    CHECK(numbers == std::vector<std::uint64_t>{1, 2, 300, 4});
}
