// SPDX-License-Identifier: Apache-2.0
// The formats as such. Whether values, mappings and all else are those of google/pprof is checked
// by tests/pprof.
#include <pprofdelta/text_profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "text_conversion.hpp"

using namespace pprofdelta;
using test::convert;
using test::refusal;

namespace {

std::vector<std::uint64_t> addresses(const test::profile& p, std::size_t sample) {
    std::vector<std::uint64_t> found;
    for (const std::uint64_t id : p.samples.at(sample).stack) {
        for (const test::location& l : p.locations) {
            if (l.id == id) {
                found.push_back(l.address);
            }
        }
    }
    return found;
}

std::vector<value_type> types_of(const std::string& totals, const char* kind) {
    return convert("heap profile: " + totals + " @ " + kind + "\nMAPPED_LIBRARIES:\n").types;
}

using values = std::vector<std::int64_t>;
const std::vector<value_type> in_use{{"objects", "count"}, {"space", "bytes"}};
const std::vector<value_type> all{{"alloc_objects", "count"},
                                  {"alloc_space", "bytes"},
                                  {"inuse_objects", "count"},
                                  {"inuse_space", "bytes"}};
const std::vector<value_type> waiting{{"contentions", "count"}, {"delay", "nanoseconds"}};

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

TEST_CASE("a heap that is counted has values as they are") {
    const test::profile p = convert("heap profile:   3:  48 [ 4: 64] @ heapprofile\n"
                                    "  1:  16 [ 2: 32] @ 0x401001 0x402001\n"
                                    "\n# a comment\n"
                                    "  2:  32 [ 2: 32] @ 0x401001\n"
                                    "MAPPED_LIBRARIES:\n"
                                    "400000-500000 r-xp 00000000 fe:00 17 /bin/server\n");
    CHECK(p.types == all);
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].values == values{2, 32, 1, 16});
    CHECK(p.samples[0].labels.empty());
    CHECK(addresses(p, 0) == std::vector<std::uint64_t>{0x401000, 0x402000});
    CHECK(p.samples[1].values == values{2, 32, 2, 32});
    CHECK(p.mappings == std::vector<test::mapping>{{1, 0x400000, 0x500000, 0, "/bin/server"}});
    CHECK(p.period == 1);
    CHECK(p.period_type == value_type{"space", "bytes"});
    CHECK(p.drop_frames.starts_with("calloc|"));
    CHECK(p.keep_frames.starts_with("runtime"));
}

TEST_CASE("Go's heap is scaled and labeled with the size of blocks") {
    const test::profile p = convert("heap profile: 1: 16 [3: 48] @ heap/1048576\n"
                                    "1: 16 [3: 48] @ 0x461661\n"
                                    "#\t0x461660\tmain.main+0x10\t/src/main.go:3\n"
                                    "0: 0 [1: 9216] @ 0x461671\n"
                                    "# runtime.MemStats\n");
    CHECK(p.types == all);
    CHECK(p.period == 524288);
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].values == values{98305, 1572888, 32768, 524296});
    CHECK(p.samples[0].labels == std::vector<test::label>{{"bytes", "", 16}});
    CHECK(p.samples[1].values == values{57, 528909, 0, 0});
    CHECK(p.samples[1].labels == std::vector<test::label>{{"bytes", "", 9216}});
    CHECK(p.mappings.empty());
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

TEST_CASE("the growth of a heap is not scaled") {
    for (const char* kind : {"growth", "growthz", "fragmentation", "fragmentationz"}) {
        const test::profile p = convert(std::string{"heap profile: 1: 16 [1: 16] @ "} + kind +
                                        "\n-1: -16 [1: 16] @ 0x2 0x3\n");
        CHECK(p.types == in_use);
        CHECK(p.samples.at(0).values == values{-1, -16});
    }
}

TEST_CASE("jemalloc's heap has the sum over all threads") {
    const test::profile p = convert("heap_v2/524288\n"
                                    "  t*: 2: 32 [4: 64]\n"
                                    "  t0: 2: 32 [4: 64]\n"
                                    "@ 0x401001 0x402001\n"
                                    "  t*: 1: 16 [3: 48]\n"
                                    "  t3: 0: 0 [2: 32]\n"
                                    "  t17: 1: 16 [1: 16]\n"
                                    "@\n"
                                    "  t*: 1: 16 [1: 9216]\n"
                                    "\nMAPPED_LIBRARIES:\n"
                                    "400000-500000 r-xp 00000000 fe:00 17 /bin/server\n");
    CHECK(p.types == all);
    CHECK(p.period == 524288);
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].values == values{98305, 1572888, 32768, 524296});
    CHECK(p.samples[0].labels.empty());
    CHECK(addresses(p, 0) == std::vector<std::uint64_t>{0x401000, 0x402000});
    CHECK(p.samples[1].values == values{57, 528909, 32768, 524296});
    CHECK(p.samples[1].stack.empty());
    CHECK(p.mappings.size() == 1);
    CHECK(convert("heap_v2/1\n t*: 1: 16 [0: 0]\n@ 0x1\n t*: 1: 16 [0: 0]\n").types == in_use);
}

TEST_CASE("waiting is turned into nanoseconds") {
    const test::profile p = convert("--- contentionz 1 ---\n"
                                    "cycles/second = 3201000000\n"
                                    "sampling period = 100\n"
                                    "ms since reset = 16502830\n"
                                    "discarded samples = 3\n"
                                    "  19227 2 @ 0x401001 0x402001\n"
                                    "--- Memory map: ---\n"
                                    "  400000-500000: /bin/server\n");
    CHECK(p.types == waiting);
    CHECK(p.period_type == waiting[0]);
    CHECK(p.period == 100);
    CHECK(p.duration == 0);
    REQUIRE(p.samples.size() == 1);
    CHECK(p.samples[0].values == values{200, 600656});
    CHECK(addresses(p, 0) == std::vector<std::uint64_t>{0x401000, 0x402000});
    CHECK(p.mappings.size() == 1);
    CHECK(p.drop_frames.starts_with("RecordLockProfileData|"));
}

TEST_CASE("Go's blocking has no sampling period") {
    const test::profile p = convert("--- contention:\ncycles/second=1000000000\n7 3 @ 0x11\n");
    CHECK(p.period == 1);
    CHECK(p.samples.at(0).values == values{3, 7});
    // What comes after a line of dashes is something else.
    CHECK(convert("--- mutex:\n1 2 @ 0x3\n--- other\nwhatever\n").samples.size() == 1);
}

TEST_CASE("a text without samples is read if it is whole") {
    // As Go, gperftools and jemalloc write it before anything is sampled, and C++ with nothing
    // that waited.
    for (const char* text :
         {"heap profile: 0: 0 [0: 0] @ heap/1048576\n\n# runtime.MemStats\n# Alloc = 5\n",
          "heap profile: 0: 0 [0: 0] @ heapprofile\n\nMAPPED_LIBRARIES:\n",
          "heap_v2/524288\n  t*: 0: 0 [0: 0]\n  t0: 0: 0 [0: 0]\n\nMAPPED_LIBRARIES:\n",
          "--- mutex:\ncycles/second=2400000000\nsampling period=0\n",
          "--- contention:\ncycles/second=2400000000\n",
          "--- contentionz 1 ---\ncycles/second = 5\n--- Memory map: ---\n",
          "--- contentionz 1 ---\n--- another ---\n--- Memory map: ---\n"}) {
        INFO(text);
        CHECK(convert(text).samples.empty());
    }
}

TEST_CASE("a text without samples that may be cut off is refused") {
    const std::string heap = "heap profile: 0: 0 [0: 0] @ heapprofile";
    CHECK(refusal("--- mutex") ==
          "line 1: there is no sample, and the end of the profile is missing (at byte 0)");
    for (const std::string& text : {
             heap,
             heap + "\n",
             heap + "\n\nMAPPED_LIB",
             heap + "\n\n# runtime.Mem",
             std::string{"heap_v2/524288\n  t*: 0: 0 [0: 0]\n"},
             std::string{"heap_v2/524288\n  t*: 2: 32 [0: 0]\n  t0: 2: 32 [0: 0]\n\nMAPPED"},
             std::string{"--- mutex:\n"},
             std::string{"--- mutex:\ncycles/second=24\n"},
             std::string{"--- mutex:\ncycles/second=24\nsampling period=1"},
             std::string{"--- mutex:\nsampling period=1\n"},
             std::string{"--- contention:\n"},
             std::string{"--- contention:\ncycles/second=24"},
             std::string{"--- contentionz 1 ---\ncycles/second=24\nsampling period=1\n"},
             std::string{"--- mutex:\n--- another ---\n"},
         }) {
        INFO(text);
        // What comes before a line cut short may be wrong for another reason.
        CHECK(refusal(text).starts_with("line "));
    }
}

TEST_CASE("a text without samples, cut anywhere before its end, is refused") {
    for (const std::string& text :
         {std::string{"heap profile: 10: 20 [30: 40] @ heap/1048576\n\n# runtime.MemStats"},
          std::string{"heap profile: 0: 0 [0: 0] @ heapprofile\n\nMAPPED_LIBRARIES:"},
          std::string{"heap_v2/524288\n  t*: 10: 20 [30: 40]\n\nMAPPED_LIBRARIES:"},
          std::string{"--- mutex:\ncycles/second=2400000000\nsampling period=100\n"},
          std::string{"--- contention:\ncycles/second=2400000000\n"},
          std::string{"--- contentionz 1 ---\ncycles/second = 5\n--- Memory map: ---"}}) {
        CHECK(convert(text).samples.empty());
        for (std::size_t size = 0; size < text.size(); ++size) {
            INFO(text.substr(0, size));
            CHECK_FALSE(refusal(text.substr(0, size)).empty());
        }
    }
}

TEST_CASE("a text that is wrong is refused with the line") {
    const std::string heap = "heap profile: 1: 16 [1: 16] @ heapprofile\n";
    CHECK(refusal("heap profile: ") == "line 1: a number is missing (at byte 0)");
    CHECK(refusal("heap profile: 1: 16 [1: 16] @ other\n").starts_with("line 1: an unknown kind"));
    CHECK(refusal("heap profile: 1: 16 [1: 16]\n").starts_with("line 1: '@' is missing"));
    CHECK(refusal("heap profile: 1: 16 [1: 16] @ heap/x").starts_with("line 1: a number"));
    CHECK(refusal("heap profile: 1: 16 [1: 16] @ growth 5").starts_with("line 1: the line does"));
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
    CHECK(refusal("heap_v2/5\n@ 0x1\n").starts_with("line 2: there is no sum"));
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
    std::string text = "heap profile: 1: 16 [1: 16] @ heap/1048576\n";
    for (int i = 0; i < 1000; ++i) {
        text += "1:1[1:1]@0x1\n";
    }
    std::string bytes;
    convert_text_profile(text, bytes);
    CHECK_NOTHROW(convert_text_profile(text, bytes, bytes.size()));
    const std::size_t size = bytes.size();
    for (const std::size_t most : {size - 1, size / 2, std::size_t{0}}) {
        std::string cut;
        CHECK(
            test::fails_as(error_kind::too_large, [&] { convert_text_profile(text, cut, most); }));
        CHECK(cut.size() < 2 * (most + 1000)); // it has room for more
    }
}
