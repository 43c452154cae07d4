// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/state.hpp>

#include "base/hash128.hpp"
#include "delta/state_format.hpp"

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

constexpr std::size_t head_size = 24;
constexpr std::size_t checksum_size = 16;

/// Little-endian, in as many bytes as the type has.
template <typename Number>
std::string word(Number number) {
    std::string out;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        out += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xffU);
    }
    return out;
}

std::string text(const std::string& of) { return word(static_cast<std::uint32_t>(of.size())) + of; }

std::string with_checksum(const std::string& covered) {
    const hash128 hash = hash_bytes(covered);
    return covered + word(little_endian(hash.low)) + word(little_endian(hash.high));
}

std::string state_head(std::uint32_t version, std::uint32_t source) {
    return "\x89PPDS\r\n\x1a" + word(version) + word(source);
}

/// Everything around a body, as if written by someone who knows how.
std::string sealed(const std::string& body, std::uint64_t body_size,
                   std::uint32_t version = state_version, std::uint32_t source = 0) {
    return with_checksum(state_head(version, source) + word(body_size) + body);
}

std::string sealed(const std::string& body) { return sealed(body, body.size()); }

/// The part of a state about processes, of which it has room for nine; see the description of the
/// format.
std::string processes(const std::string& last = std::string(32, '\0'), std::uint8_t resets = 0,
                      std::uint8_t told = 0) {
    return last + std::string(std::size_t{8} * 32, '\0') + word(resets) + word(told);
}

struct parts {
    std::uint8_t match = 0;
    std::uint8_t kind = 1;
    std::uint8_t is_plain = 0;
    std::uint8_t siblings = 0;
    std::uint32_t samples = 1;
    std::uint32_t vanished = 1;
    std::string of_processes = processes();
    std::string of_mappings = word(std::uint32_t{0});
    std::string keys = word(std::uint64_t{1}) + word(std::uint64_t{2}) + word(std::uint64_t{3}) +
                       word(std::uint64_t{4});
    std::string values = std::string{"\1"} + "\x07" + "\xfb"; // of one byte: 7 and -5
    std::string rest{};

    /// @param version 3 or higher.
    [[nodiscard]] std::string body(std::uint32_t version = state_version) const {
        const bool has_periods = version > 4;
        return word(match) + word(std::int64_t{1'700'000'000'000'000'000}) + word(std::int64_t{9}) +
               (has_periods ? word(std::int64_t{524288}) + word(is_plain) : "") +
               word(std::uint32_t{2}) + word(kind) + text("alloc_space") + text("bytes") +
               word(std::uint8_t{0}) + text("inuse_space") + text("bytes") + text("space") +
               text("bytes") + of_processes + (has_periods ? word(siblings) : "") +
               (version > 3 ? of_mappings : "") + word(samples) + word(vanished) + keys + values +
               rest;
    }
};

struct decoded {
    series kept;
    value_table table;
};

decoded decode(const std::string& state) {
    decoded out;
    decode_state(state, out.kept, out.table);
    return out;
}

bool is_malformed(const std::string& state) {
    return fails_as(error_kind::malformed, [&] { decode(state); }) &&
           fails_as(error_kind::malformed, [&] { static_cast<void>(read_state_info(state)); });
}

bool is_malformed(const parts& from) { return is_malformed(sealed(from.body())); }

std::string heap(std::int64_t f, std::int64_t g) {
    profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    p.period_type = {"space", "bytes"};
    p.time = 1000 + f;
    p.samples.push_back({{add_frame(p, "f")}, {f, 1}});
    if (g != 0) {
        p.samples.push_back({{add_frame(p, "g")}, {g, 1}});
    }
    return serialize(p);
}

} // namespace

TEST_CASE("a state cut or damaged anywhere is refused, and changes nothing") {
    delta_computer other;
    other.prime(heap(10, 5));
    other.prime(heap(11, 0));
    const std::string state = other.save();
    delta_computer computer;
    computer.prime(heap(1, 1));
    const std::string own = computer.save();
    const auto check_refused = [&](const std::string& bytes,
                                   error_kind kind = error_kind::malformed) {
        CHECK(fails_as(kind, [&] { computer.load(bytes); }));
        CHECK(fails_as(kind, [&] { (void)read_state_info(bytes); }));
        CHECK(computer.save() == own);
    };
    for (std::size_t size = 0; size < state.size(); ++size) {
        CAPTURE(size);
        check_refused(state.substr(0, size));
    }
    for (std::size_t place = 0; place < state.size(); ++place) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            CAPTURE(place, bit);
            std::string damaged = state;
            damaged[place] =
                static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ (1U << bit));
            // Version 4 is read.
            const bool is_other_version = place >= 8 && place < 12 && !(place == 8 && bit == 0);
            check_refused(damaged,
                          is_other_version ? error_kind::incompatible : error_kind::malformed);
        }
    }
    check_refused(state + "x");
    check_refused(state + state);
    check_refused(heap(1, 1));
}
// The bytes of a state, and what is in them.

namespace {

void check_content(const decoded& d) {
    CHECK(d.kept.match == match_mode::exact);
    CHECK(d.kept.time_nanos == 1'700'000'000'000'000'000);
    CHECK(d.kept.duration_nanos == 9);
    REQUIRE(d.kept.types.sample_types.size() == 2);
    CHECK(to_string(d.kept.types.sample_types[1]) == "inuse_space/bytes");
    CHECK(d.kept.plan.kinds == std::vector{value_kind::cumulative, value_kind::gauge});
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
    CHECK(info.version == 5);
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

TEST_CASE("a state has the mappings of a process, but in version 3") {
    parts p;
    p.of_mappings = word(std::uint32_t{1});
    for (std::uint64_t i = 1; i <= 7; ++i) {
        p.of_mappings += word(i);
    }
    const decoded d = decode(sealed(p.body()));
    check_content(d);
    REQUIRE(d.kept.mappings.size() == 1);
    const mapping_index::mapping& m = d.kept.mappings.front();
    CHECK(m.identity == hash128{little_endian(std::uint64_t{1}), little_endian(std::uint64_t{2})});
    CHECK((m.start == 3 && m.pages == 4 && m.offset == 5 && m.file_name == 6 && m.build_id == 7));
    CHECK(encode_state(d.kept, d.table) == sealed(p.body()));
    p.of_mappings = word(std::uint32_t{1000});
    CHECK(is_malformed(p));

    const std::string body = p.body(3);
    const decoded old = decode(sealed(body, body.size(), 3));
    check_content(old);
    CHECK(old.kept.mappings.empty());
    CHECK(read_state_info(sealed(body, body.size(), 3)).version == 3);
}

TEST_CASE("a state has the period, what its counters are, and siblings, but in version 4") {
    parts p;
    p.is_plain = 1;
    p.siblings = 7;
    const decoded d = decode(sealed(p.body()));
    check_content(d);
    CHECK(d.kept.period == 524288);
    CHECK(d.kept.has_plain_counters);
    CHECK(d.kept.processes.siblings == 7);
    CHECK(encode_state(d.kept, d.table) == sealed(p.body()));
    const std::string body = p.body(4);
    const decoded old = decode(sealed(body, body.size(), 4));
    check_content(old);
    CHECK(old.kept.period == 0);
    CHECK_FALSE(old.kept.has_plain_counters);
    CHECK(old.kept.processes.siblings == 0);
    p.kind = 2;
    const std::string of_interval = p.body(4);
    CHECK(is_malformed(sealed(of_interval, of_interval.size(), 4)));
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
        for (const value_kind kind :
             {value_kind::cumulative, value_kind::interval, value_kind::cumulative}) {
            kept.types.sample_types.push_back({"t" + std::to_string(kept.plan.kinds.size()), ""});
            kept.plan.kinds.push_back(kind);
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

TEST_CASE("a right checksum does not make up for a wrong head") {
    const std::string body = parts{}.body();
    for (const std::uint32_t version : {0U, 1U, 2U, 6U, 0xffffffffU}) {
        CHECK(fails_as(error_kind::incompatible,
                       [&] { decode(sealed(body, body.size(), version)); }));
    }
    CHECK(std::string{error_from([] { decode("<html>"); })->what()} ==
          "this is not a state of pprofdelta");
    CHECK(is_malformed(sealed(body, body.size(), state_version, 3)));
    CHECK(is_malformed(sealed(body, body.size() - 1)));
    CHECK(is_malformed(sealed(body, body.size() + 1)));
    CHECK(is_malformed(sealed(body, std::numeric_limits<std::uint64_t>::max())));
    CHECK(is_malformed(sealed("", 0)));
    const std::string covered = sealed(body).substr(0, head_size + body.size());
    CHECK(is_malformed(with_checksum(covered + "more")));
    CHECK(is_malformed(with_checksum(covered.substr(0, head_size))));
}

TEST_CASE("a right checksum does not make up for a wrong body") {
    REQUIRE_FALSE(is_malformed(parts{}));
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    constexpr void (*changes[])(parts&) = {
        [](parts& p) { p.match = 3; },
        [](parts& p) { p.kind = 3; },
        [](parts& p) { p.is_plain = 2; },
        [](parts& p) { p.samples = 2; },
        [](parts& p) { p.samples = p.vanished = most; },
        [](parts& p) { p.keys = p.keys.substr(0, 16) + p.keys.substr(0, 16); },
        [](parts& p) { p.values[0] = 2; },
        [](parts& p) { p.rest = "x"; },
    };
    for (const auto change : changes) {
        parts p;
        change(p);
        CHECK(is_malformed(p));
    }
    for (const char width : {'\0', '\x09', '\xff'}) { // with bytes enough
        parts p;
        p.values = width + std::string(600, '\1');
        CHECK(is_malformed(p));
    }

    const std::string body = parts{}.body();
    for (std::size_t size = 0; size < body.size(); ++size) {
        CAPTURE(size);
        CHECK(is_malformed(sealed(body.substr(0, size))));
    }
}

TEST_CASE("a state cannot ask for more memory than its bytes stand for") {
    const auto without_values = [](std::uint32_t types, std::uint32_t samples) {
        std::string body = word(std::uint8_t{0}) + word(std::int64_t{0}) + word(std::int64_t{0}) +
                           word(std::int64_t{0}) + word(std::uint8_t{0}) + word(types);
        for (std::uint32_t i = 0; i < types; ++i) {
            body += word(std::uint8_t{1}) + text("") + text("");
        }
        body += text("") + text("") + processes() + word(std::uint8_t{0}) + word(std::uint32_t{0}) +
                word(samples) + word(std::uint32_t{0});
        for (std::uint64_t i = 0; i < samples; ++i) {
            body += word(i) + word(i);
        }
        return sealed(body);
    };
    CHECK(decode(without_values(1024, 0)).kept.types.sample_types.size() == 1024);
    CHECK(is_malformed(without_values(1025, 0)));
    const std::string state = without_values(1000, 10'000);
    const std::size_t before = bytes_in_use();
    const auto refusal = error_from([&] { decode(state); });
    REQUIRE(refusal);
    CHECK(std::string{refusal->what()} == "damaged state: it has fewer samples than it says");
    CHECK(bytes_in_use() <= before + 1000);
}

TEST_CASE("a state has at most 33 bytes for a sample with two cumulative values") {
    constexpr std::size_t count = 3000;
    constexpr std::size_t constant = 256;
    profile p;
    p.types = heap_types();
    std::mt19937_64 random{1};
    const auto longest = [&] {
        return static_cast<std::int64_t>(random() | std::uint64_t{1} << 62U);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const auto frame = add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, {longest(), longest(), longest(), longest()}});
    }
    const auto size_of_state = [&] {
        delta_computer computer;
        computer.prime(serialize(p));
        return computer.save().size();
    };
    CHECK(size_of_state() <= 33 * count + constant);
    CHECK(size_of_state() >= 32 * count);
    // The values are as in practice, well below that.
    for (sample& s : p.samples) {
        s.values = {3, 400, 1, 100};
    }
    CHECK(size_of_state() <= 20 * count + constant);
}

TEST_CASE("profiles that were text and protobuf are not of one series") {
    for (const auto& [source, other] : {std::pair{profile_source::text, profile_source::protobuf},
                                        {profile_source::protobuf, profile_source::text}}) {
        delta_computer before;
        std::string delta;
        before.prime(heap(5, 0), source);
        const std::string state = before.save();
        CHECK(read_state_info(state).source == source);
        delta_computer after;
        after.load(state);
        for (delta_computer* const each : {&before, &after}) {
            CHECK(fails_as(error_kind::incompatible,
                           [&, &of = other] { each->compute(heap(7, 0), delta, of); }));
            CHECK(fails_as(error_kind::incompatible,
                           [&, &of = other] { each->prime(heap(7, 0), of); }));
            each->compute(heap(7, 0), delta, source);
            CHECK(each->totals().front() == 2);
        }
    }
}

namespace {

profile small() {
    profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    p.period_type = {"space", "bytes"};
    p.time = 1011;
    p.duration = 7;
    const std::uint64_t f = add_frame(p, "f");
    const std::uint64_t g = add_frame(p, "g");
    p.samples.push_back({{f}, {1, 2}});
    p.samples.push_back({{f}, {1, 2}});
    p.samples.push_back({{g, f}, {3, 4}});
    return p;
}

} // namespace

TEST_CASE("the info of a profile does not depend on faults within its records") {
    profile p = small();
    p.mappings = {{7, 0x1000, 0x2000, 0, "/bin/server", "b1d"}, {7, 0x3000, 0x4000, 0, "[vdso]"}};
    CHECK(fails_as(error_kind::malformed, [&] {
        std::string delta;
        delta_computer{}.compute(serialize(p), delta);
    }));
    const profile_info info = read_profile_info(serialize(p));
    CHECK(info.binary == "/bin/server");
    CHECK(info.build_id == "b1d");
    CHECK(info.mappings == 2);
    CHECK(info.process != 0);
}

TEST_CASE("long names of labels that many share are left out, not copied") {
    profile p = small();
    const std::string unit(std::size_t{600} << 10U, 'u');
    p.samples[0].labels = {{"a", "", 1, unit}, {"b", "", 1, unit}, {"c", "", 1, unit}, {"d", "e"}};
    const label_list list = list_labels(serialize(p));
    REQUIRE(list.labels.size() == 2);
    CHECK(list.labels[0].key == "a");
    CHECK(list.labels[1].key == "d");
    CHECK(list.left_out == 2);
}
