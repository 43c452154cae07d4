// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/codec.hpp>

#include <limits>
#include <string>

#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

const std::string text = "\x0a\x04\x08\x01\x10\x02 more text, more text, more text, more text";

} // namespace

TEST_CASE("the codec is found from the bytes") {
    CHECK(detect_codec("") == codec::none);
    CHECK(detect_codec(text) == codec::none);
    CHECK(detect_codec(encode(text, codec::none)) == codec::none);
    CHECK(detect_codec(encode(text, codec::gzip)) == codec::gzip);
    CHECK(detect_codec(encode(text, codec::zstd)) == codec::zstd);
    CHECK(detect_codec("\x28\xb5\x2f") == codec::none);
}

TEST_CASE("every codec and level gives the bytes back") {
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const level_range range = levels(each);
        std::string storage;
        for (int level = range.lowest; level <= range.highest; ++level) {
            const std::string archive = encode(text, each, level);
            CHECK(decode(archive, storage) == text);
            CHECK(archive == encode(text, each, level));
        }
        CHECK(decode(encode(text, each), storage) == text);
    }
}

TEST_CASE("the default levels are 1 for gzip and 3 for zstd") {
    CHECK(encode(text, codec::gzip) == encode(text, codec::gzip, 1));
    CHECK(encode(text, codec::zstd) == encode(text, codec::zstd, 3));
    CHECK(encode(text, codec::gzip, default_level) == encode(text, codec::gzip));
}

TEST_CASE("levels out of range are the caller's mistake") {
    for (const codec each : {codec::gzip, codec::zstd}) {
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(text, each, levels(each).highest + 1); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)encode(text, each, -2); }));
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(text, each, std::numeric_limits<int>::max()); }));
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { (void)encode(text, each, std::numeric_limits<int>::min()); }));
    }
    CHECK(fails_as(error_kind::invalid_argument, [&] { (void)encode(text, codec::zstd, 0); }));
    CHECK(encode(text, codec::none, 1000) == text);
}

TEST_CASE("plain bytes are not copied") {
    std::string storage = "kept";
    const auto view = decode(text, storage);
    CHECK(view.data() == text.data());
    CHECK(view == text);
    CHECK(storage == "kept");
    CHECK(decode("", storage).empty());
}

TEST_CASE("storage is reused") {
    std::string storage;
    CHECK(decode(encode(std::string(100'000, 'x'), codec::gzip), storage).size() == 100'000);
    const auto capacity = storage.capacity();
    const auto view = decode(encode(text, codec::gzip), storage);
    CHECK(view == text);
    CHECK(view.data() == storage.data());
    CHECK(storage.capacity() == capacity);
}

TEST_CASE("one wrapping is taken off, not two") {
    const std::string twice = encode(encode(text, codec::gzip), codec::gzip);
    std::string storage;
    CHECK(decode(twice, storage) == encode(text, codec::gzip));
}

TEST_CASE("the limit holds for every codec") {
    std::string storage;
    for (const codec each : {codec::none, codec::gzip, codec::zstd}) {
        const std::string archive = encode(text, each);
        CHECK(decode(archive, storage, text.size()) == text);
        CHECK(fails_as(error_kind::too_large,
                       [&] { (void)decode(archive, storage, text.size() - 1); }));
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
