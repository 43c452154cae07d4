// SPDX-License-Identifier: Apache-2.0
#include "document/document.hpp"

#include <string>

#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

document example() {
    table rows{"function",
               {{"change", "flat"},
                {"before", "flat", table::place::where_it_fits},
                {.head = "here", .shown = table::place::text},
                {.head = "there", .shown = table::place::markdown},
                {.head = "verdict", .cells = table::kind::verdict}}};
    rows.rows = {{"main.first", {"+1", "10", "t", "m", "grew"}},
                 {"main.the_second_one", {"-2", "20", "t", "<0.1", "fell"}, false}};
    return {.notes = {{"two notes"}, {"of names|"}},
            .totals = {"total", {{"now"}}, {{"space/bytes", {"5"}}}},
            .types = {{.type = "space/bytes",
                       .what = ", flat",
                       .which = " that changed",
                       .rows = rows,
                       .all = 5}},
            .notes_below = {{"How."}, {"Of names|", true}},
            .limits = {{"one: 1", document::judged::kept}, {"two: 2", document::judged::crossed}}};
}

} // namespace

TEST_CASE("a document is text") {
    CHECK(as_text(example(), 0, false) == "two notes\n"
                                          "of names|\n"
                                          "\n"
                                          "now  total\n"
                                          "  5  space/bytes\n"
                                          "\n"
                                          "space/bytes, flat: 2 of 5 that changed\n"
                                          "---- flat ----\n"
                                          "change  before  here  verdict  function\n"
                                          "    +1      10     t     grew  main.first\n"
                                          "    -2      20     t     fell  main.the_second_one\n"
                                          "\n"
                                          "How.\n"
                                          "Of names|\n"
                                          "\n"
                                          "kept  one: 1\n"
                                          "crossed  two: 2\n");
}

TEST_CASE("a document is Markdown") {
    document all = example();
    all.notes[1].has_names = true;
    CHECK(as_markdown(all) == "- **crossed** `two: 2`\n"
                              "- kept `one: 1`\n"
                              "\n"
                              "two notes\n"
                              "\n"
                              "`of names|`\n"
                              "\n"
                              "| total | now |\n"
                              "| --- | ---: |\n"
                              "| `space/bytes` | 5 |\n"
                              "\n"
                              "`space/bytes`, flat by function:\n"
                              "\n"
                              "| function | flat change | flat before | there | verdict |\n"
                              "| --- | ---: | ---: | ---: | --- |\n"
                              "| `main.first` | +1 | 10 | m | **grew** |\n"
                              "| `main.the_second_one` | -2 | 20 | &lt;0.1 | fell |\n"
                              "\n"
                              "How.\n"
                              "`Of names|`\n"
                              "\n"
                              "and 3 more\n");
}

TEST_CASE("in a narrow terminal columns go first, and then the start of names") {
    table rows = example().types[0].rows;
    rows.rows[1].name = "main.a_name_too_long_for_it";
    CHECK(as_text(rows, 51, false).find("before") != std::string::npos);
    const std::string expected = "flat\n"
                                 "change  here  verdict  function\n"
                                 "    +1     t     grew  main.first\n"
                                 "    -2     t     fell  \u2026a_name_too_long_for_it\n";
    CHECK(as_text(rows, 46, false).substr(1) == expected);
    // Names keep the room of 20 characters.
    CHECK(as_text(rows, 10, false).ends_with("  \u2026ame_too_long_for_it\n"));
}

TEST_CASE("changes that are news have a color, and limits have one") {
    const std::string text = as_text(example(), 0, true);
    CHECK(text.find("\x1b[31m    +1\x1b[0m  ") != std::string::npos);
    CHECK(text.find("\n    -2  ") != std::string::npos);
    CHECK(text.ends_with("\x1b[32mkept\x1b[0m  one: 1\n\x1b[31mcrossed\x1b[0m  two: 2\n"));
}

TEST_CASE("of a long limit Markdown has the start") {
    document all = example();
    all.limits = {{"limit: " + std::string(5000, 'f') + "\u00e9", document::judged::unknown}};
    CHECK(as_markdown(all).starts_with("- unknown `limit: " + std::string(993, 'f') + "\u2026`\n"));
    // No character is cut.
    all.limits = {{std::string(999, 'f') + "\u00e9\u00e9", document::judged::kept}};
    CHECK(as_markdown(all).starts_with("- kept `" + std::string(999, 'f') + "\u2026`\n"));
}
