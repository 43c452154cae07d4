// SPDX-License-Identifier: Apache-2.0
#include "traces/batch.hpp"

#include "base/grow.hpp"
#include "profile/stack_key.hpp"
#include "traces/stack_words.hpp"

namespace pprofdelta {

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

} // namespace pprofdelta
