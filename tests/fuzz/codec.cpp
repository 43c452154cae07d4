// SPDX-License-Identifier: Apache-2.0
// Archives: whatever the bytes, there is an error or a profile of at most the size allowed, both
// ways to inflate agree, and what was wrapped is unwrapped again.
#include <algorithm>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>

#include "codec/codec.hpp"
#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::size_t max_size = std::size_t{1} << 16U;

void check_unwrapping(std::string_view bytes) {
    std::string storage;
    std::string_view plain;
    const bool accepted = is_accepted([&] { plain = decode(bytes, storage, max_size); });
    require(!accepted || plain.size() <= max_size, "no profile is larger than allowed");
    // Room for the most that is allowed, and for what zstd guesses before it knows.
    require(storage.capacity() <= 4 * max_size + 100 * bytes.size(), "memory stays small");
    if (!is_gzip(bytes)) {
        return;
    }
    std::string fast;
    std::string slow;
    // Bytes that are too large for one are too large for both.
    bool is_fast = false;
    if (is_accepted([&] { is_fast = fast_gunzip(bytes, fast, max_size); }) && is_fast &&
        is_accepted([&] { gunzip(bytes, slow, max_size); })) {
        require(fast == slow, "zlib and libdeflate agree");
    }
}

void check_wrapping(std::string_view bytes, codec how) {
    const std::string wrapped = encode(bytes, how, 1);
    require(detect_codec(wrapped) == how, "an archive shows what it is");
    std::string storage;
    require(decode(wrapped, storage, bytes.size()) == bytes, "what was wrapped is unwrapped");
    if (!bytes.empty()) {
        require(!is_accepted([&] { (void)decode(wrapped, storage, bytes.size() - 1); }),
                "a byte too many is refused");
    }
}

} // namespace

FUZZ_TARGET(codec, data, size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    check_unwrapping(bytes);
    check_wrapping(bytes, codec::gzip);
    check_wrapping(bytes, codec::zstd);
    return 0;
}
