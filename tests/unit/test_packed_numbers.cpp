// SPDX-License-Identifier: Apache-2.0
#include "packed_numbers.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "message_builder.hpp"

using namespace pprofdelta;
using test::varint;

namespace {

using numbers = std::vector<std::uint32_t>;

// In memory of its own on both sides, so that a sanitizer sees every access past an end.
template <typename Decode>
std::optional<numbers> run(Decode decode, const std::string& packed) {
    const std::vector<char> in{packed.begin(), packed.end()};
    numbers out(packed_room(packed.size()));
    const std::size_t count = decode(std::string_view{in.data(), in.size()}, out.data());
    if (count == not_decoded) {
        return std::nullopt;
    }
    out.resize(count);
    return out;
}

// Both ways, which have to agree.
std::optional<numbers> decode(const std::string& packed) {
    auto fast = run(decode_packed, packed);
    REQUIRE(fast == run(decode_packed_portably, packed));
    return fast;
}

} // namespace

TEST_CASE("no bytes are no numbers") { CHECK(decode("") == numbers{}); }

TEST_CASE("numbers of one to three bytes are decoded") {
    for (const std::uint32_t n : {0U, 1U, 127U, 128U, 300U, 16383U, 16384U, 2097151U}) {
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
            expected.push_back(static_cast<std::uint32_t>(random() & ((1U << bits) - 1)));
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
        (void)decode(bytes);
    }
}
