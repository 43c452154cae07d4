// SPDX-License-Identifier: Apache-2.0
//
// For x86-64 with AVX-512 and its instructions that compress bytes (VBMI2).
#include "wire/packed_kinds.hpp"

#include <algorithm>

#include "wire/packed_numbers.hpp"
#include "wire/packed_values.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define PPROFDELTA_X86_64
#include <immintrin.h>
#endif

namespace pprofdelta {

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

constexpr std::size_t block = 64; // bytes that are decoded at a time

PPROFDELTA_AVX512 std::uint64_t lowest_bits(std::size_t count) {
    return _bzhi_u64(~0ULL, static_cast<unsigned>(std::min(count, block)));
}

// 64 bytes at a time. A load from k bytes further on has byte k of each varint where that varint
// begins. So compressing the places where varints begin makes one lane per varint. Where the next
// 64 bytes begin does not depend on the content of these, so no load waits for another. All 64
// lanes are always written, as a loop of varying length would cost more by a mispredicted branch.
// Lanes beyond the last number are 0.
PPROFDELTA_AVX512 std::size_t decode_ordinals_avx512(std::string_view packed, const char* /*limit*/,
                                                     std::size_t known,
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
    for (std::size_t offset = 0; offset < packed.size(); offset += block) {
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
            out += std::min(rest, block);
            continue;
        }
        const std::uint64_t first = ~(has_second << 1U | continued) & present;
        continued = has_second >> (block - 1);
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
            out = portable_kind.encode_numbers(out, numbers + i, taken);
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

struct continued_avx512 {
    PPROFDELTA_AVX512 unsigned operator()(const char* p) const noexcept {
        return static_cast<unsigned>(
            _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
    }
};

struct squeeze_avx512 {
    PPROFDELTA_AVX512 std::uint64_t operator()(std::uint64_t number, unsigned bits) const noexcept {
        return _pext_u64(number, _bzhi_u64(0x7f7f7f7f7f7f7f7f, bits));
    }
};

PPROFDELTA_AVX512 bool decode_few_avx512(std::string_view packed, const char* limit,
                                         std::int64_t* out, std::size_t count) noexcept {
    return decode_values(packed, limit, out, count, continued_avx512{}, squeeze_avx512{});
}

constexpr packed_kind avx512{"avx512", decode_ordinals_avx512, decode_few_avx512,
                             encode_numbers_avx512};

} // namespace

const packed_kind* avx512_kind() noexcept {
    const bool is_here =
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
        __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    return is_here ? &avx512 : nullptr;
}

#else

const packed_kind* avx512_kind() noexcept { return nullptr; }

#endif

} // namespace pprofdelta
