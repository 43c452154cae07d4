// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACE_BATCH_HPP
#define PPROFDELTA_SRC_TRACE_BATCH_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/label.hpp>

#include "hash128.hpp"

namespace pprofdelta {

/// Traces with their keys: all that can be done with a batch before anything shared is touched.
class trace_batch {
public:
    struct trace {
        hash128 key;    ///< As a sample's, with addresses in place of the halves of identities.
        hash128 labels; ///< What of it is the labels, the block size among them.
        std::span<const std::uint64_t> stack;
        std::int64_t block_size;
    };

    /// Forgets what there was. Memory is reused.
    /// @param labels      of each trace; have to outlive the batch.
    /// @param value_count how many values a trace has.
    void start(std::span<const label> labels, std::size_t value_count);

    /// @param stack      leaf first; has to outlive the batch.
    /// @param values     value_count of them.
    /// @param block_size 0 for none. Counts as one more label.
    void add(std::span<const std::uint64_t> stack, const std::int64_t* values,
             std::int64_t block_size);

    [[nodiscard]] const std::vector<trace>& traces() const noexcept { return m_traces; }
    [[nodiscard]] const std::int64_t* values(std::size_t i) const noexcept {
        return m_values.data() + i * m_value_count;
    }
    [[nodiscard]] std::span<const label> labels() const noexcept { return m_labels; }

    /// Where whoever takes the batch notes which entry each trace went to.
    std::vector<std::uint32_t> entries;

private:
    // There are few block sizes, or many traces of each.
    struct known_size {
        std::int64_t size = 0; // 0 for none
        hash128 hash;
    };

    const hash128& hash_size(std::int64_t block_size);
    [[nodiscard]] hash128 make_key(std::span<const std::uint64_t> stack, const hash128& labels,
                                   std::size_t label_count);

    std::span<const label> m_labels;
    hash128 m_label_sum;
    std::size_t m_value_count = 0;
    std::vector<trace> m_traces;
    std::vector<std::int64_t> m_values;
    std::vector<std::uint64_t> m_words; // what is hashed
    std::array<known_size, 256> m_known_sizes;
};

/// The label that a block size is, as in Go's heap profiles.
[[nodiscard]] constexpr label block_size_label(std::int64_t block_size) {
    return {"bytes", {}, block_size, {}};
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACE_BATCH_HPP
