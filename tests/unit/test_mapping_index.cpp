// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <string>

#include "catch.hpp"
#include "error_from.hpp"
#include "indexed.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

using indexed_profile = test::indexed<mapping_index>;

hash128 identity(const test::mapping& m, const test::layout& how = {}) {
    test::profile p;
    p.mappings = {m};
    return indexed_profile{test::serialize(p, how)}.records.at(0).identity;
}

} // namespace

TEST_CASE("mappings are found by id, with their start") {
    test::profile p;
    p.mappings = {{7, 0x1000, 0x2000, 0, "a", "", false, ""}, {3, 0, 1, 0, "b", "", false, ""}};
    const indexed_profile index{test::serialize(p)};
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
        return fails_as(error_kind::malformed, [&] { const indexed_profile index{bytes}; });
    };
    CHECK(refused(message_builder{}));
    CHECK(refused(message_builder{}.number(1, 0)));
    CHECK(refused(message_builder{}.number(1, 1).number(5, 1)));
    CHECK(refused(message_builder{}.number(1, 1).number(6, 1)));
    CHECK(refused(message_builder{}.number(1, 1).bytes(2, "x")));
    CHECK_FALSE(refused(message_builder{}.number(1, 1).bytes(99, "x")));
}
