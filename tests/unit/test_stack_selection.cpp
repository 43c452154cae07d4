// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

// main calls f, into which g is inlined, which calls malloc of another binary.
test::profile base() {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/app", "", false, ""},
                  {2, 0x3000, 0x4000, 0, "/lib/libc.so", "", false, ""}};
    test::add_frame(p, "malloc", "m.c", 1);
    test::add_frame(p, "g", "g.c", 2);
    test::add_frame(p, "f", "f.c", 3);
    test::add_frame(p, "main", "main.c", 4);
    p.locations[0].mapping = 2;
    p.locations[1].lines.push_back(p.locations[2].lines[0]);
    p.samples = {{{1, 2, 4}, {10}, {{"tenant", "a", 0, "", ""}, {"bytes", "", 1024, "", ""}}, ""},
                 {{2, 4}, {200}, {{"tenant", "b", 0, "", ""}, {"tenant", "c", 0, "", ""}}, ""},
                 {{1}, {3000}, {}, ""},
                 {{}, {40000}, {{"bytes", "", 48, "bytes", ""}}, ""}};
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

TEST_CASE("without a selection all samples count") {
    CHECK(selected([](report_options&) {}) ==
          "43210, (no stack) 40000 40000, f 0 210, g 200 210, main 0 210, malloc 3010 3010");
}

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

TEST_CASE("values of a label are at the root") {
    CHECK(selected([](report_options& o) {
              o.selection.label_roots = {"tenant"};
              o.selection.focus = "main";
          }) == "210, a 0 10, b 0 200, c 0 200, f 0 210, g 200 210, main 0 210, malloc 10 10");
    report_options options;
    options.selection.label_roots = {"tenant", "bytes"};
    const flame_graph graph = make_flame_graph(test::serialize(base()), options);
    std::string first;
    for (const flame_graph::node& node : graph.nodes) {
        if (node.depth == 1) {
            first += graph.names[node.name] + " " + std::to_string(node.value.current) + ", ";
        }
    }
    CHECK(first == "(no tenant) 43000, c 200, "); // and a is too narrow
}

TEST_CASE("what is hidden is its caller's") {
    const auto hidden = [](const char* regex) {
        return selected([&](report_options& o) { o.selection.hide = regex; });
    };
    const std::string without_malloc =
        "40210, (no stack) 40000 40000, f 0 210, g 210 210, main 0 210";
    CHECK(hidden("^malloc$") == without_malloc);
    CHECK(hidden("libc") == without_malloc);
    CHECK(hidden("m\\.c$") == without_malloc);
    CHECK(hidden("^g$") ==
          "43210, (no stack) 40000 40000, f 200 210, main 0 210, malloc 3010 3010");
    CHECK(hidden("^f$") ==
          "43210, (no stack) 40000 40000, g 200 210, main 0 210, malloc 3010 3010");
    CHECK(hidden("^[fg]$|malloc") == "40210, (no stack) 40000 40000, main 210 210");
    CHECK(hidden(".") == "40000, (no stack) 40000 40000");
    CHECK(hidden("nothing") == selected([](report_options&) {}));
}

TEST_CASE("stacks are shown from a frame") {
    const auto shown = [](const char* regex, const char* hide) {
        return selected([&](report_options& o) {
            o.selection.show_from = regex;
            o.selection.hide = hide;
        });
    };
    CHECK(shown("^f$", "") == "210, f 0 210, g 200 210, malloc 10 10");
    CHECK(shown("^g$", "") == "210, g 200 210, malloc 10 10");
    CHECK(shown("main", "") == "210, f 0 210, g 200 210, main 0 210, malloc 10 10");
    CHECK(shown("libc", "") == "3010, malloc 3010 3010");
    CHECK(shown("^g$", "malloc") == "210, g 210 210");
    CHECK(shown("malloc", "malloc") == "0");
    CHECK(shown("nothing", "") == "0");
    // As in google/pprof, also where the stack has begun further out.
    test::profile p = base();
    p.samples = {{{2, 2, 4}, {1}, {}, ""}};
    CHECK(rows(p, [](report_options& o) { o.selection.show_from = "^g$|main"; }) ==
          "1, g 1 1, main 0 1");
}

TEST_CASE("names are changed before anything looks at them") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, "pkg.f$1", "a.c", 1);
    test::add_frame(p, "pkg.f$12", "a.c", 2);
    test::add_frame(p, "a=b", "b.c", 3);
    p.samples = {{{1}, {1}, {}, ""}, {{2}, {20}, {}, ""}, {{3}, {300}, {}, ""}};
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
    p.samples = {{{1}, {1}, {}, ""}};
    CHECK(rows(p, [](report_options& o) { o.selection.renames = {"x*=-"}; }) ==
          "1, -a-\u00e9-b- 1 1"); // as ReplaceAllString of Go
}

TEST_CASE("renaming is bounded") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, std::string(100'000, 'a'), "a.c", 1);
    p.samples = {{{1}, {1}, {}, ""}};
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
        return judge({parse_limit(text)}, previous, current, {}, frames).front();
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
    p.samples = {{{1}, {1}, {}, ""}, {{1}, {2}, {}, ""}};
    for (int i = 0; i < 70'000; ++i) {
        p.samples[0].labels.push_back({"k", "v" + std::to_string(i), 0, "", ""});
        p.samples[1].labels.push_back({"k", "", i, "", ""});
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
    const report r = make_report(test::serialize(p), options);
    CHECK(r.shown.current == 1);
    CHECK(r.rows.size() == 70'001);
}
