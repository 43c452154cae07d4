// SPDX-License-Identifier: Apache-2.0
#include "traces/mappings.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;

namespace {

using mappings = std::vector<mapping>;

} // namespace

TEST_CASE("lines of /proc/PID/maps are mappings if they have code") {
    const mappings expected{{0x55d0c0001000, 0x55d0c0002000, 0x1000, "/usr/bin/server", ""},
                            {0x7f47a542f000, 0x7f47a5447000, 0x22000, "/usr/lib/libc.so.6", ""},
                            {0x7ffd1b5f0000, 0x7ffd1b5f2000, 0, "[vdso]", ""},
                            {0x7f0000000000, 0x7f0000001000, 0, "", ""}};
    CHECK(parse_memory_map(
              "55d0c0000000-55d0c0001000 r--p 00000000 08:01 131 /usr/bin/server\n"
              "55d0c0001000-55d0c0002000 r-xp 00001000 08:01 131                /usr/bin/server\n"
              "55d0c0003000-55d0c0004000 rw-p 00003000 08:01 131 /usr/bin/server\n"
              "7f47a542f000-7f47a5447000 r-xs 00022000 fe:00 790190 /usr/lib/libc.so.6 (deleted)\n"
              "7ffd1b5f0000-7ffd1b5f2000 r-xp 00000000 00:00 0    [vdso]\r\n"
              "7f0000000000-7f0000001000 rwxp 00000000 00:00 0") == expected);
}

TEST_CASE("short lines are mappings too") {
    const mappings expected{{0x40000, 0x80000, 0xff00, "/path/to/binary", "abc123456"},
                            {0x90000, 0x91000, 0, "program", "87c4d547"},
                            {0xa0000, 0xa1000, 0, "/lib/libm-2.15.so", ""},
                            {0xb0000, 0xb1000, 0, "", ""}};
    CHECK(parse_memory_map("0x40000-0x80000 /path/to/binary      (@FF00)     abc123456\n"
                           "0x90000 0x91000 r-xp program 87c4d547\n"
                           "  000a0000-000a1000: /lib/libm-2.15.so\n"
                           "  000b0000-000b1000:") == expected);
}

TEST_CASE("what is no mapping is skipped") {
    for (const char* text : {"", "\n\n", "feed", "40000-", "40000-8000g /bin/x", "- -",
                             "10000000000000000-10000000000000001 /bin/x", "40000-80000x /bin/x",
                             "MAPPED_LIBRARIES:", "40000 /bin/x", "0x-0x /bin/x"}) {
        INFO(text);
        CHECK(parse_memory_map(text).empty());
    }
}

TEST_CASE("only whole words count") {
    CHECK(parse_memory_map("1000-2000 rx prow bag hex") ==
          mappings{{0x1000, 0x2000, 0, "prow", ""}});
    CHECK(parse_memory_map("1000-2000 prow x") == mappings{{0x1000, 0x2000, 0, "prow", ""}});
    CHECK(parse_memory_map("1000-2000 /a (@zz) fade") ==
          mappings{{0x1000, 0x2000, 0, "/a", "fade"}});
}

TEST_CASE("the prefixes of log files are skipped") {
    CHECK(parse_memory_map("I0102 15:04:05.0 8272 logger.cc:36]   1000-2000: /foo/bin") ==
          mappings{{0x1000, 0x2000, 0, "/foo/bin", ""}});
    CHECK(parse_memory_map("]: 1000-2000: /foo/bin").empty());
}

TEST_CASE("names stand for what they were defined as") {
    CHECK(parse_memory_map("source=/home\n build = x y \n1000-2000: $source/bin$\n"
                           "source=/other\n3000-4000: $source/$build") ==
          mappings{{0x1000, 0x2000, 0, "/home/bin$", ""}, {0x3000, 0x4000, 0, "/home/x", ""}});
}

TEST_CASE("names and what they stand for can be long") {
    const std::string path = "/home" + std::string(10'000, 'x');
    CHECK(parse_memory_map("a=" + path + "\n1000-2000: $a") ==
          mappings{{0x1000, 0x2000, 0, path, ""}});
    CHECK(parse_memory_map("a=/bin\n1000-2000: " + path + "$a") ==
          mappings{{0x1000, 0x2000, 0, path + "/bin", ""}});
    const std::string name(64, 'n');
    CHECK(parse_memory_map(name + "=/bin\n1000-2000: $" + name) ==
          mappings{{0x1000, 0x2000, 0, "/bin", ""}});
    CHECK(parse_memory_map(name + "n=/bin\n1000-2000: $" + name + "n") ==
          mappings{{0x1000, 0x2000, 0, "$" + name + "n", ""}});
}

TEST_CASE("sixteen names count") {
    std::string text = std::string(65, 'x') + "=is no name\n";
    for (char name = 'a'; name <= 'q'; ++name) {
        text += std::string{name} + "=" + std::string{name, name} + "\n";
    }
    CHECK(parse_memory_map(text + "1000-2000: $a$p$q") ==
          mappings{{0x1000, 0x2000, 0, "aapp$q", ""}});
}

TEST_CASE("names make no long text of a short one") {
    // Used in many lines, many times in one, and in each other's values.
    std::string lines = "a=" + std::string(4000, 'x') + "\n";
    std::string line = lines + "1000-2000: ";
    for (int i = 0; i < 1000; ++i) {
        lines += "1000-2000: $a\n";
        line += "$a";
    }
    std::string values = "a=xxxxxxxx\n";
    for (char name = 'b'; name < 'p'; ++name) {
        std::string use{"$"};
        use += static_cast<char>(name - 1);
        values.append(1, name).append("=").append(use).append(use).append(use).append("\n");
    }
    for (const std::string& text : {lines, line, values}) {
        CHECK(test::fails_as(error_kind::too_large, [&] { (void)parse_memory_map(text); }));
    }
}

TEST_CASE("what names make of a list has a size limit") {
    const std::string text = "a=/home/somebody\n1000-2000: $a/x\n3000-4000: $a/y";
    const std::size_t replaced = 2 * std::string{"1000-2000: /home/somebody/x"}.size();
    CHECK(parse_memory_map(text, replaced).size() == 2);
    CHECK(
        test::fails_as(error_kind::too_large, [&] { (void)parse_memory_map(text, replaced - 1); }));
    // Nothing is replaced here, so nothing grows.
    CHECK(parse_memory_map("1000-2000: $a/x", 0).size() == 1);
}

TEST_CASE("more mappings than a process has are refused") {
    std::string text;
    for (std::size_t i = 0; i < std::size_t{1} << 20U; ++i) {
        text += "1-2\n";
    }
    CHECK(parse_memory_map(text).size() == std::size_t{1} << 20U);
    text += "5-6\n";
    CHECK(test::fails_as(error_kind::too_large, [&] { (void)parse_memory_map(text); }));
}

TEST_CASE("neighbours are one mapping if nothing speaks against it") {
    CHECK(parse_memory_map("1000-2000 r-xp 1000 08:01 1 /a\n2000-3000 r-xp 2000 08:01 1 /a") ==
          mappings{{0x1000, 0x3000, 0x1000, "/a", ""}});
    CHECK(parse_memory_map("1000-2000\n2000-3000: /a (@0) abcd\n3000-4000") ==
          mappings{{0x1000, 0x4000, 0, "/a", "abcd"}});
    // Another file, another place in it, and a gap.
    CHECK(parse_memory_map("1000-2000: /a\n2000-3000: /b").size() == 2);
    CHECK(
        parse_memory_map("1000-2000 r-xp 1000 08:01 1 /a\n2000-3000 r-xp 3000 08:01 1 /a").size() ==
        2);
    CHECK(parse_memory_map("1000-2000: /a\n2001-3000: /a").size() == 2);
    CHECK(parse_memory_map("1000-2000: /a ab\n2000-3000: /a cd").size() == 2);
}

TEST_CASE("the program comes first") {
    const mappings found = parse_memory_map("1000-2000: [vdso]\n3000-4000: /lib/libc.so.6\n"
                                            "5000-6000: /lib/libz.so\n7000-8000: /bin/a.so.txt\n");
    REQUIRE(found.size() == 4);
    CHECK(found[0].file == "/bin/a.so.txt");
    CHECK(found[3].file == "[vdso]");
}

TEST_CASE("a program without position independence starts where linkers put it") {
    CHECK(parse_memory_map("402000-500000 r-xp 2000 08:01 1 /a") ==
          mappings{{0x400000, 0x500000, 0, "/a", ""}});
    CHECK(parse_memory_map("400000-500000 r-xp 0 08:01 1 /anon_hugepage\n"
                           "500000-600000 r-xp 100000 08:01 1 /a") ==
          mappings{{0x400000, 0x600000, 0, "/a", ""}});
}
