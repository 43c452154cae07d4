// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_MEMORY_TRACES_HPP
#define PPROFDELTA_MEMORY_TRACES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/traces.hpp>

namespace pprofdelta {

/// What was allocated in one stack, and freed of that, since the process or its profiler started.
/// Estimates, if only some allocations are sampled: scale_heap_sample() makes them.
struct memory_trace {
    /// Addresses, leaf first; they have to last as long as the call that gets them. Readers look up
    /// the line of just these, so those of callers should lie within the call: one less than the
    /// address to return to.
    std::span<const std::uint64_t> stack{};
    std::int64_t allocs = 0;
    std::int64_t frees = 0;
    std::int64_t alloc_bytes = 0;
    std::int64_t free_bytes = 0;
    /// The size of each of the allocations, in bytes, if the profiler keeps sizes apart; else 0.
    /// Becomes a label `bytes`, as in Go's heap profiles, and is part of what tells traces apart.
    std::int64_t block_size = 0;
    /// What the profiler tells stacks apart by, such as the number of a record that it keeps for as
    /// long as the memory_delta lives; 0 for none. Traces of one id have one stack, and a stack has
    /// one id: it is compared in place of the stack, which is then read for new traces only.
    std::uint64_t stack_id = 0;
};

/// Takes the traces of a memory profiler, in batches of any size.
class memory_trace_reporter {
public:
    memory_trace_reporter() = default;
    memory_trace_reporter(const memory_trace_reporter&) = delete;
    memory_trace_reporter& operator=(const memory_trace_reporter&) = delete;
    virtual ~memory_trace_reporter() = default;

    /// @param traces needed only during the call, and so is what `meta` points to.
    virtual void report_memory_traces(std::span<const memory_trace> traces,
                                      const trace_meta& meta) = 0;
};

struct memory_delta_options : trace_delta_options {
    /// Whether there are alloc_objects/count and alloc_space/bytes. Without, nothing is cumulative,
    /// and what is written is the memory in use at the end of each round.
    bool allocations = true;
};

/// Turns rounds of memory traces into deltas, without a full profile in between.
///
/// A round is what was reported since the last write(): the counters of each trace that there is,
/// changed or not. write() ends it, and gives the delta from the round before. The sample types are
/// alloc_objects/count, alloc_space/bytes, inuse_objects/count and inuse_space/bytes, in Go's
/// order; the first two become current minus previous, and memory in use, which is what was
/// allocated less what was freed, passes through.
///
/// The meaning is that of delta_computer, if each round were a profile. Traces are told apart by
/// stack, block size and labels; those that are equal within a round are added up; those whose
/// values all become zero are left out, with their locations. The first round has nothing to be
/// subtracted from it. A trace that a round does not have yields nothing, and is remembered for
/// when it comes back; so a round without any looks as if counters had started over, which
/// `on_reset` says what to do about. Arithmetic wraps around at 64 bits.
///
/// Safe for use by several threads at once. A batch is in one round as a whole. Reports wait while
/// write() runs. Neither may be called where an allocation must not happen, such as in a replaced
/// operator new: traces are collected there, and reported elsewhere.
///
/// Cost: a report is linear in the frames. The lock is taken once, after the stacks are hashed,
/// and held for some 10 ns for each trace that is known. write() is linear in the number of
/// distinct traces, and in the frames of those written. About 100 bytes of memory for each
/// distinct trace, 3 for each of its frames, and 40 for each address; and 100 for each trace of
/// the largest batch in each thread that reports. Grows with the number of distinct traces seen
/// since the start or the last reset. A round without new traces allocates nothing, if `delta` has
/// the capacity.
class memory_delta final : public memory_trace_reporter {
public:
    explicit memory_delta(const memory_delta_options& options = {});
    ~memory_delta() override;

    /// All or nothing: after a throw the batch was not reported.
    /// @throws std::bad_alloc
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

    /// Ends the round, and begins another. After a throw the round is forgotten, and the next one
    /// is compared with what the last delta was of: so the next delta covers both.
    ///
    /// @param delta replaced by the serialized, uncompressed delta; unspecified after a throw. Its
    ///        memory is reused, content and all: it is best to hand over the same string each time.
    /// @returns `samples_in` has the traces reported, equal ones counted.
    /// @throws error reset, too_large, std::bad_alloc
    delta_summary write(std::string& delta);

private:
    class impl;
    std::unique_ptr<impl> m_impl;
};

/// Passes traces on in batches that are not larger than wanted, so that a lock is held only for
/// as long. As safe for several threads as what it passes them to.
class batching_reporter final : public memory_trace_reporter {
public:
    static constexpr std::size_t default_batch = 100;

    /// @param next  has to outlive the adapter.
    /// @param batch the most traces in a batch; 0 counts as 1.
    explicit batching_reporter(memory_trace_reporter& next, std::size_t batch = default_batch);

    /// Batches that were passed on before a throw stay reported. An empty span is passed on too,
    /// for what `meta` says.
    void report_memory_traces(std::span<const memory_trace> traces,
                              const trace_meta& meta) override;

private:
    memory_trace_reporter& m_next;
    std::size_t m_batch;
};

} // namespace pprofdelta

#endif // PPROFDELTA_MEMORY_TRACES_HPP
