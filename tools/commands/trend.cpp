// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <pprofdelta/overview.hpp>
#include <pprofdelta/trend.hpp>

#include "batch/series.hpp"
#include "batch/stop_signals.hpp"
#include "commands/reading.hpp"
#include "document/trend.hpp"

namespace pprofdelta::tool {

namespace {

// The first and the last capture in time, of those so far. A pipe cannot be read again when it is
// known which these are, and all captures would be too many to keep.
class series_ends {
public:
    // @param time_nanos orders the captures; the first to come of equal ones is the earlier one.
    void add(const shared_profile& file, std::int64_t time_nanos) {
        if (!m_first.file || time_nanos < m_first.time_nanos) {
            m_first = {file, time_nanos};
        }
        if (!m_last.file || time_nanos >= m_last.time_nanos) {
            m_last = {file, time_nanos};
        }
    }

    [[nodiscard]] overview compared(const trend_options& followed) const {
        const report_options options{.by = followed.by,
                                     .by_label = followed.by_label,
                                     .sample_type = {},
                                     .selection = followed.selection};
        return with_pair_context(m_first.file->name(), m_last.file->name(), [&] {
            return make_overview({m_first.file->bytes(), m_last.file->bytes()}, options,
                                 page_limits);
        });
    }

private:
    struct end {
        shared_profile file;
        std::int64_t time_nanos = 0;
    };

    end m_first;
    end m_last;
};

} // namespace

/// `pprofdelta trend`: finds what grows over many captures.
struct trend_command : document_command {
    trend_options followed;
    min_row_size least_size;
    std::size_t top = 20; ///< Rows of a table.
    double seconds = 0;   ///< The time between captures of a URL; 0 for captures that are there.
    /// The number of captures of a URL.
    std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
    std::string keep; ///< The folder that these are kept in; empty for none.

    bool has_all = false; ///< Whether rows without a clear change are shown.
    bool lives = false;   ///< Whether to show how long memory lives.

    std::optional<value_type_pattern> sample_type; ///< The sample type of the rows.

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to look at");
        add_sample_type(options, sample_type,
                        "Sample type, TYPE or TYPE/UNIT (default: inuse_space)");
        add_time(options, "--seconds", seconds, "Capture one URL again and again, TIME apart");
        options.add_number("--captures", "N", count,
                           "Stop after N captures (default: when Ctrl-C is pressed)");
        options.add_value("--keep", "DIR", keep, "Keep these captures in DIR");
        options.needs({"--captures", "--keep"}, "--seconds");
        add_time(options, "--every", followed.seconds_between,
                 "Interval between captures without times, as in 30s or 5m",
                 {above_0, 9e9, "more than 0"});
        options.add_flag("--independent", followed.are_independent,
                         "Each capture is of its own process: no restarts, no rates");
        add_types(options, followed);
        add_list(options, list);
        add_reading(options, input);
        options.add_heading("What to show");
        add_format(options, form);
        add_grouping(options, followed.by, followed.by_label);
        add_rows(options, followed.rows, least_size, top);
        options.add_flag("--all", has_all, "Show rows without a clear change, too");
        options.add_flag("--lifetimes", lives, "Show how long memory lives, by all heap profiles");
        options.excludes("--lifetimes", {"--independent"});
        options.add_heading("Which samples and frames");
        add_selection(options, followed.selection);
        add_allocators(options, followed.selection);
        options.add_heading("Test");
        add_test(options, followed.alpha, followed.corrected, followed.min_change);
        add_outputs(options, "the tables", false);
        add_limits(options, limits);
        add_urls(options, urls, input);
    }

    void check() override {
        if (files.empty() && list.file.empty()) {
            wrong_usage("trend needs captures: FILE..., or --files-from LIST");
        }
        if (seconds != 0) {
            require_url(files, !list.file.empty(), "--seconds needs one URL, and no list");
            files.front() = with_collection(files.front());
        }
        decide_folding(followed.selection, limits.has_limits() || !followed.rows.empty());
        check_outputs();
        std::vector<std::string> named = files;
        named.push_back(list.file);
        check_inputs(named);
    }

    [[nodiscard]] exit_status work(run_status& status) const override {
        limit_input given = read_limits(limits, std::nullopt);
        trend_options options = followed;
        const min_row_size shown = least_size.or_else(given.min_amount);
        options.min_amount = shown.size;
        options.min_share = shown.share;
        profile_trend trend = with_limits([&] {
            return profile_trend{options, std::move(given.limits)};
        });
        std::vector<page_input> inputs;
        std::vector<std::string> used;
        series_ends ends;
        process_list processes;
        series_ends full_ends; // without deltas that say nothing, such as the first
        const auto add = [&](const std::string& path, const viewed_profiles& profile) {
            trend.add(profile, display_name(path));
        };
        const auto note = [&](const std::string& path, const shared_profile& file) {
            used.push_back(path);
            const profile_info read = read_profile_info(file->bytes());
            processes.add(read);
            if (!page.empty()) {
                inputs.push_back({"", display_name(path), read});
                const std::int64_t time = followed.seconds_between ? 0 : read.time_nanos;
                ends.add(file, time);
                if (read.samples != 0 || read.duration_nanos != 0) {
                    full_ends.add(file, time);
                }
            }
        };
        if (seconds != 0) {
            take_captures(trend, note, status);
        } else {
            find_captures(add, note, status);
        }
        status.warn(input.warnings());
        if (!followed.are_independent) { // as those of many versions are
            warn_of_programs("the series", trend.programs(), status);
        }

        if (trend.has_negative_use()) {
            status.warn(
                "less than nothing is in use somewhere, so the captures have what changed, as "
                "Go's heap?seconds=N has, and not what is in use; take them without seconds");
        }
        deferred_error unmet; // until the rest is shown, as a server will not say it again
        trend_view view = with_file_context("the captures",
                                            [&] { return view_of(trend, names_of(used), unmet); });
        view.least_size_text = shown.text();
        view.next = next_of(view, used);
        status.warn(std::ranges::any_of(view.captures, &trend_capture::has_other_period)
                        ? "the sampling period of a process changed: captures before and after "
                          "are not compared, and memory in use is unsure, as what was sampled "
                          "before is scaled by the new period until it is freed"
                        : processes.different_periods());
        if (!followed.are_independent) {
            status.warn(processes.in_turn(view.captures));
            status.warn(processes.starts_over(view.captures));
        }
        if (view.clocks_set_back() != 0) {
            status.warn(
                "counters of one process fall again and again in the order of times, so its "
                "clock was set back, or forked processes answer in turn; captures are in "
                "the order of counters, and those before and after are not compared; "
                "--every takes them in their own order");
        }
        for (const auto& [limit, type] : view.limits) {
            if (limit.too_few) {
                unmet.attempt([&, &limit = limit] {
                    throw failure{exit_status::incompatible,
                                  limit.limit + ": " + describe(view, *limit.too_few)};
                });
            }
        }

        if (seconds == 0) {
            unmet.rethrow();
        }

        std::optional<overview> stacks;
        deferred_error of_stacks;
        if (!page.empty() && view.clocks_set_back() == 0) { // the ends are those in time
            const bool are_all = view.captures.size() == used.size();
            of_stacks.attempt([&] { stacks = (are_all ? ends : full_ends).compared(followed); });
        }
        const deferred_error page_error = write_beside(page, [&] {
            page_head head{.options = given_options, .warnings = status.warnings()};
            for (const trend_capture& c : view.captures) {
                head.inputs.push_back(inputs[c.added]);
                head.inputs.back().role = std::to_string(head.inputs.size());
            }
            return page_of(view, trend, stacks, std::move(head));
        });
        const std::vector<document::limit> judged = limits_of(view);
        write_output(form.file, text_of(std::move(view), unmet), durability::cached);
        const exit_status found = report_limits(judged, status);
        unmet.rethrow();
        of_stacks.rethrow();
        page_error.rethrow();
        return found;
    }

private:
    using note_capture = std::function<void(const std::string& path, const shared_profile& file)>;

    void
    find_captures(const std::function<void(const std::string& path, const viewed_profiles&)>& add,
                  const note_capture& note, run_status& status) const {
        series_readers held;
        const std::vector<std::string> found = find_files(without_shell_order(files), list, &held);
        status.add("captures", names_of(found));
        check_inputs(found);
        require_different(found);
        if (found.size() == 1) {
            std::error_code fault; // if it cannot be looked at, it may be there
            if (found.front() != "-" && !is_url(found.front()) &&
                !std::filesystem::exists(found.front(), fault) && !fault) {
                throw io_failure(found.front(), "cannot be opened", ENOENT);
            }
            wrong_usage(names_of(found).front() + ": a trend needs more than one capture" +
                        (is_url(found.front()) ? "; --seconds 60 takes them from this URL" : ""));
        }
        read_all(found, input, [&](std::size_t i, const shared_profile& file) {
            const auto profile = std::make_shared<const viewed_profiles>(file->bytes());
            profile->prepare();
            return [&, i, file, profile] {
                (void)time_of(*file);
                add(found[i], *profile);
                note(found[i], file);
            };
        });
        held.require_undisturbed();
    }

    // Captures that are taken now are shown even where the output is too long for its limit.
    [[nodiscard]] std::string text_of(trend_view view, deferred_error& unmet) const {
        if (seconds == 0) {
            return form.render(std::move(view));
        }
        std::string text;
        deferred_error of_size;
        of_size.attempt([&] { text = form.render(view); });
        unmet.attempt([&] { of_size.rethrow(); });
        output_form whole = form;
        whole.max_bytes = 0;
        return text.empty() ? whole.render(std::move(view)) : text;
    }

    // These checks would otherwise fail only after hours.
    void check_places() const {
        if (!keep.empty()) {
            make_folder(keep);
            if (!is_folder(keep) || ::access(keep.c_str(), W_OK) != 0) {
                throw io_failure(keep, "captures cannot be kept there",
                                 is_folder(keep) ? EACCES : ENOTDIR);
            }
        }
        for (const std::string& made : {form.file, page, status_file}) {
            if (!made.empty() && !folder_of(made).empty() && !is_folder(folder_of(made))) {
                throw io_failure(made, "cannot be created", ENOENT);
            }
        }
    }

    // Keeps what was read and is used.
    // @returns the path; empty if it cannot be kept, of which there is a warning.
    [[nodiscard]] std::string kept(const std::string& time, const std::string& bytes,
                                   run_status& status) const {
        std::string path = (std::filesystem::path{keep} / (time + ".pb.gz")).native();
        try {
            write_file(path, bytes, durability::cached);
        } catch (const failure& e) {
            status.warn({e.what()}, quiet);
            path.clear();
        }
        return path;
    }

    // A server that does not answer for a while, or says something else, costs those captures only.
    // Faults of the options that the first answer shows are reported at once.
    void take_captures(profile_trend& trend, const note_capture& note, run_status& status) const {
        std::vector<std::string> names;
        std::set<std::int64_t> times;
        deferred_error of_places;
        const auto start = std::chrono::steady_clock::now();
        stop_signals::catch_them();
        for (std::uint64_t i = 0; i < count && !stop_signals::is_stopping(); ++i) {
            try {
                raw_file raw{files.front(), input};
                const std::string time = time_in_path(nanos_now());
                raw.name += " at " + time;
                if (names.empty()) {
                    of_places.attempt([&] { check_places(); });
                    of_places.rethrow();
                }
                const std::string bytes = keep.empty() ? std::string{} : raw.bytes;
                const auto file = std::make_shared<const profile_file>(std::move(raw), input);
                with_file_context(*file, [&] {
                    add_capture(*file, trend, times);
                    if (names.empty()) {
                        (void)trend.find_type(sample_type);
                        (void)trend.judge();
                    }
                });
                std::string path = keep.empty() ? "" : kept(time, bytes, status);
                names.push_back(path.empty() ? file->name() : path);
                note(names.back(), file);
            } catch (const failure& e) {
                of_places.rethrow();
                const bool is_first = names.empty() && e.status() == exit_status::incompatible;
                if (is_first || e.status() == exit_status::usage) {
                    throw;
                }
                status.warn({e.what()}, quiet || stop_signals::is_stopping());
            }
            if (i + 1 < count) {
                wait_until(start, static_cast<double>(i + 1) * seconds, quiet);
            }
        }
        status.add("captures", names);
        if (names.size() < 2) {
            throw failure{exit_status::io, files.front() + ": a trend needs more than one capture"};
        }
    }

    // 0 where the times of captures do not matter.
    [[nodiscard]] std::int64_t time_of(const profile_file& file) const {
        if (followed.seconds_between) {
            return 0;
        }
        const std::int64_t time = read_profile_info(file.bytes()).time_nanos;
        if (time == 0) {
            throw failure{exit_status::incompatible,
                          file.name() + ": the profile has no time; --every says how far apart "
                                        "captures are, as in --every 60s"};
        }
        return time;
    }

    void add_capture(const profile_file& file, profile_trend& trend,
                     std::set<std::int64_t>& times) const {
        const std::int64_t time = time_of(file);
        if (time != 0 && times.contains(time)) {
            throw error{error_kind::incompatible, "it has the same time as an earlier capture"};
        }
        trend.add(file.bytes(), file.name());
        times.insert(time);
    }

    [[nodiscard]] trend_view view_of(profile_trend& trend, const std::vector<std::string>& names,
                                     deferred_error& unmet) const {
        trend_view view;
        view.captures = trend.captures();
        view.files = mapped(view.captures, [&](const trend_capture& c) { return names[c.added]; });
        add_limits(view, trend);
        // Lifetimes are of types of their own.
        const auto crossed = std::ranges::find(view.limits, true,
                                               [](const auto& each) { return each.found.crossed; });
        view.of = sample_type || lives || crossed == view.limits.end()
                      ? shown_type_of(trend, trend.find_type(sample_type))
                      : crossed->of;
        view.rows = trend.rows(view.of.place);
        view.options = followed;
        view.too_few = trend.too_few(view.of.place, view.rows.hypotheses);
        view.left_out = names.size() - view.captures.size();
        view.top = top;
        view.has_all = has_all;
        if (!lives) {
            constexpr std::size_t most_causes = 10;
            view.causes = trend.causes(view.of.place, most_causes);
            for (std::size_t type = 0; type < trend.types().size(); ++type) {
                trend_row total = type == view.of.place ? trend_row{} : trend.rows(type).total;
                if (total.verdict == trend_verdict::grows) {
                    view.others.push_back({shown_type_of(trend, type), std::move(total)});
                }
            }
        }
        if (lives) {
            const auto lifetimes = [&] {
                return trend_view::lifetimes_of_rows{trend.lifetimes(sample_type, row_order::flat),
                                                     trend.lifetimes(sample_type, row_order::cum)};
            };
            unmet.attempt([&] { view.lives = with_file_context("the captures", lifetimes); });
        }
        return view;
    }

    // The command that shows who calls the first row, in what there is at the end and was not at
    // the start.
    [[nodiscard]] command_list next_of(const trend_view& view,
                                       const std::vector<std::string>& used) const {
        const std::vector<trend_row>& rows =
            view.rows.flat.empty() ? view.rows.cum : view.rows.flat;
        if (rows.empty() || !has_frames(followed.by) || !can_be_read_again(used)) {
            return {};
        }
        return {report_of_callers(
            given_options, to_string(view.of.type), rows.front().name,
            {used[view.captures.front().added], used[view.captures.back().added]})};
    }
};

const command_kind trend_kind{"trend",
                              "Find steady growth over many captures, such as a leak",
                              "Usage: pprofdelta trend [OPTION]... FILE...\n"
                              "       pprofdelta trend [OPTION]... --files-from LIST [FILE]...\n"
                              "       pprofdelta trend [OPTION]... --seconds TIME URL\n",
                              make_command<trend_command>,
                              {"--sample-type", "--every", "--by", "--top", "--focus",
                               "--min-change", "--fail-on", "--format", "--html", "--output"}};

} // namespace pprofdelta::tool
