// SPDX-License-Identifier: Apache-2.0
#include "commands/merge.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/processor.hpp>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/value_text.hpp"
#include "cli/capture_files.hpp"
#include "cli/common_options.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/selection_options.hpp"
#include "commands/merge_windows.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

void merge_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to add up");
    options.add_value("--files-from", "LIST", list,
                      "Add the files of the lines of LIST; after a TAB a weight may follow");
    options.add_flag("-0,--null", list_has_nul, "Paths in LIST end with NUL, and have no weights");
    options.needs("--null", "--files-from");
    options.add_values(
        "--weight", "W",
        [this](const std::string& given) {
            weights.push_back(parse_weight(given, "--weight " + given));
        },
        "Multiply the values of a FILE by W; given once for each FILE");
    options.add_flag("--mean", mean, "Divide by the number of profiles, or the sum of weights");
    options.add_choice<std::optional<level_policy>>(
        "--levels", "HOW", levels,
        {{"sum", level_policy::sum},
         {"last", level_policy::last},
         {"mean", level_policy::mean},
         {"max", level_policy::max}},
        "Of memory in use and other gauges: their sum (default), last, mean or max");
    options.add_values("--cumulative", "TYPE", merged.cumulative,
                       "This sample type, or TYPE/UNIT, is no gauge; repeatable");
    options.add_values("--gauge", "TYPE", merged.gauge, "This sample type is one; repeatable");
    for (const char* each : {"--cumulative", "--gauge"}) {
        options.needs(each, "--levels");
    }
    add_match(options, merged.match);
    options.add_flag("--skip-bad", skip_bad,
                     "Go on without profiles that are damaged, and end with status 3");
    add_reading(options, input);
    options.add_heading("Series");
    options.add_value(
        "--into", "TIME", [this](const std::string& word) { into = parse_age("--into", word); },
        "Put one sum for each TIME, such as 1h, in place of the deltas in DIR");
    options.add_value(
        "--until", "MOMENT",
        [this](const std::string& word) { until = parse_moment("--until", word); },
        "Only of what is over by then, as 2026-11-21T10:00:00Z (default: now)");
    options.needs("--until", "--into");
    for (const char* each : {"--files-from", "--weight", "--mean", "--skip-bad"}) {
        options.excludes("--into", each);
    }
    options.add_heading("What to keep");
    trim_options& trim = merged.trim;
    add_types_and_labels(options, trim);
    add_stack_filters(options, trim.focus, trim.ignore);
    add_label_filters(options, trim.labels, trim.no_labels);
    options.add_flag("--drop-lines", trim.drop_lines,
                     "No line numbers, and no addresses of functions");
    options.add_flag("--for-pgo", trim.for_pgo, "Only what Go's compiler reads of a CPU profile");
    for (const char* each : {"--keep-type", "--drop-lines"}) {
        options.excludes("--for-pgo", each);
    }
    options.add_heading("Output");
    output.add_options(options, "sum");
    add_quiet(options, quiet);
    add_status(options, status);
    options.add_flag("-v,--verbose", verbose, "One line of figures on standard error");
    options.add_help();
}

void merge_command::check_trim() const {
    check_selection_options({.focus = merged.trim.focus,
                             .ignore = merged.trim.ignore,
                             .labels = merged.trim.labels,
                             .no_labels = merged.trim.no_labels});
    check_dropped_labels(merged.trim);
}

void merge_command::check() {
    if (files.empty() && list.empty()) {
        wrong_usage("merge needs profiles: FILE..., or --files-from LIST");
    }
    if (!weights.empty() && weights.size() != files.size()) {
        wrong_usage(
            "--weight is given once for each FILE (weights: " + std::to_string(weights.size()) +
            ", files: " + std::to_string(files.size()) + ")");
    }
    merged.levels = levels.value_or(into ? level_policy::last : level_policy::sum);
    merged.ends_last = into.has_value();
    if (into) {
        check_into();
        return;
    }
    output.check();
    check_trim();
    check_status(status, output.file);
    check_paths(files);
    if (is_first_of_pattern(output.file, files)) {
        wrong_usage(output.file +
                    ": this may be the first profile of a pattern after -o, whose FILE "
                    "is missing; if it is not, remove it first");
    }
}

void merge_command::check_paths(const std::vector<std::string>& found) const {
    run_paths used{{{"-o", output.file, made_kind::profile}, status_output(status)}};
    used.read(list);
    used.read(found);
    used.check_kinds();
}

void merge_command::check_into() {
    if (!output.file.empty() || output.compress != codec::gzip ||
        output.format != profile_format::pprof) {
        wrong_usage(
            "--into writes *.pb.gz beside the deltas, and has no -o, no --compress and no --to");
    }
    output.check();
    check_trim();
    check_status(status, output.file);
    run_paths used{{status_output(status)}};
    used.check_kinds();
}

namespace {

// 'out/{series}/' is `out`, as the templates of batch have it.
std::string root_of(std::string path) {
    constexpr std::string_view series = "{series}";
    while (path.size() > 1 && path.ends_with('/')) {
        path.pop_back();
    }
    if (path == series) {
        return ".";
    }
    return path.ends_with("/{series}") ? path.substr(0, path.size() - series.size() - 1) : path;
}

std::size_t size_of(const std::vector<std::string>& files) {
    return std::accumulate(
        files.begin(), files.end(), std::size_t{0},
        [](std::size_t sum, const std::string& file) { return sum + regular_file_size(file); });
}

} // namespace

exit_status merge_command::run() const {
    if (into) {
        run_status told{name, status};
        return told.report_on([&] { return run_into(told); });
    }
    output.refuse_terminal();
    run_status told{name, status};
    return told.report_on([&] { return run(told); });
}

exit_status merge_command::run_into(run_status& told) const {
    told.add("inputs", json_strings(names_of(files)));
    std::int64_t series = 0;
    std::int64_t sums = 0;
    std::int64_t profiles = 0;
    std::int64_t skipped = 0;
    exit_status worst = exit_status::done;
    window_merge windows{{.window = *into,
                          .until_nanos = until.value_or(nanos_now()),
                          .merged = merged,
                          .input = input,
                          .form = output}};
    for (const std::string& each : files) {
        const window_merge::counts found = windows.run(root_of(each));
        told.warn(found.bad, false);
        series += static_cast<std::int64_t>(found.series);
        sums += static_cast<std::int64_t>(found.sums);
        profiles += static_cast<std::int64_t>(found.profiles);
        skipped += static_cast<std::int64_t>(found.bad.size());
        worst = worse_of(worst, found.status);
    }
    told.add("series", series);
    told.add("sums", sums);
    told.add("profiles", profiles);
    told.add("skipped", skipped);
    if (verbose) {
        std::fprintf(stderr, "pprofdelta: %lld %s of %lld series put into %lld %s\n",
                     static_cast<long long>(profiles), profiles == 1 ? "profile" : "profiles",
                     static_cast<long long>(series), static_cast<long long>(sums),
                     sums == 1 ? "sum" : "sums");
    }
    return worst;
}

merge_command::inputs merge_command::find_inputs(series_readers& held) const {
    inputs found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::string& file : find_files({files[i]}, &held)) {
            found.files.push_back(std::move(file));
            found.weights.push_back(weights.empty() ? 1 : weights[i]);
        }
    }
    if (!list.empty()) {
        const std::string text = read_file(list, max_profile_size);
        for (listed_path& listed :
             list_has_nul ? paths_with_nul(text) : paths_of_lines(text, display_name(list))) {
            found.files.push_back(std::move(listed.path));
            found.weights.push_back(listed.weight);
        }
    }
    if (found.files.empty()) {
        throw failure{exit_status::usage, display_name(list) + ": there is no path in this list"};
    }
    check_paths(found.files);
    return found;
}

merge_command::sizes merge_command::add_all(const inputs& from, profile_sum& sum,
                                            process_list& processes, run_status& told) const {
    sizes read;
    std::string first; // the name of the first profile in the sum
    std::vector<std::string> bad;
    progress shown{from.files.size(), size_of(from.files), !quiet};
    const auto count = [&](std::size_t i) { shown.add(regular_file_size(from.files[i])); };
    const auto use = [&](std::size_t i, const shared_profile& profile) {
        const profile_file& file = *profile;
        try {
            processes.add(sum.add(file.bytes(), from.weights[i]));
        } catch (const error& e) {
            throw to_failure(e, e.input() == error_input::both ? first + " and " + file.name()
                                                               : file.name());
        }
        if (first.empty()) {
            first = file.name();
        }
        read.bytes += file.bytes().size();
        read.bytes_on_disk += file.size_on_disk();
        count(i);
    };
    std::function<void(std::size_t, const failure&)> pass_over;
    if (skip_bad) {
        pass_over = [&](std::size_t i, const failure& e) {
            bad.emplace_back(e.what());
            count(i);
        };
    }
    read_all(from.files, input, use, pass_over);
    shown.end();
    told.warn(bad, false);
    told.add("skipped", static_cast<std::int64_t>(bad.size()));
    if (sum.size() == 0) {
        throw failure{exit_status::malformed, "no profile is left to add up"};
    }
    return read;
}

exit_status merge_command::run(run_status& told) const {
    const auto start = std::chrono::steady_clock::now();
    series_readers held;
    const inputs from = find_inputs(held);
    told.add("inputs", json_strings(names_of(from.files)));
    profile_sum sum{merged};
    process_list processes;
    const sizes in = add_all(from, sum, processes, told);
    held.require_undisturbed();
    const std::string repeated = find_repeated(from.files);
    if (!repeated.empty()) {
        told.warn({display_name(repeated) + ": it is given twice, and counts twice"}, quiet);
    }
    std::string made;
    const merge_summary found =
        about("the sum", [&] { return mean ? sum.write_mean(made) : sum.write(made); });
    if (found.without_duration != 0) {
        told.warn({std::to_string(found.without_duration) + " of " +
                   std::to_string(found.profiles) +
                   " profiles have a duration of more than 31 years, which is not added"},
                  quiet);
    }
    if (repeated.empty()) {
        told.warn(processes.meaningless_sums(read_profile_info(made), !levels && !mean), quiet);
    }
    sizes out{.bytes = made.size()};
    std::string lost;
    made = output.encoded(std::move(made), false, lost);
    if (!lost.empty()) {
        told.warn({lost}, quiet);
    }
    out.bytes_on_disk = made.size();
    output.write(made, durability::cached);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    report(found, in, out, time.count(), told);
    told.add_report_on(output.file);
    return found.profiles == from.files.size() ? exit_status::done : exit_status::malformed;
}

void merge_command::report(const merge_summary& found, const sizes& in, const sizes& out,
                           double seconds, run_status& told) const {
    told.add("profiles", static_cast<std::int64_t>(found.profiles));
    told.add("time_nanos", found.time_nanos);
    told.add("duration_nanos", found.duration_nanos);
    told.add("samples_in", static_cast<std::int64_t>(found.samples_in));
    told.add("samples_out", static_cast<std::int64_t>(found.samples_out));
    told.add("bytes_in", static_cast<std::int64_t>(in.bytes));
    told.add("bytes_in_on_disk", static_cast<std::int64_t>(in.bytes_on_disk));
    told.add("bytes_out", static_cast<std::int64_t>(out.bytes));
    told.add("bytes_out_on_disk", static_cast<std::int64_t>(out.bytes_on_disk));
    if (verbose) {
        std::fprintf(stderr,
                     "pprofdelta: %zu %s, %zu samples in, %zu in the sum; %zu bytes in "
                     "(%zu on disk), %zu bytes out (%zu on disk); %s s, %s\n",
                     found.profiles, found.profiles == 1 ? "profile" : "profiles", found.samples_in,
                     found.samples_out, in.bytes, in.bytes_on_disk, out.bytes, out.bytes_on_disk,
                     fixed_text(seconds, 3).c_str(), std::string{processor_kind()}.c_str());
    }
}

} // namespace pprofdelta::tool
