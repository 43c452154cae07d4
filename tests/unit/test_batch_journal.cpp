// SPDX-License-Identifier: Apache-2.0
#include "batch/states.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "catch.hpp"
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

void must_not_warn(const std::string& text) { FAIL(text); }

// A journal of two groups that are committed and wait: the files one and two in a folder, and
// three.
class committed_journal {
public:
    committed_journal() {
        std::filesystem::create_directory(m_folder / "journals");
        const std::string path = m_folder / "journals/killed-1";
        killed_after([&] {
            auto* const files = new journal{path, false};
            files->write(m_folder / "dropped", "0");
            files->drop_after(0);
            files->write(m_folder / "a/one", "1");
            files->write(m_folder / "two", "2");
            files->end_group();
            files->write(m_folder / "three", "3");
            files->end_group();
        });
        std::ofstream{path, std::ios::binary | std::ios::app} << with_nul("commit");
    }

    [[nodiscard]] const scratch_folder& folder() const { return m_folder; }

    // What recover() warns of.
    [[nodiscard]] std::vector<std::string> recover() const {
        std::vector<std::string> warnings;
        pprofdelta::tool::recover(m_folder / "journals", "own",
                                  [&](const std::string& text) { warnings.push_back(text); });
        return warnings;
    }

private:
    scratch_folder m_folder;
};

std::string only(const std::vector<std::string>& texts) {
    REQUIRE(texts.size() == 1);
    return texts.front();
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

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
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.files() == 0);
    }
    SECTION("killed while files were renamed") {
        folder.write("one", "1");
        folder.write(".2.tmp", "2");
        folder.write("journals/killed-1", with_nul(folder / ".1.tmp") + with_nul(folder / "one") +
                                              with_nul(folder / ".2.tmp") +
                                              with_nul(folder / "two") + with_nul("commit"));
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.content("one") == "1");
        CHECK(folder.content("two") == "2");
        CHECK(folder.files() == 2);
    }
    SECTION("killed while it noted the commit") {
        folder.write(".1.tmp", "1");
        folder.write("journals/killed-1",
                     with_nul(folder / ".1.tmp") + with_nul(folder / "one") + "commit");
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.files() == 0);
    }
    SECTION("killed while it noted a file") {
        folder.write(".1.tmp", "1");
        folder.write("other", "stays");
        folder.write("journals/killed-1", with_nul(folder / ".1.tmp") + with_nul(folder / "one") +
                                              with_nul(folder / "other") + folder.path());
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.content("other") == "stays");
        CHECK(folder.files() == 1);
    }
    SECTION("killed before it noted anything") {
        folder.write("journals/killed-1", "");
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.files() == 0);
    }
}

TEST_CASE("a committed journal is finished, whatever was dropped from it before") {
    const committed_journal journal;
    CHECK(journal.recover().empty());
    CHECK(journal.folder().content("a/one") == "1");
    CHECK(journal.folder().content("two") == "2");
    CHECK(journal.folder().content("three") == "3");
    CHECK(journal.folder().files() == 3);
}

TEST_CASE("a group that can never be put into place is set aside, and no other") {
    const committed_journal journal;
    const scratch_folder& folder = journal.folder();
    std::string reason;
    SECTION("as a folder has the path of its first file") {
        std::filesystem::create_directory(folder / "a/one");
        reason = "a/one: cannot be put into place: Is a directory";
    }
    SECTION("as a folder has the path of its last one") {
        std::filesystem::create_directory(folder / "two");
        reason = "/two: cannot be put into place: Is a directory";
    }
    SECTION("as its folder was removed with what was to be put into place") {
        std::filesystem::remove_all(folder / "a");
        reason = "a/one: it was removed on its way there";
    }
    const std::string warning = only(journal.recover());
    CHECK(has(warning, folder / "aside/killed-1: set aside"));
    CHECK(has(warning, reason));
    // So that the series goes on from before.
    CHECK_FALSE(std::filesystem::is_regular_file(folder / "a/one"));
    CHECK_FALSE(std::filesystem::is_regular_file(folder / "two"));
    CHECK(folder.content("three") == "3");
    CHECK(folder.content("journals/killed-1") == "none");
    CHECK(folder.content("aside/killed-1") != "none");
    CHECK(journal.recover().empty());
}

TEST_CASE("what is in place is taken back if the rest of its group never comes") {
    const committed_journal journal;
    const scratch_folder& folder = journal.folder();
    for (const auto& entry : std::filesystem::directory_iterator{folder / "a"}) {
        std::filesystem::rename(entry, folder / "a/one");
    }
    std::filesystem::create_directory(folder / "two");
    CHECK(has(only(journal.recover()), "/two: cannot be put into place"));
    CHECK(folder.content("a/one") == "none");
    CHECK(folder.content("three") == "3");
}

TEST_CASE("what was put into place and taken away since is not lost") {
    const committed_journal journal;
    const scratch_folder& folder = journal.folder();
    for (const auto& entry : std::filesystem::directory_iterator{folder / "a"}) {
        std::filesystem::remove(entry);
    }
    CHECK(journal.recover().empty());
    CHECK(folder.content("two") == "2");
    CHECK(folder.content("three") == "3");
}

TEST_CASE("a journal that cannot be finished now keeps only its own series waiting") {
    const committed_journal journal;
    const scratch_folder& folder = journal.folder();
    const auto recover_before = [&](const std::string& record) {
        pprofdelta::tool::recover_before(folder / record, folder / "journals", "own",
                                         must_not_warn);
    };
    // Also root cannot look behind a link that leads to itself.
    std::filesystem::rename(folder / "a", folder / "b");
    std::filesystem::create_symlink("a", folder / "a");
    CHECK(has(only(journal.recover()), "it cannot be finished now"));
    CHECK(folder.content("three") == "3");
    CHECK_THROWS_AS(recover_before("two"), failure);
    recover_before("three");
    recover_before("other");
    std::filesystem::remove(folder / "a");
    std::filesystem::rename(folder / "b", folder / "a");
    recover_before("two");
    CHECK(folder.content("a/one") == "1");
    CHECK(folder.content("two") == "2");
    CHECK(folder.files() == 3);
}

TEST_CASE("no file is taken where none can be put into place") {
    const scratch_folder folder;
    std::filesystem::create_directory(folder / "folder");
    journal files{folder / "journal", false};
    CHECK_THROWS_AS(files.write(folder / "folder", "1"), failure);
    CHECK_THROWS_AS(files.write(folder / std::string(256, 'x'), "1"), failure);
    files.write(folder / "one", "1");
    CHECK_THROWS_AS(files.write(folder / "one/two", "2"), failure);
    files.write(folder / "three", "3");
    SECTION("and there is nothing in the way of those that were taken") {
        files.commit();
        CHECK(folder.content("one") == "1");
        CHECK(folder.content("three") == "3");
    }
    SECTION("and nothing is committed if something is by now") {
        std::filesystem::create_directory(folder / "three");
        CHECK_THROWS_AS(files.commit(), failure);
        CHECK_FALSE(files.is_left());
        CHECK(files.size() == 0);
        CHECK(folder.content("one") == "none");
    }
}

TEST_CASE("the journals of runs that live are left alone") {
    const scratch_folder folder;
    std::filesystem::create_directory(folder / "journals");
    journal files{folder / "journals/other-1", false};
    files.write(folder / "one", "1");
    folder.write("journals/own-1", "damaged");
    recover(folder / "journals", "own", must_not_warn);
    recover_before(folder / "two", folder / "journals", "own", must_not_warn);
    files.commit();
    CHECK(folder.content("one") == "1");
    CHECK(folder.content("journals/own-1") == "damaged");
}
