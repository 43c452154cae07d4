// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/trend.hpp>

#include "base/failure.hpp"
#include "base/json.hpp"
#include "base/value_text.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"
#include "cli/command_options.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/commands.hpp"
#include "commands/inputs.hpp"
#include "document/trend.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

constexpr std::uint64_t most_captures = std::numeric_limits<std::uint64_t>::max();

/// `pprofdelta trend`: finds what grows over many captures.
struct trend_command : document_command {
    void add_options(command_options& options) override;
    void check() override;
    /// @returns limit_crossed if a limit was crossed, else done.
    [[nodiscard]] exit_status run() const override;

    std::vector<std::string> captures; ///< Files, folders, patterns and URLs.
    list_options list;                 ///< Of more.

    trend_options followed;
    delta_options types; ///< Which are cumulative.
    test_options tested{correction::holm, "5%"};
    double seconds = 0; ///< Between captures of a URL; 0 for captures that are there.
    std::uint64_t count = most_captures; ///< Of a URL.
    std::string keep;                    ///< The folder that these are kept in; empty for none.
    std::string every;                   ///< The time between captures; empty for their own times.

    std::optional<value_type_pattern> sample_type; ///< Of the rows.

private:
    using use_capture = std::function<void(const std::string& path, const shared_profile& file)>;
    [[nodiscard]] exit_status run(run_status& told) const;
    void find_captures(const use_capture& use, run_status& told) const;
    void take_captures(const use_capture& use, run_status& told) const;
    [[nodiscard]] trend_view view_of(profile_trend& trend,
                                     const std::vector<std::string>& files) const;
    [[nodiscard]] command_list next_of(const trend_view& view,
                                       const std::vector<std::string>& files) const;
    [[nodiscard]] exit_status report(const trend_view& view, run_status& told) const;
};

void trend_command::add_options(command_options& options) {
    options.add_files(captures);
    options.add_heading("What to look at");
    options.add_value(
        "--sample-type", "TYPE", [this](const std::string& type) { sample_type.emplace(type); },
        "Sample type, TYPE or TYPE/UNIT (default: inuse_space)");
    add_seconds(options, "--seconds", seconds,
                "Capture one URL again and again, SEC seconds apart");
    options.add_number("--captures", "N", count,
                       "Stop after N captures (default: when Ctrl-C is pressed)");
    options.add_value("--keep", "DIR", keep, "Keep these captures in DIR");
    options.needs("--captures", "--seconds");
    options.needs("--keep", "--seconds");
    options.add_value("--every", "TIME", every,
                      "Interval between captures without times, as in 30s or 5m");
    options.add_flag("--independent", followed.are_independent,
                     "Each capture is of its own process: no restarts, no rates");
    add_types(options, types);
    add_list(options, list);
    add_reading(options, input);
    add_urls(options, urls, input);
    options.add_heading("What to show");
    form.add_format(options);
    add_grouping(options, followed.by, followed.by_label);
    tested.add_rows(options);
    options.add_heading("Which samples and frames");
    add_selection(options, followed.selection);
    options.add_heading("Test");
    tested.add_test(options);
    add_outputs(options, "the tables", false);
}

void trend_command::check() {
    if (captures.empty() && list.file.empty()) {
        wrong_usage("trend needs captures: FILE..., or --files-from LIST");
    }
    if (!every.empty()) {
        followed.seconds_between = parse_time("--every", every);
        if (*followed.seconds_between == 0) {
            wrong_usage("--every must be more than 0");
        }
    }
    if (seconds != 0) {
        check_seconds("--seconds", seconds);
        require_url(captures, !list.file.empty(), "--seconds needs one URL, and no list");
    }
    followed.cumulative = types.cumulative;
    followed.gauge = types.gauge;
    tested.check(followed);
    check_selection_options(followed.selection);
    check_urls(urls, captures);
    check_outputs();
    std::vector<std::string> named = captures;
    named.push_back(list.file);
    check_paths(named);
}

namespace {

// The first and the last capture in time, of those so far. A pipe cannot be read again when it is
// known which these are, and all captures would be too many to keep.
class series_ends {
public:
    // @param time_nanos of equal ones the first to come is the earlier one.
    void add(const shared_profile& file, std::int64_t time_nanos) {
        if (!m_first.file || time_nanos < m_first.time_nanos) {
            m_first = {file, time_nanos};
        }
        if (!m_last.file || time_nanos >= m_last.time_nanos) {
            m_last = {file, time_nanos};
        }
    }

    [[nodiscard]] overview compared(const trend_options& followed) const {
        report_options options;
        options.by = followed.by;
        options.by_label = followed.by_label;
        options.selection = followed.selection;
        return about_two(m_first.file->name(), m_last.file->name(), [&] {
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

exit_status trend_command::run() const {
    run_status told{trend_kind.name, status};
    return told.report_on([&] { return run(told); });
}

void trend_command::find_captures(const use_capture& use, run_status& told) const {
    series_readers held;
    const std::vector<std::string> files = find_files(captures, list, &held);
    told.add("captures", names_of(files));
    check_paths(files);
    require_different(files);
    if (files.size() == 1) {
        std::error_code fault; // if it cannot be looked at, it may be there
        if (files.front() != "-" && !is_url(files.front()) &&
            !std::filesystem::exists(files.front(), fault) && !fault) {
            throw io_failure(files.front(), "cannot be opened", ENOENT);
        }
        throw failure{exit_status::usage,
                      names_of(files).front() + ": a trend needs more than one capture"};
    }
    read_all(files, input, [&](std::size_t i, const shared_profile& file) { use(files[i], file); });
    held.require_undisturbed();
}

// A server that does not answer for a while, or says something else, costs those captures only.
void trend_command::take_captures(const use_capture& use, run_status& told) const {
    if (!keep.empty()) {
        make_folder(keep);
    }
    std::vector<std::string> names;
    const auto start = std::chrono::steady_clock::now();
    const stop_signals signals;
    for (std::uint64_t i = 0; i < count && !stop_signals::is_stopping(); ++i) {
        try {
            raw_file raw{captures.front(), input};
            const std::string time = time_in_path(nanos_now());
            raw.name += " at " + time;
            if (!keep.empty()) {
                raw.name = (std::filesystem::path{keep} / (time + ".pb.gz")).native();
                write_file(raw.name, raw.bytes, durability::cached);
            }
            const auto file = std::make_shared<const profile_file>(std::move(raw), input);
            about(*file, [&] { use(file->name(), file); });
            names.push_back(file->name());
        } catch (const failure& e) {
            if (e.status() != exit_status::io && e.status() != exit_status::malformed) {
                throw;
            }
            told.warn({e.what()}, quiet || stop_signals::is_stopping());
        }
        if (i + 1 < count) {
            wait_until(start, static_cast<double>(i + 1) * seconds, quiet);
        }
    }
    told.add("captures", names);
    if (names.size() < 2) {
        throw failure{exit_status::io, captures.front() + ": a trend needs more than one capture"};
    }
}

exit_status trend_command::run(run_status& told) const {
    limit_input given = read_limits(limits, std::nullopt);
    trend_options options = followed;
    const test_options with_files = tested.with(given.min_amount, options);
    profile_trend trend = with_limits([&] {
        return profile_trend{options, std::move(given.limits)};
    });
    std::vector<page_input> inputs;
    std::vector<std::string> used;
    series_ends ends;
    const auto use = [&](const std::string& path, const shared_profile& file) {
        if (!trend.add(file->bytes())) {
            return;
        }
        used.push_back(path);
        if (!page.empty()) {
            inputs.push_back({"", display_name(path), read_profile_info(file->bytes())});
            ends.add(file, followed.seconds_between ? 0 : inputs.back().info->time_nanos);
        }
    };
    if (seconds != 0) {
        take_captures(use, told);
    } else {
        find_captures(use, told);
    }
    told.warn(input.warnings(), quiet);
    if (!followed.are_independent) { // as those of many versions are
        warn_of_programs("the series", trend.programs(), told, quiet);
    }
    trend_view view = about("the captures", [&] { return view_of(trend, names_of(used)); });
    view.least_size_text = with_files.least_size_text();
    view.next = next_of(view, used);
    for (const trend_limit& limit : view.limits) {
        if (limit.too_few) {
            throw failure{exit_status::incompatible,
                          limit.limit + ": " + describe(view, *limit.too_few)};
        }
    }
    late_fault of_stacks;
    late_fault of_page;
    if (!page.empty()) {
        std::optional<overview> stacks;
        of_stacks.attempt([&] { stacks = ends.compared(followed); });
        of_page.attempt([&] {
            std::vector<page_input> in_time;
            for (const trend_capture& c : view.captures) {
                in_time.push_back(inputs[c.added]);
                in_time.back().role = std::to_string(in_time.size());
            }
            write_file(page,
                       trend_as_page(view, trend, stacks, in_time, given_options, told.warnings()),
                       durability::cached);
        });
    }
    form.write(form.made_of(view, trend_as_text, trend_as_markdown, trend_as_json,
                            [&](trend_view& narrowed, std::size_t most_rows) {
                                narrowed.top = std::min(view.top, most_rows);
                            }),
               durability::cached);
    const exit_status found = report(view, told);
    of_stacks.rethrow();
    of_page.rethrow();
    return found;
}

trend_view trend_command::view_of(profile_trend& trend,
                                  const std::vector<std::string>& files) const {
    trend_view view;
    view.captures = trend.captures();
    std::transform(view.captures.begin(), view.captures.end(), std::back_inserter(view.files),
                   [&](const trend_capture& c) { return files[c.added]; });
    const std::size_t type = trend.find_type(sample_type);
    view.type = trend.types()[type];
    view.place_of_type = type;
    view.is_rate = trend.is_rate(type);
    view.places = trend.places(type);
    view.rows = trend.rows(type);
    view.limits = trend.judge();
    view.options = followed;
    view.too_few = trend.too_few(type, view.rows.questions);
    view.top = tested.top();
    return view;
}

// Who calls the first row, in what there is at the end and was not at the start.
command_list trend_command::next_of(const trend_view& view,
                                    const std::vector<std::string>& files) const {
    const std::vector<trend_row>& rows = view.rows.flat.empty() ? view.rows.cum : view.rows.flat;
    if (rows.empty() || !followed.by_label.empty() || !can_be_read_again(files)) {
        return {};
    }
    return {
        report_of_callers(given_options, to_string(view.type), rows.front().name,
                          {files[view.captures.front().added], files[view.captures.back().added]})};
}

exit_status trend_command::report(const trend_view& view, run_status& told) const {
    std::vector<limit_message> found;
    for (const trend_limit& limit : view.limits) {
        found.emplace_back(limit, describe(view, limit), limit_as_json(limit, view));
    }
    return tell(found, how_to_print(), told);
}

const command_kind trend_kind{"trend",
                              "Find steady growth over many captures, such as a leak",
                              "Usage: pprofdelta trend [OPTION]... FILE...\n"
                              "       pprofdelta trend [OPTION]... --files-from LIST [FILE]...\n"
                              "       pprofdelta trend [OPTION]... --seconds SEC URL\n",
                              make_command<trend_command>,
                              {"--sample-type", "--every", "--by", "--top", "--focus",
                               "--min-change", "--fail-on", "--format", "--html", "--output"}};

} // namespace pprofdelta::tool
