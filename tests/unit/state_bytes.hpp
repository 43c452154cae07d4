// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_STATE_BYTES_HPP
#define PPROFDELTA_TESTS_UNIT_STATE_BYTES_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "base/hash128.hpp"
#include "codec/codec.hpp"
#include "delta/state_format.hpp"
#include "error_from.hpp"

namespace pprofdelta::test {

inline constexpr std::size_t head_size = 24;
inline constexpr std::size_t checksum_size = 16;

/// Little-endian, in as many bytes as the type has.
template <typename Number>
inline std::string word(Number number) {
    std::string out;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        out += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xffU);
    }
    return out;
}

inline std::string text(const std::string& of) {
    return word(static_cast<std::uint32_t>(of.size())) + of;
}

inline std::string with_checksum(const std::string& covered) {
    const hash128 hash = hash_bytes(covered);
    return covered + word(little_endian(hash.low)) + word(little_endian(hash.high));
}

inline std::string state_head(std::uint32_t version, std::uint32_t source) {
    return "\x89PPDS\r\n\x1a" + word(version) + word(source);
}

/// Everything around a body, as if written by someone who knows how.
inline std::string sealed(const std::string& body, std::uint64_t body_size,
                          std::uint32_t version = state_version, std::uint32_t source = 0) {
    return with_checksum(state_head(version, source) + word(body_size) + body);
}

inline std::string sealed(const std::string& body) { return sealed(body, body.size()); }

/// Everything around a body in version 1 of the format.
inline std::string sealed_v1(const std::string& compressed, std::uint64_t body_size,
                             std::uint32_t source = 0) {
    return with_checksum(state_head(1, source) + word(body_size) +
                         word(static_cast<std::uint64_t>(compressed.size())) + compressed);
}

inline std::string sealed_v1(const std::string& body) {
    return sealed_v1(zstd(body, 1), body.size());
}

/// What a state says of processes, of which it has room for nine; see the description of the
/// format.
inline std::string processes(const std::string& last = std::string(32, '\0'),
                             std::uint8_t resets = 0, std::uint8_t told = 0) {
    return last + std::string(std::size_t{8} * 32, '\0') + word(resets) + word(told);
}

struct parts {
    std::uint8_t match = 0;
    std::uint8_t is_cumulative = 1;
    std::uint32_t samples = 1;
    std::uint32_t vanished = 1;
    std::string of_processes = processes();
    std::string keys = word(std::uint64_t{1}) + word(std::uint64_t{2}) + word(std::uint64_t{3}) +
                       word(std::uint64_t{4});
    std::string values = std::string{"\1"} + "\x07" + "\xfb"; // of one byte: 7 and -5
    std::string rest{};

    [[nodiscard]] std::string body() const {
        return word(match) + word(std::int64_t{1'700'000'000'000'000'000}) + word(std::int64_t{9}) +
               word(std::uint32_t{2}) + word(is_cumulative) + text("alloc_space") + text("bytes") +
               word(std::uint8_t{0}) + text("inuse_space") + text("bytes") + text("space") +
               text("bytes") + of_processes + word(samples) + word(vanished) + keys + values + rest;
    }
};

inline parts parts_v2() {
    parts p;
    p.of_processes = "";
    return p;
}

inline parts parts_v1() {
    parts p = parts_v2();
    p.values = std::string{"\1"} + "\x0e" + "\x09"; // as varints, zigzag
    return p;
}

struct decoded {
    series kept;
    value_table table;
};

inline decoded decode(const std::string& state) {
    decoded out;
    decode_state(state, out.kept, out.table);
    return out;
}

inline bool is_malformed(const std::string& state) {
    return fails_as(error_kind::malformed, [&] { decode(state); }) &&
           fails_as(error_kind::malformed, [&] { static_cast<void>(read_state_info(state)); });
}

inline bool is_malformed(const parts& from) { return is_malformed(sealed(from.body())); }

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_STATE_BYTES_HPP
