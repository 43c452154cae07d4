// SPDX-License-Identifier: Apache-2.0
#include "batch/work.hpp"

#include <string>
#include <utility>
#include <vector>

#include "batch/series.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

using requests = std::vector<std::pair<std::size_t, std::string>>;

// What is asked for goes to `asked`.
void start(schedule& order, requests& asked) {
    order.start(
        [&asked](std::size_t id, std::string url) { asked.emplace_back(id, std::move(url)); });
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
    CHECK(asked == requests{{0, "http://a/0"}, {4, "http://b/1"}});
    CHECK(order.take(true) == 1U);
    CHECK(places(order, 1) == "0");
    order.give_back(1);
    CHECK_FALSE(order.take(false));
    order.arrive(0, {"x", "", false});
    CHECK(asked.back() == std::pair<std::size_t, std::string>{2, "https://a/2"});
    CHECK(order.take(true) == 0U);
    order.arrive(2, {"", "wrong", false}); // while it is worked on
    order.arrive(4, {"y", "", false});
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

TEST_CASE("there may be nothing to do") {
    const batch_items items;
    schedule order{items};
    requests asked;
    start(order, asked);
    CHECK_FALSE(order.take(true));
}
