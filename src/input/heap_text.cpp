// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/sampling.hpp>

#include "base/numbers.hpp"
#include "input/text.hpp"

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
    /// Whether the rows need not add up to the totals unless both are scaled, as since version 5.3
    /// jemalloc writes such figures as give the right ones once a reader has scaled them.
    bool adds_up_scaled = false;
    text_output::ending ending = text_output::ending::mappings;
};

/// Writes the stacks of a heap as samples.
class heap_samples {
public:
    /// @param totals of the whole heap, as the text begins with them.
    /// @param out    has to live as long as this.
    heap_samples(const heap_method& method, const heap_counts& totals, text_output& out);

    /// @param lines at the line of these counts, to blame for what cannot be.
    /// @throws error malformed, too_large.
    void add(std::span<const std::uint64_t> stack, const heap_counts& counts,
             const text_lines& lines);

    /// @param lines where the samples are over.
    /// @throws error malformed for a text that is not whole, too_large.
    void finish(text_lines& lines);

private:
    // What all rows add up to, of 64-bit numbers.
    __extension__ using wide = __int128;
    struct sum {
        wide count = 0;
        wide bytes = 0;
        double scaled_bytes = 0;
    };

    void add_values(const heap_sample& counted, sum& all, const text_lines& lines);
    static void add_to(sum& all, const heap_sample& counted) noexcept;
    [[nodiscard]] bool is_cut(const sum& all, const heap_sample& total) const;
    void require_all(const sum& all, const heap_sample& total, const char* what,
                     const text_lines& lines) const;

    heap_method m_method;
    heap_counts m_totals;
    sum m_in_use;
    sum m_allocated;
    std::size_t m_rows = 0;
    text_output* m_out;
    std::vector<std::int64_t> m_values; // of the line at hand
    std::int64_t m_block_size = 0;      // likewise
};

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
        lines.fail("an allocated count or size is negative");
    }
    return counts;
}

heap_samples::heap_samples(const heap_method& method, const heap_counts& totals, text_output& out)
    : m_method{method}, m_totals{totals}, m_out{&out} {
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
    ++m_rows;
    add_to(m_in_use, counts.in_use);
    add_to(m_allocated, counts.allocated);
    if (m_method.has_allocated) {
        add_values(counts.allocated, m_allocated, lines);
    }
    add_values(counts.in_use, m_in_use, lines);
    const label block_size{.key = "bytes", .text = {}, .number = m_block_size, .unit = {}};
    m_out->add_sample(stack, m_values, {&block_size, m_method.has_block_sizes ? 1U : 0U});
}

void heap_samples::add_values(const heap_sample& counted, sum& all, const text_lines& lines) {
    if (counted.count == 0 && counted.bytes != 0) {
        lines.fail("there are bytes without blocks");
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
    all.scaled_bytes += static_cast<double>(values.bytes);
    m_values.push_back(values.count);
    m_values.push_back(values.bytes);
}

void heap_samples::add_to(sum& all, const heap_sample& counted) noexcept {
    all.count += counted.count;
    all.bytes += counted.bytes;
}

bool heap_samples::is_cut(const sum& all, const heap_sample& total) const {
    if (all.count >= total.count && all.bytes >= total.bytes) {
        return false;
    }
    if (!m_method.adds_up_scaled) {
        return true;
    }
    // Each row's number of blocks was rounded, and a block of a sample stands for about a period.
    // The rest agrees within 0.3 % in real dumps.
    constexpr double part = 0.01;
    constexpr double widths = 3;
    const double scaled =
        total.count == 0 ? 0 : static_cast<double>(scale_heap_sample(total, m_method.period).bytes);
    const double rounding =
        widths * static_cast<double>(m_method.period) * std::sqrt(static_cast<double>(m_rows)) / 2;
    return all.scaled_bytes < scaled * (1 - part) - rounding;
}

void heap_samples::require_all(const sum& all, const heap_sample& total, const char* what,
                               const text_lines& lines) const {
    if (is_cut(all, total)) {
        lines.fail(std::string{"the profile was cut off: its rows have "}
                       .append(std::to_string(static_cast<std::int64_t>(all.count)))
                       .append(" blocks and ")
                       .append(std::to_string(static_cast<std::int64_t>(all.bytes)))
                       .append(" bytes ")
                       .append(what)
                       .append(", and its header says ")
                       .append(std::to_string(total.count))
                       .append(" and ")
                       .append(std::to_string(total.bytes)));
    }
}

void heap_samples::finish(text_lines& lines) {
    require_all(m_in_use, m_totals.in_use, "in use", lines);
    require_all(m_allocated, m_totals.allocated, "allocated", lines);
    m_out->finish({.period_type = {"space", "bytes"},
                   .period = m_method.period,
                   .time_nanos = 0,
                   .duration_nanos = 0,
                   .default_sample_type = {},
                   .drop_frames = allocator_frames,
                   .keep_frames = kept_runtime_frames},
                  lines, m_method.ending);
}

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
                  .has_block_sizes = true,
                  .ending = text_output::ending::figures};
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
    heap_samples samples{read_method(header, totals, lines), totals, out};
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

namespace {

// Reads a line of figures: "t*: 1: 16 [0: 0]", the sum over all threads, or "t3: 1: 16 [0: 0] name"
// of one thread, which is in the sum and of no more use. Names can have any characters.
std::optional<heap_counts> read_sum(const text_lines& lines) {
    text_scanner line{lines.line()};
    lines.take(line, "t");
    const bool is_sum = line.skip("*");
    if (!is_sum && line.take_while(is_decimal).empty()) {
        lines.fail("the number of a thread is missing");
    }
    lines.take(line, ":");
    const heap_counts counts = take_heap_counts(line, lines);
    if (!is_sum && !line.at_end() && is_blank(line.rest().front())) {
        return std::nullopt;
    }
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
    method.adds_up_scaled = true;
    lines.take_end(header);

    std::optional<heap_samples> samples; // from the first sum on, which tells the types
    std::vector<std::uint64_t> stack;
    bool needs_sum = true;
    while (lines.next()) {
        text_scanner line{lines.line()};
        if (line.skip("@")) {
            if (needs_sum) {
                lines.fail("the sum over all threads is missing before this stack");
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
                samples.emplace(method, *sum, out);
            }
        }
    }
    if (needs_sum) {
        lines.fail("the sum over all threads is missing");
    }
    samples->finish(lines);
}

namespace {

const value_type contentions{"contentions", "count"};
const std::array<value_type, 2> types{{contentions, {"delay", "nanoseconds"}}};

// A regular expression for Profile.drop_frames, which text profiles do not say: that which
// google/pprof gives them (addLegacyFrameInfo of profile/legacy_profile.go). Readers hide what was
// called by functions with such names, and these themselves: it is the profiler at work.
constexpr std::string_view lock_frames =
    "RecordLockProfileData|(base::)?RecordLockProfileData.*|(base::)?SubmitMutexProfileData.*|"
    "(base::)?SubmitSpinLockProfileData.*|(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|"
    "(base::Mutex::)?UnlockSlow.*|(base::Mutex::)?ReaderUnlock.*|(base::MutexLock::)?~MutexLock.*|"
    "(Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*|"
    "(MutexLock::)?~MutexLock.*|(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|"
    "(SpinLockHolder::)?~SpinLockHolder.*";

struct attributes {
    std::optional<std::int64_t> cycles_per_second;
    std::optional<std::int64_t> period;
};

// Reads a line such as "cycles/second = 3201000000".
void read_attribute(std::string_view line, const text_lines& lines, attributes& out) {
    const std::size_t sign = line.find('=');
    const std::string_view name = trim(line.substr(0, sign));
    text_scanner value{line.substr(sign + 1)};
    const auto take = [&] {
        const std::int64_t number = lines.take_number(value);
        lines.take_end(value);
        return number;
    };
    if (name == "cycles/second") {
        out.cycles_per_second = take();
    } else if (name == "sampling period") {
        out.period = take();
    } else if (name == "format" || name == "resolution") {
        lines.fail("this is a contention profile of Java, which is not supported; go tool pprof "
                   "-proto converts it");
    } else if (name == "ms since reset" || name == "discarded samples") {
        // google/pprof takes the former for the duration. The counters go on, though, and readers
        // take a duration for the mark of a delta.
        take();
    } else {
        lines.fail("an unknown attribute");
    }
}

// Whether a text has all that Go writes if nothing has waited: no list of mappings follows, so the
// attributes have to do. There are two in a profile of mutexes, and one in that of blocking.
// `contentionz` is not Go's, and has the list.
bool has_all_of_go(std::string_view header, const attributes& values, const text_lines& lines) {
    const bool has_attributes =
        values.cycles_per_second && (values.period || !header.starts_with("--- mutex"));
    return has_attributes && lines.has_last_line_end();
}

} // namespace

// Attributes come before the samples, which are cycles, count and stack:
//
//     --- mutex:
//     cycles/second=2400000000
//     sampling period=1
//     23456789 3 @ 0x47eb93 0x47eb7c
void convert_contention_text(text_lines& lines, text_output& out) {
    lines.next();
    const std::string_view header = lines.line();
    attributes values;
    bool has_line = lines.next();
    for (; has_line && lines.line().find('=') != std::string_view::npos; has_line = lines.next()) {
        read_attribute(lines.line(), lines, values);
    }
    const std::int64_t cycles_per_second = values.cycles_per_second.value_or(0); // 0 if unknown
    const std::int64_t period = values.period.value_or(1);
    out.begin(types);
    std::vector<std::uint64_t> stack;
    // What follows a line of dashes is of another kind.
    for (; has_line && !lines.line().starts_with("---"); has_line = lines.next()) {
        text_scanner line{lines.line()};
        contention_sample sampled{};
        sampled.delay = lines.take_number(line);
        sampled.count = lines.take_number(line);
        if (sampled.delay < 0 || sampled.count < 0) {
            lines.fail("a negative number");
        }
        lines.take(line, "@");
        lines.take_stack(line, stack);
        const contention_sample scaled =
            scale_contention_sample(sampled, period, cycles_per_second);
        out.add_sample(stack, std::array{scaled.count, scaled.delay});
    }
    out.finish({.period_type = contentions,
                .period = period,
                .time_nanos = 0,
                .duration_nanos = 0,
                .default_sample_type = {},
                .drop_frames = lock_frames,
                .keep_frames = {}},
               lines,
               header.starts_with("--- contentionz")  ? text_output::ending::mappings
               : has_all_of_go(header, values, lines) ? text_output::ending::anything
                                                      : text_output::ending::figures);
}

} // namespace pprofdelta
