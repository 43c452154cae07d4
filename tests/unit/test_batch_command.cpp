// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "batch/results.hpp"
#include "batch/states.hpp"
#include "catch.hpp"
#include "files/file.hpp"

using namespace pprofdelta::tool;
using namespace std::string_literals;

namespace {

using words = std::vector<std::string>;

words words_of(const std::string& text, bool has_labels = false) {
    return command_template{text, {"file", "series"}, has_labels}.words(
        {{"file", "/out/a b"}, {"series", "$(x) 'y' \"z\" {file}"}, {"team", "-t"}});
}

} // namespace

TEST_CASE("a command is divided into words as a shell would") {
    CHECK(words_of("a  b\tc\n") == words{"a", "b", "c"});
    CHECK(words_of("'a b' \"c d\" e\\ f ''") == words{"a b", "c d", "e f", ""});
    CHECK(words_of(R"(a"b"'c'd "\"\\\n" '\"' \' \\)") ==
          words{"abcd", "\"\\\\n", "\\\"", "'", "\\"});
    CHECK(words_of("a $HOME * `b` | ; > c # d ~") ==
          words{"a", "$HOME", "*", "`b`", "|", ";", ">", "c", "#", "d", "~"});
    CHECK(words_of("a\\") == words{"a\\"});
}

TEST_CASE("a value is a part of one word, whatever it has") {
    CHECK(words_of("put {file} '--name={series}' x{file}y") ==
          words{"put", "/out/a b", "--name=$(x) 'y' \"z\" {file}", "x/out/a by"});
    CHECK(words_of("a '{\"b\": 1}' {} {1} {:} { file}") ==
          words{"a", "{\"b\": 1}", "{}", "{1}", "{:}", "{", "file}"});
    CHECK(words_of("a x{team} x{none}", true) == words{"a", "x-t", "x"});
}

TEST_CASE("no value is taken for an option") {
    CHECK_THROWS_AS(words_of("a {team}", true), failure);
    CHECK_THROWS_AS(words_of("a ''{team}", true), failure);
    CHECK_THROWS_AS(words_of("a {none}{team}", true), failure);
}

TEST_CASE("a wrong command is refused") {
    for (const std::string& text :
         {""s, "  "s, "a 'b"s, "a \"b"s, "a {what}"s, "a \"b\\\""s, "a\0b"s}) {
        INFO(text);
        CHECK_THROWS_AS(words_of(text), usage_failure);
    }
}

TEST_CASE("a note of what was not taken is read as it was written") {
    const unsent_note note{
        .series = "a/b\n",
        .labels = {{"team", "x\ty"}, {"none", ""}},
        .deltas = {{"/o/1", "id1", 1, 2, 3, "t"}, {"/o/2", "id2", -1, 0, 4, ""}}};
    const std::string bytes = to_bytes(note);
    const unsent_note read = parse_unsent(bytes, "note");
    CHECK(to_bytes(read) == bytes);
    CHECK(read.series == note.series);
    CHECK(read.labels == note.labels);
    REQUIRE(read.deltas.size() == 2);
    CHECK(read.deltas[1].path == "/o/2");
    CHECK(read.deltas[1].time_nanos == -1);
    CHECK(read.deltas[0].number == 3);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CHECK_THROWS_AS(parse_unsent(bytes.substr(0, size), "note"), failure);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) { // an id or a path with another digit, too
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        CHECK_THROWS_AS(parse_unsent(damaged, "note"), failure);
    }
    CHECK_THROWS_AS(parse_unsent("other\0"s, "note"), failure);
}

TEST_CASE("the id of a delta is that of its place and its bytes") {
    CHECK(delta_id("web/heap", 3, "abc") == "ed109d91ca5521a3233508515360e981"); // from xxhsum
    CHECK(delta_id("web/heap", 3, "abc") != delta_id("web/heap", 4, "abc"));
    CHECK(delta_id("web/heap", 3, "abc") != delta_id("web/heap2", 3, "abc"));
}

TEST_CASE("a command ends as it does, or when it takes too long") {
    const auto end_of = [](const std::string& script, double seconds = 20) {
        return run_command({"sh", "-c", script}, {"PATH=/usr/bin:/bin", "A=b"},
                           std::chrono::duration<double>{seconds});
    };
    CHECK(end_of("test $A = b").status == 0);
    CHECK(end_of("cat; echo out").fault.empty());
    CHECK(end_of("echo one; echo 'two  ' >&2; exit 3").fault == "ended with status 3: two");
    CHECK(end_of("kill -9 $$").fault == "was ended by signal 9");
    CHECK(end_of("sleep 20 & exit 4", 10).status == 4);
    CHECK(end_of("exec >&- 2>&-; sleep 0.1; exit 5").status == 5);
    const command_end late = end_of("trap '' TERM; sleep 20", 0.1);
    CHECK_FALSE(late.status);
    CHECK(late.fault == "took too long, see --exec-timeout");
    CHECK(end_of("head -c 1000000 /dev/zero | tr '\\0' x; exit 6").status == 6);
    CHECK(run_command({"/none/such"}, {}, std::chrono::duration<double>{1}).fault ==
          "cannot be started: No such file or directory");
}
