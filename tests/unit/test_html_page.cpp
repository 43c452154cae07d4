// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/compare.hpp>

#include "document/page.hpp"

#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

namespace {

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
    const std::size_t from = text.find(begin);
    REQUIRE(from != std::string_view::npos);
    const std::string_view rest = text.substr(from + begin.size());
    const std::size_t to = rest.find(end);
    REQUIRE(to != std::string_view::npos);
    return rest.substr(0, to);
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

} // namespace

TEST_CASE("html page: title and text are escaped", "[html]") {
    const std::string page = html_page({"a </title><script>&", "{}", "</pre> <b> &amp;"});
    CHECK(between(page, "<title>", "</title>") == "a &lt;/title&gt;&lt;script&gt;&amp;");
    CHECK(between(page, "<pre id=\"plain\">", "</pre>") == "&lt;/pre&gt; &lt;b&gt; &amp;amp;");
}

TEST_CASE("html page: data is compressed, and cannot end its element", "[html]") {
    const std::string json = R"({"names":["</script><script>alert(1)</script>","<!--"]})";
    const std::string page = html_page({"t", json, "text"});
    const std::string_view data = between(page, "id=\"data\">", "</script>");
    CHECK(data == base64(encode(json, codec::gzip, 9)));
    CHECK(count(page, "<script") == 2);
    CHECK(count(page, "</script") == 2);
    CHECK(count(page, "<!--") == 0);
}

TEST_CASE("html page: it loads nothing", "[html]") {
    const std::string page = html_page({"t", "{}", "text"});
    const std::string_view policy = between(page, "Content-Security-Policy\" content=\"", "\"");
    CHECK(policy.find("default-src 'none'") == 0);
    CHECK(policy.find("unsafe") == std::string_view::npos);
    for (const char* const loads : {"src=", "href=\"h", "url(", "@import", "<link", "<iframe"}) {
        CHECK(count(page, loads) == 0);
    }
    CHECK(page.size() < 110'000);
}

TEST_CASE("a page has as many rows as there is room for, each with all captures") {
    std::vector<compared_row> flat(1000);
    for (std::size_t i = 0; i < flat.size(); ++i) {
        flat[i].name = "f" + std::to_string(i);
    }
    std::vector<compared_row> cum{flat[0], flat[500]};
    const auto shown_of = [&](std::size_t captures) {
        const page_rows<compared_row> rows{flat, cum, captures};
        std::size_t shown = 0;
        page_names names;
        const std::string json = rows.json(names, [&](const compared_row* row) {
            shown += row != nullptr ? 1 : 0;
            return row != nullptr ? row->name : "null";
        });
        CHECK(shown + rows.left_out() == flat.size() + cum.size());
        CHECK(json.starts_with("[{\"name\":1,\"flat\":f0,\"cum\":f0},"));
        return shown;
    };
    CHECK(shown_of(2) == 1002);
    CHECK(shown_of(100) == 102);
    CHECK(shown_of(100'000) == 22);
}
