// SPDX-License-Identifier: Apache-2.0
#include "commands/merge.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/processor.hpp>

#include "base/failure.hpp"
#include "base/value_text.hpp"
#include "batch/inputs.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// Puts one profile for each window of time into the place of those of that window, in each folder
/// below a root, which is a series: `20261121T090000Z.1h.pb.gz` is of all that ended after nine,
/// up to ten. Only windows that are over are touched.
///
/// Nothing is lost, and nothing counts twice, wherever a run is killed. While a window is worked
/// on, there is a hidden folder of its name, `.20261121T090000Z.1h`, and:
///
///  1. a sum that is there from an earlier run goes into the hidden folder, before anything else;
///  2. the profiles of the window follow it;
///  3. the sum of all in the hidden folder comes into place, once these moves are durable;
///  4. what is in the hidden folder is removed, once the sum is durable, and then the folder.
///
/// So a sum in place that stands beside a hidden folder which is not empty is of all that is in
/// there, and a run that finds both goes on with step 4. Without a sum in place the hidden folder
/// has all that there is, and it goes on with step 2. An empty hidden folder says nothing. Moves
/// are durable before what follows them, as a crash of the machine may undo the last ones in any
/// order.
class window_merge {
public:
    struct settings {
        std::chrono::seconds window{};
        std::int64_t until_nanos = 0; ///< Windows that end later are not over.
        merge_options merged{};
        reading input{};
        profile_output form{};
    };
    struct counts {
        std::size_t series = 0;   ///< With a new sum.
        std::size_t sums = 0;     ///< That were written.
        std::size_t profiles = 0; ///< That are in these, and were removed.
        /// About profiles that stay where they are, as they are damaged or do not fit.
        std::vector<std::string> bad{};
        exit_status status = exit_status::done; ///< The worst of these, or done.
    };

    explicit window_merge(settings chosen) : m_chosen{std::move(chosen)} {}

    /// Works on all series below a folder, one after the other. Links are not followed.
    /// @throws failure io, usage if there is no series. What was done until then stays done.
    counts run(const std::string& root);

private:
    using names_by_window = std::map<std::int64_t, std::vector<std::string>>;
    struct folder_content {
        std::vector<std::string> profiles; ///< Their names, in order.
        std::vector<std::string> begun;    ///< Windows that were worked on: names of sums.
        std::vector<std::string> folders;
    };

    [[nodiscard]] folder_content content_of(const std::string& folder) const;
    void merge_series(const std::string& folder);
    [[nodiscard]] names_by_window windows_of(const std::string& folder,
                                             const std::vector<std::string>& profiles);
    void merge_window(const std::string& folder, const std::string& sum,
                      const std::vector<std::string>& profiles);
    [[nodiscard]] bool is_sound_sum(const std::string& path);
    void put_into_place(const std::string& folder, const std::string& sum);
    void note_bad(const failure& reason);
    [[nodiscard]] std::string name_of(std::int64_t window) const;
    [[nodiscard]] bool is_input(const std::string& name) const;

    settings m_chosen;
    counts m_found;
};

namespace {

constexpr std::int64_t nanos_of_second = 1'000'000'000;
constexpr std::string_view ending = ".pb.gz";

std::string in(const std::string& folder, const std::string& name) { return folder + "/" + name; }

// Where the profiles of a window are while they are summed.
std::string hidden(const std::string& sum) {
    return "." + sum.substr(0, sum.size() - ending.size());
}

// "1h" of 3600 s, so that a window has one name.
std::string short_text(std::chrono::seconds time) {
    constexpr std::array<std::pair<int, const char*>, 3> units{
        {{86400, "d"}, {3600, "h"}, {60, "m"}}};
    for (const auto& [seconds, letter] : units) {
        if (time.count() % seconds == 0) {
            return std::to_string(time.count() / seconds) + letter;
        }
    }
    return std::to_string(time.count()) + "s";
}

// Of a sum the length of its window, by the part of its name that says it; 0 of all others.
std::chrono::seconds window_in(std::string_view name) {
    const std::size_t point = name.find('.');
    if (!name.ends_with(ending) || point + 1 + ending.size() >= name.size()) {
        return {};
    }
    const std::string time{name.substr(point + 1, name.size() - ending.size() - point - 1)};
    try {
        return parse_age("", time);
    } catch (const failure&) {
        return {}; // a profile that is called otherwise
    }
}

bool is_there(const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0) {
        return true;
    }
    if (errno != ENOENT) {
        throw io_failure(path, "cannot be looked at");
    }
    return false;
}

// Replaces nothing: who writes there does not know of this run.
void move_file(const std::string& from, const std::string& to) {
    if (is_there(to)) {
        throw failure{exit_status::io, from + ": cannot be moved, as there is " + to};
    }
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw io_failure(from, "cannot be moved into " + folder_of(to));
    }
}

void remove_all(const std::string& folder) {
    std::vector<std::string> names;
    for_each_name(folder, [&](std::string_view name) { names.emplace_back(name); });
    for (const std::string& name : names) {
        if (::unlink(in(folder, name).c_str()) != 0) {
            throw io_failure(in(folder, name), "cannot be removed");
        }
    }
    if (::rmdir(folder.c_str()) != 0) {
        throw io_failure(folder, "cannot be removed");
    }
}

// Whether it is "20261121T090000Z", as the names of sums begin.
bool is_moment(std::string_view text) {
    constexpr std::string_view form = "00000000T000000Z";
    return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                      [](char c, char as) { return as == '0' ? c >= '0' && c <= '9' : c == as; });
}

std::vector<std::string> sorted_names(const std::string& folder) {
    std::vector<std::string> names;
    for_each_name(folder, [&](std::string_view name) { names.emplace_back(name); });
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

std::string window_merge::name_of(std::int64_t window) const {
    const auto seconds = static_cast<std::time_t>(window * m_chosen.window.count());
    std::tm parts{};
    std::array<char, 64> text{};
    if (::gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts) == 0) {
        throw failure{exit_status::malformed, "the time of a profile is none"};
    }
    return std::string{text.data()} + "." + short_text(m_chosen.window) + std::string{ending};
}

// Sums of the same windows, and of longer ones, are not.
bool window_merge::is_input(const std::string& name) const {
    return is_name_of_profile(name) && window_in(name) < m_chosen.window;
}

window_merge::folder_content window_merge::content_of(const std::string& folder) const {
    folder_content found;
    const std::string own = "." + short_text(m_chosen.window);
    for (const std::string& name : sorted_names(folder)) {
        struct stat status = {};
        if (::lstat(in(folder, name).c_str(), &status) != 0) {
            continue; // gone, or none of this run's
        }
        if (S_ISDIR(status.st_mode)) {
            if (!name.starts_with('.')) {
                found.folders.push_back(name);
            } else if (name.ends_with(own) &&
                       is_moment(std::string_view{name}.substr(1, name.size() - own.size() - 1))) {
                found.begun.push_back(name.substr(1) + std::string{ending});
            }
        } else if (S_ISREG(status.st_mode) && !name.starts_with('.') && is_input(name)) {
            found.profiles.push_back(name);
        }
    }
    return found;
}

window_merge::counts window_merge::run(const std::string& root) {
    m_found = {};
    std::vector<std::string> to_do{root};
    bool has_any = false;
    while (!to_do.empty()) { // folders can lie deeper than a stack of calls goes
        const std::string folder = std::move(to_do.back());
        to_do.pop_back();
        const folder_content inside = content_of(folder);
        for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
            to_do.push_back(in(folder, *name));
        }
        if (!inside.profiles.empty() || !inside.begun.empty()) {
            has_any = true;
            merge_series(folder);
        }
    }
    if (!has_any && !is_there(root)) {
        throw failure{exit_status::usage, root + ": there is no such folder"};
    }
    return std::move(m_found);
}

void window_merge::merge_series(const std::string& folder) {
    constexpr std::chrono::seconds patience{30};
    const lock_file lock{in(folder, ".merge.lock"), patience};
    const std::size_t sums_before = m_found.sums;
    folder_content inside = content_of(folder); // now that nobody else works on it
    for (const std::string& sum : inside.begun) {
        if (is_there(in(folder, sum))) {
            remove_all(in(folder, hidden(sum)));
        }
    }
    std::map<std::string, std::vector<std::string>> to_do;
    for (const std::string& sum : inside.begun) {
        if (is_there(in(folder, hidden(sum)))) {
            to_do[sum];
        }
    }
    for (auto& [window, names] : windows_of(folder, inside.profiles)) {
        to_do[name_of(window)] = std::move(names);
    }
    for (const auto& [sum, names] : to_do) {
        merge_window(folder, sum, names);
    }
    m_found.series += m_found.sums != sums_before ? 1 : 0;
}

// Of the windows that are over. A profile is of the window in which it ends.
window_merge::names_by_window window_merge::windows_of(const std::string& folder,
                                                       const std::vector<std::string>& profiles) {
    names_by_window found;
    const std::int64_t nanos = m_chosen.window.count() * nanos_of_second;
    for (const std::string& name : profiles) {
        try {
            const profile_file file{raw_file{in(folder, name), m_chosen.input.max_size},
                                    m_chosen.input};
            const std::int64_t time =
                about(file, [&] { return read_profile_info(file.bytes()).time_nanos; });
            if (time <= 0) {
                throw failure{exit_status::incompatible, file.name() + ": the profile has no time"};
            }
            const std::int64_t window = (time - 1) / nanos;
            if (window < m_chosen.until_nanos / nanos) {
                found[window].push_back(name);
            }
        } catch (const failure& e) {
            note_bad(e);
        }
    }
    return found;
}

void window_merge::note_bad(const failure& reason) {
    if (reason.status() == exit_status::io) {
        throw reason;
    }
    m_found.bad.emplace_back(reason.what());
    m_found.status = m_found.status == exit_status::malformed ? m_found.status : reason.status();
}

// Whether a sum of an earlier run can be added to.
bool window_merge::is_sound_sum(const std::string& path) {
    try {
        const profile_file file{raw_file{path, m_chosen.input.max_size}, m_chosen.input};
        profile_sum alone{m_chosen.merged};
        about(file, [&] { alone.add(file.bytes()); });
        return true;
    } catch (const failure& e) {
        note_bad(e);
        return false;
    }
}

void window_merge::merge_window(const std::string& folder, const std::string& sum,
                                const std::vector<std::string>& profiles) {
    const std::string inside = in(folder, hidden(sum));
    if (is_there(in(folder, sum))) {
        if (!is_sound_sum(in(folder, sum))) {
            return;
        }
        make_folder(inside);
        move_file(in(folder, sum), in(inside, sum));
        sync_folder(inside, sum);
        sync_folder(folder, sum);
    } else {
        make_folder(inside);
    }
    for (const std::string& name : profiles) {
        move_file(in(folder, name), in(inside, name));
    }
    sync_folder(inside, sum);
    sync_folder(folder, sum);
    put_into_place(folder, sum);
}

void window_merge::put_into_place(const std::string& folder, const std::string& sum) {
    const std::string inside = in(folder, hidden(sum));
    profile_sum all{m_chosen.merged};
    const auto add = [&](const std::string& name) {
        const profile_file file{raw_file{in(inside, name), m_chosen.input.max_size},
                                m_chosen.input};
        about(file, [&] { all.add(file.bytes()); });
    };
    // The one of an earlier run first: what does not fit goes back, and that must not.
    if (is_there(in(inside, sum))) {
        add(sum);
    }
    for (const std::string& name : sorted_names(inside)) {
        if (name == sum) {
            continue;
        }
        try {
            add(name);
        } catch (const failure& e) {
            note_bad(e);
            move_file(in(inside, name), in(folder, name));
        }
    }
    sync_folder(inside, sum);
    sync_folder(folder, sum);
    if (all.size() != 0) {
        std::string made;
        about(in(folder, sum), [&] { all.write(made); });
        remove_abandoned_files(in(folder, sum));
        std::string lost; // as with a batch, nobody reads a line for each sum
        write_file(in(folder, sum), m_chosen.form.encoded(std::move(made), false, lost),
                   durability::synced);
        ++m_found.sums;
        m_found.profiles += all.size();
    }
    remove_all(inside);
}

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
    if (!output.file.empty() || output.compress != codec::gzip) {
        wrong_usage("--into writes *.pb.gz beside the deltas, and has no -o and no --compress");
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
    told.add("inputs", names_of(files));
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
        worst = worst == exit_status::malformed || found.status == exit_status::done ? worst
                                                                                     : found.status;
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

merge_command::inputs merge_command::find_inputs() const {
    inputs found;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::string& file : find_files({files[i]})) {
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
    const inputs from = find_inputs();
    told.add("inputs", names_of(from.files));
    profile_sum sum{merged};
    process_list processes;
    const sizes in = add_all(from, sum, processes, told);
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
