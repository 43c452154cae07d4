// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TRACES_HPP
#define PPROFDELTA_TRACES_HPP

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/label.hpp>
#include <pprofdelta/mapping.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Mappings that are shared and never change; changed mappings come as another list. The first one
/// is the main binary, where readers look for it.
using mapping_list = std::shared_ptr<const std::vector<mapping>>;

/// What the traces of a batch have in common.
struct trace_meta {
    /// Labels of each of the traces. Their order does not count.
    std::span<const label> labels{};
    /// When the counters were read, since the epoch of Unix; 0 if unknown. The time of a round is
    /// the latest of its batches.
    std::int64_t time_nanos = 0;
    /// What the addresses lie in. With nullptr, the mappings given last, or if there were none,
    /// those of this process, as process_mappings() reads them.
    mapping_list mappings{};
    /// The period of the profile, in the unit of its period type; 0 for none. The last batch of a
    /// round decides.
    std::int64_t period = 0;
};

/// Options of a delta of traces: those of delta_options that have a meaning here.
struct trace_delta_options {
    /// With reset_policy::error, write() throws and the round is forgotten.
    reset_policy on_reset = reset_policy::emit;
    bool skip_first = false;
    bool drop_negative = false;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_TRACES_HPP
