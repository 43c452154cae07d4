// SPDX-License-Identifier: Apache-2.0
#include "document/report.hpp"

#include <string>

#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

namespace {

// The name of a report's only row, as JSON has it.
std::string in_json(const std::string& name) {
    report r;
    r.totals = {{{"space", "bytes"}, {1, 2}}};
    r.rows = {{name, {0, 1}, {0, 1}}};
    const std::string text = report_as_json({.content = r,
                                             .judgements = {},
                                             .previous = {},
                                             .current = {},
                                             .normalized_by = {},
                                             .factors = {},
                                             .normalization_text = {}});
    const std::string start = "{\"name\": \"";
    const std::size_t begin = text.find(start) + start.size();
    return text.substr(begin, text.find("\", \"flat\"") - begin);
}

} // namespace

TEST_CASE("names in JSON are exact") {
    CHECK(in_json("main.f \u00e4\u6f22\U0001f600") == "main.f \u00e4\u6f22\U0001f600");
    CHECK(in_json(R"(a"b\c)") == R"(a\"b\\c)");
    CHECK(in_json("a\tb\n") == R"(a\u0009b\u000a)");
    CHECK(in_json(std::string{"a\0b", 3}) == R"(a\u0000b)");
    CHECK(in_json("\x7f\u0085\u2028\u202e\ufeff") == R"(\u007f\u0085\u2028\u202e\ufeff)");
}

TEST_CASE("names in JSON are no workflow commands, and exact all the same") {
    CHECK(in_json("##[error]###vso[x]") == R"(#\u0023[error]#\u0023#vso[x])");
    CHECK(in_json("::error::x") == "::error::x"); // no line begins with it
}

TEST_CASE("each byte that is no UTF-8 has a name of its own in JSON") {
    CHECK(in_json("a\xff\xc3") == "a\ufffdff\ufffdc3");
    CHECK(in_json("\xed\xa0\x80") == "\ufffded\ufffda0\ufffd80");
    // So that it is told from a name that looks like this.
    CHECK(in_json("a\ufffdff") == "a\ufffdef\ufffdbf\ufffdbdff");
}
