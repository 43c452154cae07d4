// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "document/page.hpp"

#include "catch.hpp"

using pprofdelta::tool::base64;

TEST_CASE("base64: the examples of RFC 4648", "[base64]") {
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("fooba") == "Zm9vYmE=");
    CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("base64: bytes of every value", "[base64]") {
    CHECK(base64(std::string{"\x00\xff\xfe\x80", 4}) == "AP/+gA==");
    CHECK(base64("\xfb\xef\xbe") == "++++");
}
