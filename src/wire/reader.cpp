// SPDX-License-Identifier: Apache-2.0
#include "wire/reader.hpp"

#include <bit>

#include <protozero/exception.hpp>

#include <pprofdelta/error.hpp>

#include "wire/packed_kinds.hpp"

namespace pprofdelta {

namespace {

// Apart from what is usual, which then needs no registers to be saved.
[[gnu::cold, gnu::noinline]] decoded_varint
decode_rare_varint(const char* position, const char* end, const char* start, const char* profile) {
    const char* fault = "a varint has more than 10 bytes";
    try {
        const std::uint64_t number = protozero::decode_varint(&position, end);
        return {number, position};
    } catch (const protozero::varint_too_long_exception&) {
    } catch (const protozero::end_of_buffer_exception&) {
        fault = "the data ends within a field";
    }
    throw error{error_kind::malformed, fault, static_cast<std::uint64_t>(start - profile)};
}

} // namespace

decoded_varint decode_long_varint(const char* position, const char* end, const char* start,
                                  const char* profile) {
    if (end - position >= 2 && (position[0] & 0x80) != 0 && (position[1] & 0x80) == 0) {
        const auto low = static_cast<std::uint64_t>(position[0]) & 0x7fU;
        return {low | static_cast<std::uint64_t>(position[1]) << 7U, position + 2};
    }
    // All bytes of up to eight at once, as addresses mostly have more than three.
    constexpr std::ptrdiff_t word = 8;
    if (end - position >= word) {
        const std::uint64_t bytes = load_word(position);
        const std::uint64_t ends = ~bytes & 0x8080808080808080;
        if (ends != 0) {
            const auto bits = static_cast<unsigned>(std::countr_zero(ends)) + 1;
            return {squeeze(bytes, bits), position + bits / 8};
        }
    }
    return decode_rare_varint(position, end, start, profile);
}

void message_reader::skip() {
    switch (m_type) {
    case protozero::pbf_wire_type::varint:
        read_varint();
        break;
    case protozero::pbf_wire_type::length_delimited:
        take(read_varint());
        break;
    case protozero::pbf_wire_type::fixed64:
        take(sizeof(std::uint64_t));
        break;
    case protozero::pbf_wire_type::fixed32:
        take(sizeof(std::uint32_t));
        break;
    default:
        fail("a field has a wire type that profiles do not use");
    }
}

void message_reader::fail(const std::string& what) const {
    throw error{error_kind::malformed, what, static_cast<std::uint64_t>(m_start - m_profile)};
}

void message_reader::fail_number() const { fail("a field has an invalid number"); }

void message_reader::fail_type(const char* expected) const {
    fail("field " + std::to_string(m_number) + " is not " + expected);
}

void message_reader::fail_length(std::uint64_t length) const {
    fail("a field of " + std::to_string(length) + " bytes reaches past the end");
}

} // namespace pprofdelta
