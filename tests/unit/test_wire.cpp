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
using namespace std::string_literals;
using test::fails_as;
using test::message_builder;
using test::varint;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Reads every field in memory of its own, so that a sanitizer sees every read past the end.
bool is_refused(const std::string& message) {
    return fails_as(error_kind::malformed, [&] {
        const std::vector<char> memory{message.begin(), message.end()};
        message_reader reader{{memory.data(), memory.size()}, memory.data()};
        while (reader.next()) {
            reader.skip();
        }
    });
}

} // namespace

// Other faults are in MALFORMED.md.

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

namespace {

using numbers = std::vector<std::uint32_t>;

// The memory is its own on both sides, so that a sanitizer sees every access past an end.
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

// All kinds of processors that can be had decode it, and have to agree, whatever follows.
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

// Longer numbers, numbers that are cut short, and a 0, in one byte or two.
TEST_CASE("a number that is not short is left to the caller, wherever it stands") {
    const std::string four = varint(2097152);
    for (const std::string& odd : {four, "\x80"s, "\x80\x80"s, "\0"s, "\x80\0"s}) {
        for (std::size_t before = 0; before < 140; ++before) {
            const std::string start = std::string(before, '\x01') + odd;
            CHECK(decode(start) == std::nullopt);
            if (odd == four || odd.back() == '\0') {
                CHECK(decode(start + std::string(70, '\x01')) == std::nullopt);
            }
        }
    }
    CHECK(decode(varint(~std::uint64_t{0})) == std::nullopt);
    CHECK(decode(std::string(200, '\xff')) == std::nullopt);
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
    for (unsigned round = 0; round < 3000; ++round) {
        std::string bytes;
        const unsigned one_in = 2 + round % 6; // how often a byte continues
        for (std::size_t i = 0, size = random() % 140; i < size; ++i) {
            const bool continues = random() % one_in == 0;
            bytes += static_cast<char>((random() & 0x7fU) | (continues ? 0x80U : 0U));
        }
        (void)decode(bytes, random() % 20'000);
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
    for (unsigned round = 0; round < 3000; ++round) {
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
    CHECK(decoded > 100);
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
        // The size fits to the byte, so that a sanitizer sees every access past an end.
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
}
