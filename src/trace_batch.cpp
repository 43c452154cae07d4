// SPDX-License-Identifier: Apache-2.0
#include "trace_batch.hpp"

#include "stack_key.hpp"

namespace pprofdelta {

namespace {

hash128 hash_of(const label& l) {
    return hash_label(hash_bytes(l.key), hash_bytes(l.text), hash_bytes(l.unit),
                      static_cast<std::uint64_t>(l.number));
}

} // namespace

void trace_batch::start(std::span<const label> labels, std::size_t value_count) {
    m_labels = labels;
    m_label_sum = {};
    for (const label& l : labels) {
        add_label_hash(m_label_sum, hash_of(l));
    }
    m_value_count = value_count;
    m_traces.clear();
    m_values.clear();
}

void trace_batch::add(std::span<const std::uint64_t> stack, const std::int64_t* values,
                      std::int64_t block_size) {
    hash128 labels = m_label_sum;
    std::size_t label_count = m_labels.size();
    if (block_size != 0) {
        add_label_hash(labels, hash_size(block_size));
        ++label_count;
    }
    m_traces.push_back({make_key(stack, labels, label_count), labels, stack, block_size});
    m_values.insert(m_values.end(), values, values + m_value_count);
}

const hash128& trace_batch::hash_size(std::int64_t block_size) {
    const std::uint64_t mixed = static_cast<std::uint64_t>(block_size) * fold1;
    known_size& known = m_known_sizes[mixed >> 56U];
    static_assert(std::tuple_size_v<decltype(m_known_sizes)> == std::size_t{1} << (64U - 56U));
    if (known.size != block_size) {
        known = {block_size, hash_of(block_size_label(block_size))};
    }
    return known.hash;
}

hash128 trace_batch::make_key(std::span<const std::uint64_t> stack, const hash128& labels,
                              std::size_t label_count) {
    const std::size_t stack_words = blocks(stack.size()) * words_per_block;
    const std::size_t words = stack_words + tail_words;
    if (m_words.size() < words) {
        m_words.resize(2 * words);
    }
    std::uint64_t* word = m_words.data();
    const std::uint64_t* frame = stack.data();
    std::size_t left = stack.size();
    for (; left >= frames_per_word; left -= frames_per_word) {
        *word++ = fold_frames(frame[0], frame[1], frame[2], frame[3]);
        frame += frames_per_word;
    }
    if (left != 0) {
        *word++ = fold_frames(frame[0], left > 1 ? frame[1] : 0, left > 2 ? frame[2] : 0, 0);
    }
    std::uint64_t* const tail = m_words.data() + stack_words;
    std::fill(word, tail, 0);
    put_tail(tail, labels, stack.size(), label_count);
    return hash_bytes(m_words.data(), words * sizeof m_words[0]);
}

} // namespace pprofdelta
