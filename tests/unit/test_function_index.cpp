// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <string>
#include <utility>

#include "catch.hpp"
#include "error_from.hpp"
#include "indexed.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

using indexed_profile = test::indexed<function_index>;

hash128 identity(const test::function& f) {
    test::profile p;
    p.functions = {f};
    return indexed_profile{test::serialize(p)}.records.at(0).identity;
}

} // namespace

TEST_CASE("functions are found by id, with name and file") {
    test::profile p;
    p.functions = {{7, "f", "_f", "f.c", 10, ""}, {3, "g", "", "", 0, ""}};
    const indexed_profile index{test::serialize(p)};
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
        return fails_as(error_kind::malformed, [&] { const indexed_profile index{bytes}; });
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
