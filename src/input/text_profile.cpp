// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/sampling.hpp>
#include <pprofdelta/text_profile.hpp>
#include <pprofdelta/traces.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "codec/codec.hpp"
#include "input/speedscope.hpp"
#include "profile/producers.hpp"
#include "traces/mappings.hpp"
#include "traces/records.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// Helpers that formats share.

std::optional<std::uint64_t> to_address(std::string_view word) {
    return word.starts_with("0x") ? to_number<std::uint64_t>(word.substr(2), 16) : std::nullopt;
}

/// Reads a text profile line by line. The views that it returns are of the text.
class text_lines {
public:
    explicit text_lines(std::string_view text) noexcept : m_text{text}, m_rest{text} {}

    /// Gives all comments that next() passes over to `take`.
    void give_comments_to(std::function<void(std::string_view)> take) {
        m_take_comment = std::move(take);
    }

    /// Goes to the next line that is neither empty nor a comment. False at the end of the text, and
    /// where the list of mappings begins.
    bool next() {
        while (!m_in_memory_map && next_of_any_kind()) {
            m_line = trim(m_line);
            // google/pprof looks for these anywhere in a line, as there may be a log's prefix
            // before them.
            m_in_memory_map = m_line.find("MAPPED_LIBRARIES:") != std::string_view::npos ||
                              m_line.find("--- Memory map: ---") != std::string_view::npos;
            // Go ends a heap with these figures, where others list the mappings.
            m_has_closing_part |= m_in_memory_map || m_line.starts_with("# runtime.MemStats");
            if (!m_in_memory_map && !m_line.empty()) {
                if (m_line.front() != '#') {
                    return true;
                }
                if (m_take_comment) {
                    m_take_comment(m_line);
                }
            }
        }
        return false;
    }

    /// Goes to the next line, whatever it is, and keeps the blanks around it. False at the end.
    bool next_of_any_kind() {
        const bool is_there = !m_rest.empty();
        if (is_there) {
            m_line = take_line(m_rest);
            ++m_number;
        }
        return is_there;
    }

    /// Goes over bytes that are whole lines.
    void skip(std::size_t size) noexcept {
        m_number += static_cast<std::size_t>(
            std::count(m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
        m_rest.remove_prefix(size);
    }

    /// The text after the line at hand.
    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

    /// The line at hand, without blanks around it unless they were to be kept.
    [[nodiscard]] std::string_view line() const noexcept { return m_line; }

    /// The list of mappings; empty if there is none. The lines before it are skipped.
    [[nodiscard]] std::string_view memory_map() {
        while (next()) {
        }
        return m_rest;
    }

    /// Whether there is a list of mappings, once it was asked for.
    [[nodiscard]] bool has_memory_map() const noexcept { return m_in_memory_map; }

    /// Whether what comes after the last sample was there: the list of mappings, or the comments
    /// with which Go ends a heap.
    [[nodiscard]] bool has_closing_part() const noexcept { return m_has_closing_part; }

    /// Whether the last line of the text has its end.
    [[nodiscard]] bool has_last_line_end() const noexcept { return m_text.ends_with('\n'); }

    /// @throws error malformed, always, with the number of the line at hand and its place.
    [[noreturn]] void fail(const std::string& what) const {
        throw error{error_kind::malformed, "line " + std::to_string(m_number) + ": " + what,
                    static_cast<std::uint64_t>(m_line.data() - m_text.data())};
    }

    // The parts that lines of several formats share. All take it off the start of `from`, a part of
    // the line at hand, and throw an error if it is not there.

    /// Blanks, and a number that may be negative.
    std::int64_t take_number(text_scanner& from) const {
        from.skip_blanks();
        const std::string_view digits =
            from.take_while([](char c) { return is_decimal(c) || c == '-'; });
        const auto number = to_number<std::int64_t>(digits);
        if (!number) {
            fail(digits.empty() ? "a number is missing" : "a number does not fit into 64 bits");
        }
        return *number;
    }

    /// Blanks, and `text`.
    void take(text_scanner& from, std::string_view text) const {
        from.skip_blanks();
        if (!from.skip(text)) {
            fail(std::string{"'"}.append(text).append("' is missing"));
        }
    }

    /// Blanks, and then nothing.
    void take_end(text_scanner& from) const {
        from.skip_blanks();
        if (!from.at_end()) {
            fail("the line has more text than expected");
        }
    }

    /// All that is left: addresses in hexadecimal digits with 0x, leaf first.
    /// @param stack replaced; one less than each of them, which lies in the call, while they are
    ///              the addresses to return to.
    void take_stack(text_scanner& from, std::vector<std::uint64_t>& stack) const {
        stack.clear();
        for (std::string_view word = from.word(); !word.empty(); word = from.word()) {
            const auto address = to_address(word);
            if (!address) {
                fail("an address must be a hexadecimal number of at most 64 bits, with 0x");
            }
            stack.push_back(*address - 1);
        }
    }

private:
    std::string_view m_text;
    std::string_view m_rest;
    std::string_view m_line;
    std::size_t m_number = 0;
    std::function<void(std::string_view)> m_take_comment;
    bool m_in_memory_map = false;
    bool m_has_closing_part = false;
};

/// The profile that a text profile becomes. All throw error too_large beyond its size limit.
class text_output {
public:
    /// @param profile  replaced; has to live until finish().
    /// @param max_size the most that it may have.
    text_output(std::string& profile, std::size_t max_size)
        : m_profile{&profile}, m_max_size{max_size} {}

    void begin(std::span<const value_type> types) { m_traces.begin(types, *m_profile); }

    /// Takes symbols, "0x401010 main.run", up to the line "---". They name the addresses of
    /// samples.
    void take_symbols(text_lines& lines) {
        while (lines.next_of_any_kind() && trim(lines.line()) != "---") {
            text_scanner line{lines.line()};
            const auto address = to_address(line.word());
            const std::string_view name = trim(line.rest());
            if (address && !name.empty()) {
                m_symbols.emplace_back(*address, name);
            }
        }
    }

    /// Takes a comment that names an address, as Go writes one for each after a sample:
    /// "#	0x401010	main.run+0x5c	/src/main.go:27". Others are passed over.
    void take_comment(std::string_view comment) {
        text_scanner line{comment.substr(1)};
        const auto address = to_address(line.word());
        std::string_view rest = trim(line.rest());
        const std::size_t tab = rest.find('\t');
        const std::string_view symbol = rest.substr(0, tab);
        const std::size_t offset = symbol.rfind("+0x");
        if (address) {
            m_outermost = m_outermost == address ? std::nullopt : m_outermost;
            add_sample_at_hand(*address);
        }
        if (!address || tab == std::string_view::npos || offset == std::string_view::npos) {
            return;
        }
        rest = trim(rest.substr(tab));
        const std::size_t colon = rest.rfind(':');
        const auto number = colon == std::string_view::npos
                                ? std::nullopt
                                : to_number<std::int64_t>(rest.substr(colon + 1));
        m_traces.add_name(*address, symbol.substr(0, offset), number ? rest.substr(0, colon) : rest,
                          number.value_or(0));
    }

    /// Heaps of Go need this: they have no comments on the functions of the runtime that a stack
    /// ends with, unless it has no others (printStackRecord of runtime/pprof, Go 1.19 and 1.27),
    /// and Go's heap in protobuf lacks these frames. The same addresses have comments in other
    /// stacks: a stack would change its name with each one that is new. Go 1.27 writes one site as
    /// several rows, which differ in these frames.
    void drop_runtime() noexcept { m_drops_runtime = true; }

    /// @param labels without a text.
    void add_sample(std::span<const std::uint64_t> stack, std::span<const std::int64_t> values,
                    std::span<const label> labels = {}) {
        end_stack();
        if (m_drops_runtime) {
            m_stack.assign(stack.begin(), stack.end());
            m_values.assign(values.begin(), values.end());
            m_labels.assign(labels.begin(), labels.end());
            m_is_at_hand = true;
        } else {
            m_traces.add_sample(stack, values, labels);
        }
        m_outermost = stack.empty() ? std::nullopt : std::optional{stack.back()};
        m_has_samples = true;
        // Samples can take more room than their lines.
        require_within(m_traces.size(), m_max_size);
    }

    /// The sign that a text was not cut off.
    enum class ending : std::uint8_t {
        mappings, ///< The list of mappings, which the profiler writes last.
        figures,  ///< If there are no samples, that list or the figures with which Go ends a heap.
        anything, ///< Nothing is to be expected.
    };

    /// A text that was cut off would pass for a restart, or for less of everything.
    /// @param lines stand where the list of mappings follows.
    /// @throws error malformed for a text that was cut off, as its end or that of its last line is
    ///         missing.
    void finish(const trace_header& header, text_lines& lines, ending expected) {
        const std::string_view memory_map = lines.memory_map();
        if (!m_has_samples && !lines.has_closing_part() && expected != ending::anything) {
            lines.fail("there is no sample, and the end of the profile is missing");
        }
        if (!lines.has_last_line_end()) {
            lines.fail("the profile was cut off: its last line is incomplete");
        }
        if (expected == ending::mappings && !lines.has_memory_map()) {
            lines.fail(
                "the profile was cut off: the list of mappings, which comes last, is missing; "
                "if its profiler writes none, add a line MAPPED_LIBRARIES:");
        }
        finish(header, memory_map);
    }

    /// @param memory_map the list of mappings.
    void finish(const trace_header& header, std::string_view memory_map) {
        end_stack();
        // A symbol of a caller can be that of the call, or of the address to return to.
        for (const std::uint64_t before : {0U, 1U}) {
            for (const auto& [address, name] : m_symbols) {
                m_traces.end_names();
                m_traces.add_name(address - before, name, {}, 0);
            }
        }
        m_traces.finish(header, parse_memory_map(memory_map, m_max_size));
        require_within(m_profile->size(), m_max_size);
    }

private:
    // @param named the first address that has a comment; all before it are dropped.
    void add_sample_at_hand(std::optional<std::uint64_t> named) {
        m_has_comment = m_has_comment || named;
        if (!m_is_at_hand) {
            return;
        }
        const auto first = named ? std::ranges::find(m_stack, *named) : m_stack.end();
        m_stack.erase(m_stack.begin(), first == m_stack.end() ? m_stack.begin() : first);
        m_traces.add_sample(m_stack, m_values, m_labels);
        m_is_at_hand = false;
    }

    void end_stack() {
        add_sample_at_hand(std::nullopt);
        // Go leaves out the comment on runtime.goexit, with which its stacks begin, and has one, if
        // only with an address, for all others but for functions of the runtime before the first
        // one (printStackRecord of runtime/pprof).
        if (m_outermost && m_has_comment) {
            m_traces.end_names();
            m_traces.add_name(*m_outermost, "runtime.goexit", {}, 0);
        }
        m_traces.end_names();
        m_outermost.reset();
        m_has_comment = false;
    }

    std::string* m_profile;
    std::size_t m_max_size;
    bool m_has_samples = false;
    // The stack at hand: its outermost address unless there is a comment on it, and whether there
    // is one on any.
    std::optional<std::uint64_t> m_outermost;
    bool m_has_comment = false;
    trace_profile m_traces;
    std::vector<std::pair<std::uint64_t, std::string_view>> m_symbols;
    // The sample of a heap of Go until its first comment.
    bool m_drops_runtime = false;
    bool m_is_at_hand = false;
    std::vector<std::uint64_t> m_stack;
    std::vector<std::int64_t> m_values;
    std::vector<label> m_labels;
};

// Heaps.

/// The counts that text formats give for one stack, and for the whole heap.
struct heap_counts {
    heap_sample in_use;
    heap_sample allocated; ///< Since the start; zeros where nobody counts that.
};

heap_sample take_pair(text_scanner& from, const text_lines& lines) {
    heap_sample pair{};
    pair.count = lines.take_number(from);
    lines.take(from, ":");
    pair.bytes = lines.take_number(from);
    return pair;
}

/// Takes "1: 16 [ 3: 48]" off the start of `from`: in use, and allocated, as count and bytes.
/// @throws error malformed
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

/// The method by which the figures of a heap profile came about.
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

// Allocated memory comes before memory in use, which readers then show unless asked otherwise.
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

/// Writes the stacks of a heap as samples.
class heap_samples {
public:
    /// @param totals are those of the whole heap, which the text begins with.
    /// @param out    outlives this.
    heap_samples(const heap_method& method, const heap_counts& totals, text_output& out)
        : m_method{method}, m_totals{totals}, m_out{&out} {
        m_out->begin(m_method.has_allocated ? std::span<const value_type>{all_types}
                                            : types_in_use);
        if (m_method.has_block_sizes) {
            m_out->drop_runtime();
        }
    }

    /// @param lines stand at the line of these counts, which errors name.
    /// @throws error malformed, too_large.
    void add(std::span<const std::uint64_t> stack, const heap_counts& counts,
             const text_lines& lines) {
        m_values.clear();
        m_block_size = 0;
        ++m_rows;
        constexpr std::int64_t unit_of_sizes = 8;
        m_has_size_classes = m_has_size_classes && counts.in_use.bytes % unit_of_sizes == 0 &&
                             counts.allocated.bytes % unit_of_sizes == 0;
        add_to(m_in_use, counts.in_use);
        add_to(m_allocated, counts.allocated);
        if (m_method.has_allocated) {
            add_values(counts.allocated, m_allocated, lines);
        }
        add_values(counts.in_use, m_in_use, lines);
        const label block_size{.key = "bytes", .text = {}, .number = m_block_size, .unit = {}};
        m_out->add_sample(stack, m_values, {&block_size, m_method.has_block_sizes ? 1U : 0U});
    }

    /// @param lines stand where the samples are over.
    /// @throws error malformed for a text that is not whole, too_large.
    void finish(text_lines& lines) {
        require_all(m_in_use, m_totals.in_use, "in use", lines);
        require_all(m_allocated, m_totals.allocated, "allocated", lines);
        m_out->finish({.period_type = {"space", "bytes"},
                       .period = m_method.period,
                       .drop_frames = allocator_frames,
                       .keep_frames = kept_runtime_frames,
                       .comment = comment_on(form())},
                      lines, m_method.ending);
    }

private:
    // The sum of all rows of 64-bit numbers, which may not fit into 64 bits.
    __extension__ using wide = __int128;
    struct sum {
        wide count = 0;
        wide bytes = 0;
        double scaled_bytes = 0;
    };

    void add_values(const heap_sample& counted, sum& all, const text_lines& lines) {
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

    // jemalloc alone has two, which its header does not tell apart.
    [[nodiscard]] counter_form form() const {
        return !m_method.adds_up_scaled || !m_method.has_allocated || m_method.period <= 1
                   ? counter_form::usual
               : m_has_size_classes ? counter_form::plain
                                    : counter_form::unbiased;
    }

    static void add_to(sum& all, const heap_sample& counted) noexcept {
        all.count += counted.count;
        all.bytes += counted.bytes;
    }

    [[nodiscard]] bool is_cut(const sum& all, const heap_sample& total) const {
        // Go adds a byte where as much is in use as was allocated, for readers that take equal ones
        // for one figure (writeHeapInternal of runtime/pprof; read in 1.24, tried with 1.27).
        const std::int64_t added = m_method.has_block_sizes ? 1 : 0;
        if (all.count >= total.count && all.bytes + added >= total.bytes) {
            return false;
        }
        if (!m_method.adds_up_scaled) {
            return true;
        }
        // Each row's number of blocks was rounded, and a block of a sample stands for about a
        // period. The rest agrees within 0.3 % in real dumps.
        constexpr double part = 0.01;
        constexpr double widths = 3;
        const double scaled =
            total.count == 0 ? 0
                             : static_cast<double>(scale_heap_sample(total, m_method.period).bytes);
        const double rounding = widths * static_cast<double>(m_method.period) *
                                std::sqrt(static_cast<double>(m_rows)) / 2;
        return all.scaled_bytes < scaled * (1 - part) - rounding;
    }

    void require_all(const sum& all, const heap_sample& total, const char* what,
                     const text_lines& lines) const {
        if (is_cut(all, total)) {
            lines.fail("the profile was cut off: its rows have " +
                       std::to_string(static_cast<std::int64_t>(all.count)) + " blocks and " +
                       std::to_string(static_cast<std::int64_t>(all.bytes)) + " bytes " + what +
                       ", and its header says " + std::to_string(total.count) + " and " +
                       std::to_string(total.bytes));
        }
    }

    heap_method m_method;
    heap_counts m_totals;
    sum m_in_use;
    sum m_allocated;
    std::size_t m_rows = 0;
    bool m_has_size_classes = true; // all sizes so far are multiples of that of the smallest
    text_output* m_out;
    std::vector<std::int64_t> m_values; // of the line at hand
    std::int64_t m_block_size = 0;      // likewise
};

// Whether the totals show that allocations are counted. Profilers that do not do so write zeros, or
// what is in use a second time.
bool counts_allocations(const heap_counts& totals) {
    const auto differs = [](std::int64_t allocated, std::int64_t in_use) {
        return allocated != in_use && allocated != 0;
    };
    return differs(totals.allocated.count, totals.in_use.count) ||
           differs(totals.allocated.bytes, totals.in_use.bytes);
}

// Serves profilers that count allocations and could say so even before anything was freed.
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

// Reads heaps of gperftools, tcmalloc and Go. `lines` stands before the first line, whose start has
// been looked at already; also below. All throw error malformed and too_large.
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

// Reads heaps of jemalloc. First come the sums of the whole heap. Then there is a line with the
// stack before the figures:
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

// Profiles of mutexes and of blocking, of gperftools and Go.

const value_type contentions{"contentions", "count"};
const std::array<value_type, 2> contention_types{{contentions, {"delay", "nanoseconds"}}};

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

struct contention_attributes {
    std::optional<std::int64_t> cycles_per_second;
    std::optional<std::int64_t> period;
};

// Reads a line such as "cycles/second = 3201000000".
void read_attribute(std::string_view line, const text_lines& lines, contention_attributes& out) {
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

// Readers scaled what Go's runtime counted up to 1.19. Since 1.20 it has been scaled when it was
// counted (saveBlockEventStack of runtime/mprof.go; tried with 1.19 and 1.27), under the same
// header. Then all counts are multiples of the period, unless that was changed meanwhile.
// @param lines stand at the first sample.
bool is_scaled_by_go(text_lines lines, std::int64_t period) {
    lines.give_comments_to({});
    bool is_scaled = true;
    for (bool has_line = true; has_line && is_scaled && !lines.line().starts_with("---");
         has_line = lines.next()) {
        text_scanner line{lines.line()};
        static_cast<void>(lines.take_number(line));
        is_scaled = period > 1 && lines.take_number(line) % period == 0;
    }
    return is_scaled;
}

// Attributes come before the samples, which are cycles, count and stack:
//
//     --- mutex:
//     cycles/second=2400000000
//     sampling period=1
//     23456789 3 @ 0x47eb93 0x47eb7c
void convert_contention_text(text_lines& lines, text_output& out) {
    lines.next();
    const std::string_view header = lines.line();
    contention_attributes values;
    bool has_line = lines.next();
    for (; has_line && lines.line().find('=') != std::string_view::npos; has_line = lines.next()) {
        read_attribute(lines.line(), lines, values);
    }
    const std::int64_t cycles_per_second = values.cycles_per_second.value_or(0); // 0 if unknown
    const std::int64_t period = values.period.value_or(1);
    // Go has a period of 0 once the profiler was turned off again.
    const std::int64_t factor = std::max<std::int64_t>(period, 1);
    const bool is_scaled =
        has_line && header.starts_with("--- mutex") && is_scaled_by_go(lines, period);
    out.begin(contention_types);
    std::vector<std::uint64_t> stack;
    // The lines after a line of dashes are of another kind.
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
            scale_contention_sample(sampled, is_scaled ? 1 : factor, cycles_per_second);
        out.add_sample(stack, std::array{scaled.count, scaled.delay});
    }
    // Go writes no list of mappings, and if nothing has waited nothing but attributes: two in a
    // profile of mutexes, and one in that of blocking. `contentionz` is not Go's, and has the list.
    const bool is_whole_of_go = values.cycles_per_second &&
                                (values.period || !header.starts_with("--- mutex")) &&
                                lines.has_last_line_end();
    out.finish({.period_type = contentions, .period = period, .drop_frames = lock_frames}, lines,
               header.starts_with("--- contentionz") ? text_output::ending::mappings
               : is_whole_of_go                      ? text_output::ending::anything
                                                     : text_output::ending::figures);
}

// Folded stacks: `main;run;sleep 12`.

struct folded_line {
    std::string_view stack;
    std::string_view number;
};

bool is_control(char c) noexcept {
    return (static_cast<unsigned char>(c) < ' ' && !is_blank(c)) || c == '\x7f';
}

constexpr std::string_view exponent_marks = "eE";

// Digits, maybe with a sign before them, or a point among or after them, or an exponent.
bool is_figure(std::string_view text) noexcept {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    double number = 0;
    const char* const end = text.data() + text.size();
    return !digits.empty() && is_decimal(digits.front()) && // neither ".5" nor "inf"
           std::from_chars(text.data(), end, number).ptr == end;
}

// Reads a line with one blank before its number.
std::optional<folded_line> split_exact(std::string_view line) noexcept {
    const std::size_t blank = line.rfind(' ');
    return blank == std::string_view::npos || !is_figure(line.substr(blank + 1))
               ? std::nullopt
               : std::optional{folded_line{line.substr(0, blank), line.substr(blank + 1)}};
}

// The last word of a line is its number, or several with commas. Names can have blanks. Semicolons
// at the end of a stack, which heaptrack and XRay write, begin no frame, as flamegraph.pl has it.
std::optional<folded_line> split(std::string_view line, std::size_t numbers = 1) noexcept {
    line = without_last_blanks(line);
    const std::size_t blank = line.find_last_of(" \t");
    if (blank == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view word = line.substr(blank + 1);
    std::string_view rest = word;
    for (; numbers > 1; --numbers) {
        const std::size_t comma = rest.find(',');
        if (comma == std::string_view::npos || !is_figure(rest.substr(0, comma))) {
            return std::nullopt;
        }
        rest.remove_prefix(comma + 1);
    }
    std::string_view stack = without_last_blanks(line.substr(0, blank));
    while (stack.ends_with(';')) {
        stack = without_last_blanks(stack.substr(0, stack.size() - 1));
    }
    return stack.empty() || !is_figure(rest) ? std::nullopt
                                             : std::optional{folded_line{stack, word}};
}

// A remark of a tool about a recording: "# mode: wall". A frame may begin with '#' and no blank.
bool is_comment(std::string_view line) noexcept {
    line = trim(line);
    return line == "#" || (line.size() > 1 && line.front() == '#' && is_blank(line[1]));
}

// Whether one frame follows another. Prose has a blank after a semicolon.
bool has_callee(std::string_view stack) noexcept {
    stack.remove_prefix(std::min<std::size_t>(stack.size(), 1)); // a first frame has a name
    const auto is_call = [](char c, char next) { return c == ';' && !is_blank(next); };
    return std::ranges::adjacent_find(stack, is_call) != stack.end();
}

// Whether a stack without has_callee() may be one where all lines are such: one frame, which is no
// prose, or several with a blank after each semicolon, as Rust's tracing-flame writes them.
bool may_be_stack(std::string_view stack) noexcept {
    return stack.find(';') != std::string_view::npos ||
           (!stack.ends_with(':') && !is_figure(stack) &&
            (stack.find_first_of(" \t") == std::string_view::npos ||
             stack.find_first_of("([<") != std::string_view::npos));
}

// Austin's head names its numbers: "# mode: wall". Its full mode has three in a line.
struct austin_mode {
    std::string_view name;
    std::array<std::pair<const char*, const char*>, 3> types;
    std::size_t numbers = 1;
};

constexpr std::array<austin_mode, 4> austin_modes{{
    {"wall", {{{"wall", "microseconds"}}}},
    {"cpu", {{{"cpu", "microseconds"}}}},
    {"memory", {{{"memory", "bytes"}}}},
    {"full", {{{"wall", "microseconds"}, {"cpu", "microseconds"}, {"memory", "bytes"}}}, 3},
}};

// The mode in the comments with which Austin begins a text; nullptr if they are not there.
const austin_mode* austin_mode_of(std::string_view text) noexcept {
    if (!text.starts_with("# austin: ")) {
        return nullptr;
    }
    for (std::string_view line = take_line(text); is_comment(line); line = take_line(text)) {
        text_scanner words{trim(line)};
        if (words.skip("# mode: ")) {
            const auto* const mode =
                std::ranges::find(austin_modes, words.word(), &austin_mode::name);
            return mode == austin_modes.end() ? nullptr : mode;
        }
    }
    return nullptr;
}

// No name of a function has the first of these, and none begins with the others.
bool is_markup(std::string_view line) noexcept {
    return line.find("</") != std::string_view::npos || line.starts_with("<!") ||
           line.starts_with("<?");
}

// Whether a line that is too long to be seen as a whole may be one. Minified text does not count.
bool begins_like_folded_line(std::string_view line) noexcept {
    return has_callee(line) && line.find_first_of("<[{") != 0;
}

// Takes the stacks of a text together to a profile. A frame is a function, and a location.
class folded_profile {
public:
    folded_profile(std::span<const value_type> types, std::string& out) {
        m_records.start(types, out);
    }

    // @param separator between two frames.
    void add(std::string_view stack, std::string_view separator,
             std::span<const std::int64_t> values) {
        m_ids.clear();
        for (bool is_last = false; !is_last;) {
            const std::string_view name = stack.substr(0, stack.find(separator));
            is_last = name.size() == stack.size();
            stack.remove_prefix(name.size() + (is_last ? 0 : separator.size()));
            m_ids.push_back(id_of(name));
        }
        std::ranges::reverse(m_ids); // a sample begins with the innermost
        m_locations.clear();
        append_numbers(m_locations, field::sample::location_id, m_ids.data(), m_ids.size(),
                       m_packed);
        m_records.add_sample(m_locations, values, {});
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_records.size(); }

    void finish(std::string_view shown) { m_records.finish({.default_sample_type = shown}); }

private:
    std::uint32_t id_of(std::string_view name) {
        const std::uint32_t known = m_names.size();
        const std::uint32_t number = m_names.find_or_add(hash_bytes(name));
        if (number == known) {
            const trace_records::frame_line line{.function = number + 1U};
            m_records.add_location(line.function, 0, mapping_search::npos, {&line, 1});
            m_records.add_function(line.function, name, {});
        }
        return number + 1;
    }

    trace_records m_records;
    key_table m_names;
    std::vector<std::uint32_t> m_ids;
    std::string m_locations;
    std::string m_packed;
};

// Profiles have whole numbers, so a fraction has to be none, or what a sum of fractions leaves:
// "41.000000000001".
std::int64_t value_of(std::string_view number, const text_lines& lines) {
    if (number.find_first_of(exponent_marks) != std::string_view::npos) {
        lines.fail("a number has an exponent, so digits may be missing; in awk, printf \"%d\" "
                   "writes all of them");
    }
    const std::string_view whole = number.substr(0, number.find('.'));
    const std::string_view fraction = number.substr(std::min(whole.size() + 1, number.size()));
    const auto value = to_number<std::int64_t>(whole);
    if (!value) {
        lines.fail("a number does not fit into 64 bits");
    }
    if (fraction.find_first_not_of('0') == std::string_view::npos) {
        return *value;
    }
    constexpr double nothing = 1e-9; // of a number
    constexpr double largest = std::uint64_t{1} << 53U;
    double precise = 0;
    std::from_chars(number.data(), number.data() + number.size(), precise);
    const double nearest = std::round(precise);
    if (std::fabs(precise - nearest) > nothing * std::fabs(precise) ||
        std::fabs(precise) > largest) {
        lines.fail("a number has a fraction, but values of a profile are whole numbers; use a "
                   "smaller unit");
    }
    return static_cast<std::int64_t>(nearest);
}

// The numbers of a line of Austin's full mode: the time, whether the thread was idle, and what the
// memory has grown by. The time is the CPU's unless the thread was idle.
std::array<std::int64_t, 3> full_values_of(std::string_view numbers, const text_lines& lines) {
    std::array<std::int64_t, 3> values{};
    for (std::int64_t& value : values) {
        const std::string_view number = numbers.substr(0, numbers.find(','));
        value = value_of(number, lines);
        numbers.remove_prefix(std::min(number.size() + 1, numbers.size()));
    }
    values[1] = values[1] == 0 ? values[0] : 0;
    return values;
}

// Whether each line that follows is a stack, with one blank before its number.
bool first_line_is_exact(std::string_view bytes) noexcept {
    return take_line(bytes) == exact_folded_text;
}

// Whether `bytes` are folded stacks, as far as the first 64 KiB tell. These have no start of their
// own. Hence the first line of two frames has to be a stack, and so has each line before it; and
// there may be no control character, as each profile of protobuf has some. If no line has two
// frames, two or more must be stacks that are no prose, and all others as well. O(1)
bool is_folded_text(std::string_view bytes) noexcept {
    constexpr std::size_t most = std::size_t{64} << 10U;
    std::string_view rest = bytes.substr(0, most);
    if (std::ranges::any_of(rest, is_control)) {
        return false;
    }
    if (first_line_is_exact(bytes)) {
        return true;
    }
    const austin_mode* const mode = austin_mode_of(rest);
    std::size_t stacks = 0;
    while (!rest.empty()) {
        const bool is_whole = bytes.size() < most || rest.find('\n') != std::string_view::npos;
        const std::string_view line = take_line(rest);
        // Comments of Prometheus' text, which has labels in quotes.
        if (is_markup(line) || line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
            return false;
        }
        if (!is_whole) {
            return stacks > 1 || begins_like_folded_line(line);
        }
        if (without_last_blanks(line).empty() || is_comment(line)) {
            continue;
        }
        const auto parts = split(line, mode != nullptr ? mode->numbers : 1);
        if (!parts || has_callee(parts->stack) || parts->stack == "(no stack)") {
            return parts.has_value();
        }
        if (!may_be_stack(parts->stack) || line.find("=\"") != std::string_view::npos) {
            return false;
        }
        ++stacks;
    }
    return stacks > 1;
}

// The text between two frames: a semicolon, and also a blank if each semicolon of the first line
// with any has one.
std::string_view separator_in(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const auto parts = is_comment(line) ? std::nullopt : split(line);
        if (parts && parts->stack.find(';') != std::string_view::npos) {
            return has_callee(parts->stack) ? ";" : "; ";
        }
    }
    return ";";
}

// A frame becomes a function of that name, without an address. A line that is not like the others
// may be the last one of a text that was cut off, so it is an error.
// @param counted says what the numbers are, unless the text does.
void convert_folded_text(text_lines& lines, const value_type& counted, std::string& profile,
                         std::size_t max_size) {
    const bool is_exact = first_line_is_exact(lines.rest()) && lines.next_of_any_kind();
    const austin_mode* const mode = is_exact ? nullptr : austin_mode_of(lines.rest());
    const std::size_t numbers = mode != nullptr ? mode->numbers : 1;
    const std::string_view separator = is_exact ? ";" : separator_in(lines.rest());
    std::vector<value_type> types{counted};
    if (mode != nullptr && (numbers > 1 || counted == value_type{"samples", "count"})) {
        types.clear();
        for (const auto& [type, unit] : std::span{mode->types}.first(numbers)) {
            types.push_back({type, unit});
        }
    }
    folded_profile out{types, profile};
    bool has_one_number = is_exact; // in some line
    while (lines.next_of_any_kind()) {
        const std::string_view line = lines.line();
        if (without_last_blanks(line).empty() || (!is_exact && is_comment(line))) {
            continue;
        }
        if (line.find('\0') != std::string_view::npos) {
            lines.fail("the text has a NUL");
        }
        const auto parts = is_exact ? split_exact(line) : split(line, numbers);
        if (!parts) {
            lines.fail("a line of folded stacks must end with a blank and a number");
        }
        has_one_number = has_one_number || !split(parts->stack);
        if (numbers == 1) {
            out.add(parts->stack, separator, std::array{value_of(parts->number, lines)});
        } else {
            out.add(parts->stack, separator, full_values_of(parts->number, lines));
        }
        require_within(out.size(), max_size);
    }
    if (!has_one_number) {
        lines.fail(
            "each line has two numbers, as in a diff of folded stacks, which is not supported");
    }
    out.finish(numbers > 1 ? mode->types.front().first : "");
    require_within(profile.size(), max_size);
}

// CPU profiles of gperftools, in binary.

// Their words have the size and the order of the machine's. First come the words 0, 3, the kind of
// program, the period in microseconds, and 0, which no protobuf begins with; then samples, each a
// count, the number of addresses and these, leaf first; a sample of 0 with the address 0 at the
// end; and the list of mappings as text.
class cpu_words {
public:
    /// The form that `bytes` have; nothing if they are none.
    static std::optional<cpu_words> find(std::string_view bytes) noexcept {
        for (const std::size_t size : {8U, 4U}) {
            for (const bool is_big_endian : {false, true}) {
                const cpu_words words{bytes, size, is_big_endian};
                if (words.count() >= header && words[0] == 0 && words[1] == 3 && words[2] <= 1 &&
                    words[4] == 0) {
                    return words;
                }
            }
        }
        return std::nullopt;
    }

    static constexpr std::size_t header = 5;

    [[nodiscard]] std::size_t count() const noexcept { return m_bytes.size() / m_size; }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    [[nodiscard]] bool is_of_java() const noexcept { return (*this)[2] == 1; }
    [[nodiscard]] std::uint64_t period() const noexcept { return (*this)[3]; }

    [[nodiscard]] std::uint64_t operator[](std::size_t place) const noexcept {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < m_size; ++i) {
            const std::size_t byte = m_is_big_endian ? i : m_size - 1 - i;
            word = word << 8U | static_cast<unsigned char>(m_bytes[place * m_size + byte]);
        }
        return word;
    }

    [[nodiscard]] std::string_view from(std::size_t place) const noexcept {
        return m_bytes.substr(place * m_size);
    }

private:
    cpu_words(std::string_view bytes, std::size_t size, bool is_big_endian) noexcept
        : m_bytes{bytes}, m_size{size}, m_is_big_endian{is_big_endian} {}

    std::string_view m_bytes;
    std::size_t m_size;
    bool m_is_big_endian;
};

// The samples of a CPU profile.
class cpu_samples {
public:
    // @param base the place of the words in the input, for errors.
    cpu_samples(const cpu_words& words, std::uint64_t base) : m_words{words}, m_base{base} {
        find_end();
        // Frames of the signal's handler stand below the leaf of nearly all samples. They are in
        // the C library or the profiler's, or above the leaf as the unwinder found it. google/pprof
        // removes whatever nearly all have there, such as the only caller of the only function that
        // takes time, in one of two profiles.
        while (m_removed.size() < 2 && !leaf_returns()) {
            const auto found = common_caller();
            if (!found) {
                break;
            }
            m_removed.push_back(*found);
        }
        if (!m_removed.empty() && !leaf_returns()) {
            const std::vector<mapping> mappings = parse_memory_map(memory_map());
            mapping_search search;
            search.build(mappings);
            std::erase_if(m_removed, [&](std::uint64_t address) {
                const std::uint32_t place = search.find(address);
                return place == mapping_search::npos || !handles_signals(mappings[place].file);
            });
        }
    }

    // Calls `take` with the count and the addresses of each sample: of callers, one less than the
    // address to return to.
    template <typename Take>
    void each(Take take) const {
        std::vector<std::uint64_t> stack;
        for (std::size_t place = cpu_words::header; place != m_end; place = next(place)) {
            const std::size_t first_caller = caller_of(place);
            stack.assign(1, m_words[place + 2]);
            // The leaf may stand there twice: from the signal, and as the unwinder found it.
            const bool is_twice =
                first_caller != next(place) && m_words[first_caller] == stack.front();
            for (std::size_t i = first_caller + (is_twice ? 1 : 0); i != next(place); ++i) {
                stack.push_back(m_words[i] - 1);
            }
            take(m_words[place], stack, [&](const std::string& what) { fail(what, place); });
        }
    }

    [[nodiscard]] std::string_view memory_map() const {
        constexpr std::size_t words_of_end = 3;
        return m_words.from(m_end + words_of_end);
    }

private:
    [[noreturn]] void fail(const std::string& what, std::size_t place) const {
        throw error{error_kind::malformed, "a CPU profile of gperftools: " + what,
                    m_base + place * m_words.size()};
    }

    [[nodiscard]] std::size_t next(std::size_t place) const {
        return place + 2 + static_cast<std::size_t>(m_words[place + 1]);
    }

    void find_end() {
        for (m_end = cpu_words::header;; ++m_samples) {
            const std::size_t left = m_words.count() - m_end;
            if (left < 3 || m_words[m_end + 1] > left - 2) {
                fail("it was cut off: the end of its samples is missing", m_end);
            }
            if (m_words[m_end + 1] == 0) {
                fail("a sample has no address", m_end);
            }
            if (m_words[m_end] == 0 && m_words[m_end + 1] == 1 && m_words[m_end + 2] == 0) {
                return;
            }
            m_end = next(m_end);
        }
    }

    // The place of the first caller's address that is not removed; that of the next sample without
    // one.
    [[nodiscard]] std::size_t caller_of(std::size_t place) const {
        std::size_t caller = place + 3;
        for (const std::uint64_t each : m_removed) {
            caller += caller != next(place) && m_words[caller] == each ? 1 : 0;
        }
        return caller;
    }

    // Whether a binary has the code that a signal's handler is called by, or the handler.
    static bool handles_signals(std::string_view file) {
        constexpr std::array<std::string_view, 6> starts{"libc.",       "libc-",       "libpthread",
                                                         "libprofiler", "libtcmalloc", "[vdso]"};
        const std::string_view name = file.substr(file.rfind('/') + 1);
        return std::ranges::any_of(starts, [&](auto start) { return name.starts_with(start); });
    }

    // Whether so many samples are nearly all.
    [[nodiscard]] bool are_most(std::size_t count) const {
        constexpr std::size_t tolerated = 32; // of which one may be otherwise
        return count != 0 && count >= m_samples - m_samples / tolerated;
    }

    // Whether the first caller that is not removed is the leaf again.
    [[nodiscard]] bool leaf_returns() const {
        std::size_t count = 0;
        for (std::size_t place = cpu_words::header; place != m_end; place = next(place)) {
            const std::size_t caller = caller_of(place);
            count += caller != next(place) && m_words[caller] == m_words[place + 2] ? 1U : 0U;
        }
        return are_most(count);
    }

    // The first caller that is not removed, if nearly all samples have the same.
    [[nodiscard]] std::optional<std::uint64_t> common_caller() const {
        std::uint64_t most = 0; // what more than half have, if any
        std::size_t lead = 0;
        const auto each_caller = [&](auto take) {
            for (std::size_t place = cpu_words::header; place != m_end; place = next(place)) {
                if (const std::size_t caller = caller_of(place); caller != next(place)) {
                    take(m_words[caller]);
                }
            }
        };
        each_caller([&](std::uint64_t address) {
            most = lead == 0 ? address : most;
            lead = address == most ? lead + 1 : lead - 1;
        });
        std::size_t count = 0;
        each_caller([&](std::uint64_t address) { count += address == most ? 1U : 0U; });
        return are_most(count) ? std::optional{most} : std::nullopt;
    }

    cpu_words m_words;
    std::uint64_t m_base;
    std::size_t m_end = 0; // the place of the sample of 0
    std::size_t m_samples = 0;
    std::vector<std::uint64_t> m_removed;
};

constexpr std::string_view java_cpu_profile{"a CPU profile of Java in a binary format, which is "
                                            "not supported; go tool pprof -proto converts it"};
constexpr std::string_view without_period{
    "a profile in the binary format of gperftools without its period, as the raw output of "
    "google-pprof and memprof of PHP have it, which is not supported; google-pprof shows it"};

// @param base is that of cpu_samples.
void convert_cpu_profile(const cpu_words& words, std::uint64_t base, text_output& out) {
    constexpr std::uint64_t nanoseconds = 1000;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    const cpu_samples samples{words, base};
    const std::array<value_type, 2> types{{{"samples", "count"}, {"cpu", "nanoseconds"}}};
    out.begin(types);
    samples.each([&](std::uint64_t count, std::span<const std::uint64_t> stack, auto fail) {
        if (words.period() > most / nanoseconds || count > most / (words.period() * nanoseconds)) {
            fail("a count is too large");
        }
        out.add_sample(stack,
                       std::array{static_cast<std::int64_t>(count),
                                  static_cast<std::int64_t>(count * words.period() * nanoseconds)});
    });
    // The same as lock_frames.
    constexpr std::string_view profiler_frames =
        "ProfileData::Add|ProfileData::prof_handler|CpuProfiler::prof_handler|"
        "__pthread_sighandler|__restore";
    out.finish({.period_type = types[1],
                .period = static_cast<std::int64_t>(std::min(words.period(), most / nanoseconds) *
                                                    nanoseconds),
                .drop_frames = profiler_frames},
               samples.memory_map());
}

// The known formats that are not read.

// Go's for what it counts by stack: "goroutine profile: total 5".
std::string_view unread_count_profile(std::string_view line) noexcept {
    constexpr std::string_view total = " profile: total ";
    const std::size_t place = line.find(total);
    if (place == 0 || place == std::string_view::npos || line.find_first_of(" \t") != place ||
        !is_all(line.substr(place + total.size()), is_decimal)) {
        return {};
    }
    const std::string_view name = line.substr(0, place);
    return name == "goroutine"
               ? "a goroutine profile of Go as text, which is not supported; leave out ?debug=1 to "
                 "get protobuf"
           : name == "threadcreate"
               ? "a threadcreate profile of Go as text, which is not supported; leave out ?debug=1 "
                 "to get protobuf"
               : "a count profile of Go as text, which is not supported; leave out ?debug=1 to get "
                 "protobuf";
}

// How they start, and what they are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> unread_texts{{
    {"--- heapz ",
     "a heap profile of Java as text, which is not supported; go tool pprof -proto converts it"},
    {"--- threadz ",
     "a list of C++ threads as text, which is not supported; go tool pprof -proto converts it"},
    {"--- Thread ",
     "a list of C++ threads as text, which is not supported; go tool pprof -proto converts it"},
    {"%warn", "a heap profile of tcmalloc without data, because sampling was off; see "
              "TCMALLOC_SAMPLE_PARAMETER"},
}};

// The first line that is neither empty nor a comment.
std::string_view first_line(std::string_view text) noexcept {
    std::string_view line;
    while (!text.empty() && (line.empty() || line.front() == '#')) {
        line = trim(take_line(text));
    }
    return line;
}

// All of them.

struct text_format {
    std::string_view start;
    void (*convert)(text_lines&, text_output&);
};

constexpr std::array<text_format, 4> formats{{
    {"heap profile:", convert_heap_text},
    {"heap_v2/", convert_jemalloc_text},
    {"--- mutex", convert_contention_text},
    {"--- contention", convert_contention_text},
}};

constexpr std::string_view symbols_start{"--- symbol"};

// The number of bytes before the first line of a profile that say nothing of it: empty lines, the
// heading of a part, and what jemalloc writes to standard error.
std::size_t size_before(std::string_view bytes) noexcept {
    constexpr std::size_t most = 4096;
    std::string_view rest = bytes.substr(0, most);
    std::size_t size = 0;
    while (!rest.empty()) {
        const std::string_view line = trim(take_line(rest));
        const bool is_heading = line == "--- heap" || line == "--- profile" || line == "--- growth";
        if (!line.empty() && !is_heading && !line.starts_with("<jemalloc>:")) {
            break;
        }
        size = std::min(bytes.size(), most) - rest.size();
    }
    return size;
}

const text_format* find_format(std::string_view bytes) noexcept {
    bytes.remove_prefix(size_before(bytes));
    const auto* const format = std::ranges::find_if(
        formats, [&](const auto& each) { return bytes.starts_with(each.start); });
    return format == formats.end() ? nullptr : format;
}

std::string_view without_byte_order_mark(std::string_view bytes) noexcept {
    constexpr std::string_view mark{"\xef\xbb\xbf"};
    return bytes.substr(bytes.starts_with(mark) ? mark.size() : 0);
}

// PowerShell's `>` and other programs of Windows write text so. No profile of protobuf begins so.
bool is_utf16(std::string_view bytes) noexcept {
    return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

// The text in UTF-8. Sets `end` to where it stops: after the last byte, or at half a character.
std::string from_utf16(std::string_view bytes, std::size_t& end) {
    const std::size_t high = bytes.front() == '\xff' ? 1 : 0; // place of the high byte
    constexpr char32_t none = 0xffffffff;
    const auto unit = [&](std::size_t at) -> char32_t {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
        return at + 1 < bytes.size() ? char32_t{byte(high)} << 8U | byte(1 - high) : none;
    };
    std::string text;
    for (end = 2; end < bytes.size();) {
        char32_t code = unit(end);
        const bool is_pair = code >= 0xd800 && code < 0xdc00;
        if (is_pair) {
            const char32_t low = unit(end + 2);
            code = low >= 0xdc00 && low < 0xe000
                       ? 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00)
                       : none;
        }
        if (code == none || (code >= 0xdc00 && code < 0xe000)) {
            break;
        }
        end += is_pair ? 4 : 2;
        constexpr std::array<unsigned, 4> first_byte{0, 0xc0, 0xe0, 0xf0};
        unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        text += static_cast<char>(first_byte[more] | code >> 6 * more);
        while (more-- > 0) {
            text += static_cast<char>(0x80U | (code >> 6 * more & 0x3fU));
        }
    }
    return text;
}

} // namespace

namespace {

// The words of a CPU profile, which may come behind the heading of its part.
std::optional<cpu_words> find_cpu_profile(std::string_view bytes) noexcept {
    bytes.remove_prefix(size_before(bytes));
    return cpu_words::find(bytes);
}

bool is_read(const std::optional<cpu_words>& cpu) noexcept {
    return cpu && !cpu->is_of_java() && cpu->period() != 0;
}

} // namespace

bool is_text_profile(std::string_view bytes) noexcept {
    if (is_utf16(bytes)) {
        constexpr std::size_t enough = std::size_t{128} << 10U; // 64 Ki letters, and the mark
        try {
            std::size_t end = 0;
            return is_text_profile(from_utf16(bytes.substr(0, enough + 2), end));
        } catch (const std::bad_alloc&) {
            return false;
        }
    }
    bytes = without_byte_order_mark(bytes);
    return find_format(bytes) != nullptr || bytes.starts_with(symbols_start) ||
           is_read(find_cpu_profile(bytes)) || is_speedscope(bytes) || is_folded_text(bytes);
}

std::string_view unread_format(std::string_view bytes) noexcept {
    if (is_text_profile(bytes)) {
        return {};
    }
    if (const auto cpu = find_cpu_profile(bytes)) {
        return cpu->is_of_java() ? java_cpu_profile : without_period;
    }
    constexpr std::size_t longest_start = 4096;
    const std::string_view line = first_line(bytes.substr(0, longest_start));
    for (const auto& [start, what] : unread_texts) {
        if (line.starts_with(start)) {
            return what;
        }
    }
    return unread_count_profile(line);
}

void convert_text_profile(std::string_view text, std::string& profile, std::size_t max_size,
                          const value_type& counted, std::string_view part) {
    std::string converted;
    if (is_utf16(text)) {
        std::size_t end = 0;
        converted = from_utf16(text, end);
        if (end != text.size()) {
            throw error{error_kind::malformed, "this text in UTF-16 has an incomplete character",
                        end};
        }
        text = converted;
    }
    text = without_byte_order_mark(text);
    if (is_speedscope(text)) {
        convert_speedscope(text, profile, max_size, counted, part);
        return;
    }
    text_lines lines{text};
    text_output out{profile, max_size};
    const bool has_symbols = text.starts_with(symbols_start);
    if (has_symbols) {
        out.take_symbols(lines);
    }
    const auto cpu = find_cpu_profile(lines.rest());
    if (has_symbols && cpu) {
        lines.fail("these symbols belong to " + std::string{without_period});
    }
    if (is_read(cpu)) {
        convert_cpu_profile(*cpu, static_cast<std::uint64_t>(cpu->from(0).data() - text.data()),
                            out);
        return;
    }
    const text_format* const format = find_format(lines.rest());
    if (has_symbols && size_before(lines.rest()) == lines.rest().size()) {
        lines.fail("there are symbols, and the profile itself is missing; did the program that "
                   "writes it, such as jeprof, fail?");
    }
    if (has_symbols && format == nullptr) {
        lines.fail("these symbols belong to a profile in a format that is not supported; "
                   "google-pprof of gperftools may read it");
    }
    if (format == nullptr && is_folded_text(text)) {
        convert_folded_text(lines, counted, profile, max_size);
        return;
    }
    if (format == nullptr) {
        const std::string_view unread = unread_format(text);
        throw error{error_kind::malformed,
                    unread.empty() ? "this is not a text profile in a known format"
                                   : "this is " + std::string{unread},
                    0};
    }
    lines.skip(size_before(lines.rest()));
    lines.give_comments_to([&](std::string_view comment) { out.take_comment(comment); });
    format->convert(lines, out);
}

} // namespace pprofdelta
