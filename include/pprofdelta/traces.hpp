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

namespace pprofdelta {

/// Mappings that are shared and never change: another list says that they are others. The first one
/// is the main binary, which readers look for there.
using mapping_list = std::shared_ptr<const std::vector<mapping>>;

/// What the traces of a batch have in common.
struct trace_meta {
    /// Labels of each of the traces. Their order does not count.
    std::span<const label> labels{};
    /// When the counters were read, since the epoch of Unix; 0 if unknown. The time of a round is
    /// the latest of its batches.
    std::int64_t time_nanos = 0;
    /// What the addresses lie in. With nullptr, the mappings given last; if none ever were, those
    /// of this process, as process_mappings reads them.
    mapping_list mappings{};
    /// What the profile has for a period, in the unit of its period type; 0 for none. That of the
    /// last batch of a round counts.
    std::int64_t period = 0;
};

/// Choices of a delta of traces; those of delta_options that mean something here.
struct trace_delta_options {
    /// With reset_policy::error, write() throws and the round is forgotten.
    reset_policy on_reset = reset_policy::emit;
    bool skip_first = false;
    bool drop_negative = false;
};

} // namespace pprofdelta

#endif // PPROFDELTA_TRACES_HPP
