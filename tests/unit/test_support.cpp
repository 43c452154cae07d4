// SPDX-License-Identifier: Apache-2.0
// The tests' own tools: what a builder writes, the reader must read, or tests prove nothing.
#include "canonical.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("a profile written is the profile read, in every layout") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        random_series series{seed};
        const profile written = series.next();
        layout how = series.next_layout();
        how.sparse_ids = false;
        REQUIRE(parse(serialize(written, how)).content == written);
        how.sparse_ids = true;
        const profile sparse = parse(serialize(written, how)).content;
        REQUIRE(canonical_form(sparse, match_mode::exact) ==
                canonical_form(written, match_mode::exact));
        REQUIRE(whole_samples(sparse) == whole_samples(written));
    }
}

TEST_CASE("faults in a compact profile are found") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    const auto frame = add_frame(p, "f", "f.c");
    p.samples.push_back({{frame}, {5}, {}, ""});
    CHECK(find_fault(serialize(p)) == "none");

    profile broken = p;
    broken.samples[0].stack.push_back(9);
    CHECK(find_fault(serialize(broken)) == "unknown location 9");
    broken = p;
    broken.functions[0].id = 9;
    CHECK(find_fault(serialize(broken)) == "unknown function 1");
    broken = p;
    broken.locations.push_back(p.locations[0]);
    CHECK(find_fault(serialize(broken)) == "bad or repeated location id 1");
    broken = p;
    add_frame(broken, "f", "f.c");
    CHECK(find_fault(serialize(broken)) != "none");

    layout how;
    how.unused = {"x"};
    CHECK(find_fault(serialize(p, how)) == "a string that nothing refers to");
    how = {};
    how.copies = 2;
    CHECK(find_fault(serialize(p, how)) != "none");
    const mapping main{1, 0, 0, 0, "main", "", false, ""};
    CHECK(find_fault(serialize(p), &main) != "none");
    p.mappings.push_back(main);
    CHECK(find_fault(serialize(p), &main) == "none");
}

TEST_CASE("random series have what they promise") {
    std::size_t profiles = 0;
    std::size_t collisions = 0;
    std::size_t empty_stacks = 0;
    std::size_t labels = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        random_series series{seed};
        for (int i = 0; i < 4; ++i) {
            const profile p = series.next();
            ++profiles;
            collisions += add_up(p, match_mode::exact).size() < p.samples.size() ? 1 : 0;
            for (const auto& each : p.samples) {
                empty_stacks += each.stack.empty() ? 1 : 0;
                labels += each.labels.empty() ? 0 : 1;
            }
        }
    }
    CHECK(collisions > profiles / 10);
    CHECK(empty_stacks > profiles / 10);
    CHECK(labels > profiles);
}
