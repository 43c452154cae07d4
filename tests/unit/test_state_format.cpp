// SPDX-License-Identifier: Apache-2.0
// The bytes of a state, and what is in them.
#include "delta/state_format.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/hash128.hpp"
#include "catch.hpp"
#include "state_bytes.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void check_content(const decoded& d) {
    CHECK(d.kept.match == match_mode::exact);
    CHECK(d.kept.time_nanos == 1'700'000'000'000'000'000);
    CHECK(d.kept.duration_nanos == 9);
    REQUIRE(d.kept.types.sample_types.size() == 2);
    CHECK(to_string(d.kept.types.sample_types[1]) == "inuse_space/bytes");
    CHECK(d.kept.plan.is_cumulative == std::vector<bool>{true, false});
    CHECK(d.kept.plan.cumulative == std::vector<std::uint32_t>{0});
    CHECK(to_string(d.kept.types.period_type) == "space/bytes");
    REQUIRE(d.table.size() == 2);
    CHECK(d.table.is_previous(0));
    CHECK_FALSE(d.table.is_previous(1));
    CHECK(d.table.key(1) == hash128{little_endian(3), little_endian(4)});
    CHECK(d.table.previous(0)[0] == 7);
    CHECK(d.table.previous(1)[0] == -5);
}

} // namespace

TEST_CASE("a state written by hand, from the description of the format") {
    const std::string state = sealed(parts{}.body());
    const decoded d = decode(state);
    check_content(d);

    const state_info info = read_state_info(state);
    CHECK(info.version == 3);
    CHECK(info.samples == 1);
    CHECK(info.vanished == 1);
    CHECK(info.size == state.size());
    CHECK(info.uncompressed_size == parts{}.body().size());

    // The other way round: the same content gives the same bytes.
    CHECK(encode_state(d.kept, d.table) == state);
}

TEST_CASE("a state has the signs of processes") {
    parts p;
    p.of_processes = processes(word(std::uint64_t{1}) + word(std::uint64_t{2}) +
                                   word(std::uint64_t{3}) + word(std::uint64_t{4}),
                               200, 3);
    const decoded d = decode(sealed(p.body()));
    check_content(d);
    CHECK(d.kept.processes.last ==
          process_sign{.vdso = 1, .program = 2, .linker = 3, .program_name = 4});
    CHECK(d.kept.processes.counter_resets == 200);
    CHECK(d.kept.processes.has_reported_return);
    CHECK(d.kept.processes.has_reported_windows);
    CHECK(read_state_info(sealed(p.body())).process == process_sign{.vdso = 1}.id());
    CHECK(encode_state(d.kept, d.table) == sealed(p.body()));
    p.of_processes = processes(std::string(32, '\0'), 0, 4);
    CHECK(is_malformed(p));
}

TEST_CASE("values of every width") {
    for (std::uint8_t width = 1; width <= 8; ++width) {
        CAPTURE(static_cast<int>(width));
        const unsigned bits = 8U * width - 1;
        const auto highest = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
        for (const std::int64_t value : {highest, -highest - 1}) {
            const auto bytes = word(value).substr(0, width);
            parts p;
            p.values = word(width) + std::string(width, '\0') + bytes;
            const std::string state = sealed(p.body());
            const decoded d = decode(state);
            CHECK(d.table.previous(0)[0] == 0);
            CHECK(d.table.previous(1)[0] == value);
            CHECK(encode_state(d.kept, d.table) == state);
        }
    }
}

TEST_CASE("columns of several blocks, with entries in any order") {
    for (const std::uint32_t count : {63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
        CAPTURE(count);
        series kept;
        for (const bool is_cumulative : {true, false, true}) {
            kept.types.sample_types.push_back(
                {"t" + std::to_string(kept.plan.is_cumulative.size()), ""});
            kept.plan.is_cumulative.push_back(is_cumulative);
        }
        kept.plan.cumulative = {0, 2};
        std::mt19937_64 random{count};
        value_table table;
        table.configure(3, kept.plan.cumulative);
        for (const bool is_last : {false, true}) { // of the two profiles
            table.begin();
            for (std::uint64_t i = 0; i < count; ++i) {
                if (is_last && random() % 3 == 0) {
                    continue;
                }
                const std::uint32_t entry = table.find_or_add({i, i});
                const auto wide = static_cast<std::int64_t>(random());
                const std::vector<std::int64_t> values{wide, 1, wide >> random() % 64};
                table.add(entry, values.data());
            }
            table.commit();
        }
        const std::string state = encode_state(kept, table);
        const decoded d = decode(state);
        REQUIRE(d.table.size() == count);
        bool was_previous = true;
        for (std::uint32_t entry = 0; entry < count; ++entry) {
            CHECK((was_previous || !d.table.is_previous(entry)));
            was_previous = d.table.is_previous(entry);
            const std::uint32_t before = table.find_or_add(d.table.key(entry));
            REQUIRE(before < count);
            CHECK(table.is_previous(before) == was_previous);
            CHECK(d.table.previous(entry)[0] == table.previous(before)[0]);
            CHECK(d.table.previous(entry)[1] == table.previous(before)[1]);
        }
        CHECK(encode_state(d.kept, d.table) == state);
        // One byte less, and one that is too much, at the end of the last column.
        const std::string body = state.substr(head_size, state.size() - head_size - checksum_size);
        CHECK(is_malformed(sealed(body.substr(0, body.size() - 1))));
        CHECK(is_malformed(sealed(body + '\1')));
    }
}

TEST_CASE("entries that were restored get room for current values with the next profile") {
    value_table table;
    table.configure(4, {0, 1});
    std::string keys;
    for (std::uint64_t i = 1; i <= 100; ++i) {
        keys += word(little_endian(i)) + word(little_endian(i));
    }
    value_table other;
    CHECK_FALSE(other.restore(keys + keys.substr(7 * sizeof(hash128), sizeof(hash128)), 100));
    REQUIRE(table.restore(keys, 60));
    CHECK(table.size() == 100);
    CHECK(table.is_previous(59));
    CHECK_FALSE(table.is_previous(60));
    for (std::uint32_t entry = 0; entry < 100; ++entry) {
        table.previous_column(0)[entry] = 0;
        table.previous_column(1)[entry] = entry == 99 ? 5 : 0;
    }
    table.begin();
    const std::vector<std::int64_t> values{1, 2, 3, 4};
    CHECK(table.add(table.find_or_add({100, 100}), values.data()));
    CHECK(table.add(table.find_or_add({200, 200}), values.data()));
    CHECK(table.current(99)[3] == 4);
    CHECK(table.current(100)[0] == 1);
    CHECK(table.previous(99)[1] == 5);
    CHECK(table.previous(100)[1] == 0);
    table.rollback();
    CHECK(table.size() == 100);
    table.begin();
    CHECK_FALSE(table.is_current(99));
}
