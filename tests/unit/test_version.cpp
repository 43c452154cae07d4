// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/version.hpp>

#include <string>

#include "catch.hpp"

TEST_CASE("the version is the build's") {
    CHECK(std::string{pprofdelta::version()} == PPROFDELTA_EXPECTED_VERSION);
}
