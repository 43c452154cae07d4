// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace std::string_literals;

namespace {

std::string path_by(const std::string& text, const output_parts& parts) {
    return output_template{text}.path(parts);
}

std::string message_from(const std::string& text) {
    try {
        const output_template made{text};
    } catch (const usage_failure& e) {
        return e.what();
    }
    return "none";
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

TEST_CASE("texts of times are in the order of times") {
    std::string last = time_in_path(std::numeric_limits<std::int64_t>::min());
    constexpr std::int64_t step = std::numeric_limits<std::int64_t>::max() / 5000;
    for (std::int64_t i = -4999; i <= 4999; ++i) {
        const std::string next = time_in_path(i * step);
        CHECK(last < next);
        last = next;
    }
}

TEST_CASE("all paths are below the folder of a template") {
    CHECK(output_template{"out/{series}/{n}"}.folder() == "out/");
    CHECK(output_template{"out/a/b{series}-{n}"}.folder() == "out/a/");
    CHECK(output_template{"/{series}/{n}"}.folder() == "/");
    CHECK(output_template{"{series}/{n}"}.folder().empty());
    CHECK(output_template{"a{n}/{series}"}.folder().empty());
    CHECK(output_template{"../out/./{series}/{n}"}.folder() == "../out/./");
}

TEST_CASE("a template needs a series, and a time or a number") {
    CHECK(message_from("") == "--output: the template has no {series}, so that all series would "
                              "have one path");
    CHECK(message_from("{n}/{time}") == message_from(""));
    CHECK(message_from("{series}/{type}") ==
          "--output: the template has neither {time} nor {n}, so that all deltas of a series would "
          "have one path");
}

TEST_CASE("there are no other braces in a template") {
    const auto unknown = [](const std::string& what) {
        return "--output: '" + what + "' is none of {series}, {time}, {n} and {type}";
    };
    CHECK(message_from("{series}/{n}{x}") == unknown("{x}") + "; labels need --targets");
    CHECK(message_from("{series}/{N}") == unknown("{N}") + "; labels need --targets");
    CHECK(message_from("{series}/{}") == unknown("{}"));
    CHECK(message_from("{{series}}/{n}") == unknown("{{series}"));
    CHECK(message_from("{series}}/{n}") == unknown("}"));
    CHECK(message_from("{series}/{n") == unknown("{n"));
    CHECK(message_from("{series}/{n}{") == unknown("{"));
}

TEST_CASE("a template leads to a file, and not out of a folder again") {
    for (const char* const text : {"{series}/{n}/", "{series}/{n}/.", "{series}/{n}/.."}) {
        INFO(text);
        CHECK(message_from(text) == "--output: the template names a folder");
    }
    for (const char* const text : {"{series}/../{n}", "a/{n}/../{series}", "{n}{series}/x/../y"}) {
        INFO(text);
        CHECK(message_from(text) == "--output: the template has '..' after a placeholder");
    }
    CHECK(message_from("../{series}/..{n}") == "none");
    CHECK(message_from("{series}/{n}\0"s) == "--output: the template is no path");
    CHECK(message_from("{series}/{n}" + std::string(4096, 'x')) ==
          "--output: the template is no path");
}

TEST_CASE("one can tell where the name of a series ends") {
    const std::string digits = "--output: the template needs more than digits between {series} and "
                               "{n}";
    // The first delta of "a1" and a later one of "a" would both be a1000001.
    for (const char* const text : {"{series}{n}", "{n}{series}", "{series}0{n}", "x/{n}1{series}",
                                   "{series}/{n}{series}", "{time}{n}{series}"}) {
        INFO(text);
        CHECK(message_from(text) == digits);
    }
    const std::string slash = "--output: the template needs a slash between {series} and {type}";
    // Those of "a-b" of type "c" and of "a" of type "b-c" would both be a-b-c.
    for (const char* const text : {"{series}-{type}/{n}", "{n}/{type}{series}",
                                   "{series}-{n}-{type}", "{series}-{time}{type}"}) {
        INFO(text);
        CHECK(message_from(text) == slash);
    }
    for (const char* const text : {"{series}-{n}", "{series}.{n}{type}/x", "{series}{time}{n}"}) {
        INFO(text);
        CHECK((message_from(text) == "none") ==
              (std::string{text}.find("{type}") == std::string::npos));
    }
    CHECK(message_from("{type}{n}/{series}/{n}{type}") == "none");
    CHECK(message_from("{series}{series}{time}") == "none");
}
