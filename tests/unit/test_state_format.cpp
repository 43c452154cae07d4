// SPDX-License-Identifier: Apache-2.0
// The bytes of a state: what is in them, and that damage of any kind is noticed.
#include "delta/state_format.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "allocations.hpp"
#include "base/hash128.hpp"
#include "catch.hpp"
#include "codec/zstd.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::size_t head_size = 32;
constexpr std::size_t checksum_size = 16;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

// Little-endian, in as many bytes as the type has.
template <typename Number>
std::string word(Number number) {
    std::string out;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        out += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xffU);
    }
    return out;
}

std::string text(const std::string& of) { return word(static_cast<std::uint32_t>(of.size())) + of; }

std::string with_checksum(const std::string& covered) {
    const hash128 hash = hash_bytes(covered);
    return covered + word(little_endian(hash.low)) + word(little_endian(hash.high));
}

// Everything around a body that has the given size, as if written by someone who knows how.
std::string sealed(const std::string& compressed, std::uint64_t body_size,
                   std::uint32_t version = state_version, std::uint32_t source = 0) {
    return with_checksum("\x89PPDS\r\n\x1a" + word(version) + word(source) + word(body_size) +
                         word(static_cast<std::uint64_t>(compressed.size())) + compressed);
}

std::string sealed(const std::string& body) { return sealed(zstd(body, 1), body.size()); }

struct parts {
    std::uint8_t match = 0;
    std::uint8_t is_cumulative = 1;
    std::uint32_t samples = 1;
    std::uint32_t vanished = 1;
    std::string keys = word(std::uint64_t{1}) + word(std::uint64_t{2}) + word(std::uint64_t{3}) +
                       word(std::uint64_t{4});
    std::string values = std::string{"\1"} + "\x0e" + "\x09"; // zigzag: 7 and -5
    std::string rest{};

    [[nodiscard]] std::string body() const {
        return word(match) + word(std::int64_t{1'700'000'000'000'000'000}) + word(std::int64_t{9}) +
               word(std::uint32_t{2}) + word(is_cumulative) + text("alloc_space") + text("bytes") +
               word(std::uint8_t{0}) + text("inuse_space") + text("bytes") + text("space") +
               text("bytes") + word(samples) + word(vanished) + keys + values + rest;
    }
};

struct decoded {
    series kept;
    value_table table;
};

decoded decode(const std::string& state) {
    decoded out;
    decode_state(state, out.kept, out.table);
    return out;
}

bool is_malformed(const std::string& state) {
    return fails_as(error_kind::malformed, [&] { decode(state); }) &&
           fails_as(error_kind::malformed, [&] { static_cast<void>(read_state_info(state)); });
}

bool is_malformed(const parts& from) { return is_malformed(sealed(from.body())); }

} // namespace

TEST_CASE("a state written by hand, from the description of the format") {
    const std::string state = sealed(parts{}.body());
    const decoded d = decode(state);
    CHECK(d.kept.match == match_mode::exact);
    CHECK(d.kept.time_nanos == 1'700'000'000'000'000'000);
    CHECK(d.kept.duration_nanos == 9);
    REQUIRE(d.kept.types.sample_types.size() == 2);
    CHECK(to_string(d.kept.types.sample_types[1]) == "inuse_space/bytes");
    CHECK(d.kept.plan.is_cumulative == std::vector<bool>{true, false});
    CHECK(d.kept.plan.cumulative == std::vector<std::uint32_t>{0});
    CHECK(to_string(d.kept.types.period_type) == "space/bytes");
    REQUIRE(d.table.size() == 2);
    CHECK(d.table.is_previous(0));
    CHECK_FALSE(d.table.is_previous(1));
    CHECK(d.table.key(1) == hash128{little_endian(3), little_endian(4)});
    CHECK(d.table.previous(0)[0] == 7);
    CHECK(d.table.previous(1)[0] == -5);

    const state_info info = read_state_info(state);
    CHECK(info.version == 1);
    CHECK(info.samples == 1);
    CHECK(info.vanished == 1);
    CHECK(info.size == state.size());
    CHECK(info.uncompressed_size == parts{}.body().size());

    // The other way round: the same content gives the same bytes.
    CHECK(encode_state(d.kept, d.table) == state);
}

TEST_CASE("values that would be long as varints are words") {
    parts p;
    p.values = std::string(1, '\0') + word(least) + word(most);
    const std::string state = sealed(p.body());
    const decoded d = decode(state);
    CHECK(d.table.previous(0)[0] == least);
    CHECK(d.table.previous(1)[0] == most);
    CHECK(encode_state(d.kept, d.table) == state);
}

TEST_CASE("every truncation of a state is refused") {
    const std::string state = sealed(parts{}.body());
    for (std::size_t size = 0; size < state.size(); ++size) {
        CAPTURE(size);
        CHECK(is_malformed(state.substr(0, size)));
    }
    CHECK(is_malformed(state + '\0'));
    CHECK(is_malformed(state + state));
}

TEST_CASE("a state with any one bit flipped is refused") {
    const std::string state = sealed(parts{}.body());
    for (std::size_t place = 0; place < state.size(); ++place) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            CAPTURE(place, bit);
            std::string damaged = state;
            damaged[place] =
                static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << bit));
            const bool is_version = place >= 8 && place < 12;
            CHECK(fails_as(is_version ? error_kind::incompatible : error_kind::malformed,
                           [&] { decode(damaged); }));
        }
    }
}

TEST_CASE("another version of the format is no damage") {
    const std::string body = parts{}.body();
    for (const std::uint32_t version : {0U, 2U, 0xffffffffU}) {
        const auto fault = error_from([&] { decode(sealed(zstd(body, 1), body.size(), version)); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::incompatible);
        const std::string message = fault->what();
        CHECK(message.find("version " + std::to_string(version)) != std::string::npos);
        CHECK(message.find("version 1 is known") != std::string::npos);
    }
}

TEST_CASE("a right checksum does not make up for a wrong head") {
    const std::string body = parts{}.body();
    const std::string compressed = zstd(body, 1);
    CHECK(is_malformed(sealed(compressed, body.size(), state_version, 2)));
    CHECK(is_malformed(sealed(compressed, body.size() - 1)));
    CHECK(is_malformed(sealed(compressed, body.size() + 1)));
    CHECK(is_malformed(sealed(compressed, std::numeric_limits<std::uint64_t>::max())));
    CHECK(is_malformed(sealed(body, body.size())));
    CHECK(is_malformed(sealed("", 0)));
    std::string longer = sealed(compressed, body.size());
    longer.resize(longer.size() - checksum_size);
    CHECK(is_malformed(with_checksum(longer + "more")));
    CHECK(is_malformed(with_checksum(longer.substr(0, head_size))));
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
    p = {};
    p.values[0] = 2;
    CHECK(is_malformed(p));
    p = {};
    p.values += "\x80";
    CHECK(is_malformed(p));
    p = {};
    p.rest = "x";
    CHECK(is_malformed(p));

    const std::string body = parts{}.body();
    for (std::size_t size = 0; size < body.size(); ++size) {
        CAPTURE(size);
        CHECK(is_malformed(sealed(body.substr(0, size))));
    }
}

TEST_CASE("a state cannot ask for more memory than its bytes stand for") {
    const auto with_types = [](std::uint32_t count) {
        std::string body =
            word(std::uint8_t{0}) + word(std::int64_t{0}) + word(std::int64_t{0}) + word(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            body += word(std::uint8_t{0}) + text("") + text("");
        }
        return body + text("") + text("") + word(std::uint32_t{0}) + word(std::uint32_t{0});
    };
    CHECK(decode(sealed(with_types(1024))).kept.types.sample_types.size() == 1024);
    CHECK(is_malformed(sealed(with_types(1025))));
    // Keys that compress as no hashes do.
    const auto with_keys = [](std::uint32_t count) {
        parts p;
        p.is_cumulative = 0;
        p.samples = count;
        p.vanished = 0;
        p.keys.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
            p.keys += word(std::uint64_t{i}) + word(std::uint64_t{0});
        }
        p.values.clear();
        return sealed(p.body());
    };
    CHECK(decode(with_keys(4096)).table.size() == 4096);
    CHECK(with_keys(100'000).size() < 800'000);
    CHECK(is_malformed(with_keys(100'000)));
    // A body of zeros.
    const std::string zeros(std::size_t{100} << 20U, '\0');
    const std::string bomb = sealed(zeros);
    const std::size_t before = bytes_in_use();
    const auto refusal = error_from([&] { decode(bomb); });
    REQUIRE(refusal);
    CHECK(std::string{refusal->what()} == "damaged state: the body is larger than it can be");
    CHECK(bytes_in_use() <= before + 1000);
}

TEST_CASE("entries that were restored get room for current values with the next profile") {
    value_table table;
    table.configure(4, {0, 1});
    for (std::uint64_t i = 1; i <= 100; ++i) {
        REQUIRE(table.restore({i, i}, true));
        table.restore_value(static_cast<std::uint32_t>(i - 1), 1, 5);
    }
    CHECK_FALSE(table.restore({7, 7}, true));
    CHECK(table.size() == 100);
    table.begin();
    const std::vector<std::int64_t> values{1, 2, 3, 4};
    CHECK(table.add(table.find_or_add({100, 100}), values.data()));
    CHECK(table.add(table.find_or_add({200, 200}), values.data()));
    CHECK(table.current(99)[3] == 4);
    CHECK(table.current(100)[0] == 1);
    CHECK(table.previous(99)[1] == 5);
    CHECK(table.previous(100)[1] == 0);
    table.rollback();
    CHECK(table.size() == 100);
    table.begin();
    CHECK_FALSE(table.is_current(99));
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
