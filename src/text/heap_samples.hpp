// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_HEAP_SAMPLES_HPP
#define PPROFDELTA_SRC_TEXT_HEAP_SAMPLES_HPP

#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/sampling.hpp>

#include "text/lines.hpp"
#include "text/output.hpp"

namespace pprofdelta {

/// What text formats say of one stack, and of the whole heap.
struct heap_counts {
    heap_sample in_use;
    heap_sample allocated; ///< Since the start; zeros where nobody counts that.
};

/// Takes "1: 16 [ 3: 48]" off the start of `from`: in use, and allocated, as count and bytes.
/// @throws error malformed
[[nodiscard]] heap_counts take_heap_counts(text_scanner& from, const text_lines& lines);

/// How the figures of a heap profile came about.
struct heap_method {
    /// Whether there is what was allocated, beside what is in use.
    bool has_allocated = false;
    /// Whether the figures are those of samples alone, and are to be scaled.
    bool is_sampled = false;
    /// The mean number of bytes between two samples; 1 if all was sampled, 0 if it is unknown.
    std::int64_t period = 1;
    /// Whether all blocks of a line have one size, which becomes the label "bytes".
    bool has_block_sizes = false;
};

/// Writes the stacks of a heap as samples.
class heap_samples {
public:
    /// @param out has to live as long as this.
    heap_samples(const heap_method& method, text_output& out);

    /// @param lines at the line of these counts, to blame for what cannot be.
    /// @throws error malformed, too_large.
    void add(std::span<const std::uint64_t> stack, const heap_counts& counts,
             const text_lines& lines);

    /// @param lines where the samples are over.
    /// @throws error malformed for a text without samples that is not whole, too_large.
    void finish(text_lines& lines);

private:
    void add_values(const heap_sample& counted, const text_lines& lines);

    heap_method m_method;
    text_output* m_out;
    std::vector<std::int64_t> m_values; // of the line at hand
    std::int64_t m_block_size = 0;      // likewise
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_HEAP_SAMPLES_HPP
