// SPDX-License-Identifier: Apache-2.0
// Folded stacks, the text format without a start of its own.
#include <pprofdelta/text_profile.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_reader.hpp"
#include "text_conversion.hpp"

using namespace pprofdelta;
using test::convert;
using test::refusal;

namespace {

// Without the place in the text.
std::string fault_in(std::string_view text) {
    const std::string message = refusal(text);
    return message.substr(0, message.find(" (at byte"));
}

// The samples as folded stacks again.
std::vector<std::string> stacks_of(const test::profile& p) {
    std::vector<std::string> all;
    for (const test::sample& s : p.samples) {
        std::string line;
        for (auto id = s.stack.rbegin(); id != s.stack.rend(); ++id) {
            line += (line.empty() ? "" : ";") + p.functions.at(*id - 1).name;
        }
        all.push_back(line + " " + std::to_string(s.values.at(0)));
    }
    return all;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("folded stacks are told by the first of two frames, and those before it") {
    for (const char* text :
         {"main;run;sleep 12\n", "main;run 12", "main 3\nmain;run 12\n", "\n\r\n  \na;b 1\n",
          "a;b\t1\n", "a;b 1.00\n", "a;b -1\n", "<module> (a.py:1);f (a.py:2) 5\n",
          "[unknown];[libc.so.6]_[k] 7\n", "java;void a.B.c(int, java.lang.String)_[j] 3\n",
          "a;[T; 4] 1\n", "a; b;c 1\n", "a;b 1 2\n", "\xc3\xa9;\xff 3\n", "a;;b 1\n"}) {
        INFO(text);
        CHECK(is_text_profile(text));
        CHECK(unread_format(text).empty());
    }
    for (const std::string_view text : {std::string_view{""},
                                        std::string_view{"\n"},
                                        std::string_view{"main 12\n"},
                                        std::string_view{"Internal Server Error 500"},
                                        std::string_view{"error; code 500"},
                                        std::string_view{"a\na;b 1\n"},
                                        std::string_view{"date;user;count\na;b 1\n"},
                                        std::string_view{"a;b;1\n"},
                                        std::string_view{"a;b 1e5\n"},
                                        std::string_view{"a;b -\n"},
                                        std::string_view{"a;b .5\n"},
                                        std::string_view{"a;b 1.2.3\n"},
                                        std::string_view{";b 1"},
                                        std::string_view{"a; 1"},
                                        std::string_view{"<html>&nbsp;error</html> 500"},
                                        std::string_view{"<!DOCTYPE a;b 5"},
                                        std::string_view{"<?xml a;b 5"},
                                        std::string_view{"a;b\0 1\n", 7},
                                        std::string_view{"a;b\x1b[0m 1\n"},
                                        std::string_view{"a;b 1\n\x08\n"},
                                        std::string_view{"goroutine profile: total 5\n"},
                                        std::string_view{"# HELP a;b x\na{b=\"c;d\"} 1\n"}}) {
        INFO(text);
        CHECK_FALSE(is_text_profile(text));
        CHECK_FALSE(fault_in(text).empty());
    }
}

TEST_CASE("a first line that is longer than what is looked at may be a folded stack") {
    std::string deep = "main";
    for (int i = 0; i < 20000; ++i) {
        deep += ";frame";
    }
    CHECK(is_text_profile(deep + " 1\n"));
    CHECK(is_text_profile("a;b 1\n" + deep + " 1\n"));
    CHECK(is_text_profile(("a;b 1\n" + deep).substr(0, 65536)));
    CHECK(convert(deep + " 1\n").samples.at(0).stack.size() == 20001);
    for (const std::string start : {"<p>", "[{", "{"}) { // of what is minified
        CHECK_FALSE(is_text_profile(start + deep + " 1\n"));
    }
    CHECK_FALSE(is_text_profile("\n" + std::string(70000, 'a')));
    CHECK(fault_in(deep + ";x\n") == "line 1: a folded stack ends with a blank and a number");
}

TEST_CASE("each line of folded stacks is a sample") {
    const test::profile p = convert("main;run;sleep 12\n"
                                    "main;run 3\r\n"
                                    "\n"
                                    "main;run;sleep 2\n"
                                    "main;main;run  \t 4 \n"
                                    "java;void f(int, long)_[j] 5\n"
                                    "# no comment;x 1\n"
                                    "a;;b; 0\n"
                                    "main 9223372036854775807\n"
                                    "main -9223372036854775808\n"
                                    "main 7.00\n"
                                    "main 8");
    CHECK(p.types == std::vector<value_type>{{"samples", "count"}});
    CHECK(stacks_of(p) == lines{"main;run;sleep 12", "main;run 3", "main;run;sleep 2",
                                "main;main;run 4", "java;void f(int, long)_[j] 5",
                                "# no comment;x 1", "a;;b; 0", "main 9223372036854775807",
                                "main -9223372036854775808", "main 7", "main 8"});
    CHECK(p.mappings.empty());
    CHECK(p.functions.size() == p.locations.size());
    for (const test::location& l : p.locations) {
        CHECK(l.address == 0);
        CHECK(l.mapping == 0);
        CHECK(l.lines == std::vector<test::line>{{.function = l.id}});
    }
}

TEST_CASE("what folded stacks count can be said") {
    std::string bytes;
    convert_text_profile("a;b 1\n", bytes, max_profile_size, {"alloc_space", "bytes"});
    CHECK(test::parse(bytes).content.types == std::vector<value_type>{{"alloc_space", "bytes"}});
}

TEST_CASE("what is wrong with a folded stack is said with its line") {
    const std::string start = "a;b 1\n\n" + std::string(70000, 'x') + " 1\n";
    const auto after = [&](std::string_view text) { return fault_in(start + std::string{text}); };
    const std::string no_number = "line 4: a folded stack ends with a blank and a number";
    CHECK(after("a;b") == no_number); // cut off
    CHECK(after("a;b ") == no_number);
    CHECK(after("12\n") == no_number);
    CHECK(after(" 12\n") == no_number);
    CHECK(after("<html>\n") == no_number);
    CHECK(after({"a\0b 1\n", 6}) == "line 4: a byte of 0 is no text");
    CHECK(after("a 9223372036854775808\n") == "line 4: a number does not fit into 64 bits");
    CHECK(fault_in("a;b 1\na;c\n") == "line 2: a folded stack ends with a blank and a number");
    CHECK(fault_in("a;b 1.5\n").starts_with("line 1: a number has a fraction"));
    CHECK(fault_in("a;b 1 2\nc 1 3\n").find("two numbers") != std::string::npos);
    CHECK(convert("a;b 1 2\nc 3\n").samples.size() == 2); // a name with a blank
}

TEST_CASE("folded stacks become no profile that is larger than allowed") {
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += "a;a;a;a;a;a;a;a 1\n";
    }
    std::string bytes;
    convert_text_profile(text, bytes);
    CHECK_NOTHROW(convert_text_profile(text, bytes, bytes.size()));
    const std::size_t size = bytes.size();
    for (const std::size_t most : {std::size_t{0}, size / 2, size - 1}) {
        CHECK(test::fails_as(error_kind::too_large,
                             [&] { convert_text_profile(text, bytes, most); }));
    }
}
