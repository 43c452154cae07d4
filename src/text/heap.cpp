// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/formats.hpp"
#include "text/heap_samples.hpp"

namespace pprofdelta {

namespace {

// Whether the totals show that allocations are counted. Profilers that do not do so write zeros, or
// what is in use a second time.
bool counts_allocations(const heap_counts& totals) {
    const auto differs = [](std::int64_t allocated, std::int64_t in_use) {
        return allocated != in_use && allocated != 0;
    };
    return differs(totals.allocated.count, totals.in_use.count) ||
           differs(totals.allocated.bytes, totals.in_use.bytes);
}

// For profilers that count allocations and could say so even before anything was freed.
// google/pprof goes by the totals here too. The types would change then with the first block that
// is freed, and a profile from before would not go together with one from after.
bool may_count_allocations(const heap_counts& totals) {
    return totals.allocated != heap_sample{0, 0} || totals.in_use.count == 0;
}

// Reads what stands behind the "@" of the first line: how the figures came about.
heap_method read_method(text_scanner& header, const heap_counts& totals, const text_lines& lines) {
    header.skip_blanks();
    const std::string_view name =
        header.take_while([](char c) { return !is_blank(c) && c != '/'; });
    heap_method method;
    std::int64_t period = 0;
    if (header.skip("/") && !header.at_end()) {
        period = lines.take_number(header);
    }
    if (name == "heap_v2" || name == "heapz_v2") {
        method = {
            .has_allocated = counts_allocations(totals), .is_sampled = true, .period = period};
    } else if (name == "heap") {
        // Go has a line for each stack and size.
        method = {.has_allocated = may_count_allocations(totals),
                  .is_sampled = true,
                  .period = period / 2,
                  .has_block_sizes = true};
    } else if (name == "heapprofile") {
        method.has_allocated = may_count_allocations(totals);
    } else if (name != "growth" && name != "growthz" && name != "fragmentation" &&
               name != "fragmentationz") {
        lines.fail("an unknown kind of heap profile");
    }
    lines.take_end(header);
    return method;
}

} // namespace

void convert_heap_text(text_lines& lines, text_output& out) {
    lines.next();
    text_scanner header{lines.line()};
    header.skip("heap profile:");
    const heap_counts totals = take_heap_counts(header, lines);
    lines.take(header, "@");
    heap_samples samples{read_method(header, totals, lines), out};
    std::vector<std::uint64_t> stack;
    while (lines.next()) {
        text_scanner line{lines.line()};
        const heap_counts counts = take_heap_counts(line, lines);
        lines.take(line, "@");
        lines.take_stack(line, stack);
        samples.add(stack, counts, lines);
    }
    samples.finish(lines);
}

} // namespace pprofdelta
