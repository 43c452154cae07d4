// SPDX-License-Identifier: Apache-2.0
#include "batch/inputs.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "base/failure.hpp"
#include "catch.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

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

using listed = std::vector<std::pair<std::string, std::vector<std::string>>>;

listed items_of(const std::string& root) {
    batch_items items;
    add_tree(root, items);
    listed all;
    for (const series_items& each : items.series()) {
        all.emplace_back(each.name,
                         std::vector<std::string>{each.inputs.begin(), each.inputs.end()});
    }
    return all;
}

std::string message_from(const std::string& root, exit_status expected) {
    try {
        items_of(root);
    } catch (const failure& e) {
        CHECK(e.status() == expected);
        return e.what();
    }
    return "none";
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
    CHECK(items_of(root) == expected);
    CHECK(items_of(root + "/").front().first == "r");
    CHECK(items_of(root + "/a/..").front().first == "r");
}

TEST_CASE("of links only those to files are followed") {
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
    CHECK(items_of(at / "r") == listed{{"a", {folder + "1.pb", folder + "2.pb"}}});
    fs::create_directory_symlink("r", at / "link");
    CHECK(items_of(at / "link").front().first == "a");
}

TEST_CASE("names of folders that no series can have are escaped") {
    const capture_folder at;
    at.add("r/a\nb/1.pb");
    at.add("r/\xff/1.pb");
    at.add("r/" + std::string(70, '\x01') + "/x"); // no profile, no series
    const listed items = items_of(at / "r");
    REQUIRE(items.size() == 2);
    CHECK(items[0].first == "a%0ab");
    CHECK(items[1].first == "%ff");
    at.add("r/" + std::string(70, '\x01') + "/1.pb");
    CHECK(message_from(at / "r", exit_status::usage)
              .ends_with(": the name of its series has a component of more than 200 bytes"));
}

TEST_CASE("deep trees are walked through") {
    const capture_folder at;
    std::string path = "r";
    for (int i = 0; i < 450; ++i) {
        path += "/d";
    }
    at.add(path + "/1.pb");
    CHECK(items_of(at / "r").front().first == path.substr(2));
    for (int i = 0; i < 100; ++i) {
        path += "/d";
    }
    at.add(path + "/1.pb");
    CHECK(message_from(at / "r", exit_status::usage)
              .ends_with(": the name of its series has more than 1000 bytes"));
}

TEST_CASE("two folders of one name are refused") {
    const capture_folder at;
    at.add("r/1.pb");
    at.add("r/r/1.pb");
    CHECK(message_from(at / "r", exit_status::usage) ==
          at / "r/r" + ": the name of its series, r, is that of the profiles above it, too");
}

TEST_CASE("a folder without profiles is refused") {
    const capture_folder at;
    at.add("r/a/README.md");
    CHECK(message_from(at / "r", exit_status::usage).find(": there is no profile in this folder") !=
          std::string::npos);
    CHECK(message_from(at / "none", exit_status::io) ==
          at / "none" + ": cannot read the folder: No such file or directory");
    CHECK(message_from(at / "r/a/README.md", exit_status::io) ==
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
