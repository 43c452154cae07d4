// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>

#include "commands/reading.hpp"
#include "document/compare.hpp"

namespace pprofdelta::tool {

namespace {

// A base and a head in turn, so that what is wrong on either side is found soon.
// @param sides gets the side of each.
std::vector<std::string> in_turn(const std::vector<std::string>& base,
                                 const std::vector<std::string>& head,
                                 std::vector<compare_side>& sides) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < std::max(base.size(), head.size()); ++i) {
        for (const compare_side side : {compare_side::base, compare_side::head}) {
            const std::vector<std::string>& files = side == compare_side::base ? base : head;
            if (i < files.size()) {
                all.push_back(files[i]);
                sides.push_back(side);
            }
        }
    }
    return all;
}

std::string order_warning(compare_side older) {
    const bool is_base = older == compare_side::base;
    return std::string{"all captures of the "} + to_string(older) +
           " are older than those of the " +
           (is_base ? "head, so other changes over time may look like a change of the code; "
                    : "base; if the sides are not swapped, ") +
           "take them in turn: base, head, base, head";
}

// If there are limits, these have to be judged, and otherwise at least one row.
void require_enough(const compare_view& view) {
    std::optional<too_few_captures> worst;
    for (const compared_limit& limit : view.limits) {
        worst = needing_more_captures(worst, limit.too_few);
    }
    if (view.limits.empty() && std::ranges::all_of(view.shown, [](const compared_type& each) {
            const auto all = too_few_of(each);
            return std::ranges::all_of(all,
                                       [](const auto& too_few) { return too_few.has_value(); });
        })) {
        worst = view.totals.too_few;
    }
    if (worst) {
        throw failure{exit_status::incompatible,
                      std::to_string(view.base.size()) + " base and " +
                          std::to_string(view.head.size()) +
                          " head captures: " + describe(*worst, view.options)};
    }
}

// Warns of what is left out of an output of go test, and of one that does not go with the captures.
void check_results(const go_results& results, const compare_view& view, const std::string& file,
                   run_status& status, bool is_quiet) {
    const std::string start = display_name(file) + ": ";
    for (const auto& [lines, what] :
         {std::pair{results.results, " is no result of a benchmark, though it has B/op, and"},
          std::pair{results.events, " is no event of go test -json, as others are, and"}}) {
        if (lines.count != 0) {
            status.warn(
                {start + "line " + std::to_string(lines.first) + what + " is left out" +
                 (lines.count == 1 ? "" : ", as are " + std::to_string(lines.count - 1) + " more")},
                is_quiet);
        }
    }
    if (results.costs.empty()) {
        status.warn({start + "no benchmark with B/op is in it; go test needs "
                             "-bench and -benchmem"},
                    is_quiet);
        return;
    }
    const std::string* unknown = nullptr;
    for (const compared_type& shown : view.shown) {
        for (const compared_row& row : shown.rows.cum.rows) {
            if (!costs_of(results, row.name).empty()) {
                return;
            }
            unknown = benchmark_name(row.name).empty() || unknown != nullptr ? unknown : &row.name;
        }
    }
    const auto& [package, name] = results.costs.begin()->first;
    status.warn({start + "none of its benchmarks, such as " + package +
                 (package.empty() ? "" : ".") + name + ", is in the captures, which have " +
                 (unknown == nullptr ? "no benchmark" : *unknown)},
                is_quiet);
}

// Warns of benchmarks that ran other numbers of rounds on both sides.
void check_rounds(const std::vector<go_results>& results, run_status& status, bool is_quiet) {
    std::vector<std::string> all;
    for (const auto& [key, base] : results.front().costs) {
        const auto head = results.back().costs.find(key);
        if (head != results.back().costs.end() && do_rounds_differ(base, head->second)) {
            all.push_back(key.second + " (" + format_number(base.rounds, "") + " in the base, " +
                          format_number(head->second.rounds, "") + " in the head)");
        }
    }
    if (!all.empty()) {
        status.warn({"the rounds of " + listed_text(all, [](const auto& each) { return each; }) +
                     " differ, and profiles count what all rounds did, so their growth is unknown; "
                     "go test -benchtime Nx makes them equal"},
                    is_quiet);
    }
}

} // namespace

/// `pprofdelta compare`: tells what changed between several captures of two versions from noise.
struct compare_command : document_command {
    // Files are given for a side; those that are of neither are refused.
    std::vector<std::string> base;
    std::vector<std::string> head;

    struct scaling {
        std::optional<normalization> by{};
        bool is_automatic = true;
    };

    scaling scaled;
    compare_options compared;
    min_row_size least_size;
    std::size_t top = 20; ///< Rows of a table.
    bool is_untested = false;
    bool has_all = false; ///< Show what did not change, too.
    call_options calls;

    std::optional<value_type_pattern> sample_type; ///< The sample type of the rows.
    std::string explained;                         ///< The name of a row; empty for none.
    /// The outputs of benchmarks of the base and the head; empty for none.
    std::vector<std::string> benchmarks;

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to compare");
        options.add_list("--base", "FILE", base,
                         "Captures of the base: files, folders or patterns");
        options.add_list("--head", "FILE", head, "Captures of the head");
        options.add_choice<scaling>("--normalize", "BY", scaled,
                                    {{"total", {normalization::total}},
                                     {"duration", {normalization::duration}},
                                     {"none", {{}, false}}},
                                    "Scale captures to the head's median total or duration");
        add_reading(options, input);
        options.add_heading("What to show");
        add_format(options, form);
        add_sample_type(options, sample_type, "Sample type of the rows, TYPE or TYPE/UNIT");
        add_grouping(options, compared.by, compared.by_label);
        add_rows(options, compared.rows, least_size, top);
        options.add_flag("--all", has_all, "Show rows and totals without a clear change, too");
        options.add_list("--go-test", "FILE", benchmarks,
                         "What go test -benchmem printed of base and head, for Markdown");
        options.add_value("--explain", "NAME", explained,
                          "Show captures and test of one row, or of the total");
        options.add_heading("Which samples and frames");
        add_selection(options, compared.selection);
        add_allocators(options, compared.selection);
        add_calls(options, calls);
        options.excludes("--func", {"--callers", "--callees", "--tree", "--paths"});
        options.excludes("--explain", {"--callers", "--callees", "--tree", "--paths"});
        options.add_heading("Test");
        add_test(options, compared.alpha, compared.corrected, compared.min_change);
        options.add_flag("--paired", compared.are_paired,
                         "Captures were taken in turn: first with first, and so on");
        options.add_choice<bool>("--order", "HOW", compared.trusts_order,
                                 {{"turn", false}, {"any", true}},
                                 "With any, judge limits on times though one side is older");
        options.add_choice<test_kind>("--test", "TEST", compared.test,
                                      {{"auto", test_kind::automatic},
                                       {"ranks", test_kind::ranks},
                                       {"moderated", test_kind::moderated}},
                                      "Which test; by default by how many captures there are");
        options.excludes("--test", {"--paired"});
        options.add_flag("--no-test", is_untested,
                         "Compare medians without a test; single captures suffice");
        options.excludes("--no-test",
                         {"--alpha", "--correct", "--min-change", "--paired", "--test"});
        add_outputs(options, "the tables", true);
        add_limits(options, limits, {.may_be_empty = true, .may_be_noisy = true});
        add_urls(options, urls, input);
    }

    void check() override {
        if (!files.empty()) {
            wrong_usage(display_name(files.front()) + ": put it after --base or --head");
        }
        if (base.empty() || head.empty()) {
            wrong_usage("compare needs captures of both sides: --base FILE... --head FILE...");
        }
        compared.selection.names_between_builds = true;
        compared.callers_of = calls.callers;
        compared.callees_of = calls.callees;
        decide_folding(compared.selection, limits.has_limits() || !calls.callers.empty() ||
                                               !calls.callees.empty() || !explained.empty() ||
                                               !compared.rows.empty());
        compared.is_tested = !is_untested;
        compared.normalized_by = scaled.by;
        compared.scales_durations = scaled.is_automatic;
        if (!benchmarks.empty() && benchmarks.size() != 2) {
            wrong_usage("--go-test needs two files, of the base and of the head");
        }
        if (!explained.empty() && form.format != output_form::form::text) {
            wrong_usage("--explain writes text; JSON has the captures of all rows");
        }
        if (!explained.empty() && form.max_bytes != 0) {
            wrong_usage("--max-bytes limits the rows of tables, but --explain shows only one row");
        }
        check_outputs();
        std::vector<compare_side> sides;
        check_inputs(in_turn(base, head, sides));
    }

    [[nodiscard]] exit_status work(run_status& status) const override {
        inputs read = find_inputs(status);
        limit_input given = read_limits(limits, compared.normalized_by);
        compare_options options = compared;
        const min_row_size shown = least_size.or_else(given.min_amount);
        options.min_amount = shown.size;
        options.min_share = shown.share;
        profile_comparison captures = with_limits([&] {
            return profile_comparison{options, std::move(given.limits)};
        });
        add_all(read, captures, status);

        std::vector<go_results> results;
        for (const std::string& file : benchmarks) {
            constexpr std::size_t most = std::size_t{64} << 20U;
            results.push_back(read_go_results(read_file(file, most)));
        }
        compare_view view =
            with_file_context("the captures", [&] { return view_of(captures, results); });
        view.least_size_text = shown.text();
        view.base = names_of(read.base);
        view.head = names_of(read.head);
        view.benchmarks = std::move(results);
        for (std::size_t i = 0; i < benchmarks.size(); ++i) {
            check_results(view.benchmarks[i], view, benchmarks[i], status, quiet);
        }
        if (!view.benchmarks.empty()) {
            check_rounds(view.benchmarks, status, quiet);
        }
        require_enough(view);
        view.next = next_of(view, read);

        const auto narrow = [&](compare_view& narrowed, std::size_t most_rows) {
            for (compared_type& each : narrowed.shown) {
                add_stacks(captures, most_rows, each);
            }
        };
        const std::string text = explained.empty() ? form.render(view, narrow) : explanation(view);
        const deferred_error page_error = write_beside(page, [&] {
            return page_of(
                view, captures,
                {.inputs = read.for_page, .options = given_options, .warnings = status.warnings()});
        });
        const deferred_error picture_error =
            write_beside(flame_graph, [&] { return draw(captures, view); });
        write_output(form.file, text, durability::cached);

        if (!form.file.empty() && !quiet && explained.empty()) {
            // A log shows its last lines, so the findings go there.
            std::fputs(findings_as_text(findings_of(view), 0, false).c_str(), stderr);
        }
        const exit_status found = report_limits(limits_of(view), status, explained.empty());
        page_error.rethrow();
        picture_error.rethrow();
        return found;
    }

private:
    // The captures as read, without their rows.
    struct inputs {
        std::vector<std::string> base; // files
        std::vector<std::string> head;
        series_readers held;
        std::vector<std::string> in_order{}; // of both
        std::vector<compare_side> sides{};
        std::vector<page_input> for_page{};
    };

    [[nodiscard]] inputs find_inputs(run_status& status) const {
        inputs found;
        found.base = find_files(without_shell_order(base), &found.held);
        found.head = find_files(without_shell_order(head), &found.held);
        status.add("base", names_of(found.base));
        status.add("head", names_of(found.head));
        status.add_flag("tested", compared.is_tested);
        found.in_order = in_turn(found.base, found.head, found.sides);
        check_inputs(found.in_order);
        require_different(found.in_order);
        if (compared.is_tested && found.in_order.size() == 2) {
            throw failure{exit_status::incompatible,
                          "one capture of each side does not show how large "
                          "the noise is: take several, or use --no-test"};
        }
        return found;
    }

    // Reads all captures, and warns of what is odd about them.
    void add_all(inputs& read, profile_comparison& to, run_status& status) const {
        process_list processes;
        std::int64_t samples = 0; // of all captures of the head
        const auto use = [&](std::size_t i, const viewed_profiles& profile,
                             const profile_info& info) {
            const compare_side side = read.sides[i];
            to.add(side, profile);
            processes.add(info);
            samples += side == compare_side::head ? static_cast<std::int64_t>(info.samples) : 0;
            if (!page.empty()) {
                read.for_page.push_back({to_string(side), display_name(read.in_order[i]), info});
            }
        };
        read_all(read.in_order, input, [&](std::size_t i, const shared_profile& file) {
            const auto profile = std::make_shared<const viewed_profiles>(file->bytes());
            profile->prepare();
            return [&use, i, profile, info = read_profile_info(file->bytes())] {
                use(i, *profile, info);
            };
        });
        read.held.require_undisturbed();
        status.warn(input.warnings());
        if (limits.need_samples()) {
            require_samples(samples, "the head");
        }
        if (const auto older = to.older_side(); older && compared.is_tested) {
            status.warn(order_warning(*older));
        }
        warn_of_programs("the base", to.programs(compare_side::base), status);
        warn_of_programs("the head", to.programs(compare_side::head), status);
        status.warn(compared.is_tested ? processes.not_independent() : "");
        status.warn(processes.different_periods());
        if (to.is_head_foreign()) {
            status.warn("base and head are from different programs and share few rows");
        }
    }

    [[nodiscard]] compare_view view_of(profile_comparison& captures,
                                       const std::vector<go_results>& results) const {
        compare_view view;
        view.types = captures.types();
        view.totals = captures.totals();
        view.limits = captures.judge([&](const std::string& function) {
            return !results.empty() && do_rounds_differ(costs_of(results.front(), function),
                                                        costs_of(results.back(), function));
        });
        view.shown = choose_types(captures, view);
        for (compared_type& each : view.shown) {
            each.rows = captures.rows(each.type);
            const auto of_base =
                std::ranges::minmax(captures.samples(compare_side::base, each.type));
            const auto of_head =
                std::ranges::minmax(captures.samples(compare_side::head, each.type));
            each.least_samples = std::min(of_base.min, of_head.min);
            each.most_samples = std::max(of_base.max, of_head.max);
            if (!calls.callers.empty()) {
                each.calls.push_back({"callers", calls.callers, captures.callers(each.type)});
            }
            if (!calls.callees.empty()) {
                each.calls.push_back({"callees", calls.callees, captures.callees(each.type)});
            }
            add_stacks(captures, no_limit, each);
        }
        view.has_all = has_all;
        view.is_strict = limits.are_strict;
        view.options = compared;
        view.options.normalized_by = captures.normalized_by();
        if (view.options.normalized_by && !compared.normalized_by) {
            view.durations = captures.durations();
        }
        view.options.test = captures.test();
        view.top = top;
        return view;
    }

    // Puts in what is shown of stacks, at most so many of each.
    void add_stacks(profile_comparison& captures, std::size_t most, compared_type& to) const {
        constexpr std::size_t most_causes = 12;
        // The summary of JSON has these, however little room there is.
        constexpr std::size_t least_causes = 3;
        const std::size_t least = form.format == output_form::form::json ? least_causes : 0;
        to.causes = captures.causes(to.type, std::clamp(most, least, most_causes));
        if (calls.tree) {
            to.tree = captures.tree(
                to.type, {.most_nodes = std::min(most, compared_tree_limits{}.most_nodes),
                          .deepest = calls.depth});
        }
        if (calls.paths != 0) {
            to.paths = captures.paths(to.type, std::min<std::size_t>(calls.paths, most));
        }
    }

    // Those whose totals changed, or that a limit names, as rows of others say little. First comes
    // the usual one, or else the last one.
    [[nodiscard]] std::vector<compared_type> choose_types(const profile_comparison& captures,
                                                          const compare_view& view) const {
        const std::size_t usual = captures.find_type(sample_type);
        if (sample_type) {
            return {{.type = usual}};
        }
        std::vector<compared_type> chosen;
        for (std::size_t type = 0; type < view.types.size(); ++type) {
            const compared_row& total = view.totals.rows[type];
            if (total.is_significant() || has_limit(view, type)) {
                chosen.push_back(
                    {.type = type,
                     .why = total.is_significant() ? to_string(total.verdict) : "has a limit"});
            }
        }
        if (chosen.empty()) {
            return {{.type = usual,
                     .why = compared.is_tested ? "the usual one, as no total changed"
                                               : "the usual one"}};
        }
        auto first = std::ranges::find(chosen, usual, &compared_type::type);
        first = first == chosen.end() ? first - 1 : first;
        std::rotate(chosen.begin(), first, first + 1);
        return chosen;
    }

    // The commands that show how the first row came about, and who calls it.
    [[nodiscard]] command_list next_of(const compare_view& view, const inputs& read) const {
        const compared_type& first = view.shown.front();
        const std::vector<compared_row>& rows =
            first.rows.flat.rows.empty() ? first.rows.cum.rows : first.rows.flat.rows;
        if (rows.empty() || !can_be_read_again(read.base) || !can_be_read_again(read.head)) {
            return {};
        }
        const std::string& row = rows.front().name;
        const std::string type = to_string(view.types[first.type]);
        const auto asking = [&](const std::vector<std::string>& question) {
            std::vector<std::string> options =
                words_of(given_options,
                         {"--top", "--explain", "--sample-type", "--callers", "--callees", "--tree",
                          "--depth", "--paths", "--func", "--go-test", "--max-bytes"},
                         false);
            options.insert(options.end(), {"--sample-type", type});
            options.insert(options.end(), question.begin(), question.end());
            options.emplace_back("--base");
            options.insert(options.end(), base.begin(), base.end());
            options.emplace_back("--head");
            return next_command(name, options, head);
        };
        command_list all{asking({"--explain", row})};
        if (has_frames(compared.by) && calls.callers != regex_matching_only(row)) {
            all.push_back(asking({"--format", "json", "--callers", regex_matching_only(row)}));
        }
        return all;
    }

    [[nodiscard]] std::string explanation(compare_view view) const {
        const auto type = std::ranges::find_if(view.types, [&](const value_type& each) {
            return explained == each.type || explained == to_string(each);
        });
        if (type != view.types.end()) { // its total
            view.shown = {{.type = static_cast<std::size_t>(type - view.types.begin())}};
        }
        if (type != view.types.end() || explained == "total") {
            return explain(view, "total", form.width());
        }
        const std::vector<std::string> names = find_names(view, explained);
        if (names.size() == 1) {
            return explain(view, names.front(), form.width());
        }
        if (!names.empty()) {
            throw failure{exit_status::incompatible,
                          "--explain " + explained + ": " + std::to_string(names.size()) +
                              " names contain it, such as " + names[0] + " and " + names[1]};
        }
        const std::string types = joined(view.shown, " or ", [&](const compared_type& shown) {
            return to_string(view.types[shown.type]);
        });
        throw failure{exit_status::incompatible,
                      "--explain " + explained + ": no " + to_string(compared.by) +
                          " with this name has at least " + view.least_size_text + " of " + types};
    }

    [[nodiscard]] std::string draw(const profile_comparison& captures,
                                   const compare_view& view) const {
        const compared_type& first = view.shown.front();
        const pprofdelta::flame_graph tree = captures.flame_graph(first.type, picture_limits);
        // A picture has room for one name.
        const auto first_of = [](const std::vector<std::string>& names) {
            return names.front() + (names.size() > 1 ? " \u2026" : "");
        };
        flame_view drawn{.content = tree,
                         .previous = first_of(view.base),
                         .current = first_of(view.head),
                         .rows = &first.rows.cum,
                         .total = &view.totals.rows[first.type],
                         .is_tested = compared.is_tested,
                         .width = flame_graph_width};
        if (view.options.normalized_by) {
            drawn.normalization_text =
                std::string{"captures normalized by "} + to_string(*view.options.normalized_by);
        }
        return flame_graph_as_svg(drawn);
    }
};

const command_kind compare_kind{
    "compare",
    "Test which changes are real, given several captures",
    "Usage: pprofdelta compare [OPTION]... --base FILE... --head FILE...\n",
    make_command<compare_command>,
    {"--base", "--head", "--sample-type", "--by", "--top", "--tree", "--min-change", "--normalize",
     "--fail-on", "--format", "--html", "--output"}};

} // namespace pprofdelta::tool
