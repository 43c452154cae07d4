// SPDX-License-Identifier: Apache-2.0
#include "batch/results.hpp"

#include <string>

#include "catch.hpp"

using namespace pprofdelta::tool;

TEST_CASE("the gravest of what happened to an item is the status of a run") {
    const auto status_with = [](std::initializer_list<item_status> found) {
        batch_counts counts;
        for (const item_status each : found) {
            ++counts.items[static_cast<std::size_t>(each)];
        }
        return counts.status();
    };
    using enum item_status;
    CHECK(status_with({}) == exit_status::done);
    CHECK(status_with({done, skipped}) == exit_status::done);
    CHECK(status_with({done, limit_crossed}) == exit_status::limit_crossed);
    CHECK(status_with({limit_crossed, incompatible}) == exit_status::incompatible);
    CHECK(status_with({incompatible, malformed}) == exit_status::malformed);
    CHECK(status_with({limit_crossed, malformed, incompatible, io}) == exit_status::io);
}

TEST_CASE("a share of the items may fail, of those that were not skipped") {
    batch_counts counts;
    const auto count = [&counts](item_status status) -> std::size_t& {
        return counts.items[static_cast<std::size_t>(status)];
    };
    count(item_status::done) = 17;
    count(item_status::limit_crossed) = 2;
    count(item_status::skipped) = 1000;
    count(item_status::io) = 1;
    CHECK(counts.status() == exit_status::io);
    CHECK(counts.status(4.99) == exit_status::io);
    CHECK(counts.status(5) == exit_status::limit_crossed);
    count(item_status::malformed) = 1;
    CHECK(counts.status(5) == exit_status::io);
    CHECK(counts.status(100) == exit_status::limit_crossed);
    count(item_status::limit_crossed) = 0;
    CHECK(counts.status(100) == exit_status::done);
}

TEST_CASE("metrics are in the text format of Prometheus") {
    batch_metrics metrics{.batch = "web \"a\"",
                          .status = exit_status::io,
                          .seconds = 1.5,
                          .end_nanos = 1'700'000'000'500'000'000};
    metrics.counts.items = {7, 1, 2, 0, 0, 0, 3};
    metrics.oldest = {{"a\\b\"c\nd", 1'700'000'000'000'000'000}};
    const std::string text = to_text(metrics);
    const auto has = [&text](const std::string& name, const std::string& more,
                             const std::string& rest) {
        return text.find("\npprofdelta_batch_" + name + R"({batch="web \"a\"")" + more + rest) !=
               std::string::npos;
    };
    CHECK(has("items", R"(,status="done")", "} 7\n"));
    CHECK(has("items", R"(,status="io")", "} 3\n"));
    CHECK(has("duration_seconds", "", "} 1.500\n"));
    CHECK(has("last_run_timestamp_seconds", "", "} 1700000000.500\n"));
    CHECK(has("exit_status", "", "} 5\n"));
    // A name stays on its line.
    CHECK(has("series_age_seconds", R"(,series="a\\b\"c)", ""));
    CHECK(text.ends_with("} 0.500\n"));
}

TEST_CASE("metrics of a shard say which one it is") {
    const std::string text = to_text({.batch = "web", .part = {.index = 1, .count = 8}});
    CHECK(text.find("\npprofdelta_batch_resets{batch=\"web\",shard=\"2/8\"} 0\n") !=
          std::string::npos);
}

TEST_CASE("a line of results is JSON, whatever names have") {
    item_outcome outcome;
    outcome.series = "a\"\n\xff";
    outcome.input = "in";
    outcome.status = item_status::malformed;
    outcome.error = "why";
    const std::string line = to_json_line(outcome);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(line.find(",\"series\":\"a\\\"\\") != std::string::npos);
    CHECK(line.find(",\"output\":null,\"status\":\"malformed\",") != std::string::npos);
    CHECK(line.find("limits") == std::string::npos);
    CHECK(line.ends_with(",\"error\":\"why\",\"next\":[]}\n"));
    outcome.limits.emplace();
    CHECK(to_json_line(outcome).find(",\"limits\":[],") != std::string::npos);
}

TEST_CASE("metrics have the items of each job") {
    batch_metrics metrics{.batch = "b"};
    metrics.counts.jobs["we\"b"] = {1, 2};
    const std::string text = to_text(metrics);
    CHECK(text.find(R"(pprofdelta_batch_job_items{batch="b",job="we\"b",status="skipped"} 2)") !=
          std::string::npos);
    CHECK(text.find("function_rate") == std::string::npos);
}

TEST_CASE("metrics name the functions that did most, and have the rest") {
    const type_rates space{{"alloc_space", "bytes"}, {{"f", 5}, {"g", 3}, {"h", 1}}};
    batch_metrics metrics{.batch = "b", .top = 2};
    metrics.counts.rates.add({space});
    metrics.counts.rates.add({space, {{"delay", "nanoseconds"}, {{"i\n", -0.5}}}});
    const std::string text = to_text(metrics);
    const auto has = [&text](const std::string& line) {
        return text.find("\npprofdelta_batch_function_rate" + line + "\n") != std::string::npos;
    };
    const std::string of_space = R"(type="alloc_space",unit="bytes")";
    CHECK(has(R"({batch="b",)" + of_space + R"(,function="f"} 10)"));
    CHECK(has(R"({batch="b",)" + of_space + R"(,function="g"} 6)"));
    CHECK_FALSE(has(R"({batch="b",)" + of_space + R"(,function="h"} 2)"));
    CHECK(has(R"(_rest{batch="b",)" + of_space + "} 2"));
    CHECK(has(R"({batch="b",type="delay",unit="nanoseconds",function="i\\x0a"} -0.5)"));
    CHECK(has(R"(_rest{batch="b",type="delay",unit="nanoseconds"} 0)"));
}

TEST_CASE("sums of rates are bounded, however many functions and types there are") {
    rate_sums sums;
    for (int type = 0; type < 100; ++type) {
        type_rates rates{{"type" + std::to_string(type), "count"}, {}};
        for (int function = 0; function < 20'000; ++function) {
            rates.functions.emplace_back(std::string(300, 'f') + std::to_string(function), 1);
        }
        sums.add({rates});
    }
    const std::vector<type_rates> found = sums.largest(20'000);
    CHECK(found.size() == 16);
    CHECK(found[0].functions.size() == 10'000);
    CHECK(found[0].rest == 10'000);
}
