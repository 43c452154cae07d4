// SPDX-License-Identifier: Apache-2.0
#include "batch/metrics.hpp"

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

TEST_CASE("metrics are in the text format of Prometheus") {
    batch_metrics metrics{.seconds = 1.5, .end_nanos = 1'700'000'000'500'000'000};
    metrics.counts.items = {7, 1, 2, 0, 0, 3};
    metrics.oldest = {{"a\\b\"c\nd", 1'700'000'000'000'000'000}};
    const std::string text = to_text(metrics);
    CHECK(text.find("\npprofdelta_batch_items{status=\"done\"} 7\n") != std::string::npos);
    CHECK(text.find("\npprofdelta_batch_items{status=\"io\"} 3\n") != std::string::npos);
    CHECK(text.find("\npprofdelta_batch_duration_seconds 1.500\n") != std::string::npos);
    CHECK(text.find("\npprofdelta_batch_last_run_timestamp_seconds 1700000000.500\n") !=
          std::string::npos);
    CHECK(text.find("\npprofdelta_batch_exit_status 5\n") != std::string::npos);
    // A name stays on its line.
    CHECK(text.find("\npprofdelta_batch_series_age_seconds{series=\"a\\\\b\\\"c") !=
          std::string::npos);
    CHECK(text.ends_with("} 0.500\n"));
}

TEST_CASE("a line of results is JSON, whatever names have") {
    item_outcome outcome;
    outcome.series = "a\"\n\xff";
    outcome.input = "in";
    outcome.status = item_status::malformed;
    outcome.error = "why";
    const std::string line = to_json_line(outcome);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(line.starts_with("{\"series\":\"a\\\"\\"));
    CHECK(line.find(",\"output\":null,\"status\":\"malformed\",") != std::string::npos);
    CHECK(line.find("limits") == std::string::npos);
    CHECK(line.ends_with(",\"error\":\"why\"}\n"));
    outcome.limits = "[]";
    CHECK(to_json_line(outcome).find(",\"limits\":[],") != std::string::npos);
}
