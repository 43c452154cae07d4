// SPDX-License-Identifier: Apache-2.0
#include "codec/codec.hpp"

#include <limits>
#include <string>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::string unwrap(const std::string& bytes, std::size_t max_size = no_limit) {
    std::string out = "left over from before";
    unzstd(bytes, out, max_size);
    return out;
}

// RFC 8878, 3.1.2: a magic number of 16, the size, and bytes that mean nothing.
std::string skippable(const std::string& text, char kind = '\x50') {
    return std::string{kind} + "\x2a\x4d\x18" + static_cast<char>(text.size()) +
           std::string(3, '\0') + text;
}

// A frame made by hand from RFC 8878, 3.1.1: no size announced, no checksum, a window of 1 KiB.
// The block's content is one byte repeated `size` times if `repeated`, else `text` as it stands.
std::string frame(const std::string& text, bool repeated = false, unsigned size = 0) {
    const unsigned type = repeated ? 1 : 0;
    const auto length = repeated ? size : static_cast<unsigned>(text.size());
    const unsigned header = 1U | (type << 1U) | (length << 3U);
    std::string out{"\x28\xb5\x2f\xfd\x00\x00", 6};
    for (unsigned i = 0; i < 3; ++i) {
        out += static_cast<char>((header >> (8 * i)) & 0xffU);
    }
    return out + text;
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

TEST_CASE("zstd is known by its first four bytes") {
    CHECK(is_zstd(zstd("", 3)));
    CHECK(is_zstd(frame("abc")));
    CHECK(is_zstd(skippable("", '\x50')));
    CHECK(is_zstd(skippable("", '\x5f')));
    CHECK_FALSE(is_zstd(skippable("", '\x60')));
    CHECK_FALSE(is_zstd(skippable("", '\x4f')));
    CHECK_FALSE(is_zstd("\x28\xb5\x2f"));
    CHECK_FALSE(is_zstd(""));
}

TEST_CASE("what zstd compressed comes back", "[long]") {
    for (const std::size_t size : {0U, 1U, 4096U, 131'072U, 131'073U, 3'000'000U}) {
        for (const int level : {1, 3, 19}) {
            CHECK(unwrap(zstd(pattern(size), level)) == pattern(size));
        }
    }
}

TEST_CASE("the same bytes give the same zstd archive") {
    CHECK(zstd(pattern(10'000), 3) == zstd(pattern(10'000), 3));
}

TEST_CASE("frames that do not tell their size are read") {
    CHECK(unwrap(frame("abc")) == "abc");
    CHECK(unwrap(frame("x", true, 1000)) == std::string(1000, 'x'));
}

TEST_CASE("all frames are read, and skippable ones skipped") {
    CHECK(unwrap(zstd("abc", 3) + zstd("def", 3)) == "abcdef");
    CHECK(unwrap(zstd("", 3) + frame("abc") + zstd("", 3)) == "abc");
    CHECK(unwrap(skippable("note") + zstd("abc", 3)) == "abc");
    CHECK(unwrap(zstd("abc", 3) + skippable("", '\x5f')) == "abc");
    CHECK(unwrap(zstd("a", 3) + skippable("x") + skippable("y") + zstd("b", 3)) == "ab");
    CHECK(unwrap(skippable("only this")).empty());
    // The first frame announces less than comes.
    CHECK(unwrap(zstd("a", 3) + zstd(pattern(3'000'000), 3)).size() == 3'000'001);
}

TEST_CASE("a zstd archive cut anywhere is refused") {
    const std::string first = zstd("abc", 3);
    const std::string note = skippable("note");
    const std::string all = first + note + zstd(pattern(300), 3);
    for (std::size_t size = 1; size < all.size(); ++size) {
        CAPTURE(size);
        if (size == first.size() || size == first.size() + note.size()) {
            CHECK(unwrap(all.substr(0, size)) == "abc");
        } else {
            CHECK(fails_as(error_kind::malformed, [&] { unwrap(all.substr(0, size)); }));
        }
    }
}

TEST_CASE("what follows the last frame is refused with its place") {
    const std::string archive = zstd("abc", 3);
    for (const std::string tail : {"x", "\x28", "\x28\xb5\x2f", "\x28\xb5\x2f\xfe"}) {
        const auto fault = error_from([&] { unwrap(archive + tail); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == archive.size());
    }
}

TEST_CASE("a flipped bit in zstd data is found, or makes no difference") {
    const std::string archive = zstd(pattern(500), 3);
    for (std::size_t i = 0; i < archive.size() * 8; ++i) {
        std::string damaged = archive;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
        std::string out;
        const auto fault = error_from([&] { unzstd(damaged, out, no_limit); });
        CAPTURE(i);
        // Some bits mean nothing; the checksum guards all others.
        CHECK((fault || out == pattern(500)));
    }
}

TEST_CASE("the size limit is exact for zstd") {
    for (const std::size_t size : {0U, 1U, 1000U, 131'072U, 2'000'000U}) {
        CAPTURE(size);
        const std::string archive = zstd(pattern(size), 3);
        CHECK(unwrap(archive, size) == pattern(size));
        CHECK(unwrap(archive, size + 1) == pattern(size));
        if (size > 0) {
            CHECK(fails_as(error_kind::too_large, [&] { unwrap(archive, size - 1); }));
            CHECK(fails_as(error_kind::too_large, [&] { unwrap(archive, 0); }));
        }
    }
    CHECK(unwrap(frame("x", true, 1000), 1000).size() == 1000);
    CHECK(fails_as(error_kind::too_large, [&] { unwrap(frame("x", true, 1000), 999); }));
    CHECK(unwrap(zstd("abc", 3) + zstd("def", 3), 6) == "abcdef");
    CHECK(fails_as(error_kind::too_large, [&] { unwrap(zstd("abc", 3) + zstd("def", 3), 5); }));
}

TEST_CASE("a small zstd archive that expands far stops at the limit") {
    const std::string bomb = zstd(std::string(100'000'000, '\0'), 3);
    CHECK(bomb.size() < 100'000);
    std::string out;
    CHECK(fails_as(error_kind::too_large, [&] { unzstd(bomb, out, 1'000'000); }));
    CHECK(out.capacity() < 3'000'000);
}

TEST_CASE("a frame that announces far too much costs no memory") {
    // A single-segment frame with an 8-byte content size, which nothing follows.
    std::string liar{"\x28\xb5\x2f\xfd\xe0", 5};
    liar += std::string(7, '\xff') + '\x0f';
    std::string out;
    CHECK(fails_as(error_kind::malformed, [&] { unzstd(liar, out, no_limit); }));
    CHECK(out.capacity() < 10'000'000);
}
