// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <cstdint>
#include <string_view>

#include "catch.hpp"

using namespace pprofdelta;

TEST_CASE("numbers are whole words that fit") {
    CHECK(to_number<std::int64_t>("-12") == -12);
    CHECK(to_number<std::uint64_t>("ffffffffffffffff", 16) == ~std::uint64_t{0});
    for (const char* text : {"", " 1", "1 ", "+1", "0x1", "9223372036854775808", "1e3"}) {
        CHECK_FALSE(to_number<std::int64_t>(text));
    }
}

TEST_CASE("lines end at line feeds, and the last one may have none") {
    std::string_view text = "a\n\nb";
    CHECK(take_line(text) == "a");
    CHECK(take_line(text).empty());
    CHECK(take_line(text) == "b");
    CHECK(text.empty());
    CHECK(take_line(text).empty());
}

TEST_CASE("a scanner takes what it is asked for and nothing else") {
    text_scanner scanner{"  word 12:x"};
    CHECK_FALSE(scanner.skip("word"));
    CHECK(scanner.word() == "word");
    CHECK(scanner.skip_blanks());
    CHECK_FALSE(scanner.skip_blanks());
    CHECK(scanner.take_while(is_decimal) == "12");
    CHECK(scanner.skip(":"));
    CHECK(scanner.rest() == "x");
    CHECK(scanner.word() == "x");
    CHECK(scanner.at_end());
    CHECK(scanner.word().empty());
}

TEST_CASE("blanks are trimmed at both ends") {
    CHECK(trim(" \t a b\r\n") == "a b");
    CHECK(trim(" \t ").empty());
}
