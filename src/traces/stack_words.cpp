// SPDX-License-Identifier: Apache-2.0
#include "traces/stack_words.hpp"

#include <algorithm>
#include <cstddef>

#include "profile/stack_key.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pprofdelta {

void fold_stack_portably(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept {
    std::uint64_t* const end = words + blocks(stack.size()) * words_per_block;
    const std::uint64_t* frame = stack.data();
    std::size_t left = stack.size();
    for (; left >= frames_per_word; left -= frames_per_word) {
        *words++ = fold_frames(frame[0], frame[1], frame[2], frame[3]);
        frame += frames_per_word;
    }
    if (left != 0) {
        *words++ = fold_frames(frame[0], left > 1 ? frame[1] : 0, left > 2 ? frame[2] : 0, 0);
    }
    std::fill(words, end, 0);
}

#if defined(__x86_64__)

namespace {

#define PPROFDELTA_AVX512 __attribute__((target("avx512f,avx512dq,bmi2")))

constexpr std::size_t lanes = 8;
constexpr auto all = static_cast<__mmask8>(0xff);

// Frames times their factors; zeros for those that are not `present`.
PPROFDELTA_AVX512 inline __m512i eight_terms(const std::uint64_t* frames, std::uint32_t present,
                                             __m512i factors) noexcept {
    return _mm512_mullo_epi64(_mm512_maskz_loadu_epi64(static_cast<__mmask8>(present), frames),
                              factors);
}

// The sums of two neighbours each.
PPROFDELTA_AVX512 inline __m512i sums_of_pairs(__m512i x, __m512i y) noexcept {
    return _mm512_add_epi64(_mm512_maskz_unpacklo_epi64(all, x, y),
                            _mm512_maskz_unpackhi_epi64(all, x, y));
}

// A block at a time. Frames that there are not are loaded as zeros, so no branch depends on the
// depth of a stack but that for the next block.
PPROFDELTA_AVX512 void fold_stack_avx512(std::span<const std::uint64_t> stack,
                                         std::uint64_t* words) noexcept {
    constexpr auto f1 = static_cast<long long>(fold1);
    constexpr auto f2 = static_cast<long long>(fold2);
    constexpr auto f3 = static_cast<long long>(fold3);
    const __m512i factors = _mm512_set_epi64(1, f1, f2, f3, 1, f1, f2, f3);
    const __m512i order = _mm512_set_epi64(7, 5, 6, 4, 3, 1, 2, 0);
    for (std::size_t frame = 0; frame < stack.size(); frame += frames_per_block) {
        const std::size_t left = std::min(stack.size() - frame, frames_per_block);
        const std::uint32_t present = _bzhi_u32(~0U, static_cast<unsigned>(left));
        const std::uint64_t* const p = stack.data() + frame;
        const __m512i a = eight_terms(p + 0 * lanes, present >> (0U * lanes), factors);
        const __m512i b = eight_terms(p + 1 * lanes, present >> (1U * lanes), factors);
        const __m512i c = eight_terms(p + 2 * lanes, present >> (2U * lanes), factors);
        const __m512i d = eight_terms(p + 3 * lanes, present >> (3U * lanes), factors);
        // Sums of two neighbours, and then of two neighbours among these.
        const __m512i ab = sums_of_pairs(a, b);
        const __m512i cd = sums_of_pairs(c, d);
        const __m512i sums = _mm512_add_epi64(_mm512_maskz_shuffle_i64x2(all, ab, cd, 0x88),
                                              _mm512_maskz_shuffle_i64x2(all, ab, cd, 0xdd));
        _mm512_storeu_si512(words, _mm512_maskz_permutexvar_epi64(all, order, sums));
        words += words_per_block;
    }
}

// False until it is known, which does no harm.
const bool use_avx512 =
    __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("bmi2") != 0;

} // namespace

void fold_stack(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept {
    if (use_avx512) {
        fold_stack_avx512(stack, words);
    } else {
        fold_stack_portably(stack, words);
    }
}

#else

void fold_stack(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept {
    fold_stack_portably(stack, words);
}

#endif

} // namespace pprofdelta
