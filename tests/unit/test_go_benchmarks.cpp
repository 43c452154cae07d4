// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "files/go_benchmarks.hpp"

#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

// "BenchmarkA 8/1, BenchmarkB/x 16/2"
std::string text_of(const go_costs& costs) {
    std::string text;
    for (const auto& [name, each] : costs) {
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(std::lround(each.bytes)) +
                "/" + std::to_string(std::lround(each.allocations));
    }
    return text;
}

std::string line(const std::string& name, int bytes) {
    return name + "\t 2000\t 98.5 ns/op\t 32.46 MB/s\t 10.00 widgets/op\t " +
           std::to_string(bytes) + " B/op\t 1 allocs/op\n";
}

} // namespace

TEST_CASE("results of Go's benchmarks are medians by package and name") {
    const go_results found = read_go_results(
        "goos: linux\npkg: a.org/kit\n" + line("BenchmarkA", 8) + line("BenchmarkA-2", 24) +
        line("BenchmarkA-2", 16) + line("BenchmarkB/json", 32) + line("BenchmarkB/xml-64", 64) +
        line("BenchmarkB/xml-64-2", 64) + "PASS\npkg: a.org/kit.v2\r\n" + line("BenchmarkA", 99));
    CHECK(found.results.count == 0);
    CHECK(found.costs.size() == 4);
    CHECK(text_of(costs_of(found, "a.org/kit.BenchmarkA")) == "BenchmarkA 16/1");
    CHECK(text_of(costs_of(found, "a.org/kit_test.BenchmarkA")) == "BenchmarkA 16/1");
    CHECK(text_of(costs_of(found, "a.org/kit%2ev2.BenchmarkA")) == "BenchmarkA 99/1");
    for (const char* const other : {"a.org/ki.BenchmarkA", "a.org/kit.A", "", "BenchmarkA",
                                    "a.org/kit.BenchmarkB", "a.org/kit.BenchmarkC.func1"}) {
        CAPTURE(other);
        CHECK(costs_of(found, other).empty());
    }
    // The functions of sub-benchmarks are in one that has no results.
    CHECK(text_of(costs_of(found, "a.org/kit.BenchmarkB.func2")) ==
          "BenchmarkB/json 32/1, BenchmarkB/xml-64 64/1");
    // A program that names no package has any.
    CHECK(text_of(costs_of(read_go_results(line("BenchmarkA-8", 8)), "b.BenchmarkA")) ==
          "BenchmarkA 8/1");
}

TEST_CASE("rounds differ by more than a twentieth") {
    const auto of = [](double rounds) { return go_benchmark{.rounds = rounds}; };
    CHECK_FALSE(do_rounds_differ(of(1000), of(1050)));
    CHECK_FALSE(do_rounds_differ(of(1000), of(950)));
    CHECK(do_rounds_differ(of(1000), of(1051)));
    CHECK(do_rounds_differ(of(1000), of(949)));
    CHECK(
        do_rounds_differ({{"BenchmarkA", of(1)}, {"BenchmarkB", of(1)}}, {{"BenchmarkB", of(2)}}));
    CHECK_FALSE(do_rounds_differ({{"BenchmarkA", of(1)}}, {{"BenchmarkB", of(2)}}));
    CHECK(costs_of(read_go_results(line("BenchmarkA", 8)), "a.BenchmarkA").begin()->second.rounds ==
          2000);
}

TEST_CASE("numbers at the end of names are processors where others say so") {
    const auto names_of = [](const std::string& text) {
        return text_of(costs_of(read_go_results(text), "p.BenchmarkA.func1"));
    };
    CHECK(names_of(line("BenchmarkA/x-8", 1) + line("BenchmarkA/y-8", 2)) ==
          "BenchmarkA/x 1/1, BenchmarkA/y 2/1");
    CHECK(names_of(line("BenchmarkA/x-8", 1) + line("BenchmarkA/x-64", 2)) ==
          "BenchmarkA/x-64 2/1, BenchmarkA/x-8 1/1");
    CHECK(names_of(line("BenchmarkB", 1) + line("BenchmarkA/x-64", 2)) == "BenchmarkA/x-64 2/1");
    CHECK(names_of(line("BenchmarkB-4", 1) + line("BenchmarkA/x-64-4", 2)) ==
          "BenchmarkA/x-64 2/1");
}

TEST_CASE("lines that only begin as results are left out") {
    std::string text = "BenchmarkA\nBenchmarkA-8 \tlog\n \t 10 B/op\nBenchmarkA 100 5 ns/op\n";
    CHECK(read_go_results(text).results.count == 0);
    for (const char* const numbers :
         {"100 12x B/op 1", "100 -1 B/op 1", "100 nan B/op 1", "100 inf B/op 1", "100 1e999 B/op 1",
          "0 1 B/op 1", "-5 1 B/op 1", "x 1 B/op 1", "100 B/op 1", "100 1 B/op -1", "1 2 B/op",
          "99999999999999999999 1 B/op 1"}) {
        text += std::string{"BenchmarkA "} + numbers + " allocs/op\n";
    }
    const go_results found = read_go_results(text);
    CHECK(found.costs.empty());
    CHECK(found.results.count == 12);
    CHECK(found.results.first == 5);
    CHECK(read_go_results("").costs.empty());
}

// Go 1.19 and 1.27 write these, the latter with a test in some.
TEST_CASE("results of go test -json are read from its events") {
    const auto event = [](const std::string& package, const std::string& output) {
        return R"({"Time":"2026-11-28T11:24:55.3Z","Action":"output","Package":")" + package +
               R"(","Test":"BenchmarkA","Output":")" + output + "\"}\n";
    };
    // The name and its figures are often two events, between which may be those of another package.
    std::string text =
        R"({"Time":"2026-11-28T11:24:55.1Z","Action":"start","Package":"a.org/kit"})"
        "\n" +
        event("a.org/kit", R"(pkg: a.org/kit\n)") + event("a.org/kit", R"(BenchmarkA-2   \t)") +
        event("b.org/kit", R"(BenchmarkA-2\t 100\t 9 ns/op\t 99 B/op\t )") +
        event("a.org/kit", R"(  100\t  64.93 ns/op\t   16 B/op\t  1 allocs/op\n)") +
        event("b.org/kit", R"(1 allocs/op\nPASS\n)") +
        event("a.org/kit", R"(BenchmarkB/a\u003cb|`é-2 1 5 ns/op 8 B/op 1 allocs/op\n)");
    const go_results found = read_go_results(text);
    CHECK(found.events.count == 0);
    CHECK(text_of(costs_of(found, "a.org/kit.BenchmarkA")) == "BenchmarkA 16/1");
    CHECK(text_of(costs_of(found, "b.org/kit.BenchmarkA")) == "BenchmarkA 99/1");
    CHECK(text_of(costs_of(found, "a.org/kit.BenchmarkB.func1")) == "BenchmarkB/a<b|`é 8/1");

    text += event("a.org/kit", R"(BenchmarkC 1 x B/op 1 allocs/op\n)");
    text += "{\n{\"Action\":\"output\"\n{\"Action\":1e999}\n{[[[[[[\n{\"Output\":\"BenchmarkD 1 1 "
            "B/op 1 allocs/op\\n\"}\n{}\nFAIL\n{" +
            std::string(2'000'000, '[') + "\n" + line("BenchmarkE", 1);
    const go_results faulty = read_go_results(text);
    CHECK(faulty.costs.size() == found.costs.size() + 1);
    CHECK(faulty.results.count == 1);
    CHECK(faulty.results.first == 8);
    CHECK(faulty.events.count == 5);
    CHECK(faulty.events.first == 9);
    // A benchmark may print anything.
    CHECK(read_go_results("{\n" + line("BenchmarkA", 8)).events.count == 0);
}
