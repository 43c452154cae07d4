// SPDX-License-Identifier: Apache-2.0
#include "delta_command.hpp"

#include <future>
#include <memory>

#include "beside.hpp"
#include "comparison.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "result.hpp"
#include "state_file.hpp"

namespace pprofdelta::tool {

void delta_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to subtract");
    add_types(options, delta);
    add_match(options, delta.match);
    options.add_flag("--diff", diff, "Two captures: subtract all, keep what only PREV has");
    options.excludes("--diff", "--cumulative");
    options.excludes("--diff", "--gauge");
    add_normalize(options, normalize);
    options.add_flag("--drop-negative", delta.drop_negative,
                     "Leave out samples with a negative difference");
    options.add_choice<reset_policy>("--on-reset", "HOW", delta.on_reset,
                                     {{"emit", reset_policy::emit},
                                      {"drop", reset_policy::drop},
                                      {"error", reset_policy::error},
                                      {"negative", reset_policy::negative}},
                                     "Counters started over: emit CUR's values (default), drop "
                                     "samples, error (status 4), negative (subtract anyhow)");
    options.excludes("--on-reset", "--diff");
    options.add_heading("Input");
    add_max_size(options, max_size);
    add_state(options, state, delta.skip_first);
    options.add_heading("Output");
    options.add_value("-o,--output", "FILE", output, "Write to FILE instead of standard output");
    options.add_choice<codec>("--compress", "CODEC", compress,
                              {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                              "Wrap the delta: gzip (default), zstd, none");
    options.add_number("--level", "N", level, "Compression level: gzip 0 to 9, zstd 1 to 19");
    options.add_flag("-f,--force", force, "Write a profile even to a terminal");
    add_quiet(options, quiet);
    add_status(options, status);
    options.add_flag("-v,--verbose", verbose, "One line of figures on standard error");
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_min_amount(options, limits);
}

void delta_command::check_level() const {
    if (level == default_level) {
        return;
    }
    if (compress == codec::none) {
        wrong_usage("--level needs a compression");
    }
    const level_range range = levels(compress);
    if (level < range.lowest || level > range.highest) {
        wrong_usage("--level " + std::to_string(level) + ": " +
                    (compress == codec::gzip ? "gzip" : "zstd") + " has levels " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

void delta_command::check() {
    if (output == "-") {
        output.clear();
    }
    if (state.file.empty()) {
        check_pair("delta", files);
    } else {
        check_state(state, files, {output});
    }
    check_output(output, files);
    check_level();
    check_limits(limits);
    check_min_amount(limits);
    check_status(status, {output, state.file});
}

exit_status delta_command::run() const {
    refuse_terminal(*this);
    run_status told{name, status};
    add_inputs(told, files, state);
    return told.report_on(
        [&] { return state.file.empty() ? run_with_two(told) : run_with_state(told); });
}

exit_status delta_command::run_with_two(run_status& told) const {
    gate kept{limits, normalize};
    result r;
    std::future<loaded_profile> ahead = load_ahead(files[1], max_size);
    auto previous = std::make_unique<profile_file>(raw_file{files[0], max_size}, max_size);
    const std::string previous_name = previous->name();
    r.count(*previous);
    delta_computer computer{delta};
    if (!diff) {
        about(*previous, [&] { computer.prime(previous->bytes(), previous->source()); });
        if (!kept.is_on()) {
            previous.reset(); // for its memory to be free again when the delta is made
        }
    }
    const loaded_profile current = ahead.get();
    r.count(*current);
    if (diff) {
        const comparison profiles{normalize, *previous, *current};
        r.diff(profiles, delta);
        kept.judge(profiles);
    } else {
        r.compute(computer, *current, previous_name);
        kept.judge(r.computed(previous.get()), previous_name, current->name());
    }
    r.compress(*this);
    r.write(*this);
    r.report(*this, previous_name, told);
    return kept.report(limits.annotations, quiet, false, told);
}

exit_status delta_command::run_with_state(run_status& told) const {
    gate kept{limits, {}};
    result r;
    // Before the lock is taken: what writes the profile may take its time.
    raw_file raw{files[0], max_size};
    const state_file saved{state};
    delta_computer computer{delta};
    const loaded_profile current = saved.load_beside(std::move(raw), max_size, computer);
    r.count(*current);
    r.compute(computer, *current, state.file);
    auto next = beside([&computer] { return computer.save(); });
    kept.judge(r.computed(nullptr), "", current->name());
    r.compress(*this);
    r.write(*this);
    saved.replace(next.get());
    r.report(*this, state.file, told);
    return kept.report(limits.annotations, quiet, false, told);
}

} // namespace pprofdelta::tool
