// SPDX-License-Identifier: Apache-2.0
#include "traces/mappings.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "catch.hpp"

using namespace pprofdelta;

namespace {

std::string note(std::uint32_t type, const std::string& name, const std::string& description,
                 std::size_t alignment) {
    std::string bytes;
    const auto put = [&bytes](std::uint32_t number) {
        char word[sizeof number];
        std::memcpy(word, &number, sizeof number);
        bytes.append(word, sizeof word);
    };
    const auto align = [&] {
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
    };
    put(static_cast<std::uint32_t>(name.size()));
    put(static_cast<std::uint32_t>(description.size()));
    put(type);
    bytes += name;
    align();
    bytes += description;
    align();
    return bytes;
}

const std::string gnu{"GNU\0", 4};

} // namespace

TEST_CASE("a build id is found among other notes") {
    for (const std::size_t alignment : {std::size_t{4}, std::size_t{8}}) {
        const std::string notes = note(5, gnu, std::string(9, 'p'), alignment) +
                                  note(3, "Other", "no", alignment) +
                                  note(3, gnu, "\x01\xab\xff", alignment);
        CHECK(build_id(notes, alignment) == "01abff");
    }
}

TEST_CASE("notes without a build id, and damaged ones, have none") {
    CHECK(build_id("", 4).empty());
    CHECK(build_id(note(1, gnu, "x", 4), 4).empty());
    const std::string good = note(3, gnu, "\x01\xab\xff\x10", 4);
    CHECK(build_id(good, 4) == "01abff10");
    for (std::size_t size = 0; size < good.size(); ++size) {
        CHECK(build_id(std::string_view{good}.substr(0, size), 4).empty());
    }
    for (const std::size_t place : {std::size_t{0}, std::size_t{4}}) {
        std::string huge = good;
        huge.replace(place, 4, "\xff\xff\xff\xff");
        CHECK(build_id(huge, 4).empty());
    }
}
