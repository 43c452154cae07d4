// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/text_profile.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

/// The profile that a text is converted into, which has no fault.
test::profile convert(std::string_view text) {
    std::string bytes;
    convert_text_profile(text, bytes);
    CHECK(test::find_fault(bytes) == "none");
    return test::parse(bytes).content;
}

/// The message about a text that is malformed somewhere.
std::string refusal(std::string_view text) {
    std::string bytes;
    const auto fault = test::error_from([&] { convert_text_profile(text, bytes); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::malformed);
    CHECK(fault->offset());
    return fault->what();
}

} // namespace

// The formats as such. Values, mappings and all else of them are compared with google/pprof's by
// tests/pprof, of real texts and of random ones.

namespace {

std::vector<value_type> types_of(const std::string& totals, const char* kind) {
    const std::string row = totals.starts_with("0: 0 [") ? "" : totals + " @ 0x2\n";
    return convert("heap profile: " + totals + " @ " + kind + "\n" + row + "MAPPED_LIBRARIES:\n")
        .types;
}

const std::vector<value_type> in_use{{"objects", "count"}, {"space", "bytes"}};
const std::vector<value_type> all{{"alloc_objects", "count"},
                                  {"alloc_space", "bytes"},
                                  {"inuse_objects", "count"},
                                  {"inuse_space", "bytes"}};
} // namespace

TEST_CASE("text profiles are told by their first bytes") {
    for (const char* text : {"heap profile: 1", "heap_v2/524288\n", "--- mutex:\n",
                             "--- contention:\n", "--- contentionz 1 ---\n"}) {
        CHECK(is_text_profile(text));
    }
    for (const char* text : {"", "heap", " heap profile:", "--- heapz 1 ---",
                             "goroutine profile:", "\x0a\x04heap profile:"}) {
        CHECK_FALSE(is_text_profile(text));
        CHECK_FALSE(refusal(text).empty());
    }
}

TEST_CASE("the types do not change with the first block that is freed") {
    for (const char* kind : {"heap/2", "heapprofile"}) {
        CHECK(types_of("3: 48 [3: 48]", kind) == all);
        CHECK(types_of("3: 48 [4: 64]", kind) == all);
        CHECK(types_of("0: 0 [0: 0]", kind) == all);
        CHECK(types_of("3: 48 [0: 0]", kind) == in_use);
    }
}

TEST_CASE("tcmalloc's samples have allocations only if they are others than what is in use") {
    for (const char* kind : {"heap_v2/524288", "heapz_v2/524288", "heap_v2", "heap_v2/"}) {
        CHECK(types_of("3: 48 [3: 48]", kind) == in_use);
        CHECK(types_of("3: 48 [0: 0]", kind) == in_use);
        CHECK(types_of("3: 48 [4: 64]", kind) == all);
    }
}

TEST_CASE("a text without samples, cut anywhere before its end, is refused") {
    for (const std::string& text :
         {std::string{"heap profile: 0: 0 [0: 0] @ heap/1048576\n\n# runtime.MemStats\n"},
          std::string{"heap profile: 0: 0 [0: 0] @ heapprofile\n\nMAPPED_LIBRARIES:\n"},
          std::string{"heap_v2/524288\n  t*: 0: 0 [0: 0]\n\nMAPPED_LIBRARIES:\n"},
          std::string{"--- mutex:\ncycles/second=2400000000\nsampling period=100\n"},
          std::string{"--- contention:\ncycles/second=2400000000\n"},
          std::string{"--- contentionz 1 ---\ncycles/second = 5\n--- Memory map: ---\n"}}) {
        CHECK(convert(text).samples.empty());
        for (std::size_t size = 0; size < text.size(); ++size) {
            INFO(text.substr(0, size));
            CHECK_FALSE(refusal(text.substr(0, size)).empty());
        }
    }
}

TEST_CASE("a text with samples that was cut off is refused") {
    const std::string list = "MAPPED_LIBRARIES:\n";
    const std::string head = "heap profile: 3: 48 [4: 64] @ heapprofile\n";
    const std::string rows = "1: 16 [1: 16] @ 0x2\n2: 32 [3: 48] @ 0x3\n";
    CHECK(convert(head + rows + list).samples.size() == 2);
    CHECK(refusal(head + rows.substr(0, 20) + list) ==
          "line 3: the profile was cut off: its rows have 1 blocks and 16 bytes in use, and its "
          "header says 3 and 48 (at byte 62)");
    CHECK(refusal(head + rows).find("the list of mappings") != std::string::npos);
    CHECK(refusal(head + rows + list + "400000-50").find("last line is incomplete") !=
          std::string::npos);
    // Allocated memory tells it, too.
    CHECK(refusal("heap profile: 1: 16 [4: 64] @ heapprofile\n" + rows.substr(0, 20) + list)
              .find("1 blocks and 16 bytes allocated") != std::string::npos);
    // Go writes no list.
    CHECK(convert("heap profile: 3: 48 [4: 64] @ heap/2\n" + rows).samples.size() == 2);
    CHECK_FALSE(refusal("heap profile: 3: 48 [4: 64] @ heap/2\n" + rows.substr(0, 20)).empty());
    const std::string waits = "cycles/second=1\nsampling period=1\n5 1 @ 0x2\n";
    CHECK(convert("--- mutex:\n" + waits).samples.size() == 1);
    CHECK_FALSE(refusal("--- mutex:\n" + waits.substr(0, waits.size() - 1)).empty());
    CHECK_FALSE(refusal("--- contentionz 1 ---\n" + waits).empty());
    CHECK(convert("--- contentionz 1 ---\n" + waits + list).samples.size() == 1);
}

TEST_CASE("jemalloc's rows add up to its totals before they are scaled, or after") {
    const std::string list = "MAPPED_LIBRARIES:\n";
    const auto dump = [&](int rows, const std::string& total, const std::string& each) {
        std::string text = "heap_v2/524288\n t*: " + total + "\n";
        for (int i = 0; i < rows; ++i) {
            text += "@ 0x" + std::to_string(i + 2) + "\n t*: " + each + "\n";
        }
        return text + list;
    };
    CHECK(convert(dump(100, "500: 8000 [0: 0]", "5: 80 [0: 0]")).samples.size() == 100);
    CHECK_FALSE(refusal(dump(60, "500: 8000 [0: 0]", "5: 80 [0: 0]")).empty());
    // Fewer blocks by rounding, of as many bytes once they are scaled.
    CHECK(convert(dump(100, "520: 8000 [0: 0]", "5: 80 [0: 0]")).samples.size() == 100);
}

namespace {

std::string jemalloc_heap(const std::string& period, const std::string& counts) {
    return "heap_v2/" + period + "\n t*: " + counts + "\n@ 0x401010\n t*: " + counts +
           "\nMAPPED_LIBRARIES:\n"
           "00400000-00800000 r-xp 00000000 08:01 1234 /usr/bin/server\n"
           "7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0 [vdso]\n";
}

delta_summary delta_of_texts(const std::string& before, const std::string& now,
                             std::vector<std::int64_t>& totals) {
    delta_computer computer;
    std::string bytes;
    std::string delta;
    convert_text_profile(before, bytes);
    computer.prime(bytes, profile_source::text);
    convert_text_profile(now, bytes);
    const delta_summary found = computer.compute(bytes, delta, profile_source::text);
    totals = computer.totals();
    return found;
}

counter_form form_of_text(const std::string& text) {
    std::string bytes;
    convert_text_profile(text, bytes);
    return read_profile_info(bytes).counters;
}

} // namespace

TEST_CASE("jemalloc's plain counters are multiples of 8, and its unbiased ones are not") {
    CHECK(form_of_text(jemalloc_heap("524288", "0: 0 [10: 640]")) == counter_form::plain);
    CHECK(form_of_text(jemalloc_heap("524288", "0: 0 [10: 641]")) == counter_form::unbiased);
    CHECK(form_of_text(jemalloc_heap("524288", "1: 641 [10: 648]")) == counter_form::unbiased);
    CHECK(form_of_text(jemalloc_heap("1", "0: 0 [10: 640]")) == counter_form::usual);
    CHECK(form_of_text(jemalloc_heap("524288", "1: 640 [0: 0]")) == counter_form::usual);
}

TEST_CASE("plain counters are subtracted and then scaled") {
    std::vector<std::int64_t> totals;
    CHECK_FALSE(delta_of_texts(jemalloc_heap("524288", "0: 0 [10: 640]"),
                               jemalloc_heap("524288", "3: 3145728 [13: 3146368]"), totals)
                    .reset);
    CHECK(totals[0] == 3);
    CHECK(totals[1] == 3'638'089); // of 3 MiB in 3 blocks
    // Unbiased ones are scaled first.
    CHECK_FALSE(delta_of_texts(jemalloc_heap("524288", "0: 0 [10: 641]"),
                               jemalloc_heap("524288", "0: 0 [20: 1283]"), totals)
                    .reset);
    CHECK(totals[0] > 80'000);
}

TEST_CASE("jemalloc that samples with another period was reset") {
    std::vector<std::int64_t> totals;
    const delta_summary found = delta_of_texts(jemalloc_heap("524288", "0: 0 [10: 640]"),
                                               jemalloc_heap("65536", "0: 0 [20: 1280]"), totals);
    CHECK(found.reason == reset_reason::period);
    CHECK(totals[0] > 20'000);
}

TEST_CASE("Go scales the waits of mutexes itself, since 1.20") {
    const auto delay = [](const std::string& rows, const std::string& period) {
        std::int64_t waits = 0;
        for (const auto& sample : convert("--- mutex:\ncycles/second=1000000000\nsampling period=" +
                                          period + "\n" + rows)
                                      .samples) {
            waits += sample.values[1];
        }
        return waits;
    };
    CHECK(delay("1000 10 @ 0x2\n3000 30 @ 0x3\n", "10") == 4000);
    CHECK(delay("1000 10 @ 0x2\n3000 31 @ 0x3\n", "10") == 40000);
    CHECK(delay("1000 10 @ 0x2\n", "1") == 1000);
    CHECK(delay("1000 10 @ 0x2\n", "0") == 1000); // which was turned off
}

TEST_CASE("a stack of Go's heap has one name, whatever other stacks are there") {
    const std::string first = "1: 16 [1: 16] @ 0x11 0x21\n#\t0x20\tmain.a+0x1f\t/a.go:1\n\n";
    const std::string second = "1: 16 [1: 16] @ 0x11\n#\t0x10\truntime.x+0xf\t/x.go:1\n\n";
    const auto names = [](const std::string& rows, const std::string& totals) {
        std::vector<std::string> found;
        const test::profile p = convert("heap profile: " + totals + " @ heap/1048576\n" + rows +
                                        "# runtime.MemStats\n");
        for (const auto& sample : p.samples) {
            found.emplace_back();
            for (const std::uint64_t id : sample.stack) {
                found.back() +=
                    p.functions.at(p.locations.at(id - 1).lines.at(0).function - 1).name + ";";
            }
        }
        return found;
    };
    CHECK(names(first, "1: 16 [1: 16]") == std::vector<std::string>{"main.a;"});
    CHECK(names(first + second, "2: 32 [2: 32]") ==
          std::vector<std::string>{"main.a;", "runtime.x;"});
    CHECK(names(second + first, "2: 32 [2: 32]") ==
          std::vector<std::string>{"runtime.x;", "main.a;"});
    // Go adds a byte where as much is in use as was allocated.
    CHECK(names(first, "1: 16 [1: 17]").size() == 1);
    CHECK_FALSE(refusal("heap profile: 1: 16 [1: 18] @ heap/1048576\n" + first).empty());
}

TEST_CASE("threads of jemalloc may have any names") {
    for (const std::string name :
         {"", " ", " main thread", " io:1 [2: 3]", " @ 0x1", " t*: 1: 1 [0: 0]", " #7", "\ta"}) {
        CAPTURE(name);
        CHECK(convert("heap_v2/1\n t*: 1: 16 [0: 0]\n t0: 1: 16 [0: 0]" + name +
                      "\n@ 0x2\n t*: 1: 16 [0: 0]\n t0: 1: 16 [0: 0]\nMAPPED_LIBRARIES:\n")
                  .samples.size() == 1);
    }
    CHECK(refusal("heap_v2/1\n t*: 1: 16 [0: 0] name\n").starts_with("line 2: the line has more"));
    CHECK(refusal("heap_v2/1\n t*: 1: 16 [0: 0]\n t0: 1: 16 [0: 0]name\n").starts_with("line 3"));
}

TEST_CASE("paths in a list of mappings may have blanks, and files may be gone") {
    const auto file = [](const std::string& path) {
        return convert("heap profile: 0: 0 [0: 0] @ heapprofile\nMAPPED_LIBRARIES:\n"
                       "400000-500000 r-xp 00000000 fe:00 17    " +
                       path + "\n")
            .mappings.at(0)
            .file;
    };
    CHECK(file("/opt/My  App /app") == "/opt/My  App /app");
    CHECK(file("/opt/My App/app (deleted)") == "/opt/My App/app");
    CHECK(file("/opt/a (deleted) b/app") == "/opt/a (deleted) b/app");
    CHECK(file("[anon:main space]") == "[anon:main space]");
}

TEST_CASE("a text that is wrong is refused with the line") {
    const std::string heap = "heap profile: 1: 16 [1: 16] @ heapprofile\n";
    CHECK(refusal("heap profile: ") == "line 1: a number is missing (at byte 0)");
    CHECK(refusal("heap profile: 1: 16 [1: 16] @ other\n").starts_with("line 1: an unknown kind"));
    CHECK(refusal("heap profile: 1: 16 [1: 16]\n").starts_with("line 1: '@' is missing"));
    CHECK(refusal("heap profile: 1: 16 [1: 16] @ heap/x").starts_with("line 1: a number"));
    CHECK(
        refusal("heap profile: 1: 16 [1: 16] @ growth 5").starts_with("line 1: the line has more"));
    CHECK(refusal(heap + "\n  1 16 [1: 16] @") == "line 3: ':' is missing (at byte 45)");
    for (const char* line :
         {"1: 16 [1: 16]", "1: 16 [1: 16 @ 0x1", "1: 16 [-1: 16] @ 0x1", "1: 16 [1: 16] @ 1",
          "1: 16 [1: 16] @ 0x", "1: 16 [1: 16] @ 0x1,0x2", "1: 16 [1: 16] @ 0x10000000000000000",
          "0: 16 [1: 16] @ 0x1", "1: 16 [0: 16] @ 0x1", "9223372036854775808: 16 [1: 16] @ 0x1",
          "--1: 16 [1: 16] @ 0x1", "1: 16", "text", "1:", "[", "@"}) {
        INFO(line);
        CHECK(refusal(heap + line).starts_with("line 2: "));
    }
    CHECK(refusal("heap_v2/\n").starts_with("line 1: a number is missing"));
    CHECK(refusal("heap_v2/5 x\n").starts_with("line 1: "));
    CHECK(refusal("heap_v2/5\n").find("sum over all threads is missing") != std::string::npos);
    CHECK(refusal("heap_v2/5\n@ 0x1\n").starts_with("line 2: the sum over all threads"));
    const std::string jemalloc = "heap_v2/5\nt*: 1: 16 [0: 0]\n";
    for (const char* lines :
         {"t*: 1: 16 [0: 0]", "@ 0x1", "@ 0x1\nt0: 1: 16 [0: 0]", "@ 0x1\nt: 1: 16 [0: 0]",
          "@ 0x1\nt*: 1: 16 [0: 0] 5", "@ 0x1\nt*: 1: 16 [0: 0]\nt*: 1: 16 [0: 0]", "x"}) {
        INFO(lines);
        CHECK(refusal(jemalloc + lines).starts_with("line "));
    }
    for (const char* line : {"cycles/second=", "cycles/second=1x", "colour=1", "1 2", "1 @ 0x1",
                             "-1 2 @ 0x1", "1 -2 @ 0x1", "1 2 3 @ 0x1", "=", "format = java"}) {
        INFO(line);
        CHECK(refusal(std::string{"--- mutex:\n"} + line).starts_with("line 2: "));
    }
}

TEST_CASE("a profile larger than allowed is refused") {
    std::string heap = "heap profile: 1: 16 [1: 16] @ heap/1048576\n";
    std::string folded;
    for (int i = 0; i < 1000; ++i) {
        heap += "1:1[1:1]@0x1\n";
        folded += "a;a;a;a 1\n";
    }
    for (const std::string& text : {heap, folded}) {
        std::string bytes;
        convert_text_profile(text, bytes);
        CHECK_NOTHROW(convert_text_profile(text, bytes, bytes.size()));
        const std::size_t size = bytes.size();
        for (const std::size_t most : {size - 1, size / 2, std::size_t{0}}) {
            std::string cut;
            CHECK(test::fails_as(error_kind::too_large,
                                 [&] { convert_text_profile(text, cut, most); }));
            CHECK(cut.size() < 2 * (most + 1000)); // it has room for more
        }
    }
}
// Folded stacks, the text format without a start of its own.

namespace {

// The message without the place in the text.
std::string fault_in(std::string_view text) {
    const std::string message = refusal(text);
    return message.substr(0, message.find(" (at byte"));
}

// The samples as folded stacks again.
std::vector<std::string> stacks_of(const test::profile& p) {
    std::vector<std::string> found;
    for (const test::sample& s : p.samples) {
        std::string line;
        for (auto id = s.stack.rbegin(); id != s.stack.rend(); ++id) {
            line += (line.empty() ? "" : ";") + p.functions.at(*id - 1).name;
        }
        found.push_back(line + " " + std::to_string(s.values.at(0)));
    }
    return found;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("folded stacks are told by the first of two frames, and those before it") {
    for (const char* text :
         {"main;run;sleep 12\n", "main;run 12", "main 3\nmain;run 12\n", "\n\r\n  \na;b 1\n",
          "a;b\t1\n", "a;b 1.00\n", "a;b -1\n", "<module> (a.py:1);f (a.py:2) 5\n",
          "[unknown];[libc.so.6]_[k] 7\n", "java;void a.B.c(int, java.lang.String)_[j] 3\n",
          "a;[T; 4] 1\n", "a; b;c 1\n", "a;b 1 2\n", "\xc3\xa9;\xff 3\n", "a;;b 1\n",
          "a (b.c);c (d.e); 7\n", "up 12\nup 9\n", "f(int, long) 1\ng<T> 2\n",
          "all; rs::main 1\nall; rs::main; rs::in thread 2\n"}) {
        INFO(text);
        CHECK(is_text_profile(text));
        CHECK(unread_format(text).empty());
    }
    for (const std::string_view text : {std::string_view{""},
                                        std::string_view{"\n"},
                                        std::string_view{"main 12\n"},
                                        std::string_view{"Internal Server Error 500"},
                                        std::string_view{"Server Error 500\nrequest 12\n"},
                                        std::string_view{"Pid: 5\nPPid: 1\n"},
                                        std::string_view{"a{b=\"c\"} 1\nd 2\n"},
                                        std::string_view{"up 12\nup 9\nx\n"},
                                        std::string_view{"1 2\n3 4\n"},
                                        std::string_view{"error; code 500"},
                                        std::string_view{"a\na;b 1\n"},
                                        std::string_view{"date;user;count\na;b 1\n"},
                                        std::string_view{"a;b;1\n"},
                                        std::string_view{"a;b -\n"},
                                        std::string_view{"a;b .5\n"},
                                        std::string_view{"a;b 1.2.3\n"},
                                        std::string_view{";b 1"},
                                        std::string_view{"a; 1"},
                                        std::string_view{"<html>&nbsp;error</html> 500"},
                                        std::string_view{"<!DOCTYPE a;b 5"},
                                        std::string_view{"<?xml a;b 5"},
                                        std::string_view{"a;b\0 1\n", 7},
                                        std::string_view{"a;b\x1b[0m 1\n"},
                                        std::string_view{"a;b 1\n\x08\n"},
                                        std::string_view{"goroutine profile: total 5\n"},
                                        std::string_view{"# HELP a;b x\na{b=\"c;d\"} 1\n"}}) {
        INFO(text);
        CHECK_FALSE(is_text_profile(text));
        CHECK_FALSE(fault_in(text).empty());
    }
}

TEST_CASE("a first line that is longer than what is looked at may be a folded stack") {
    std::string deep = "main";
    for (int i = 0; i < 20000; ++i) {
        deep += ";frame";
    }
    CHECK(is_text_profile(deep + " 1\n"));
    CHECK(is_text_profile("a;b 1\n" + deep + " 1\n"));
    CHECK(is_text_profile(("a;b 1\n" + deep).substr(0, 65536)));
    CHECK(convert(deep + " 1\n").samples.at(0).stack.size() == 20001);
    for (const std::string start : {"<p>", "[{", "{"}) { // of what is minified
        CHECK_FALSE(is_text_profile(start + deep + " 1\n"));
    }
    CHECK_FALSE(is_text_profile("\n" + std::string(70000, 'a')));
    CHECK(fault_in(deep + ";x\n") ==
          "line 1: a line of folded stacks must end with a blank and a number");
}

TEST_CASE("each line of folded stacks is a sample") {
    const test::profile p = convert("main;run;sleep 12\n"
                                    "main;run 3\r\n"
                                    "\n"
                                    "main;run;sleep 2\n"
                                    "main;main;run  \t 4 \n"
                                    "java;void f(int, long)_[j] 5\n"
                                    "# a comment;x 1\n"
                                    "#no comment;x 1\n"
                                    "a;;b; 0\n"
                                    "main 9223372036854775807\n"
                                    "main -9223372036854775808\n"
                                    "main 7.00\n"
                                    "main 8");
    CHECK(p.types == std::vector<value_type>{{"samples", "count"}});
    CHECK(stacks_of(p) == lines{"main;run;sleep 12", "main;run 3", "main;run;sleep 2",
                                "main;main;run 4", "java;void f(int, long)_[j] 5",
                                "#no comment;x 1", "a;;b 0", "main 9223372036854775807",
                                "main -9223372036854775808", "main 7", "main 8"});
    CHECK(p.mappings.empty());
    CHECK(p.functions.size() == p.locations.size());
    for (const test::location& l : p.locations) {
        CHECK(l.address == 0);
        CHECK(l.mapping == 0);
        CHECK(l.lines == std::vector<test::line>{{.function = l.id}});
    }
}

TEST_CASE("semicolons before the number begin no frame, as in flamegraph.pl") {
    CHECK(stacks_of(convert("main (p.c);outer (p.c); 7\nmain (p.c);outer (p.c) 3\na;;; 1\n")) ==
          lines{"main (p.c);outer (p.c) 7", "main (p.c);outer (p.c) 3", "a 1"});
}

TEST_CASE("folded stacks may have a blank after each semicolon") {
    CHECK(stacks_of(convert("all 1\nall; f 2\nall; f; in thread 2:a.rs:3 4\n")) ==
          lines{"all 1", "all;f 2", "all;f;in thread 2:a.rs:3 4"});
    CHECK(stacks_of(convert("a;b 1\na; c 2\n")) == lines{"a;b 1", "a; c 2"});
}

TEST_CASE("fractions that carry nothing are dropped") {
    CHECK(stacks_of(convert("a;b 41.000000000001\na;b 4.9999999999998\na;b -8.0000000000011\n")) ==
          lines{"a;b 41", "a;b 5", "a;b -8"});
    for (const char* text : {"a;b 41.001\n", "a;b 0.000000000001\n", "a;b 9007199254740993.5\n"}) {
        CHECK(fault_in(text).starts_with("line 1: a number has a fraction"));
    }
}

TEST_CASE("the head of Austin says what its numbers are") {
    const auto with_mode = [](const std::string& mode, const std::string& rest) {
        return convert("# austin: 3.7.0\n# interval: 1000\n# mode: " + mode + "\n\n" + rest);
    };
    CHECK(with_mode("wall", "P1;T0:1;f 5\n").types ==
          std::vector<value_type>{{"wall", "microseconds"}});
    CHECK(with_mode("cpu", "P1;f 5\n").types == std::vector<value_type>{{"cpu", "microseconds"}});
    CHECK(with_mode("memory", "P1;f -5\n").types == std::vector<value_type>{{"memory", "bytes"}});
    CHECK(with_mode("other", "P1;f 5\n").types == std::vector<value_type>{{"samples", "count"}});
    const test::profile full = with_mode("full", "P1;f 1080,0,4096\nP1;f 20,1,-8\n# duration: 1\n");
    CHECK(full.types == std::vector<value_type>{{"wall", "microseconds"},
                                                {"cpu", "microseconds"},
                                                {"memory", "bytes"}});
    CHECK(full.samples.at(0).values == std::vector<std::int64_t>{1080, 1080, 4096});
    CHECK(full.samples.at(1).values == std::vector<std::int64_t>{20, 0, -8});
    CHECK(fault_in("# austin: 3.7.0\n# mode: full\nP1;f 1,0,2\nP1;f 3\n").find("line 4") == 0);
    std::string bytes;
    convert_text_profile("# austin: 3.7.0\n# mode: cpu\na;b 1\n", bytes, max_profile_size,
                         {"cpu", "ticks"});
    CHECK(test::parse(bytes).content.types == std::vector<value_type>{{"cpu", "ticks"}});
}

TEST_CASE("the type of folded stacks can be given") {
    std::string bytes;
    convert_text_profile("a;b 1\n", bytes, max_profile_size, {"alloc_space", "bytes"});
    CHECK(test::parse(bytes).content.types == std::vector<value_type>{{"alloc_space", "bytes"}});
}

TEST_CASE("an error in a folded stack names its line") {
    const std::string start = "a;b 1\n\n" + std::string(70000, 'x') + " 1\n";
    const auto after = [&](std::string_view text) { return fault_in(start + std::string{text}); };
    const std::string no_number =
        "line 4: a line of folded stacks must end with a blank and a number";
    CHECK(after("a;b") == no_number); // cut off
    CHECK(after("a;b ") == no_number);
    CHECK(after("12\n") == no_number);
    CHECK(after(" 12\n") == no_number);
    CHECK(after("<html>\n") == no_number);
    CHECK(after({"a\0b 1\n", 6}) == "line 4: the text has a NUL");
    CHECK(after("a 9223372036854775808\n") == "line 4: a number does not fit into 64 bits");
    CHECK(fault_in("a;b 1\na;c\n") ==
          "line 2: a line of folded stacks must end with a blank and a number");
    CHECK(fault_in("a;b 1.5\n").starts_with("line 1: a number has a fraction"));
    CHECK(fault_in("a;b 1e5\n").starts_with("line 1: a number has an exponent"));
    CHECK(fault_in("a;b 1 2\nc 1 3\n").find("two numbers") != std::string::npos);
    CHECK(convert("a;b 1 2\nc 3\n").samples.size() == 2); // a name with a blank
}

namespace {

// "f file:3 < g" of a sample, innermost first, with inlined frames in one location; an address
// where there is no name.
std::string names_of(const test::profile& p, std::size_t sample) {
    std::string names;
    for (const std::uint64_t id : p.samples.at(sample).stack) {
        const auto location = std::find_if(p.locations.begin(), p.locations.end(),
                                           [id](const auto& each) { return each.id == id; });
        REQUIRE(location != p.locations.end());
        names += names.empty() ? "" : " < ";
        names += location->lines.empty() ? std::to_string(location->address) : "";
        for (const test::line& line : location->lines) {
            const auto function =
                std::find_if(p.functions.begin(), p.functions.end(),
                             [&](const auto& each) { return each.id == line.function; });
            REQUIRE(function != p.functions.end());
            names += (&line == location->lines.data() ? "" : "+") + function->name;
            names += function->file.empty() ? "" : " " + function->file;
            names += line.number == 0 ? "" : ":" + std::to_string(line.number);
        }
    }
    return names;
}

} // namespace

TEST_CASE("comments of Go name addresses") {
    const std::string text = "heap profile: 2: 2 [2: 2] @ heap/2\n"
                             "1: 1 [1: 1] @ 0x9 0x11 0x21 0x31\n"
                             "#\t0x10\tmain.(*t).in+0x5c\t\t/my src/a.go:5\n"
                             "#\t0x10\tmain.F[go.shape.struct { a int }]+0x1\t/my src/a.go:7\n"
                             "#\t0x20\tmain.a+b+0x1\tC:/b.go:9\n"
                             "\n"
                             "1: 1 [1: 1] @ 0x21 0x21 0x41 0x51\n"
                             "#\t0x20\tmain.a+b+0x1\tC:/b.go:9\n"
                             "#\t0x20\tmain.a+b+0x1\tC:/b.go:9\n"
                             "#\t0x40\n"
                             "#\t0x50\n"
                             "#\t0x60\tmain.unknown+0x1\t/c.go:1\n"
                             "# runtime.MemStats\n";
    const test::profile p = convert(text);
    CHECK(names_of(p, 0) == "main.(*t).in /my src/a.go:5+main.F[go.shape.struct { a int }] /my "
                            "src/a.go:7 < main.a+b C:/b.go:9 < runtime.goexit");
    // A call of itself is no inlined one.
    CHECK(names_of(p, 1) == "main.a+b C:/b.go:9 < main.a+b C:/b.go:9 < 64 < 80");
}

TEST_CASE("a part with symbols names addresses") {
    const std::string symbols = "--- symbol\nbinary=/bin/x\n0x10 f(int)\n0x0021 main\n---\n";
    const std::string heap = "heap_v2/1\n t*: 1: 16 [0: 0]\n@ 0x10 0x21 0x31\n t*: 1: 16 [0: 0]\n"
                             "MAPPED_LIBRARIES:\n";
    for (const std::string between : {"", "--- heap\n", "\n--- heap\n\n"}) {
        CHECK(names_of(convert(symbols + between + heap), 0) == "f(int) < main < 48");
    }
    CHECK(names_of(convert("--- symbol\n0x000f f(int)\n---\n" + heap), 0) == "f(int) < 32 < 48");
    CHECK(refusal(symbols + "--- profile\nx").find("google-pprof") != std::string::npos);
}

TEST_CASE("lines before the first one of a text profile are skipped") {
    const std::string heap = "heap profile: 0: 0 [0: 0] @ heapprofile\nMAPPED_LIBRARIES:\n";
    for (const std::string before :
         {"\xef\xbb\xbf", "\n \r\n", "--- heap\n", "<jemalloc>: Leak summary: x\n"}) {
        CHECK(is_text_profile(before + heap));
        CHECK(convert(before + heap).samples.empty());
    }
    CHECK(refusal("\n\n" + heap.substr(0, 35)).starts_with("line 3"));
    CHECK(convert("\xef\xbb\xbf# a: 1\n  # b; c: 2\na;b 3\n#\n#c;d 4\n# end 5\n").samples.size() ==
          2);
}

// CPU profiles of gperftools.

namespace {

// The words in bytes, each of `size` of them.
std::string bytes_of(const std::vector<std::uint64_t>& words, std::size_t size,
                     bool is_big_endian) {
    std::string bytes;
    for (const std::uint64_t word : words) {
        for (std::size_t i = 0; i < size; ++i) {
            bytes += static_cast<char>(word >> (8 * (is_big_endian ? size - 1 - i : i)));
        }
    }
    return bytes;
}

const std::vector<std::uint64_t> cpu_header{0, 3, 0, 10000, 0};
const std::vector<std::uint64_t> cpu_end{0, 1, 0};

std::vector<std::uint64_t> with_end(std::vector<std::uint64_t> samples) {
    samples.insert(samples.begin(), cpu_header.begin(), cpu_header.end());
    samples.insert(samples.end(), cpu_end.begin(), cpu_end.end());
    return samples;
}

// The addresses of a sample, leaf first.
std::vector<std::uint64_t> addresses_of(const test::profile& p, std::size_t sample) {
    std::vector<std::uint64_t> found;
    for (const std::uint64_t id : p.samples.at(sample).stack) {
        found.push_back(p.locations.at(id - 1).address);
    }
    return found;
}

} // namespace

TEST_CASE("a CPU profile of gperftools is read in words of either size and order") {
    const std::string maps = "00400000-00500000 r-xp 00000000 08:01 1 /bin/server\n";
    for (const std::size_t size : {4U, 8U}) {
        for (const bool is_big_endian : {false, true}) {
            const std::string text = bytes_of(with_end({2, 2, 0x401000, 0x402001, 1, 1, 0x401010}),
                                              size, is_big_endian) +
                                     maps;
            REQUIRE(is_text_profile(text));
            const test::profile p = convert(text);
            CHECK(p.types == std::vector<value_type>{{"samples", "count"}, {"cpu", "nanoseconds"}});
            CHECK(p.period == 10000000);
            CHECK(p.samples.at(0).values == std::vector<std::int64_t>{2, 20000000});
            CHECK(addresses_of(p, 0) == std::vector<std::uint64_t>{0x401000, 0x402000});
            CHECK(addresses_of(p, 1) == std::vector<std::uint64_t>{0x401010});
            CHECK(p.mappings.size() == 1);
        }
    }
}

TEST_CASE("frames of a signal's handler are removed from a CPU profile") {
    const test::profile p = convert(
        bytes_of(with_end({1, 5, 0x10, 0x99, 0x77, 0x10, 0x20, 1, 5, 0x11, 0x99, 0x77, 0x11, 0x30}),
                 8, false));
    CHECK(addresses_of(p, 0) == std::vector<std::uint64_t>{0x10, 0x1f});
    CHECK(addresses_of(p, 1) == std::vector<std::uint64_t>{0x11, 0x2f});
}

TEST_CASE("a caller that all stacks of a CPU profile share stays there") {
    const test::profile p = convert(
        bytes_of(with_end({1, 3, 0x10, 0x99, 0x77, 1, 4, 0x11, 0x99, 0x77, 0x30}), 8, false));
    CHECK(addresses_of(p, 0) == std::vector<std::uint64_t>{0x10, 0x98, 0x76});
    CHECK(addresses_of(p, 1) == std::vector<std::uint64_t>{0x11, 0x98, 0x76, 0x2f});
}

TEST_CASE("callers in the C library are those of a signal's handler") {
    const std::string samples =
        bytes_of(with_end({1, 3, 0x10, 0x99, 0x77, 1, 4, 0x11, 0x99, 0x77, 0x30}), 8, false);
    for (const char* const file : {"/lib/libpthread-2.15.so", "/lib/x86_64-linux-gnu/libc.so.6"}) {
        const test::profile p =
            convert(samples + "00000080-000000a0 r-xp 00000000 08:01 1 " + file + "\n");
        CHECK(addresses_of(p, 0) == std::vector<std::uint64_t>{0x10, 0x76});
        CHECK(addresses_of(p, 1) == std::vector<std::uint64_t>{0x11, 0x76, 0x2f});
    }
}

TEST_CASE("a CPU profile that was cut off or that is none of gperftools is refused") {
    const std::string whole = bytes_of(with_end({2, 2, 0x401000, 0x402001}), 8, false);
    for (std::size_t size = 40; size < whole.size(); ++size) {
        CHECK(refusal(whole.substr(0, size)).find("cut off") != std::string::npos);
    }
    CHECK(convert(whole).samples.size() == 1);
    CHECK(refusal(bytes_of(with_end({2, 0, 1}), 8, false)).find("no address") != std::string::npos);
    CHECK(refusal(bytes_of(with_end({~0ULL, 1, 1}), 8, false)).find("too large") !=
          std::string::npos);
    CHECK(refusal(bytes_of(with_end({1, ~0ULL, 1}), 8, false)).find("cut off") !=
          std::string::npos);
    const std::string of_java = bytes_of({0, 3, 1, 10, 0, 0, 1, 0}, 8, false);
    CHECK(unread_format(of_java).find("of Java") != std::string_view::npos);
    const std::string without_period = bytes_of({0, 3, 0, 0, 0, 0, 1, 0}, 8, false);
    CHECK(unread_format(without_period).find("without its period") != std::string_view::npos);
    CHECK(refusal("--- symbol\n0x1 f\n---\n--- profile\n" + whole).find("google-pprof") !=
          std::string::npos);
    CHECK(refusal("--- symbol\n0x1 f\n---\n--- heap\n").find("itself is missing") !=
          std::string::npos);
}

// The JSON of speedscope.

namespace {

std::string speedscope(const std::string& profiles) {
    return R"({"profiles": [)" + profiles + R"(], "shared": {"frames": [)" +
           R"({"name": "main", "file": "a.py", "line": 3}, {"name": "f", "col": 2},)" +
           R"({"name": "main", "file": "a.py", "line": 4}]}, "exporter": {"x": [[1]]},)" +
           R"("$schema": "https://www.speedscope.app/file-format-schema.json"})";
}

std::string sampled(const std::string& name, const std::string& unit, const std::string& samples,
                    const std::string& weights) {
    return R"({"type": "sampled", "name": ")" + name + R"(", "unit": ")" + unit +
           R"(", "startValue": 0, "samples": [)" + samples + R"(], "weights": [)" + weights + "]}";
}

/// @param events such as "O 0 1.5, C 0 2": a call and a return, each with its frame and time.
std::string evented(const std::string& events, const std::string& unit = "milliseconds") {
    std::string text = R"({"type": "evented", "name": "e", "unit": ")" + unit + R"(", "events": [)";
    std::istringstream in{events};
    for (std::string type, frame, at; in >> type >> frame >> at;) {
        text += R"({"type": ")" + type + R"(", "frame": )" + frame + R"(, "at": )";
        text += at.ends_with(',') ? at.substr(0, at.size() - 1) + "}," : at + "}";
    }
    return text + "]}";
}

} // namespace

TEST_CASE("a profile of speedscope with sampled stacks is read") {
    const std::string text =
        speedscope(sampled("t", "seconds", "[0,1],[2],[]", "0.25,1,1e-3") + R"(,{"type": "x"})");
    REQUIRE(is_text_profile(text));
    const test::profile p = convert(text);
    CHECK(p.types == std::vector<value_type>{{"time", "nanoseconds"}});
    CHECK(names_of(p, 0) == "f < main a.py:3");
    CHECK(names_of(p, 1) == "main a.py:4");
    CHECK(p.samples.at(2).stack.empty());
    CHECK(p.samples.at(0).values == std::vector<std::int64_t>{250000000});
    CHECK(p.samples.at(2).values == std::vector<std::int64_t>{1000000});
    CHECK(p.functions.size() == 2);
    CHECK(convert(speedscope(sampled("t", "bytes", "[1]", "-5"))).types ==
          std::vector<value_type>{{"space", "bytes"}});
    CHECK(convert(speedscope(sampled("t", "none", "[1]", "5.0"))).types ==
          std::vector<value_type>{{"samples", "count"}});
}

TEST_CASE("calls and returns of speedscope become the own time of each stack") {
    const test::profile p = convert(speedscope(evented(
        "O 0 1, O 1 1.5, C 1 2, O 1 2, C 1 4.25, O 2 5, C 2 5, C 0 6, O 1 7, C 1 7.0000004")));
    CHECK(p.types == std::vector<value_type>{{"time", "nanoseconds"}});
    REQUIRE(p.samples.size() == 2); // what took no time has none
    CHECK(names_of(p, 0) == "main a.py:3");
    CHECK(p.samples[0].values == std::vector<std::int64_t>{2250000});
    CHECK(names_of(p, 1) == "f < main a.py:3");
    CHECK(p.samples[1].values == std::vector<std::int64_t>{2750000});
    CHECK(convert(speedscope(evented("O 0 1, C 0 8", "bytes"))).samples.at(0).values.at(0) == 7);
}

TEST_CASE("one of several profiles of speedscope is chosen by its name") {
    const std::string text =
        speedscope(sampled("a", "none", "[0]", "1") + "," + sampled("b", "none", "[1]", "2") + "," +
                   sampled("a", "none", "[1]", "3"));
    std::string bytes;
    convert_text_profile(text, bytes, max_profile_size, {"samples", "count"}, "b");
    CHECK(test::parse(bytes).content.samples.at(0).values.at(0) == 2);
    for (const char* part : {"", "a", "c"}) {
        CHECK(test::fails_as(error_kind::invalid_argument, [&] {
            convert_text_profile(text, bytes, max_profile_size, {"samples", "count"}, part);
        }));
    }
}

TEST_CASE("a profile of speedscope that is not sound is refused") {
    const auto fault = [](const std::string& profiles) { // without a place
        std::string bytes;
        try {
            convert_text_profile(speedscope(profiles), bytes);
        } catch (const error& e) {
            return std::string{e.what()};
        }
        return std::string{};
    };
    CHECK(fault("").find("no profile") != std::string::npos);
    CHECK(fault(R"({"type": "x"})").find("no profile with samples") != std::string::npos);
    CHECK(fault(evented("O 0 1, C 0 2, C 0 3")).find("not the innermost") != std::string::npos);
    CHECK(fault(evented("O 0 1, O 1 2, C 0 3")).find("not the innermost") != std::string::npos);
    CHECK(fault(evented("O 0 1")).find("does not return") != std::string::npos);
    CHECK(fault(evented("O 0 3, C 0 1")).find("back in time") != std::string::npos);
    CHECK(fault(evented("X 0 1")).find("neither a call") != std::string::npos);
    CHECK(fault(evented("O 7 1, C 7 2")).find("frame 7 of 3") != std::string::npos);
    CHECK(fault(R"({"type": "evented", "unit": "none", "events": [{"type": "O", "at": 1}]})")
              .find("no time or no frame") != std::string::npos);
    CHECK(fault(sampled("t", "none", "[3]", "1")).find("frame 3 of 3") != std::string::npos);
    CHECK(fault(sampled("t", "none", "[-1]", "1")).find("no number of a frame") !=
          std::string::npos);
    CHECK(fault(sampled("t", "none", "[0.5]", "1")).find("no number of a frame") !=
          std::string::npos);
    CHECK(fault(sampled("t", "none", "[0]", "1,2")).find("1 samples and 2") != std::string::npos);
    CHECK(fault(sampled("t", "hours", "[0]", "1")).find("'hours' is unknown") != std::string::npos);
    CHECK(fault(sampled("t", "none", "[0]", "0.5")).find("fraction") != std::string::npos);
    CHECK(fault(sampled("t", "seconds", "[0]", "1e300")).find("too large") != std::string::npos);
    const std::string text = speedscope(sampled("t", "none", "[0]", "1"));
    CHECK(refusal(text.substr(0, text.size() - 1)).find("cut off") != std::string::npos);
    CHECK(refusal(text + "{").find("no sound JSON") != std::string::npos);
}
