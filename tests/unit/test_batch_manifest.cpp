// SPDX-License-Identifier: Apache-2.0
#include "batch/inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace std::string_literals;

namespace {

using listed = std::vector<std::pair<std::string, std::vector<std::string>>>;

listed items_of(std::string text, bool has_nul = false) {
    batch_items items;
    add_manifest(std::move(text), "list", has_nul, items);
    const batch_items moved = std::move(items); // its strings stay where they are
    listed all;
    std::size_t size = 0;
    for (const series_items& each : moved.series()) {
        all.emplace_back(each.name,
                         std::vector<std::string>{each.inputs.begin(), each.inputs.end()});
        size += each.inputs.size();
    }
    CHECK(moved.size() == size);
    return all;
}

std::string message_from(const std::string& text, bool has_nul = false) {
    try {
        items_of(text, has_nul);
    } catch (const failure& e) {
        CHECK(e.status() == exit_status::usage);
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a manifest has a series and an input on each line") {
    CHECK(items_of("web/1\ta.pb.gz\n") == listed{{"web/1", {"a.pb.gz"}}});
    CHECK(items_of("b\t2\na\t1\nb\t1\nb\t2") == listed{{"b", {"2", "1", "2"}}, {"a", {"1"}}});
    CHECK(items_of("a\t1\r\n\r\n\n# of b\n#b\t3\nb\t2\r\n") == listed{{"a", {"1"}}, {"b", {"2"}}});
    CHECK(items_of("a\tb\tc d \n") == listed{{"a", {"b\tc d "}}});
    CHECK(items_of("a\thttps://h:6060/debug/pprof/heap?gc=1\n") ==
          listed{{"a", {"https://h:6060/debug/pprof/heap?gc=1"}}});
    CHECK(items_of("\xef\xbb\xbf"
                   "a\t1\n") == listed{{"a", {"1"}}});
}

TEST_CASE("a manifest may have nothing") {
    for (const char* const text : {"", "\n", "\r\n", "# a\t1", "\xef\xbb\xbf"}) {
        CHECK(items_of(text).empty());
    }
    CHECK(items_of("", true).empty());
    CHECK(items_of("\0\0"s, true).empty());
}

TEST_CASE("entries that end with NUL may have any other byte in their paths") {
    CHECK(items_of("a\tx\ny\r\0#b\t\xff\t\0\0c\tz"s, true) ==
          listed{{"a", {"x\ny\r"}}, {"#b", {"\xff\t"}}, {"c", {"z"}}});
}

TEST_CASE("a line that is none of a manifest is refused, with its number") {
    const auto refusal_of = [](const std::string& line) {
        return message_from("a\t1\n\n# b\n" + line + "\nc\t2\n");
    };
    const std::string no_tab = "list: line 4: there is no TAB between a series and a path or URL";
    CHECK(refusal_of("a") == no_tab);
    CHECK(refusal_of(" ") == no_tab);
    CHECK(refusal_of("a b.pb.gz") == no_tab);
    const std::string no_input = "list: line 4: there is no path or URL after the TAB";
    CHECK(refusal_of("a\t") == no_input);
    CHECK(refusal_of("a\t\r") == no_input);
    CHECK(refusal_of("a\t-") ==
          "list: line 4: standard input cannot be one of many; a file of that name is ./-");
    CHECK(refusal_of("\t1") == "list: line 4: the name of the series is empty");
    CHECK(refusal_of("a/../b\t1") ==
          "list: line 4: the name of the series has a component that begins with a point");
    CHECK(refusal_of("/a\t1") == "list: line 4: the name of the series begins with a slash");
    CHECK(refusal_of("a\x1b\t1") ==
          "list: line 4: the name of the series has the control character U+001b");
    CHECK(refusal_of("a\t1\0"s) ==
          "list: line 4: there is a NUL in it; entries that end with NUL need --null");
    CHECK(message_from("a\t1\0\0b\0"s, true) ==
          "list: entry 3: there is no TAB between a series and a path or URL");
    CHECK(message_from("a\nb\t1"s, true) ==
          "list: entry 1: the name of the series has the control character U+000a");
}

TEST_CASE("URLs in a manifest have no passwords") {
    const std::string refused = "list: line 1: a URL must not have a user's name or a password; "
                                "see --header-file";
    for (const char* const url :
         {"http://me:secret@h/p", "HTTPS://me@h", "http://a\\@h/", "http://@"}) {
        INFO(url);
        CHECK(message_from("a\t"s + url) == refused);
    }
    for (const char* const url : {"http://h/a@b", "http://h?a@b", "http://h#@", "me:secret@h/p"}) {
        INFO(url);
        CHECK(message_from("a\t"s + url) == "none");
    }
}

TEST_CASE("a URL is what begins with one of two schemes") {
    for (const char* const url : {"http://", "https://h/p", "HTTP://h", "hTtPs://h"}) {
        CHECK(is_url(url));
    }
    for (const char* const path :
         {"", "http", "http:/h", "http:", "ftp://h", "/http://h", "xhttp://h"}) {
        CHECK_FALSE(is_url(path));
    }
}

TEST_CASE("many short texts and long ones stay where they were put") {
    batch_items items;
    std::vector<std::string_view> kept;
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 2000; ++i) {
        expected.push_back(std::string(i * 7 % 5000, static_cast<char>('a' + i % 26)));
        kept.push_back(items.keep(expected.back()));
    }
    const batch_items moved = std::move(items);
    CHECK(std::equal(kept.begin(), kept.end(), expected.begin(), expected.end()));
}
