// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/version.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/short_text_cache.hpp"

#include "catch.hpp"
#include "message_builder.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

TEST_CASE("an error with a place names it") {
    const error e{error_kind::malformed, "x", std::uint64_t{1} << 40U};
    CHECK(e.offset() == std::uint64_t{1} << 40U);
    CHECK(std::string{e.what()} == "x (at byte 1099511627776)");
}

TEST_CASE("an error keeps the input that was named first") {
    error e{error_kind::malformed, "x"};
    CHECK(e.input() == error_input::unspecified);
    e.set_input(error_input::previous);
    e.set_input(error_input::both);
    CHECK(e.input() == error_input::previous);
    error known{error_kind::incompatible, "x", error_input::both};
    known.set_input(error_input::current);
    CHECK(known.input() == error_input::both);
    CHECK(std::string{known.what()} == "x");
}

TEST_CASE("an argument that is wrong is no input") {
    error e{error_kind::invalid_argument, "x"};
    e.set_input(error_input::current);
    CHECK(e.input() == error_input::unspecified);
}

TEST_CASE("the text of an error is one line, and does not end at a zero byte") {
    const std::string name{"a\0b\n\x7f\x1b", 6};
    const std::string escaped = R"(a\x00b\x0a\x7f\x1b)";
    CHECK(std::string{(error{error_kind::incompatible, name}).what()} == escaped);
    CHECK(std::string{(error{error_kind::malformed, name, 7}).what()} == escaped + " (at byte 7)");
    CHECK(std::string{(error{error_kind::malformed, "gr\u00f6\u00dfe"}).what()} ==
          "gr\u00f6\u00dfe");
}

TEST_CASE("the version is the build's") {
    CHECK(std::string{pprofdelta::version()} == PPROFDELTA_EXPECTED_VERSION);
}

TEST_CASE("the hash is XXH3-128 without a seed") {
    // The value is that of xxHash's own `xxhsum -H128`, which prints the high word first.
    const hash128 empty = hash_bytes("");
    CHECK(empty.high == little_endian(std::uint64_t{0x99aa06d3014798d8}));
    CHECK(empty.low == little_endian(std::uint64_t{0x6001c324468d497f}));
    const hash128 abc = hash_bytes("abc");
    CHECK(abc.high == little_endian(std::uint64_t{0x06b05ab6733a6185}));
    CHECK(abc.low == little_endian(std::uint64_t{0x78af5f94892f3950}));
}

// Stacks that are nearly the same are never taken for the same.

namespace {

constexpr std::uint32_t frames = 100;
constexpr std::size_t stacks = std::size_t{frames} * frames * frames;

// Every stack of three of the frames, between others that all of them share. They differ in one
// frame, or in the order of the same frames; there are as many on the first four frames, which are
// folded into one word, as across two words.
std::string near_twins(std::size_t shared) {
    message_builder head;
    head.bytes(1, message_builder{}.number(1, 1).number(2, 2).str());
    for (const char* string : {"", "alloc_space", "bytes"}) {
        head.bytes(6, string);
    }
    for (std::uint32_t id = 1; id <= frames; ++id) {
        head.bytes(4, message_builder{}.number(1, id).number(3, id).str());
    }
    std::string bytes = head.str();
    // An id is one byte, so that all samples have the same size.
    std::string stack(3 + shared, '\1');
    for (std::uint32_t i = 0; i < stacks; ++i) {
        stack[shared / 2] = static_cast<char>(1 + i % frames);
        stack[shared / 2 + 1] = static_cast<char>(1 + i / frames % frames);
        stack[shared / 2 + 2] = static_cast<char>(1 + i / frames / frames);
        bytes += '\x12';
        bytes += static_cast<char>(stack.size() + 4);
        bytes += '\x0a';
        bytes += static_cast<char>(stack.size());
        bytes += stack;
        bytes += "\x10\x01";
    }
    return bytes;
}

} // namespace

TEST_CASE("a million stacks that are nearly the same are a million samples") {
    for (const std::size_t shared : {std::size_t{0}, std::size_t{5}}) {
        delta_computer computer;
        std::string delta;
        const auto summary = computer.compute(near_twins(shared), delta);
        CHECK(summary.samples_in == stacks);
        CHECK(summary.samples_kept == stacks);
    }
}

TEST_CASE("keys are assigned as they lie in memory") {
    std::mt19937_64 random{1};
    for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 64U, 1000U, 5000U}) {
        CAPTURE(count);
        std::vector<hash128> keys;
        keys.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            keys.push_back({random(), random()});
        }
        const auto bytes = [&keys] {
            std::string copy(1 + keys.size() * sizeof(hash128), '\0'); // not aligned
            if (!keys.empty()) {
                std::memcpy(copy.data() + 1, keys.data(), keys.size() * sizeof(hash128));
            }
            return copy;
        };
        key_table table;
        table.find_or_add({1, 1}); // which is forgotten
        REQUIRE(table.assign(std::string_view{bytes()}.substr(1)));
        REQUIRE(table.size() == count);
        CHECK(table.find({1, 1}) == key_table::npos);
        for (std::uint32_t i = 0; i < count; ++i) {
            CHECK(table[i] == keys[i]);
            CHECK(table.find(keys[i]) == i);
        }
        CHECK(table.find_or_add({2, 2}) == count);
        for (const std::size_t apart : {1U, 31U, 32U, 33U, 999U}) {
            if (apart < count) { // the same key twice, near or far
                const std::vector<hash128> right = keys;
                keys[apart] = keys[0];
                CHECK_FALSE(table.assign(std::string_view{bytes()}.substr(1)));
                keys = right;
                keys[count - 1] = keys[count - 1 - apart];
                CHECK_FALSE(table.assign(std::string_view{bytes()}.substr(1)));
                keys = right;
            }
        }
    }
}

TEST_CASE("a key table does what std::map does") {
    std::mt19937_64 random{2};
    key_table table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> expected;
    for (int i = 0; i < 100'000; ++i) {
        const hash128 key{random() % 300, random() % 300};
        const auto [entry, is_new] = expected.emplace(std::pair{key.low, key.high},
                                                      static_cast<std::uint32_t>(expected.size()));
        REQUIRE(table.find(key) == (is_new ? key_table::npos : entry->second));
        REQUIRE(table.find_or_add(key) == entry->second);
    }
    REQUIRE(table.size() == expected.size());
}

TEST_CASE("keys of rounds that leave some out, swap some and add some have the numbers they had") {
    std::mt19937_64 random{4};
    recurring_keys keys;
    std::map<std::uint64_t, std::uint32_t> expected;
    for (std::uint64_t step = 1; step < 60; ++step) {
        keys.begin();
        for (std::uint64_t i = 0; i < 300; i += 1 + random() % step) {
            const std::uint64_t key = random() % 8 == 0 ? random() % 400 : i;
            const auto number = static_cast<std::uint32_t>(expected.size());
            REQUIRE(keys.find_or_add({key, 0}) == expected.emplace(key, number).first->second);
        }
    }
}

TEST_CASE("keys crafted for one seed do not collide for another") {
    constexpr std::uint64_t count = 10'000;
    // A factor of zero makes every product zero.
    constexpr hash128 known{0, 0};
    key_table crafted{known};
    key_table other{{0x9e3779b97f4a7c15, 0xd1b54a32d192ed03}};
    key_table random;
    for (std::uint64_t i = 1; i <= count; ++i) {
        const hash128 key{known.low, i};
        crafted.find_or_add(key);
        other.find_or_add(key);
        random.find_or_add(key);
    }
    CHECK(crafted.longest_search() == count);
    CHECK(other.longest_search() < 300);
    CHECK(random.longest_search() < 300);
    for (std::uint64_t i = 1; i <= count; ++i) {
        REQUIRE(crafted.find({known.low, i}) == i - 1);
    }
}

TEST_CASE("searches stay short for ids in a row, whatever the seed") {
    std::mt19937_64 random{3};
    for (int run = 0; run < 50; ++run) {
        key_table table{{random(), random()}};
        for (std::uint64_t id = 1; id <= 10'000; ++id) {
            table.find_or_add({id, 0});
        }
        REQUIRE(table.longest_search() < 300);
    }
}

namespace {

std::uint32_t add(keyed_list<std::string>& list, std::uint64_t key, const std::string& value) {
    return list.find_or_add({key, 0}, [&] { return value; });
}

} // namespace

TEST_CASE("truncating a list forgets what came last") {
    keyed_list<std::string> list;
    for (std::uint64_t key = 0; key < 100; ++key) {
        add(list, key, std::to_string(key));
    }
    list.truncate(200);
    CHECK(list.size() == 100);
    list.truncate(40);
    CHECK(list.size() == 40);
    CHECK(list.values().size() == 40);
    CHECK(list.find({40, 0}) == keyed_list<std::string>::npos);
    CHECK(add(list, 77, "again") == 40);
    CHECK(list[40] == "again");
    list.clear();
    CHECK(list.size() == 0);
    CHECK(add(list, 77, "new") == 0);
}

TEST_CASE("each text has its own value, however many there are") {
    short_text_cache<std::string> cache;
    cache.clear();
    std::mt19937 random{7};
    for (unsigned round = 0; round < 20'000; ++round) {
        // Texts of few different bytes, which differ in one place or in length.
        std::string text(random() % (short_text_cache<std::string>::longest + 1), 'a');
        for (char& c : text) {
            c = random() % 4 == 0 ? 'b' : c;
        }
        const std::string& value =
            cache.find_or_make(text, [&](std::string& made) { made = "of " + text; });
        REQUIRE(value == "of " + text);
    }
}
