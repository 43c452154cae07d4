// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     memory_delta rounds;
//     const std::vector<std::uint64_t> stack{0x401000, 0x402000}; // leaf first
//     const std::vector<memory_trace> traces{{.stack = stack, .allocs = 3, .alloc_bytes = 96}};
//     rounds.report_memory_traces(traces, {}); // all that was counted since the start
//     const auto [delta, summary] = rounds.write();

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/traces.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The allocations and frees of one stack, since the start of the process or its profiler.
///
/// If only some allocations are sampled, these are estimates by scale_heap_sample(): of allocations
/// by themselves and of frees by themselves, and of each size of blocks in the stack by itself,
/// with the rate at which they were sampled. The sizes are traces of their own, by `block_size`, or
/// their estimates are added up. What is counted for several sizes must not be scaled as one, since
/// that goes by the mean size: when it changes, so does the estimate of all that was ever
/// allocated, and the delta is wrong.
struct memory_trace {
    /// Addresses, leaf first; they must outlive the call that they are passed to. Readers look up
    /// the lines of exactly these addresses, so the address of a caller should lie within its call
    /// instruction: one less than the return address.
    std::span<const std::uint64_t> stack{};
    std::int64_t allocs = 0;
    std::int64_t frees = 0;
    std::int64_t alloc_bytes = 0;
    std::int64_t free_bytes = 0;
    /// The size of each allocation in bytes, if the profiler counts sizes separately; otherwise 0.
    /// Becomes a label `bytes`, as in Go's heap profiles. Traces with different sizes are
    /// different.
    std::int64_t block_size = 0;
    /// The profiler's own id of the stack, such as the number of a record that it keeps as long as
    /// the memory_delta lives; 0 for none. Ids and stacks correspond one to one, and a stack has
    /// its id in all reports or in none: with and without an id, it is two traces. The id is
    /// compared in place of the stack, which is then read only for new traces.
    std::uint64_t stack_id = 0;
};

/// Receives the traces of a memory profiler, in batches of any size.
class memory_trace_reporter {
public:
    memory_trace_reporter() = default;
    memory_trace_reporter(const memory_trace_reporter&) = delete;
    memory_trace_reporter& operator=(const memory_trace_reporter&) = delete;
    virtual ~memory_trace_reporter() = default;

    /// @param traces needed only during the call, like the data that `meta` points to.
    virtual void report_memory_traces(std::span<const memory_trace> traces,
                                      const trace_meta& meta) = 0;
};

/// Most callers leave these alone.
struct memory_delta_options : trace_delta_options {
    /// Whether there are alloc_objects/count and alloc_space/bytes. No type is cumulative without
    /// them, and the result is the memory in use at the end of each round.
    bool allocations = true;
};

/// Turns rounds of memory traces into deltas, without a full profile in between.
///
/// A round consists of the reports since the last write(): the counters of all traces, changed or
/// not. write() ends it, and writes the delta from the previous round. The sample types are
/// alloc_objects/count, alloc_space/bytes, inuse_objects/count and inuse_space/bytes, in Go's
/// order; the first two become current minus previous. Memory in use is what was allocated minus
/// what was freed, and passes through.
///
/// The result is that of delta_computer with a profile for each round, whose mappings show that the
/// process is the same, except that nothing is rescaled when the period changes. Traces are equal
/// if their stacks, block sizes and labels are. Equal traces of a round are added up; those whose
/// values all become zero are left out, with their locations. Nothing is subtracted from the first
/// round. A trace that is missing in a round yields nothing, and is remembered in case it comes
/// back. A round without traces is one in which all are missing, and no counter reset. There is one
/// if traces that are reported, with zeros or not, lost more than a tenth of a cumulative type, or
/// if others are reported than in the round before and none of those, as when the profiler has
/// started over; see `on_reset`. Arithmetic wraps around at 64 bits.
///
/// Safe for use by several threads at once. A batch belongs to one round as a whole. Reports wait
/// while write() runs. Call neither where an allocation must not happen, such as in a replaced
/// operator new: collect traces there, and report them elsewhere. Neither may be called, nor the
/// object destroyed, in a child process that was forked while another thread was in a call.
///
/// Cost: a report is linear in the frames. The lock is taken once, after the stacks are hashed, and
/// held for about 10 ns for each known trace. write() is linear in the number of distinct traces,
/// and in the frames of those written. Memory is about 100 bytes for each distinct trace, 3 for
/// each of its frames, and 40 for each address; and, in each thread that reports, 100 for each
/// trace of its largest batch. It grows with the number of distinct traces since the start or the
/// last reset. A round without new traces allocates nothing, if `delta` has the capacity.
class memory_delta final : public memory_trace_reporter {
public:
    explicit memory_delta(const memory_delta_options& options = {});
    ~memory_delta() override;

    /// Adds a batch to the round. All or nothing: after an exception, no trace of it was added.
    /// @throws std::bad_alloc
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

    /// Writes the delta of the round, and begins another round. After an exception, the round is
    /// discarded, and the next one is compared with the round of the last delta, so the next delta
    /// covers both.
    ///
    /// @param delta replaced by the serialized, uncompressed delta; unspecified after an exception.
    ///              Its memory and content are reused, so pass the same string each time.
    /// @returns a summary in which `samples_in` is the number of traces reported, with duplicates.
    /// @throws error reset, too_large
    /// @throws std::bad_alloc
    delta_summary write(std::string& delta);
    /// Returns the delta as well, in a string of its own.
    [[nodiscard]] delta_result write() {
        delta_result result;
        result.summary = write(result.delta);
        return result;
    }

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// Passes traces on in batches of limited size, so that a lock is held briefly. It is as
/// thread-safe as the reporter that it passes them to.
class batching_reporter final : public memory_trace_reporter {
public:
    static constexpr std::size_t default_batch = 100;

    /// @param next  must outlive the adapter.
    /// @param batch the largest number of traces in a batch; 0 counts as 1.
    explicit batching_reporter(memory_trace_reporter& next, std::size_t batch = default_batch);

    /// Batches that were passed on before an exception stay reported. An empty span is passed on
    /// too, because of `meta`.
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

private:
    memory_trace_reporter& m_next;
    std::size_t m_batch;
};

} // namespace pprofdelta

#pragma GCC visibility pop
