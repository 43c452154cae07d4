// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <shared_mutex>
#include <utility>

#include <unistd.h>

#include "base/heap.hpp"
#include "base/threads.hpp"
#include "batch/item_lists.hpp"
#include "batch/metrics.hpp"
#include "batch/results.hpp"
#include "batch/run_command.hpp"
#include "batch/series.hpp"
#include "batch/states.hpp"
#include "batch/stop_signals.hpp"
#include "batch/work.hpp"
#include "commands/reading.hpp"
#include "commands/result.hpp"

namespace pprofdelta::tool {

namespace {

// Lets the process open as many files as it may.
// @param connections are open as well.
// @returns the number of files that each worker can keep open; at least 2.
std::size_t files_for_each(unsigned workers, unsigned connections) noexcept {
    // Standard streams, locks, results, and what libraries open for a moment.
    constexpr std::size_t others = 40;
    constexpr std::size_t of_worker = 8; // its journal, an input, folders
    const std::size_t all = raise_open_files();
    const std::size_t taken = others + connections + std::size_t{workers} * of_worker;
    return std::max<std::size_t>(all > taken ? (all - taken) / workers : 0, 2);
}

void add_input(std::string_view input, run_paths& used) {
    try {
        used.read(path_of_input(input));
    } catch (const failure& e) {
        if (e.status() != exit_status::io) {
            throw;
        }
        // It stops its series, not those of others.
    }
}

// Other than that of any run at the same time, also on other machines that share a folder.
std::string name_of_run() {
    std::random_device device;
    return hash_text((std::uint64_t{device()} << 32U) ^ device());
}

bool has_url(const batch_items& items) {
    return std::ranges::any_of(items.series(), [](const series_items& each) {
        return std::ranges::any_of(each.inputs, is_url);
    });
}

// Ends the process while others work, so nothing that they use may go.
template <typename Tell>
[[noreturn]] void end_late(run_status& line, Tell&& tell) {
    try {
        line.report_on(tell);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "pprofdelta: %s\n", printable(e.what()).c_str());
    }
    stop_signals::end_by_signal();
    std::abort(); // it came, or nothing would be late
}

std::vector<std::pair<std::string_view, std::int64_t>>
oldest_of(const batch_items& items, const std::vector<series_progress>& series) {
    constexpr std::size_t most = 10;
    std::vector<std::pair<std::string_view, std::int64_t>> known;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].time_nanos != 0) {
            known.emplace_back(items.series()[i].name, series[i].time_nanos);
        }
    }
    keep_first(known, most,
               [](const auto& one, const auto& other) { return one.second < other.second; });
    return known;
}

} // namespace

/// `pprofdelta batch`: the deltas of many series of profiles.
struct batch_command : command {
    std::vector<std::string> files; ///< The manifest; "-" is standard input.
    bool manifest_has_nul = false;  ///< Its entries end with NUL.
    std::string targets;            ///< A file of Prometheus' file_sd; empty for none.
    std::vector<std::string> paths; ///< The profiles of each target.
    std::string series_labels = default_series_labels; ///< These labels name the series of targets.
    std::string root; ///< The folder with a folder for each series; empty for none.
    shard part;       ///< The series that are done; all by default.

    url_options urls;

    /// The memory for all profiles; see divide_memory().
    std::size_t memory = std::size_t{4} << 30U;
    std::size_t max_size = 0; ///< The most bytes of a profile; 0 for as many as `memory` allows.

    std::string state_folder;
    double lock_timeout_seconds = 30;              ///< The time for all series together.
    std::optional<std::chrono::seconds> prune_age; ///< The age of states that are removed.

    batch_plan plan;
    std::string output_text;     ///< The template of paths.
    std::string exec_text;       ///< The command for each delta; empty for none.
    unsigned jobs = 0;           ///< Series that are worked on side by side.
    std::string results;         ///< The file of the lines; "-" is standard output, and empty none.
    std::string metrics;         ///< The file for Prometheus; empty for none.
    unsigned metrics_top = 0;    ///< The number of functions that these name.
    double allowed_failures = 0; ///< The share in percent of the items.

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to read");
        options.add_flag("-0,--null", manifest_has_nul, "Entries of MANIFEST end with NUL");
        options.add_value("--targets", "FILE", targets,
                          "Read targets in Prometheus' file_sd format");
        options.add_values("--path", "URLPATH", paths,
                           "Profiles of targets (default: /debug/pprof/allocs)");
        options.needs({"--path"}, "--targets");
        options.add_value("--series", "LABELS", series_labels,
                          "Labels that name series (default: job/__address__)");
        options.needs({"--series"}, "--targets");
        options.add_value("--dir", "ROOT", root, "Read a tree with one folder for each series");
        options.add_value(
            "--shard", "I/N", [this](const std::string& word) { part = parse_shard(word); },
            "Process only part I of N; auto: as the job engine says");
        add_max_size(options, max_size);
        add_unit(options, plan.input);
        add_producers(options, plan.input);
        add_symbols(options, plan.input);
        options.add_heading("What to subtract");
        add_subtraction(options, plan.delta);
        add_kept(options, plan.trim);
        options.add_flag("--add-labels", plan.add_labels,
                         "Add the labels of a target to its samples");
        options.needs({"--add-labels"}, "--targets");
        options.add_heading("States");
        options.add_value("--state-dir", "DIR", state_folder, "Keep the states in DIR");
        add_first(options, plan.delta.skip_first);
        options.add_flag("--from-scratch", plan.from_scratch,
                         "Ignore existing states, and replace existing deltas");
        add_lock_timeout(options, lock_timeout_seconds);
        options.add_choice<flush_rule>("--flush", "HOW", plan.flush,
                                       {{"item", flush_rule::item},
                                        {"series", flush_rule::series},
                                        {"group", flush_rule::group},
                                        {"none", flush_rule::none}},
                                       "Flush after each item, series, group (default), or none");
        add_age(options, "--prune-states", prune_age,
                "Finally remove states unused for TIME, as in 30d or 12h");
        options.add_heading("Output");
        options.add_value(
            "-o,--output", "TEMPLATE", output_text,
            "Path of each delta: out/{series}/{time}.pb.gz; also {n}, {type}, {LABEL}");
        add_profile_form(options, plan.form, "deltas");
        options.add_value("--exec", "COMMAND", exec_text,
                          "Run COMMAND for each delta in order: curl -fgT {file} ...");
        add_time(options, "--exec-timeout", plan.exec.timeout_seconds,
                 "Limit one try of COMMAND (default: 60s)");
        options.add_number("--exec-retries", "N", plan.exec.retries,
                           "Retry COMMAND N times in a run (default: 2)", {0, 100});
        options.needs({"--exec-timeout", "--exec-retries"}, "--exec");
        options.add_value("--results", "FILE", results,
                          "Append a line of JSON for each item to FILE");
        options.add_value("--metrics", "FILE", metrics, "Write metrics of the run for Prometheus");
        options.add_number("--metrics-top", "N", metrics_top,
                           "Include the N functions with the highest rates", {0, 1000});
        options.needs({"--metrics-top"}, "--metrics");
        options.add_value(
            "--allow-failed", "PERCENT",
            [this](const std::string& word) {
                allowed_failures = parse_percentage("--allow-failed", word, 100);
            },
            "Tolerate failures of up to PERCENT of the items: 5%");
        options.add_number("--jobs", "N", jobs,
                           "Process N series at a time (default: one per processor)",
                           {1, most_commands});
        add_size(options, "--memory", "SIZE", memory,
                 "Use at most SIZE of memory for profiles (default: 4G)",
                 {std::uint64_t{64} << 20U, std::uint64_t{1} << 40U,
                  "a number of bytes from 64M to 1024G, as in 8G"});
        options.add_flag("-q,--quiet", quiet, "Suppress the summary and messages about items");
        add_status(options, status_file);
        options.add_help();
        add_limits(options, plan.limits, {.annotate = false, .have_least = true});
        add_urls(options, urls);
        options.add_number("--connections", "N", urls.fetch.connections,
                           "Use at most N connections (default: 64)", {1, 10'000});
        options.add_number("--per-host", "N", urls.fetch.per_host,
                           "Use at most N connections to one host (default: 8)", {1, 10'000});
    }

    void check() override {
        check_input();
        if (state_folder.empty()) {
            wrong_usage("batch needs --state-dir DIR");
        }
        if (output_text.empty()) {
            wrong_usage("batch needs -o TEMPLATE, such as 'out/{series}/{time}.pb.gz'");
        }
        plan.output = output_template{output_text, !targets.empty()};
        check_level(plan.form);
        if (!exec_text.empty()) {
            plan.exec.command = command_template{exec_text, !targets.empty()};
        }
        check_limits(plan.limits);
        if (is_standard_output(results) && is_standard_output(status_file)) {
            wrong_usage("--results and --status cannot both go to standard output");
        }
        static_cast<void>(named_paths());
        if (jobs == 0) {
            jobs = std::clamp(usable_processors(), 1U, most_commands);
        }
        plan.wants_totals = !results.empty();
        plan.wants_rates = metrics_top != 0;
        plan.in_order_of_time = !root.empty();
        if (!targets.empty() && paths.empty()) {
            paths.emplace_back(default_profile_path);
        }
        static_cast<void>(parse_series_labels(series_labels));
        divide_memory();
    }

    [[nodiscard]] exit_status run() const override {
        const exit_status result = command::run();
        stop_signals::end_by_signal();
        return result;
    }

    /// @returns the gravest of what happened to an item.
    [[nodiscard]] exit_status work(run_status& line) const override {
        const auto start = std::chrono::steady_clock::now();
        batch_items items = find_items();
        line.warn(warnings_about(items));
        items.keep_shard(part);
        const run_paths used = find_paths(items);
        stop_signals::catch_them();
        batch_plan run_plan = plan;
        run_plan.paths = &used;
        run_plan.run = name_of_run();
        // A delta, the file of its series, and a note of what is to be sent.
        const std::size_t files_of_item = plan.exec.command.is_empty() ? 2 : 3;
        run_plan.group =
            std::min(plan.group, files_for_each(jobs, urls.fetch.connections) / files_of_item);
        tool::state_folder states{state_folder,
                                  std::chrono::duration<double>{lock_timeout_seconds}};
        batch_results lines{results, items.size(), quiet};
        recover(states.journals(), run_plan.run,
                [&lines](const std::string& text) { lines.warn(text); });
        add_unsent(states, lines, items);

        std::vector<series_progress> series(items.series().size());
        schedule order{items};
        give_back_freed_memory();
        memory_pool for_workers{plan.memory};
        std::shared_mutex commits;
        std::unique_ptr<fetcher> reader;
        if (has_url(items)) {
            reader = fetcher::start(urls.with_headers(), [&order](std::size_t id, fetched body) {
                order.arrive(id, std::move(body));
            });
        }
        order.start([&](std::size_t id, std::string url) { reader->add(id, std::move(url)); });
        const batch_work work{
            run_plan,    items,   states,
            order,       lines,   series,
            for_workers, commits, [&](std::size_t room) { reader->release(room); }};
        const auto tell = [&](std::size_t pruned) {
            lines.end();
            line.warn(plan.input.warnings());
            line.warn(lines.warnings(), true);
            line.warn(about_decreases(lines.decreased_series()));
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            const exit_status result = lines.counts().status(allowed_failures);
            if (!metrics.empty()) {
                write_file(metrics,
                           to_text({.batch = std::filesystem::path{metrics}.stem().native(),
                                    .part = part,
                                    .counts = lines.counts(),
                                    .status = result,
                                    .seconds = time.count(),
                                    .end_nanos = nanos_now(),
                                    .top = metrics_top,
                                    .oldest = oldest_of(items, series)}),
                           durability::cached);
            }
            report(lines.counts(), items.size(), pruned, time.count(), line);
            return result;
        };
        work_side_by_side(work, jobs, [&] {
            if (stop_signals::is_stopping()) {
                order.stop();
            }
            if (stop_signals::is_late()) {
                // A worker is still at an item. The run ends as if it was killed, but for what it
                // says.
                const std::unique_lock lock{commits};
                end_late(line, [&] { return tell(0); });
            }
        });
        reader.reset(); // before what it reports to
        return tell(prune_age ? states.prune(*prune_age) : 0);
    }

private:
    void check_input() const {
        const auto sources =
            (files.empty() ? 0 : 1) + (targets.empty() ? 0 : 1) + (root.empty() ? 0 : 1);
        if (sources != 1 || files.size() > 1) {
            wrong_usage("batch reads one of these: MANIFEST, --targets FILE, --dir ROOT");
        }
        if (is_url(targets)) {
            wrong_usage("--targets takes a file; let curl read the list from a server: curl -fsS " +
                        targets + " | pprofdelta batch --targets - ...");
        }
        if (manifest_has_nul && files.empty()) {
            wrong_usage("--null needs a manifest");
        }
    }

    // A quarter is for answers, until they are worked on, and a quarter for what is worked on side
    // by side. The other half is for a single profile that finds no room there, so that each gets
    // its turn. A refused archive takes no more than that half by default: one from a URL, which
    // may be anybody's, not even if it turns out to be a profile, which takes some five times its
    // size.
    void divide_memory() {
        urls.fetch.memory = memory / 4;
        plan.memory = memory / 4;
        plan.input.max_size = max_size != 0 ? max_size : std::min(memory / 2, max_profile_size);
        plan.max_fetched_size = max_size != 0 ? max_size : std::min(memory / 16, max_profile_size);
        urls.fetch.max_size = plan.max_fetched_size;
    }

    // Those that the command line names. A manifest has more.
    [[nodiscard]] run_paths named_paths() const {
        run_paths used{{{"--results", results == "-" ? "" : results, output_kind::document},
                        {"--metrics", metrics, output_kind::document},
                        status_output(status_file)}};
        used.forbid_outputs_in(state_folder);
        used.expect_outputs_below({"-o", plan.output.folder(), output_kind::profile});
        used.read(targets);
        used.read(urls.files());
        used.read(files);
        used.read(plan.limits.files);
        used.check_kinds();
        return used;
    }

    // Those of all parts.
    [[nodiscard]] batch_items find_items() const {
        batch_items items;
        if (!targets.empty()) {
            add_targets(read_file(targets, max_profile_size), display_name(targets),
                        {.paths = paths, .series = parse_series_labels(series_labels)}, items);
        } else if (!root.empty()) {
            add_tree(root, items);
        } else {
            add_manifest(read_file(files.front(), max_profile_size), display_name(files.front()),
                         manifest_has_nul, items);
        }
        return items;
    }

    // A label that nothing has is most likely a slip.
    [[nodiscard]] std::vector<std::string> warnings_about(const batch_items& items) const {
        std::vector<std::string> warnings;
        for (const std::string& label : plan.output.labels()) {
            if (std::ranges::none_of(items.series(), [&](const auto& each) {
                    return !each.labels.value(label).empty();
                })) {
                warnings.push_back("no target has the label " + label + ", which -o names");
            }
        }
        return warnings;
    }

    [[nodiscard]] std::string
    about_decreases(const std::set<std::string, std::less<>>& series) const {
        if (series.empty() || !do_falls_count(plan.delta)) {
            return "";
        }
        const std::string others =
            series.size() == 1 ? "" : " and " + std::to_string(series.size() - 1) + " more series";
        return "counters decreased in " + *series.begin() + others +
               ", although those of one process should not; see --drop-negative" +
               (plan.in_order_of_time
                    ? ", or if a clock was set back, list the profiles in a manifest, in their "
                      "true order"
                    : "");
    }

    // Nobody else would send what is left of series that are gone.
    void add_unsent(const tool::state_folder& states, batch_results& lines,
                    batch_items& items) const {
        if (plan.exec.command.is_empty()) {
            return;
        }
        for (const std::string& path : states.unsent_paths()) {
            try {
                const unsent_note note = parse_unsent(read_file(path, max_profile_size), path);
                if (!items.find(note.series) && part.has(note.series)) {
                    items.series_of(items.keep(note.series));
                }
            } catch (const failure& e) {
                if (regular_file_exists(path)) { // or another run has sent them meanwhile
                    lines.warn(e.what());
                }
            }
        }
    }

    [[nodiscard]] run_paths find_paths(const batch_items& items) const {
        run_paths used = named_paths();
        if (plan.from_scratch) {
            used.keep_inputs(); // which deltas may replace, as they do what is there
        }
        for (const series_items& each : items.series()) {
            for (const std::string_view input : each.inputs) {
                if (!is_url(input)) {
                    add_input(input, used);
                }
            }
        }
        return used;
    }

    void report(const batch_counts& counts, std::size_t items, std::size_t pruned, double seconds,
                run_status& line) const {
        const std::size_t done =
            counts.of(item_status::done) + counts.of(item_status::limit_crossed);
        const std::size_t skipped = counts.of(item_status::skipped);
        const std::size_t failed = counts.failed() - counts.left_unsent;
        const std::size_t left = items - done - skipped - failed;
        line.add({{"items", items},
                  {"done", done},
                  {"limits_crossed", counts.of(item_status::limit_crossed)},
                  {"skipped", skipped},
                  {"failed", failed},
                  {"left", left},
                  {"resets", counts.resets},
                  {"states_pruned", pruned},
                  {"bytes_in", counts.bytes_in},
                  {"bytes_in_on_disk", counts.bytes_in_on_disk},
                  {"bytes_out_on_disk", counts.bytes_out_on_disk}});
        if (quiet) {
            return;
        }
        std::string text = std::to_string(done) + " done, " + std::to_string(skipped) +
                           " skipped, " + std::to_string(failed) + " failed";
        const auto mention = [&text](std::size_t count, const char* what) {
            if (count != 0) {
                text += ", " + std::to_string(count) + what;
            }
        };
        mention(left, " left for another run");
        text += " of " + std::to_string(items);
        mention(counts.resets, " with a counter reset");
        mention(counts.of(item_status::limit_crossed), " over a limit");
        mention(counts.of(item_status::sent), " of earlier runs delivered");
        mention(counts.left_unsent, " of earlier runs not delivered");
        std::fprintf(stderr, "pprofdelta: %s; %llu bytes read, %llu written; %s s\n", text.c_str(),
                     static_cast<unsigned long long>(counts.bytes_in_on_disk),
                     static_cast<unsigned long long>(counts.bytes_out_on_disk),
                     fixed_text(seconds, 3).c_str());
    }
};

const command_kind batch_kind{
    "batch",
    "Write the deltas of many series of profiles",
    "Usage: pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE MANIFEST\n"
    "       pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE --targets FILE\n"
    "       pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE --dir ROOT\n",
    make_command<batch_command>,
    {"--targets", "--dir", "--path", "--series", "--state-dir", "--output", "--exec", "--results",
     "--metrics", "--fail-on", "--jobs"}};

} // namespace pprofdelta::tool
