// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/text_profile.hpp>

#include <array>
#include <cstddef>
#include <string>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;

namespace {

// The start of a CPU profile, in words of `size` bytes.
std::string cpu_profile(std::size_t size, bool is_big_endian, char kind) {
    std::string bytes;
    for (const char value : std::array{'\0', '\3', kind, '\x64', '\0'}) {
        std::string word(size, '\0');
        word[is_big_endian ? size - 1 : 0] = value;
        bytes += word;
    }
    return bytes;
}

} // namespace

TEST_CASE("older formats that are not read have names") {
    struct known {
        const char* text;
        const char* name;
    };
    for (const known& each : {
             known{"--- heapz 1 ---\nformat = java\n", "a heap profile of Java"},
             known{"--- threadz 1 ---\n\n--- Thread 7f (name: main/1) stack: ---\n",
                   "a list of C++ threads"},
             known{"--- Thread 7f (name: main/1) stack: ---\n", "a list of C++ threads"},
             known{"\n# a comment\n  --- threadz 1 ---\n", "a list of C++ threads"},
             known{"goroutine profile: total 5\n3 @ 0x1\n", "a goroutine profile of Go"},
             known{"threadcreate profile: total 7\r\n", "a threadcreate profile of Go"},
             known{"my/own.things profile: total 0", "a count profile of Go"},
             known{"%warn\n%warn This heap profile", "a heap profile of tcmalloc without data"},
         }) {
        INFO(each.text);
        CHECK(unread_format(each.text).starts_with(each.name));
        CHECK_FALSE(is_text_profile(each.text));
        std::string profile;
        const auto fault = test::error_from([&] { convert_text_profile(each.text, profile); });
        REQUIRE(fault);
        CHECK(std::string{fault->what()}.starts_with(std::string{"this is "} + each.name));
    }
}

TEST_CASE("CPU profiles of any machine have a name") {
    for (const std::size_t size : {4U, 8U}) {
        for (const bool is_big_endian : {false, true}) {
            const std::string program = cpu_profile(size, is_big_endian, 0);
            CHECK(unread_format(program).find("gperftools") != std::string_view::npos);
            CHECK(unread_format(cpu_profile(size, is_big_endian, 1)).find("Java") !=
                  std::string_view::npos);
            CHECK(unread_format(cpu_profile(size, is_big_endian, 2)).empty());
            CHECK(unread_format(program.substr(0, program.size() - 1)).empty());
        }
    }
    CHECK(unread_format(std::string(40, '\0')).empty());
}

TEST_CASE("all else has no name") {
    for (const char* text :
         {"heap_v2/ profile: total 5", "", "\n", "#", "text",
          "heap profile: 1: 16 [1: 16] @ heapprofile", "--- mutex:", "--- contentionz 1 ---",
          "heap_v2/1", "---", "--- heap", " profile: total 5", "a goroutine profile: total 5",
          "goroutine profile: total", "goroutine profile: total x", "goroutine 1 [running]:"}) {
        INFO(text);
        CHECK(unread_format(text).empty());
    }
    // A profile's first byte can be that of an empty line.
    CHECK(unread_format("\n\x04\x08\x01\x10\x02").empty());
    // Only the start is looked at.
    CHECK(unread_format(std::string(5000, '\n') + "--- heapz 1 ---").empty());
}
