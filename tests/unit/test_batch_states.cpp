// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "batch/states.hpp"
#include "files/series_record.hpp"

#include "catch.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

namespace {

// Does `work` in a process that then ends as if it was killed: without destructors.
template <typename Work>
void run_and_kill(Work work) {
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
        run_and_kill([&] {
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

    // The warnings of recover().
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

TEST_CASE("recovery puts committed files of a killed run into place, and nothing else") {
    const scratch_folder folder;
    std::filesystem::create_directory(folder / "journals");
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
    SECTION("killed while it noted a file") {
        folder.write(".1.tmp", "1");
        folder.write("other", "stays");
        folder.write("journals/killed-1", with_nul(folder / ".1.tmp") + with_nul(folder / "one") +
                                              with_nul(folder / "other") + folder.path());
        recover(folder / "journals", "own", must_not_warn);
        CHECK(folder.content("other") == "stays");
        CHECK(folder.files() == 1);
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
    SECTION("a folder has the path of its first file") {
        std::filesystem::create_directory(folder / "a/one");
        reason = "a/one: cannot be moved into place: Is a directory";
    }
    SECTION("a folder has the path of its last one") {
        std::filesystem::create_directory(folder / "two");
        reason = "/two: cannot be moved into place: Is a directory";
    }
    SECTION("the folder was removed with what was to be put into place") {
        std::filesystem::remove_all(folder / "a");
        reason = "a/one: it was removed before the run could finish";
    }
    const std::string warning = only(journal.recover());
    CHECK(has(warning, folder / "aside/killed-1: set aside"));
    CHECK(has(warning, reason));
    // The series goes on from before then.
    CHECK_FALSE(std::filesystem::is_regular_file(folder / "a/one"));
    CHECK_FALSE(std::filesystem::is_regular_file(folder / "two"));
    CHECK(folder.content("three") == "3");
    CHECK(folder.content("journals/killed-1") == "none");
    CHECK(folder.content("aside/killed-1") != "none");
    CHECK(journal.recover().empty());
}

TEST_CASE("a file in place is taken back if the rest of its group never comes") {
    const committed_journal journal;
    const scratch_folder& folder = journal.folder();
    for (const auto& entry : std::filesystem::directory_iterator{folder / "a"}) {
        std::filesystem::rename(entry, folder / "a/one");
    }
    std::filesystem::create_directory(folder / "two");
    CHECK(has(only(journal.recover()), "/two: cannot be moved into place"));
    CHECK(folder.content("a/one") == "none");
    CHECK(folder.content("three") == "3");
}

TEST_CASE("a file that was put into place and taken away since is not lost") {
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
    // Even root cannot look behind a link that leads to itself.
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
    // Its file is named like a hidden one, by the end of a long name.
    const std::string hidden = "a" + ("." + std::string(79, 'b'));
    REQUIRE(std::filesystem::path{states.record_path(hidden)}.filename().string().starts_with('.'));
    make(states.record_path(hidden), std::chrono::hours{49});
    CHECK(states.prune(std::chrono::hours{48}) == 2);
    CHECK_FALSE(std::filesystem::exists(states.record_path(hidden)));
    CHECK_FALSE(std::filesystem::exists(states.record_path("old")));
    CHECK(std::filesystem::exists(states.record_path("young")));
    CHECK(std::filesystem::exists(states.record_path("old") + ".other"));
    CHECK(states.prune(std::chrono::hours{48}) == 0);
}

namespace {

series_record example() {
    return {.series = "prod/web 1/100%\xff",
            .deltas = 12,
            .time_nanos = -5,
            .input = "line\nbreak\tand %41",
            .input_hash = 0x00ff'1234'5678'9abc,
            .state = std::string{"state\0with\nanything", 19}};
}

exit_status status_of(const std::string& bytes) {
    try {
        static_cast<void>(parse_record(bytes, "file"));
    } catch (const failure& e) {
        return e.status();
    }
    return exit_status::done;
}

} // namespace

TEST_CASE("the record of a series is read as it was written") {
    series_record record = example();
    SECTION("odd bytes") {}
    SECTION("an empty record") { record = {}; }
    SECTION("extremes") {
        record.deltas = std::numeric_limits<std::uint64_t>::max();
        record.time_nanos = std::numeric_limits<std::int64_t>::min();
        record.input_hash = std::numeric_limits<std::uint64_t>::max();
    }
    const series_record read = parse_record(to_bytes(record), "file");
    CHECK(read.series == record.series);
    CHECK(read.deltas == record.deltas);
    CHECK(read.time_nanos == record.time_nanos);
    CHECK(read.input == record.input);
    CHECK(read.input_hash == record.input_hash);
    CHECK(read.state == record.state);
}

TEST_CASE("damage of the header of a series is noticed") {
    const std::string whole = to_bytes(example());
    const std::size_t header = whole.size() - example().state.size();
    for (std::size_t size = 0; size < header; ++size) {
        CHECK(status_of(whole.substr(0, size)) == exit_status::malformed);
    }
    const std::size_t version = whole.find('1');
    for (std::size_t i = 0; i < header; ++i) {
        for (const unsigned flip : {1U, 0x20U, 0x80U}) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
            INFO(i << " " << flip);
            const bool is_digit = i + 1 + 16 >= header && whole[i] >= 'a' && whole[i] <= 'f';
            // The hash of the header in large letters is the same number.
            if (i != version && !(is_digit && flip == 0x20U)) {
                CHECK(status_of(damaged) == exit_status::malformed);
            }
        }
    }
    std::string later = whole;
    later[version] = '2';
    CHECK(status_of(later) == exit_status::incompatible);
}
