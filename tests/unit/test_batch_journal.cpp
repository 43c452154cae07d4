// SPDX-License-Identifier: Apache-2.0
#include "batch/journal.hpp"

#include <filesystem>
#include <string>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch/recovery.hpp"
#include "catch.hpp"
#include "failure.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

namespace {

// Does `work` in a process that then ends as if it was killed: without destructors.
template <typename Work>
void killed_after(Work work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
}

std::string with_nul(const std::string& text) { return text + '\0'; }

} // namespace

TEST_CASE("files of a journal come into place together, in new folders") {
    const bool is_synced = GENERATE(false, true);
    const scratch_folder folder;
    {
        journal files{folder / "journal", is_synced};
        files.write(folder / "a/b/one", "1");
        files.write(folder / "a/two", "2");
        CHECK(files.size() == 2);
        CHECK(files.has(folder / "a/two"));
        CHECK_FALSE(files.has(folder / "a/three"));
        CHECK(folder.content("a/b/one") == "none");
        files.commit();
        CHECK(files.size() == 0);
        CHECK_FALSE(files.is_left());
        CHECK(folder.content("a/b/one") == "1");
        CHECK(folder.content("a/two") == "2");
        files.write(folder / "a/two", "other");
        files.commit();
        CHECK(folder.content("a/two") == "other");
    }
    CHECK(folder.files() == 2); // and not the journal
}

TEST_CASE("files of a journal that are not committed leave nothing") {
    const scratch_folder folder;
    {
        journal files{folder / "journal", false};
        files.write(folder / "one", "1");
        files.write(folder / "two", "2");
        files.drop_after(1);
        CHECK_FALSE(files.has(folder / "two"));
        files.commit();
        files.write(folder / "three", "3");
    }
    CHECK(folder.content("one") == "1");
    CHECK(folder.files() == 1);
}

TEST_CASE("a file that cannot be written leaves the others of a journal alone") {
    const scratch_folder folder;
    folder.write("file", "");
    journal files{folder / "journal", false};
    files.write(folder / "one", "1");
    CHECK_THROWS_AS(files.write(folder / "file/two", "2"), failure);
    files.commit();
    CHECK(folder.content("one") == "1");
    CHECK_THROWS_AS(journal(folder / "journal", false), failure); // which is there already
}

TEST_CASE("what a killed run had committed is put into place, and nothing else") {
    const scratch_folder folder;
    std::filesystem::create_directory(folder / "journals");
    const std::string path = folder / "journals/killed-1";
    SECTION("killed before the commit") {
        killed_after([&] {
            auto* const files = new journal{path, false};
            files->write(folder / "one", "1");
            files->write(folder / "two", "2");
        });
        CHECK(folder.files() == 3);
        recover(folder / "journals", "own");
        CHECK(folder.files() == 0);
    }
    SECTION("killed while files were renamed") {
        folder.write("one", "1");
        folder.write(".2.tmp", "2");
        folder.write("journals/killed-1", with_nul(folder / ".1.tmp") + with_nul(folder / "one") +
                                              with_nul(folder / ".2.tmp") +
                                              with_nul(folder / "two") + with_nul("commit"));
        recover(folder / "journals", "own");
        CHECK(folder.content("one") == "1");
        CHECK(folder.content("two") == "2");
        CHECK(folder.files() == 2);
    }
    SECTION("killed while it noted the commit") {
        folder.write(".1.tmp", "1");
        folder.write("journals/killed-1",
                     with_nul(folder / ".1.tmp") + with_nul(folder / "one") + "commit");
        recover(folder / "journals", "own");
        CHECK(folder.files() == 0);
    }
    SECTION("killed while it noted a file") {
        folder.write(".1.tmp", "1");
        folder.write("other", "stays");
        folder.write("journals/killed-1", with_nul(folder / ".1.tmp") + with_nul(folder / "one") +
                                              with_nul(folder / "other") + folder.path());
        recover(folder / "journals", "own");
        CHECK(folder.content("other") == "stays");
        CHECK(folder.files() == 1);
    }
    SECTION("killed before it noted anything") {
        folder.write("journals/killed-1", "");
        recover(folder / "journals", "own");
        CHECK(folder.files() == 0);
    }
}

TEST_CASE("the journals of runs that live are left alone") {
    const scratch_folder folder;
    std::filesystem::create_directory(folder / "journals");
    journal files{folder / "journals/other-1", false};
    files.write(folder / "one", "1");
    folder.write("journals/own-1", "damaged");
    recover(folder / "journals", "own");
    recover_before(folder / "two", folder / "journals", "own");
    files.commit();
    CHECK(folder.content("one") == "1");
    CHECK(folder.content("journals/own-1") == "damaged");
}
