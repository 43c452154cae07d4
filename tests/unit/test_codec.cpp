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

TEST_CASE("large content comes back, whatever an archive says of its size", "[long]") {
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

// Archives by hand, from RFC 1952 and RFC 8878.

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
    std::vector<std::string> one; // an archive of "abc" in each way
    std::string nothing;          // what stands for nothing between others
};

const std::vector<archiver> archivers{
    {"gzip",
     gzip,
     unwrap_gzip,
     {-1, 0, 1, 6, 9},
     {stored_member("abc"), gzip("abc", 6)},
     gzip("", 6)},
    {"zstd", zstd, unwrap_zstd, {1, 3, 19}, {frame("abc"), zstd("abc", 3)}, skippable("note")}};

} // namespace

TEST_CASE("compressed content comes back, within an exact limit", "[long]") {
    for (const archiver& by : archivers) {
        for (const std::size_t size :
             {0U, 1U, 100U, 4095U, 4096U, 4097U, 70'000U, 131'072U, 131'073U, 300'000U}) {
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

TEST_CASE("an archive is known by its first bytes") {
    for (const auto& [bytes, expected] :
         std::vector<std::pair<std::string, codec>>{{"", codec::none},
                                                    {plain, codec::none},
                                                    {"\x1f\x8b", codec::gzip},
                                                    {"\x1f", codec::none},
                                                    {"\x8b\x1f", codec::none},
                                                    {zstd("", 3), codec::zstd},
                                                    {frame("abc"), codec::zstd},
                                                    {skippable("", '\x50'), codec::zstd},
                                                    {skippable("", '\x5f'), codec::zstd},
                                                    {skippable("", '\x60'), codec::none},
                                                    {skippable("", '\x4f'), codec::none},
                                                    {"\x28\xb5\x2f", codec::none}}) {
        CHECK(detect_codec(bytes) == expected);
    }
}

TEST_CASE("all parts of an archive are read, and what stands for nothing is skipped") {
    for (const archiver& by : archivers) {
        const std::string large = by.pack(pattern(100'000), 6);
        const std::string empty = by.pack("", 6);
        for (const std::string& abc : by.one) {
            CAPTURE(by.name, abc.size());
            CHECK(by.unpack(abc + large, no_limit) == "abc" + pattern(100'000));
            CHECK(by.unpack(large + abc, no_limit) == pattern(100'000) + "abc");
            CHECK(by.unpack(empty + by.nothing + abc + by.nothing + empty, no_limit) == "abc");
        }
        CHECK(by.unpack(by.nothing + by.nothing, no_limit).empty());
    }
    std::string many;
    for (int i = 0; i < 2000; ++i) {
        many += stored_member("abc");
    }
    CHECK(unwrap_gzip(many).size() == 6000);
}

TEST_CASE("an archive cut anywhere is refused with its size, and one with a tail with its place") {
    for (const archiver& by : archivers) {
        const std::string first = by.one.front();
        const std::string whole = first + by.nothing + by.pack(pattern(300), 6);
        for (std::size_t size = 1; size < whole.size(); ++size) {
            CAPTURE(by.name, size);
            const std::string part = whole.substr(0, size);
            if (size == first.size() || size == first.size() + by.nothing.size()) {
                CHECK(by.unpack(part, no_limit) == "abc");
            } else {
                CHECK(fails_as(error_kind::malformed, [&] { by.unpack(part, no_limit); }));
            }
        }
        for (const std::string tail : {"x", "\n", "\x1f", "\x28", "\x28\xb5\x2f\xfe"}) {
            const auto fault = error_from([&] { by.unpack(first + tail, no_limit); });
            REQUIRE(fault);
            CHECK(fault->kind() == error_kind::malformed);
            CHECK(fault->offset() == first.size());
        }
    }
    const std::string member = stored_member("abc");
    const auto fault = error_from([&] { unwrap_gzip(member.substr(0, member.size() - 1)); });
    CHECK(fault.value().offset() == member.size() - 1);
    CHECK(fails_as(error_kind::malformed, [&] { unwrap_gzip(member + "\x1f\x8bxx"); }));
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

TEST_CASE("frames that do not tell their size are read within the limit") {
    CHECK(unwrap_zstd(frame("x", true, 1000), 1000) == std::string(1000, 'x'));
    CHECK(fails_as(error_kind::too_large, [] { unwrap_zstd(frame("x", true, 1000), 999); }));
}

TEST_CASE("a frame is read whatever window it states, which costs no memory") {
    std::string wide = frame("x", true, 100'000);
    wide[5] = '\xa8'; // 2 GiB, as zstd --long=31 states behind a pipe
    const std::string right(100'000, 'x');
    CHECK(unwrap_zstd(wide) == right);
    CHECK(unwrap_zstd(frame("abc") + wide + wide + frame("d")) == "abc" + right + right + "d");
    CHECK(unwrap_zstd(wide, right.size()) == right);
    CHECK(fails_as(error_kind::too_large, [&] { unwrap_zstd(wide, right.size() - 1); }));
    for (std::size_t size = 6; size < wide.size(); ++size) {
        const auto fault = error_from([&] { unwrap_zstd(frame("abc") + wide.substr(0, size)); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() <= frame("abc").size() + size);
    }
}

TEST_CASE("an archive that needs a dictionary says which") {
    std::string with_dictionary = frame("abc");
    with_dictionary[4] = '\x01'; // one byte has the number
    with_dictionary.insert(6, 1, '\x07');
    std::string out;
    try {
        unzstd(with_dictionary, out, no_limit);
        FAIL();
    } catch (const error& e) {
        CHECK(e.kind() == error_kind::malformed);
        CHECK(std::string{e.what()}.find("dictionary 7,") != std::string::npos);
    }
}

TEST_CASE("the size in an archive is a hint, and costs no memory") {
    for (const std::uint32_t lie : {0U, 1U, 0x7fffffffU, 0xffffffffU}) {
        std::string archive = gzip(pattern(10'000), 6);
        archive.replace(archive.size() - 4, 4, little(lie));
        std::string out;
        CHECK(fails_as(error_kind::malformed, [&] { gunzip(archive, out, no_limit); }));
        CHECK(out.capacity() < 2000 * archive.size());
    }
    // A single-segment frame with an 8-byte content size, which nothing follows.
    std::string liar{"\x28\xb5\x2f\xfd\xe0", 5};
    liar += std::string(7, '\xff') + '\x0f';
    std::string out;
    CHECK(fails_as(error_kind::malformed, [&] { unzstd(liar, out, no_limit); }));
    CHECK(out.capacity() < 10'000'000);
}
