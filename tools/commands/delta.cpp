// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <future>
#include <memory>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/heap.hpp"
#include "base/threads.hpp"
#include "commands/reading.hpp"
#include "commands/result.hpp"

namespace pprofdelta::tool {

/// `pprofdelta [delta]`: writes the delta of two profiles, or of a profile and a state.
struct delta_command : profile_command {
    // The files are PREV and CUR, or CUR alone with a state.
    delta_options delta;
    trim_options trim; ///< The part of the delta that is written; limits are judged before.
    bool diff = false;
    std::optional<normalization> normalize; ///< The normalization of PREV, in a diff.

    interval_options twice;
    unsigned threads = default_threads();
    state_options state;
    limit_options limits;

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to subtract");
        add_subtraction(options, delta);
        add_diff(options, diff, normalize);
        options.excludes("--on-reset", {"--diff"});
        add_kept(options, trim);
        options.add_heading("Input");
        twice.add(options);
        add_reading(options, input);
        add_threads(options, threads);
        add_state(options, state, delta.skip_first);
        add_outputs(options, "delta");
        add_limits(options, limits, {.have_least = true, .may_be_empty = true});
        add_urls(options, urls, input);
    }

    void check() override {
        check_level(output);
        twice.check(files, !state.file.empty());
        if (state.file.empty()) {
            check_pair("a delta needs two profiles", files);
        } else {
            check_state(state, files);
        }
        refuse_folders(files);
        check_limits(limits);
        check_status(status_file, output.file);
        std::vector<output_path> outputs{{"-o", output.file, output_kind::profile},
                                         status_output(status_file)};
        add_state_outputs(outputs, state);
        check_paths(outputs, {files, urls.files(), limits.files});
        delta.threads = threads_for_one(threads);
        output.refuse_terminal();
    }

    /// @returns limit_crossed if a limit was crossed, else done.
    [[nodiscard]] exit_status work(run_status& status) const override {
        status.add_inputs(files, state.file);
        use_one_heap();
        return state.file.empty() ? with_two(status) : with_state(status);
    }

private:
    [[nodiscard]] exit_status with_two(run_status& status) const {
        gate kept{limits, normalize, trim.selection};
        traffic sizes;
        std::future<read_profile> ahead = read_ahead(files[1], input, delta.match, threads);
        auto previous = std::make_unique<profile_file>(
            twice.read_first(files[0], input, quiet,
                             [&](const profile_file& first) {
                                 if (!diff) { // what has no counters has no delta
                                     with_file_context(first, [&] {
                                         delta_computer{delta}.prime(first.bytes());
                                     });
                                 }
                             }),
            input);
        const std::string previous_name = previous->name();
        sizes.read(*previous);
        drop_labels(*previous);
        auto computer = std::make_optional<delta_computer>(delta);
        if (!diff) {
            with_file_context(*previous,
                              [&] { computer->prime(previous->bytes(), previous->source()); });
            if (!kept.is_on()) {
                previous.reset(); // for its memory to be free again when the delta is made
            }
        }
        read_profile current = ahead.get();
        sizes.read(*current.file);
        if (drop_labels(*current.file)) {
            current.keyed.reset();
        }
        made_delta made;
        if (diff) {
            made = difference(*previous, current, kept);
        } else {
            made = compute_delta(*computer, current, previous_name);
            kept.judge(viewed_profiles{made.computed(previous.get())}, previous_name,
                       current.file->name());
        }
        // To compress the delta takes memory, and needs none of these.
        computer.reset();
        current.keyed.reset();
        const std::size_t all = made.summary.samples_kept;
        write(made, !diff, sizes, durability::cached);
        status.warn(none_left_text(all, made.summary.samples_kept));
        return publish(made, previous_name, sizes, kept, status);
    }

    // A label that is left out of the delta, such as a new one, must not keep samples apart.
    bool drop_labels(profile_file& profile) const {
        if (trim.drop_labels.empty()) {
            return false;
        }
        with_file_context(profile, [&] {
            trim_options labels;
            labels.drop_labels = trim.drop_labels;
            profile.replace(pprofdelta::trim(profile.bytes(), labels));
        });
        return true;
    }

    [[nodiscard]] made_delta difference(profile_file& previous, read_profile& current,
                                        gate& kept) const {
        const auto made_of_both = [&] {
            const comparison profiles{normalize, previous, *current.file};
            made_delta made = subtract(profiles, delta, current.keyed);
            const viewed_profiles of{profiles.previous_bytes(), profiles.current.bytes()};
            if (limits.need_samples()) {
                require_samples(of.samples().current, current.file->name());
            }
            kept.judge(of, previous.name(), current.file->name());
            return made;
        };
        try {
            return made_of_both();
        } catch (const failure& e) {
            // This comes so late so that profiles with the same types cost nothing.
            std::optional<std::vector<std::string>> left_out;
            if (e.status() != exit_status::incompatible ||
                !(left_out = match_types(previous, current))) {
                throw;
            }
            made_delta made = made_of_both();
            made.left_out = std::move(*left_out);
            return made;
        }
    }

    [[nodiscard]] exit_status with_state(run_status& status) const {
        gate kept{limits, {}, trim.selection};
        traffic sizes;
        // Before the lock is taken: what writes the profile may take its time.
        raw_file raw{files[0], input};
        const state_file saved{state};
        delta_computer computer{delta};
        read_profile current =
            saved.load_beside(std::move(raw), input, delta.match, threads, computer);
        sizes.read(*current.file);
        made_delta made = compute_delta(computer, current, state.file);
        auto next = run_async(current.keyed.has_value(), [&computer] { return computer.save(); });
        put_names(made, input);
        kept.judge(viewed_profiles{made.computed(nullptr)}, "", current.file->name());
        // The delta has to be safe before the state takes its interval for done. A choice often
        // leaves nothing of it.
        write(made, true, sizes, durability::synced);
        saved.replace(next.get());
        return publish(made, state.file, sizes, kept, status);
    }

    void write(made_delta& made, bool is_delta, traffic& sizes, durability when) const {
        with_file_context(made.current_name,
                          [&] { trim_delta(trim, delta.match, made.bytes, made.summary); });
        sizes.write(output, std::move(made.bytes), is_delta && !made.summary.first, made.lost,
                    when);
    }

    [[nodiscard]] exit_status publish(const made_delta& made, const std::string& previous,
                                      const traffic& sizes, const gate& kept,
                                      run_status& status) const {
        status.warn(input.warnings());
        made.report(previous,
                    delta.on_reset == reset_policy::drop ? "no samples are written (see --on-reset)"
                                                         : "counting from zero (see --on-reset)",
                    delta, sizes, status);
        sizes.add_out(status);
        if (verbose) {
            std::fprintf(stderr, "pprofdelta: %s in, %zu kept; %s\n",
                         counted(made.summary.samples_in, "sample").c_str(),
                         made.summary.samples_kept, sizes.text().c_str());
            const counter_form form =
                diff ? counter_form::usual : read_profile_info(made.current).counters;
            if (form != counter_form::usual) {
                std::fprintf(stderr, "pprofdelta: the counters of jemalloc are %s: they were %s\n",
                             to_string(form),
                             form == counter_form::plain ? "subtracted and then scaled"
                                                         : "scaled and then subtracted");
            }
        }
        status.add_report_on(output.file);
        return tool::report_limits(kept.limits(), status, limits.annotations, limits.allows_empty);
    }
};

const command_kind delta_kind{"delta",
                              "Subtract one profile from another (default)",
                              "Usage: pprofdelta [delta] [OPTION]... PREV CUR\n"
                              "       pprofdelta [delta] [OPTION]... --state FILE [CUR]\n"
                              "       pprofdelta [delta] [OPTION]... --seconds TIME URL\n",
                              make_command<delta_command>,
                              {"--state", "--first", "--on-reset", "--diff", "--match",
                               "--cumulative", "--focus", "--seconds", "--fail-on", "--output",
                               "--compress", "--verbose"}};

} // namespace pprofdelta::tool
