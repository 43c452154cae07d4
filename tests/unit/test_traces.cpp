// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <pprofdelta/info.hpp>
#include <pprofdelta/sampling.hpp>
#include <pprofdelta/traces.hpp>

#include "profile/samples.hpp"
#include "traces/mappings.hpp"
#include "traces/records.hpp"

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

TEST_CASE("an estimate that no number can hold is the largest there is") {
    constexpr std::int64_t large = std::int64_t{1} << 40U;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    CHECK(scale_heap_sample({large, large}, std::int64_t{1} << 62U) == heap_sample{most, most});
    CHECK(scale_heap_sample({-large, -large}, std::int64_t{1} << 62U) == heap_sample{least, least});
    CHECK(scale_contention_sample({1, most}, most, 1) == contention_sample{most, most});
}

TEST_CASE("a sample can be computed from its estimate") {
    std::mt19937_64 random{1};
    for (const std::int64_t rate : {1, 512, 4096, 524288, 10'000'000}) {
        for (int i = 0; i < 3000; ++i) {
            const auto count = static_cast<std::int64_t>(1 + random() % (1U << random() % 17));
            const auto size = static_cast<std::int64_t>(8 * (1 + random() % (1U << random() % 18)));
            // Blocks of one size, or of several.
            const std::int64_t bytes =
                i % 2 == 0 ? count * size
                           : 8 * (count + static_cast<std::int64_t>(
                                              random() % static_cast<std::uint64_t>(count * size)));
            CAPTURE(rate, count, bytes);
            const heap_sample found =
                unscale_heap_sample(scale_heap_sample({count, bytes}, rate), rate);
            CHECK(found.count == count);
            CHECK(std::abs(found.bytes - bytes) <= bytes / 100'000);
        }
    }
    CHECK(unscale_heap_sample({0, 0}, 512) == heap_sample{0, 0});
    CHECK(unscale_heap_sample({5, 40}, 0) == heap_sample{5, 40});
}

// The results of random samples, and lists of mappings, are compared with google/pprof by
// tests/pprof.

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

TEST_CASE("lines that are no mapping are skipped") {
    for (const char* text : {"", "\n\n", "feed", "40000-", "40000-8000g /bin/x", "- -",
                             "10000000000000000-10000000000000001 /bin/x", "40000-80000x /bin/x",
                             "MAPPED_LIBRARIES:", "40000 /bin/x", "0x-0x /bin/x"}) {
        INFO(text);
        CHECK(parse_memory_map(text).empty());
    }
}

TEST_CASE("words of a list of mappings") {
    const std::string path = "/home" + std::string(10'000, 'x');
    const std::string name(64, 'n');
    std::string many = std::string(65, 'x') + "=is no name\n";
    for (char c = 'a'; c <= 'q'; ++c) {
        many += std::string{c} + "=" + std::string{c, c} + "\n";
    }
    struct example {
        std::string text;
        std::string file;
        std::string build_id{};
    };
    for (const auto& [text, file, build_id] : {
             // Whole words alone count.
             example{"1000-2000 rx prow bag hex", "prow"},
             example{"1000-2000 prow x", "prow"},
             example{"1000-2000 /a (@zz) fade", "/a", "fade"},
             // The prefix of a log file.
             example{"I0102 15:04:05.0 8272 logger.cc:36]   1000-2000: /foo/bin", "/foo/bin"},
             // Names stand for what they were defined as; both can be long, and sixteen count.
             example{"source=/home\n1000-2000: $source/bin$", "/home/bin$"},
             example{"source=/home\n build = x y \n1000-2000: $source/$build", "/home/x"},
             example{"a=" + path + "\n1000-2000: $a", path},
             example{"a=/bin\n1000-2000: " + path + "$a", path + "/bin"},
             example{name + "=/bin\n1000-2000: $" + name, "/bin"},
             example{name + "n=/bin\n1000-2000: $" + name + "n", "$" + name + "n"},
             example{many + "1000-2000: $a$p$q", "aapp$q"},
         }) {
        CAPTURE(text);
        CHECK(parse_memory_map(text) == mappings{{0x1000, 0x2000, 0, file, build_id}});
    }
    CHECK(parse_memory_map("]: 1000-2000: /foo/bin").empty());
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

TEST_CASE("a list of mappings that names enlarge has a size limit") {
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

TEST_CASE("the program comes first") {
    const mappings found = parse_memory_map("1000-2000: [vdso]\n3000-4000: /lib/libc.so.6\n"
                                            "5000-6000: /lib/libz.so\n7000-8000: /bin/a.so.txt\n");
    REQUIRE(found.size() == 4);
    CHECK(found[0].file == "/bin/a.so.txt");
    CHECK(found[3].file == "[vdso]");
}

namespace {

const mapping* mapping_of(const mapping_list& list, const void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const auto found = std::find_if(list->begin(), list->end(), [number](const mapping& m) {
        return number >= m.start && number < m.limit;
    });
    return found == list->end() ? nullptr : &*found;
}

void code_of_the_program() {}

} // namespace

TEST_CASE("the mappings of this process have its code and that of its libraries") {
    const mapping_list list = process_mappings();
    REQUIRE(list != nullptr);
    REQUIRE(!list->empty());

    const mapping* const program =
        mapping_of(list, reinterpret_cast<const void*>(&code_of_the_program));
    REQUIRE(program != nullptr);
    CHECK(program == list->data());
    CHECK(program->file.find("unit-tests") != std::string::npos);

    const mapping* const libc = mapping_of(list, reinterpret_cast<const void*>(&std::getenv));
    REQUIRE(libc != nullptr);
    // Debian's C library has a build id, of 20 bytes.
    CHECK(libc->build_id.size() == 40);
    CHECK(libc->build_id.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(mapping_of(list, nullptr) == nullptr);
}

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

TEST_CASE("the words of a stack are its frames, folded") {
    std::mt19937_64 random{1};
    for (std::size_t depth = 0; depth < 200; ++depth) {
        CAPTURE(depth);
        // The memory is just as large as it has to be, for sanitizers to see a read beyond it.
        std::vector<std::uint64_t> stack(depth);
        for (std::uint64_t& frame : stack) {
            frame = random();
        }
        const std::size_t count = blocks(depth) * words_per_block;
        std::vector<std::uint64_t> words(count, 1);
        fold_stack(stack, words.data());
        stack.resize(blocks(depth) * frames_per_block);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t* const frame = stack.data() + i * frames_per_word;
            REQUIRE(words[i] == fold_frames(frame[0], frame[1], frame[2], frame[3]));
        }
    }
}

namespace {

const std::vector<value_type> types{{"inuse_objects", "count"}, {"inuse_space", "bytes"}};

const std::vector<mapping> loaded{
    {0x1000, 0x3000, 0, "/bin/program", ""},
    {0x7000, 0x9000, 0x100, "/lib/libc.so.6", "c0ffee"},
    {0xa000, 0xb000, 0, "/lib/libm.so.6", ""},
};

void add(trace_profile& to, const std::vector<std::uint64_t>& stack, std::int64_t objects,
         const std::vector<label>& labels = {}) {
    to.add_sample(stack, std::array<std::int64_t, 2>{objects, objects * 16}, labels);
}

void write_three(trace_profile& to, std::string& out) {
    to.begin(types, out);
    add(to, {0x7010, 0x1010, 0x1020}, 1, {{"thread", "main", 0, {}}, {"bytes", {}, 16, "bytes"}});
    add(to, {0x1010}, -2);
    add(to, {0x5000, 0x7010}, 3);
    to.finish({{"space", "bytes"}, 512, 1000, 10, "inuse_space", "drop", "keep"}, loaded);
}

} // namespace

TEST_CASE("a trace profile has a location for each address") {
    trace_profile traces;
    std::string bytes;
    write_three(traces, bytes);

    const test::mapping main{1, 0x1000, 0x3000, 0, "/bin/program"};
    CHECK(test::find_fault(bytes, &main) == "none");
    const test::profile got = test::parse(bytes).content;
    CHECK(got.types == types);
    CHECK(got.samples == std::vector<test::sample>{
                             {{1, 2, 3}, {1, 16}, {{"thread", "main"}, {"bytes", "", 16, "bytes"}}},
                             {{2}, {-2, -32}},
                             {{4, 1}, {3, 48}},
                         });
    CHECK(got.locations == std::vector<test::location>{
                               {1, 2, 0x7010}, {2, 1, 0x1010}, {3, 1, 0x1020}, {4, 0, 0x5000}});
    CHECK(got.mappings ==
          std::vector<test::mapping>{main, {2, 0x7000, 0x9000, 0x100, "/lib/libc.so.6", "c0ffee"}});
    CHECK(got.period_type == value_type{"space", "bytes"});
    CHECK(got.period == 512);
    CHECK(got.time == 1000);
    CHECK(got.duration == 10);
    CHECK(got.default_type == "inuse_space");
    CHECK(got.drop_frames == "drop");
    CHECK(got.keep_frames == "keep");
}

TEST_CASE("a trace profile says which process it is of, wherever its samples are") {
    std::vector<mapping> with_sign = loaded;
    with_sign.push_back({0xc000, 0xd000, 0, "[vdso]", ""});
    with_sign.push_back({0xe000, 0xf000, 0, "/lib64/ld-linux-x86-64.so.2", ""});
    trace_profile traces;
    std::string bytes;
    traces.begin(types, bytes);
    add(traces, {0x7010}, 1);
    traces.finish({}, with_sign);
    CHECK(test::parse(bytes).content.mappings ==
          std::vector<test::mapping>{{1, 0x1000, 0x3000, 0, "/bin/program"},
                                     {2, 0xc000, 0xd000, 0, "[vdso]"},
                                     {3, 0xe000, 0xf000, 0, "/lib64/ld-linux-x86-64.so.2"},
                                     {4, 0x7000, 0x9000, 0x100, "/lib/libc.so.6", "c0ffee"}});
    CHECK(read_profile_info(bytes).process != 0);
}

TEST_CASE("a second trace profile remembers nothing of the first, and allocates nothing") {
    trace_profile traces;
    std::string first;
    write_three(traces, first);
    std::string second;
    second.reserve(2 * first.size());
    const std::size_t before = test::allocation_count();
    traces.begin(types, second); // not finished
    const std::array<std::uint64_t, 1> stack{0x1234};
    traces.add_sample(stack, std::array<std::int64_t, 2>{1, 1}, {});
    CHECK(test::allocation_count() == before);
    write_three(traces, second);
    CHECK(second == first);
}
