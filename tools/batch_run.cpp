// SPDX-License-Identifier: Apache-2.0
#include "batch_command.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>

#include <malloc.h>
#include <unistd.h>

#include "batch/content_hash.hpp"
#include "batch/fetcher.hpp"
#include "batch/header_file.hpp"
#include "batch/manifest.hpp"
#include "batch/metrics.hpp"
#include "batch/open_files.hpp"
#include "batch/recovery.hpp"
#include "batch/results.hpp"
#include "batch/schedule.hpp"
#include "batch/state_folder.hpp"
#include "batch/stop_signals.hpp"
#include "batch/targets.hpp"
#include "batch/tree.hpp"
#include "batch/worker.hpp"
#include "batch/workers.hpp"
#include "clock.hpp"
#include "figures.hpp"
#include "file.hpp"
#include "json.hpp"

namespace pprofdelta::tool {

namespace {

// Other than that of any run at the same time, also on other machines that share a folder.
std::string name_of_run() {
    std::random_device device;
    return hash_text((std::uint64_t{device()} << 32U) ^ device());
}

// The C library would keep blocks of up to 32 MiB that were freed, those of each thread for itself,
// beside what is counted.
void give_back_freed_memory() {
#ifdef M_MMAP_THRESHOLD
    constexpr int mebibyte = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, mebibyte);
    mallopt(M_TRIM_THRESHOLD, 4 * mebibyte); // or it would be small from here on
#endif
}

bool has_url(const batch_items& items) {
    return std::any_of(items.series().begin(), items.series().end(), [](const series_items& each) {
        return std::any_of(each.inputs.begin(), each.inputs.end(), is_url);
    });
}

std::vector<std::pair<std::string_view, std::int64_t>>
oldest_of(const batch_items& items, const std::vector<series_standing>& series) {
    constexpr std::size_t most = 10;
    std::vector<std::pair<std::string_view, std::int64_t>> known;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].time_nanos != 0) {
            known.emplace_back(items.series()[i].name, series[i].time_nanos);
        }
    }
    const auto end = known.begin() + static_cast<std::ptrdiff_t>(std::min(most, known.size()));
    std::partial_sort(known.begin(), end, known.end(),
                      [](const auto& one, const auto& other) { return one.second < other.second; });
    known.erase(end, known.end());
    return known;
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

} // namespace

batch_items batch_command::find_items() const {
    batch_items items;
    if (!targets.empty()) {
        add_targets(read_file(targets, max_profile_size), display_name(targets), paths, items);
    } else if (!root.empty()) {
        add_tree(root, items);
    } else {
        add_manifest(read_file(files.front(), max_profile_size), display_name(files.front()),
                     manifest_has_nul, items);
    }
    items.keep_shard(part);
    return items;
}

run_paths batch_command::find_paths(const batch_items& items) const {
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

exit_status batch_command::run() const {
    run_status told{name, status};
    const exit_status result = told.report_on([&] { return run(told); });
    stop_signals::end_by_signal();
    return result;
}

exit_status batch_command::run(run_status& told) const {
    const auto start = std::chrono::steady_clock::now();
    const batch_items items = find_items();
    const run_paths used = find_paths(items);
    const stop_signals signals;
    batch_plan run_plan = plan;
    run_plan.paths = &used;
    run_plan.run = name_of_run();
    run_plan.group = std::min(plan.group, files_for_each(jobs, fetch.connections) / 2);
    tool::state_folder states{state_folder, std::chrono::duration<double>{lock_timeout_seconds}};
    batch_results lines{results, items.size(), quiet};
    recover(states.journals(), run_plan.run,
            [&lines](const std::string& text) { lines.warn(text); });

    std::vector<series_standing> series(items.series().size());
    schedule order{items};
    give_back_freed_memory();
    memory_pool for_workers{plan.memory};
    std::unique_ptr<fetcher> reader;
    if (has_url(items)) {
        fetch_options options = fetch;
        if (!header_file.empty()) {
            options.headers = read_header_file(header_file);
        }
        reader = std::make_unique<fetcher>(
            options, [&order](std::size_t id, fetched body) { order.arrive(id, std::move(body)); });
    }
    order.start([&](std::size_t id, std::string url) { reader->add(id, std::move(url)); });
    const batch_work work{
        run_plan, items,  states,      order,
        lines,    series, for_workers, [&](std::size_t room) { reader->release(room); }};
    work_side_by_side(work, jobs, [&] {
        if (stop_signals::is_stopping()) {
            order.stop();
        }
        return !stop_signals::is_stopping();
    });
    reader.reset(); // before what it reports to
    lines.end();
    told.warn(lines.warnings(), true);
    const std::size_t pruned = prune_age ? states.prune(*prune_age) : 0;

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
                            .oldest = oldest_of(items, series)}),
                   durability::cached);
    }
    report(lines.counts(), items.size(), pruned, time.count(), told);
    return result;
}

void batch_command::report(const batch_counts& counts, std::size_t items, std::size_t pruned,
                           double seconds, run_status& told) const {
    const std::size_t done = counts.of(item_status::done) + counts.of(item_status::limit_crossed);
    const std::size_t skipped = counts.of(item_status::skipped);
    const std::size_t left = items - done - skipped - counts.failed();
    const auto add = [&told](std::string_view member, std::uint64_t value) {
        told.add(member, static_cast<std::int64_t>(value));
    };
    add("items", items);
    add("done", done);
    add("limits_crossed", counts.of(item_status::limit_crossed));
    add("skipped", skipped);
    add("failed", counts.failed());
    add("left", left);
    add("resets", counts.resets);
    add("states_pruned", pruned);
    add("bytes_in", counts.bytes_in);
    add("bytes_in_on_disk", counts.bytes_in_on_disk);
    add("bytes_out_on_disk", counts.bytes_out_on_disk);
    if (quiet) {
        return;
    }
    std::string text = std::to_string(done) + " done, " + std::to_string(skipped) + " skipped, " +
                       std::to_string(counts.failed()) + " failed";
    const auto mention = [&text](std::size_t count, const char* what) {
        if (count != 0) {
            text += ", " + std::to_string(count) + what;
        }
    };
    mention(left, " left for another run");
    text += " of " + std::to_string(items);
    mention(counts.resets, " with a reset");
    mention(counts.of(item_status::limit_crossed), " over a limit");
    std::fprintf(stderr, "pprofdelta: %s; %llu bytes read, %llu written; %s s\n", text.c_str(),
                 static_cast<unsigned long long>(counts.bytes_in_on_disk),
                 static_cast<unsigned long long>(counts.bytes_out_on_disk),
                 fixed_text(seconds, 3).c_str());
}

} // namespace pprofdelta::tool
