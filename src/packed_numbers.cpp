// SPDX-License-Identifier: Apache-2.0
#include "packed_numbers.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define PPROFDELTA_HAS_AVX512
#include <immintrin.h>
#endif

namespace pprofdelta {

namespace {

std::uint32_t byte_at(const char* p) { return static_cast<unsigned char>(*p); }

constexpr std::uint32_t more = 0x80; // set in all bytes of a varint but the last

} // namespace

bool decode_few(std::string_view packed, const char* limit, std::int64_t* out,
                std::size_t count) noexcept {
#ifdef __SSE2__
    constexpr std::size_t most = 16;
    constexpr unsigned word = 8;
    const char* const p = packed.data();
    if (packed.size() > most || limit - p < static_cast<std::ptrdiff_t>(most + word)) {
        return false;
    }
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    unsigned last = ~static_cast<unsigned>(_mm_movemask_epi8(bytes)) &
                    ((1U << packed.size()) - 1U); // bytes that end a varint
    unsigned start = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (last == 0) {
            return false;
        }
        const unsigned end = static_cast<unsigned>(__builtin_ctz(last)) + 1;
        last &= last - 1;
        if (end - start > word) {
            return false;
        }
        std::uint64_t number = 0;
        std::memcpy(&number, p + start, sizeof number);
        number &= ~std::uint64_t{0} >> (8 * (word - (end - start)));
        // Squeezes out the eighth bits: of pairs of bytes, of pairs of pairs, and so on.
        number = (number & 0x007f007f007f007f) | (number & 0x7f007f007f007f00) >> 1U;
        number = (number & 0x00003fff00003fff) | (number & 0x3fff00003fff0000) >> 2U;
        number = (number & 0x000000000fffffff) | (number & 0x0fffffff00000000) >> 4U;
        out[i] = static_cast<std::int64_t>(number);
        start = end;
    }
    return start == packed.size();
#else
    (void)packed, (void)limit, (void)out, (void)count;
    return false;
#endif
}

std::size_t decode_packed_portably(std::string_view packed, std::uint32_t* out) noexcept {
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
        *out++ = number;
    }
    return static_cast<std::size_t>(out - start);
}

#ifdef PPROFDELTA_HAS_AVX512

namespace {

#define PPROFDELTA_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2")))

// The forms with a mask of all lanes spare GCC 12 a warning about its own headers.
PPROFDELTA_AVX512 __m512i widen(__m512i bytes) {
    return _mm512_maskz_cvtepu8_epi32(0xffff, _mm512_maskz_extracti32x4_epi32(0xf, bytes, 0));
}

template <unsigned Bits>
PPROFDELTA_AVX512 __m512i shift_left(__m512i numbers) {
    return _mm512_maskz_slli_epi32(0xffff, numbers, Bits);
}

PPROFDELTA_AVX512 __m512i next_sixteen(__m512i bytes) {
    return _mm512_maskz_shuffle_i64x2(0xff, bytes, bytes, 0x39);
}

// Up to 64 bytes at a time. Byte k of every varint is found at its first byte's place in a load
// from k bytes further on, so pressing the first bytes' places together makes one lane per varint.
PPROFDELTA_AVX512 std::size_t decode_packed_avx512(std::string_view packed,
                                                   std::uint32_t* out) noexcept {
    const __m512i seven_bits = _mm512_set1_epi8(0x7f);
    const char* p = packed.data();
    const char* const end = p + packed.size();
    std::uint32_t* const start = out;
    while (p != end) {
        const auto rest = static_cast<std::size_t>(end - p);
        const std::uint64_t present = rest >= 64 ? ~0ULL : (1ULL << rest) - 1;
        const __m512i byte0 = _mm512_maskz_loadu_epi8(present, p);
        const std::uint64_t has_second = _mm512_movepi8_mask(byte0);
        const std::uint64_t has_third = has_second & has_second >> 1U;
        if ((has_third & has_second >> 2U) != 0) {
            return not_decoded; // four bytes or more
        }
        std::uint64_t first = ~(has_second << 1U) & present;
        std::size_t taken = rest;
        if (rest > 64) {
            // What starts in the last two bytes may reach beyond them: left for the next round.
            first &= ~0ULL >> 2U;
            const auto last = 63U - static_cast<unsigned>(__builtin_clzll(first));
            taken = last + 1 + (has_second >> last & 1U) + (has_third >> last & 1U);
        } else if ((has_second >> (rest - 1) & 1U) != 0) {
            return not_decoded; // cut short
        }
        if (has_second == 0) {
            // The most common case, and nothing to press together.
            __m512i numbers = byte0;
            for (std::size_t i = 0; i < rest && i < 64; i += 16) {
                _mm512_storeu_si512(out + i, widen(numbers));
                numbers = next_sixteen(numbers);
            }
            taken = rest < 64 ? rest : 64;
            out += taken;
            p += taken;
            continue;
        }
        const __m512i byte1 = _mm512_maskz_loadu_epi8(has_second & present >> 1U, p + 1);
        __m512i low = _mm512_maskz_compress_epi8(first, _mm512_and_si512(byte0, seven_bits));
        __m512i middle = _mm512_maskz_compress_epi8(first, _mm512_and_si512(byte1, seven_bits));
        __m512i high = _mm512_setzero_si512();
        if ((first & has_third) != 0) {
            const __m512i byte2 = _mm512_maskz_loadu_epi8(has_third & present >> 2U, p + 2);
            high = _mm512_maskz_compress_epi8(first, byte2);
        }
        const auto count = static_cast<unsigned>(__builtin_popcountll(first));
        for (unsigned i = 0; i < count; i += 16) {
            const __m512i numbers =
                _mm512_or_si512(widen(low), _mm512_or_si512(shift_left<7>(widen(middle)),
                                                            shift_left<14>(widen(high))));
            _mm512_storeu_si512(out + i, numbers);
            low = next_sixteen(low);
            middle = next_sixteen(middle);
            high = next_sixteen(high);
        }
        out += count;
        p += taken;
    }
    return static_cast<std::size_t>(out - start);
}

// False until it is known, which does no harm.
const bool use_avx512 = [] {
    return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512vbmi2") != 0;
}();

} // namespace

#endif

std::size_t decode_packed(std::string_view packed, std::uint32_t* out) noexcept {
#ifdef PPROFDELTA_HAS_AVX512
    return use_avx512 ? decode_packed_avx512(packed, out) : decode_packed_portably(packed, out);
#else
    return decode_packed_portably(packed, out);
#endif
}

} // namespace pprofdelta
