// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"

#include "catch.hpp"
#include "failure_from.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

namespace {

using pairs = std::vector<std::pair<std::string, double>>;

pairs pairs_of(const std::vector<listed_path>& paths) {
    pairs all;
    for (const auto& each : paths) {
        all.emplace_back(each.path, each.weight);
    }
    return all;
}

pairs lines(std::string_view text) { return pairs_of(paths_of_lines(text, "list")); }

std::string message_from(std::string_view text) {
    return pprofdelta::test::failure_from([&] { lines(text); });
}

} // namespace

TEST_CASE("a weight that is none is refused, with the line where it stands") {
    for (const char* const weight :
         {"", "0", "-1", "x", "1x", " 1", "1 ", "1\t2", "+1", "inf", "nan", "1e999", "1e-999"}) {
        const std::string message = message_from(std::string{"a\n\nb\t"} + weight + "\nc\n");
        INFO(weight);
        CHECK(message == "list: line 3: a weight must be a positive number");
    }
    CHECK(message_from("a\t2\nb") == "none");
}

TEST_CASE("a weight is a decimal number") {
    CHECK(parse_weight("1.25", "here") == 1.25);
    CHECK(parse_weight("1e-3", "here") == 1e-3);
    CHECK_THROWS_AS(parse_weight("0x10", "here"), usage_failure);
    CHECK_THROWS_AS(parse_weight("1,5", "here"), usage_failure);
}

using names = std::vector<std::string>;

TEST_CASE("a file is called by its name without folders") {
    CHECK(file_labels({"/home/me/secret/heap.pb.gz"}) == names{"heap.pb.gz"});
    CHECK(file_labels({"prev.pb.gz", "/tmp/cur.pb.gz"}) == names{"prev.pb.gz", "cur.pb.gz"});
    CHECK(file_labels({"../a/./prev", "cur"}) == names{"prev", "cur"});
    CHECK(file_labels({"standard input", "/tmp/cur"}) == names{"standard input", "cur"});
    CHECK(file_labels({"/heap"}) == names{"heap"});
    CHECK(file_labels({""}) == names{""});
    CHECK(file_labels({}).empty());
}

TEST_CASE("files of one name keep the folders that tell them apart, and no more") {
    CHECK(file_labels({"/home/me/a/heap", "/home/me/b/heap"}) == names{"a/heap", "b/heap"});
    CHECK(file_labels({"/me/a/x/heap", "/me/b/x/heap"}) == names{"a/x/heap", "b/x/heap"});
    CHECK(file_labels({"heap", "a/heap"}) == names{"heap", "a/heap"});
    CHECK(file_labels({"heap", "/heap"}) == names{"heap", "/heap"});
    CHECK(file_labels({"/me/a/1", "/me/b/1", "/me/b/2"}) == names{"a/1", "b/1", "b/2"});
}

TEST_CASE("one file under several paths has one name") {
    CHECK(file_labels({"/tmp/heap", "/tmp/heap"}) == names{"heap", "heap"});
    CHECK(file_labels({"./heap", "heap", "a/../heap"}) == names{"heap", "heap", "heap"});
}

TEST_CASE("a pipe of the shell keeps its path, as its number says nothing") {
    CHECK(file_labels({"/tmp/prev", "/dev/fd/63"}) == names{"prev", "/dev/fd/63"});
}

namespace {

ino_t inode_of(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

} // namespace

TEST_CASE("an open file is written to as it is, and a named one is replaced") {
    const scratch_folder folder;
    folder.write("log", "before\n");
    const ino_t inode = inode_of(folder / "log");
    const descriptor log{::open((folder / "log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)};
    const std::string name = "/dev/fd/" + std::to_string(log.number());
    CHECK(open_file(name) ==
          "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(log.number()));
    REQUIRE(::symlink(name.c_str(), (folder / "link").c_str()) == 0);
    for (const std::string& each : {name, folder / "link"}) {
        write_file(each, "x\n", durability::synced);
    }
    REQUIRE(::write(log.number(), "after\n", 6) == 6); // others write on
    CHECK(folder.content("log") == "before\nx\nx\nafter\n");
    CHECK(inode_of(folder / "log") == inode);
    CHECK(open_file(folder / "log").empty());
    write_file(folder / "log", "new\n", durability::cached);
    CHECK(folder.content("log") == "new\n");
    CHECK(inode_of(folder / "log") != inode);
}

TEST_CASE("pipes that are open are written to, and what is not open is a failure") {
    std::array<int, 2> ends{-1, -1};
    REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    const descriptor in{ends[0]};
    descriptor out{ends[1]};
    const std::string name = "/proc/self/fd/" + std::to_string(out.number());
    write_file(name, "abc", durability::synced);
    std::string read(4, ' ');
    CHECK(::read(in.number(), read.data(), read.size()) == 3);
    CHECK(read == "abc ");
    REQUIRE(out.close());
    CHECK(pprofdelta::test::failure_from([&] { write_file(name, "abc", durability::cached); },
                                         exit_status::io) ==
          name + ": cannot be opened: Bad file descriptor");
    CHECK(is_standard_output("-"));
    CHECK(is_standard_output("/dev/stdout"));
    CHECK_FALSE(is_standard_output("/dev/stderr"));
    CHECK_FALSE(is_standard_output("stdout"));
}
