// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <compare>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/compare.hpp>

#include "base/names.hpp"
#include "document/document.hpp"
#include "document/fields.hpp"
#include "document/page.hpp"
#include "document/report.hpp"
#include "document/top.hpp"

#include "allocations.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace pprofdelta;

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
                       .heading = ", flat",
                       .count_note = " that changed",
                       .rows = rows,
                       .all = 5}},
            .notes_below = {{"How."}, {"Of names|", true}},
            .limits = {{"one: 1", document::judged::kept}, {"two: 2", document::judged::crossed}}};
}

} // namespace

TEST_CASE("a narrow terminal loses columns first, and then the start of names") {
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

TEST_CASE("changes that are news have a color, and limits that were judged have one") {
    document all = example();
    const std::string text = as_text(all, 0, true);
    CHECK(text.find("\x1b[31m    +1\x1b[0m  ") != std::string::npos);
    CHECK(text.find("\n    -2  ") != std::string::npos);
    CHECK(text.ends_with("\x1b[32mkept\x1b[0m  one: 1\n\x1b[31mcrossed\x1b[0m  two: 2\n"));
    all.limits = {{"three: 3", document::judged::unknown}};
    CHECK(as_text(all, 0, true).ends_with("\nunknown  three: 3\n"));
}

TEST_CASE("Markdown shows the start of a long limit") {
    document all = example();
    all.limits = {{"limit: " + std::string(5000, 'f') + "\u00e9", document::judged::unknown}};
    CHECK(as_markdown(all).starts_with("- unknown `limit: " + std::string(993, 'f') + "\u2026`\n"));
    // No character is cut.
    all.limits = {{std::string(999, 'f') + "\u00e9\u00e9", document::judged::kept}};
    CHECK(as_markdown(all).starts_with("- kept `" + std::string(999, 'f') + "\u2026`\n"));
}

TEST_CASE("a page has as many rows as there is room for, each with all captures") {
    std::vector<compared_row> flat(1000);
    for (std::size_t i = 0; i < flat.size(); ++i) {
        flat[i].name = "f" + std::to_string(i);
        flat[i].change = 1.5;
    }
    std::vector<compared_row> cum{flat[0], flat[500]};
    const fields<compared_row> of{
        {{.page_key = "change", .value = [](const compared_row& row) { return row.change; }}}};
    const auto shown_of = [&](std::size_t captures) {
        ordered_json type;
        page_names names;
        of.add_to_page(type, flat, cum, captures, 0, names);
        std::size_t shown = 0;
        for (const ordered_json& row : type["rows"]) {
            shown += (row["flat"].is_null() ? 0 : 1) + (row["cum"].is_null() ? 0 : 1);
        }
        const ordered_json& first = type["rows"][0];
        CHECK(first["name"] == 1);
        CHECK(names.shown()[1] == "f0");
        CHECK(first["flat"] == ordered_json{{"change", 1.5}});
        CHECK(first["cum"] == first["flat"]);
        CHECK(shown + type["rows_left_out"].get<std::size_t>() == flat.size() + cum.size());
        return shown;
    };
    CHECK(shown_of(2) == 1002);
    CHECK(shown_of(100) == 102);
    CHECK(shown_of(100'000) == 22);
}

namespace {

// The name of a report's only row, as JSON has it.
std::string in_json(const std::string& name) {
    report r;
    r.totals = {{{"space", "bytes"}, {1, 2}}};
    r.rows = {{name, {0, 1}, {0, 1}}};
    const std::string text = as_json(report_view{.content = r});
    const std::string start = "{\"name\": \"";
    const std::size_t begin = text.find(start) + start.size();
    return text.substr(begin, text.find("\", \"flat\"") - begin);
}

} // namespace

TEST_CASE("names have the order of their numbers") {
    std::vector<std::string> names{"a.10.heap",
                                   "a.9.heap",
                                   "b",
                                   "a.2.heap",
                                   "a.02.heap",
                                   "a",
                                   "a.2",
                                   "10",
                                   "9",
                                   "a.2x",
                                   "a.18446744073709551616",
                                   "\xff"};
    std::ranges::sort(names, is_before_naturally{});
    CHECK(names == std::vector<std::string>{"9", "10", "a", "a.2", "a.02.heap", "a.2.heap", "a.2x",
                                            "a.9.heap", "a.10.heap", "a.18446744073709551616", "b",
                                            "\xff"});
    CHECK(std::is_eq(natural_order("f2", "f2")));
    CHECK(std::is_neq(natural_order("f0", "f00")));
}

TEST_CASE("each byte that is no UTF-8 has a name of its own in JSON") {
    CHECK(in_json("a\xff\xc3") == "a\ufffdff\ufffdc3");
    CHECK(in_json("\xed\xa0\x80") == "\ufffded\ufffda0\ufffd80");
    // The form differs from that of a name that looks like this.
    CHECK(in_json("a\ufffdff") == "a\ufffdef\ufffdbf\ufffdbdff");
}

namespace {

constexpr std::size_t most = 64UL * 1024;

report with_rows(std::size_t count, const std::string& name) {
    report r;
    r.totals = {{{"space", "bytes"}, {1, 2}}};
    for (std::size_t i = 0; i < count; ++i) {
        r.rows.push_back({name + std::to_string(i), {0, 1}, {0, 1}});
    }
    return r;
}

std::string markdown(const report& r, const std::vector<judgement>& limits = {}) {
    return as_markdown(
        markdown_document_of(report_view{.content = r, .judgements = limits, .top = 1000000}));
}

std::size_t count_lines(const std::string& text, const std::string& start) {
    std::size_t count = 0;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        count += line.starts_with(start) ? 1 : 0;
    }
    return count;
}

// Less the end of what is folded.
std::string last_line(const std::string& all) {
    const std::string_view end = "\n</details>\n";
    const std::string text = all.substr(0, all.size() - (all.ends_with(end) ? end.size() : 0));
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

} // namespace

TEST_CASE("Markdown has less than 64 KiB, and counts what it leaves out", "[long]") {
    // The names are the longest ones, with what takes the most room when it is escaped.
    for (const std::string& name :
         {std::string{"f"}, std::string(100, '&'), std::string(100000, '`'), std::string{"|é\n"}}) {
        for (const std::size_t count : {1UL, 50UL, 400UL, 20000UL}) {
            if (count * name.size() > 100'000'000) {
                continue; // gigabytes, for what 400 rows test as well
            }
            CAPTURE(name.substr(0, 10), count);
            const std::string text = markdown(with_rows(count, name));
            CHECK(text.size() < most);
            // Two lines are the heads of tables, and one is the total.
            const std::size_t shown = count_lines(text, "| ") - 2 - 2 - 1;
            CHECK(shown > 0);
            if (shown == count) {
                CHECK(last_line(text).starts_with("| "));
            } else {
                CHECK(text.size() > most - 2000);
                CHECK(last_line(text) == "and " + std::to_string(count - shown) + " more\n");
            }
        }
    }
}

TEST_CASE("limits that were crossed are in Markdown before those that were not", "[long]") {
    std::vector<judgement> limits(500);
    for (judgement& j : limits) {
        j.limit = "space>" + std::string(1000, '1');
        j.type = {std::string(100000, 'x'), "bytes"};
    }
    limits.back().crossed = true;
    const std::string text = markdown(with_rows(3, "f"), limits);
    CHECK(text.size() < most);
    CHECK(text.starts_with("- **crossed** `space>111"));
    const std::size_t kept = count_lines(text, "- kept ");
    CHECK(kept > 20);
    CHECK(count_lines(text, "| `space") == 1);
    CHECK(count_lines(text, "| `f") == 3);
    CHECK(last_line(text) == "and " + std::to_string(limits.size() - 1 - kept) + " more\n");
}

TEST_CASE("names in Markdown are code, in which nothing is a link or a mention") {
    const auto line_of = [](const std::string& name) {
        report r;
        r.totals = {{{"space", "bytes"}, {1, 2}}};
        r.rows = {{name, {0, 1}, {0, 1}}};
        return last_line(markdown(r));
    };
    const std::string plain = line_of("x");
    const std::string end = plain.substr(std::string{"| `x`"}.size()); // the figures
    REQUIRE(plain.starts_with("| `x` | "));
    const auto row = [&](const std::string& name) {
        const std::string line = line_of(name);
        REQUIRE(line.starts_with("| "));
        REQUIRE(line.ends_with(end));
        return line.substr(2, line.size() - 2 - end.size());
    };
    CHECK(row("www.example.org") == "`www.example.org`");
    CHECK(row("a@example.org <b> #1 @team") == "`a@example.org <b> #1 @team`");
    CHECK(row("sync.(*Mutex).Unlock") == "`sync.(*Mutex).Unlock`");
    CHECK(row("`") == "`` ` ``");
    CHECK(row("a``b`c") == "```a``b`c```");
    CHECK(row(" a ") == "`  a  `");
    // Renderers know no longer fences.
    const std::string ticks(8, '`');
    CHECK(row("a" + std::string(100, '`') + "b") == ticks + "`a" + ticks + "b`" + ticks);
    CHECK(row("a" + ticks + "b" + ticks + "c") ==
          ticks + "`a" + ticks + "b" + ticks + "c`" + ticks);
    // Bars would end the cell; a backslash that is there already needs no other.
    CHECK(row("a|b") == R"(`a\|b`)");
    CHECK(row(R"(a\|b\\|c\)") == R"(`a\\|b\\\|c\`)");
}

TEST_CASE("rows that Markdown has no room for are not made") {
    const auto allocations = [](std::size_t rows) {
        const report r = with_rows(rows, std::string(100, 'f'));
        const std::size_t before = test::allocation_count();
        CHECK(markdown(r).size() < most);
        return test::allocation_count() - before;
    };
    CHECK(allocations(100'000) < allocations(5000) + 100);
}

TEST_CASE("the largest step is no gap in the data of a fleet") {
    const auto period = [](double value, std::size_t series) {
        return fleet_row::period{.value = value, .data = {.series = series, .nanos = 1}};
    };
    const std::vector<fleet_row::period> all{period(400, 4), period(410, 4), period(300, 3),
                                             period(400, 4), period(450, 4), {}};
    CHECK(tool::largest_step(all) == std::pair<std::int64_t, std::int64_t>{3, 4});
    // One service more among many is a change like others.
    CHECK(tool::largest_step({period(400, 40), period(410, 40), period(500, 41)}) ==
          std::pair<std::int64_t, std::int64_t>{1, 2});
}
