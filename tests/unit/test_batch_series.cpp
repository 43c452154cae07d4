// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "batch/run_command.hpp"
#include "batch/series.hpp"
#include "batch/states.hpp"
#include "files/series_record.hpp"

#include "catch.hpp"
#include "failure_from.hpp"
#include "files/file.hpp"

using namespace pprofdelta::tool;
using pprofdelta::test::failure_from;
using namespace std::string_literals;

TEST_CASE("the name of a series is a path downwards that can be shown and fits a file's") {
    const std::string longest(max_component_size, 'a');
    std::string deepest = "a";
    while (deepest.size() < max_series_name_size - 1) {
        deepest += "/a";
    }
    deepest.resize(max_series_name_size, 'a');
    for (const std::string& name :
         {"a"s, "web/1"s, "a b"s, "a..b"s, "a."s, "-a"s, "50%"s, "a\\b"s, "C:"s, "~"s,
          "[::1]:6060"s, "\u00e4/\u65e5\u672c"s, longest + '/' + longest, deepest}) {
        CAPTURE(name);
        CHECK(fault_in_series_name(name).empty());
    }
    for (const auto& [name, fault] : std::vector<std::pair<std::string, const char*>>{
             {"", "is empty"},
             {"/", "begins with a slash"},
             {"/a", "begins with a slash"},
             {"a/", "ends with a slash"},
             {"a//b", "has an empty component"},
             {".", "has a component that begins with a dot"},
             {"..", "has a component that begins with a dot"},
             {"../a", "has a component that begins with a dot"},
             {"a/..", "has a component that begins with a dot"},
             {"a/./b", "has a component that begins with a dot"},
             {"a/.b", "has a component that begins with a dot"},
             {"a\nb", "has the control character U+000a"},
             {"a/b\0"s, "has the control character U+0000"},
             {"\x7f", "has the control character U+007f"},
             {"a\u0085", "has the control character U+0085"},
             {"a\u202eb", "has the control character U+202e"},
             {"\xff", "is not UTF-8"},
             {"a\xc3", "is not UTF-8"},
             {"\xc0\xaf", "is not UTF-8"},
             {"\xed\xa0\x80", "is not UTF-8"},
             {"b/" + longest + 'a', "has a component of more than 200 bytes"},
             {deepest + 'a', "has more than 1000 bytes"}}) {
        CAPTURE(name);
        CHECK(fault_in_series_name(name) == fault);
    }
}

TEST_CASE("any text can be a component of a name") {
    CHECK(series_component("web") == "web");
    CHECK(series_component("a/b") == "a%2fb");
    CHECK(series_component("50%") == "50%25");
    CHECK(series_component("%2f") == "%252f");
    CHECK(series_component("..") == "%2e.");
    CHECK(series_component(".a.b") == "%2ea.b");
    CHECK(series_component("") == "%");
    CHECK(series_component("a\tb\0"s) == "a%09b%00");
    CHECK(series_component("\u00e4\xe4\u202e") == "\u00e4%e4%e2%80%ae");
    CHECK(series_component("\u0085") == "%c2%85");
}

namespace {

std::string path_by(const std::string& text, const output_parts& parts) {
    return output_template{text}.path(parts);
}

std::string message_from(const std::string& text) {
    return failure_from([&] { const output_template made{text}; });
}

} // namespace

TEST_CASE("a template makes the path of a delta") {
    const output_parts parts{"web/1", 1795387200123456789, 42, "alloc_space"};
    CHECK(path_by("out/{series}/{n}.pb.gz", parts) == "out/web/1/000042.pb.gz");
    CHECK(path_by("{type}/{series}-{time}", parts) ==
          "alloc_space/web/1-20261122T224000.123456789Z");
    CHECK(path_by("/{n}/{series}/{series}{time}{n}", parts) ==
          "/000042/web/1/web/120261122T224000.123456789Z000042");
    CHECK(path_by("{series}/{n}", {"a", 0, 1234567, ""}) == "a/1234567");
    CHECK(path_by("{series}/{n}", {"a", 0, std::numeric_limits<std::uint64_t>::max(), ""}) ==
          "a/18446744073709551615");
}

TEST_CASE("the type of a profile is one component of a path") {
    const auto with_type = [](std::string_view type) {
        return path_by("{series}/{type}/{n}", {"a", 0, 1, type});
    };
    CHECK(with_type("..") == "a/%2e./000001");
    CHECK(with_type("") == "a/%/000001");
    CHECK(with_type("a/../b\0"s) == "a/a%2f..%2fb%00/000001");
    CHECK(with_type(std::string(1000, 'x')) == "a/" + std::string(64, 'x') + "/000001");
    CHECK(with_type('x' + std::string(63, '\xff')).size() <= 64 + 9);
    std::string umlauts = "x";
    for (int i = 0; i < 100; ++i) {
        umlauts += "\u00e4";
    }
    CHECK(with_type(umlauts) == "a/" + umlauts.substr(0, 63) + "/000001");
}

TEST_CASE("a label is one component of a path") {
    const label_texts labels{{"env", "../x"}, {"team", "a b"}};
    const auto with_labels = [&](const std::string& text) {
        return output_template{text, true}.path({"web/1", 0, 1, "", {labels, "h:1"}});
    };
    CHECK(with_labels("{team}/{env}/{series}/{n}") == "a b/%2e.%2fx/web/1/000001");
    CHECK(with_labels("{none}/{__address__}-{instance}/{series}/{n}") == "%/h:1-h:1/web/1/000001");
    CHECK(output_template{"{team}/{series}/{env}{n}", true}.labels() ==
          std::vector<std::string>{"team", "env"});
    for (const char* const text : {"{team}{series}/{n}", "{series}-{team}/{n}"}) {
        INFO(text);
        CHECK_THROWS_AS((output_template{text, true}), usage_failure);
    }
    CHECK_THROWS_AS((output_template{"{}/{series}/{n}", true}), usage_failure);
}

TEST_CASE("a time in a path is that of UTC") {
    CHECK(time_in_path(0) == "19700101T000000.000000000Z");
    CHECK(time_in_path(1) == "19700101T000000.000000001Z");
    CHECK(time_in_path(-1) == "19691231T235959.999999999Z");
    CHECK(time_in_path(-86'400'000'000'000) == "19691231T000000.000000000Z");
    CHECK(time_in_path(-86'400'000'000'001) == "19691230T235959.999999999Z");
    CHECK(time_in_path(951'782'400'000'000'000) == "20000229T000000.000000000Z");
    CHECK(time_in_path(951'868'799'999'999'999) == "20000229T235959.999999999Z");
    CHECK(time_in_path(4'107'542'400'000'000'000) == "21000301T000000.000000000Z");
    CHECK(time_in_path(std::numeric_limits<std::int64_t>::max()) == "22620411T234716.854775807Z");
    CHECK(time_in_path(std::numeric_limits<std::int64_t>::min()) == "16770921T001243.145224192Z");
}

TEST_CASE("all paths are below the folder of a template") {
    CHECK(output_template{"out/{series}/{n}"}.folder() == "out/");
    CHECK(output_template{"out/a/b{series}-{n}"}.folder() == "out/a/");
    CHECK(output_template{"/{series}/{n}"}.folder() == "/");
    CHECK(output_template{"{series}/{n}"}.folder().empty());
    CHECK(output_template{"a{n}/{series}"}.folder().empty());
    CHECK(output_template{"../out/./{series}/{n}"}.folder() == "../out/./");
}

TEST_CASE("a template is refused that could give two deltas one path, or leads elsewhere") {
    const std::string no_series = "the template lacks {series}, so all series would share one path";
    const std::string no_number =
        "the template lacks {time} and {n}, so all deltas of a series would share one path";
    const std::string folder = "the template names a folder";
    const std::string upwards = "the template has '..' after a placeholder";
    const std::string no_path = "the template is not a path";
    // The first delta of "a1" and a later one of "a" would both be a1000001.
    const std::string digits = "the template needs more than digits between {series} and {n}";
    // Those of "a-b" of type "c" and of "a" of type "b-c" would both be a-b-c.
    const std::string slash = "the template needs a slash between {series} and {type}";
    const auto unknown = [](const std::string& what) {
        return "'" + what + "' is not one of {series}, {time}, {n} and {type}";
    };
    for (const auto& [text, fault] : std::vector<std::pair<std::string, std::string>>{
             {"", no_series},
             {"{n}/{time}", no_series},
             {"{series}/{type}", no_number},
             {"{series}/{n}{x}", unknown("{x}") + "; labels need --targets"},
             {"{series}/{N}", unknown("{N}") + "; labels need --targets"},
             {"{series}/{}", unknown("{}")},
             {"{{series}}/{n}", unknown("{{series}")},
             {"{series}}/{n}", unknown("}")},
             {"{series}/{n", unknown("{n")},
             {"{series}/{n}{", unknown("{")},
             {"{series}/{n}/", folder},
             {"{series}/{n}/.", folder},
             {"{series}/{n}/..", folder},
             {"{series}/../{n}", upwards},
             {"a/{n}/../{series}", upwards},
             {"{n}{series}/x/../y", upwards},
             {"{series}/{n}\0"s, no_path},
             {"{series}/{n}" + std::string(4096, 'x'), no_path},
             {"{series}{n}", digits},
             {"{n}{series}", digits},
             {"{series}0{n}", digits},
             {"x/{n}1{series}", digits},
             {"{series}/{n}{series}", digits},
             {"{time}{n}{series}", digits},
             {"{series}-{type}/{n}", slash},
             {"{n}/{type}{series}", slash},
             {"{series}-{n}-{type}", slash},
             {"{series}-{time}{type}", slash},
             {"{series}.{n}{type}/x", slash}}) {
        CAPTURE(text);
        CHECK(message_from(text) == "--output: " + fault);
    }
    for (const char* const text : {"../{series}/..{n}", "{series}-{n}", "{series}{time}{n}",
                                   "{type}{n}/{series}/{n}{type}", "{series}{series}{time}"}) {
        CAPTURE(text);
        CHECK(message_from(text) == "none");
    }
}

namespace {

using words = std::vector<std::string>;

words words_of(const std::string& text, bool has_labels = false) {
    return command_template{text, has_labels}.words(
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
    for (const std::string& text : {""s, "  "s, "a 'b"s, "a \"b"s, "a {what}"s, "a \"b\\\""s}) {
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
    const auto before = std::signal(SIGPIPE, SIG_IGN); // as the program does
    CHECK(end_of("kill -PIPE $$").fault == "was ended by signal 13");
    std::signal(SIGPIPE, before);
}

namespace {

using variables = std::map<std::string, std::string>;

shard shard_in(const variables& all) {
    return parse_shard("auto", [&](const char* name) {
        const auto found = all.find(name);
        return found == all.end() ? nullptr : found->second.c_str();
    });
}

std::string message_from(const variables& all) {
    return failure_from([&] { shard_in(all); });
}

std::uint64_t place_of(const std::string& series, std::uint64_t count) {
    std::uint64_t index = 0;
    while (!shard{index, count}.has(series)) {
        ++index;
    }
    return index;
}

} // namespace

// Runs of other versions and on other machines have to agree. The numbers are those of FNV-1a and
// SplitMix64 in Python's integers.
TEST_CASE("a series is always in the same shard") {
    for (const auto& [series, of_7, of_65536] :
         {std::tuple{"", 5U, 59547U}, std::tuple{"a", 3U, 8440U}, std::tuple{"web/1", 5U, 14633U},
          std::tuple{"web/10.0.0.1:6060/allocs", 1U, 53215U},
          std::tuple{"\u00e4/\u65e5\u672c", 0U, 18840U}}) {
        INFO(series);
        CHECK(place_of(series, 1) == 0);
        CHECK(place_of(series, 7) == of_7);
        CHECK(place_of(series, 65536) == of_65536);
    }
}

TEST_CASE("a shard is a number of all") {
    const auto is_at = [](const shard& part, std::uint64_t index, std::uint64_t count) {
        return part.index == index && part.count == count;
    };
    CHECK(is_at(parse_shard("2/8"), 1, 8));
    CHECK(is_at(parse_shard("1/1"), 0, 1));
    CHECK(is_at(parse_shard("18446744073709551615/18446744073709551615"), 18446744073709551614U,
                18446744073709551615U));
    for (const char* const text :
         {"", "1", "/", "1/", "/1", "0/8", "9/8", "1/0", "0/0", "-1/8", "+1/8", " 1/8", "1/8 ",
          "1/8/9", "a/b", "1.0/8", "0x1/8", "Auto", "1/18446744073709551616"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_shard(text), usage_failure);
    }
}

TEST_CASE("a shard can be that of a Slurm task, if it can tell its place among the others") {
    // The keys are what follows SLURM_ARRAY_TASK_.
    const variables good{{"ID", "7"}, {"MIN", "1"}, {"MAX", "10"}, {"STEP", "3"}, {"COUNT", "4"}};
    const std::string uneven = "the tasks of the Slurm array are not numbered evenly";
    for (const auto& [changes, fault] : std::vector<std::pair<variables, std::string>>{
             {{}, ""},
             {{{"MAX", "-"}}, ""},
             {{{"MAX", "16"}}, uneven}, // as with 1,4,7,16
             {{{"MAX", "0"}}, uneven},
             {{{"ID", "13"}}, uneven},
             {{{"ID", "0"}}, uneven},
             {{{"STEP", "0"}}, uneven},
             {{{"STEP", "2"}}, uneven},
             {{{"COUNT", "0"}}, uneven},
             {{{"ID", "x"}}, "SLURM_ARRAY_TASK_ID is 'x', which is not a number"},
             {{{"ID", ""}}, "SLURM_ARRAY_TASK_ID is '', which is not a number"},
             {{{"MIN", "-"}},
              "SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_MIN or "
              "SLURM_ARRAY_TASK_COUNT is not"}}) {
        variables all;
        for (const auto& [name, value] : good) {
            const auto changed = changes.find(name);
            const std::string& given = changed == changes.end() ? value : changed->second;
            if (given != "-") { // which is not set
                all["SLURM_ARRAY_TASK_" + name] = given;
            }
        }
        CAPTURE(fault);
        CHECK(message_from(all) == (fault.empty() ? "none" : "--shard auto: " + fault));
        if (fault.empty()) {
            CHECK(shard_in(all).index == 2);
            CHECK(shard_in(all).count == 4);
        }
    }
}

TEST_CASE("a shard can be that of a pod of Kubernetes") {
    const shard part = shard_in({{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "3"}});
    CHECK(part.index == 0);
    CHECK(part.count == 3);
    for (const auto& [all, fault] : std::vector<std::pair<variables, std::string>>{
             {{{"JOB_COMPLETION_INDEX", "3"}, {"JOB_COMPLETIONS", "3"}},
              "JOB_COMPLETION_INDEX is 3, but JOB_COMPLETIONS is only 3"},
             {{{"JOB_COMPLETION_INDEX", "3"}},
              "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not; set it to the number of "
              "completions"},
             {{{"JOB_COMPLETION_INDEX", "0"}, {"SLURM_ARRAY_TASK_ID", "0"}},
              "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set"},
             {{{"JOB_COMPLETIONS", "3"}},
              "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"}}) {
        CHECK(message_from(all) == "--shard auto: " + fault);
    }
}
