// SPDX-License-Identifier: Apache-2.0
#include "delta/state_v1.hpp"

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "codec/zstd.hpp"
#include "profile/types.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"

namespace pprofdelta::state_v1 {

namespace {

constexpr std::uint8_t as_words = 0;
constexpr std::uint8_t as_varints = 1;

// How much larger than it is compressed a body can be: of a sample the key stays as it is, and the
// values may become nothing.
constexpr std::size_t most_expansion =
    (sizeof(hash128) + max_sample_types * longest_varint) / sizeof(hash128) + 1;
// Types come on top of that: with their names, and what stands around these.
constexpr std::size_t largest_types = 2 * max_type_names_size;

// Small numbers of either sign are small ones without a sign, as protobuf's sint64 has them.
std::int64_t unzigzag(std::uint64_t number) {
    return static_cast<std::int64_t>((number >> 1U) ^ (0 - (number & 1U)));
}

} // namespace

std::string inflate_body(std::string_view compressed, std::uint64_t size) {
    if (size > max_profile_size || !is_zstd(compressed)) {
        fail_state("damaged state: the body is no zstd frame");
    }
    if (size > largest_types + compressed.size() * most_expansion) {
        fail_state("damaged state: the body is larger than it can be");
    }
    std::string body;
    try {
        unzstd(compressed, body, static_cast<std::size_t>(size));
    } catch (const error& e) {
        // Too large is the body for what the head says, not for this library.
        if (e.kind() != error_kind::too_large) {
            fail_state("damaged state: " + std::string{e.what()});
        }
        body.clear();
    }
    if (body.size() != size) {
        fail_state("damaged state: the body's length is not what it says");
    }
    return body;
}

// Keys are hashes, which nothing compresses. A few that are not do no harm.
void check_keys(std::uint64_t count, std::size_t compressed_size) {
    constexpr std::size_t few = 4096;
    if (count > few && count > compressed_size / (sizeof(hash128) / 2)) {
        fail_state("damaged state: the keys of its samples are no hashes");
    }
}

void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count) {
    const auto encoding = bytes.number<std::uint8_t>();
    if (encoding > as_varints) {
        fail_state("damaged state: values in an unknown form");
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (encoding == as_words) {
            values[i] = bytes.number<std::int64_t>();
            continue;
        }
        const std::string_view rest = bytes.rest();
        const decoded_varint decoded =
            decode_varint(rest.data(), rest.data() + rest.size(), rest.data());
        values[i] = unzigzag(decoded.number);
        static_cast<void>(bytes.take(static_cast<std::size_t>(decoded.end - rest.data())));
    }
}

} // namespace pprofdelta::state_v1
