// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.hpp"
#include "cli/completion.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

using words = std::vector<std::string>;

option_kind kind_of(const std::string& name) {
    return name == "--flag" || name == "-f" ? option_kind::flag
           : name == "--perhaps"            ? option_kind::with_optional_value
           : name == "--option" || name == "-o" || name == "--any" ? option_kind::with_value
                                                                   : option_kind::unknown;
}

// "option=value", or "=file".
words taken_apart(const words& given) {
    words result;
    for (const argument& each : split_arguments(given, kind_of)) {
        result.push_back(each.option + (each.value ? "=" + *each.value : ""));
    }
    return result;
}

std::string refusal(const words& given) {
    try {
        (void)taken_apart(given);
    } catch (const failure& e) {
        CHECK(e.status() == exit_status::usage);
        const std::string text = e.what();
        return text.substr(0, text.find("; see pprofdelta --help"));
    }
    return "none";
}

} // namespace

TEST_CASE("options and files may be mixed") {
    CHECK(taken_apart({}).empty());
    CHECK(taken_apart({"a", "--flag", "b", "-f", "-"}) == words{"=a", "--flag", "=b", "-f", "=-"});
    CHECK(taken_apart({"--", "--flag", "-f", "--", "-x"}) == words{"=--flag", "=-f", "=--", "=-x"});
    CHECK(taken_apart({""}) == words{"="});
}

TEST_CASE("a value follows, is attached, or is in the next word") {
    CHECK(taken_apart({"--option", "a", "--any=b", "-oc", "-o", "d"}) ==
          words{"--option=a", "--any=b", "-o=c", "-o=d"});
    CHECK(taken_apart({"-ffo", "a", "-ffoa", "-fof"}) ==
          words{"-f", "-f", "-o=a", "-f", "-f", "-o=a", "-f", "-o=f"});
    CHECK(taken_apart({"--option=a=b", "-o=c"}) == words{"--option=a=b", "-o==c"});
}

TEST_CASE("a value that need not be there is attached, as the next word is a file") {
    CHECK(taken_apart({"--perhaps", "a", "--perhaps=b", "--perhaps=", "--perhaps"}) ==
          words{"--perhaps=", "=a", "--perhaps=b", "--perhaps=", "--perhaps="});
}

TEST_CASE("values and files are taken as they are") {
    for (const char* text :
         {"[a,b]", "[]", "[[aa]]", "{}", "%%", "a,b", " a ", "\"a\"", "'a'", "=", "\xff", "\n"}) {
        const std::string word = text;
        CHECK(taken_apart({word, "--option", word, "--any=" + word, "-o" + word}) ==
              words{"=" + word, "--option=" + word, "--any=" + word, "-o=" + word});
    }
    // Whatever follows an option is its value.
    CHECK(taken_apart({"--option", "--flag", "-o", "--", "-o", "-f"}) ==
          words{"--option=--flag", "-o=--", "-o=-f"});
}

TEST_CASE(
    "several letters after one dash are asked for as a whole, but not where they are a value") {
    words asked;
    const auto note = [&](const std::string& name) {
        asked.push_back(name);
        return kind_of(name);
    };
    (void)split_arguments({"-fo=a", "--any", "-foa", "--", "-ff"}, note);
    CHECK(asked == words{"-fo", "-f", "-f", "-o", "-o", "--any"});
}

TEST_CASE("names of pprof are known with dashes and underscores") {
    REQUIRE(find_known_name("sample_index") != nullptr);
    CHECK(find_known_name("sample-index") == find_known_name("sample_index"));
    CHECK(find_known_name("") == nullptr);
    CHECK(find_known_name("topp") == nullptr);
    CHECK(hint_at(*find_known_name("top")) == "pprofdelta report may be meant");
    CHECK(hint_at(*find_known_name("unit")) == "each value has the unit that fits it");
}

TEST_CASE("what is no option, or lacks a value, is refused") {
    CHECK(refusal({"--none"}) == "there is no option --none");
    CHECK(refusal({"--none=a"}) == "there is no option --none");
    CHECK(refusal({"---flag"}) == "there is no option ---flag");
    CHECK(refusal({"--=a"}) == "there is no option --");
    CHECK(refusal({"-fx"}) == "there is no option -x");
    CHECK(refusal({"-1"}) == "there is no option -1");
    CHECK(refusal({"--flag=1"}) == "--flag takes no value");
    CHECK(refusal({"--option"}) == "--option needs a value");
    CHECK(refusal({"--option=", "a"}) == "--option needs a value");
    CHECK(refusal({"--option", ""}) == "--option needs a value");
    CHECK(refusal({"-o"}) == "-o needs a value");
}
