// SPDX-License-Identifier: Apache-2.0
#include "base/names.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace pprofdelta::tool;

TEST_CASE("a name loses folders, arguments and what it is in, as far as it has to") {
    const auto shortened = [](const std::string& name, std::size_t room) {
        return distinct_names{{name}}.shortened(name, room);
    };
    CHECK(shortened("github.com/a/b.(*reader).parseEverything", 40) ==
          "b.(*reader).parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 26) == "(*reader).parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 20) == "parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 6) == "pars\u2026g");
    CHECK(shortened("std::vector<std::string>::at(unsigned long)", 16) ==
          "vector<\u2026>::at(\u2026)");
    CHECK(shortened("a.f[b.T].run", 8) == "a.f.run");
}

TEST_CASE("a short name is not one that another name can have") {
    const distinct_names names{{"main.a.func1", "main.b.func1", "x/log.Print", "y/log.Print"}};
    CHECK(names.shortened("main.a.func1", 8) == "a.func1");
    CHECK(names.shortened("main.a.func1", 6) == "a.fu\u20261");
    CHECK(distinct_names{{"main.Builder.grow", "main.page.grow"}}.shortened("main.Builder.grow",
                                                                            9) == "Buil\u2026grow");
    const distinct_names generic{{"main.Sort[go.shape.int]", "main.Sort[go.shape.string]"}};
    CHECK(generic.shortened("main.Sort[go.shape.int]", 10) == "main.Sort");
    CHECK(names.shortened("x/log.Print", 11) == "x/log.Print");
    CHECK(names.shortened("x/log.Print", 9) == "x/l\u2026Print");
}

TEST_CASE("a short name has no more characters than there is room for, and none in halves") {
    const std::vector<std::string> all{"((((", "a::", ".....", "\u65e5\u672c\u8a9e::\u51e6\u7406",
                                       std::string(500, 'a')};
    const distinct_names names{all};
    for (const std::string& name : all) {
        for (std::size_t room = 2; room < 12; ++room) {
            const std::string text = names.shortened(name, room);
            CHECK(count_characters(text) <= room);
            CHECK(!text.empty());
            CHECK_FALSE(is_continuation(text.front()));
        }
    }
}
