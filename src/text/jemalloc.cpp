// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <vector>

#include "text/formats.hpp"
#include "text/heap_samples.hpp"

namespace pprofdelta {

namespace {

// Reads a line of figures: "t*: 1: 16 [0: 0]", the sum over all threads, or "t3: 1: 16 [0: 0]" of
// one thread, which is in the sum and of no more use.
std::optional<heap_counts> read_sum(const text_lines& lines) {
    text_scanner line{lines.line()};
    lines.take(line, "t");
    const bool is_sum = line.skip("*");
    if (!is_sum && line.take_while(is_decimal).empty()) {
        lines.fail("the number of a thread is missing");
    }
    lines.take(line, ":");
    const heap_counts counts = take_heap_counts(line, lines);
    lines.take_end(line);
    return is_sum ? std::optional{counts} : std::nullopt;
}

} // namespace

// First come the sums of the whole heap. Then there is a line with the stack before the figures:
//
//     heap_v2/524288
//       t*: 28106: 56637512 [0: 0]
//       t0: 28106: 56637512 [0: 0]
//     @ 0x5f86da8 0x5f5a1dc 0x29e4d4e
//       t*: 13: 6688 [0: 0]
//       t0: 13: 6688 [0: 0]
void convert_jemalloc_text(text_lines& lines, text_output& out) {
    lines.next();
    text_scanner header{lines.line()};
    header.skip("heap_v2/");
    heap_method method;
    method.is_sampled = true;
    method.period = lines.take_number(header);
    lines.take_end(header);

    std::optional<heap_samples> samples; // from the first sum on, which tells the types
    std::vector<std::uint64_t> stack;
    bool needs_sum = true;
    while (lines.next()) {
        text_scanner line{lines.line()};
        if (line.skip("@")) {
            if (needs_sum) {
                lines.fail("there is no sum over all threads before this stack");
            }
            lines.take_stack(line, stack);
            needs_sum = true;
        } else if (const auto sum = read_sum(lines)) {
            if (!needs_sum) {
                lines.fail("a second sum over all threads");
            }
            needs_sum = false;
            if (samples) {
                samples->add(stack, *sum, lines);
            } else {
                // Unless it was told to count them, jemalloc writes zeros for allocations.
                method.has_allocated = sum->allocated.count != 0;
                samples.emplace(method, out);
            }
        }
    }
    if (needs_sum) {
        lines.fail("the sum over all threads is missing");
    }
    samples->finish(lines);
}

} // namespace pprofdelta
