// SPDX-License-Identifier: Apache-2.0
#include "delta_command.hpp"

#include <future>
#include <memory>

#include "beside.hpp"
#include "comparison.hpp"
#include "file.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "result.hpp"

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
    options.add_value("--state", "FILE", state, "Subtract what FILE holds, then make it hold CUR");
    options.excludes("--state", "--diff");
    options.add_choice<bool>("--first", "HOW", delta.skip_first, {{"emit", false}, {"skip", true}},
                             "Without a state yet: emit all (default), or skip all");
    options.add_flag("--reset-state", reset_state, "Go on as if there were no state yet");
    options.add_number("--lock-timeout", "SEC", lock_timeout_seconds,
                       "How long to wait for another run (default: 30)");
    for (const char* each : {"--first", "--reset-state", "--lock-timeout"}) {
        options.needs(each, "--state");
    }
    options.add_heading("Output");
    options.add_value("-o,--output", "FILE", output, "Write to FILE instead of standard output");
    options.add_choice<codec>("--compress", "CODEC", compress,
                              {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                              "Wrap the delta: gzip (default), zstd, none");
    options.add_number("--level", "N", level, "Compression level: gzip 0 to 9, zstd 1 to 19");
    options.add_flag("-f,--force", force, "Write a profile even to a terminal");
    add_quiet(options, quiet);
    options.add_flag("-v,--verbose", verbose, "One line of figures on standard error");
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
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

void delta_command::check_state() const {
    constexpr double longest_timeout = 1e6;
    if (!(lock_timeout_seconds >= 0 && lock_timeout_seconds <= longest_timeout)) {
        wrong_usage("--lock-timeout is a number of seconds from 0 to 1000000");
    }
    if (files.size() > 1) {
        wrong_usage("with --state there is one profile, CUR, and " + std::to_string(files.size()) +
                    " are given");
    }
    if (state == "-") {
        wrong_usage("--state needs a file, which standard input is not");
    }
    if (limits.are_given()) {
        wrong_usage("limits need two profiles, PREV and CUR: a state does not have what they "
                    "compare");
    }
    // The state, which is written last, would take the delta's place.
    if (!output.empty() &&
        (is_same_path(output, state) || is_same_path(output, resolve_links(state) + ".lock"))) {
        throw failure{exit_status::usage,
                      output + ": the delta cannot go where the state is or its lock"};
    }
}

void delta_command::check() {
    if (output == "-") {
        output.clear();
    }
    if (state.empty()) {
        check_pair("delta", files);
    } else {
        check_state();
        if (files.empty()) {
            files.emplace_back("-");
        }
    }
    check_output(output, files);
    check_level();
    check_limits(limits);
}

exit_status delta_command::run() const {
    refuse_terminal(*this);
    if (state.empty()) {
        return run_with_two();
    }
    run_with_state();
    return exit_status::done;
}

exit_status delta_command::run_with_two() const {
    gate kept{limits, normalize};
    result r;
    std::future<loaded_profile> ahead = load_ahead(files[1], max_size);
    auto previous = std::make_unique<profile_file>(raw_file{files[0], max_size}, max_size);
    const std::string previous_name = previous->name();
    r.count(*previous);
    delta_computer computer{delta};
    if (!diff) {
        about(previous_name, [&] { computer.prime(previous->bytes(), previous->source()); });
        if (!kept.is_on()) {
            previous.reset(); // for its memory to be free again when the delta is made
        }
    }
    const loaded_profile current = ahead.get();
    r.count(*current);
    std::optional<comparison> profiles;
    if (previous) {
        profiles.emplace(normalize, *previous, *current);
    }
    std::future<void> judged;
    if (kept.is_on()) {
        judged = beside([&] { kept.judge(*profiles); });
    }
    if (diff) {
        r.diff(*profiles, delta);
    } else {
        r.compute(computer, *current, previous_name);
    }
    r.compress(*this);
    // Before anything is written: limits that do not fit the profiles are an error.
    if (kept.is_on()) {
        judged.get();
    }
    r.write(*this);
    r.report(*this, previous_name);
    return kept.report(limits.annotations, quiet, false);
}

} // namespace pprofdelta::tool
