// SPDX-License-Identifier: Apache-2.0
#include "cli/command_options.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "output/status.hpp"

#include "catch.hpp"
#include "failure_from.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

namespace {

using words = std::vector<std::string>;

// A command with an option of each kind.
struct parsed {
    explicit parsed(const words& line) {
        options.add_files(files);
        options.add_heading("Options");
        options.add_flag("-f,--flag", flag, "A flag");
        options.add_value("-o,--option", "VALUE", option, "An option");
        options.add_values("--any", "VALUE", any, "Repeatable");
        options.add_list("--list", "FILE", list, "With all that follow");
        options.add_flag_with_value(
            "--perhaps", "PATH", "implied", [this](const std::string& word) { perhaps = word; },
            "May have a value");
        options.add_number("--number", "N", number, "A number");
        options.collect_given(given, {"--flag"});
        options.add_help();
        found = options.parse(line, [](const std::string&) {});
    }

    command_options options{"Usage: this\n"};
    command_options::outcome found{};
    words files, any, list, given;
    bool flag = false;
    std::string option, perhaps;
    int number = 0;
};

std::string refusal(const words& line) {
    return pprofdelta::test::failure_from([&] { (void)parsed{line}; });
}

} // namespace

TEST_CASE("options and files may be mixed") {
    const parsed all{{"a", "--flag", "b", "-f", "-", "", "--", "--flag", "-x"}};
    CHECK(all.files == words{"a", "b", "-", "", "--flag", "-x"});
    CHECK(all.flag);
    CHECK(parsed{{}}.files.empty());
}

TEST_CASE("a value follows, is attached, or is in the next word") {
    for (const words& line : {words{"--option", "a=b"}, words{"--option=a=b"}, words{"-oa=b"},
                              words{"-o", "a=b"}, words{"-foa=b"}, words{"-fo", "a=b"}}) {
        CHECK(parsed{line}.option == "a=b");
    }
    CHECK(parsed{{"--any", "a", "--any=b", "c"}}.any == words{"a", "b"});
    CHECK(parsed{{"--list", "a", "b", "-f", "c"}}.list == words{"a", "b"});
    CHECK(parsed{{"--list", "a", "b", "-f", "c"}}.files == words{"c"});
}

TEST_CASE("a value that need not be there is attached, as the next word is a file") {
    CHECK(parsed{{"--perhaps", "a"}}.perhaps == "implied");
    CHECK(parsed{{"--perhaps", "a"}}.files == words{"a"});
    CHECK(parsed{{"--perhaps=b"}}.perhaps == "b");
}

TEST_CASE("values are taken as they are") {
    for (const char* text : {"[a,b]", "[]", "[[aa]]", "[a]", "{}", "%%", "a,b", "1,5", " a ",
                             "\"a\"", "'a'", "=", "#0", "true", "\xff", "\n"}) {
        const std::string word = text;
        CHECK(parsed{{"--option", word}}.option == word);
        CHECK(parsed{{"--option=" + word}}.option == word);
        CHECK(parsed{{"--any", word, "--any=" + word}}.any == words{word, word});
        CHECK(parsed{{"-o" + word}}.option == word);
        CHECK(parsed{{"-fo" + word}}.option == word);
        CHECK(parsed{{word, "--", word}}.files == words{word, word});
        CHECK(parsed{{"--list", word, word}}.list == words{word, word});
        CHECK(parsed{{"--perhaps=" + word}}.perhaps == word);
        CHECK(parsed{{"--perhaps=" + word}}.given == words{"--perhaps=" + word});
    }
    for (const char* text : {"--flag", "--", "-f", "--none"}) {
        CHECK(parsed{{"--option", text}}.option == text);
    }
    CHECK(parsed{{"--flag=true"}}.flag);
    CHECK_FALSE(parsed{{"--flag", "--flag=false"}}.flag);
    CHECK(refusal({"--flag=[true]"}) == "--flag=[true]: expected true or false");
}

TEST_CASE("values are looked at before which options go together") {
    std::string a;
    std::string b;
    int number = 0;
    const auto refused = [&](const words& line) {
        command_options options{""};
        options.add_number("--number", "N", number, "");
        options.add_value("-a", "A", a, "");
        options.add_value("-b", "B", b, "");
        options.needs({"-a"}, "-b");
        options.excludes("-b", {"--number"});
        return pprofdelta::test::failure_from(
            [&] { (void)options.parse(line, [](const std::string&) {}); });
    };
    CHECK(refused({"-a", "1", "--number", "2"}) == "-a requires -b");
    CHECK(refused({"-b", "1", "--number", "2"}) == "--number excludes -b");
    CHECK(refused({"-a", "1", "--number", "x"}) == "--number x: expected a whole number");
    CHECK(refused({"-a", "1", "--number", "x", "--none"}) == "there is no option --none");
}

TEST_CASE("help comes before what is wrong") {
    CHECK(parsed{{"--number", "x", "--none", "-h"}}.found == command_options::outcome::short_help);
    CHECK(parsed{{"--number", "x", "--version"}}.found == command_options::outcome::version);
    CHECK(parsed{{}}.options.help() == "Usage: this\n"
                                       "Options:\n"
                                       "  -f,--flag            A flag\n"
                                       "  -o,--option VALUE    An option\n"
                                       "  --any VALUE          Repeatable\n"
                                       "  --list FILE          With all that follow\n"
                                       "  --perhaps[=PATH]     May have a value\n"
                                       "  --number N           A number\n"
                                       "  -h                   Print the most common options\n"
                                       "  --help               Print all options\n");
    CHECK(parsed{{}}.options.short_help({"--number"}) == "Usage: this\n"
                                                         "Options:\n"
                                                         "  --number N           A number\n");
}

TEST_CASE("the given options are listed in the order of the help") {
    CHECK(parsed{{"--perhaps", "--any", "a", "-ob", "-f", "--any=c", "--list", "d"}}.given ==
          words{"--option b", "--any a", "--any c", "--perhaps"});
    CHECK(parsed{{"--perhaps=a"}}.given == words{"--perhaps=a"});
}

TEST_CASE("an unknown option, or one that lacks a value, is refused") {
    CHECK(refusal({"--none"}) == "there is no option --none");
    CHECK(refusal({"--none=a"}) == "there is no option --none");
    CHECK(refusal({"-fx"}) == "there is no option -x");
    CHECK(refusal({"--option=", "a"}) == "--option needs a value");
    CHECK(refusal({"--option", ""}) == "--option needs a value");
    CHECK(refusal({"--perhaps="}) == "--perhaps needs a value");
    CHECK(refusal({"--option"}).starts_with("--option"));
    CHECK(refusal({"-o"}).starts_with("--option"));
    CHECK(refusal({"-oa", "--option", "b"}) == "--option is given twice");
    for (const char* number : {"0x2", "2x", "1.5", "1,5", "1'000", " 1", "+1"}) {
        CHECK(refusal({"--number", number}) ==
              std::string{"--number "} + number + ": expected a whole number");
    }
    CHECK(parsed{{"--number", "010"}}.number == 10);
}

TEST_CASE("an unfinished line tells the values of each option") {
    parsed all{{}};
    all.options.parse_unfinished({"--number", "x", "--none", "a", "--flag", "--option"});
    for (const command_options::described& each : all.options.all()) {
        CHECK(each.given == (each.names.empty()              ? words{"a"}
                             : each.value_name == "N"        ? words{"x"}
                             : each.names.back() == "--flag" ? words{"true"}
                                                             : words{}));
    }
    CHECK(all.number == 0);
}

TEST_CASE("the line of a run is there, whatever ends it") {
    const scratch_folder folder;
    const auto line_of = [&](auto&& work) {
        run_status line{"report", folder / "status", true};
        try {
            line.report_on(work);
        } catch (const std::exception&) {
            // The order is that of main().
        }
        return folder.content("status");
    };
    const auto tells = [&](const std::string& line, const std::string& what) {
        return line.find(what) != std::string::npos;
    };
    CHECK(tells(line_of([] { return exit_status::limit_crossed; }),
                "\"exit_status\": 1, \"error\": null"));
    CHECK(tells(line_of([]() -> exit_status {
                    throw failure{exit_status::malformed, "x"};
                }),
                "\"exit_status\": 3, \"error\": \"x\""));
    CHECK(tells(line_of([]() -> exit_status { throw std::bad_alloc{}; }),
                "\"exit_status\": 5, \"error\": \"out of memory\""));
    CHECK(tells(line_of([]() -> exit_status { throw std::domain_error{"a library's own"}; }),
                "\"exit_status\": 5, \"error\": \"a library's own\""));
    std::string during;
    line_of([&] {
        run_status::end_at_once(exit_status::io, "gone");
        during = folder.content("status");
        return exit_status::done;
    });
    CHECK(tells(during, "\"exit_status\": 5, \"error\": \"gone\""));
    run_status::end_at_once(exit_status::io, "after");
    CHECK(tells(folder.content("status"), "\"error\": null"));
}
