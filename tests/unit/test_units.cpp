// SPDX-License-Identifier: Apache-2.0
#include "select/units.hpp"

#include "catch.hpp"

using namespace pprofdelta;

TEST_CASE("units of numbers are told by their case") {
    CHECK(number_unit("MB")->size == 1'000'000);
    CHECK(number_unit("MiB")->size == 1 << 20);
    CHECK(number_unit("ms")->of == dimension::time);
    for (const char* text : {"", "mb", "KB", "bytes", "S", "m", "%"}) {
        CHECK_FALSE(number_unit(text));
    }
}

TEST_CASE("units of types have the names that pprof knows") {
    CHECK(type_unit("bytes")->size == 1);
    CHECK(type_unit("Byte")->of == dimension::memory);
    CHECK(type_unit("kilobytes")->size == 1024);
    CHECK(type_unit("nanoseconds")->of == dimension::time);
    CHECK(type_unit("ms")->size == 1'000'000);
    CHECK(type_unit("us")->size == 1000);
    for (const char* text : {"", "count", "s/op", "byt"}) {
        CHECK_FALSE(type_unit(text));
    }
}
