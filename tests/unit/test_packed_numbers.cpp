// SPDX-License-Identifier: Apache-2.0
#include "wire/packed_numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/processor.hpp>

#include "catch.hpp"
#include "message_builder.hpp"
#include "wire/packed_kinds.hpp"

using namespace pprofdelta;
using test::varint;

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
