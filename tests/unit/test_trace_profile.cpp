// SPDX-License-Identifier: Apache-2.0
#include "traces/records.hpp"

#include <array>
#include <string>
#include <vector>

#include <pprofdelta/info.hpp>

#include "allocations.hpp"
#include "catch.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

const std::vector<value_type> types{{"inuse_objects", "count"}, {"inuse_space", "bytes"}};

const std::vector<mapping> mappings{
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
    to.finish({{"space", "bytes"}, 512, 1000, 10, "inuse_space", "drop", "keep"}, mappings);
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
    std::vector<mapping> with_sign = mappings;
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

TEST_CASE("a trace profile without samples has its types and the main binary") {
    trace_profile traces;
    std::string bytes = "what was there before";
    traces.begin(types, bytes);
    traces.finish({}, mappings);
    const test::mapping main{1, 0x1000, 0x3000, 0, "/bin/program"};
    CHECK(test::find_fault(bytes, &main) == "none");
    CHECK(test::parse(bytes).content.mappings.size() == 1);

    traces.begin(types, bytes);
    traces.finish({}, {});
    CHECK(test::find_fault(bytes) == "none");
    CHECK(test::parse(bytes).content.mappings.empty());
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

TEST_CASE("an address is found in the mapping that holds it") {
    mapping_search search;
    CHECK(search.find(0) == mapping_search::npos);
    search.build(mappings);
    CHECK(search.find(0xfff) == mapping_search::npos);
    CHECK(search.find(0x1000) == 0);
    CHECK(search.find(0x2fff) == 0);
    CHECK(search.find(0x3000) == mapping_search::npos);
    CHECK(search.find(0x8fff) == 1);
    CHECK(search.find(0xa123) == 2);
    CHECK(search.find(~std::uint64_t{0}) == mapping_search::npos);
    search.build({});
    CHECK(search.find(0x1000) == mapping_search::npos);
}
