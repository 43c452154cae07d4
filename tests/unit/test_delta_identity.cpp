// SPDX-License-Identifier: Apache-2.0
// Which samples are the same one. Each case changes one thing between two profiles.
#include <pprofdelta/delta.hpp>

#include <functional>
#include <string>

#include "catch.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

using change = std::function<void(profile&)>;

profile example() {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x3000, 0x100, "app", "", false, ""},
                  {2, 0x9000, 0xa000, 0, "libc", "b1", false, ""}};
    p.functions = {{1, "f", "_f", "f.c", 10, ""}, {2, "g", "_g", "g.c", 20, ""}};
    p.locations = {{1, 1, 0x1234, {{1, 12, 3, ""}, {2, 22, 4, ""}}, false, ""},
                   {2, 2, 0x9010, {{2, 25, 0, ""}}, false, ""}};
    p.samples = {{{1, 2}, {10}, {{"k", "s", 0, "", ""}, {"n", "", 5, "kb", ""}}, ""}};
    return p;
}

bool is_same(const change& edit, match_mode match) {
    profile changed = example();
    edit(changed);
    delta_options options;
    options.match = match;
    std::string delta;
    const auto kept = diff(serialize(example()), serialize(changed), options, delta).samples_kept;
    CHECK((kept == 0 || kept == 2));
    CHECK(find_fault(delta) == "none");
    return kept == 0;
}

// Whether the sample counts as the same one after `edit`.
void check_same(const change& edit, bool exact, bool line, bool function) {
    CHECK(is_same(edit, match_mode::exact) == exact);
    CHECK(is_same(edit, match_mode::line) == line);
    CHECK(is_same(edit, match_mode::function) == function);
}

} // namespace

TEST_CASE("what is the same under every match mode") {
    const auto same = [](const change& edit) { check_same(edit, true, true, true); };
    same([](profile&) {});
    // ASLR
    same([](profile& p) {
        p.mappings[0].start += 0x5000;
        p.mappings[0].limit += 0x5000;
        p.locations[0].address += 0x5000;
    });
    // sizes are rounded up to pages
    same([](profile& p) { p.mappings[0].limit -= 1; });
    same([](profile& p) { p.mappings[0].limit -= 0xfff; });
    same([](profile& p) { p.mappings[1].file = "other name, same build id"; });
    same([](profile& p) { p.mappings[0].has_functions = true; });
    same([](profile& p) { p.mappings[0].unknown = message_builder{}.number(99, 1).str(); });
    same([](profile& p) { std::swap(p.samples[0].labels[0], p.samples[0].labels[1]); });
    same([](profile& p) {
        p.locations[0].id = 77;
        p.samples[0].stack[0] = 77;
    });
    same([](profile& p) { std::swap(p.locations[0], p.locations[1]); });
}

TEST_CASE("what is the same to source lines only") {
    const auto lines_only = [](const change& edit) { check_same(edit, false, true, true); };
    lines_only([](profile& p) { p.mappings[0].limit += 1; });
    lines_only([](profile& p) { p.mappings[0].offset = 0; });
    lines_only([](profile& p) { p.mappings[0].file = "app2"; });
    lines_only([](profile& p) { p.mappings[0].build_id = "b2"; });
    lines_only([](profile& p) { p.mappings[1].build_id = "b2"; });
    lines_only([](profile& p) { p.locations[0].address += 1; });
    lines_only([](profile& p) { p.locations[0].address = 0; });
    lines_only([](profile& p) { p.locations[0].mapping = 0; });
    lines_only([](profile& p) { p.locations[0].mapping = 2; });
    lines_only([](profile& p) { p.locations[0].folded = true; });
    lines_only([](profile& p) { p.locations[0].lines[0].column = 4; });
    lines_only([](profile& p) { p.functions[0].system_name = "_f2"; });
    lines_only([](profile& p) { p.functions[0].start_line = 11; });
}

TEST_CASE("line numbers count unless functions are matched") {
    check_same([](profile& p) { p.locations[0].lines[0].number = 13; }, false, false, true);
    check_same([](profile& p) { p.locations[0].lines[1].number = 13; }, false, false, true);
}

TEST_CASE("what is different under every match mode") {
    const auto different = [](const change& edit) { check_same(edit, false, false, false); };
    different([](profile& p) { p.functions[0].name = "h"; });
    different([](profile& p) { p.functions[1].file = "h.c"; });
    different([](profile& p) { p.locations[0].lines[0].function = 0; });
    different([](profile& p) { std::swap(p.locations[0].lines[0], p.locations[0].lines[1]); });
    different([](profile& p) { p.locations[0].lines.pop_back(); });
    different([](profile& p) { std::swap(p.samples[0].stack[0], p.samples[0].stack[1]); });
    different([](profile& p) { p.samples[0].stack.pop_back(); });
    different([](profile& p) { p.samples[0].stack.push_back(1); });
    different([](profile& p) { p.samples[0].labels.pop_back(); });
    different([](profile& p) { p.samples[0].labels[0].key = "k2"; });
    different([](profile& p) { p.samples[0].labels[0].str = "s2"; });
    different([](profile& p) { p.samples[0].labels[1].num = 6; });
    different([](profile& p) { p.samples[0].labels[1].unit = "mb"; });
    different([](profile& p) { p.samples[0].labels.push_back({"key alone", "", 0, "", ""}); });
    different([](profile& p) { p.samples[0].labels.push_back(p.samples[0].labels[0]); });
    different(
        [](profile& p) { std::swap(p.samples[0].labels[0].str, p.samples[0].labels[0].key); });
}

TEST_CASE("without lines, a frame is its address in every match mode") {
    const auto without_lines = [](profile& p) {
        p.locations[0].lines.clear();
        p.locations[1].lines.clear();
    };
    for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
        delta_options options;
        options.match = match;
        profile before = example();
        profile now = example();
        without_lines(before);
        without_lines(now);
        std::string delta;
        CHECK(diff(serialize(before), serialize(now), options, delta).samples_kept == 0);
        now.locations[0].address += 1;
        CHECK(diff(serialize(before), serialize(now), options, delta).samples_kept == 2);
    }
}

TEST_CASE("address 0 is none, not the start of a mapping") {
    profile p = example();
    p.samples = {{{1}, {1}, {}, ""}, {{2}, {2}, {}, ""}};
    p.locations[1] = p.locations[0];
    p.locations[1].id = 2;
    p.locations[0].address = 0;
    p.locations[1].address = p.mappings[0].start;
    delta_computer computer;
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).samples_kept == 2);
}

TEST_CASE("frames without addresses are told apart by their lines") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples = {{{add_frame(p, "foo", "a.js", 1)}, {100}, {}, ""},
                 {{add_frame(p, "bar", "a.js", 2)}, {200}, {}, ""}};
    delta_computer computer;
    computer.prime(serialize(p));
    p.samples[0].values[0] += 50;
    p.samples[1].values[0] += 800;
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).samples_kept == 2);
    CHECK(parse(delta).content.samples[0].values[0] == 50);
    CHECK(parse(delta).content.samples[1].values[0] == 800);
}

TEST_CASE("inlined frames are not calls of the same functions") {
    profile inlined = example();
    inlined.samples[0].stack = {1};
    profile called = example();
    called.locations[1] = called.locations[0];
    called.locations[1].id = 2;
    called.locations[0].lines.pop_back();
    called.locations[1].lines.erase(called.locations[1].lines.begin());
    for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
        delta_options options;
        options.match = match;
        std::string delta;
        CHECK(diff(serialize(inlined), serialize(called), options, delta).samples_kept == 2);
    }
}
