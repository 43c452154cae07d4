// SPDX-License-Identifier: Apache-2.0
#include "text/heap_samples.hpp"

#include <array>
#include <string_view>

#include "base/wrapping.hpp"

namespace pprofdelta {

namespace {

// What is allocated comes before what is in use, which readers then show unless asked otherwise.
const std::array<value_type, 4> all_types{{{"alloc_objects", "count"},
                                           {"alloc_space", "bytes"},
                                           {"inuse_objects", "count"},
                                           {"inuse_space", "bytes"}}};
const std::array<value_type, 2> types_in_use{{{"objects", "count"}, {"space", "bytes"}}};

// Regular expressions for Profile.drop_frames and keep_frames, which text profiles do not say:
// those that google/pprof gives them (addLegacyFrameInfo of profile/legacy_profile.go). Readers
// hide what was called by functions with the first names, and these themselves: it is the
// allocator, or the profiler, at work.
constexpr std::string_view allocator_frames =
    // The C library's interface.
    "calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|valloc|realloc|"
    // tcmalloc.
    "tcmalloc::.*|tc_calloc|tc_cfree|tc_malloc|tc_free|tc_memalign|tc_posix_memalign|tc_pvalloc|"
    "tc_valloc|tc_realloc|tc_new|tc_delete|tc_newarray|tc_deletearray|tc_new_nothrow|"
    "tc_newarray_nothrow|"
    // macOS.
    "malloc_zone_malloc|malloc_zone_calloc|malloc_zone_valloc|malloc_zone_realloc|"
    "malloc_zone_memalign|malloc_zone_free|"
    // Go.
    "runtime\\..*|"
    // Others, and the C++ library.
    "BaseArena::.*|(::)?do_malloc_no_errno|(::)?do_malloc_pages|(::)?do_malloc|"
    "DoSampledAllocation|MallocedMemBlock::MallocedMemBlock|_M_allocate|__builtin_(vec_)?delete|"
    "__builtin_(vec_)?new|__gnu_cxx::new_allocator::allocate|__libc_malloc|"
    "__malloc_alloc_template::allocate|allocate|cpp_alloc|operator new(\\[\\])?|"
    "simple_alloc::allocate";

// Functions of Go's runtime in the middle of a stack, which are worth seeing.
constexpr std::string_view kept_runtime_frames =
    "runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*";

heap_sample take_pair(text_scanner& from, const text_lines& lines) {
    heap_sample pair{};
    pair.count = lines.take_number(from);
    lines.take(from, ":");
    pair.bytes = lines.take_number(from);
    return pair;
}

} // namespace

heap_counts take_heap_counts(text_scanner& from, const text_lines& lines) {
    heap_counts counts{};
    counts.in_use = take_pair(from, lines);
    lines.take(from, "[");
    counts.allocated = take_pair(from, lines);
    lines.take(from, "]");
    if (counts.allocated.count < 0 || counts.allocated.bytes < 0) {
        lines.fail("what was allocated is negative");
    }
    return counts;
}

heap_samples::heap_samples(const heap_method& method, text_output& out)
    : m_method{method}, m_out{&out} {
    if (m_method.has_allocated) {
        m_out->begin(all_types);
    } else {
        m_out->begin(types_in_use);
    }
}

void heap_samples::add(std::span<const std::uint64_t> stack, const heap_counts& counts,
                       const text_lines& lines) {
    m_values.clear();
    m_block_size = 0;
    if (m_method.has_allocated) {
        add_values(counts.allocated, lines);
    }
    add_values(counts.in_use, lines);
    const label block_size{.key = "bytes", .text = {}, .number = m_block_size, .unit = {}};
    m_out->add_sample(stack, m_values, {&block_size, m_method.has_block_sizes ? 1U : 0U});
}

void heap_samples::add_values(const heap_sample& counted, const text_lines& lines) {
    if (counted.count == 0 && counted.bytes != 0) {
        lines.fail("there are bytes of no blocks");
    }
    heap_sample values = counted;
    if (counted.count != 0) {
        // The smallest number divided by -1 would overflow.
        m_block_size = counted.count == -1 ? wrapping_subtract(0, counted.bytes)
                                           : counted.bytes / counted.count;
        if (m_method.is_sampled) {
            values = scale_heap_sample(counted, m_method.period);
        }
    }
    m_values.push_back(values.count);
    m_values.push_back(values.bytes);
}

void heap_samples::finish(text_lines& lines) {
    m_out->finish({.period_type = {"space", "bytes"},
                   .period = m_method.period,
                   .time_nanos = 0,
                   .duration_nanos = 0,
                   .default_sample_type = {},
                   .drop_frames = allocator_frames,
                   .keep_frames = kept_runtime_frames},
                  lines);
}

} // namespace pprofdelta
