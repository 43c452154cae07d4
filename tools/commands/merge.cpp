// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/error.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/sample_types.hpp>

#include "base/lists.hpp"
#include "batch/item_lists.hpp"
#include "commands/reading.hpp"
#include "commands/result.hpp"

namespace pprofdelta::tool {

namespace {

// Replaces nothing: who writes there does not know of this run.
void move_file(const std::string& from, const std::string& to) {
    if (kind_of(to) != entry_kind::none) {
        throw failure{exit_status::io, from + ": cannot be moved, as there is " + to};
    }
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw io_failure(from, "cannot be moved into " + folder_of(to));
    }
}

void require(entry_kind kind, const std::string& path) {
    if (kind_of(path) != kind) {
        throw failure{exit_status::io, path + ": it is not a " +
                                           (kind == entry_kind::file ? "regular file" : "folder")};
    }
}

std::vector<std::string> sorted_names(const std::string& folder) {
    std::vector<std::string> names;
    for_each_entry(folder, [&](std::string_view name, entry_kind) { names.emplace_back(name); });
    std::ranges::sort(names);
    return names;
}

void remove_all(const std::string& folder) {
    for (const std::string& name : sorted_names(folder)) {
        if (::unlink(path_in(folder, name).c_str()) != 0) {
            throw io_failure(path_in(folder, name), "cannot be removed");
        }
    }
    if (::rmdir(folder.c_str()) != 0) {
        throw io_failure(folder, "cannot be removed");
    }
}

bool is_counted(const type_treatment& each) { return each.kind != value_kind::gauge; }

// The options for the kinds of types that a merge was told.
delta_options named_types(const merge_options& merged) {
    return {.cumulative = merged.cumulative, .gauge = merged.gauge, .interval = merged.interval};
}

// Steps 4 and 5.
void put_into_place(const std::string& folder, const merge_window& window) {
    const std::string inside = path_in(folder, window.hidden_name());
    const std::string made = path_in(inside, merge_window::made);
    if (kind_of(made) != entry_kind::none) {
        require(entry_kind::file, made);
        move_file(made, path_in(folder, window.sum));
        sync_folder(folder, window.sum);
        sync_folder(inside, window.sum);
    }
    remove_all(inside);
}

/// Puts one profile for each window of time into the place of those of that window, in each folder
/// below a root, which is a series: `20261121T090000Z.1h.pb.gz` is of all that ended after nine, up
/// to ten. It only touches windows that are over.
///
/// Nothing is lost, and nothing counts twice, wherever a run is killed, of whatever windows the
/// runs after it are, and whoever reads in between. Names alone tell what counts, and one rename at
/// a time changes it. A window goes through these steps:
///
///  1. its profiles, and a sum of an earlier run, are moved into a hidden folder of its name,
///     `.20261121T090000Z.1h`. They count there as before;
///  2. the sum of them comes there as `.sum`, which does not count, and is read back and compared
///     with what its profiles add up to;
///  3. the folder is renamed and ends with `.summed`, so that `.sum` counts, and nothing else in
///  it;
///  4. `.sum` comes into place, `20261121T090000Z.1h.pb.gz`;
///  5. what is in the folder is removed, and then the folder.
///
/// A run first ends what others of the series left, windows of any length: it goes on with step 2,
/// or, if the name says so, with 4. Each step first makes durable what it relies on, as a crash of
/// the machine may undo the last moves in any order. A move of step 1 that is undone changes
/// nothing. Who reads a series holds its lock as a series_reader, so that no file moves meanwhile.
class window_merge {
public:
    struct settings {
        std::chrono::seconds window{};
        std::int64_t until_nanos = 0; ///< Windows that end later are not over.
        merge_options merged{};
        read_options input{};
        profile_output form{};
    };
    struct counts {
        std::size_t series = 0;   ///< The number of series with a new sum.
        std::size_t sums = 0;     ///< The number of sums that were written.
        std::size_t profiles = 0; ///< The number of profiles in these, which were removed.
        /// The number of profiles that stay, as no sum with them has a rate.
        std::size_t unknown = 0;
        std::size_t skipped = 0;                ///< The number of files with a warning.
        exit_status status = exit_status::done; ///< The worst of that, or done.
    };

    /// @param status gets a warning about profiles that stay where they are, as they are damaged or
    ///             do not fit, and about series that are left to the next run, as reading or
    ///             writing failed.
    window_merge(settings chosen, run_status& status)
        : m_chosen{std::move(chosen)}, m_status{status} {}

    /// Works on all series below a folder, one after the other. Links are not followed.
    /// @throws failure io if the folder cannot be read.
    void run(const std::string& root) {
        std::vector<std::string> to_do{root};
        while (!to_do.empty()) { // folders can lie deeper than a stack of calls goes
            const std::string folder = std::move(to_do.back());
            to_do.pop_back();
            const std::size_t sums_before = m_found.sums;
            try {
                const folder_content inside = content_of(folder);
                for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
                    to_do.push_back(path_in(folder, *name));
                }
                if (!inside.profiles.empty() || !inside.begun.empty()) {
                    merge_series(folder);
                }
            } catch (const failure& e) {
                if (folder == root && !is_folder(root)) {
                    throw;
                }
                note(e);
            }
            m_found.series += m_found.sums != sums_before ? 1 : 0;
        }
    }

    /// The counts of all of that.
    [[nodiscard]] const counts& found() const noexcept { return m_found; }

private:
    using names_by_window = std::map<std::int64_t, std::vector<std::string>>;
    struct folder_content {
        std::vector<std::string> profiles; ///< Their names, in order.
        std::vector<merge_window> begun;
        std::vector<std::string> folders;
    };

    [[nodiscard]] folder_content content_of(const std::string& folder) const {
        folder_content found;
        for (const std::string& name : sorted_names(folder)) {
            if (std::optional<merge_window> window = window_of_folder(name)) {
                found.begun.push_back(std::move(*window)); // or who works on it looks at what it is
            } else if (!name.starts_with('.')) {
                const entry_kind kind = kind_of(path_in(folder, name));
                if (kind == entry_kind::folder) {
                    found.folders.push_back(name);
                } else if (kind == entry_kind::file && is_input(name)) {
                    found.profiles.push_back(name);
                }
            }
        }
        return found;
    }

    // Sums of the same windows, and of longer ones, are not. Nor is what its name says to be of a
    // window that is not over: to read its time would cost most of a run that has nothing to do. A
    // name that is wrong only makes its profile wait, as what is moved is read before.
    bool is_input(const std::string& name) const {
        return is_name_of_profile(name) && window_in_name(name) < m_chosen.window &&
               !is_named_after(name, first_open_window() * m_chosen.window.count());
    }

    // The number of the first window that is not over.
    [[nodiscard]] std::int64_t first_open_window() const {
        return m_chosen.until_nanos / nanos_per_second / m_chosen.window.count();
    }

    void merge_series(const std::string& folder) {
        const lock_file lock{series_lock_path(folder), series_patience};
        for (const merge_window& window : content_of(folder).begun) {
            require(entry_kind::folder, path_in(folder, window.hidden_name()));
            if (window.is_summed) {
                put_into_place(folder, window);
            } else {
                sum_up(folder, window);
            }
        }
        for (const auto& [number, names] : windows_of(folder, content_of(folder).profiles)) {
            const merge_window window{.sum = name_of(number)};
            const std::string sum = path_in(folder, window.sum);
            if (kind_of(sum) == entry_kind::none || is_sound_sum(sum)) {
                take(folder, window, names);
                sum_up(folder, window);
            }
        }
    }

    // The windows that are over. A profile is of the window in which it ends.
    names_by_window windows_of(const std::string& folder,
                               const std::vector<std::string>& profiles) {
        names_by_window found;
        const std::int64_t nanos = m_chosen.window.count() * nanos_per_second;
        for (const std::string& name : profiles) {
            use(path_in(folder, name), [&](const profile_file& file) {
                const profile_info info =
                    read_profile_info(file.bytes(), named_types(m_chosen.merged));
                if (info.time_nanos <= 0) {
                    throw failure{exit_status::incompatible,
                                  file.name() + ": the profile has no time"};
                }
                const std::int64_t window = (info.time_nanos - 1) / nanos;
                if (window >= first_open_window()) {
                    return;
                }
                if (is_of_unknown_time(info)) {
                    ++m_found.unknown;
                } else {
                    found[window].push_back(name);
                }
            });
        }
        return found;
    }

    // Whether something was counted, and nobody knows in which time, as after a restart.
    static bool is_of_unknown_time(const profile_info& info) {
        return info.duration_nanos <= 0 && info.samples != 0 &&
               std::ranges::any_of(info.types, &is_counted);
    }

    std::string name_of(std::int64_t window) const {
        const std::int64_t length = m_chosen.window.count();
        return utc_text(window * length, "%Y%m%dT%H%M%SZ") + "." + short_text(length) + ".pb.gz";
    }

    // Whether a sum of an earlier run can be added to.
    bool is_sound_sum(const std::string& path) {
        require(entry_kind::file, path);
        profile_sum alone{m_chosen.merged};
        return use(path, [&](const profile_file& file) { alone.add(file.bytes()); });
    }

    // Step 1.
    void take(const std::string& folder, const merge_window& window,
              const std::vector<std::string>& profiles) {
        const std::string inside = path_in(folder, window.hidden_name());
        if (::mkdir(inside.c_str(), 0777) != 0) {
            throw io_failure(inside, "cannot create the folder");
        }
        if (kind_of(path_in(folder, window.sum)) != entry_kind::none) {
            move_file(path_in(folder, window.sum), path_in(inside, window.sum));
        }
        for (const std::string& name : profiles) {
            move_file(path_in(folder, name), path_in(inside, name));
        }
    }

    // Steps 2 and 3, and the rest.
    void sum_up(const std::string& folder, merge_window window) {
        const std::string inside = path_in(folder, window.hidden_name());
        std::vector<std::string> names = sorted_names(inside);
        std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
        // The sum of an earlier run first: what does not fit goes back, and that must not.
        std::stable_partition(names.begin(), names.end(),
                              [&](const std::string& name) { return name == window.sum; });
        profile_sum all{m_chosen.merged};
        std::vector<std::string> added;
        for (const std::string& name : names) {
            const std::string path = path_in(inside, name);
            require(entry_kind::file, path);
            bool is_added = false;
            use(
                path,
                [&](const profile_file& file) {
                    if (name == window.sum || !is_of_unknown_time(read_profile_info(
                                                  file.bytes(), named_types(m_chosen.merged)))) {
                        all.add(file.bytes());
                        is_added = true;
                    }
                },
                name != window.sum);
            if (is_added) {
                added.push_back(path);
            } else {
                move_file(path, path_in(folder, name));
            }
        }
        if (all.size() == 0) {
            remove_all(inside);
            return;
        }
        const std::string sum = path_in(inside, merge_window::made);
        std::string made;
        merge_summary found;
        with_file_context(sum, [&] { found = all.write(made); });
        if (found.samples_in != 0 && found.samples_out == 0 && !leaves_any(added)) {
            for (const std::string& path : added) {
                move_file(path, path_in(folder, path.substr(inside.size() + 1)));
            }
            remove_all(inside);
            note({exit_status::incompatible,
                  path_in(folder, window.sum) + ": " +
                      none_left_text(found.samples_in, found.samples_out) + ", so they stay"});
            return;
        }
        if (kind_of(sum) != entry_kind::none) {
            require(entry_kind::file, sum); // a link would be followed
        }
        remove_abandoned_files(sum);
        std::string lost; // as with a batch, nobody reads a line for each sum
        write_file(sum, m_chosen.form.encoded(std::move(made), false, lost), durability::synced);
        require_all(sum, added);
        sync_folder(folder, window.sum);
        window.is_summed = true;
        move_file(inside, path_in(folder, window.hidden_name()));
        sync_folder(folder, window.sum);
        ++m_found.sums;
        m_found.profiles += all.size();
        put_into_place(folder, window);
    }

    // Whether the filters leave samples of any, which can add up to nothing.
    bool leaves_any(const std::vector<std::string>& files) {
        const trim_options& filters = m_chosen.merged.trim;
        return filters.are_empty() || std::ranges::any_of(files, [&](const std::string& path) {
                   std::size_t samples = 0;
                   use(
                       path,
                       [&](const profile_file& file) {
                           samples = read_profile_info(trim(file.bytes(), filters)).samples;
                       },
                       false);
                   return samples != 0;
               });
    }

    // The values of removed files have to be in the sum, as it can be read from the disk.
    // @throws failure io if the sum has another total of what was counted.
    void require_all(const std::string& sum, const std::vector<std::string>& added) {
        std::vector<value_type> types; // of the sum
        const auto totals_of = [&](const std::string& path, const trim_options& trimmed) {
            std::vector<std::int64_t> totals;
            use(
                path,
                [&](const profile_file& file) {
                    const std::string left = trimmed.are_empty() ? "" : trim(file.bytes(), trimmed);
                    std::string_view bytes = left.empty() ? file.bytes() : left;
                    const std::optional<std::string> converted =
                        types.empty() ? std::nullopt : pprofdelta::convert_types(bytes, types);
                    bytes = converted ? std::string_view{*converted} : bytes;
                    const profile_info info =
                        read_profile_info(bytes, named_types(m_chosen.merged));
                    totals = read_totals(bytes);
                    if (types.empty()) {
                        types = mapped(info.types, &type_treatment::type);
                    }
                    for (std::size_t i = 0; i < totals.size(); ++i) {
                        const bool is_added = m_chosen.merged.levels == level_policy::sum ||
                                              is_counted(info.types[i]);
                        totals[i] = is_added ? totals[i] : 0;
                    }
                },
                false);
            return totals;
        };
        std::vector<std::int64_t> missing = totals_of(sum, {});
        for (const std::string& path : added) {
            const std::vector<std::int64_t> totals = totals_of(path, m_chosen.merged.trim);
            for (std::size_t i = 0; i < missing.size(); ++i) {
                // The largest numbers wrap around, and are equal in the end.
                missing[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(missing[i]) -
                                                       static_cast<std::uint64_t>(totals.at(i)));
            }
        }
        if (std::ranges::any_of(missing, [](std::int64_t each) { return each != 0; })) {
            throw failure{exit_status::io,
                          sum + ": it is not what its profiles add up to, so they stay"};
        }
    }

    // Uses a profile.
    // @param may_be_bad whether what it is costs it alone.
    // @returns whether it could be used.
    template <typename Use>
    bool use(const std::string& path, Use&& use_it, bool may_be_bad = true) {
        try {
            const profile_file file{raw_file{path, m_chosen.input.max_size}, m_chosen.input};
            with_file_context(file, [&] { use_it(file); });
            return true;
        } catch (const failure& e) {
            if (e.status() == exit_status::io || !may_be_bad) {
                throw;
            }
            note(e);
            return false;
        }
    }

    void note(const failure& reason) {
        m_status.warn({reason.what()}, false);
        ++m_found.skipped;
        m_found.status = worse_status(m_found.status, reason.status());
    }

    settings m_chosen;
    run_status& m_status;
    counts m_found;
};

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

/// `pprofdelta merge`: writes the sum, or the mean, of any number of profiles.
struct merge_command : profile_command {
    std::vector<double> weights; ///< The weight of each of these, or none.

    merge_options merged;
    std::optional<level_policy> levels; ///< Nothing if it was not said; then it is the sum.
    bool mean = false;
    std::optional<std::chrono::seconds> into; ///< The windows that series are put together in.
    std::optional<std::int64_t> until;        ///< Those that end later stay; empty for now.
    bool skip_bad = false;

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to add up");
        add_list(options, list, ", with an optional TAB and weight");
        options.add_values(
            "--weight", "W",
            [this](const std::string& given) {
                weights.push_back(parse_weight(given, "--weight " + given));
            },
            "Multiply the values of a FILE by W; once for each FILE");
        options.add_flag("--mean", mean, "Divide by the number of profiles, or the sum of weights");
        options.add_choice<std::optional<level_policy>>(
            "--levels", "HOW", levels,
            {{"sum", level_policy::sum},
             {"last", level_policy::last},
             {"mean", level_policy::mean},
             {"max", level_policy::max}},
            "Combine gauges by sum (default), last, mean or max");
        add_types(options, merged);
        add_match(options, merged.match);
        options.add_flag("--skip-bad", skip_bad, "Skip damaged profiles, and exit with 3");
        add_reading(options, input);
        options.add_heading("Series");
        add_age(options, "--into", into,
                "Replace deltas in DIR by one sum for each TIME, as in 1h");
        options.add_value(
            "--until", "MOMENT",
            [this](const std::string& word) { until = parse_moment("--until", word); },
            "Only windows that ended by MOMENT (default: now)");
        options.needs({"--until"}, "--into");
        options.excludes("--into",
                         {"--files-from", "--weight", "--mean", "--skip-bad", "--symbolize"});
        add_kept(options, merged.trim);
        options.add_flag("--drop-lines", merged.trim.drop_lines,
                         "Drop line numbers and addresses of functions");
        options.add_flag("--for-pgo", merged.trim.for_pgo,
                         "Keep only what Go's compiler reads of a CPU profile");
        options.excludes("--for-pgo", {"--keep-type", "--drop-lines"});
        add_outputs(options, "sum");
        add_urls(options, urls, input);
    }

    void check() override {
        if (files.empty() && list.file.empty()) {
            wrong_usage("merge needs profiles: FILE..., or --files-from LIST");
        }
        if (!weights.empty() && weights.size() != files.size()) {
            wrong_usage("--weight must be given once for each FILE (weights: " +
                        std::to_string(weights.size()) +
                        ", files: " + std::to_string(files.size()) + ")");
        }
        merged.levels = levels.value_or(into ? level_policy::last : level_policy::sum);
        merged.ends_last = into.has_value();
        if (into && (!output.file.empty() || output.compress != codec::gzip ||
                     output.format != profile_format::pprof)) {
            wrong_usage(
                "--into writes *.pb.gz beside the deltas, so it excludes -o, --compress and --to");
        }
        check_level(output);
        check_status(status_file, output.file);
        if (into) {
            check_paths({status_output(status_file)}, {});
            return;
        }
        check_inputs(files);
        if (is_first_of_pattern(output.file, files)) {
            wrong_usage(output.file +
                        ": this may be the first profile of a pattern after -o, whose FILE "
                        "is missing; if it is not, remove it first");
        }
        output.refuse_terminal();
    }

    /// @returns malformed if profiles were passed over, else done.
    [[nodiscard]] exit_status work(run_status& status) const override {
        return into ? merge_windows(status) : add_up(status);
    }

private:
    struct inputs {
        std::vector<std::string> files;
        std::vector<double> weights; // of each
    };

    [[nodiscard]] exit_status merge_windows(run_status& status) const {
        status.add("inputs", names_of(files));
        window_merge windows{{.window = *into,
                              .until_nanos = until.value_or(nanos_now()),
                              .merged = merged,
                              .input = input,
                              .form = output},
                             status};
        for (const std::string& each : files) {
            windows.run(root_of(each));
        }
        const window_merge::counts& found = windows.found();
        if (found.unknown != 0) {
            status.warn(
                counted(found.unknown, "profile") +
                " of an unknown interval, as after a restart, stayed out of the sums, which "
                "would have no rate");
        }
        status.add({{"series", found.series},
                    {"sums", found.sums},
                    {"profiles", found.profiles},
                    {"skipped", found.skipped}});
        if (verbose) {
            std::fprintf(stderr, "pprofdelta: %s of %zu series put into %s\n",
                         counted(found.profiles, "profile").c_str(), found.series,
                         counted(found.sums, "sum").c_str());
        }
        return found.status;
    }

    [[nodiscard]] exit_status add_up(run_status& status) const {
        traffic sizes;
        series_readers held;
        const inputs from = find_inputs(held);
        status.add("inputs", names_of(from.files));
        profile_sum sum{merged};
        process_list processes;
        add_all(from, sum, processes, sizes, status);
        status.warn(input.warnings());
        held.require_undisturbed();
        const std::string repeated = find_repeated(from.files);
        status.warn(repeated.empty() ? ""
                                     : display_name(repeated) + ": given twice, counted twice");
        std::string made;
        const merge_summary found = with_file_context(
            "the sum", [&] { return mean ? sum.write_mean(made) : sum.write(made); });
        if (found.without_duration != 0 && found.without_duration != found.profiles) {
            status.warn(std::to_string(found.without_duration) + " of " +
                        counted(found.profiles, "profile") +
                        " have no duration, so the sum has none, and no rate");
        }
        if (repeated.empty()) {
            status.warn(processes.meaningless_sums(read_profile_info(made), !levels && !mean));
        }
        if (const std::string periods = processes.different_periods(); !periods.empty()) {
            status.warn({periods + (merged.trim.for_pgo
                                        ? "; Go's compiler takes samples for time, so give it "
                                          "--keep-type cpu/nanoseconds in place of --for-pgo"
                                        : "")});
        }
        if (levels) {
            const std::vector<type_treatment> types = list_types(made, named_types(merged));
            if (std::ranges::all_of(types, &is_counted)) {
                status.warn("--levels: no type is a gauge; what was counted is added up");
            }
        }
        std::string lost;
        sizes.write(output, std::move(made), false, lost, durability::cached);
        status.warn(lost);
        status.warn(merged.trim.selection == stack_selection{} && merged.trim.keep_types.empty()
                        ? ""
                        : none_left_text(found.samples_in, found.samples_out));
        status.add({{"profiles", found.profiles}});
        status.add("time_nanos", found.time_nanos);
        status.add("duration_nanos", found.duration_nanos);
        status.add({{"samples_in", found.samples_in}, {"samples_out", found.samples_out}});
        sizes.add_in(status);
        sizes.add_out(status);
        if (verbose) {
            std::fprintf(stderr, "pprofdelta: %s, %s in, %zu in the sum; %s\n",
                         counted(found.profiles, "profile").c_str(),
                         counted(found.samples_in, "sample").c_str(), found.samples_out,
                         sizes.text().c_str());
        }
        status.add_report_on(output.file);
        return found.profiles == from.files.size() ? exit_status::done : exit_status::malformed;
    }

    [[nodiscard]] inputs find_inputs(series_readers& held) const {
        inputs found;
        for (std::size_t i = 0; i < files.size(); ++i) {
            for (std::string& file : find_files({files[i]}, &held)) {
                found.files.push_back(std::move(file));
                found.weights.push_back(weights.empty() ? 1 : weights[i]);
            }
        }
        for (listed_path& listed : paths_in(list)) {
            refuse_credentials({listed.path});
            found.files.push_back(std::move(listed.path));
            found.weights.push_back(listed.weight);
        }
        if (found.files.empty()) {
            wrong_usage(display_name(list.file) + ": there is no path in this list");
        }
        check_inputs(found.files);
        return found;
    }

    void add_all(const inputs& from, profile_sum& sum, process_list& processes, traffic& sizes,
                 run_status& status) const {
        std::string first; // the name of the first profile in the sum
        std::vector<std::string> bad;
        progress shown{from.files.size(), size_of(from.files), !quiet};
        const auto count = [&](std::size_t i) { shown.add(regular_file_size(from.files[i])); };
        const auto use = [&](std::size_t i, const shared_profile& profile) {
            const profile_file& file = *profile;
            try {
                profile_info added = sum.add(file.bytes(), from.weights[i]);
                if (merged.trim.for_pgo) { // which leaves no period
                    const profile_info whole = read_profile_info(file.bytes());
                    added.period = whole.period;
                    added.period_type = whole.period_type;
                }
                processes.add(added);
            } catch (const error& e) {
                throw to_failure(e, e.input() == error_input::both ? first + " and " + file.name()
                                                                   : file.name());
            }
            if (first.empty()) {
                first = file.name();
            }
            sizes.read(file);
            count(i);
        };
        std::function<void(std::size_t, const failure&)> pass_over;
        if (skip_bad) {
            pass_over = [&](std::size_t i, const failure& e) {
                bad.emplace_back(e.what());
                count(i);
            };
        }
        read_all(
            from.files, input,
            [&](std::size_t i, const shared_profile& profile) {
                return [&use, i, profile] { use(i, profile); };
            },
            pass_over);
        shown.end();
        status.warn(bad, false);
        status.add({{"skipped", bad.size()}});
        if (sum.size() == 0) {
            throw failure{exit_status::malformed, "no profile is left to add up"};
        }
    }

    /// @param found files as they are named, or found.
    void check_inputs(const std::vector<std::string>& found) const {
        check_paths({{"-o", output.file, output_kind::profile}, status_output(status_file)},
                    {{list.file}, urls.files(), found});
    }
};

const command_kind merge_kind{"merge",
                              "Add up any number of profiles, or trim one",
                              "Usage: pprofdelta merge [OPTION]... FILE...\n"
                              "       pprofdelta merge [OPTION]... --files-from LIST [FILE]...\n"
                              "       pprofdelta merge [OPTION]... --into TIME DIR...\n",
                              make_command<merge_command>,
                              {"--files-from", "--mean", "--levels", "--into", "--keep-type",
                               "--drop-label", "--focus", "--for-pgo", "--output", "--verbose"}};

} // namespace pprofdelta::tool
