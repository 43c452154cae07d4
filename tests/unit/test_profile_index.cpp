// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/report.hpp>

#include "profile/index.hpp"
#include "profile/stacks.hpp"
#include "profile/view.hpp"

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::message_builder;

namespace {

/// A profile with the index of its strings, and of its functions or mappings.
template <typename Index>
struct indexed {
    explicit indexed(const std::string& from) : bytes{from} {
        view.parse(bytes);
        strings.build(view);
        records.build(view, strings);
    }

    std::string bytes;
    profile_view view;
    string_index strings;
    Index records;
};

} // namespace

TEST_CASE("strings and their hashes, by place") {
    const std::string bytes =
        message_builder{}.bytes(6, "").bytes(6, "main").bytes(6, "main").bytes(6, "f").str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    REQUIRE(strings.size() == 4);
    CHECK(strings.text(0).empty());
    CHECK(strings.text(1) == "main");
    CHECK(strings.text(3) == "f");
    CHECK(strings.hash(1) == strings.hash(2));
    CHECK(strings.hash(1) == hash_bytes("main"));
    CHECK_FALSE(strings.hash(1) == strings.hash(3));
    CHECK(strings.hash(0) == hash_bytes(""));
}

TEST_CASE("strings with any byte in them") {
    const std::string odd{"a\0b\xff\n", 5};
    const std::string bytes = message_builder{}.bytes(6, "").bytes(6, odd).str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    CHECK(strings.text(1) == odd);
}

TEST_CASE("a string number out of range is refused with its record's place") {
    const std::string bytes = message_builder{}.bytes(6, "").bytes(6, "x").number(9, 5).str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    CHECK(strings.check(0, view.bytes()) == 0);
    CHECK(strings.check(1, view.bytes()) == 1);
    const std::uint64_t wrong[] = {2, std::uint64_t{1} << 32U,
                                   std::numeric_limits<std::uint64_t>::max()};
    for (const std::uint64_t number : wrong) {
        const auto fault =
            test::error_from([&] { (void)strings.check(number, view.bytes().substr(2, 3)); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == std::uint64_t{2});
    }
}

TEST_CASE("building again replaces the strings") {
    const std::string first = message_builder{}.bytes(6, "").bytes(6, "x").bytes(6, "y").str();
    const std::string second = message_builder{}.bytes(6, "").bytes(6, "z").str();
    profile_view view;
    string_index strings;
    view.parse(first);
    strings.build(view);
    view.parse(second);
    strings.build(view);
    CHECK(strings.size() == 2);
    CHECK(strings.text(1) == "z");
}

namespace {

profile_types read(const std::string& bytes) {
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    profile_types types;
    types.read(view, strings);
    return types;
}

bool fit(const profile_types& previous, const profile_types& current) {
    return !fails_as(error_kind::incompatible, [&] { require_same(previous, current); });
}

} // namespace

TEST_CASE("types are read in their order") {
    test::profile p;
    p.types = test::heap_types();
    p.period_type = {"space", "bytes"};
    const auto types = read(test::serialize(p));
    CHECK(types.sample_types == test::heap_types());
    CHECK(types.period_type == value_type{"space", "bytes"});
    CHECK(types.has_period_type());
    p.period_type = {};
    CHECK_FALSE(read(test::serialize(p)).has_period_type());
}

TEST_CASE("a type without strings has empty ones") {
    const auto types = read(message_builder{}.bytes(6, "").bytes(1, "").str());
    CHECK(types.sample_types == std::vector<value_type>{{"", ""}});
}

TEST_CASE("there are no more types than anyone has, nor longer names") {
    const auto with = [](std::size_t count) {
        message_builder to;
        for (std::size_t i = 0; i < count; ++i) {
            to.bytes(1, "");
        }
        return to.bytes(6, "").str();
    };
    CHECK(read(with(max_sample_types)).sample_types.size() == max_sample_types);
    CHECK(fails_as(error_kind::too_large, [&] { read(with(max_sample_types + 1)); }));
    const auto named = [](std::size_t size) {
        const std::string type = message_builder{}.number(1, 1).str();
        const std::string unit = message_builder{}.number(2, 1).str();
        return message_builder{}
            .bytes(1, type)
            .bytes(1, unit)
            .bytes(6, "")
            .bytes(6, std::string(size, 'x'))
            .str();
    };
    CHECK(read(named(max_type_names_size / 2)).sample_types.size() == 2);
    CHECK(fails_as(error_kind::too_large, [&] { read(named(max_type_names_size / 2 + 1)); }));
}

TEST_CASE("of several period types the last one counts") {
    const std::string space = message_builder{}.number(1, 1).str();
    const std::string time = message_builder{}.number(1, 2).str();
    const auto types = read(message_builder{}
                                .bytes(6, "")
                                .bytes(6, "space")
                                .bytes(6, "time")
                                .bytes(11, space)
                                .bytes(11, time)
                                .str());
    CHECK(types.period_type == value_type{"time", ""});
}

TEST_CASE("types as text") {
    CHECK(to_string(std::vector<value_type>(23)).ends_with("/, / and 3 more"));
    CHECK(to_string(std::vector<value_type>{}) == "none");
    CHECK(to_string(std::vector<value_type>{{"a", "b"}, {"c", "d"}}) == "a/b, c/d");
}

TEST_CASE("sample types have to be equal, in order") {
    const profile_types ab{{{"a", "x"}, {"b", "x"}}, {}};
    CHECK(fit(ab, ab));
    CHECK_FALSE(fit(ab, {{{"b", "x"}, {"a", "x"}}, {}}));
    CHECK_FALSE(fit(ab, {{{"a", "x"}}, {}}));
    CHECK_FALSE(fit(ab, {{{"a", "x"}, {"b", "y"}}, {}}));
}

TEST_CASE("period types have to be equal where both have one") {
    const std::vector<value_type> types{{"a", "x"}};
    CHECK(fit({types, {"p", "q"}}, {types, {"p", "q"}}));
    CHECK(fit({types, {}}, {types, {"p", "q"}}));
    CHECK(fit({types, {"p", "q"}}, {types, {}}));
    CHECK_FALSE(fit({types, {"p", "q"}}, {types, {"p", "r"}}));
}

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Adds all ids, and checks that each is at its place and no other one is found.
void check_places(const std::vector<std::uint64_t>& ids) {
    id_map map;
    for (const std::uint64_t id : ids) {
        CHECK(map.find(id) == id_map::npos);
        CHECK(map.add(id));
    }
    CHECK(map.size() == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CHECK(map.find(ids[i]) == i);
        CHECK_FALSE(map.add(ids[i]));
    }
    CHECK(map.size() == ids.size());
    CHECK(map.find(0) == id_map::npos);
}

} // namespace

TEST_CASE("an empty map has no id") {
    const id_map map;
    CHECK(map.size() == 0);
    CHECK(map.find(0) == id_map::npos);
    CHECK(map.find(1) == id_map::npos);
    CHECK(map.find(largest) == id_map::npos);
}

TEST_CASE("id 0 is an id if it is added") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.find(0) == id_map::npos);
    CHECK(map.add(0));
    CHECK_FALSE(map.add(0));
    CHECK(map.find(0) == 1);
    CHECK(map.add(2));
    CHECK(map.find(2) == 2);
    CHECK(map.sequential() == 1);
    id_map from_0;
    for (std::uint64_t id = 0; id < 100; ++id) {
        CHECK(from_0.add(id));
    }
    for (std::uint64_t id = 0; id < 100; ++id) {
        CHECK(from_0.find(id) == id);
    }
    CHECK(from_0.sequential() == 0);
}

TEST_CASE("ids of every order get their places") {
    check_places({1, 2, 3, 4});
    check_places({4, 3, 2, 1});
    check_places({1, 2, 4, 3, 5}); // leaves the sequence and would return to it
    check_places({2, 1, 3});
    check_places({largest});
    check_places({largest, 1, 2, std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) + 1});
    check_places({1, largest, 2, 0x8000000000000000});
}

TEST_CASE("an id next to the sequence is not in it") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.add(2));
    CHECK(map.find(3) == id_map::npos);
    CHECK(map.find((std::uint64_t{1} << 32U) + 1) == id_map::npos);
    CHECK(map.find(largest) == id_map::npos);
}

TEST_CASE("a cleared map is like a new one") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.add(77));
    map.clear();
    CHECK(map.size() == 0);
    CHECK(map.find(1) == id_map::npos);
    CHECK(map.find(77) == id_map::npos);
    CHECK(map.add(77));
    CHECK(map.find(77) == 0);
    CHECK(map.add(1));
    CHECK(map.find(1) == 1);
}

TEST_CASE("an id map does what std::map does") {
    std::mt19937_64 random{1};
    for (int round = 0; round < 200; ++round) {
        id_map map;
        std::map<std::uint64_t, std::uint32_t> expected;
        for (int i = 0; i < 50; ++i) {
            const std::uint64_t id = random() % 2 == 0 ? random() % 60 : random();
            const bool added = expected.emplace(id, expected.size()).second;
            REQUIRE(map.add(id) == added);
            const std::uint64_t probe = random() % 60;
            const auto found = expected.find(probe);
            REQUIRE(map.find(probe) == (found == expected.end() ? id_map::npos : found->second));
        }
        REQUIRE(map.size() == expected.size());
    }
}

namespace {

using indexed_mappings = indexed<mapping_index>;

hash128 identity(const test::mapping& m, const test::layout& how = {}) {
    test::profile p;
    p.mappings = {m};
    return indexed_mappings{test::serialize(p, how)}.records.at(0).identity;
}

} // namespace

TEST_CASE("mappings are found by id, with their start") {
    test::profile p;
    p.mappings = {{7, 0x1000, 0x2000, 0, "a", "", false, ""}, {3, 0, 1, 0, "b", "", false, ""}};
    const indexed_mappings index{test::serialize(p)};
    CHECK(index.records.find(7) == 0);
    CHECK(index.records.find(3) == 1);
    CHECK(index.records.find(1) == id_map::npos);
    CHECK(index.records.find(0) == id_map::npos);
    CHECK(index.records.at(0).start == 0x1000);
    CHECK(index.records.at(1).start == 0);
}

TEST_CASE("a mapping is its build id or file, its pages and its offset") {
    const test::mapping m{1, 0x1000, 0x3000, 0x100, "app", "", false, ""};
    const auto changed = [&](auto edit) {
        test::mapping other = m;
        edit(other);
        return !(identity(other) == identity(m));
    };
    CHECK_FALSE(changed([](test::mapping& o) { o.id = 5; }));
    CHECK_FALSE(changed([](test::mapping& o) { o.start = 0x11000, o.limit = 0x13000; }));
    CHECK_FALSE(changed([](test::mapping& o) { o.limit = 0x2001; }));
    CHECK_FALSE(changed([](test::mapping& o) { o.has_functions = true; }));
    CHECK(changed([](test::mapping& o) { o.limit = 0x2000; }));
    CHECK(changed([](test::mapping& o) { o.limit = 0x3001; }));
    CHECK(changed([](test::mapping& o) { o.offset = 0; }));
    CHECK(changed([](test::mapping& o) { o.file = "b"; }));
    CHECK(changed([](test::mapping& o) { o.build_id = "b"; }));
    test::mapping built = m;
    built.build_id = "b1";
    test::mapping renamed = built;
    renamed.file = "other";
    CHECK(identity(built) == identity(renamed));
}

TEST_CASE("an empty build id is none, wherever in the string table it stands") {
    const test::mapping m{1, 0, 4096, 0, "app", "", false, ""};
    test::layout how;
    how.copies = 3; // three empty strings, taken in turn
    how.explicit_zeros = true;
    CHECK(identity(m, how) == identity(m));
}

TEST_CASE("bad mappings are refused") {
    using test::message_builder;
    const auto refused = [](const message_builder& record) {
        const std::string bytes = message_builder{}.bytes(6, "").bytes(3, record.str()).str();
        return fails_as(error_kind::malformed, [&] { const indexed_mappings index{bytes}; });
    };
    CHECK(refused(message_builder{}));
    CHECK(refused(message_builder{}.number(1, 0)));
    CHECK(refused(message_builder{}.number(1, 1).number(5, 1)));
    CHECK(refused(message_builder{}.number(1, 1).number(6, 1)));
    CHECK(refused(message_builder{}.number(1, 1).bytes(2, "x")));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).bytes(99, "x")));
}

namespace {

using indexed_functions = indexed<function_index>;

hash128 identity(const test::function& f) {
    test::profile p;
    p.functions = {f};
    return indexed_functions{test::serialize(p)}.records.at(0).identity;
}

} // namespace

TEST_CASE("functions are found by id, with name and file") {
    test::profile p;
    p.functions = {{7, "f", "_f", "f.c", 10, ""}, {3, "g", "", "", 0, ""}};
    const indexed_functions index{test::serialize(p)};
    CHECK(index.records.find(7) == 0);
    CHECK(index.records.find(3) == 1);
    CHECK(index.records.find(1) == id_map::npos);
    CHECK(index.strings.text(index.records.at(0).name) == "f");
    CHECK(index.strings.text(index.records.at(0).file) == "f.c");
    CHECK(index.strings.text(index.records.at(1).file).empty());
}

TEST_CASE("a function is its names, its file and its start line") {
    const test::function f{1, "f", "_f", "f.c", 10, ""};
    const auto changed = [&](auto edit) {
        test::function other = f;
        edit(other);
        return !(identity(other) == identity(f));
    };
    CHECK_FALSE(changed([](test::function& o) { o.id = 5; }));
    CHECK(changed([](test::function& o) { o.name = "g"; }));
    CHECK(changed([](test::function& o) { o.system_name = "g"; }));
    CHECK(changed([](test::function& o) { o.file = "g"; }));
    CHECK(changed([](test::function& o) { o.start_line = -10; }));
    CHECK(changed([](test::function& o) { std::swap(o.name, o.system_name); }));
    CHECK(changed([](test::function& o) { std::swap(o.name, o.file); }));
}

TEST_CASE("bad functions are refused") {
    using test::message_builder;
    const auto refused = [](const message_builder& record) {
        const std::string bytes = message_builder{}.bytes(6, "").bytes(5, record.str()).str();
        return fails_as(error_kind::malformed, [&] { const indexed_functions index{bytes}; });
    };
    CHECK(refused(message_builder{}.number(1, 1).number(2, 1)));
    CHECK(refused(message_builder{}.number(1, 1).number(3, 1)));
    CHECK(refused(message_builder{}.number(1, 1).number(4, 1)));
    CHECK(refused(message_builder{}.number(1, 1).bytes(5, "x")));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).number(5, 1)));
    // Of a field that comes twice the last one counts.
    CHECK(refused(message_builder{}.number(1, 1).number(2, 0).number(2, 1)));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).number(2, 1).number(2, 0)));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).number(3, 1).number(3, 0)));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).number(4, 1).number(4, 0)));
}

TEST_CASE("each line is a frame, and so is a location without lines") {
    test::profile p;
    test::add_frame(p, "inner", "a.c", 3);
    test::add_frame(p, "outer", "a.c", 7);
    p.mappings = {{5, 0x1000, 0x2000, 0, "/bin/program", "", false, ""}};
    p.locations[0].lines.push_back(p.locations[1].lines[0]);
    p.locations[0].lines.push_back({0, 8, 0, ""}); // a line without a function
    p.locations[1].lines.clear();
    p.locations[1].mapping = 5;
    const std::string bytes = test::serialize(p);
    profile_index index;
    index.build(bytes, match_mode::exact);
    const frame_index frames{index};
    REQUIRE(frames.begin(0) == 0);
    REQUIRE(frames.begin(1) == 3);
    REQUIRE(frames.begin(2) == 4);
    CHECK(frames.frames()[0].function == 0);
    CHECK(frames.frames()[0].line == 3);
    CHECK(frames.frames()[1].function == 1);
    CHECK(frames.frames()[2].function == id_map::npos);
    CHECK(frames.frames()[2].line == 8);
    CHECK(frames.frames()[3].function == id_map::npos);
    CHECK(index.strings.text(frames.frames()[0].mapping_file).empty());
    CHECK(index.strings.text(frames.frames()[3].mapping_file) == "/bin/program");
}

TEST_CASE("a stack is read leaf first, however its numbers are written") {
    test::profile p;
    p.types = {{"a", "count"}, {"b", "count"}};
    const auto f = test::add_frame(p, "f");
    const auto g = test::add_frame(p, "g");
    p.samples = {{{g, f, g}, {5, -1}, {}, ""}, {{}, {0, 2}, {}, ""}};
    for (const auto numbers :
         {test::packing::packed, test::packing::unpacked, test::packing::mixed}) {
        for (const bool is_sparse : {false, true}) {
            test::layout how;
            how.numbers = numbers;
            how.sparse_ids = is_sparse;
            const std::string bytes = test::serialize(p, how);
            profile_index index;
            index.build(bytes, match_mode::exact);
            stack_reader reader{index};
            reader.read(index.view.samples.at(0));
            const auto places = reader.locations();
            CHECK(std::vector(places.begin(), places.end()) == std::vector<std::uint32_t>{1, 0, 1});
            CHECK(reader.values() == std::vector<std::int64_t>{5, -1});
            reader.read(index.view.samples.at(1));
            CHECK(reader.locations().empty());
            CHECK(reader.values() == std::vector<std::int64_t>{0, 2});
        }
    }
}

TEST_CASE("a sample with a location too many or a value too few is an error") {
    for (const std::string& sample :
         {message_builder{}.number(1, 9).number(2, 1).str(), std::string{}}) {
        const std::string bytes =
            message_builder{}.bytes(6, "").bytes(1, "").bytes(2, sample).str();
        profile_index index;
        index.build(bytes, match_mode::exact);
        stack_reader reader{index};
        CHECK(fails_as(error_kind::malformed, [&] {
            reader.read(index.view.samples.at(0));
            (void)reader.locations();
        }));
    }
}

TEST_CASE("a location has at most 1000 lines") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.samples.push_back({{test::add_frame(p, "inner")}, {1}, {}, ""});
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    const std::string most = test::serialize(p);
    CHECK(make_report({most, most}).rows.empty());
    p.locations[0].lines.resize(1001, p.locations[0].lines[0]);
    const std::string more = test::serialize(p);
    for (const auto& both : {std::pair{most, more}, std::pair{more, most}}) {
        CHECK(fails_as(error_kind::too_large, [&] {
            static_cast<void>(make_report({both.first, both.second}));
        }));
    }
}
