// SPDX-License-Identifier: Apache-2.0
#include "files/series_record.hpp"

#include <limits>
#include <string>

#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

series_record example() {
    return {.series = "prod/web 1/100%\xff",
            .deltas = 12,
            .time_nanos = -5,
            .input = "line\nbreak\tand %41",
            .input_hash = 0x00ff'1234'5678'9abc,
            .state = std::string{"state\0with\nanything", 19}};
}

exit_status status_of(const std::string& bytes) {
    try {
        static_cast<void>(parse_record(bytes, "file"));
    } catch (const failure& e) {
        return e.status();
    }
    return exit_status::done;
}

} // namespace

TEST_CASE("what is kept of a series is read as it was written") {
    series_record record = example();
    SECTION("with odd bytes") {}
    SECTION("with nothing") { record = {}; }
    SECTION("with extremes") {
        record.deltas = std::numeric_limits<std::uint64_t>::max();
        record.time_nanos = std::numeric_limits<std::int64_t>::min();
        record.input_hash = std::numeric_limits<std::uint64_t>::max();
    }
    const series_record read = parse_record(to_bytes(record), "file");
    CHECK(read.series == record.series);
    CHECK(read.deltas == record.deltas);
    CHECK(read.time_nanos == record.time_nanos);
    CHECK(read.input == record.input);
    CHECK(read.input_hash == record.input_hash);
    CHECK(read.state == record.state);
}

TEST_CASE("the file of a series has a header for people") {
    CHECK(to_bytes({.series = "a/b", .deltas = 3, .time_nanos = 7, .input = "x.pb.gz"})
              .starts_with("pprofdelta series 1\nseries a/b\ndeltas 3\ntime 7\ninput x.pb.gz\n"
                           "content 0000000000000000\nheader "));
}

TEST_CASE("damage of the header of a series is noticed") {
    const std::string whole = to_bytes(example());
    const std::size_t header = whole.size() - example().state.size();
    for (std::size_t size = 0; size < header; ++size) {
        CHECK(status_of(whole.substr(0, size)) == exit_status::malformed);
    }
    const std::size_t version = whole.find('1');
    for (std::size_t i = 0; i < header; ++i) {
        for (const unsigned flip : {1U, 0x20U, 0x80U}) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
            INFO(i << " " << flip);
            const bool is_digit = i + 1 + 16 >= header && whole[i] >= 'a' && whole[i] <= 'f';
            // The hash of the header in large letters is the same number.
            if (i != version && !(is_digit && flip == 0x20U)) {
                CHECK(status_of(damaged) == exit_status::malformed);
            }
        }
    }
    std::string later = whole;
    later[version] = '2';
    CHECK(status_of(later) == exit_status::incompatible);
}
