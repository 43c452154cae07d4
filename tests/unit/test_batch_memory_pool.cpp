// SPDX-License-Identifier: Apache-2.0
#include <future>

#include "batch/memory_pool.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;

TEST_CASE("a memory pool gives what it has") {
    memory_pool pool{100};
    CHECK(pool.try_take(60));
    CHECK_FALSE(pool.try_take(41));
    CHECK(pool.try_take(40));
    pool.give_back(60);
    CHECK(pool.try_take(60));
    CHECK(pool.try_take(0));
}

TEST_CASE("a memory room grows, and gives all back") {
    memory_pool pool{100};
    {
        memory_room room{pool};
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
    memory_room one{pool};
    one.need(50);
    one.need(101);
    CHECK_FALSE(pool.try_take(51));
    one.need_all();
    memory_room other{pool};
    other.need(50); // there is that beside it
    one.release();
    other.need(100);
    CHECK(pool.try_take(0));
    CHECK_FALSE(pool.try_take(51));
}

TEST_CASE("the next one that finds no memory waits for the one before, with what it has") {
    memory_pool pool{100};
    memory_room one{pool};
    one.need_all();
    memory_room other{pool};
    other.need(60);
    auto waiting = std::async(std::launch::async, [&other] { other.need(200); });
    CHECK_FALSE(pool.try_take(41));
    one.release();
    waiting.get();
    CHECK(pool.try_take(40));
}

TEST_CASE("who waits also gets what others give back") {
    memory_pool pool{100};
    memory_room lone{pool};
    lone.need_all();
    memory_room one{pool};
    one.need(60);
    memory_room other{pool};
    auto waiting = std::async(std::launch::async, [&other] { other.need(50); });
    one.release();
    waiting.get();
    CHECK_FALSE(pool.try_take(51));
    CHECK(pool.try_take(50));
}
