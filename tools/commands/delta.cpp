// SPDX-License-Identifier: Apache-2.0
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "cli/command_options.hpp"
#include "cli/gate.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/commands.hpp"
#include "commands/inputs.hpp"
#include "commands/result.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta [delta]`: writes the delta of two profiles, or of a profile and a state.
struct delta_command : command {
    void add_options(command_options& options) override;
    void check() override;
    /// @returns limit_crossed if a limit was crossed, else done.
    [[nodiscard]] exit_status run() const override;

    /// PREV and CUR, or CUR alone with a state; "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.

    reading input;
    url_options urls;
    twice_options twice;
    unsigned threads = default_threads();

    state_options state;

    profile_output output;

    limit_options limits;

    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;
    bool verbose = false;

private:
    void check_paths() const;
    [[nodiscard]] exit_status run_with_two(run_status& told) const;
    [[nodiscard]] exit_status run_with_state(run_status& told) const;
};

void delta_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to subtract");
    add_types(options, delta);
    add_match(options, delta.match);
    options.add_flag("--diff", diff, "Compare independent captures: subtract gauges, too");
    options.excludes("--diff", "--cumulative");
    options.excludes("--diff", "--gauge");
    add_normalize(options, normalize);
    options.add_flag("--drop-negative", delta.drop_negative,
                     "Omit samples with a negative difference");
    add_on_reset(options, delta.on_reset);
    options.excludes("--on-reset", "--diff");
    options.add_heading("Input");
    add_reading(options, input);
    add_threads(options, threads);
    add_state(options, state, delta.skip_first);
    add_urls(options, urls, input);
    twice.add(options);
    options.add_heading("Output");
    output.add_options(options, "delta");
    add_quiet(options, quiet);
    add_status(options, status);
    options.add_flag("-v,--verbose", verbose, "Print a line of figures on standard error");
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
    add_min_amount(options, limits);
}

void delta_command::check() {
    output.check();
    refuse_credentials(files);
    twice.check(files, !state.file.empty());
    if (state.file.empty()) {
        check_pair("delta", files);
    } else {
        check_state(state, files);
    }
    check_limits(limits);
    check_status(status, output.file);
    check_paths();
    delta.threads = threads_for_one(threads);
}

void delta_command::check_paths() const {
    std::vector<output_path> outputs{{"-o", output.file, made_kind::profile},
                                     status_output(status)};
    add_state_outputs(outputs, state);
    run_paths used{outputs};
    used.read(files);
    used.read(urls.files());
    used.read(limits.files);
    used.check_kinds();
}

exit_status delta_command::run() const {
    output.refuse_terminal();
    run_status told{delta_kind.name, status};
    add_inputs(told, files, state);
    return told.report_on(
        [&] { return state.file.empty() ? run_with_two(told) : run_with_state(told); });
}

exit_status delta_command::run_with_two(run_status& told) const {
    gate kept{limits, normalize};
    result r;
    std::future<read_profile> ahead = read_ahead(files[1], input, delta.match, threads);
    auto previous = std::make_unique<profile_file>(
        twice.read_first(files[0], input, quiet,
                         [&](const profile_file& first) {
                             if (!diff) { // what has no counters has no delta
                                 about(first, [&] { delta_computer{delta}.prime(first.bytes()); });
                             }
                         }),
        input);
    const std::string previous_name = previous->name();
    r.count(*previous);
    delta_computer computer{delta};
    if (!diff) {
        about(*previous, [&] { computer.prime(previous->bytes(), previous->source()); });
        if (!kept.is_on()) {
            previous.reset(); // for its memory to be free again when the delta is made
        }
    }
    read_profile current = ahead.get();
    r.count(*current.file);
    if (diff) {
        const auto subtract = [&] {
            const comparison profiles{normalize, *previous, *current.file};
            r.diff(profiles, delta, current.keyed);
            kept.judge(viewed_profiles{profiles.previous(), profiles.current()},
                       profiles.previous_name(), profiles.current_name());
        };
        try {
            subtract();
        } catch (const failure& e) {
            // Only now, so that profiles with the same types cost nothing.
            if (e.status() != exit_status::incompatible || !r.match_types(*previous, current)) {
                throw;
            }
            subtract();
        }
    } else {
        r.compute(computer, current, previous_name);
        kept.judge(viewed_profiles{r.computed(previous.get())}, previous_name,
                   current.file->name());
    }
    r.compress(output, diff);
    r.write(output, durability::cached);
    told.warn(input.warnings(), quiet);
    r.report(previous_name, delta, quiet, verbose, told);
    told.add_report_on(output.file);
    return kept.report({.annotations = limits.annotations, .quiet = quiet}, told);
}

exit_status delta_command::run_with_state(run_status& told) const {
    gate kept{limits, {}};
    result r;
    // Before the lock is taken: what writes the profile may take its time.
    raw_file raw{files[0], input};
    const state_file saved{state};
    delta_computer computer{delta};
    read_profile current = saved.load_beside(std::move(raw), input, delta.match, threads, computer);
    r.count(*current.file);
    r.compute(computer, current, state.file);
    auto next = beside(current.keyed.has_value(), [&computer] { return computer.save(); });
    r.put_names(input);
    kept.judge(viewed_profiles{r.computed(nullptr)}, "", current.file->name());
    r.compress(output, false);
    // Has to be safe before the state takes its interval for done.
    r.write(output, durability::synced);
    saved.replace(next.get());
    told.warn(input.warnings(), quiet);
    r.report(state.file, delta, quiet, verbose, told);
    told.add_report_on(output.file);
    return kept.report({.annotations = limits.annotations, .quiet = quiet}, told);
}

const command_kind delta_kind{"delta",
                              "Subtract one profile from another (default)",
                              "Usage: pprofdelta [delta] [OPTION]... PREV CUR\n"
                              "       pprofdelta [delta] [OPTION]... --state FILE [CUR]\n"
                              "       pprofdelta [delta] [OPTION]... --seconds SEC URL\n",
                              make_command<delta_command>,
                              {"--state", "--first", "--on-reset", "--diff", "--match",
                               "--cumulative", "--seconds", "--fail-on", "--output", "--compress",
                               "--verbose"}};

} // namespace pprofdelta::tool
