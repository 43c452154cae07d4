// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>

#include "select/label_pattern.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace test = pprofdelta::test;

TEST_CASE("a name ends where it ends, whatever follows or is within") {
    const std::string_view text{"ab\0cd", 5};
    CHECK_FALSE(name_pattern{"b"}.is_in(text.substr(0, 1)));
    CHECK(name_pattern{"c"}.is_in(text));
    CHECK(name_pattern{"d$"}.is_in(text));
    CHECK(name_pattern{(std::string{"a\0b", 3})}.is_in({"xa\0b", 4}));
    CHECK_FALSE(name_pattern{"^b"}.is_in("a\nb"));
    const std::string name = std::string(1 << 20, 'a') + "c";
    CHECK(name_pattern{"c$"}.is_in(name));
    CHECK_FALSE(name_pattern{"a$"}.is_in(name));
}
// Go takes what is not UTF-8 for U+FFFD, one for each byte.
TEST_CASE("no byte keeps a name from being searched") {
    const auto found = [](const char* pattern, std::string_view name) {
        CAPTURE(pattern, name);
        return name_pattern{pattern}.is_in(name);
    };
    for (const char* name : {"a\xff"
                             "b",
                             "a\xc3"
                             "b",
                             "a\nb", "a\u00e9b", "a\u6f22b", "a\U0001f600b", "a\ufffdb"}) {
        CHECK(found("^a.b$", name));
        CHECK(found("^a[^x]b$", name));
        CHECK(found("^a.*b$", name));
        CHECK_FALSE(found("^ab$", name));
        CHECK_FALSE(found("^a..b$", name));
    }
    // Halves of pairs, too long, too large, cut off, out of place: no character, so a byte each.
    for (const char* name : {"\xed\xa0\x80", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe6\xbc\xe6",
                             "\xf5\x80\x80", "\xf0\x9f\x98", "\xc0\x80\xc1", "\x80\xbf\xfe"}) {
        CHECK(found("^\\x{fffd}{3}$", name));
    }
    CHECK(found("^\\x{fffd}{4}$", "\xf0\x8f\xbf\xbf"));
    CHECK(found("^\\x{fffd}{4}$", "\xf4\x90\x80\x80"));
    // The ends of what is one.
    for (const char* name :
         {"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"}) {
        CHECK(found("^[^\\x{fffd}]$", name));
    }
    // The end of a word of eight bytes is tried, too.
    for (std::size_t before = 0; before < 20; ++before) {
        const std::string name = std::string(before, 'a') + "\u6f22" + "\xff" + "main";
        CHECK(found("^a*\u6f22\\x{fffd}main$", name));
    }
    CHECK(found("gr\u00f6\u00dfe", "\xff gr\u00f6\u00dfe"));
    CHECK(found("(?i)GR\u00d6", "gr\u00f6"));
    CHECK(found("^[\u00e4\u00f6]{2}$", "\u00f6\u00e4"));
    CHECK(found("^$", {}));
}

TEST_CASE("an invalid regular expression is refused") {
    for (const char* text : {"", "(", "a{2,1}", "[", "*)", ")", "[[:none:]]", "a\\", "\xff",
                             R"((a*)\1)", "(?=a)", "(?!a)", "(?<=a)b", "a++"}) {
        CAPTURE(text);
        CHECK(fails_as(error_kind::invalid_argument, [&] { const name_pattern refused{text}; }));
    }
}

TEST_CASE("a pattern that would cost much is refused, and what is close to it is not") {
    const std::string most_parentheses = std::string(499, '(') + "aa" + std::string(499, ')');
    for (const std::string& text : {
             std::string(30'000, '(') + "a" + std::string(30'000, ')'),
             std::string(name_pattern::longest_pattern + 1, 'a'),
             std::string{"(a{1000}){1000}"},
             std::string{"a{1001}"},
             std::string{"((a{,99}b){99}c){99,}"},
             std::string{"a{99}*{99}"},
             std::string{"]{9}{9}{9}{9}{9}{9}"},
             std::string{"a{9,}?{999}*+"},
             std::string{"(a?b?c?d?e?f?g?h?){1000}"}, // its program is too long
             std::string{R"(\pL{300})"},              // the program does not fit
             std::string{"((((a{9}[(]){9}[])](]){9}[[:alpha:](]){9}){9}"},
         }) {
        CAPTURE(text.substr(0, 30));
        CHECK(fails_as(error_kind::invalid_argument, [&] { const name_pattern refused{text}; }));
    }
    CHECK(name_pattern{"^(a{100}){10}$"}.is_in(std::string(1000, 'a')));
    CHECK(name_pattern{"^a+b+c+d+e+f+g+h+[+]+[{9999}]+$"}.is_in("abcdefgh++{9}"));
    CHECK(name_pattern{"^([]a]+[^]b]+[[:digit:]]){2}$"}.is_in("]x1ay2"));
    CHECK(name_pattern{R"(^\\1\{9}$)"}.is_in(R"(\1{9})"));
    CHECK(name_pattern{std::string(name_pattern::longest_pattern, 'a')}.is_in(
        std::string(name_pattern::longest_pattern, 'a')));
    CHECK(name_pattern{most_parentheses}.is_in("aa"));
    CHECK(name_pattern{"a{99999999999999999999}"}.is_in("a{99999999999999999999}"));
}

// This takes 2^300 states, of which only some fit.
TEST_CASE("a search whose states do not fit into memory goes on without them") {
    const name_pattern pattern{"^(a|b)*a(a|b){300}c"};
    std::string name;
    unsigned state = 1;
    for (int i = 0; i < 20'000; ++i) {
        state = state * 1103515245 + 12345;
        name += (state >> 16U & 1U) == 0 ? 'a' : 'b';
    }
    name += 'b';
    CHECK_FALSE(pattern.is_in(name));
    const std::size_t before = test::bytes_in_use();
    CHECK_FALSE(pattern.is_in(name + "a" + std::string(299, 'b') + "c"));
    CHECK(pattern.is_in(name + "a" + std::string(300, 'b') + "c"));
    CHECK(test::bytes_in_use() <= before + (1U << 20U));
    CHECK(test::bytes_in_use() < (8U << 20U));
}

#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION // which does not ask for it
#ifdef __has_feature
constexpr bool asks_for_all = !__has_feature(address_sanitizer);
#else
constexpr bool asks_for_all = true;
#endif

TEST_CASE("a search takes no more memory than what is asked for before it") {
    const std::string letters = "abxyz \u00e4\u6f22";
    for (const std::string& text :
         {std::string{"x(y|z)+(foo|[a-c]{2,4})$"}, std::string{"^(a|b)*a(a|b){300}c"},
          std::string{R"((\pL|\d)+x(\PN{3}))"}, std::string{"a.*b.*x.*y"}, std::string(1000, 'a'),
          std::string{"((a|b|x){1,50}y){1,19}$"}, std::string{"(?i)^.{0,600}z\\b"}}) {
        const name_pattern pattern{text};
        const name_rewriter rewriter{text + "=\\0"};
        unsigned state = 1;
        for (const std::size_t size : {0U, 1U, 9U, 60U, 300U, 900U, 3000U, 4096U, 60U, 50'000U}) {
            std::string name;
            while (name.size() < size) {
                state = state * 1103515245 + 12345;
                const std::size_t at = (state >> 16U) % (letters.size() - 4);
                name += at == 6 ? "\u00e4" : at == 7 ? "\u6f22" : std::string(1, letters[at]);
            }
            CAPTURE(text.substr(0, 30), size);
            std::string renamed = name;
            budget enough = budget_of_renames(1U << 28U);
            // A block is rounded to a page.
            const auto most_is_asked_for = [](std::size_t room_for_name, auto&& search) {
                const std::size_t before = test::bytes_in_use();
                test::reset_peak();
                search();
                const test::memory_peak most = test::peak();
                // The memory that one search has kept is there when the next one asks.
                const std::size_t kept =
                    room_for_name == 0
                        ? 0
                        : test::bytes_in_use() - std::min(before, test::bytes_in_use());
                return !asks_for_all ||
                       most.in_use <= before + most.block + kept + room_for_name + 4096;
            };
            CHECK(most_is_asked_for(0, [&] { static_cast<void>(pattern.is_in(name)); }));
            CHECK(most_is_asked_for(0, [&] { static_cast<void>(pattern.is_all_of(name)); }));
            CHECK(most_is_asked_for(4 * size + 64, [&] { rewriter.rewrite(renamed, enough); }));
        }
    }
}

TEST_CASE("memory that is not there is an error before RE2 is asked") {
    // Its parser damages the heap if its own allocations fail in this.
    const std::string text = "x(y|z)+(foo|[a-c]{2,4})$";
    test::fail_allocation(0);
    CHECK_THROWS_AS(name_pattern{text}, std::bad_alloc);
    test::stop_failing();
    CHECK(name_pattern{text}.is_in("xyfoo"));
}

TEST_CASE("memory that is not there for a search is an error, and the next search is right") {
    const std::string name = std::string(3000, 'a') + "\xff" + "xyfoo"; // is copied first
    const name_pattern pattern{"x(y|z)+(foo|[a-c]{2,4})$"};
    for (const std::size_t failed : {0U, 1U}) {
        const std::size_t before = test::bytes_in_use();
        test::fail_allocation(failed);
        CHECK_THROWS_AS(pattern.is_in(name), std::bad_alloc);
        test::stop_failing();
        CHECK(test::bytes_in_use() == before);
        CHECK(pattern.is_in(name));
    }
}
#endif

TEST_CASE("numbers are in a range with both ends") {
    const auto has = [](const char* range, std::int64_t number, const char* unit) {
        return label_pattern{std::string{"k="} + range}.has(number, unit);
    };
    CHECK(has("32kb", 32768, "bytes"));
    CHECK(has("32KB", 32, "kilobytes"));
    CHECK(has("32KiB", 32768, "bytes"));
    CHECK_FALSE(has("32kb", 32000, "bytes"));
    CHECK(has("32kb:1mb", 32768, "bytes"));
    CHECK(has("32kb:1mb", 1048576, "bytes"));
    CHECK_FALSE(has("32kb:1mb", 1048577, "bytes"));
    CHECK_FALSE(has("32kb:1mb", 32767, "bytes"));
    CHECK(has(":1ms", 999, "us"));
    CHECK(has("1ms:", 1, "hours"));
    CHECK_FALSE(has("1ms:", 1, "bytes"));
    CHECK_FALSE(has("32kb", 32768, "requests"));
    CHECK(has("32requests", 32, "requests"));
    CHECK(has("-2:3", 3, "requests"));
    CHECK_FALSE(has("-2:3", -3, "requests"));
    CHECK(has("42", 42, ""));
    CHECK(has("9223372036854775807tb", 9223372036854775807, "tb"));
    CHECK_FALSE(has("9223372036854775807tb", 9223372036854775807, "b"));
    for (const char* text : {"x", "1:2:3", "99999999999999999999", "1 kb", "^1$", "-", "1.5", "--1",
                             "a:b", ":b", "1:b"}) {
        CAPTURE(text);
        CHECK_FALSE(has(text, 1, ""));
    }
}

namespace {

// main calls f, into which g is inlined, which calls malloc of another binary.
test::profile base() {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/app"}, {2, 0x3000, 0x4000, 0, "/lib/libc.so"}};
    test::add_frame(p, "malloc", "m.c", 1);
    test::add_frame(p, "g", "g.c", 2);
    test::add_frame(p, "f", "f.c", 3);
    test::add_frame(p, "main", "main.c", 4);
    p.locations[0].mapping = 2;
    p.locations[1].lines.push_back(p.locations[2].lines[0]);
    p.samples = {{{1, 2, 4}, {10}, {{"tenant", "a"}, {"bytes", "", 1024}}},
                 {{2, 4}, {200}, {{"tenant", "b"}, {"tenant", "c"}}},
                 {{1}, {3000}},
                 {{}, {40000}, {{"bytes", "", 48, "bytes"}}}};
    return p;
}

using change = std::function<void(report_options&)>;

// "FLAT CUM NAME, ..." of each row by name, after how much is shown. The page and the picture have
// the same.
std::string rows(const test::profile& of, const change& choose) {
    report_options options;
    choose(options);
    const std::string bytes = test::serialize(of);
    const report r = make_report(bytes, options);
    std::vector<std::string> lines;
    for (const report::row& row : r.rows) {
        lines.push_back(row.name + " " + std::to_string(row.flat.current) + " " +
                        std::to_string(row.cum.current));
    }
    std::sort(lines.begin(), lines.end());
    std::string text = std::to_string(r.shown.current);
    for (const std::string& line : lines) {
        text += ", " + line;
    }
    CHECK(make_flame_graph(bytes, options).nodes.front().value.current == r.shown.current);
    const overview seen = make_overview(bytes, options);
    CHECK(seen.types[0].rows.size() == r.rows.size());
    CHECK(seen.types[0].stacks.nodes.front().value.current == r.shown.current);
    return text;
}

std::string selected(const change& choose) { return rows(base(), choose); }

} // namespace

TEST_CASE("samples are chosen by labels") {
    const auto shown = [](std::vector<std::string> labels, std::vector<std::string> no_labels) {
        const std::string text = selected([&](report_options& o) {
            o.selection.labels = labels;
            o.selection.no_labels = no_labels;
        });
        return text.substr(0, text.find(','));
    };
    CHECK(shown({"tenant=."}, {}) == "210");
    CHECK(shown({"tenant=c"}, {}) == "200");
    CHECK(shown({"tenant=b", "tenant=c"}, {}) == "200");
    CHECK(shown({"tenant=a", "tenant=c"}, {}) == "0");
    CHECK(shown({"tenant=a|c"}, {}) == "210");
    CHECK(shown({"bytes=1kb"}, {}) == "10");
    CHECK(shown({"bytes=:1kb"}, {}) == "40010");
    CHECK(shown({"bytes=48"}, {}) == "40000");
    CHECK(shown({"bytes=."}, {}) == "0"); // numbers are no texts
    CHECK(shown({}, {"tenant=b"}) == "43010");
    CHECK(shown({}, {"tenant=b", "bytes=0:"}) == "3000");
    CHECK(shown({"tenant=."}, {"bytes=0:"}) == "200");
    CHECK(shown({"other=."}, {}) == "0");
}

TEST_CASE("rows are values of a label") {
    const auto by = [](const char* key) {
        return [key](report_options& o) {
            o.by = grouping::label;
            o.by_label = key;
        };
    };
    CHECK(selected(by("tenant")) == "43210, (no tenant) 43000 43000, a 10 10, b 200 200, c 0 200");
    CHECK(selected(by("bytes")) == "43210, (no bytes) 3200 3200, 1KiB 10 10, 48B 40000 40000");
    CHECK(selected(by("none")) == "43210, (no none) 43210 43210");
    CHECK(selected([&](report_options& o) {
              by("tenant")(o);
              o.selection.labels = {"bytes=0:"};
              o.selection.hide = "libc";
          }) == "40010, (no tenant) 40000 40000, a 10 10");
    CHECK(fails_as(error_kind::invalid_argument, [&] { selected(by("")); }));
    CHECK(grouping_text(grouping::label, "tenant") == "label:tenant");
    CHECK(grouping_text(grouping::line, "") == "line");
}

TEST_CASE("rows are sizes of objects") {
    const auto by_size = [](report_options& o) { o.by = grouping::size; };
    CHECK(selected(by_size) == "43210, (no size) 3200 3200, 1KiB 10 10, 48B 40000 40000");
    report_options options;
    by_size(options);
    const std::string means =
        test::stacks({{"a", {2, 96}}, {"b", {1, 32}}, {"c", {3, 97}}, {"d", {0, 5}}, {"e", {1, 1}}},
                     {{"objects", "count"}, {"space", "bytes"}});
    std::string rows;
    for (const report::row& row : make_report(means, options).rows) {
        rows += row.name + " " + std::to_string(row.flat.current) + ", ";
    }
    CHECK(rows == "up to 64B 193, up to 32B 32, (no size) 5, up to 1B 1, ");
    const std::string of_times =
        test::stacks({{"a", {1, 1}}}, {{"samples", "count"}, {"cpu", "ns"}});
    CHECK(fails_as(error_kind::incompatible,
                   [&] { static_cast<void>(make_report(of_times, options)); }));
}

TEST_CASE("values of a label are at the root") {
    CHECK(selected([](report_options& o) {
              o.selection.label_roots = {"tenant"};
              o.selection.focus = "main";
          }) == "210, a 0 10, b 0 200, c 0 200, f 0 210, g 200 210, main 0 210, malloc 10 10");
    report_options options;
    options.selection.label_roots = {"tenant", "bytes"};
    const flame_graph graph = make_flame_graph(std::string_view{test::serialize(base())}, options);
    std::string first;
    for (const flame_graph::node& node : graph.nodes) {
        if (node.depth == 1) {
            first += graph.names[node.name] + " " + std::to_string(node.value.current) + ", ";
        }
    }
    CHECK(first == "(no tenant) 43000, c 200, "); // and a is too narrow
}

TEST_CASE("names are changed before anything looks at them") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, "pkg.f$1", "a.c", 1);
    test::add_frame(p, "pkg.f$12", "a.c", 2);
    test::add_frame(p, "a=b", "b.c", 3);
    p.samples = {{{1}, {1}}, {{2}, {20}}, {{3}, {300}}};
    const auto renamed = [&](std::vector<std::string> renames, const char* focus = "",
                             grouping by = grouping::function) {
        return rows(p, [&](report_options& o) {
            o.selection.renames = renames;
            o.selection.focus = focus;
            o.by = by;
        });
    };
    CHECK(renamed({"\\$\\d+="}) == "321, a=b 300 300, pkg.f 21 21");
    CHECK(renamed({"(\\w+)\\.(f).*=\\2 of \\1, \\0"}, "of pkg, pkg.f.12") ==
          "20, f of pkg, pkg.f$12 20 20");
    CHECK(renamed({"a\\=b=c=d"}, "c=d") == "300, c=d 300 300");
    CHECK(renamed({"a=b", "b\\=b=x"}, "x") == "300, x 300 300");
    CHECK(renamed({"\\d=n"}, "nn") == "20, pkg.f$nn 20 20");
    CHECK(renamed({"pkg\\.=x::"}, "x::", grouping::package) == "21, x 21 21");
    CHECK(renamed({"a\\.c=x"}, "a\\.c") == "21, pkg.f$1 1 1, pkg.f$12 20 20"); // no name of a file
    CHECK(renamed({"^.*$="}, "a.c") == "21, <unknown> 21 21");
}

TEST_CASE("an empty match is replaced between characters, once") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, "a\u00e9xb", "a.c", 1);
    p.samples = {{{1}, {1}}};
    CHECK(rows(p, [](report_options& o) { o.selection.renames = {"x*=-"}; }) ==
          "1, -a-\u00e9-b- 1 1"); // as ReplaceAllString of Go
}

TEST_CASE("renaming is bounded") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, std::string(100'000, 'a'), "a.c", 1);
    p.samples = {{{1}, {1}}};
    const std::string bytes = test::serialize(p);
    report_options options;
    options.selection.renames = {"a(.*b)?=b"}; // each match looks at all that follows
    CHECK(fails_as(error_kind::too_large, [&] { static_cast<void>(make_report(bytes, options)); }));
    options.selection.renames = {
        "a+=\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0",
        "(a+)=\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1",
        "(a+)=\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1\\1"};
    CHECK(fails_as(error_kind::too_large, [&] { static_cast<void>(make_report(bytes, options)); }));
}

TEST_CASE("limits see frames as the rows have them, and all samples") {
    const std::string previous = test::serialize(base());
    test::profile p = base();
    p.samples[0].values = {11};
    const std::string current = test::serialize(p);
    const auto judged = [&](const char* text, const stack_selection& frames) {
        return judge({parse_limit(text)}, {previous, current}, {}, frames).front();
    };
    stack_selection hide;
    hide.hide = "malloc";
    hide.labels = {"tenant=none"};
    CHECK(judged("flat:^malloc$:space>0", {}).current == 3011);
    CHECK(judged("flat:^malloc$:space>0", hide).current == 0);
    CHECK(judged("flat:^g$:space>0", hide).current == 211);
    CHECK(judged("space>0", hide).current == 43211);
    CHECK(judged("each:space>+0", hide).functions.front().name == "g");
    stack_selection rename;
    rename.renames = {"mal=al"};
    CHECK(judged("func:^alloc$:space>0", rename).current == 3011);
    const judgement of_label = judged("label:tenant=^a$:space>+0", hide);
    CHECK(of_label.current == 11);
    CHECK(of_label.crossed);
    CHECK(judged("label:bytes=1kb:2mb:space>0", {}).current == 11);
    CHECK_FALSE(judged("label:tenant=x:space>0", {}).has_match);
}

TEST_CASE("a selection that cannot be is refused") {
    for (const stack_selection& bad :
         {stack_selection{.focus = "("}, stack_selection{.hide = "("},
          stack_selection{.show_from = "("}, stack_selection{.labels = {"k"}},
          stack_selection{.no_labels = {"=x"}}, stack_selection{.renames = {"a"}},
          stack_selection{.renames = {"=b"}}, stack_selection{.renames = {"a=\\1"}},
          stack_selection{.renames = {"a=\\"}}, stack_selection{.renames = {"a=\\x"}},
          stack_selection{.renames = {"a=" + std::string(1001, 'b')}},
          stack_selection{.label_roots = {""}}}) {
        CHECK(fails_as(error_kind::invalid_argument, [&] { check_selection(bad); }));
    }
    check_selection({});
}

TEST_CASE("a sample may have a great many labels") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, "main", "a.c", 1);
    p.samples = {{{1}, {1}}, {{1}, {2}}};
    for (int i = 0; i < 70'000; ++i) {
        p.samples[0].labels.push_back({"k", "v" + std::to_string(i), 0, "", ""});
        p.samples[1].labels.push_back({"k", "", i});
    }
    const auto all = [](report_options& o) {
        o.by = grouping::label;
        o.by_label = "k";
        o.selection.label_roots = {"k", "other"};
        o.selection.labels = {"k=."};
        o.selection.no_labels = {"k=5:"};
    };
    report_options options;
    all(options);
    const report r = make_report(std::string_view{test::serialize(p)}, options);
    CHECK(r.shown.current == 1);
    CHECK(r.rows.size() == 70'001);
}

namespace {

struct example {
    std::string_view function;
    std::string_view file;
    std::string_view package;
};

void check(const std::vector<example>& all) {
    for (const auto& [function, file, package] : all) {
        CAPTURE(function, file);
        CHECK(package_name(function, file) == package);
    }
}

} // namespace

TEST_CASE("the package of a function of C++ is its namespace, whatever stands around its name") {
    check({
        {"a::b::f(c::d)", "", "a::b"},
        {"void boost::asio::detail::f<int>(boost::any)", "f.hpp", "boost::asio::detail"},
        {"std::vector<int>::push_back(int const&)", "", "std"},
        {"std::vector<a::b>::push(c::d)", "v.h", "std"},
        {"std::vector<int, std::allocator<int> > a::make<std::less<int> >()", "", "a"},
        {"std::string const& a::B::name() const", "", "a::B"},
        {"unsigned long *a::f()", "", "a"},
        {"decltype (x::y) a::f<int>()", "", "a"},
        {"decltype(x::y) a::f<int>()", "", "a"},
        {"a::(anonymous namespace)::b::f(int)", "", "a::(anonymous namespace)::b"},
        {"(anonymous namespace)::f(int)", "", "(anonymous namespace)"},
        {"void (anonymous namespace)::T<int>::f()", "", "(anonymous namespace)"},
        {"a::operator<<(std::ostream&, a::T const&)", "", "a"},
        {"std::ostream& a::operator<< <int>(std::ostream&)", "", "a"},
        {"a::T::operator()(int) const", "", "a::T"},
        {"a::T<int>::operator->()", "", "a"},
        {"a::T::operator new(unsigned long)", "", "a::T"},
        {"a::T::operator std::string() const", "", "a::T"},
        {"a::operators::f()", "", "a::operators"},
        {"non-virtual thunk to a::T::f()", "", "a::T"},
        {"virtual thunk to a::T<int>::f()", "", "a"},
        {"guard variable for a::f()::x", "", "a"},
        {"a::f(int)::{lambda(int)#1}::operator()(int) const", "", "a"},
        {"a::f()::$_0::operator()() const", "", "a"},
        {"a::f(int) [clone .isra.0]", "", "a"},
        {"a::f [clone .cold]", "", "a"},
        {"f<a::b>", "f.cpp", ""},
        {"f<&a::operator->>::g()", "", ""},
        {"void f<a::b>(a::b)", "", ""},
        {"main", "/src/main.cpp", "/src"},
    });
}

TEST_CASE("the package of a function of Rust is its module") {
    check({
        {"tokio::runtime::park", "park.rs", "tokio::runtime"},
        {"alloc::vec::Vec<T>::push", "", "alloc::vec"},
        {"alloc::vec::Vec<T,A>::push", "mod.rs", "alloc::vec"},
        {"core::ptr::drop_in_place<alloc::string::String>", "", "core::ptr"},
        {"<T as Trait>::f", "", ""},
        {"<T as core::convert::Into<U>>::into", "", "core::convert"},
        {"<&T as core::fmt::Debug>::fmt", "", "core::fmt"},
        {"<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "", "alloc::vec"},
        {"<&mut a::Reader<R> as std::io::Read>::read", "", "a"},
        {"<<a::T as b::U>::V as c::W>::f", "", "c"},
        {"<a::b::T>::f", "", "a::b"},
        {"a::b::f::{{closure}}", "", "a::b"},
        {"a::b::f::{closure#0}::{closure#1}", "", "a::b"},
        {"f::{{closure}}", "", ""},
        {"a::{impl#3}::f", "", "a"},
        {"core::ops::function::FnOnce::call_once{{vtable.shim}}", "",
         "core::ops::function::FnOnce"},
    });
}

TEST_CASE("the package of a function of Go is its path, and of Java what is before the class") {
    check({
        {"github.com/a/b.(*T).m", "", "github.com/a/b"},
        {"github.com/a/b.(*T[...]).m", "b.go", "github.com/a/b"},
        {"compress/flate.(*compressor).init", "deflate.go", "compress/flate"},
        {"main.Map[go.shape.*a/b.T]", "main.go", "main"},
        {"main.Map[go.shape.struct { F a/b.T }].func1", "", "main"},
        {"gopkg.in/yaml%2ev3.f", "", "gopkg.in/yaml%2ev3"},
        {"runtime.mallocgc", "", "runtime"},
        {"time.Time.String", "", "time"},
        {"main.main.func1", "", "main"},
        {"runtime.memmove", "memmove_amd64.s", "runtime"},
        {"com.foo.Bar.baz", "", "com.foo"},
        {"com.foo.Bar.baz", "Bar.java", "com.foo"},
        {"java.util.HashMap.put", "HashMap.java", "java.util"},
        {"com.foo.Bar$Inner.<init>(a.b.C)", "", "com.foo"},
        {"com.foo.Bar$$Lambda$12.run", "Bar.kt", "com.foo"},
        {"Bar.baz", "Bar.java", ""},
        {"render", "/app/node_modules/x/index.js", "/app/node_modules/x"},
        {"f", "", ""},
    });
}

// Names are not trusted.
TEST_CASE("no name takes time out of proportion, and brackets need no partner") {
    check({{"a::f<", "", "a"},
           {"a::f{", "", "a"},
           {"<", "", ""},
           {"<::", "", ""},
           {"::", "", ""},
           {"::a::f", "", "::a"},
           {"{::", "", ""},
           {"{x}::f", "", ""},
           {"decltype(a::b", "", ""}});
    const auto begin = std::chrono::steady_clock::now();
    for (const char* const part : {"<", "::", "{", "(", "a<::", " ", "<a::", "decltype(", "->",
                                   "{impl", "a::{impl}", "(anonymous namespace)", " as ", "a."}) {
        std::string name = "a::";
        for (int i = 0; i < 100'000; ++i) {
            name += part;
        }
        static_cast<void>(package_name(name, ""));
        static_cast<void>(package_name(name.substr(3), ""));
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{5});
}

namespace {

// Stacks of functions, the outermost first, with a space each.
test::profile native(const std::vector<std::pair<std::vector<std::string>, std::int64_t>>& stacks) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    for (const auto& [names, value] : stacks) {
        test::sample s{.values = {value}};
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            s.stack.push_back(test::add_frame(p, *name));
        }
        p.samples.push_back(s);
    }
    return p;
}

// "flat cum" by the names of rows.
std::map<std::string, std::string> rows_of(const test::profile& p, const stack_selection& chosen) {
    const std::string bytes = test::serialize(p);
    std::map<std::string, std::string> rows;
    report_options options;
    options.selection = chosen;
    const report all = make_report(bytes, options);
    for (const report::row& row : all.rows) {
        rows[row.name] = std::to_string(row.flat.current) + " " + std::to_string(row.cum.current);
    }
    return rows;
}

std::size_t folded_functions(const test::profile& p, const report_options& options) {
    const std::string bytes = test::serialize(p);
    return make_report(bytes, options).folded_functions;
}

using named_rows = std::map<std::string, std::string>;

} // namespace

TEST_CASE("allocators and containers are folded into their caller") {
    const stack_selection fold{.folds_allocators = true};
    test::profile p = native({{{"main", "grow", "std::vector::push_back", "operator new"}, 1},
                              {{"main", "std::vector::push_back", "copy", "malloc"}, 2},
                              {{"malloc"}, 4}});
    CHECK(rows_of(p, {}).size() == 6);
    // A container stays where it calls the program, and what is all allocator stays whole.
    CHECK(rows_of(p, fold) == named_rows{{"main", "0 3"},
                                         {"grow", "1 1"},
                                         {"std::vector::push_back", "0 2"},
                                         {"copy", "2 2"},
                                         {"malloc", "4 4"}});
    CHECK(folded_functions(p, {}) == 0);
    CHECK(folded_functions(p, {.selection = fold}) == 3);
    CHECK(folded_functions(p, {.by = grouping::package, .selection = fold}) == 3);
    CHECK(folded_functions(p, {.by = grouping::label, .by_label = "k", .selection = fold}) == 0);
    stack_selection focused = fold;
    focused.focus = "operator new";
    CHECK(rows_of(p, focused).empty());
    const std::string bytes = test::serialize(p);
    CHECK(judge({parse_limit("flat:grow:space>0")}, bytes, {}, fold).front().current == 1);

    // Inlined lines go as well, and a binary without names counts as what it is.
    p = native({{{"main"}, 1}});
    p.functions.push_back({.id = 9, .name = "std::allocator::allocate"});
    p.locations[0].lines.insert(p.locations[0].lines.begin(), {.function = 9});
    p.mappings = {{.id = 1, .limit = 100, .file = "/lib/libjemalloc.so.2"}};
    p.locations.push_back({.id = 8, .mapping = 1, .address = 10});
    p.samples[0].stack.insert(p.samples[0].stack.begin(), 8);
    CHECK(rows_of(p, {}).size() == 3);
    CHECK(rows_of(p, fold) == named_rows{{"main", "1 1"}});
    CHECK(folded_functions(p, {.selection = fold}) == 2);

    // Time that is spent in an allocator is told.
    p = native({{{"main", "malloc"}, 1}});
    p.types = {{"cpu", "nanoseconds"}};
    CHECK(rows_of(p, fold).size() == 2);
}

TEST_CASE("a frame without a function is named by its binary, though that was removed") {
    for (const char* file : {"/bin/p", "/bin/p (deleted)"}) {
        test::profile p = native({{{"main"}, 1}});
        p.mappings = {{.id = 1, .limit = 100, .file = file}};
        p.locations.push_back({.id = 8, .mapping = 1, .address = 10});
        p.samples[0].stack.insert(p.samples[0].stack.begin(), 8);
        CHECK(rows_of(p, {}) == named_rows{{"[p]", "1 1"}, {"main", "0 1"}});
    }
}

TEST_CASE("frames that a profile drops are dropped as by pprof") {
    const stack_selection fold{.folds_allocators = true};
    test::profile p = native({{{"drop.a", "main", "drop.b", "f"}, 1},
                              {{"main", "drop.keep", "f"}, 2},
                              {{"drop.a", "drop.b"}, 4},
                              {{"main", "drop.c(int)"}, 8}});
    p.types = {{"cpu", "nanoseconds"}};
    p.drop_frames = R"(drop\..*)";
    p.keep_frames = R"(drop\.keep)";
    CHECK(rows_of(p, {}).at("f") == "3 3");
    CHECK(rows_of(p, fold) == named_rows{{"drop.a", "0 5"},
                                         {"main", "9 11"},
                                         {"drop.keep", "0 2"},
                                         {"f", "2 2"},
                                         {"drop.b", "4 4"}});
    CHECK(folded_functions(p, {.selection = fold}) == 3);
    // Names of C++ are matched with what they return.
    test::profile typed = native({{{"main", "void f(int)", "g"}, 1}});
    typed.drop_frames = "f";
    CHECK(rows_of(typed, fold).contains("g"));
    for (const char* const pattern : {"void f", "g|void f"}) {
        typed.drop_frames = pattern;
        CHECK(rows_of(typed, fold) == named_rows{{"main", "1 1"}});
    }
    typed = native({{{"main", "(anonymous namespace)::f::operator()(int)", "g"}, 1}});
    typed.drop_frames = R"(\(anonymous namespace\)::f::operator\(\))";
    CHECK(rows_of(typed, fold) == named_rows{{"main", "1 1"}});
    // A pattern that cannot be used, or that matches a part of names only, drops nothing.
    for (const char* const pattern : {"", "drop", "(", "f{1001}"}) {
        p.drop_frames = pattern;
        CHECK(rows_of(p, fold) == rows_of(p, {}));
    }
    // Nor does one that would take long for the names that there are.
    p.drop_frames = "drop.*(.?){900}";
    CHECK(rows_of(p, fold) != rows_of(p, {}));
    for (std::uint64_t i = 0; i < 600; ++i) {
        p.functions.push_back({.id = 1000 + i, .name = std::string(1000, 'n')});
    }
    CHECK(rows_of(p, fold) == rows_of(p, {}));
}
