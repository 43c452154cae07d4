// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <future>
#include <string_view>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "base/threads.hpp"
#include "commands/reading.hpp"
#include "commands/result.hpp"
#include "document/report.hpp"

namespace pprofdelta::tool {

namespace {

constexpr const char* after_reset = "counting from zero";

// A profile that a report is about. A state has no bytes.
struct named_profile {
    std::string side;
    std::string name;
    std::optional<std::string_view> bytes{};
};

// Says why the sample type of a report has no rate, and which ones have.
// @throws failure incompatible
[[noreturn]] void refuse_rate(const report& content) {
    std::string others;
    for (const report::total& total : content.totals) {
        if (total.per_second) {
            others += (others.empty() ? "" : ", ") + to_string(total.type);
        }
    }
    throw failure{
        exit_status::incompatible,
        content.duration_nanos <= 0
            ? "--per: the duration is unknown"
            : "--per: " + to_string(content.totals[content.type].type) +
                  " is a gauge, which has no rate" +
                  (others.empty() ? "" : "; --sample-type can choose one that has: " + others)};
}

} // namespace

/// `pprofdelta report`: says what changed most between two profiles.
struct report_command : document_command {
    // The files are PREV and CUR, with a state CUR alone; or the profile to report on.
    delta_options delta;
    state_options state;
    bool diff = false;
    std::optional<normalization> normalize; ///< The normalization of PREV, in a diff.
    interval_options twice;

    std::size_t top = 20; ///< Rows.
    report_options reported;
    call_options calls;
    std::optional<rate_time> per; ///< The time that rows are rates for, if they are rates.
    bool lives = false;           ///< Whether to show how long memory lives.

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to show");
        add_format(options, form);
        add_sample_type(options, reported.sample_type,
                        "Sample type of the rows, TYPE or TYPE/UNIT");
        add_grouping(options, reported.by, reported.by_label);
        options.add_choice<row_order>(
            "--order", "WHAT", reported.order,
            {{"flat", row_order::flat}, {"cum", row_order::cum}, {"percent", row_order::percent}},
            "Sort rows by change: flat (default), cum or percent");
        options.add_number("--top", "N", top, "Number of rows (default: 20)");
        options.add_choice<std::optional<rate_time>>(
            "--per", "UNIT", per, {{"second", rate_time::second}, {"minute", rate_time::minute}},
            "Show rates per second or minute in the rows of a delta");
        options.add_flag("--lifetimes", lives, "Show how long memory lives, of two heap profiles");
        options.add_heading("Which samples and frames");
        add_selection(options, reported.selection);
        add_allocators(options, reported.selection);
        add_calls(options, calls);
        options.add_heading("What to compare");
        add_types(options, delta);
        add_match(options, delta.match);
        add_diff(options, diff, normalize);
        options.excludes("--diff", {"--per"});
        twice.add(options);
        add_reading(options, input);
        add_state(options, state, delta.skip_first);
        options.excludes("--lifetimes", {"--diff", "--state", "--per", "--callers", "--callees",
                                         "--tree", "--paths"});
        add_outputs(options, "the report", true);
        add_limits(options, limits, {.have_least = true, .may_be_empty = true});
        add_urls(options, urls, input);
    }

    void check() override {
        twice.check(files, !state.file.empty());
        if (!state.file.empty()) {
            check_state(state, files);
        } else if (files.size() == 1) {
            if (diff) {
                wrong_usage("--diff needs two profiles, PREV and CUR");
            }
        } else {
            check_pair("a report needs one profile, or two", files);
        }
        refuse_folders(files);
        check_outputs();
        reported.selection.names_between_builds = delta.match == match_mode::function;
        decide_folding(reported.selection,
                       limits.has_limits() || !calls.callers.empty() || !calls.callees.empty());
        if (per && form.format == output_form::form::json) {
            wrong_usage("--per does not apply to JSON, which has the duration");
        }
        std::vector<output_path> of_state;
        add_state_outputs(of_state, state);
        check_inputs(files, of_state);
    }

    /// @returns limit_crossed if a limit was crossed, else done.
    [[nodiscard]] exit_status work(run_status& status) const override {
        status.add_inputs(files, state.file);
        return !state.file.empty() ? with_state(status)
               : files.size() == 2 ? with_two(status)
                                   : with_one(status);
    }

private:
    // All that is written, in memory.
    struct rendered {
        std::string text;
        std::string picture;
        // The overview is only for a page.
        page_head head;
        overview seen;
        std::string plain; // the text without colors, in any form that was asked for
        deferred_error picture_error;
        deferred_error page_error;

        void rethrow() const {
            page_error.rethrow();
            picture_error.rethrow();
        }
    };

    [[nodiscard]] exit_status with_one(run_status& status) const {
        gate kept{limits, {}, reported.selection};
        const profile_file profile{raw_file{files[0], input}, input};
        rendered all = with_file_context(profile, [&] {
            const viewed_profiles of{profile.bytes()};
            if (limits.need_samples()) {
                require_samples(of.samples().current, profile.name());
            }
            kept.judge(of, "", profile.name());
            return render(of, {{"profile", profile.name(), profile.bytes()}}, kept, nullptr,
                          "; --seconds 60 takes both from a URL, and trend --lifetimes takes more");
        });
        status.warn(input.warnings());
        write(all, status.warnings());
        const exit_status found = report_limits(kept.limits(), status);
        with_file_context(profile, [&] { all.rethrow(); });
        return found;
    }

    [[nodiscard]] exit_status with_two(run_status& status) const {
        gate kept{limits, normalize, reported.selection};
        traffic sizes;
        std::future<loaded_profile> ahead = load_ahead(files[1], input);
        profile_file previous{
            twice.read_first(files[0], input, quiet,
                             [&](const profile_file& first) { refuse_window(first); }),
            input};
        read_profile current;
        const auto types =
            with_file_context(previous, [&] { return list_types(previous.bytes(), delta); });
        const bool has_counters = std::ranges::any_of(types, &type_treatment::is_cumulative);
        sizes.read(previous);
        delta_computer computer{delta};
        const bool compares = diff || !has_counters;
        if (!compares) {
            with_file_context(previous,
                              [&] { computer.prime(previous.bytes(), previous.source()); });
        }
        current.file = ahead.get();
        sizes.read(*current.file);
        rendered all;
        made_delta made;
        if (compares) {
            std::optional<std::vector<std::string>> left_out = match_types(previous, current);
            const comparison profiles{normalize, previous, *current.file};
            // A report looks only at what it needs. The difference finds faults anywhere.
            auto compared = run_async(true, [&] { return compare(profiles, kept); });
            made = subtract(profiles, delta, current.keyed);
            made.left_out = std::move(left_out).value_or(std::vector<std::string>{});
            all = compared.get();
        } else {
            made = compute_delta(computer, current, previous.name());
            all = show(made.computed(&previous), {"previous", previous.name(), previous.bytes()},
                       current.file->name(), kept);
        }
        status.warn(input.warnings());
        made.report(previous.name(), after_reset, delta, sizes, status);
        write(all, status.warnings());
        const exit_status found = report_limits(kept.limits(), status);
        with_pair_context(previous.name(), current.file->name(), [&] { all.rethrow(); });
        return found;
    }

    [[nodiscard]] exit_status with_state(run_status& status) const {
        gate kept{limits, {}, reported.selection};
        traffic sizes;
        // Before the lock is taken: what writes the profile may take its time.
        raw_file raw{files[0], input};
        const state_file saved{state};
        delta_computer computer{delta};
        read_profile current =
            saved.load_beside(std::move(raw), input, delta.match, default_threads(), computer);
        sizes.read(*current.file);
        made_delta made = compute_delta(computer, current, state.file);
        put_names(made, input);
        rendered all =
            show(made.computed(nullptr), {"state", state.file}, current.file->name(), kept);
        status.warn(input.warnings());
        made.report(state.file, after_reset, delta, sizes, status);
        write(all, status.warnings());
        with_file_context(*current.file,
                          [&] { all.rethrow(); }); // before the state takes the report for done
        saved.replace(computer.save());
        return report_limits(kept.limits(), status);
    }

    // Two readings of what is counted in a time of its own, such as CPU time, have no difference in
    // that time.
    // @throws failure incompatible
    void refuse_window(const profile_file& first) const {
        const profile_info info =
            with_file_context(first, [&] { return read_profile_info(first.bytes(), delta); });
        const bool has_counter = std::ranges::any_of(info.types, &type_treatment::is_cumulative);
        const bool is_window =
            info.duration_nanos > 0 || std::ranges::any_of(info.types, [](const auto& each) {
                return each.kind == value_kind::interval;
            });
        if (!diff && !has_counter && is_window) {
            throw failure{exit_status::incompatible,
                          first.name() + ": each reading covers an interval of its own, not the "
                                         "time since the start; report on one, without --seconds, "
                                         "or compare two with --diff"};
        }
    }

    [[nodiscard]] rendered compare(const comparison& profiles, gate& kept) const {
        const viewed_profiles of{profiles.previous_bytes(), profiles.current.bytes()};
        return profiles.with_both_profiles([&](std::string_view before, std::string_view now) {
            if (limits.need_samples()) {
                require_samples(of.samples().current, profiles.current.name());
            }
            kept.judge(of, profiles.previous.name(), profiles.current.name());
            return render(of,
                          {{"previous", profiles.previous.name(), before},
                           {"current", profiles.current.name(), now}},
                          kept, &profiles);
        });
    }

    [[nodiscard]] rendered show(const computed_delta& of_both, const named_profile& previous,
                                const std::string& current, gate& kept) const {
        const std::string compared = of_both.previous ? previous.name : "";
        const viewed_profiles of{of_both};
        return with_pair_context(compared, current, [&] {
            kept.judge(of, compared, current);
            const delta_summary& summary = of_both.summary;
            const bool lacks_times =
                of_both.previous && !summary.reset && summary.duration_nanos <= 0;
            return render(
                of, {previous, {"current", current, of_both.current}}, kept, nullptr,
                lacks_times ? "; trend --lifetimes --every TIME takes profiles without times" : "");
        });
    }

    // Unless it was said of which type rows are, they are of the first limit's that was crossed.
    // Rates and lifetimes are of types of their own.
    [[nodiscard]] report_options asked_for(const gate& kept, std::string_view profile) const {
        report_options asked = reported;
        const auto crossed = std::ranges::find(kept.judgements(), true, &judgement::crossed);
        if (asked.sample_type || per || lives || crossed == kept.judgements().end()) {
            return asked;
        }
        const value_type_pattern type{to_string(crossed->type)};
        const auto is_it = [&](const type_treatment& each) { return type.matches(each.type); };
        if (std::ranges::count_if(list_types(profile), is_it) == 1) { // and not two of one name
            asked.sample_type = type;
        }
        return asked;
    }

    // @param profiles          one, or what is compared and the current one.
    // @param scaled            how it is compared; nullptr for a delta or one profile.
    // @param hint_at_lifetimes what helps where these cannot be found.
    [[nodiscard]] rendered render(const viewed_profiles& viewed,
                                  const std::vector<named_profile>& profiles, const gate& kept,
                                  const comparison* scaled,
                                  const std::string& hint_at_lifetimes = {}) const {
        const report_options asked = asked_for(kept, profiles.back().bytes.value_or(""));
        // Most of a stack is needed only if it is asked for.
        call_stacks stacks;
        const report content = calls.are_asked()
                                   ? make_report(viewed, asked, stacks)
                                   : make_report(viewed, asked, stacks, call_stacks::deepest);
        report_view view{.content = content,
                         .judgements = kept.judgements(),
                         .previous = profiles.size() > 1 ? profiles.front().name : "",
                         .current = profiles.back().name,
                         .filter_text = filter_text(asked, content.totals[content.type].type.unit,
                                                    content.of, content.shown, shares_of(content)),
                         .reported = reported,
                         .are_builds = diff,
                         .per = per,
                         .top = top,
                         .calls = views_of(calls, stacks, top)};
        if (scaled != nullptr) {
            view.normalized_by = scaled->normalized_by;
            view.factors = scaled->scaled.factors;
            view.normalization_text = scaled->normalization_text;
        }
        if (per && !content.totals[content.type].per_second) {
            refuse_rate(content);
        }
        view.next = next_of(content);
        std::optional<lifetimes> found;
        if (lives) {
            try {
                view.lives = &found.emplace(make_lifetimes(viewed, reported));
            } catch (const error& e) {
                throw error{e.kind(), e.what() + hint_at_lifetimes, e.input()};
            }
        }

        rendered all;
        all.text = form.render(view, [&](report_view& narrowed, std::size_t most_rows) {
            narrowed.calls = views_of(calls, stacks, top, most_rows);
        });
        if (!page.empty()) {
            all.page_error.attempt([&] {
                all.seen = page_overview(asked, viewed);
                all.plain = as_text(document_of(view), 0, false);
                all.head = head_of(view, profiles);
            });
        }
        if (!flame_graph.empty()) {
            all.picture_error.attempt([&] {
                const pprofdelta::flame_graph tree =
                    make_flame_graph(viewed, asked, picture_limits);
                all.picture = flame_graph_as_svg(
                    {.content = tree,
                     .previous = view.previous,
                     .current = view.current,
                     .normalization_text = view.normalization_text,
                     .filter_text = filter_text(asked, tree.type.unit, tree.of,
                                                tree.nodes.front().value, tree.total),
                     .width = flame_graph_width});
            });
        }
        return all;
    }

    // The command, inputs and options that a page was made with.
    [[nodiscard]] page_head head_of(const report_view& view,
                                    const std::vector<named_profile>& profiles) const {
        // A state is not what anything is compared with.
        const bool is_alone = view.previous.empty() || !state.file.empty();
        const std::vector<std::string> labels = file_labels(
            is_alone ? std::vector{view.current} : std::vector{view.previous, view.current});
        document answer = findings_of(view);
        answer.limits = limits_of(view.judgements, view.normalized_by);
        if (view.lives != nullptr) {
            answer.types = document_of(view).types;
        }
        page_head head{.command = name,
                       .about = labels.front() + (labels.size() > 1 ? " to " + labels.back() : ""),
                       .sides = {"previous", "current"},
                       .options = given_options,
                       .begins_with_change = diff,
                       .answer = std::move(answer),
                       .interval = interval_of(view.content),
                       .duration_nanos = view.content.duration_nanos,
                       .per = per,
                       .by = grouping_text(reported.by, reported.by_label)};
        if (!view.normalization_text.empty()) {
            head.notes.push_back(view.normalization_text);
        }
        for (const auto& [side, file, bytes] : profiles) {
            head.inputs.push_back(
                {side, file, bytes ? std::optional{read_profile_info(*bytes)} : std::nullopt});
        }
        return head;
    }

    // The reports that answer what its first row makes one ask, with the views that it does not
    // have.
    [[nodiscard]] command_list next_of(const report& content) const {
        // A state is not the same when it is read again.
        if (!state.file.empty() || content.rows.empty() || !can_be_read_again(files)) {
            return {};
        }
        const std::vector<std::string> options = words_of(
            given_options,
            {"--top", "--callers", "--callees", "--tree", "--depth", "--paths", "--lifetimes"},
            false);
        command_list all;
        const auto add = [&](std::vector<std::string> asked) {
            asked.insert(asked.begin(), {"--format", "json"});
            asked.insert(asked.end(), options.begin(), options.end());
            all.push_back(next_command(name, asked, files));
        };
        if (calls.callers.empty() && has_frames(reported.by)) {
            add({"--callers", regex_matching_only(content.rows.front().name)});
        }
        if (!calls.tree) {
            add({"--tree"});
        }
        if (calls.paths == 0) {
            add({"--paths", "5"});
        }
        return all;
    }

    void write(rendered& all, const std::vector<std::string>& warnings) const {
        // The output has to be safe before the state takes it for done, as in a delta.
        const durability when = state.file.empty() ? durability::cached : durability::synced;
        all.head.warnings = warnings;
        const auto make_page = [&] { return report_as_page(all.head, all.seen, all.plain); };
        all.page_error = write_beside(page, make_page, when, all.page_error);
        all.picture_error = write_beside(
            flame_graph, [&] { return all.picture; }, when, all.picture_error);
        write_output(form.file, all.text, when);
    }
};

const command_kind report_kind{"report",
                               "Show what changed most, draw it, check limits",
                               "Usage: pprofdelta report [OPTION]... PREV CUR\n"
                               "       pprofdelta report [OPTION]... --state FILE [CUR]\n"
                               "       pprofdelta report [OPTION]... --seconds TIME URL\n"
                               "       pprofdelta report [OPTION]... PROFILE\n",
                               make_command<report_command>,
                               {"--sample-type", "--by", "--top", "--focus", "--ignore", "--tree",
                                "--diff", "--match", "--state", "--fail-on", "--html",
                                "--flamegraph", "--output"}};

} // namespace pprofdelta::tool
