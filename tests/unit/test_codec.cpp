// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "codec/codec.hpp"

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

const std::string plain = "\x0a\x04\x08\x01\x10\x02 more plain, more plain, more plain, more text";

} // namespace

TEST_CASE("the codec is found from the bytes") {
    CHECK(detect_codec("") == codec::none);
    CHECK(detect_codec(plain) == codec::none);
    CHECK(detect_codec(encode(plain, codec::none)) == codec::none);
    CHECK(detect_codec(encode(plain, codec::gzip)) == codec::gzip);
    CHECK(detect_codec(encode(plain, codec::zstd)) == codec::zstd);
    CHECK(detect_codec("\x28\xb5\x2f") == codec::none);
}

TEST_CASE("every codec and level gives the bytes back") {
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const level_range range = levels(each);
        std::string storage;
        for (int level = range.lowest; level <= range.highest; ++level) {
            const std::string archive = encode(plain, each, level);
            CHECK(decode(archive, storage) == plain);
            CHECK(archive == encode(plain, each, level));
        }
        CHECK(decode(encode(plain, each), storage) == plain);
    }
}

TEST_CASE("the default levels are 1 for gzip and 3 for zstd") {
    CHECK(encode(plain, codec::gzip) == encode(plain, codec::gzip, 1));
    CHECK(encode(plain, codec::zstd) == encode(plain, codec::zstd, 3));
    CHECK(encode(plain, codec::gzip, default_level) == encode(plain, codec::gzip));
}

TEST_CASE("levels out of range are the caller's mistake") {
    for (const codec each : {codec::gzip, codec::zstd}) {
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(plain, each, levels(each).highest + 1); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)encode(plain, each, -2); }));
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(plain, each, std::numeric_limits<int>::max()); }));
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(plain, each, std::numeric_limits<int>::min()); }));
    }
    CHECK(fails_as(error_kind::invalid_argument, [&] { (void)encode(plain, codec::zstd, 0); }));
    CHECK(encode(plain, codec::none, 1000) == plain);
}

TEST_CASE("plain bytes are not copied") {
    std::string storage = "kept";
    const auto view = decode(plain, storage);
    CHECK(view.data() == plain.data());
    CHECK(view == plain);
    CHECK(storage == "kept");
    CHECK(decode("", storage).empty());
}

TEST_CASE("storage is reused") {
    std::string storage;
    CHECK(decode(encode(std::string(100'000, 'x'), codec::gzip), storage).size() == 100'000);
    const auto capacity = storage.capacity();
    const auto view = decode(encode(plain, codec::gzip), storage);
    CHECK(view == plain);
    CHECK(view.data() == storage.data());
    CHECK(storage.capacity() == capacity);
}

TEST_CASE("one wrapping is taken off, not two") {
    const std::string twice = encode(encode(plain, codec::gzip), codec::gzip);
    std::string storage;
    CHECK(decode(twice, storage) == encode(plain, codec::gzip));
}

TEST_CASE("the limit holds for every codec") {
    std::string storage;
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string archive = encode(plain, each);
        CHECK(decode(archive, storage, plain.size()) == plain);
        CHECK(fails_as(error_kind::too_large,
                       [&] { (void)decode(archive, storage, plain.size() - 1); }));
    }
}

TEST_CASE("the largest number as limit means no limit") {
    constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
    // Large enough that the first guess at the size does not do.
    const std::string large(3'000'000, 'x');
    std::string storage;
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string archive = encode(large, each) + encode("", each);
        CHECK(decode(archive, storage, no_limit) == large);
    }
}

TEST_CASE("what is large comes back, whatever an archive says of its size", "[long]") {
    std::string large(40'000'000, 'x');
    large.replace(large.size() - 3, 3, "end");
    for (const codec each : {codec::gzip, codec::zstd}) {
        // The first one tells a size that is likely, if zstd is asked; the last one if gzip is.
        for (const std::string& archive :
             {encode(large, each, levels(each).lowest), encode(large, each) + encode("", each),
              encode("", each) + encode(large, each)}) {
            std::string storage;
            CHECK(decode(archive, storage, large.size()) == large);
            CHECK(storage.capacity() < large.size() + 1'000'000);
            CHECK(fails_as(error_kind::too_large,
                           [&] { (void)decode(archive, storage, large.size() - 1); }));
        }
    }
}

TEST_CASE("archives of nothing are nothing") {
    std::string storage;
    CHECK(decode(encode("", codec::gzip), storage).empty());
    CHECK(decode(encode("", codec::zstd), storage).empty());
}

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

std::string pattern(std::size_t size) {
    std::string out;
    for (std::size_t i = 0; out.size() < size; ++i) {
        out += std::to_string(i * i) + ',';
    }
    out.resize(size);
    return out;
}

std::string unwrap_gzip(const std::string& bytes, std::size_t max_size = no_limit) {
    std::string out = "left over from before";
    gunzip(bytes, out, max_size);
    return out;
}

std::string unwrap_zstd(const std::string& bytes, std::size_t max_size = no_limit) {
    std::string out = "left over from before";
    unzstd(bytes, out, max_size);
    return out;
}

struct archiver {
    const char* name;
    std::string (*pack)(std::string_view bytes, int level);
    std::string (*unpack)(const std::string& bytes, std::size_t max_size);
    std::vector<int> levels;
};

const std::vector<archiver> archivers{{"gzip", gzip, unwrap_gzip, {-1, 0, 1, 6, 9}},
                                      {"zstd", zstd, unwrap_zstd, {1, 3, 19}}};

} // namespace

TEST_CASE("what was compressed comes back, within an exact limit", "[long]") {
    for (const archiver& by : archivers) {
        for (const std::size_t size :
             {0U, 1U, 100U, 4095U, 4096U, 4097U, 70'000U, 131'072U, 131'073U, 2'000'000U}) {
            CAPTURE(by.name, size);
            const std::string content = pattern(size);
            for (const int level : by.levels) {
                CHECK(by.unpack(by.pack(content, level), no_limit) == content);
            }
            const std::string archive = by.pack(content, 3);
            CHECK(archive == by.pack(content, 3));
            CHECK(by.unpack(archive, size) == content);
            CHECK(by.unpack(archive, size + 1) == content);
            if (size > 0) {
                CHECK(fails_as(error_kind::too_large, [&] { by.unpack(archive, size - 1); }));
                CHECK(fails_as(error_kind::too_large, [&] { by.unpack(archive, 0); }));
            }
        }
    }
}

TEST_CASE("the size limit counts all parts of an archive together") {
    for (const archiver& by : archivers) {
        CAPTURE(by.name);
        const std::string three = by.pack("abc", 6) + by.pack("def", 6) + by.pack("ghi", 6);
        CHECK(by.unpack(three, 9) == "abcdefghi");
        CHECK(fails_as(error_kind::too_large, [&] { by.unpack(three, 8); }));
        CHECK(fails_as(error_kind::too_large, [&] { by.unpack(three, 3); }));
    }
}

TEST_CASE("a small archive that expands far stops at the limit", "[long]") {
    const std::string zeros(100'000'000, '\0');
    std::string out;
    const std::string in_gzip = gzip(zeros, 9);
    CHECK(in_gzip.size() < 100'000);
    CHECK(fails_as(error_kind::too_large, [&] { gunzip(in_gzip, out, 1'000'000); }));
    CHECK(out.capacity() < 3'000'000);
    const std::string in_zstd = zstd(zeros, 3);
    CHECK(in_zstd.size() < 100'000);
    CHECK(fails_as(error_kind::too_large, [&] { unzstd(in_zstd, out, 1'000'000); }));
    CHECK(out.capacity() < 3'000'000);
}

TEST_CASE("a flipped bit is found, or makes no difference") {
    for (const archiver& by : archivers) {
        const std::string archive = by.pack(pattern(500), 6);
        for (std::size_t i = 0; i < archive.size() * 8; ++i) {
            std::string damaged = archive;
            damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
            std::string out;
            const auto fault = error_from([&] { out = by.unpack(damaged, no_limit); });
            CAPTURE(by.name, i);
            // Some bits mean nothing; the checksum guards all others.
            CHECK((fault ? fault->kind() == error_kind::malformed : out == pattern(500)));
        }
    }
}

namespace {

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

} // namespace

TEST_CASE("gzip is known by its first two bytes") {
    CHECK(is_gzip("\x1f\x8b"));
    CHECK(is_gzip("\x1f\x8b\x08 and more"));
    CHECK_FALSE(is_gzip("\x1f"));
    CHECK_FALSE(is_gzip(""));
    CHECK_FALSE(is_gzip("\x8b\x1f"));
}

TEST_CASE("the same bytes give the same archive, without a time") {
    const std::string archive = gzip("abc", 6);
    CHECK(archive == gzip("abc", 6));
    CHECK(archive.substr(3, 5) == std::string(5, '\0')); // flags and mtime
    CHECK(fails_as(error_kind::invalid_argument, [] { (void)gzip("abc", 10); }));
}

TEST_CASE("every optional header part is skipped") {
    CHECK(unwrap_gzip(stored_member("abc")) == "abc");
    CHECK(unwrap_gzip(stored_member("abc", 1)) == "abc");                               // FTEXT
    CHECK(unwrap_gzip(stored_member("abc", 4, std::string{"\x02\x00xy", 4})) == "abc"); // FEXTRA
    CHECK(unwrap_gzip(stored_member("abc", 8, std::string{"name\0", 5})) == "abc");     // FNAME
    CHECK(unwrap_gzip(stored_member("abc", 16, std::string{"note\0", 5})) == "abc");    // FCOMMENT
}

TEST_CASE("the checksum of a header counts, by whatever it is inflated") {
    // FHCRC: the lower half of the checksum of the header before it.
    const std::string header{"\x1f\x8b\x08\x02\x01\x02\x03\x04\x00\xff", 10};
    const std::string right = little(crc32(header) & 0xffffU, 2);
    const std::string wrong = little((crc32(header) + 1) & 0xffffU, 2);
    std::string out;
    CHECK(unwrap_gzip(stored_member("abc", 2, right)) == "abc");
    CHECK(decode(stored_member("abc", 2, right), out) == "abc");
    const std::string second = stored_member("abc") + stored_member("abc", 2, wrong);
    for (const std::string& bytes : {stored_member("abc", 2, wrong), second}) {
        CHECK(fails_as(error_kind::malformed, [&] { unwrap_gzip(bytes); }));
        CHECK(fails_as(error_kind::malformed, [&] { (void)decode(bytes, out); }));
    }
}

TEST_CASE("all members are read, empty ones too") {
    const std::string a = stored_member("abc");
    const std::string b = gzip(pattern(10'000), 6);
    const std::string empty = gzip("", 6);
    CHECK(unwrap_gzip(a + b) == "abc" + pattern(10'000));
    CHECK(unwrap_gzip(b + empty) == pattern(10'000));
    CHECK(unwrap_gzip(empty + empty + a + empty) == "abc");
    std::string many;
    for (int i = 0; i < 2000; ++i) {
        many += a;
    }
    CHECK(unwrap_gzip(many).size() == 6000);
}

TEST_CASE("an archive cut anywhere is refused") {
    const std::string two = stored_member("abc") + gzip("defgh", 6);
    const std::size_t first = stored_member("abc").size();
    for (std::size_t size = 0; size < two.size(); ++size) {
        CAPTURE(size);
        if (size == first) {
            CHECK(unwrap_gzip(two.substr(0, size)) == "abc");
        } else {
            CHECK(fails_as(error_kind::malformed, [&] { unwrap_gzip(two.substr(0, size)); }));
        }
    }
}

TEST_CASE("a truncated archive is told with its size") {
    const std::string archive = stored_member("abc");
    const auto fault = error_from([&] { unwrap_gzip(archive.substr(0, archive.size() - 1)); });
    REQUIRE(fault);
    CHECK(fault->offset() == archive.size() - 1);
}

TEST_CASE("what follows the last member is refused with its place") {
    const std::string archive = stored_member("abc");
    for (const std::string tail : {"x", "\n", "\x1f", "\x8b\x1f"}) {
        const auto fault = error_from([&] { unwrap_gzip(archive + tail); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == archive.size());
    }
    CHECK(fails_as(error_kind::malformed, [&] { unwrap_gzip(archive + '\0'); }));
    CHECK(fails_as(error_kind::malformed, [&] { unwrap_gzip(archive + "\x1f\x8bxx"); }));
}

TEST_CASE("the size in the last bytes is a hint only") {
    // The last member tells its own size, which says nothing of the first one's.
    CHECK(unwrap_gzip(gzip(pattern(1'000'000), 6) + gzip("", 6)).size() == 1'000'000);
    CHECK(unwrap_gzip(gzip("", 6) + gzip(pattern(100'000), 6)) == pattern(100'000));
    for (const std::uint32_t lie : {0U, 1U, 0x7fffffffU, 0xffffffffU}) {
        std::string archive = gzip(pattern(10'000), 6);
        archive.replace(archive.size() - 4, 4, little(lie));
        std::string out;
        CHECK(fails_as(error_kind::malformed, [&] { gunzip(archive, out, no_limit); }));
        CHECK(out.capacity() < 2000 * archive.size());
    }
}

namespace {

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

TEST_CASE("frames that do not tell their size are read") {
    CHECK(unwrap_zstd(frame("abc")) == "abc");
    CHECK(unwrap_zstd(frame("x", true, 1000), 1000).size() == 1000);
    CHECK(fails_as(error_kind::too_large, [] { unwrap_zstd(frame("x", true, 1000), 999); }));
    CHECK(unwrap_zstd(frame("x", true, 1000)) == std::string(1000, 'x'));
}

TEST_CASE("all frames are read, and skippable ones skipped") {
    CHECK(unwrap_zstd(zstd("abc", 3) + zstd("def", 3)) == "abcdef");
    CHECK(unwrap_zstd(zstd("", 3) + frame("abc") + zstd("", 3)) == "abc");
    CHECK(unwrap_zstd(skippable("note") + zstd("abc", 3)) == "abc");
    CHECK(unwrap_zstd(zstd("abc", 3) + skippable("", '\x5f')) == "abc");
    CHECK(unwrap_zstd(zstd("a", 3) + skippable("x") + skippable("y") + zstd("b", 3)) == "ab");
    CHECK(unwrap_zstd(skippable("only this")).empty());
    // The first frame announces less than comes.
    CHECK(unwrap_zstd(zstd("a", 3) + zstd(pattern(3'000'000), 3)).size() == 3'000'001);
}

TEST_CASE("a zstd archive cut anywhere is refused") {
    const std::string first = zstd("abc", 3);
    const std::string note = skippable("note");
    const std::string all = first + note + zstd(pattern(300), 3);
    for (std::size_t size = 1; size < all.size(); ++size) {
        CAPTURE(size);
        if (size == first.size() || size == first.size() + note.size()) {
            CHECK(unwrap_zstd(all.substr(0, size)) == "abc");
        } else {
            CHECK(fails_as(error_kind::malformed, [&] { unwrap_zstd(all.substr(0, size)); }));
        }
    }
}

TEST_CASE("what follows the last frame is refused with its place") {
    const std::string archive = zstd("abc", 3);
    for (const std::string tail : {"x", "\x28", "\x28\xb5\x2f", "\x28\xb5\x2f\xfe"}) {
        const auto fault = error_from([&] { unwrap_zstd(archive + tail); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == archive.size());
    }
}

TEST_CASE("a frame that announces far too much costs no memory") {
    // A single-segment frame with an 8-byte content size, which nothing follows.
    std::string liar{"\x28\xb5\x2f\xfd\xe0", 5};
    liar += std::string(7, '\xff') + '\x0f';
    std::string out;
    CHECK(fails_as(error_kind::malformed, [&] { unzstd(liar, out, no_limit); }));
    CHECK(out.capacity() < 10'000'000);
}
