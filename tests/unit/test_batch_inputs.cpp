// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "batch/item_lists.hpp"
#include "files/path_list.hpp"

#include "allocations.hpp"
#include "catch.hpp"
#include "failure_from.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;
using pprofdelta::test::failure_from;
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
    return failure_from([&] { items_of(text, has_nul); });
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
    const std::string no_tab = "there is no TAB between a series and a path or URL";
    const std::string no_input = "there is no path or URL after the TAB";
    for (const auto& [line, fault] : std::vector<std::pair<std::string, std::string>>{
             {"a", no_tab},
             {" ", no_tab},
             {"a b.pb.gz", no_tab},
             {"a\t", no_input},
             {"a\t\r", no_input},
             {"a\t-", "standard input cannot be an item; to name a file like that, write ./-"},
             {"\t1", "the name of the series is empty"},
             {"a\x1b\t1", "the name of the series has the control character U+001b"},
             {"a\t1\0"s, "it contains a NUL; entries that end with NUL need --null"}}) {
        CHECK(message_from("a\t1\n\n# b\n" + line + "\nc\t2\n") == "list: line 4: " + fault);
    }
    CHECK(message_from("a\t1\0\0b\0"s, true) == "list: entry 3: " + no_tab);
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

namespace {

using target_urls = std::vector<std::pair<std::string, std::string>>;

target_urls targets_of(const std::string& json,
                       const std::vector<std::string>& paths = {default_profile_path},
                       const std::string& series = default_series_labels) {
    batch_items items;
    add_targets(json, "list", {paths, parse_series_labels(series)}, items);
    target_urls all;
    for (const series_items& each : items.series()) {
        REQUIRE(each.inputs.size() == 1);
        all.emplace_back(each.name, each.inputs.front());
    }
    return all;
}

std::string message_of_targets(const std::string& json,
                               const std::vector<std::string>& paths = {default_profile_path},
                               const std::string& series = default_series_labels) {
    return failure_from([&] { targets_of(json, paths, series); });
}

std::string group_of(const std::string& target, const std::string& labels = "") {
    return R"([{"targets": [")" + target + R"("], "labels": {)" + labels + "}}]";
}

} // namespace

TEST_CASE("targets are series with one URL") {
    CHECK(targets_of(R"([{"targets": ["a:1", "b:2"], "labels": {"job": "web", "env": "x"}},
                       {"targets": ["c"]}, {"labels": null, "targets": null}, {}])") ==
          target_urls{{"web/a:1/allocs", "http://a:1/debug/pprof/allocs"},
                      {"web/b:2/allocs", "http://b:2/debug/pprof/allocs"},
                      {"targets/c/allocs", "http://c/debug/pprof/allocs"}});
    CHECK(targets_of(R"([{"labels": {"job": ""}, "targets": ["a"]}])").front().first ==
          "targets/a/allocs");
    CHECK(targets_of("\xef\xbb\xbf" + group_of("a")).size() == 1);
}

TEST_CASE("each path of a target is a series") {
    CHECK(targets_of(group_of("a:1"), {"/debug/pprof/heap?gc=1", "/mutex"}) ==
          target_urls{{"targets/a:1/heap", "http://a:1/debug/pprof/heap?gc=1"},
                      {"targets/a:1/mutex", "http://a:1/mutex"}});
    const auto in_quotes = [](const char* path) { return "--path: '" + std::string{path} + "' "; };
    const std::string encoded = "has a character that must be percent-encoded in a URL";
    const std::string no_slash = "does not begin with a slash";
    const std::string no_name = "does not end with the name of a profile";
    for (const auto& [path, fault] :
         std::vector<std::pair<const char*, std::string>>{{"", no_slash},
                                                          {"heap", no_slash},
                                                          {"http://h/heap", no_slash},
                                                          {"/", no_name},
                                                          {"/heap/", no_name},
                                                          {"/?heap", no_name},
                                                          {"/he ap", encoded},
                                                          {"/heap#x", encoded}}) {
        CHECK(message_of_targets(group_of("a"), {path}) == in_quotes(path) + fault);
    }
}

TEST_CASE("labels make the URL of a target") {
    CHECK(targets_of(group_of("a", R"("__scheme__": "https", "__profile_path__": "/x/heap",
                                    "__param_gc": "1", "__param_b c": "d&e=\u00e4/",
                                    "__param_": "x", "__param_no": "")"),
                     {"/1", "/2"}) ==
          target_urls{{"targets/a/heap", "https://a/x/heap?b%20c=d%26e%3D%C3%A4%2F&gc=1"}});
    CHECK(targets_of(group_of("a", R"("__param_gc": "1")"), {"/heap?x=2"}).front().second ==
          "http://a/heap?x=2&gc=1");
    CHECK(message_of_targets(group_of("a", R"("__scheme__": "ftp")")) ==
          "list: group 1: the label __scheme__ is 'ftp', neither http nor https");
    CHECK(message_of_targets(group_of("a", R"("__profile_path__": "heap")")) ==
          "list: group 1: the label __profile_path__, 'heap', does not begin with a slash");
    CHECK(message_of_targets(group_of("a", R"("__profile_path__": "/h\u0000")")) ==
          "list: group 1: the label __profile_path__, '/h\\x00', has a character that must be "
          "percent-encoded in a URL");
}

TEST_CASE("names from labels are components of a series") {
    CHECK(targets_of(group_of("a", R"("job": "../x/%\u0000\n")")).front().first ==
          "%2e.%2fx%2f%25%00%0a/a/allocs");
    CHECK(targets_of(group_of("a"), {"/x/.."}).front().first == "targets/a/%2e.");
    CHECK(message_of_targets(group_of("a", R"("job": ")" + std::string(201, 'x') + '"')) ==
          "list: group 1: the name of the series of 'a' has a component of more than 200 bytes");
}

TEST_CASE("labels name the series of a target") {
    const std::string pod = R"("job": "web", "pod": "web-1", "team": "a/../b")";
    const auto name_by = [&](const std::string& series) {
        return targets_of(group_of("a:1", pod), {"/heap"}, series).front().first;
    };
    CHECK(name_by("job/pod") == "web/web-1/heap");
    CHECK(name_by("team") == "a%2f..%2fb/heap");
    CHECK(name_by("__address__/instance") == "a:1/a:1/heap");
    CHECK(message_of_targets(group_of("a:1", R"("pod": "")"), {"/heap"}, "job/pod") ==
          "list: group 1: the target 'a:1' has no label 'pod', which --series names");
    CHECK(message_of_targets(R"([{"targets": ["a", "b"], "labels": {"job": "web"}}])", {"/heap"},
                             "job") == "list: group 1: http://b/heap would have the same series as "
                                       "http://a/heap; use --series to name labels that differ");
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
    const target_labels first = moved.series()[0].labels;
    CHECK(first.value("team") == "x");
    CHECK(first.value("__meta_a") == "y");
    CHECK(first.value("__address__") == "a:1");
    CHECK(first.value("instance") == "a:1");
    CHECK(first.value("env").empty());
    CHECK(first.shown() == label_texts{{"instance", "a:1"}, {"team", "x"}});
    CHECK(moved.series()[1].labels.shown() == label_texts{{"instance", "given"}, {"zone", "z"}});
    CHECK(moved.series()[2].labels.shown() == label_texts{{"instance", "c:3"}});
    CHECK_FALSE(target_labels{}.are_known());
    CHECK(target_labels{}.shown().empty());
}

TEST_CASE("a target is a host, and a port if it needs one") {
    for (const char* const target : {"a", "a.b-c_d.example:6060", "10.0.0.1:65535", "[::1]:6060",
                                     "[::1]", "[fe80::1%25eth0]:1", "[::ffff:10.0.0.1]:1"}) {
        INFO(target);
        CHECK(targets_of(group_of(target)).front().second ==
              "http://"s + target + "/debug/pprof/allocs");
    }
    CHECK(targets_of(group_of("[::1]:6060")).front().first == "targets/[::1]:6060/allocs");
    const auto refused = [](const std::string& target, const std::string& shown,
                            const std::string& why) {
        CHECK(message_of_targets(R"([{}, {"targets": ["x", ")" + target + R"("]}])") ==
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
    refused("::1:6060", "::1:6060", "is not HOST:PORT; an IPv6 address needs brackets");
    refused("http://a:1", "http://a:1",
            "is a URL; a target is HOST:PORT, with its scheme in the label __scheme__");
    refused("a:1/x", "a:1/x",
            "has a path; a target is HOST:PORT, with its path in the label __profile_path__");
}

TEST_CASE("a target has no password, and no message shows one") {
    const std::string refused = "list: group 1: target 1 must not have a user's name or a "
                                "password; see --header-file";
    for (const char* const target : {"me:secret@a:1", "me@a", "http://me:secret@a:1/",
                                     "me:se/cret@a", "@", "ftp://me:secret@a"}) {
        INFO(target);
        CHECK(message_of_targets(group_of(target)) == refused);
    }
}

TEST_CASE("a target that is there again is passed over") {
    CHECK(
        targets_of(R"([{"targets": ["a", "b", "a"]}, {"targets": ["b"]}])", {"/x", "/x"}).size() ==
        2);
    CHECK(message_of_targets(R"([{"targets": ["a"]},
                           {"targets": ["b", "a"], "labels": {"__scheme__": "https"}}])") ==
          "list: group 2: https://a/debug/pprof/allocs would have the same series as "
          "http://a/debug/pprof/allocs; use --series to name labels that differ");
    CHECK(message_of_targets(group_of("a"), {"/x/heap", "/y/heap"}) ==
          "list: group 1: http://a/y/heap would have the same series as http://a/x/heap; use "
          "--series to name labels that differ");
}

TEST_CASE("a text that is not a list of targets is refused, with the place") {
    const std::string no_list = "it is not an array of groups of targets";
    const std::string empty = "it lists no target";
    const std::string no_json = "it is not JSON";
    for (const auto& [json, fault] : std::vector<std::pair<std::string, std::string>>{
             {"[]", empty},
             {"[{}]", empty},
             {R"([{"targets": []}])", empty},
             {"null", no_list},
             {"{}", no_list},
             {"\"a\"", no_list},
             {"-1", no_list},
             {R"([{}, null])", "group 2 is not an object"},
             {R"([[]])", "group 1 is not an object"},
             {R"([{"targets": "a"}])", "group 1: its targets are not an array"},
             {R"([{"targets": ["a", 1]}])", "group 1: target 2 is not a string"},
             {R"([{"targets": [null]}])", "group 1: target 1 is not a string"},
             {R"([{"labels": []}])", "group 1: its labels are not an object"},
             {R"([{"labels": {"a": {}}}])", "group 1: the label 'a' is not a string"},
             {R"([{"labels": {"a": null}}])", "group 1: the label 'a' is not a string"},
             {R"([{"target": []}])", "group 1: 'target' is neither 'targets' nor 'labels'"},
             {R"([{"targets": [], "targets": []}])", "group 1: 'targets' appears twice"},
             {R"([{"labels": {}, "labels": {}}])", "group 1: 'labels' appears twice"},
             {R"([{"labels": {"a": "b", "a": "b"}}])", "group 1: 'a' appears twice"},
             {"", "line 1, column 1: " + no_json},
             {"[\n {},\n}", "line 3, column 1: " + no_json},
             {"[{}]x", "line 1, column 5: " + no_json},
             {"[{}]\0"s, "line 1, column 5: " + no_json}}) {
        CHECK(message_of_targets(json) == "list: " + fault);
    }
    for (const std::string json : {"[{\"targets\": [\"a\xff\"]}]", R"([{"targets": ["\ud800"]}])",
                                   "[{}] // x", "[{}", "[1e999]"}) {
        CHECK(message_of_targets(json).find(no_json) != std::string::npos);
    }
    CHECK(message_of_targets(R"([{")" + std::string(1000, 'x') + R"(": []}])").size() < 200);
}

TEST_CASE("depth and size of a list of targets cost nothing") {
    const std::size_t before = pprofdelta::test::bytes_in_use();
    CHECK(message_of_targets(std::string(10'000'000, '[')) == "list: group 1 is not an object");
    CHECK(message_of_targets(R"([{"labels": {"a": )" + std::string(10'000'000, '[')) ==
          "list: group 1: the label 'a' is not a string");
    CHECK(pprofdelta::test::bytes_in_use() < before + 1'000'000);
}

namespace {

namespace fs = std::filesystem;

// A folder of captures.
class capture_folder : public scratch_folder {
public:
    void add(const std::string& name) const {
        fs::create_directories(fs::path{*this / name}.parent_path());
        write(name, "x");
    }
};

listed tree_items_of(const std::string& root) {
    batch_items items;
    add_tree(root, items);
    listed all;
    for (const series_items& each : items.series()) {
        all.emplace_back(each.name,
                         std::vector<std::string>{each.inputs.begin(), each.inputs.end()});
    }
    return all;
}

std::string message_of_tree(const std::string& root, exit_status expected) {
    return failure_from([&] { tree_items_of(root); }, expected);
}

} // namespace

TEST_CASE("each folder with profiles is a series") {
    const capture_folder at;
    for (const char* const name :
         {"r/b/2.pb.gz", "r/b/1.pprof", "r/b/x.txt", "r/b/.3.pb.gz", "r/a/b/1.pb", "r/.c/1.pb",
          "r/d/x.log.gz", "r/mem.prof", "r/A/10.heap.zst", "r/50%/.x", "r/50%/y.pb"}) {
        at.add(name);
    }
    const std::string root = at / "r";
    const listed expected{{"r", {root + "/mem.prof"}},
                          {"50%25", {root + "/50%/y.pb"}},
                          {"A", {root + "/A/10.heap.zst"}},
                          {"a/b", {root + "/a/b/1.pb"}},
                          {"b", {root + "/b/1.pprof", root + "/b/2.pb.gz"}}};
    CHECK(tree_items_of(root) == expected);
    CHECK(tree_items_of(root + "/").front().first == "r");
    CHECK(tree_items_of(root + "/a/..").front().first == "r");
}

TEST_CASE("links to files are followed, and no others") {
    const capture_folder at;
    at.add("r/a/1.pb");
    at.add("other/2.pb");
    fs::create_directory_symlink("../other", at / "r/b");
    fs::create_directory_symlink("..", at / "r/a/up");
    fs::create_directory_symlink(".", at / "r/a/loop.pb");
    fs::create_symlink("../../other/2.pb", at / "r/a/2.pb");
    fs::create_symlink("nowhere", at / "r/a/3.pb");
    fs::create_symlink("4.pb", at / "r/a/4.pb");
    REQUIRE(::mkfifo((at / "r/a/5.pb").c_str(), 0600) == 0);
    const std::string folder = at / "r/a/";
    CHECK(tree_items_of(at / "r") == listed{{"a", {folder + "1.pb", folder + "2.pb"}}});
    fs::create_directory_symlink("r", at / "link");
    CHECK(tree_items_of(at / "link").front().first == "a");
}

TEST_CASE("names of folders that no series can have are escaped") {
    const capture_folder at;
    at.add("r/a\nb/1.pb");
    at.add("r/\xff/1.pb");
    at.add("r/" + std::string(70, '\x01') + "/x"); // no profile, no series
    const listed items = tree_items_of(at / "r");
    REQUIRE(items.size() == 2);
    CHECK(items[0].first == "a%0ab");
    CHECK(items[1].first == "%ff");
    at.add("r/" + std::string(70, '\x01') + "/1.pb");
    CHECK(message_of_tree(at / "r", exit_status::usage)
              .ends_with(": the name of its series has a component of more than 200 bytes"));
}

TEST_CASE("deep trees are walked through, as far as names go") {
    const capture_folder at;
    std::string path = "r";
    for (int i = 0; i < 5; ++i) {
        path += "/" + std::string(190, 'd');
    }
    at.add(path + "/1.pb");
    CHECK(tree_items_of(at / "r").front().first == path.substr(2));
    at.add(path + "/" + std::string(190, 'd') + "/1.pb");
    CHECK(message_of_tree(at / "r", exit_status::usage)
              .ends_with(": the name of its series has more than 1000 bytes"));
}

TEST_CASE("two folders of one name are refused") {
    const capture_folder at;
    at.add("r/1.pb");
    at.add("r/r/1.pb");
    CHECK(message_of_tree(at / "r", exit_status::usage) ==
          at / "r/r" + ": the name of its series, r, is also that of the profiles above it");
}

TEST_CASE("a folder without profiles is refused") {
    const capture_folder at;
    at.add("r/a/README.md");
    CHECK(message_of_tree(at / "r", exit_status::usage)
              .find(": there is no profile in this folder") != std::string::npos);
    CHECK(message_of_tree(at / "none", exit_status::io) ==
          at / "none" + ": cannot read the folder: No such file or directory");
    CHECK(message_of_tree(at / "r/a/README.md", exit_status::io) ==
          at / "r/a/README.md" + ": cannot read the folder: Not a directory");
}

TEST_CASE("profiles are told by their names") {
    for (const char* const name : {"a.pb", "a.pb.gz", "a.pb.zst", "a.pprof", "a.pprof.gz", "a.prof",
                                   "memprof.1.pprof", "jeprof.1.0.i0.heap", "a.b.pb.gz"}) {
        INFO(name);
        CHECK(is_name_of_profile(name));
    }
    for (const char* const name : {"", "a", "pb", "a.gz", "a.tar.gz", "a.pb.gz.gz", "a.pb.gz~",
                                   "a.pb.tmp", "a.PB", "a.json", "a.pb.state"}) {
        INFO(name);
        CHECK_FALSE(is_name_of_profile(name));
    }
}
