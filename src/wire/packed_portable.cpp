// SPDX-License-Identifier: Apache-2.0
//
// This kind is for any processor.
#include "wire/packed_kinds.hpp"

#include <algorithm>

#include "wire/packed_numbers.hpp"

namespace pprofdelta {

namespace {

// Byte by byte. Words of 64 bits, with the places of numbers from their eighth bits, are slower:
// branches predict well how long ids are, and nothing is left to gain from doing without.
std::size_t decode_ordinals_portably(std::string_view packed, const char* /*limit*/,
                                     std::size_t known, std::uint32_t* out) noexcept {
    constexpr std::uint32_t more = 0x80; // set in all bytes of a varint but the last
    const auto byte_at = [](const char* byte) -> std::uint32_t {
        return static_cast<unsigned char>(*byte);
    };
    const char* p = packed.data();
    const char* const end = p + packed.size();
    std::uint32_t* const start = out;
    while (p != end) {
        std::uint32_t number = byte_at(p++);
        if (number >= more) {
            if (p == end) {
                return not_decoded;
            }
            std::uint32_t next = byte_at(p++);
            number = (number & 0x7fU) | next << 7U;
            if (next >= more) {
                if (p == end) {
                    return not_decoded;
                }
                next = byte_at(p++);
                if (next >= more) {
                    return not_decoded;
                }
                number = (number & 0x3fffU) | next << 14U;
            }
        }
        if (std::size_t{number} - 1 >= known) {
            return not_decoded;
        }
        *out++ = number;
    }
    std::fill_n(out, zeros_behind, 0);
    return static_cast<std::size_t>(out - start);
}

// The eighth bits of eight bytes: the product moves that of byte i to bit 56 + i.
unsigned continued_in_word(const char* p) noexcept {
    return static_cast<unsigned>(((load_word(p) >> 7U & 0x0101010101010101) * 0x0102040810204080) >>
                                 56U);
}

// Sixteen bytes at a time: it is known at once which of them end a varint, so later steps do not
// wait for earlier ones.
bool decode_few_portably(std::string_view packed, const char* limit, std::int64_t* out,
                         std::size_t count) noexcept {
    if (!has_room_for_values(packed, limit)) {
        return false;
    }
    const char* const p = packed.data();
    unsigned last = 0;
    if (!find_ends(continued_in_word(p) | continued_in_word(p + 8) << 8U, packed.size(), count,
                   last)) {
        return false;
    }
    unsigned start = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned end = 8U * static_cast<unsigned>(std::countr_zero(last)) + 8U; // in bits
        last &= last - 1;
        out[i] = static_cast<std::int64_t>(squeeze(load_word(p + start / 8U), end - start));
        start = end;
    }
    return true;
}

char* encode_numbers_portably(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        out = encode_varint(out, numbers[i]);
    }
    return out;
}

} // namespace

constinit const packed_kind portable_kind{"portable", decode_ordinals_portably, decode_few_portably,
                                          encode_numbers_portably};

} // namespace pprofdelta
