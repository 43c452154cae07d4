// SPDX-License-Identifier: Apache-2.0
#include "select/label_pattern.hpp"

#include <pprofdelta/error.hpp>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::fails_as;

TEST_CASE("texts are searched, and a key ends at the first sign") {
    const label_pattern pattern{"tenant=a=b|^c$"};
    CHECK(pattern.key() == "tenant");
    CHECK(pattern.has("xa=by"));
    CHECK(pattern.has("c"));
    CHECK_FALSE(pattern.has("cc"));
    CHECK_FALSE(pattern.has(1, "bytes"));
}

TEST_CASE("numbers are in a range with both ends") {
    const auto has = [](const char* range, std::int64_t number, const char* unit) {
        return label_pattern{std::string{"k="} + range}.has(number, unit);
    };
    CHECK(has("32kb", 32768, "bytes"));
    CHECK(has("32KB", 32, "kilobytes"));
    CHECK(has("32KiB", 32768, "bytes"));
    CHECK_FALSE(has("32kb", 32000, "bytes"));
    CHECK(has("32kb:1mb", 32768, "bytes"));
    CHECK(has("32kb:1mb", 1048576, "bytes"));
    CHECK_FALSE(has("32kb:1mb", 1048577, "bytes"));
    CHECK_FALSE(has("32kb:1mb", 32767, "bytes"));
    CHECK(has(":1ms", 999, "us"));
    CHECK(has("1ms:", 1, "hours"));
    CHECK_FALSE(has("1ms:", 1, "bytes"));
    CHECK_FALSE(has("32kb", 32768, "requests"));
    CHECK(has("32requests", 32, "requests"));
    CHECK(has("-2:3", 3, "requests"));
    CHECK_FALSE(has("-2:3", -3, "requests"));
    CHECK(has("42", 42, ""));
    CHECK(has("9223372036854775807tb", 9223372036854775807, "tb"));
    CHECK_FALSE(has("9223372036854775807tb", 9223372036854775807, "b"));
    for (const char* text : {"x", "1:2:3", "99999999999999999999", "1 kb", "^1$", "-", "1.5", "--1",
                             "a:b", ":b", "1:b"}) {
        CAPTURE(text);
        CHECK_FALSE(has(text, 1, ""));
    }
}

TEST_CASE("a range is a regular expression as well") {
    CHECK(label_pattern{"k=42"}.has("142"));
    CHECK(label_pattern{"k=1:2"}.has("1:2"));
}

TEST_CASE("what is no label is refused") {
    for (const char* text : {"", "k", "=a", "k=", "k=("}) {
        CAPTURE(text);
        CHECK(fails_as(error_kind::invalid_argument, [&] { const label_pattern bad{text}; }));
    }
}
