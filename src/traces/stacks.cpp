// SPDX-License-Identifier: Apache-2.0
#include "traces/stacks.hpp"

#include <algorithm>
#include <cstddef>

#include "base/memory.hpp"
#include "profile/samples.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

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

namespace {

hash128 hash_of(const label& l) {
    return hash_label(hash_bytes(l.key), hash_bytes(l.text), hash_bytes(l.unit),
                      static_cast<std::uint64_t>(l.number));
}

} // namespace

void trace_batch::start(std::span<const label> labels, std::size_t value_count, std::size_t room) {
    m_labels = labels;
    m_label_sum = {};
    for (const label& l : labels) {
        add_label_hash(m_label_sum, hash_of(l));
    }
    m_value_count = value_count;
    m_size = 0;
    // Each by its own size: of the calls before, some may have run out of memory in between.
    grow_to(m_traces, room);
    grow_to(m_entries, room);
    grow_to(m_values, room * value_count);
}

std::int64_t* trace_batch::add(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                               std::int64_t block_size) {
    m_traces[m_size] = {make_key(stack, stack_id, block_size), stack, block_size};
    return m_values.data() + m_size++ * m_value_count;
}

hash128 trace_batch::make_key(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                              std::int64_t block_size) {
    // The words of an id are more than those of a stack without frames, and fewer than of others.
    const bool has_id = stack_id != 0;
    const std::size_t stack_words = has_id ? 1 : blocks(stack.size()) * words_per_block;
    const std::size_t words = stack_words + tail_words + 1;
    grow_to(m_words, words);
    if (has_id) {
        m_words[0] = stack_id;
    } else {
        fold_stack(stack, m_words.data());
    }
    put_tail(m_words.data() + stack_words, m_label_sum, has_id ? 0 : stack.size(), m_labels.size());
    m_words[words - 1] = static_cast<std::uint64_t>(block_size);
    return hash_bytes(m_words.data(), words * sizeof m_words[0]);
}

hash128 trace_batch::label_key(const trace& of) const noexcept {
    hash128 sum = m_label_sum;
    if (of.block_size != 0) {
        add_label_hash(sum, hash_of(block_size_label(of.block_size)));
    }
    return sum;
}

stack_store::stack stack_store::add(std::span<const std::uint64_t> addresses) {
    m_ids.clear();
    for (const std::uint64_t address : addresses) {
        m_ids.push_back(id(m_locations.find_or_add({address, 0}, [] { return 0U; })));
    }
    const std::size_t offset = m_fields.size();
    append_numbers(m_fields, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
    const std::size_t size = m_fields.size() - offset;
    grow_to(m_decoded, packed_room(size));
    return {offset, static_cast<std::uint32_t>(size)};
}

template <typename Visit>
void stack_store::for_each_location(const stack& s, Visit&& visit) {
    const auto visit_id = [&](std::uint64_t number) {
        visit(static_cast<std::uint32_t>(number - 1));
    };
    message_reader reader{field(s), m_fields.data()};
    while (reader.next()) {
        if (!reader.is_bytes()) {
            visit_id(reader.varint());
            continue;
        }
        const std::string_view packed = reader.bytes();
        const std::size_t count = decode_ordinals(packed, m_fields.data() + m_fields.size(),
                                                  location_count(), m_decoded.data());
        if (count != not_decoded) {
            std::for_each_n(m_decoded.data(), count, visit_id);
        } else { // ids of more than three bytes
            for_each_packed(packed, m_fields.data(), visit_id);
        }
    }
}

void stack_store::count(const stack& s, std::uint32_t change) {
    for_each_location(s, [&](std::uint32_t location) { m_locations[location] += change; });
}

stack_store::stack stack_store::add_from(stack_store& other, const stack& s) {
    m_copied.clear();
    other.for_each_location(
        s, [&](std::uint32_t location) { m_copied.push_back(other.address(location)); });
    return add(m_copied);
}

std::uint32_t label_sets::add(const trace_batch& batch, const trace_batch::trace& from) {
    return m_sets.find_or_add(batch.label_key(from), [&] {
        set s;
        const auto copy = [&s](const label& l) {
            s.labels.push_back(
                {std::string{l.key}, std::string{l.text}, l.number, std::string{l.unit}});
        };
        for (const label& l : batch.labels()) {
            copy(l);
        }
        if (from.block_size != 0) {
            copy(block_size_label(from.block_size));
        }
        return s;
    });
}

std::uint32_t label_sets::add_from(const label_sets& other, std::uint32_t number) {
    return m_sets.find_or_add(other.m_sets.key(number),
                              [&] { return set{other.m_sets[number].labels}; });
}

void label_sets::start() noexcept {
    ++m_profile;
    m_fields.clear();
}

void label_sets::encode(set& s, trace_records& profile) {
    s.offset = m_fields.size();
    for (const owned_label& l : s.labels) {
        profile.append_label(m_fields, {l.key, l.text, l.number, l.unit});
    }
    s.size = m_fields.size() - s.offset;
    s.profile = m_profile;
}

} // namespace pprofdelta
