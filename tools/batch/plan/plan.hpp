// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_PLAN_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/merge.hpp>

#include "batch/plan/command_template.hpp"
#include "batch/plan/output_template.hpp"
#include "cli/common_options.hpp"
#include "cli/paths.hpp"
#include "cli/profile_output.hpp"

namespace pprofdelta::tool {

/// How often a run waits for the disk.
enum class flush_rule : std::uint8_t {
    item,   ///< For each item.
    series, ///< For each series, and for a part of one with many items.
    group,  ///< For some dozens of items of any series.
    none,   ///< Never: safe when the program is killed, not when the machine fails.
};

/// The command that takes each delta.
struct exec_options {
    command_template command; ///< Empty for none.
    double timeout_seconds = 60;
    unsigned retries = 2;
};

/// How all items are treated.
struct batch_plan {
    delta_options delta;
    trim_options trim;         ///< What deltas keep. Limits are judged before.
    bool add_labels = false;   ///< Those of targets to each sample.
    bool wants_totals = false; ///< Of each delta, for results.
    bool wants_rates = false;  ///< Of the functions of each delta, for metrics.
    output_template output{"{series}/{n}.pb.gz"};
    profile_output form;
    limit_options limits;
    exec_options exec;
    flush_rule flush = flush_rule::group;
    std::size_t group = 64; ///< The most items of a group.
    bool from_scratch = false;
    bool in_order_of_time = false; ///< The inputs of a series, rather than as they stand.
    reading input;
    std::size_t max_fetched_size = max_profile_size; ///< The most bytes of a profile from a URL.
    std::size_t memory = std::size_t{1} << 30U;      ///< That workers share.
    std::string run{};                ///< How the names of this run's journals begin.
    const run_paths* paths = nullptr; ///< Of the run, which deltas keep clear of.
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_PLAN_HPP
