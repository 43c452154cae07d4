// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/label.hpp>
#include <pprofdelta/mapping.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Shared mappings that never change; changed mappings come as another list. The first one is the
/// main binary, where readers look for it.
using mapping_list = std::shared_ptr<const std::vector<mapping>>;

/// The properties that all traces of a batch share.
struct trace_meta {
    /// Labels of each of the traces, in any order.
    std::span<const label> labels{};
    /// The time at which the counters were read, in nanoseconds since the Unix epoch; 0 if unknown.
    /// The time of a round is the latest of its batches.
    std::int64_t time_nanos = 0;
    /// The mappings of the addresses. A nullptr stands for the mappings given last or, if there
    /// were none, for those of this process, as process_mappings() returns them.
    mapping_list mappings{};
    /// The period of the profile, in the unit of its period type; 0 for none. The last batch of a
    /// round decides.
    std::int64_t period = 0;
};

/// Options of a delta of traces: the members of delta_options that apply to traces.
struct trace_delta_options {
    /// If it is reset_policy::error, write() throws and the round is discarded.
    reset_policy on_reset = reset_policy::emit;
    bool skip_first = false;
    bool drop_negative = false;
};

} // namespace pprofdelta

#pragma GCC visibility pop
