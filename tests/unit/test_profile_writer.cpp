// SPDX-License-Identifier: Apache-2.0
// What is written is seen in the tests of deltas; this is how much may be.
#include "profile/writer.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "catch.hpp"
#include "delta/passes.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

std::string write_all_of(const profile_index& index, std::size_t max_size) {
    profile_writer writer;
    std::string out;
    writer.start(index, nullptr, out, max_size);
    const std::vector<std::int64_t> values(index.types.sample_types.size(), 1);
    for (const record sample : index.view.samples) {
        writer.write_sample(side::current, sample, values);
    }
    write_locations_and_mappings(writer);
    write_functions(writer);
    write_headers_and_strings(writer, 0);
    return out;
}

} // namespace

TEST_CASE("a profile that is written does not become larger than one that is read") {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x1000, 0x2000, 0, "app", "", false, ""}};
    for (int i = 0; i < 10; ++i) {
        p.samples.push_back(
            {{add_frame(p, "f" + std::to_string(i), "f.c", i)}, {1, 1, 1, 1}, {}, ""});
    }
    p.comments = {"one", "two"};
    p.unknown = test::message_builder{}.bytes(100, "something new").str();
    const std::string bytes = serialize(p);
    profile_index index;
    index.build(bytes, match_mode::exact);
    const std::string whole = write_all_of(index, max_profile_size);
    CHECK(write_all_of(index, whole.size()) == whole);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        REQUIRE(fails_as(error_kind::too_large, [&] { write_all_of(index, size); }));
    }
}
