// SPDX-License-Identifier: Apache-2.0
#include "trace_batch.hpp"

#include <array>

#include "stack_key.hpp"
#include "stack_words.hpp"

namespace pprofdelta {

namespace {

hash128 hash_of(const label& l) {
    return hash_label(hash_bytes(l.key), hash_bytes(l.text), hash_bytes(l.unit),
                      static_cast<std::uint64_t>(l.number));
}

} // namespace

trace_batch::trace_batch()
    : m_size_key{hash_bytes(block_size_label(0).key)}, m_no_text{hash_bytes("")} {}

void trace_batch::start(std::span<const label> labels, std::size_t value_count, std::size_t room) {
    m_labels = labels;
    m_label_sum = {};
    for (const label& l : labels) {
        add_label_hash(m_label_sum, hash_of(l));
    }
    m_value_count = value_count;
    m_size = 0;
    if (m_traces.size() < room) {
        m_traces.resize(room);
        m_entries.resize(room);
    }
    if (m_values.size() < room * value_count) {
        m_values.resize(room * value_count);
    }
}

std::int64_t* trace_batch::add(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                               std::int64_t block_size) {
    hash128 labels = m_label_sum;
    std::size_t label_count = m_labels.size();
    if (block_size != 0) {
        add_label_hash(labels, hash_label(m_size_key, m_no_text, m_no_text,
                                          static_cast<std::uint64_t>(block_size)));
        ++label_count;
    }
    m_traces[m_size] = {make_key(stack, stack_id, labels, label_count), labels, stack, block_size};
    return m_values.data() + m_size++ * m_value_count;
}

hash128 trace_batch::make_key(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                              const hash128& labels, std::size_t label_count) {
    if (stack_id != 0) {
        // Shorter than what is hashed for any stack with frames, and longer than for one without.
        std::array<std::uint64_t, tail_words + 1> words{little_endian(stack_id)};
        put_tail(words.data() + 1, labels, 0, label_count);
        return hash_bytes(words.data(), sizeof words);
    }
    const std::size_t stack_words = blocks(stack.size()) * words_per_block;
    const std::size_t words = stack_words + tail_words;
    if (m_words.size() < words) {
        m_words.resize(2 * words);
    }
    fold_stack(stack, m_words.data());
    put_tail(m_words.data() + stack_words, labels, stack.size(), label_count);
    return hash_bytes(m_words.data(), words * sizeof m_words[0]);
}

} // namespace pprofdelta
