// SPDX-License-Identifier: Apache-2.0
#include "document/report.hpp"

#include <sstream>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

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
    return report_as_markdown({.content = r,
                               .judgements = limits,
                               .previous = {},
                               .current = {},
                               .normalized_by = {},
                               .factors = {},
                               .normalization_text = {},
                               .top = 1000000});
}

std::size_t count_lines(const std::string& text, const std::string& start) {
    std::size_t count = 0;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        count += line.starts_with(start) ? 1 : 0;
    }
    return count;
}

std::string last_line(const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

} // namespace

TEST_CASE("Markdown has less than 64 KiB, and counts what it leaves out", "[long]") {
    // Of the longest names, with what takes the most room when it is escaped.
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
    // Bars would end the cell; a backslash that is there already needs no other.
    CHECK(row("a|b") == R"(`a\|b`)");
    CHECK(row(R"(a\|b\\|c\)") == R"(`a\\|b\\\|c\`)");
}

TEST_CASE("outside of tables a bar stays as it is") {
    std::vector<judgement> limits(1);
    limits[0].limit = "func:a|b:space>1";
    limits[0].type = {"space", "bytes"};
    CHECK(markdown(with_rows(1, "f"), limits).starts_with("- kept `func:a|b:space>1: space/bytes"));
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
