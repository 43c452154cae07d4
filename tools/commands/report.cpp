// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"
#include "cli/command_options.hpp"
#include "cli/gate.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/commands.hpp"
#include "commands/inputs.hpp"
#include "commands/result.hpp"
#include "document/flame_svg.hpp"
#include "document/page.hpp"
#include "document/report.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta report`: says what changed most between two profiles.
struct report_command : document_command {
    void add_options(command_options& options) override;
    void check() override;
    /// @returns limit_crossed if a limit was crossed, else done.
    [[nodiscard]] exit_status run() const override;

    /// PREV and CUR, with a state CUR alone; or the profile to report on. "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    state_options state;
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.
    twice_options twice;

    std::size_t top = 20; ///< Rows.
    report_options reported;
    call_options calls;
    std::optional<rate_time> per; ///< For what time rows are rates, if they are.

private:
    struct made; // text, picture, and what a page shows
    [[nodiscard]] exit_status run_with_two(run_status& told) const;
    [[nodiscard]] exit_status run_with_state(run_status& told) const;
    [[nodiscard]] exit_status run_with_one(run_status& told) const;
    /// @throws failure incompatible
    void refuse_window(const profile_file& first) const;
    struct page_profile;
    [[nodiscard]] report read(call_stacks& stacks, const viewed_profiles& of) const;
    void fill(made& all, const report_view& view, const viewed_profiles& of,
              const std::vector<page_profile>& profiles) const;
    [[nodiscard]] made compare(const comparison& profiles, gate& kept) const;
    [[nodiscard]] made show(const computed_delta& delta, const page_profile& previous,
                            const std::string& current, gate& kept) const;
    [[nodiscard]] report_view completed(report_view view) const;
    [[nodiscard]] std::string draw(flame_view view) const;
    void write(made& all, const std::vector<std::string>& warnings) const;
    [[nodiscard]] page_head head_of(const report_view& view) const;
};

/// A report that was made, and how.
struct past_report {
    const report& content;
    const report_options& reported;
    const call_options& calls;
    const std::vector<std::string>& options; ///< As they were given.
    const std::vector<std::string>& files;
};

/// The reports that answer what its first row makes one ask, with the views that it does not have.
[[nodiscard]] command_list after_report(const past_report& past);

command_list after_report(const past_report& past) {
    if (past.content.rows.empty() || !can_be_read_again(past.files)) {
        return {};
    }
    const std::vector<std::string> options = words_of(
        past.options, {"--top", "--callers", "--callees", "--tree", "--depth", "--paths"}, false);
    command_list all;
    const auto add = [&](std::vector<std::string> asked) {
        asked.insert(asked.begin(), {"--format", "json"});
        asked.insert(asked.end(), options.begin(), options.end());
        all.push_back(next_command(report_kind.name, asked, past.files));
    };
    if (past.calls.callers.empty() && past.reported.by_label.empty()) {
        add({"--callers", just(past.content.rows.front().name)});
    }
    if (!past.calls.tree) {
        add({"--tree"});
    }
    if (past.calls.paths == 0) {
        add({"--paths", "5"});
    }
    return all;
}

/// Says why the sample type of a report has no rate, and which ones have.
/// @throws failure incompatible
[[noreturn]] void refuse_rate(const report& content);

void refuse_rate(const report& content) {
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

void report_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to show");
    form.add_format(options);
    add_sample_type(options, reported.sample_type, "Sample type of the rows, TYPE or TYPE/UNIT");
    add_grouping(options, reported.by, reported.by_label);
    options.add_choice<row_order>(
        "--order", "WHAT", reported.order,
        {{"flat", row_order::flat}, {"cum", row_order::cum}, {"percent", row_order::percent}},
        "Sort rows by change: flat (default), cum or percent");
    options.add_number("--top", "N", top, "Number of rows (default: 20)");
    options.add_choice<std::optional<rate_time>>(
        "--per", "UNIT", per, {{"second", rate_time::second}, {"minute", rate_time::minute}},
        "Show rates per second or minute in the rows of a delta");
    options.add_heading("Which samples and frames");
    add_selection(options, reported.selection);
    add_calls(options, calls);
    options.add_heading("What to compare");
    add_types(options, delta);
    add_match(options, delta.match);
    options.add_flag("--diff", diff, "Compare independent captures, such as of two builds");
    options.excludes("--diff", "--cumulative");
    options.excludes("--diff", "--gauge");
    options.excludes("--diff", "--per");
    add_normalize(options, normalize);
    add_reading(options, input);
    add_state(options, state, delta.skip_first);
    add_urls(options, urls, input);
    twice.add(options);
    add_outputs(options, "the report", true);
    add_min_amount(options, limits);
    add_allow_empty(options, limits);
}

void report_command::check() {
    refuse_credentials(files);
    twice.check(files, !state.file.empty());
    if (!state.file.empty()) {
        check_state(state, files);
    } else if (files.size() == 1) {
        if (diff) {
            wrong_usage("--diff needs two profiles, PREV and CUR");
        }
    } else {
        check_pair("report", files);
    }
    check_outputs();
    if (per && form.format == output_form::form::json) {
        wrong_usage("--per does not apply to JSON, which has the duration");
    }
    std::vector<output_path> of_state;
    add_state_outputs(of_state, state);
    check_paths(files, of_state);
}

// Two readings of what is counted in a time of its own, such as CPU time, have no difference in
// that time.
void report_command::refuse_window(const profile_file& first) const {
    const profile_info info = about(first, [&] { return read_profile_info(first.bytes(), delta); });
    const bool has_counter = std::any_of(info.types.begin(), info.types.end(),
                                         [](const auto& each) { return each.cumulative; });
    const bool is_window = info.duration_nanos > 0 ||
                           std::any_of(info.types.begin(), info.types.end(), [](const auto& each) {
                               return each.type.type == "samples";
                           });
    if (!diff && !has_counter && is_window) {
        throw failure{exit_status::incompatible,
                      first.name() +
                          ": each reading covers an interval of its own, not the time since the "
                          "start; report on one, without --seconds, or compare two with --diff"};
    }
}

constexpr const char* after_reset = "counting from zero";

/// A profile that a page is about. Of a state there are no bytes.
struct report_command::page_profile {
    std::string side;
    std::string name;
    std::optional<std::string_view> bytes;
};

struct report_command::made {
    std::string text;
    std::string picture;
    // Only for a page.
    page_head head;
    overview seen;
    std::string plain; // the text without colors, in any form that was asked for
    late_fault of_picture;
    late_fault of_page;

    void rethrow() const {
        of_page.rethrow();
        of_picture.rethrow();
    }
};

exit_status report_command::run() const {
    run_status told{report_kind.name, status};
    add_inputs(told, files, state);
    return told.report_on([&] {
        if (!state.file.empty()) {
            return run_with_state(told);
        }
        if (files.size() == 2) {
            return run_with_two(told);
        }
        return run_with_one(told);
    });
}

exit_status report_command::run_with_two(run_status& told) const {
    gate kept{limits, normalize, reported.selection};
    std::future<loaded_profile> ahead = load_ahead(files[1], input);
    profile_file previous{
        twice.read_first(files[0], input, quiet,
                         [&](const profile_file& first) { refuse_window(first); }),
        input};
    read_profile read;
    loaded_profile& current = read.file;
    const auto types = about(previous, [&] { return list_types(previous.bytes(), delta); });
    const bool has_counters = std::any_of(
        types.begin(), types.end(), [](const auto& treatment) { return treatment.cumulative; });
    result r;
    r.count(previous);
    delta_computer computer{delta};
    const bool compares = diff || !has_counters;
    if (!compares) {
        about(previous, [&] { computer.prime(previous.bytes(), previous.source()); });
    }
    current = ahead.get();
    r.count(*current);
    made all;
    if (compares) {
        r.match_types(previous, read);
        const comparison profiles{normalize, previous, *current};
        // A report looks only at what it needs. The difference finds faults anywhere.
        auto compared = beside(true, [&] { return compare(profiles, kept); });
        r.diff(profiles, delta, read.keyed);
        all = compared.get();
    } else {
        r.compute(computer, read, previous.name());
        all = show(r.computed(&previous), {"previous", previous.name(), previous.bytes()},
                   current->name(), kept);
    }
    told.warn(input.warnings(), quiet);
    r.tell(previous.name(), after_reset, delta, quiet, told);
    write(all, told.warnings());
    const exit_status found = kept.report(how_to_print(), told);
    about_two(previous.name(), current->name(), [&] { all.rethrow(); });
    return found;
}

exit_status report_command::run_with_state(run_status& told) const {
    gate kept{limits, {}, reported.selection};
    // Before the lock is taken: what writes the profile may take its time.
    raw_file raw{files[0], input};
    const state_file saved{state};
    delta_computer computer{delta};
    read_profile read =
        saved.load_beside(std::move(raw), input, delta.match, default_threads(), computer);
    const loaded_profile& current = read.file;
    result r;
    r.count(*current);
    r.compute(computer, read, state.file);
    r.put_names(input);
    made all = show(r.computed(nullptr), {"state", state.file, {}}, current->name(), kept);
    told.warn(input.warnings(), quiet);
    r.tell(state.file, after_reset, delta, quiet, told);
    write(all, told.warnings());
    about(*current, [&] { all.rethrow(); }); // before the state takes the report for done
    saved.replace(computer.save());
    return kept.report(how_to_print(), told);
}

// The stacks are needed only if something of them is shown.
report report_command::read(call_stacks& stacks, const viewed_profiles& of) const {
    return calls.are_asked() ? make_report(of, reported, stacks) : make_report(of, reported);
}

void report_command::fill(made& all, const report_view& view, const viewed_profiles& of,
                          const std::vector<page_profile>& profiles) const {
    all.text = form.made_of(completed(view), report_as_text, report_as_markdown, report_as_json,
                            [&](report_view& narrowed, std::size_t most_rows) {
                                narrowed.top = std::min(top, most_rows);
                                if (view.calls.stacks != nullptr) {
                                    narrowed.calls =
                                        views_of(calls, *view.calls.stacks, top, most_rows);
                                }
                            });
    if (!page.empty()) {
        all.of_page.attempt([&] {
            all.seen = page_overview(reported, of);
            all.plain = report_as_text(completed(view));
            all.head = head_of(view);
            for (const auto& [side, name, bytes] : profiles) {
                all.head.inputs.push_back(
                    {side, name, bytes ? std::optional{read_profile_info(*bytes)} : std::nullopt});
            }
        });
    }
    if (!flame_graph.empty()) {
        all.of_picture.attempt([&] {
            const pprofdelta::flame_graph tree = make_flame_graph(of, reported, picture_limits);
            all.picture = draw({.content = tree,
                                .previous = view.previous,
                                .current = view.current,
                                .normalization_text = view.normalization_text});
        });
    }
}

exit_status report_command::run_with_one(run_status& told) const {
    gate kept{limits, {}, reported.selection};
    profile_file profile{raw_file{files[0], input}, input};
    made all;
    about(profile, [&] {
        call_stacks stacks;
        const viewed_profiles of{profile.bytes()};
        if (limits.has_limits() && !limits.allows_empty) {
            require_samples({1, of.samples().current}, profile.name()); // whatever was before
        }
        kept.judge(of, "", profile.name());
        const report content = read(stacks, of);
        fill(all,
             {.content = content,
              .judgements = kept.judgements(),
              .current = profile.name(),
              .calls = views_of(calls, stacks, top)},
             of, {{"profile", profile.name(), profile.bytes()}});
    });
    told.warn(input.warnings(), quiet);
    write(all, told.warnings());
    const exit_status found = kept.report(how_to_print(), told);
    about(profile, [&] { all.rethrow(); });
    return found;
}

report_command::made report_command::compare(const comparison& profiles, gate& kept) const {
    made all;
    const viewed_profiles of{profiles.previous(), profiles.current()};
    if (limits.has_limits() && !limits.allows_empty) {
        profiles.about_both([&](std::string_view, std::string_view) {
            require_samples(of.samples(), profiles.current_name());
        });
    }
    kept.judge(of, profiles.previous_name(), profiles.current_name());
    profiles.about_both([&](std::string_view before, std::string_view now) {
        call_stacks stacks;
        const report content = read(stacks, of);
        const report_view view{.content = content,
                               .judgements = kept.judgements(),
                               .previous = profiles.previous_name(),
                               .current = profiles.current_name(),
                               .normalized_by = profiles.normalized_by(),
                               .factors = profiles.factors(),
                               .normalization_text = profiles.normalization_text(),
                               .calls = views_of(calls, stacks, top)};
        fill(all, view, of, {{"previous", view.previous, before}, {"current", view.current, now}});
    });
    return all;
}

report_command::made report_command::show(const computed_delta& delta_made,
                                          const page_profile& previous, const std::string& current,
                                          gate& kept) const {
    made all;
    const std::string compared = delta_made.previous ? previous.name : "";
    const viewed_profiles of{delta_made};
    kept.judge(of, compared, current);
    about_two(compared, current, [&] {
        call_stacks stacks;
        const report content = read(stacks, of);
        fill(all,
             {.content = content,
              .judgements = kept.judgements(),
              .previous = previous.name,
              .current = current,
              .calls = views_of(calls, stacks, top)},
             of, {previous, {"current", current, delta_made.current}});
    });
    return all;
}

std::string report_command::draw(flame_view view) const {
    const pprofdelta::flame_graph& content = view.content;
    view.filter_text = filter_text(reported, content.type.unit, content.of,
                                   content.nodes.front().value, content.total);
    view.width = flame_graph_width;
    return flame_graph_as_svg(view);
}

// What it was made with.
page_head report_command::head_of(const report_view& view) const {
    page_head head;
    head.command = report_kind.name;
    // A state is not what anything is compared with.
    const bool is_alone = view.previous.empty() || !state.file.empty();
    const std::vector<std::string> labels = file_labels(
        is_alone ? std::vector{view.current} : std::vector{view.previous, view.current});
    head.title = labels.front() + (labels.size() > 1 ? " to " + labels.back() : "");
    head.sides = {"previous", "current"};
    head.by = grouping_text(reported.by, reported.by_label);
    head.interval = interval_of(view.content);
    head.duration_nanos = view.content.duration_nanos;
    head.per = per;
    head.options = given_options;
    head.begins_with_change = diff;
    if (!view.normalization_text.empty()) {
        head.notes.push_back(view.normalization_text);
    }
    head.limits = limits_of(view.judgements, view.normalized_by);
    return head;
}

void report_command::write(made& all, const std::vector<std::string>& warnings) const {
    // As with a delta, what is written has to be safe before the state takes it for done.
    const durability when = state.file.empty() ? durability::cached : durability::synced;
    if (!page.empty()) {
        all.of_page.attempt([&] {
            page_head head = all.head;
            head.warnings = warnings;
            write_file(page, report_as_page(head, all.seen, all.plain), when);
        });
    }
    if (!flame_graph.empty()) {
        all.of_picture.attempt([&] { write_file(flame_graph, all.picture, when); });
    }
    write_output(form.file, all.text, when);
}

report_view report_command::completed(report_view view) const {
    const report& content = view.content;
    view.filter_text = filter_text(reported, content.totals[content.type].type.unit, content.of,
                                   content.shown, shares_of(content));
    view.reported = reported;
    view.per = per;
    if (per && !content.totals[content.type].per_second) {
        refuse_rate(content);
    }
    view.top = top;
    if (state.file.empty()) { // which is not the same when it is read again
        view.next = after_report({content, reported, calls, given_options, files});
    }
    return view;
}

const command_kind report_kind{"report",
                               "Show what changed most, draw it, check limits",
                               "Usage: pprofdelta report [OPTION]... PREV CUR\n"
                               "       pprofdelta report [OPTION]... --state FILE [CUR]\n"
                               "       pprofdelta report [OPTION]... --seconds SEC URL\n"
                               "       pprofdelta report [OPTION]... PROFILE\n",
                               make_command<report_command>,
                               {"--sample-type", "--by", "--top", "--focus", "--ignore", "--tree",
                                "--diff", "--match", "--state", "--fail-on", "--html",
                                "--flamegraph", "--output"}};

} // namespace pprofdelta::tool
