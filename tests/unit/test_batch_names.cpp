// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <set>
#include <string>
#include <string_view>

#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace std::string_literals;

TEST_CASE("the name of a series is a path downwards") {
    for (const char* const name : {"a", "web/1", "a b", "a..b", "a.", "-a", "50%", "a\\b",
                                   "C:", "~", "[::1]:6060", "\u00e4/\u65e5\u672c"}) {
        INFO(name);
        CHECK(fault_in_series_name(name).empty());
    }
    CHECK(fault_in_series_name("") == "is empty");
    CHECK(fault_in_series_name("/") == "begins with a slash");
    CHECK(fault_in_series_name("/a") == "begins with a slash");
    CHECK(fault_in_series_name("a/") == "ends with a slash");
    CHECK(fault_in_series_name("a//b") == "has an empty component");
    for (const char* const name : {".", "..", "../a", "a/..", "a/../b", "a/./b", ".a", "a/.b"}) {
        INFO(name);
        CHECK(fault_in_series_name(name) == "has a component that begins with a point");
    }
}

TEST_CASE("the name of a series can be shown as it is") {
    CHECK(fault_in_series_name("a\nb") == "has the control character U+000a");
    CHECK(fault_in_series_name("a/b\0"s) == "has the control character U+0000");
    CHECK(fault_in_series_name("\x7f") == "has the control character U+007f");
    CHECK(fault_in_series_name("a\u0085") == "has the control character U+0085");
    CHECK(fault_in_series_name("a\u202eb") == "has the control character U+202e");
    for (const char* const name : {"\xff", "a\xc3", "\xc0\xaf", "\xed\xa0\x80"}) {
        CHECK(fault_in_series_name(name) == "is not UTF-8");
    }
}

TEST_CASE("the name of a series fits a file's") {
    const std::string longest(max_component_size, 'a');
    CHECK(fault_in_series_name(longest + '/' + longest).empty());
    CHECK(fault_in_series_name("b/" + longest + 'a') == "has a component of more than 200 bytes");
    std::string name = "a";
    while (name.size() < max_series_name_size - 1) {
        name += "/a";
    }
    name.resize(max_series_name_size, 'a');
    CHECK(fault_in_series_name(name).empty());
    CHECK(fault_in_series_name(name + 'a') == "has more than 1000 bytes");
}

TEST_CASE("any text can be a component of a name") {
    CHECK(series_component("web") == "web");
    CHECK(series_component("a/b") == "a%2fb");
    CHECK(series_component("50%") == "50%25");
    CHECK(series_component("%2f") == "%252f");
    CHECK(series_component("..") == "%2e.");
    CHECK(series_component(".a.b") == "%2ea.b");
    CHECK(series_component("") == "%");
    CHECK(series_component("a\tb\0"s) == "a%09b%00");
    CHECK(series_component("\u00e4\xe4\u202e") == "\u00e4%e4%e2%80%ae");
    CHECK(series_component("\u0085") == "%c2%85");
}

TEST_CASE("different texts are different components") {
    // All texts of up to three of some bytes that have a meaning in names or in UTF-8.
    const std::string bytes = "a./%2e\xc3\xa4\n\0"s;
    std::set<std::string> components{series_component("")};
    std::vector<std::string> texts{""};
    std::size_t count = 1;
    for (int size = 1; size <= 3; ++size) {
        std::vector<std::string> longer;
        for (const std::string& text : texts) {
            for (const char c : bytes) {
                longer.push_back(text + c);
                const std::string component = series_component(longer.back());
                components.insert(component);
                ++count;
                if (!fault_in_series_name(component).empty() ||
                    component.find('/') != std::string::npos) {
                    FAIL(component);
                }
            }
        }
        texts = longer;
    }
    CHECK(components.size() == count);
}
