// SPDX-License-Identifier: Apache-2.0
#include "base/short_text_cache.hpp"

#include <random>
#include <stdexcept>
#include <string>

#include "catch.hpp"

using namespace pprofdelta;

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

TEST_CASE("a value is made once while nothing takes its place") {
    short_text_cache<int> cache;
    cache.clear();
    int made = 0;
    const auto make = [&](int& value) { value = ++made; };
    CHECK(cache.find_or_make("bytes", make) == 1);
    CHECK(cache.find_or_make("bytes", make) == 1);
    cache.clear();
    CHECK(cache.find_or_make("bytes", make) == 2);
}

TEST_CASE("what failed to be made is not kept") {
    short_text_cache<int> cache;
    cache.clear();
    const auto fail = [](int& value) {
        value = 1;
        throw std::runtime_error{"no"};
    };
    CHECK_THROWS_AS(cache.find_or_make("x", fail), std::runtime_error);
    CHECK(cache.find_or_make("x", [](int& value) { value = 2; }) == 2);
}
