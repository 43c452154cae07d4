// SPDX-License-Identifier: Apache-2.0
#include "files/path_list.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace pprofdelta::tool;

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
