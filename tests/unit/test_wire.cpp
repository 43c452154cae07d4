// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/processor.hpp>

#include "wire/packed_kinds.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"

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

namespace {

using numbers = std::vector<std::uint32_t>;

// In memory of its own on both sides, so that a sanitizer sees every access past an end.
std::optional<numbers> run(const packed_kind& kind, const std::string& packed, std::size_t behind,
                           std::size_t known) {
    std::vector<char> in{packed.begin(), packed.end()};
    in.resize(packed.size() + behind, '\x81');
    in.shrink_to_fit();
    numbers out(packed_room(packed.size()), 0xffffffff);
    const std::size_t count = kind.decode_ordinals(std::string_view{in.data(), packed.size()},
                                                   in.data() + in.size(), known, out.data());
    if (count == not_decoded) {
        return std::nullopt;
    }
    REQUIRE(std::count(out.begin() + static_cast<std::ptrdiff_t>(count),
                       out.begin() + static_cast<std::ptrdiff_t>(count + zeros_behind),
                       0U) == static_cast<std::ptrdiff_t>(zeros_behind));
    out.resize(count);
    return out;
}

// By all kinds of processors that can be had, which have to agree, whatever follows.
std::optional<numbers> decode(const std::string& packed, std::size_t known = 0xffffffff) {
    const auto expected = run(portable_kind, packed, 0, known);
    for (const packed_kind* kind : packed_kinds()) {
        for (const std::size_t behind : {0U, 7U, 23U, 24U, 64U}) {
            INFO(kind->name << ", " << behind << " bytes behind");
            REQUIRE(run(*kind, packed, behind, known) == expected);
        }
    }
    return expected;
}

} // namespace

TEST_CASE("no bytes are no numbers") { CHECK(decode("") == numbers{}); }

TEST_CASE("numbers of one to three bytes are decoded") {
    for (const std::uint32_t n : {1U, 127U, 128U, 300U, 16383U, 16384U, 2097151U}) {
        CHECK(decode(varint(n)) == numbers{n});
        CHECK(decode(varint(5) + varint(n) + varint(6)) == numbers{5, n, 6});
    }
}

TEST_CASE("longer numbers are left to the caller, wherever they stand") {
    const std::string four = varint(2097152);
    for (std::size_t before = 0; before < 140; ++before) {
        CHECK(decode(std::string(before, '\x01') + four) == std::nullopt);
        CHECK(decode(std::string(before, '\x01') + four + std::string(70, '\x01')) == std::nullopt);
    }
    CHECK(decode(varint(~std::uint64_t{0})) == std::nullopt);
    CHECK(decode(std::string(200, '\xff')) == std::nullopt);
}

TEST_CASE("numbers cut short are left to the caller, wherever they stand") {
    for (std::size_t before = 0; before < 140; ++before) {
        CHECK(decode(std::string(before, '\x01') + "\x80") == std::nullopt);
        CHECK(decode(std::string(before, '\x01') + "\x80\x80") == std::nullopt);
    }
}

TEST_CASE("numbers may have bytes to spare") {
    CHECK(decode(std::string("\x85\x00\x86\x80\x00", 5)) == numbers{5, 6});
}

TEST_CASE("numbers of mixed lengths are decoded at every place") {
    std::mt19937 random{4};
    for (unsigned round = 0; round < 3000; ++round) {
        numbers expected;
        std::string packed;
        const std::uint32_t widest = 7 * (1 + round % 3);
        for (std::size_t i = 0, count = random() % 150; i < count; ++i) {
            const auto bits = random() % (widest + 1);
            expected.push_back(static_cast<std::uint32_t>(random() & ((1U << bits) - 1)) | 1U);
            packed += varint(expected.back());
        }
        REQUIRE(decode(packed) == expected);
    }
}

TEST_CASE("any bytes are decoded or left alone, alike on all processors") {
    std::mt19937 random{5};
    for (unsigned round = 0; round < 20'000; ++round) {
        std::string bytes;
        const unsigned one_in = 2 + round % 6; // how often a byte continues
        for (std::size_t i = 0, size = random() % 140; i < size; ++i) {
            const bool continues = random() % one_in == 0;
            bytes += static_cast<char>((random() & 0x7fU) | (continues ? 0x80U : 0U));
        }
        (void)decode(bytes, random() % 20'000);
    }
}

TEST_CASE("a 0 is left to the caller, wherever it stands and however it is written") {
    for (std::size_t before = 0; before < 140; ++before) {
        for (const std::string& zero : {std::string(1, '\0'), std::string("\x80\0", 2)}) {
            CHECK(decode(std::string(before, '\x01') + zero) == std::nullopt);
            CHECK(decode(std::string(before, '\x01') + zero + "\x01\x81\x01") == std::nullopt);
        }
    }
}

TEST_CASE("numbers beyond what is known are left to the caller, wherever they stand") {
    for (const std::uint32_t known : {1U, 5U, 126U, 127U, 128U, 16383U, 16384U, 2097150U}) {
        for (std::size_t before = 0; before < 140; before += 7) {
            const std::string ones(before, '\x01');
            numbers expected(before, 1);
            expected.push_back(known);
            CHECK(decode(ones + varint(known), known) == expected);
            CHECK(decode(ones + varint(known + 1), known) == std::nullopt);
            CHECK(decode(varint(known + 1) + ones, known) == std::nullopt);
        }
    }
    CHECK(decode("\x01", 0) == std::nullopt);
}

TEST_CASE("a sample's values are decoded at once, or left to the caller") {
    const auto* const kind = GENERATE(from_range(packed_kinds().begin(), packed_kinds().end()));
    INFO(kind->name);
    std::mt19937_64 random{6};
    unsigned decoded = 0;
    for (unsigned round = 0; round < 20'000; ++round) {
        std::vector<std::int64_t> expected;
        std::string packed;
        for (std::size_t i = 0, count = random() % 6; i < count; ++i) {
            expected.push_back(static_cast<std::int64_t>(random() >> (random() % 64)));
            packed += varint(static_cast<std::uint64_t>(expected.back()));
        }
        const std::size_t behind = random() % 30;
        const std::string memory = packed + std::string(behind, '\x7f');
        const std::vector<char> in{memory.begin(), memory.end()};
        std::vector<std::int64_t> out(expected.size() + 1);
        const std::string_view view{in.data(), packed.size()};
        const char* const limit = in.data() + in.size();
        if (kind->decode_few(view, limit, out.data(), expected.size())) {
            ++decoded;
            out.pop_back();
            CHECK(out == expected);
        }
        // Neither more nor fewer than there are.
        CHECK_FALSE(kind->decode_few(view, limit, out.data(), expected.size() + 1));
        if (!expected.empty()) {
            CHECK_FALSE(kind->decode_few(view, limit, out.data(), expected.size() - 1));
        }
    }
    CHECK(decoded > 1000);
}

TEST_CASE("numbers are encoded as varints") {
    for (unsigned bits = 0; bits < 64; ++bits) {
        for (const std::uint64_t less : {0U, 1U}) {
            const std::uint64_t number = (std::uint64_t{1} << bits) - less;
            std::string out(longest_varint, '\0');
            out.resize(static_cast<std::size_t>(encode_varint(out.data(), number) - out.data()));
            CHECK(out == varint(number));
        }
    }
}

TEST_CASE("many numbers are encoded as one is, alike on all processors") {
    std::mt19937 random{6};
    for (unsigned round = 0; round < 3000; ++round) {
        numbers in;
        std::string expected;
        const std::uint32_t widest = 7 * (1 + round % 5);
        for (std::size_t i = 0, count = random() % 70; i < count; ++i) {
            const auto bits = std::min<unsigned long>(random() % (widest + 1), 32);
            in.push_back(static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << bits) - 1)));
            expected += varint(in.back());
        }
        // To the byte, so that a sanitizer sees every access past an end.
        in.shrink_to_fit();
        for (const packed_kind* kind : packed_kinds()) {
            INFO(kind->name);
            std::vector<char> out(encoded_room<std::uint32_t>(in.size()));
            const char* const end = kind->encode_numbers(out.data(), in.data(), in.size());
            REQUIRE(std::string{out.data(), static_cast<std::size_t>(end - out.data())} ==
                    expected);
        }
    }
}

TEST_CASE("negative values are encoded in ten bytes") {
    const std::vector<std::int64_t> in{-1, 0, 300};
    std::vector<char> out(encoded_room<std::int64_t>(in.size()));
    const char* const end = encode_numbers(out.data(), in.data(), in.size());
    CHECK(std::string{out.data(), static_cast<std::size_t>(end - out.data())} ==
          varint(~std::uint64_t{0}) + varint(0) + varint(300));
}

TEST_CASE("the fastest kind of processor is in use, unless another one was asked for") {
    REQUIRE(packed_kinds().front() == &portable_kind);
    const std::vector<std::string_view> names = processor_kinds();
    REQUIRE(names.size() == packed_kinds().size());
    const char* const asked = std::getenv("PPROFDELTA_CPU");
    const bool is_known =
        asked != nullptr && std::find(names.begin(), names.end(), asked) != names.end();
    CHECK(processor_kind() == (is_known ? asked : names.back()));
    CHECK(processor_kind() == packed_kind_in_use().name);
}
