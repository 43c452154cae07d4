// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/error.hpp>

#include <string>

#include "catch.hpp"

using pprofdelta::error;
using pprofdelta::error_input;
using pprofdelta::error_kind;

TEST_CASE("an error without a place is its message") {
    const error e{error_kind::incompatible, "sample types differ"};
    CHECK(e.kind() == error_kind::incompatible);
    CHECK_FALSE(e.offset().has_value());
    CHECK(std::string{e.what()} == "sample types differ");
}

TEST_CASE("an error with a place names it") {
    const error e{error_kind::malformed, "bad tag", 0};
    CHECK(e.kind() == error_kind::malformed);
    REQUIRE(e.offset().has_value());
    CHECK(*e.offset() == 0);
    CHECK(std::string{e.what()} == "bad tag (at byte 0)");
}

TEST_CASE("a place beyond 4 GiB is kept") {
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

TEST_CASE("an error is caught as std::runtime_error, too") {
    CHECK_THROWS_AS((throw error{error_kind::reset, "x"}), std::runtime_error);
}

TEST_CASE("what an error says is one line, and does not end at a zero byte") {
    const std::string name{"a\0b\n\x7f\x1b", 6};
    const std::string escaped = R"(a\x00b\x0a\x7f\x1b)";
    CHECK(std::string{(error{error_kind::incompatible, name}).what()} == escaped);
    CHECK(std::string{(error{error_kind::malformed, name, 7}).what()} == escaped + " (at byte 7)");
    CHECK(std::string{(error{error_kind::malformed, "gr\u00f6\u00dfe"}).what()} ==
          "gr\u00f6\u00dfe");
}
