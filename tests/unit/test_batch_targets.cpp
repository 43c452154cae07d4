// SPDX-License-Identifier: Apache-2.0
#include "batch/inputs.hpp"

#include <string>
#include <utility>
#include <vector>

#include "allocations.hpp"
#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace std::string_literals;

namespace {

using listed = std::vector<std::pair<std::string, std::string>>;

listed items_of(const std::string& json,
                const std::vector<std::string>& paths = {default_profile_path},
                const std::string& series = default_series_labels) {
    batch_items items;
    add_targets(json, "list", {paths, parse_series_labels(series)}, items);
    listed all;
    for (const series_items& each : items.series()) {
        REQUIRE(each.inputs.size() == 1);
        all.emplace_back(each.name, each.inputs.front());
    }
    return all;
}

std::string message_from(const std::string& json,
                         const std::vector<std::string>& paths = {default_profile_path},
                         const std::string& series = default_series_labels) {
    try {
        items_of(json, paths, series);
    } catch (const failure& e) {
        CHECK(e.status() == exit_status::usage);
        return e.what();
    }
    return "none";
}

std::string group_of(const std::string& target, const std::string& labels = "") {
    return R"([{"targets": [")" + target + R"("], "labels": {)" + labels + "}}]";
}

} // namespace

TEST_CASE("targets are series with one URL") {
    CHECK(items_of(R"([{"targets": ["a:1", "b:2"], "labels": {"job": "web", "env": "x"}},
                       {"targets": ["c"]}, {"labels": null, "targets": null}, {}])") ==
          listed{{"web/a:1/allocs", "http://a:1/debug/pprof/allocs"},
                 {"web/b:2/allocs", "http://b:2/debug/pprof/allocs"},
                 {"targets/c/allocs", "http://c/debug/pprof/allocs"}});
    CHECK(items_of(R"([{"labels": {"job": ""}, "targets": ["a"]}])").front().first ==
          "targets/a/allocs");
    CHECK(items_of("\xef\xbb\xbf" + group_of("a")).size() == 1);
}

TEST_CASE("each path of a target is a series") {
    CHECK(items_of(group_of("a:1"), {"/debug/pprof/heap?gc=1", "/mutex"}) ==
          listed{{"targets/a:1/heap", "http://a:1/debug/pprof/heap?gc=1"},
                 {"targets/a:1/mutex", "http://a:1/mutex"}});
    for (const char* const path : {"", "heap", "/", "/heap/", "/?heap", "http://h/heap"}) {
        INFO(path);
        CHECK_THROWS_AS(items_of(group_of("a"), {path}), usage_failure);
    }
    CHECK(message_from(group_of("a"), {"/he ap"}) ==
          "--path: '/he ap' has a character that a URL has as %XX");
    CHECK(message_from(group_of("a"), {"/heap#x"}) ==
          "--path: '/heap#x' has a character that a URL has as %XX");
    CHECK(message_from(group_of("a"), {"heap"}) == "--path: 'heap' does not begin with a slash");
    CHECK(message_from(group_of("a"), {"/a/"}) ==
          "--path: '/a/' has no name of a profile at its end");
}

TEST_CASE("labels make the URL of a target") {
    CHECK(items_of(group_of("a", R"("__scheme__": "https", "__profile_path__": "/x/heap",
                                    "__param_gc": "1", "__param_b c": "d&e=\u00e4/",
                                    "__param_": "x", "__param_no": "")"),
                   {"/1", "/2"}) ==
          listed{{"targets/a/heap", "https://a/x/heap?b%20c=d%26e%3D%C3%A4%2F&gc=1"}});
    CHECK(items_of(group_of("a", R"("__param_gc": "1")"), {"/heap?x=2"}).front().second ==
          "http://a/heap?x=2&gc=1");
    CHECK(message_from(group_of("a", R"("__scheme__": "ftp")")) ==
          "list: group 1: the label __scheme__ is 'ftp', neither http nor https");
    CHECK(message_from(group_of("a", R"("__profile_path__": "heap")")) ==
          "list: group 1: the label __profile_path__, 'heap', does not begin with a slash");
    CHECK(message_from(group_of("a", R"("__profile_path__": "/h\u0000")")) ==
          "list: group 1: the label __profile_path__, '/h\\x00', has a character that a URL has as "
          "%XX");
}

TEST_CASE("names from labels are components of a series") {
    CHECK(items_of(group_of("a", R"("job": "../x/%\u0000\n")")).front().first ==
          "%2e.%2fx%2f%25%00%0a/a/allocs");
    CHECK(items_of(group_of("a"), {"/x/.."}).front().first == "targets/a/%2e.");
    CHECK(message_from(group_of("a", R"("job": ")" + std::string(201, 'x') + '"')) ==
          "list: group 1: the name of the series of 'a' has a component of more than 200 bytes");
}

TEST_CASE("labels name the series of a target") {
    const std::string pod = R"("job": "web", "pod": "web-1", "team": "a/../b")";
    const auto name_by = [&](const std::string& series) {
        return items_of(group_of("a:1", pod), {"/heap"}, series).front().first;
    };
    CHECK(name_by("job/pod") == "web/web-1/heap");
    CHECK(name_by("team") == "a%2f..%2fb/heap");
    CHECK(name_by("__address__/instance") == "a:1/a:1/heap");
    CHECK(message_from(group_of("a:1", R"("pod": "")"), {"/heap"}, "job/pod") ==
          "list: group 1: the target 'a:1' has no label 'pod', which --series names");
    CHECK(
        message_from(R"([{"targets": ["a", "b"], "labels": {"job": "web"}}])", {"/heap"}, "job") ==
        "list: group 1: http://b/heap would be of the same series as http://a/heap; their labels "
        "need to differ, see --series");
    for (const char* const text : {"", "/", "job/", "/job", "job//pod"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_series_labels(text), usage_failure);
    }
}

TEST_CASE("a target has the labels of its group, and those of its own") {
    batch_items items;
    add_targets(R"([{"targets": ["a:1"], "labels": {"team": "x", "__meta_a": "y", "env": ""}},
                    {"targets": ["b:2"], "labels": {"instance": "given", "zone": "z"}},
                    {"targets": ["c:3"]}])",
                "list", {{"/heap"}, {"__address__"}}, items);
    const batch_items moved = std::move(items);
    const target_labels first = moved.labels(0);
    CHECK(first.value("team") == "x");
    CHECK(first.value("__meta_a") == "y");
    CHECK(first.value("__address__") == "a:1");
    CHECK(first.value("instance") == "a:1");
    CHECK(first.value("env").empty());
    CHECK(first.shown() == label_texts{{"instance", "a:1"}, {"team", "x"}});
    CHECK(moved.labels(1).shown() == label_texts{{"instance", "given"}, {"zone", "z"}});
    CHECK(moved.labels(2).shown() == label_texts{{"instance", "c:3"}});
    CHECK_FALSE(target_labels{}.are_known());
    CHECK(target_labels{}.shown().empty());
}

TEST_CASE("a target is a host, and a port if it needs one") {
    for (const char* const target : {"a", "a.b-c_d.example:6060", "10.0.0.1:65535", "[::1]:6060",
                                     "[::1]", "[fe80::1%25eth0]:1", "[::ffff:10.0.0.1]:1"}) {
        INFO(target);
        CHECK(items_of(group_of(target)).front().second ==
              "http://"s + target + "/debug/pprof/allocs");
    }
    CHECK(items_of(group_of("[::1]:6060")).front().first == "targets/[::1]:6060/allocs");
    const auto refused = [](const std::string& target, const std::string& shown,
                            const std::string& why) {
        CHECK(message_from(R"([{}, {"targets": ["x", ")" + target + R"("]}])") ==
              "list: group 2: the target '" + shown + "' " + why);
    };
    for (const char* const target :
         {"",       "a:",     "a:0",   "a:65536", "a:x",  "a:-1",     "a: 1",
          "a b",    ":1",     "a?x",   "a#x",     "[]",   "[]:1",     "[::1",
          "[::1]1", "[::1]:", "[a]:1", "[::g]:1", "a%41", "[::1]]:1", "a[::1]"}) {
        refused(target, target, "is not HOST:PORT");
    }
    refused("a\\n", "a\\x0a", "is not HOST:PORT");
    refused("\\u0000", "\\x00", "is not HOST:PORT");
    refused("::1:6060", "::1:6060", "is not HOST:PORT; an address of IP version 6 needs brackets");
    refused("http://a:1", "http://a:1",
            "is a URL; a target is HOST:PORT, and its scheme the label __scheme__");
    refused("a:1/x", "a:1/x",
            "has a path; a target is HOST:PORT, and its path the label __profile_path__");
}

TEST_CASE("a target has no password, and no message shows one") {
    const std::string refused = "list: group 1: target 1 must not have a user's name or a "
                                "password; see --header-file";
    for (const char* const target : {"me:secret@a:1", "me@a", "http://me:secret@a:1/",
                                     "me:se/cret@a", "@", "ftp://me:secret@a"}) {
        INFO(target);
        CHECK(message_from(group_of(target)) == refused);
    }
}

TEST_CASE("a target that is there again is passed over") {
    CHECK(items_of(R"([{"targets": ["a", "b", "a"]}, {"targets": ["b"]}])", {"/x", "/x"}).size() ==
          2);
    CHECK(message_from(R"([{"targets": ["a"]},
                           {"targets": ["b", "a"], "labels": {"__scheme__": "https"}}])") ==
          "list: group 2: https://a/debug/pprof/allocs would be of the same series as "
          "http://a/debug/pprof/allocs; their labels need to differ, see --series");
    CHECK(message_from(group_of("a"), {"/x/heap", "/y/heap"}) ==
          "list: group 1: http://a/y/heap would be of the same series as http://a/x/heap; their "
          "labels need to differ, see --series");
}

TEST_CASE("a list without targets is refused") {
    for (const char* const json : {"[]", "[{}]", R"([{"targets": []}])"}) {
        CHECK(message_from(json) == "list: there is no target in it");
    }
}

TEST_CASE("what is not a list of targets is refused, with the place") {
    const std::string no_list = "list: it is no array of groups of targets";
    for (const char* const json : {"null", "{}", "1", "\"a\"", "true", "-1", "1.5"}) {
        CHECK(message_from(json) == no_list);
    }
    CHECK(message_from(R"([{}, null])") == "list: group 2 is no object");
    CHECK(message_from(R"([[]])") == "list: group 1 is no object");
    CHECK(message_from(R"([{"targets": "a"}])") == "list: group 1: its targets are no array");
    CHECK(message_from(R"([{"targets": ["a", 1]}])") == "list: group 1: target 2 is no string");
    CHECK(message_from(R"([{"targets": [null]}])") == "list: group 1: target 1 is no string");
    CHECK(message_from(R"([{"labels": []}])") == "list: group 1: its labels are no object");
    CHECK(message_from(R"([{"labels": {"a": {}}}])") ==
          "list: group 1: the label 'a' is no string");
    CHECK(message_from(R"([{"labels": {"a": null}}])") ==
          "list: group 1: the label 'a' is no string");
    CHECK(message_from(R"([{"target": []}])") ==
          "list: group 1: 'target' is neither 'targets' nor 'labels'");
    CHECK(message_from(R"([{"targets": [], "targets": []}])") ==
          "list: group 1: 'targets' is there twice");
    CHECK(message_from(R"([{"labels": {}, "labels": {}}])") ==
          "list: group 1: 'labels' is there twice");
    CHECK(message_from(R"([{"labels": {"a": "b", "a": "b"}}])") ==
          "list: group 1: 'a' is there twice");
    CHECK(message_from(R"([{")" + std::string(1000, 'x') + R"(": []}])").size() < 200);
}

TEST_CASE("what is not JSON is refused, with the place") {
    CHECK(message_from("") == "list: line 1, column 1: it is not JSON");
    CHECK(message_from("[\n {},\n}") == "list: line 3, column 1: it is not JSON");
    CHECK(message_from("[{\"targets\": [\"a\xff\"]}]").find("it is not JSON") != std::string::npos);
    CHECK(message_from(R"([{"targets": ["\ud800"]}])").find("it is not JSON") != std::string::npos);
    CHECK(message_from("[{}]x") == "list: line 1, column 5: it is not JSON");
    CHECK(message_from("[{}]\0"s) == "list: line 1, column 5: it is not JSON");
    CHECK(message_from("[{}] // x").find("it is not JSON") != std::string::npos);
    CHECK(message_from("[{}").find("it is not JSON") != std::string::npos);
    CHECK(message_from("[1e999]").find("it is not JSON") != std::string::npos);
}

TEST_CASE("depth and size of a list of targets cost nothing") {
    const std::size_t before = pprofdelta::test::bytes_in_use();
    CHECK(message_from(std::string(10'000'000, '[')) == "list: group 1 is no object");
    CHECK(message_from(R"([{"labels": {"a": )" + std::string(10'000'000, '[')) ==
          "list: group 1: the label 'a' is no string");
    CHECK(pprofdelta::test::bytes_in_use() < before + 1'000'000);
}
