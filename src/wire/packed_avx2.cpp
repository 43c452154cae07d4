// SPDX-License-Identifier: Apache-2.0
//
// This kind is for x86-64 with AVX2.
#include "wire/packed_kinds.hpp"

#include <algorithm>
#include <limits>

#include "wire/packed_numbers.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define PPROFDELTA_X86_64
#include <immintrin.h>
#endif

namespace pprofdelta {

#ifdef PPROFDELTA_X86_64

namespace {

#define PPROFDELTA_AVX2 __attribute__((target("avx2,bmi2,popcnt")))
#define PPROFDELTA_AVX2_INLINE [[gnu::always_inline]] PPROFDELTA_AVX2 inline

// A shuffle for each set of places among eight bytes, which makes a lane of each place, of the byte
// there and the two that follow it.
using lane_shuffle = std::array<std::uint8_t, 32>;

constexpr std::array<lane_shuffle, 256> make_lane_shuffles() {
    std::array<lane_shuffle, 256> all{};
    for (unsigned places = 0; places < all.size(); ++places) {
        all[places].fill(no_byte);
        std::size_t lane = 0;
        for (unsigned place = 0; place < 8; ++place) {
            if ((places >> place & 1U) != 0) {
                for (unsigned byte = 0; byte < 3; ++byte) {
                    all[places][4 * lane + byte] = static_cast<std::uint8_t>(place + byte);
                }
                ++lane;
            }
        }
    }
    return all;
}

alignas(32) constexpr std::array<lane_shuffle, 256> lane_shuffles = make_lane_shuffles();

constexpr std::size_t window = 16; // bytes of which the eighth bits are looked at together

// Numbers that begin in a window, from the lanes of eight bytes at a time. The start of a window
// does not depend on the content of those before, and nothing is looked at before the end, so no
// step waits for another.
class ordinal_lanes {
public:
    PPROFDELTA_AVX2_INLINE explicit ordinal_lanes(std::uint32_t* out) noexcept : m_out{out} {}

    // The numbers that begin at `places` among the eight bytes at `p`. All eight lanes are written;
    // those without a number are 0.
    PPROFDELTA_AVX2_INLINE void add(const char* p, unsigned places) noexcept {
        const __m256i stops = _mm256_set1_epi32(static_cast<int>(0x80808080));
        const __m256i seven_bits = _mm256_set1_epi32(0x7f7f7f7f);
        const __m256i low_pairs = _mm256_set1_epi16(static_cast<short>(0x8001)); // 1 and 128
        const __m256i high_pairs = _mm256_set1_epi32(0x40000001);                // 1 and 128 * 128
        const auto* const shuffle = reinterpret_cast<const __m256i*>(lane_shuffles[places].data());
        const __m256i bytes =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
        const __m256i three = _mm256_shuffle_epi8(bytes, _mm256_load_si256(shuffle));
        // The eighth bits that are not set. The lowest one is that of the byte that ends the
        // number, and all bits up to it are kept. The fourth byte is 0, so there is always one.
        const __m256i ends = _mm256_andnot_si256(three, stops);
        const __m256i kept = _mm256_xor_si256(ends, _mm256_add_epi32(ends, _mm256_set1_epi32(-1)));
        const __m256i sevens = _mm256_and_si256(_mm256_and_si256(three, kept), seven_bits);
        const __m256i numbers =
            _mm256_madd_epi16(_mm256_maddubs_epi16(low_pairs, sevens), high_pairs);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(m_out), numbers);
        m_out += __builtin_popcount(places);
        m_longest = _mm256_or_si256(m_longest, kept);
        m_highest = _mm256_max_epu32(m_highest, numbers);
        const __m256i is_zero = _mm256_cmpeq_epi32(numbers, _mm256_setzero_si256());
        m_zeros = _mm256_sub_epi32(m_zeros, is_zero);
        m_lanes += lanes;
    }

    // Whether all numbers had at most three bytes, and were within 1 and `known`.
    PPROFDELTA_AVX2_INLINE bool are_within(std::size_t known, std::size_t count) const noexcept {
        constexpr std::size_t max_limit = std::numeric_limits<std::uint32_t>::max();
        const __m256i limit = _mm256_set1_epi32(static_cast<int>(std::min(known, max_limit)));
        const __m256i is_within = _mm256_cmpeq_epi32(_mm256_max_epu32(m_highest, limit), limit);
        const __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(m_zeros), _mm256_extracti128_si256(m_zeros, 1));
        const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        const auto zero_lanes = static_cast<std::uint32_t>(_mm_cvtsi128_si32(two)) +
                                static_cast<std::uint32_t>(_mm_extract_epi32(two, 1));
        return _mm256_movemask_epi8(is_within) == -1 &&
               _mm256_movemask_ps(_mm256_castsi256_ps(m_longest)) == 0 &&
               zero_lanes + count == m_lanes;
    }

    // Writes zeros_behind zeros, and returns the end of the numbers.
    PPROFDELTA_AVX2_INLINE std::uint32_t* end() noexcept {
        for (std::size_t i = 0; i < zeros_behind; i += lanes) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(m_out + i), _mm256_setzero_si256());
        }
        return m_out;
    }

private:
    static constexpr std::size_t lanes = 8;

    std::uint32_t* m_out;
    std::size_t m_lanes = 0;                    // that were written
    __m256i m_longest = _mm256_setzero_si256(); // the highest bit is set for more than three bytes
    __m256i m_highest = _mm256_setzero_si256();
    __m256i m_zeros = _mm256_setzero_si256(); // how many of the lanes were 0
};

PPROFDELTA_AVX2 std::size_t decode_ordinals_avx2(std::string_view packed, const char* limit,
                                                 std::size_t known, std::uint32_t* out) noexcept {
    constexpr std::size_t half = window / 2;
    constexpr std::size_t read_ahead = half + sizeof(__m128i); // from the start of a window
    const char* const begin = packed.data();
    if (static_cast<std::size_t>(limit - begin) < packed.size() + read_ahead) {
        return portable_kind.decode_ordinals(packed, limit, known, out);
    }
    if (!packed.empty() && static_cast<unsigned char>(packed.back()) >= 0x80) {
        return not_decoded; // cut short
    }
    ordinal_lanes numbers{out};
    unsigned continued = 0; // 1 if the first byte belongs to the previous number
    for (std::size_t offset = 0; offset < packed.size(); offset += window) {
        const char* const p = begin + offset;
        const auto more = static_cast<unsigned>(
            _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
        const std::size_t rest = std::min(packed.size() - offset, window);
        const unsigned first = _bzhi_u32(~(more << 1U | continued), static_cast<unsigned>(rest));
        continued = more >> (window - 1) & 1U;
        numbers.add(p, first & 0xffU);
        numbers.add(p + half, first >> half);
    }
    std::uint32_t* const end = numbers.end();
    const auto count = static_cast<std::size_t>(end - out);
    return numbers.are_within(known, count) ? count : not_decoded;
}

// Removes the eighth bit of each byte of two numbers, and what follows the byte that ends each. The
// method is that of ordinal_lanes::add(), with lanes of 64 bits. (pext would take hundreds of
// cycles on the first processors of AMD that have it.)
PPROFDELTA_AVX2_INLINE __m128i squeeze_two(__m128i bytes) noexcept {
    const __m128i stops = _mm_set1_epi8(static_cast<char>(0x80));
    const __m128i ends = _mm_andnot_si128(bytes, stops);
    const __m128i kept = _mm_xor_si128(ends, _mm_add_epi64(ends, _mm_set1_epi64x(-1)));
    const __m128i sevens = _mm_and_si128(_mm_and_si128(bytes, kept), _mm_set1_epi8(0x7f));
    const __m128i fourteens = _mm_maddubs_epi16(_mm_set1_epi16(static_cast<short>(0x8001)), sevens);
    const __m128i halves = _mm_madd_epi16(fourteens, _mm_set1_epi32(0x40000001));
    return _mm_or_si128(_mm_and_si128(halves, _mm_set1_epi64x(0xffffffff)),
                        _mm_slli_epi64(_mm_srli_epi64(halves, 32), 28));
}

PPROFDELTA_AVX2 bool decode_few_avx2(std::string_view packed, const char* limit, std::int64_t* out,
                                     std::size_t count) noexcept {
    if (!has_room_for_values(packed, limit)) {
        return false;
    }
    const char* const p = packed.data();
    const auto more = static_cast<unsigned>(
        _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
    unsigned last = 0;
    if (!find_ends(more, packed.size(), count, last)) {
        return false;
    }
    const char* next = p;
    const auto take = [&] {
        const auto number = static_cast<long long>(load_word(next));
        next = p + std::countr_zero(last) + 1;
        last &= last - 1;
        return number;
    };
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const long long first = take();
        const long long second = take();
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                         squeeze_two(_mm_set_epi64x(second, first)));
    }
    if (i < count) {
        out[i] = _mm_cvtsi128_si64(squeeze_two(_mm_set_epi64x(0, take())));
    }
    return true;
}

PPROFDELTA_AVX2 char* encode_numbers_avx2(char* out, const std::uint32_t* numbers,
                                          std::size_t count) noexcept {
    constexpr std::size_t lanes = 4;
    const __m128i too_long = _mm_set1_epi32(static_cast<int>(0xffe00000));
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const __m128i n = _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + i));
        if (_mm_testz_si128(n, too_long) == 0) {
            out = portable_kind.encode_numbers(out, numbers + i, lanes);
            continue;
        }
        const __m128i has_second = _mm_cmpgt_epi32(n, _mm_set1_epi32(0x7f));
        const __m128i has_third = _mm_cmpgt_epi32(n, _mm_set1_epi32(0x3fff));
        const __m128i first = _mm_and_si128(n, _mm_set1_epi32(0x7f));
        const __m128i second = _mm_and_si128(_mm_slli_epi32(n, 1), _mm_set1_epi32(0x7f00));
        const __m128i third = _mm_and_si128(_mm_slli_epi32(n, 2), _mm_set1_epi32(0x7f0000));
        const __m128i more = _mm_or_si128(_mm_and_si128(has_second, _mm_set1_epi32(0x80)),
                                          _mm_and_si128(has_third, _mm_set1_epi32(0x8000)));
        const __m128i bytes = _mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, more));
        const auto lengths =
            static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(has_second)) |
                                  _mm_movemask_ps(_mm_castsi128_ps(has_third)) << 4);
        const auto* const shuffle = reinterpret_cast<const __m128i*>(byte_shuffles[lengths].data());
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                         _mm_shuffle_epi8(bytes, _mm_load_si128(shuffle)));
        out += lanes + static_cast<unsigned>(__builtin_popcount(lengths));
    }
    return portable_kind.encode_numbers(out, numbers + i, count - i);
}

constexpr packed_kind avx2{"avx2", decode_ordinals_avx2, decode_few_avx2, encode_numbers_avx2};

} // namespace

const packed_kind* avx2_kind() noexcept {
    const bool is_here = __builtin_cpu_supports("avx2") != 0 &&
                         __builtin_cpu_supports("bmi2") != 0 &&
                         __builtin_cpu_supports("popcnt") != 0;
    return is_here ? &avx2 : nullptr;
}

#else

const packed_kind* avx2_kind() noexcept { return nullptr; }

#endif

} // namespace pprofdelta
