// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/info.hpp>

#include <pprofdelta/state.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

profile small() {
    profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    p.period_type = {"space", "bytes"};
    p.time = 1011;
    p.duration = 7;
    const std::uint64_t f = add_frame(p, "f");
    const std::uint64_t g = add_frame(p, "g");
    p.samples.push_back({{f}, {1, 2}, {}, ""});
    p.samples.push_back({{f}, {1, 2}, {}, ""});
    p.samples.push_back({{g, f}, {3, 4}, {}, ""});
    return p;
}

} // namespace

TEST_CASE("a profile tells what it is of") {
    const profile_info info = read_profile_info(serialize(small()));
    REQUIRE(info.types.size() == 2);
    CHECK(info.types[0].type == value_type{"alloc_space", "bytes"});
    CHECK(info.types[0].cumulative);
    CHECK_FALSE(info.types[1].cumulative);
    CHECK(info.period_type == value_type{"space", "bytes"});
    CHECK(info.time_nanos == 1011);
    CHECK(info.duration_nanos == 7);
    CHECK(info.samples == 3);
    CHECK(info.locations == 2);
    CHECK(info.functions == 2);
    CHECK(info.mappings == 0);
    CHECK(info.strings >= 7);
}

TEST_CASE("what lies within the records of a profile is no matter to what it is of") {
    profile p = small();
    p.mappings = {{7, 0x1000, 0x2000, 0, "/bin/server", "b1d"}, {7, 0x3000, 0x4000, 0, "[vdso]"}};
    CHECK(fails_as(error_kind::malformed, [&] {
        std::string delta;
        delta_computer{}.compute(serialize(p), delta);
    }));
    const profile_info info = read_profile_info(serialize(p));
    CHECK(info.binary == "/bin/server");
    CHECK(info.build_id == "b1d");
    CHECK(info.mappings == 2);
    CHECK(info.process != 0);
}

TEST_CASE("what a profile is of is refused as its delta would be") {
    delta_options options;
    options.gauge.emplace_back("alloc_space");
    CHECK_FALSE(read_profile_info(serialize(small()), options).types[0].cumulative);
    options.gauge.emplace_back("cpu");
    CHECK(fails_as(error_kind::incompatible,
                   [&] { (void)read_profile_info(serialize(small()), options); }));
    CHECK(fails_as(error_kind::malformed, [] { (void)read_profile_info(""); }));
}

TEST_CASE("keys of labels are listed with how many values and samples they have") {
    profile p = small();
    p.samples[0].labels = {{"tenant", "a"}, {"tenant", "b"}, {"size", "", 8, "bytes"}};
    p.samples[1].labels = {{"tenant", "a"}, {"size", "", 9, "kb"}, {"size", "text"}, {"none", ""}};
    p.samples[2].labels = {{"tenant", "a"}, {"size", "", 8, "bytes"}, {"request", "", 8}};
    const label_list list = list_labels(serialize(p));
    std::string text;
    for (const label_info& label : list.labels) {
        text += label.key + (label.is_text ? " text" : " " + label.unit) + " " +
                std::to_string(label.values) + " " + std::to_string(label.samples) + "\n";
    }
    CHECK(text == "tenant text 2 3\nsize bytes 1 2\nsize kb 1 1\nsize text 1 1\n"
                  "request bytes 1 1\n");
    CHECK(list.left_out == 0);
    CHECK(list_labels(serialize(small())).labels.empty());
}

TEST_CASE("long names of labels that many share are left out, not copied") {
    profile p = small();
    const std::string unit(std::size_t{600} << 10U, 'u');
    p.samples[0].labels = {{"a", "", 1, unit}, {"b", "", 1, unit}, {"c", "", 1, unit}, {"d", "e"}};
    const label_list list = list_labels(serialize(p));
    REQUIRE(list.labels.size() == 2);
    CHECK(list.labels[0].key == "a");
    CHECK(list.labels[1].key == "d");
    CHECK(list.left_out == 2);
}

TEST_CASE("a state is told from a profile by its first bytes") {
    delta_computer computer;
    const std::string profile = serialize(small());
    computer.prime(profile);
    const std::string state = computer.save();
    CHECK(is_state(state));
    CHECK(is_state(state.substr(0, 8)));
    CHECK_FALSE(is_state(state.substr(0, 7)));
    CHECK_FALSE(is_state(profile));
    CHECK_FALSE(is_state(""));
}
