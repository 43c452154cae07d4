// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_BATCH_HPP
#define PPROFDELTA_SRC_TRACES_BATCH_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/label.hpp>

#include "base/hash128.hpp"

namespace pprofdelta {

/// Traces with their keys: all that can be done with a batch before anything shared is touched.
class trace_batch {
public:
    struct trace {
        /// As a sample's, of addresses in place of the halves of identities, and of the block size.
        hash128 key;
        std::span<const std::uint64_t> stack;
        std::int64_t block_size;
    };

    /// Forgets what there was. Memory is reused.
    /// @param labels      of each trace; have to outlive the batch.
    /// @param value_count how many values a trace has.
    /// @param room        the most traces that will be added.
    void start(std::span<const label> labels, std::size_t value_count, std::size_t room);

    /// @param stack      leaf first; has to outlive the batch.
    /// @param stack_id   what stands for the stack in the key; 0 for its addresses.
    /// @param block_size 0 for none.
    /// @returns where to put the values.
    std::int64_t* add(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                      std::int64_t block_size);

    [[nodiscard]] std::span<const trace> traces() const noexcept {
        return {m_traces.data(), m_size};
    }
    [[nodiscard]] const std::int64_t* values(std::size_t i) const noexcept {
        return m_values.data() + i * m_value_count;
    }
    [[nodiscard]] std::span<const label> labels() const noexcept { return m_labels; }
    /// The sum of the hashes of a trace's labels, of which the block size is one.
    [[nodiscard]] hash128 label_key(const trace& of) const noexcept;

    /// Where whoever takes the batch notes which entry each trace went to; one for each.
    [[nodiscard]] std::uint32_t* entries() noexcept { return m_entries.data(); }

private:
    [[nodiscard]] hash128 make_key(std::span<const std::uint64_t> stack, std::uint64_t stack_id,
                                   std::int64_t block_size);

    std::span<const label> m_labels;
    hash128 m_label_sum;
    std::size_t m_value_count = 0;
    // As large as the largest batch so far.
    std::vector<trace> m_traces;
    std::vector<std::int64_t> m_values;
    std::vector<std::uint32_t> m_entries;
    std::size_t m_size = 0;
    std::vector<std::uint64_t> m_words; // what is hashed
};

/// The label that a block size is, as in Go's heap profiles.
[[nodiscard]] constexpr label block_size_label(std::int64_t block_size) {
    return {"bytes", {}, block_size, {}};
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_BATCH_HPP
