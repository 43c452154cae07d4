// SPDX-License-Identifier: Apache-2.0
#include "codec/codec.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <pprofdelta/codec.hpp>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::string unwrap(const std::string& bytes, std::size_t max_size = no_limit) {
    std::string out = "left over from before";
    gunzip(bytes, out, max_size);
    return out;
}

std::string little(std::uint32_t value, int size = 4) {
    std::string out;
    for (int i = 0; i < size; ++i, value >>= 8U) {
        out += static_cast<char>(value & 0xffU);
    }
    return out;
}

std::uint32_t crc32(const std::string& text) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
        }
    }
    return ~crc;
}

// A member made by hand from RFC 1952: one stored block, with whatever the header's flags announce.
std::string stored_member(const std::string& text, char flags = 0, const std::string& extra = "") {
    const auto size = static_cast<std::uint32_t>(text.size());
    const std::string header =
        std::string{"\x1f\x8b\x08"} + flags + std::string{"\x01\x02\x03\x04\x00\xff", 6};
    return header + extra + '\x01' + little(size, 2) + little(~size, 2) + text +
           little(crc32(text)) + little(size);
}

std::string pattern(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i) {
        out += std::to_string(i * i) + ',';
    }
    out.resize(size);
    return out;
}

} // namespace

TEST_CASE("gzip is known by its first two bytes") {
    CHECK(is_gzip("\x1f\x8b"));
    CHECK(is_gzip("\x1f\x8b\x08 and more"));
    CHECK_FALSE(is_gzip("\x1f"));
    CHECK_FALSE(is_gzip(""));
    CHECK_FALSE(is_gzip("\x8b\x1f"));
}

TEST_CASE("what was compressed comes back", "[long]") {
    for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 70'000U, 1'000'000U}) {
        for (const int level : {-1, 0, 1, 6, 9}) {
            CHECK(unwrap(gzip(pattern(size), level)) == pattern(size));
        }
    }
}

TEST_CASE("the same bytes give the same archive, without a time") {
    const std::string archive = gzip("abc", 6);
    CHECK(archive == gzip("abc", 6));
    CHECK(archive.substr(3, 5) == std::string(5, '\0')); // flags and mtime
    CHECK(fails_as(error_kind::invalid_argument, [] { (void)gzip("abc", 10); }));
}

TEST_CASE("every optional header part is skipped") {
    CHECK(unwrap(stored_member("abc")) == "abc");
    CHECK(unwrap(stored_member("abc", 1)) == "abc");                               // FTEXT
    CHECK(unwrap(stored_member("abc", 4, std::string{"\x02\x00xy", 4})) == "abc"); // FEXTRA
    CHECK(unwrap(stored_member("abc", 8, std::string{"name\0", 5})) == "abc");     // FNAME
    CHECK(unwrap(stored_member("abc", 16, std::string{"note\0", 5})) == "abc");    // FCOMMENT
}

TEST_CASE("the checksum of a header counts, by whatever it is inflated") {
    // FHCRC: the lower half of the checksum of the header before it.
    const std::string header{"\x1f\x8b\x08\x02\x01\x02\x03\x04\x00\xff", 10};
    const std::string right = little(crc32(header) & 0xffffU, 2);
    const std::string wrong = little((crc32(header) + 1) & 0xffffU, 2);
    std::string out;
    CHECK(unwrap(stored_member("abc", 2, right)) == "abc");
    CHECK(decode(stored_member("abc", 2, right), out) == "abc");
    const std::string second = stored_member("abc") + stored_member("abc", 2, wrong);
    for (const std::string& bytes : {stored_member("abc", 2, wrong), second}) {
        CHECK(fails_as(error_kind::malformed, [&] { unwrap(bytes); }));
        CHECK(fails_as(error_kind::malformed, [&] { (void)decode(bytes, out); }));
    }
}

TEST_CASE("all members are read, empty ones too") {
    const std::string a = stored_member("abc");
    const std::string b = gzip(pattern(10'000), 6);
    const std::string empty = gzip("", 6);
    CHECK(unwrap(a + b) == "abc" + pattern(10'000));
    CHECK(unwrap(b + empty) == pattern(10'000));
    CHECK(unwrap(empty + empty + a + empty) == "abc");
    std::string many;
    for (int i = 0; i < 2000; ++i) {
        many += a;
    }
    CHECK(unwrap(many).size() == 6000);
}

TEST_CASE("an archive cut anywhere is refused") {
    const std::string two = stored_member("abc") + gzip("defgh", 6);
    const std::size_t first = stored_member("abc").size();
    for (std::size_t size = 0; size < two.size(); ++size) {
        CAPTURE(size);
        if (size == first) {
            CHECK(unwrap(two.substr(0, size)) == "abc");
        } else {
            CHECK(fails_as(error_kind::malformed, [&] { unwrap(two.substr(0, size)); }));
        }
    }
}

TEST_CASE("a truncated archive is told with its size") {
    const std::string archive = stored_member("abc");
    const auto fault = error_from([&] { unwrap(archive.substr(0, archive.size() - 1)); });
    REQUIRE(fault);
    CHECK(fault->offset() == archive.size() - 1);
}

TEST_CASE("what follows the last member is refused with its place") {
    const std::string archive = stored_member("abc");
    for (const std::string tail : {"x", "\n", "\x1f", "\x8b\x1f"}) {
        const auto fault = error_from([&] { unwrap(archive + tail); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == archive.size());
    }
    CHECK(fails_as(error_kind::malformed, [&] { unwrap(archive + '\0'); }));
    CHECK(fails_as(error_kind::malformed, [&] { unwrap(archive + "\x1f\x8bxx"); }));
}

TEST_CASE("a flipped bit is found, or makes no difference") {
    const std::string archive = gzip(pattern(500), 6);
    for (std::size_t i = 0; i < archive.size() * 8; ++i) {
        std::string damaged = archive;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
        std::string out;
        const auto fault = error_from([&] { gunzip(damaged, out, no_limit); });
        CAPTURE(i);
        // Some bits mean nothing; the checksum guards all others.
        CHECK((fault ? fault->kind() == error_kind::malformed : out == pattern(500)));
    }
}

TEST_CASE("the size limit is exact") {
    for (const std::size_t size : {0U, 1U, 100U, 4095U, 4096U, 4097U, 100'000U}) {
        CAPTURE(size);
        const std::string archive = gzip(pattern(size), 6);
        CHECK(unwrap(archive, size) == pattern(size));
        CHECK(unwrap(archive, size + 1) == pattern(size));
        if (size > 0) {
            CHECK(fails_as(error_kind::too_large, [&] { unwrap(archive, size - 1); }));
            CHECK(fails_as(error_kind::too_large, [&] { unwrap(archive, 0); }));
        }
    }
}

TEST_CASE("the size limit counts all members together") {
    const std::string three = gzip("abc", 6) + gzip("def", 6) + gzip("ghi", 6);
    CHECK(unwrap(three, 9) == "abcdefghi");
    CHECK(fails_as(error_kind::too_large, [&] { unwrap(three, 8); }));
    CHECK(fails_as(error_kind::too_large, [&] { unwrap(three, 3); }));
}

TEST_CASE("a small archive that expands far stops at the limit", "[long]") {
    const std::string bomb = gzip(std::string(100'000'000, '\0'), 9);
    CHECK(bomb.size() < 100'000);
    std::string out;
    CHECK(fails_as(error_kind::too_large, [&] { gunzip(bomb, out, 1'000'000); }));
    CHECK(out.capacity() < 3'000'000);
}

TEST_CASE("the size in the last bytes is a hint only") {
    // The last member tells its own size, which says nothing of the first one's.
    CHECK(unwrap(gzip(pattern(1'000'000), 6) + gzip("", 6)).size() == 1'000'000);
    CHECK(unwrap(gzip("", 6) + gzip(pattern(100'000), 6)) == pattern(100'000));
    for (const std::uint32_t lie : {0U, 1U, 0x7fffffffU, 0xffffffffU}) {
        std::string archive = gzip(pattern(10'000), 6);
        archive.replace(archive.size() - 4, 4, little(lie));
        std::string out;
        CHECK(fails_as(error_kind::malformed, [&] { gunzip(archive, out, no_limit); }));
        CHECK(out.capacity() < 2000 * archive.size());
    }
}
