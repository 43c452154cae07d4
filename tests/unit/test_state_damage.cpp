// SPDX-License-Identifier: Apache-2.0
// Damage of any kind to the bytes of a state is noticed.
#include "delta/state_format.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "allocations.hpp"
#include "catch.hpp"
#include "codec/codec.hpp"
#include "error_from.hpp"
#include "state_bytes.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("every truncation of a state is refused") {
    for (const std::string& state : {sealed(parts{}.body()), sealed_v1(parts_v1().body())}) {
        for (std::size_t size = 0; size < state.size(); ++size) {
            CAPTURE(size);
            CHECK(is_malformed(state.substr(0, size)));
        }
        CHECK(is_malformed(state + '\0'));
        CHECK(is_malformed(state + state));
    }
}

TEST_CASE("a state with any one bit flipped is refused") {
    for (const std::string& state : {sealed(parts{}.body()), sealed_v1(parts_v1().body())}) {
        for (std::size_t place = 0; place < state.size(); ++place) {
            for (unsigned bit = 0; bit < 8; ++bit) {
                CAPTURE(place, bit);
                std::string damaged = state;
                damaged[place] =
                    static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << bit));
                const bool is_other_version =
                    place >= 8 && place < 12 && (place > 8 || damaged[8] < 1 || damaged[8] > 3);
                CHECK(fails_as(is_other_version ? error_kind::incompatible : error_kind::malformed,
                               [&] { decode(damaged); }));
            }
        }
    }
}

TEST_CASE("another version of the format is no damage") {
    const std::string body = parts{}.body();
    for (const std::uint32_t version : {0U, 4U, 0xffffffffU}) {
        const auto fault = error_from([&] { decode(sealed(body, body.size(), version)); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::incompatible);
        const std::string message = fault->what();
        CHECK(message.find("version " + std::to_string(version)) != std::string::npos);
        CHECK(message.find("versions 1 to 3 are known") != std::string::npos);
    }
}

TEST_CASE("a version for another does not pass") {
    const std::string body = parts{}.body();
    CHECK(is_malformed(sealed(body, body.size(), 1)));
    CHECK(is_malformed(sealed(body, body.size(), 2)));
    const std::string old = sealed_v1(parts_v1().body());
    const std::string covered = old.substr(0, old.size() - checksum_size);
    CHECK(is_malformed(with_checksum(state_head(2, 0) + covered.substr(16))));
}

TEST_CASE("a right checksum does not make up for a wrong head") {
    const std::string body = parts{}.body();
    CHECK(is_malformed(sealed(body, body.size(), state_version, 3)));
    CHECK(is_malformed(sealed(body, body.size() - 1)));
    CHECK(is_malformed(sealed(body, body.size() + 1)));
    CHECK(is_malformed(sealed(body, std::numeric_limits<std::uint64_t>::max())));
    CHECK(is_malformed(sealed("", 0)));
    const std::string covered = sealed(body).substr(0, head_size + body.size());
    CHECK(is_malformed(with_checksum(covered + "more")));
    CHECK(is_malformed(with_checksum(covered.substr(0, head_size))));
}

TEST_CASE("a right checksum does not make up for a wrong head of version 1") {
    const std::string body = parts_v1().body();
    const std::string compressed = zstd(body, 1);
    REQUIRE_FALSE(is_malformed(sealed_v1(compressed, body.size())));
    CHECK(is_malformed(sealed_v1(compressed, body.size(), 3)));
    CHECK(is_malformed(sealed_v1(compressed, body.size() - 1)));
    CHECK(is_malformed(sealed_v1(compressed, body.size() + 1)));
    CHECK(is_malformed(sealed_v1(compressed, std::numeric_limits<std::uint64_t>::max())));
    CHECK(is_malformed(sealed_v1(body, body.size())));
    CHECK(is_malformed(sealed_v1("", 0)));
    constexpr std::size_t head_size_v1 = 32;
    const std::string covered =
        sealed_v1(compressed, body.size()).substr(0, head_size_v1 + compressed.size());
    CHECK(is_malformed(with_checksum(covered + "more")));
    for (std::size_t size = head_size; size <= head_size_v1; ++size) {
        CHECK(is_malformed(with_checksum(covered.substr(0, size))));
    }
}

TEST_CASE("a right checksum does not make up for a wrong body") {
    REQUIRE_FALSE(is_malformed(parts{}));
    parts p;
    p.match = 3;
    CHECK(is_malformed(p));
    p = {};
    p.is_cumulative = 2;
    CHECK(is_malformed(p));
    p = {};
    p.samples = 2;
    CHECK(is_malformed(p));
    p = {};
    p.samples = p.vanished = std::numeric_limits<std::uint32_t>::max();
    CHECK(is_malformed(p));
    p = {};
    p.keys = p.keys.substr(0, 16) + p.keys.substr(0, 16);
    CHECK(is_malformed(p));
    for (const char width : {'\0', '\x09', '\xff'}) { // with bytes enough
        p = {};
        p.values = width + std::string(600, '\1');
        CHECK(is_malformed(p));
    }
    p = {};
    p.values[0] = 2;
    CHECK(is_malformed(p));
    p = {};
    p.rest = "x";
    CHECK(is_malformed(p));

    p = parts_v1();
    REQUIRE_FALSE(is_malformed(sealed_v1(p.body())));
    p.values[0] = 2;
    CHECK(is_malformed(sealed_v1(p.body())));
    p = parts_v1();
    p.values += "\x80";
    CHECK(is_malformed(sealed_v1(p.body())));
    p = parts_v1();
    p.values = '\1' + std::string(10, '\x80') + "\1\1"; // a varint of eleven bytes
    CHECK(is_malformed(sealed_v1(p.body())));

    const std::string body = parts{}.body();
    const std::string body_v1 = parts_v1().body();
    for (std::size_t size = 0; size < body.size(); ++size) {
        CAPTURE(size);
        CHECK(is_malformed(sealed(body.substr(0, size))));
    }
    for (std::size_t size = 0; size < body_v1.size(); ++size) {
        CAPTURE(size);
        CHECK(is_malformed(sealed_v1(body_v1.substr(0, size))));
    }
}

TEST_CASE("a state cannot ask for more memory than its bytes stand for") {
    const auto with_types = [](std::uint32_t count) {
        std::string body =
            word(std::uint8_t{0}) + word(std::int64_t{0}) + word(std::int64_t{0}) + word(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            body += word(std::uint8_t{0}) + text("") + text("");
        }
        return body + text("") + text("") + processes() + word(std::uint32_t{0}) +
               word(std::uint32_t{0});
    };
    CHECK(decode(sealed(with_types(1024))).kept.types.sample_types.size() == 1024);
    CHECK(is_malformed(sealed(with_types(1025))));
    // More samples than there are values for.
    constexpr std::uint32_t types = 1000;
    constexpr std::uint32_t samples = 10'000;
    std::string lacking =
        word(std::uint8_t{0}) + word(std::int64_t{0}) + word(std::int64_t{0}) + word(types);
    for (std::uint32_t i = 0; i < types; ++i) {
        lacking += word(std::uint8_t{1}) + text("") + text("");
    }
    lacking += text("") + text("") + processes() + word(samples) + word(std::uint32_t{0});
    for (std::uint64_t i = 0; i < samples; ++i) {
        lacking += word(i) + word(i);
    }
    const std::string state = sealed(lacking);
    const std::size_t before = bytes_in_use();
    const auto refusal = error_from([&] { decode(state); });
    REQUIRE(refusal);
    CHECK(std::string{refusal->what()} == "damaged state: it has fewer samples than it says");
    CHECK(bytes_in_use() <= before + 1000);
}

TEST_CASE("a state of version 1 cannot ask for more memory than its bytes stand for") {
    // Keys that compress as no hashes do.
    const auto with_keys = [](std::uint32_t count) {
        parts p = parts_v1();
        p.is_cumulative = 0;
        p.samples = count;
        p.vanished = 0;
        p.keys.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            p.keys += word(std::uint64_t{i}) + word(std::uint64_t{0});
        }
        p.values.clear();
        return sealed_v1(p.body());
    };
    CHECK(decode(with_keys(4096)).table.size() == 4096);
    CHECK(with_keys(100'000).size() < 800'000);
    CHECK(is_malformed(with_keys(100'000)));
    // A body of zeros.
    const std::string zeros(std::size_t{100} << 20U, '\0');
    const std::string bomb = sealed_v1(zeros);
    const std::size_t before = bytes_in_use();
    const auto refusal = error_from([&] { decode(bomb); });
    REQUIRE(refusal);
    CHECK(std::string{refusal->what()} == "damaged state: the body is larger than it can be");
    CHECK(bytes_in_use() <= before + 1000);
}

TEST_CASE("what is no state at all is said to be none") {
    const auto message = [](const std::string& bytes) {
        const auto fault = error_from([&] { decode(bytes); });
        return fault ? std::string{fault->what()} : std::string{};
    };
    CHECK(message("") == "an empty file is no state");
    CHECK(message("<html>") == "this is no state of pprofdelta");
    CHECK(message("\x1f\x8b") == "this is no state of pprofdelta");
}
