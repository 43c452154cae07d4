// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::message_builder;

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

TEST_CASE("a type's string has to be there") {
    const std::string bad = message_builder{}.number(2, 1).str();
    CHECK(fails_as(error_kind::malformed,
                   [&] { read(message_builder{}.bytes(6, "").bytes(1, bad).str()); }));
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
