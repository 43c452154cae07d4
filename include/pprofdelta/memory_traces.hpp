// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_MEMORY_TRACES_HPP
#define PPROFDELTA_MEMORY_TRACES_HPP

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

/// What was allocated in one stack, and what of that was freed, since the process or its profiler
/// started. If only some allocations are sampled, these are estimates by scale_heap_sample().
struct memory_trace {
    /// Addresses, leaf first; they must outlive the call that gets them. Readers look up the lines
    /// of exactly these addresses, so those of callers should lie within the call: one less than
    /// the address to return to.
    std::span<const std::uint64_t> stack{};
    std::int64_t allocs = 0;
    std::int64_t frees = 0;
    std::int64_t alloc_bytes = 0;
    std::int64_t free_bytes = 0;
    /// The size of each allocation in bytes, if the profiler counts sizes separately; else 0.
    /// Becomes a label `bytes`, as in Go's heap profiles. Traces that differ in it are different.
    std::int64_t block_size = 0;
    /// The profiler's own id of the stack, such as the number of a record that it keeps as long as
    /// the memory_delta lives; 0 for none. Each stack has one id, and each id one stack. The id is
    /// compared in place of the stack, which is then read for new traces only.
    std::uint64_t stack_id = 0;
};

/// Takes the traces of a memory profiler, in batches of any size.
class memory_trace_reporter {
public:
    memory_trace_reporter() = default;
    memory_trace_reporter(const memory_trace_reporter&) = delete;
    memory_trace_reporter& operator=(const memory_trace_reporter&) = delete;
    virtual ~memory_trace_reporter() = default;

    /// @param traces needed only during the call, like what `meta` points to.
    virtual void report_memory_traces(std::span<const memory_trace> traces,
                                      const trace_meta& meta) = 0;
};

struct memory_delta_options : trace_delta_options {
    /// Whether there are alloc_objects/count and alloc_space/bytes. Without them nothing is
    /// cumulative, and what is written is the memory in use at the end of each round.
    bool allocations = true;
};

/// Turns rounds of memory traces into deltas, without a full profile in between.
///
/// A round is what was reported since the last write(): the counters of every trace, changed or
/// not. write() ends it, and gives the delta from the round before. The sample types are
/// alloc_objects/count, alloc_space/bytes, inuse_objects/count and inuse_space/bytes, in Go's
/// order; the first two become current minus previous. Memory in use is what was allocated minus
/// what was freed, and passes through.
///
/// The meaning is that of delta_computer with a profile for each round. Traces are equal if their
/// stack, block size and labels are. Equal traces of a round are added up; those whose values all
/// become zero are left out, with their locations. Nothing is subtracted from the first round. A
/// trace that is missing in a round yields nothing, and is remembered for when it comes back. So a
/// round without traces looks as if counters had started over; see `on_reset`. Arithmetic wraps
/// around at 64 bits.
///
/// Safe for use by several threads at once. A batch belongs to one round as a whole. Reports wait
/// while write() runs. Neither may be called where an allocation must not happen, such as in a
/// replaced operator new: collect traces there, and report them elsewhere.
///
/// Cost: a report is linear in the frames. The lock is taken once, after the stacks are hashed, and
/// held for about 10 ns for each known trace. write() is linear in the number of distinct traces,
/// and in the frames of those written. Memory is about 100 bytes for each distinct trace, 3 for
/// each of its frames, and 40 for each address; and 100 for each trace of the largest batch in each
/// thread that reports. It grows with the number of distinct traces seen since the start or the
/// last reset. A round without new traces allocates nothing, if `delta` has the capacity.
class memory_delta final : public memory_trace_reporter {
public:
    explicit memory_delta(const memory_delta_options& options = {});
    ~memory_delta() override;

    /// All or nothing: after a throw the batch was not reported.
    /// @throws std::bad_alloc
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

    /// Ends the round, and begins another one. After a throw the round is forgotten, and the next
    /// round is compared with that of the last delta, so the next delta covers both.
    ///
    /// @param delta replaced by the serialized, uncompressed delta; unspecified after a throw. Its
    ///        memory and content are reused, so it is best to pass the same string each time.
    /// @returns `samples_in` is the number of traces reported; equal ones count.
    /// @throws error reset, too_large, std::bad_alloc
    delta_summary write(std::string& delta);

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// Passes traces on in batches of a limited size, so that a lock is held briefly. As safe for
/// several threads as the reporter that it passes them to.
class batching_reporter final : public memory_trace_reporter {
public:
    static constexpr std::size_t default_batch = 100;

    /// @param next  must outlive the adapter.
    /// @param batch the most traces in a batch; 0 counts as 1.
    explicit batching_reporter(memory_trace_reporter& next, std::size_t batch = default_batch);

    /// Batches that were passed on before a throw stay reported. An empty span is passed on too,
    /// because of `meta`.
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

private:
    memory_trace_reporter& m_next;
    std::size_t m_batch;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_MEMORY_TRACES_HPP
