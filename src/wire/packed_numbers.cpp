// SPDX-License-Identifier: Apache-2.0
#include "wire/packed_numbers.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define PPROFDELTA_X86_64
#include <immintrin.h>
#endif

namespace pprofdelta {

std::size_t decode_ordinals_portably(std::string_view packed, std::size_t known,
                                     std::uint32_t* out) noexcept {
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

char* encode_numbers_portably(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        out = encode_varint(out, numbers[i]);
    }
    return out;
}

#ifdef PPROFDELTA_X86_64

namespace {

#define PPROFDELTA_AVX512                                                                          \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi2,popcnt")))

// The forms with a mask of all lanes avoid a warning of GCC 12 about its own headers.
template <int Part>
PPROFDELTA_AVX512 __m512i widen(__m512i bytes) {
    return _mm512_maskz_cvtepu8_epi32(0xffff, _mm512_maskz_extracti32x4_epi32(0xf, bytes, Part));
}

template <unsigned Bits>
PPROFDELTA_AVX512 __m512i shift_left(__m512i numbers) {
    return _mm512_maskz_slli_epi32(0xffff, numbers, Bits);
}

// Sixteen numbers, of up to three times seven bits.
template <int Part>
PPROFDELTA_AVX512 __m512i combine(__m512i low, __m512i middle, __m512i high) {
    return _mm512_or_si512(widen<Part>(low), _mm512_or_si512(shift_left<7>(widen<Part>(middle)),
                                                             shift_left<14>(widen<Part>(high))));
}

PPROFDELTA_AVX512 void store_lanes(std::uint32_t* out, __m512i a, __m512i b, __m512i c, __m512i d) {
    _mm512_storeu_si512(out, a);
    _mm512_storeu_si512(out + 16, b);
    _mm512_storeu_si512(out + 32, c);
    _mm512_storeu_si512(out + 48, d);
}

constexpr std::size_t window = 64; // bytes that are decoded at a time

PPROFDELTA_AVX512 std::uint64_t lowest_bits(std::size_t count) {
    return _bzhi_u64(~0ULL, static_cast<unsigned>(std::min(count, window)));
}

// 64 bytes at a time. A load from k bytes further on has byte k of each varint where that varint
// begins. So compressing the places where varints begin makes one lane per varint. Where the next
// 64 bytes begin does not depend on the content of these, so no load waits for another. All 64
// lanes are always written, as a loop of varying length would cost more by a mispredicted branch.
// Lanes beyond the last number are 0.
PPROFDELTA_AVX512 std::size_t decode_ordinals_avx512(std::string_view packed, std::size_t known,
                                                     std::uint32_t* out) noexcept {
    constexpr std::size_t three_bytes = 0x1fffff;
    constexpr __mmask16 all = 0xffff;
    const __m512i seven_bits = _mm512_set1_epi8(0x7f);
    const __m512i highest = _mm512_set1_epi32(static_cast<int>(std::min(known, three_bytes)));
    const __m512i highest_byte =
        _mm512_set1_epi8(static_cast<char>(std::min<std::size_t>(known, 0x7f)));
    if (!packed.empty() && static_cast<unsigned char>(packed.back()) >= 0x80) {
        return not_decoded; // cut short
    }
    std::uint32_t* const start = out;
    std::uint64_t continued = 0; // 1 if the first byte belongs to the previous number
    for (std::size_t offset = 0; offset < packed.size(); offset += window) {
        const char* const p = packed.data() + offset;
        const std::size_t rest = packed.size() - offset;
        const std::uint64_t present = lowest_bits(rest);
        const __m512i byte0 = _mm512_maskz_loadu_epi8(present, p);
        const std::uint64_t has_second = _mm512_movepi8_mask(byte0);
        if ((has_second | continued) == 0) {
            // Numbers of one byte each.
            if ((_mm512_mask_testn_epi8_mask(present, byte0, byte0) |
                 _mm512_cmpgt_epu8_mask(byte0, highest_byte)) != 0) {
                return not_decoded;
            }
            store_lanes(out, widen<0>(byte0), widen<1>(byte0), widen<2>(byte0), widen<3>(byte0));
            out += std::min(rest, window);
            continue;
        }
        const std::uint64_t first = ~(has_second << 1U | continued) & present;
        continued = has_second >> (window - 1);
        const __m512i byte1 = _mm512_maskz_loadu_epi8(has_second, p + 1);
        const std::uint64_t has_third = first & _mm512_movepi8_mask(byte1);
        const __m512i low = _mm512_maskz_compress_epi8(first, _mm512_and_si512(byte0, seven_bits));
        const __m512i middle =
            _mm512_maskz_compress_epi8(first, _mm512_and_si512(byte1, seven_bits));
        __m512i high = _mm512_setzero_si512();
        if (has_third != 0) {
            // Its eighth bit is kept, so that a number of four bytes or more is too high.
            high = _mm512_maskz_compress_epi8(first, _mm512_maskz_loadu_epi8(has_third, p + 2));
        }
        const auto count = static_cast<std::size_t>(__builtin_popcountll(first));
        const __m512i any = _mm512_or_si512(low, _mm512_or_si512(middle, high));
        const __m512i a = combine<0>(low, middle, high);
        const __m512i b = combine<1>(low, middle, high);
        const __m512i c = combine<2>(low, middle, high);
        const __m512i d = combine<3>(low, middle, high);
        store_lanes(out, a, b, c, d);
        const __m512i largest = _mm512_maskz_max_epu32(all, _mm512_maskz_max_epu32(all, a, b),
                                                       _mm512_maskz_max_epu32(all, c, d));
        if (_mm512_cmpgt_epu32_mask(largest, highest) != 0 ||
            _mm512_test_epi8_mask(any, any) != lowest_bits(count)) {
            return not_decoded;
        }
        out += count;
    }
    static_assert(zeros_behind == 32);
    _mm512_storeu_si512(out, _mm512_setzero_si512());
    _mm512_storeu_si512(out + 16, _mm512_setzero_si512());
    return static_cast<std::size_t>(out - start);
}

// Sixteen numbers at a time: the bytes of each are made in a lane of 32 bits, and then the bytes
// that are needed are compressed.
PPROFDELTA_AVX512 char* encode_numbers_avx512(char* out, const std::uint32_t* numbers,
                                              std::size_t count) noexcept {
    constexpr std::uint64_t first_bytes = 0x1111111111111111;
    constexpr std::size_t lanes = 16;
    for (std::size_t i = 0; i < count; i += lanes) {
        const std::size_t taken = std::min(count - i, lanes);
        const auto present = static_cast<__mmask16>(_bzhi_u32(~0U, static_cast<unsigned>(taken)));
        const __m512i n = _mm512_maskz_loadu_epi32(present, numbers + i);
        const __mmask16 has_second = _mm512_cmpge_epu32_mask(n, _mm512_set1_epi32(0x80));
        const __mmask16 has_third = _mm512_cmpge_epu32_mask(n, _mm512_set1_epi32(0x4000));
        if (_mm512_cmpge_epu32_mask(n, _mm512_set1_epi32(0x200000)) != 0) {
            out = encode_numbers_portably(out, numbers + i, taken);
            continue;
        }
        const __m512i first = _mm512_and_si512(n, _mm512_set1_epi32(0x7f));
        const __m512i second = _mm512_and_si512(shift_left<1>(n), _mm512_set1_epi32(0x7f00));
        const __m512i third = _mm512_and_si512(shift_left<2>(n), _mm512_set1_epi32(0x7f0000));
        __m512i bytes = _mm512_or_si512(_mm512_or_si512(first, second), third);
        bytes = _mm512_mask_or_epi32(bytes, has_second, bytes, _mm512_set1_epi32(0x80));
        bytes = _mm512_mask_or_epi32(bytes, has_third, bytes, _mm512_set1_epi32(0x8000));
        const std::uint64_t needed = _pdep_u64(present, first_bytes) |
                                     _pdep_u64(has_second, first_bytes << 1U) |
                                     _pdep_u64(has_third, first_bytes << 2U);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(needed, bytes));
        out += __builtin_popcountll(needed);
    }
    return out;
}

// Sixteen bytes at a time: it is known at once which of them end a varint, so later steps do not
// wait for earlier ones. `squeeze` removes the eighth bit of each byte, and all bits from a given
// one on.
template <typename Squeeze>
[[gnu::always_inline]] inline bool decode_values(std::string_view packed, const char* limit,
                                                 std::int64_t* out, std::size_t count,
                                                 Squeeze&& squeeze) noexcept {
    constexpr std::size_t most = 16;
    constexpr unsigned word = 8;
    const char* const p = packed.data();
    if (packed.size() > most || limit - p < static_cast<std::ptrdiff_t>(most + word)) {
        return false;
    }
    __m128i bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    const unsigned present = (1U << packed.size()) - 1U;
    // The bytes that end a varint, and those that do not.
    unsigned last = ~static_cast<unsigned>(_mm_movemask_epi8(bytes)) & present;
    const unsigned more = ~last & present;
    unsigned many = more & more >> 1U;
    many &= many >> 2U;
    many &= many >> 4U; // eight in a row
    const bool is_cut_short = more > last;
    if (many != 0 || is_cut_short || static_cast<std::size_t>(__builtin_popcount(last)) != count) {
        return false;
    }
    unsigned start = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned end = 8U * static_cast<unsigned>(__builtin_ctz(last)) + 8U; // in bits
        last &= last - 1;
        std::uint64_t number = 0;
        std::memcpy(&number, p + start / 8U, sizeof number);
        out[i] = static_cast<std::int64_t>(squeeze(number, end - start));
        start = end;
    }
    return true;
}

// First for pairs of bytes, then for pairs of pairs, and so on.
std::uint64_t squeeze_portably(std::uint64_t number, unsigned bits) {
    number &= ~std::uint64_t{0} >> (64U - bits);
    number = (number & 0x007f007f007f007f) | (number & 0x7f007f007f007f00) >> 1U;
    number = (number & 0x00003fff00003fff) | (number & 0x3fff00003fff0000) >> 2U;
    return (number & 0x000000000fffffff) | (number & 0x0fffffff00000000) >> 4U;
}

struct squeeze_bmi2 {
    __attribute__((target("bmi2,popcnt"))) std::uint64_t operator()(std::uint64_t number,
                                                                    unsigned bits) const {
        return _pext_u64(number, _bzhi_u64(0x7f7f7f7f7f7f7f7f, bits));
    }
};

__attribute__((target("bmi2,popcnt"))) bool decode_values_bmi2(std::string_view packed,
                                                               const char* limit, std::int64_t* out,
                                                               std::size_t count) noexcept {
    return decode_values(packed, limit, out, count, squeeze_bmi2{});
}

// False until they are initialized, which does no harm.
const bool use_avx512 =
    __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
    __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("bmi2") != 0;
const bool use_bmi2 = __builtin_cpu_supports("bmi2") != 0;

} // namespace

std::size_t decode_ordinals(std::string_view packed, std::size_t known,
                            std::uint32_t* out) noexcept {
    return use_avx512 ? decode_ordinals_avx512(packed, known, out)
                      : decode_ordinals_portably(packed, known, out);
}

char* encode_numbers(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    return use_avx512 ? encode_numbers_avx512(out, numbers, count)
                      : encode_numbers_portably(out, numbers, count);
}

bool decode_few(std::string_view packed, const char* limit, std::int64_t* out,
                std::size_t count) noexcept {
    return use_bmi2 ? decode_values_bmi2(packed, limit, out, count)
                    : decode_values(packed, limit, out, count, squeeze_portably);
}

#else

std::size_t decode_ordinals(std::string_view packed, std::size_t known,
                            std::uint32_t* out) noexcept {
    return decode_ordinals_portably(packed, known, out);
}

char* encode_numbers(char* out, const std::uint32_t* numbers, std::size_t count) noexcept {
    return encode_numbers_portably(out, numbers, count);
}

bool decode_few(std::string_view /*packed*/, const char* /*limit*/, std::int64_t* /*out*/,
                std::size_t /*count*/) noexcept {
    return false;
}

#endif

} // namespace pprofdelta
