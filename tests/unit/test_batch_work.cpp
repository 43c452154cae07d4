// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch/memory_pool.hpp"
#include "batch/metrics.hpp"
#include "batch/rates.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"
#include "batch/stop_signals.hpp"
#include "batch/work.hpp"
#include "files/file.hpp"

#include "catch.hpp"
#include "scratch_folder.hpp"

using namespace pprofdelta::tool;

namespace {

using requests = std::vector<std::pair<std::size_t, std::string>>;

// Each request goes to `asked`.
void start(schedule& order, requests& asked) {
    order.start([&asked](std::size_t series, std::string url) {
        asked.emplace_back(series, std::move(url));
    });
}

// The places of the items that are there, "f" behind those that were fetched.
std::string places(schedule& order, std::size_t series) {
    std::string text;
    while (const auto next = order.next(series)) {
        text += std::to_string(next->place) + (next->result ? "f" : "");
    }
    return text;
}

} // namespace

TEST_CASE("each series is worked on by one, from its first item to its last") {
    batch_items items;
    items.add("a", "1");
    items.add("b", "2");
    items.add("a", "3");
    schedule order{items};
    requests asked;
    start(order, asked);
    CHECK(asked.empty());
    CHECK(order.take(true) == 0U);
    CHECK(order.take(true) == 1U);
    CHECK_FALSE(order.take(false)); // both are taken
    CHECK(places(order, 0) == "01");
    CHECK(places(order, 1) == "0");
    order.give_back(0);
    CHECK_FALSE(order.take(false));
    order.give_back(1);
    CHECK_FALSE(order.take(true)); // without waiting, as there is nothing left
}

TEST_CASE("URLs are asked for one after the other, and worked on when they are there") {
    batch_items items;
    items.add("a", "http://a/0");
    items.add("a", "file");
    items.add("a", "https://a/2");
    items.add("b", "file");
    items.add("b", "http://b/1");
    schedule order{items};
    requests asked;
    start(order, asked);
    CHECK(asked == requests{{0, "http://a/0"}, {1, "http://b/1"}});
    CHECK(order.take(true) == 1U);
    CHECK(places(order, 1) == "0");
    order.give_back(1);
    CHECK_FALSE(order.take(false));
    order.arrive(0, {"x", "", false});
    CHECK(asked.back() == std::pair<std::size_t, std::string>{0, "https://a/2"});
    CHECK(order.take(true) == 0U);
    order.arrive(0, {"", "wrong", false}); // while it is worked on
    order.arrive(1, {"y", "", false});
    CHECK(places(order, 0) == "0f12f");
    order.give_back(0);
    CHECK(order.take(true) == 1U);
    CHECK(places(order, 1) == "1f");
    order.give_back(1);
    CHECK_FALSE(order.take(true));
}

TEST_CASE("nothing is worked on after the stop") {
    batch_items items;
    items.add("a", "1");
    items.add("b", "http://b");
    schedule order{items};
    requests asked;
    start(order, asked);
    CHECK(order.take(true) == 0U);
    order.stop();
    CHECK_FALSE(order.next(0));
    order.give_back(0);
    CHECK_FALSE(order.take(true));
}

TEST_CASE("a memory room grows, and gives all back") {
    memory_pool pool{100};
    {
        memory_reservation room{pool};
        room.need(30);
        room.need(20);
        room.need(70);
        CHECK_FALSE(pool.try_take(31));
        room.release();
        CHECK(pool.try_take(100));
        pool.give_back(100);
        room.need(100);
    }
    CHECK(pool.try_take(100));
}

TEST_CASE("one that finds no memory is alone, and then needs none") {
    memory_pool pool{100};
    memory_reservation one{pool};
    one.need(50);
    one.need(101);
    CHECK_FALSE(pool.try_take(51));
    one.need_all();
    memory_reservation other{pool};
    other.need(50); // there is that beside it
    one.release();
    other.need(100);
    CHECK(pool.try_take(0));
    CHECK_FALSE(pool.try_take(51));
}

TEST_CASE("the next one that finds no memory waits for the one before, with what it has") {
    memory_pool pool{100};
    memory_reservation one{pool};
    one.need_all();
    memory_reservation other{pool};
    other.need(60);
    auto waiting = std::async(std::launch::async, [&other] { other.need(200); });
    CHECK_FALSE(pool.try_take(41));
    one.release();
    waiting.get();
    CHECK(pool.try_take(40));
}

TEST_CASE("a waiting reservation also gets what others give back") {
    memory_pool pool{100};
    memory_reservation lone{pool};
    lone.need_all();
    memory_reservation one{pool};
    one.need(60);
    memory_reservation other{pool};
    auto waiting = std::async(std::launch::async, [&other] { other.need(50); });
    one.release();
    waiting.get();
    CHECK_FALSE(pool.try_take(51));
    CHECK(pool.try_take(50));
}

TEST_CASE("the second signal to a run leaves no temporary file") {
    const scratch_folder folder;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        stop_signals::catch_them();
        const file_output begun{folder / "file"};
        std::raise(SIGTERM);
        std::raise(SIGTERM);
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM));
    CHECK(std::filesystem::is_empty(folder.path()));
}

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
    for (int type = 0; type < 20; ++type) {
        type_rates rates{{"type" + std::to_string(type), "count"}, {}};
        for (int function = 0; function < 12'000; ++function) {
            rates.functions.emplace_back(std::string(300, 'f') + std::to_string(function), 1);
        }
        sums.add({rates});
    }
    const std::vector<type_rates> found = sums.largest(12'000);
    CHECK(found.size() == 16);
    CHECK(found[0].functions.size() == 10'000);
    CHECK(found[0].rest == 2'000);
}
