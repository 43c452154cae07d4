// SPDX-License-Identifier: Apache-2.0
#include "batch/states.hpp"

#include <chrono>
#include <filesystem>
#include <set>
#include <string>

#include <sys/stat.h>

#include "base/failure.hpp"
#include "catch.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

TEST_CASE("the file of a series lies in one of 256 folders, under a name for people") {
    const scratch_folder folder;
    const state_folder states{folder / "new/states", std::chrono::seconds{0}};
    const std::string path = states.record_path("prod/web 1/heap");
    CHECK(path == states.record_path("prod/web 1/heap"));
    CHECK(path.find("/prod_web_1_heap-") != std::string::npos);
    CHECK(path.ends_with(".series"));
    // Names that look alike have other files, and so do long ones.
    CHECK(states.record_path("prod/web_1/heap") != path);
    const std::string longest(1000, 'x');
    CHECK(std::filesystem::path{states.record_path(longest)}.filename().native().size() < 120);
    CHECK(states.record_path(longest) != states.record_path(longest.substr(1)));
    std::set<std::string> folders;
    for (int i = 0; i < 5000; ++i) {
        folders.insert(
            std::filesystem::path{states.record_path(std::to_string(i))}.parent_path().native());
    }
    CHECK(folders.size() == 256);
}

TEST_CASE("a series is locked against other runs, and not against this one") {
    const scratch_folder folder;
    state_folder one{folder.path(), std::chrono::seconds{0}};
    state_folder other{folder.path(), std::chrono::seconds{0}};
    one.lock("a");
    one.lock("a");
    other.lock("b");
    CHECK_THROWS_AS(other.lock("a"), failure);
    CHECK_THROWS_AS(one.lock("b"), failure);
    one.unlock("a");
    CHECK_NOTHROW(other.lock("a"));
}

TEST_CASE("states that were not used for long are removed, and nothing else") {
    const scratch_folder folder;
    const state_folder states{folder.path(), std::chrono::seconds{0}};
    const auto make = [&](const std::string& path, std::chrono::hours age) {
        std::filesystem::create_directories(std::filesystem::path{path}.parent_path());
        folder.write(path.substr(folder.path().size() + 1), "x");
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
    };
    make(states.record_path("old"), std::chrono::hours{49});
    make(states.record_path("young"), std::chrono::hours{47});
    make(states.record_path("unsent"), std::chrono::hours{49});
    make(states.unsent_path("unsent"), std::chrono::hours{49});
    make(states.record_path("old") + ".other", std::chrono::hours{49});
    CHECK(states.prune(std::chrono::hours{48}) == 1);
    CHECK_FALSE(std::filesystem::exists(states.record_path("old")));
    CHECK(std::filesystem::exists(states.record_path("young")));
    CHECK(std::filesystem::exists(states.record_path("old") + ".other"));
    CHECK(states.prune(std::chrono::hours{48}) == 0);
}
