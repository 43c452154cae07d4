// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <fnmatch.h>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/fleet.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>

#include "base/threads.hpp"
#include "batch/item_lists.hpp"
#include "batch/series.hpp"
#include "commands/reading.hpp"
#include "document/top.hpp"

namespace pprofdelta::tool {

namespace {

/// The times that deltas count for.
struct sides {
    bool base = true;
    bool head = true;
};

/// The deltas of one process at a time.
struct fleet_series {
    std::string folder;             ///< The folder that lists them when it is read.
    std::vector<std::string> given; ///< The files that were given in place of the folder.
    sides to;
};

/// The deltas of a fleet: a folder of them is a series, whose name is its path below the folder of
/// the fleet, and a service is one series or, by the first parts of their names, several.
class fleet_files {
public:
    using services_by_name = std::map<std::string, std::vector<fleet_series>>;

    /// @param depth   how many parts of its name are the service's; 0 for all.
    /// @param pattern is one of glob(7) for whole names of services; empty for all.
    fleet_files(std::size_t depth, std::string pattern)
        : m_depth{depth}, m_pattern{std::move(pattern)} {}

    /// Adds what lies below a folder.
    /// @throws failure as add_tree() does.
    void add_folder(const std::string& root, sides to) {
        for_each_series(root, [&](const std::string& name, const std::string& folder,
                                  const std::vector<std::string>& profiles) {
            // Two folders that are compared are one series each, whatever they are called.
            const bool is_one = to.base != to.head && folder == root;
            add_series(is_one ? "." : service_of(name), {folder, {}, to}, profiles.size());
        });
    }

    /// Adds files, in whose folders the others of their series are.
    void add_paths(const std::vector<std::string>& paths, sides to) {
        batch_items items;
        for (const std::string& path : paths) {
            items.add(items.keep(folder_of(path)), items.keep(path));
        }
        for (const series_items& each : items.series()) {
            std::vector<std::string> given = mapped(each.inputs, path_of_input);
            const std::size_t count = given.size();
            add_series(service_of(each.name), {"", std::move(given), to}, count);
        }
    }

    [[nodiscard]] const services_by_name& services() const noexcept { return m_services; }
    [[nodiscard]] std::size_t files() const noexcept { return m_files; }

private:
    void add_series(const std::string& service, fleet_series series, std::size_t files) {
        if (m_pattern.empty() || ::fnmatch(m_pattern.c_str(), service.c_str(), 0) == 0) {
            m_services[service].push_back(std::move(series));
            m_files += files;
        }
    }

    [[nodiscard]] std::string service_of(std::string_view series) const {
        std::size_t end = m_depth == 0 ? std::string_view::npos : 0;
        for (std::size_t part = 0; part < m_depth && end != std::string_view::npos; ++part) {
            end = series.find('/', end + 1);
        }
        return std::string{series.substr(0, end)};
    }

    std::size_t m_depth;
    std::string m_pattern;
    services_by_name m_services;
    std::size_t m_files = 0;
};

/// The files that could not be read while the rest went on.
struct bad_files {
    std::vector<std::string> messages{};
    exit_status status = exit_status::done; ///< The worst one: io, malformed, incompatible.

    void note(const failure& reason) {
        messages.emplace_back(reason.what());
        status = worse_status(status, reason.status());
    }
};

/// Reads each file of a fleet once, in whatever place `merge --into` has it by then, one at a time
/// on each of several threads, and a service on one of them. Services are added up in the order of
/// their names, since sums of doubles depend on their order.
class fleet_reader {
public:
    fleet_reader(const fleet_files& from, fleet_comparison& to, const read_options& options,
                 bool has_progress)
        : m_to{to}, m_how{options}, m_next{from.services().begin()}, m_turn{m_next},
          m_end{from.services().end()}, m_progress{from.files(), 0, has_progress} {}

    /// @throws failure, std::bad_alloc for what is not about a file.
    [[nodiscard]] bad_files read(std::size_t threads) {
        std::vector<std::future<void>> others;
        for (std::size_t i = 1; i < threads; ++i) {
            others.push_back(run_async(true, [this] { add_all(); }));
        }
        add_all();
        for (std::future<void>& each : others) {
            each.get();
        }
        m_progress.end();
        std::ranges::sort(m_bad.messages);
        return std::move(m_bad);
    }

private:
    using service = fleet_files::services_by_name::value_type;

    // Each thread runs this.
    void add_all() {
        try {
            while (const service* const each = next()) {
                add(*each);
            }
        } catch (...) {
            const std::lock_guard lock{m_mutex};
            m_next = m_end;
            m_has_failed = true;
            m_turn_ends.notify_all();
            throw;
        }
    }

    const service* next() {
        const std::lock_guard lock{m_mutex};
        return m_next == m_end ? nullptr : &*m_next++;
    }

    // Adds what was read of a service when all before it are added; nothing after a failure.
    void add_in_turn(const service& all, fleet_comparison::service& sums) {
        std::unique_lock lock{m_mutex};
        m_turn_ends.wait(lock, [&] { return m_has_failed || &*m_turn == &all; });
        if (m_has_failed) {
            return;
        }
        lock.unlock();
        m_to.add(all.first, sums);
        lock.lock();
        ++m_turn;
        m_turn_ends.notify_all();
    }

    void add(const service& all) {
        while (true) {
            fleet_comparison::service sums{m_to};
            bad_files bad;
            bool is_overtaken = false;
            for (const fleet_series& series : all.second) {
                is_overtaken |= !add(series, sums, bad);
                sums.next_series();
            }
            if (is_overtaken) {
                continue; // once for a series, as its lock is there from then on
            }
            add_in_turn(all, sums);
            const std::lock_guard lock{m_mutex};
            m_bad.messages.insert(m_bad.messages.end(), bad.messages.begin(), bad.messages.end());
            m_bad.status = worse_status(m_bad.status, bad.status);
            return;
        }
    }

    // Whether it is whole, and not what a run that began to merge it has left.
    bool add(const fleet_series& series, fleet_comparison::service& sums, bad_files& bad) {
        for (const std::string& path : series.given) {
            add(path, series.to, sums, bad);
        }
        if (series.folder.empty()) {
            return true;
        }
        try {
            const series_reader reader{series.folder};
            for (const std::string& path : profiles_in(series.folder)) {
                add(path, series.to, sums, bad);
            }
            return !reader.is_overtaken();
        } catch (const failure& e) {
            bad.note(e);
            return true;
        }
    }

    void add(const std::string& path, sides to, fleet_comparison::service& sums, bad_files& bad) {
        const std::size_t bad_before = bad.messages.size();
        try {
            const profile_file delta{raw_file{path, m_how.max_size}, m_how};
            with_file_context(delta, [&] { sums.add(delta.bytes(), to.base, to.head); });
        } catch (const failure& e) {
            bad.note(e);
        }
        const std::lock_guard lock{m_mutex};
        m_progress.add(0, bad.messages.size() != bad_before);
    }

    fleet_comparison& m_to;
    const read_options& m_how;
    std::mutex m_mutex; // for all that follows
    fleet_files::services_by_name::const_iterator m_next;
    fleet_files::services_by_name::const_iterator m_turn; // to be added
    std::condition_variable m_turn_ends;
    bool m_has_failed = false;
    fleet_files::services_by_name::const_iterator m_end;
    progress m_progress;
    bad_files m_bad;
};

/// Finds the callers of what changed. A fleet keeps no stacks, so the deltas of the services in
/// question are read again, and added up for each of the two times.
class caller_finder {
public:
    caller_finder(const fleet_files& from, const fleet_options& options, const read_options& input)
        : m_from{from}, m_options{options}, m_input{input} {}

    /// Those of the function that changed most in each of the first services that changed.
    [[nodiscard]] std::vector<top_chain> find(const fleet_table& table) const {
        constexpr std::size_t most_services = 3;
        std::vector<std::future<std::optional<top_chain>>> found;
        for (const fleet_row& service : table.rows) {
            const auto function = std::ranges::find_if(service.rows, &fleet_row::is_significant);
            if (service.is_significant() && function != service.rows.end() &&
                found.size() < most_services) {
                found.push_back(
                    run_async(true, [this, &table, &name = service.name, &changed = *function] {
                        return find(table, name, changed);
                    }));
            }
        }
        std::vector<top_chain> all;
        for (auto& each : found) {
            if (std::optional<top_chain> chain = each.get()) {
                all.push_back(*std::move(chain));
            }
        }
        return all;
    }

private:
    struct both_sums {
        profile_sum before;
        profile_sum now;
    };

    [[nodiscard]] std::optional<top_chain>
    find(const fleet_table& table, const std::string& service, const fleet_row& function) const {
        try {
            both_sums sums;
            for (const fleet_series& series : m_from.services().at(service)) {
                add(series, sums);
            }
            if (sums.before.size() == 0 || sums.now.size() == 0) {
                return {};
            }
            std::string before;
            std::string now;
            (void)sums.before.write(before);
            (void)sums.now.write(now);
            return find_callers(table, service, function, {before, now});
        } catch (const error&) { // such as sums that are too large; what was asked for is there
            return {};
        }
    }

    void add(const fleet_series& series, both_sums& sums) const {
        for (const std::string& path :
             series.folder.empty() ? series.given : profiles_in(series.folder)) {
            try {
                const profile_file delta{raw_file{path, m_input.max_size}, m_input};
                const profile_info info = read_profile_info(delta.bytes());
                const std::int64_t middle = info.time_nanos - info.duration_nanos / 2;
                const auto is_in = [&](std::int64_t begin) {
                    return middle >= begin &&
                           middle < begin + m_options.end_nanos - m_options.begin_nanos;
                };
                if (series.to.head && is_in(m_options.begin_nanos)) {
                    (void)sums.now.add(delta.bytes());
                }
                if (series.to.base && is_in(m_options.begin_nanos - m_options.ago_nanos)) {
                    (void)sums.before.add(delta.bytes());
                }
            } catch (const failure&) { // was told when it was read first, or is merged by now
            } catch (const error&) {   // of other types than the first
            }
        }
    }

    [[nodiscard]] std::optional<top_chain> find_callers(const fleet_table& table,
                                                        const std::string& service,
                                                        const fleet_row& function,
                                                        const viewed_profiles& sums) const {
        report_options asked{.by = m_options.by,
                             .sample_type = value_type_pattern{to_string(table.type)},
                             .selection = m_options.selection};
        asked.selection.focus = regex_matching_only(function.name);
        call_stacks stacks;
        const report all = make_report(sums, asked, stacks);
        const auto row = std::ranges::find(all.rows, function.name, &report::row::name);
        if (row == all.rows.end()) {
            return {};
        }
        // Sums are of all series and times; the row has their rates.
        const value_pair& in_sums = m_options.by_cum ? row->cum : row->flat;
        const auto factor = [](double in_row, std::int64_t in_sum) {
            return in_sum == 0 ? 0 : in_row / static_cast<double>(in_sum);
        };
        const double now = factor(function.now, in_sums.current);
        const double before = factor(function.before, in_sums.previous);
        const auto change = [&](const value_pair& value) {
            return static_cast<double>(value.current) * now -
                   static_cast<double>(value.previous) * before;
        };
        constexpr std::size_t most_frames = 3;
        double least = change(row->cum) / 2;
        top_chain chain{service, {function.name}, 0};
        while (chain.frames.size() < most_frames) {
            const call_list callers = stacks.callers(regex_matching_only(chain.frames.front()));
            if (callers.functions.empty() || callers.functions.front().edges.empty()) {
                break;
            }
            const std::vector<call_list::edge>& edges = callers.functions.front().edges;
            const auto most = std::ranges::max_element(
                edges, {}, [&](const auto& edge) { return std::fabs(change(edge.value)); });
            const std::string& name = most->name;
            const double through = change(most->value);
            if (std::fabs(through) < std::fabs(least) || (through > 0) != (least > 0) ||
                std::ranges::find(chain.frames, name) != chain.frames.end()) {
                break;
            }
            constexpr double nearly_all = 0.9;
            chain.frames.insert(chain.frames.begin(), name);
            chain.change = through;
            least = nearly_all * through;
        }
        return chain.frames.size() > 1 ? std::optional{std::move(chain)} : std::nullopt;
    }

    const fleet_files& m_from;
    const fleet_options& m_options;
    const read_options& m_input;
};

// Rows have values for a second, so only a growth in percent is the same for all types.
limit growth(const std::string& text) {
    limit parsed = with_limits([&] { return parse_limit(text); }, "--fail-on ");
    if (parsed.on != limit::bound::percent ||
        (parsed.of != limit::scope::all && parsed.of != limit::scope::each_leaf)) {
        wrong_usage("--fail-on " + text +
                    ": top judges growth in percent, of the total, as in alloc_space>+20%, or of "
                    "each row, as in each:alloc_space>+20%");
    }
    return parsed;
}

// After a rollout each pod has a new name: services came where others went, in the same folder.
// @param against_others is whether services are compared with those of another folder.
std::string hint_at_depth(const std::vector<fleet_row>& services, bool against_others) {
    std::vector<std::string_view> gone;
    for (const fleet_row& each : services) {
        if (each.presence == fleet_row::state::gone) {
            gone.push_back(each.name);
        }
    }
    std::ranges::sort(gone);
    std::pair<std::size_t, std::string_view> deepest; // a folder that both have, and its parts
    for (const fleet_row& each : services) {
        if (each.presence != fleet_row::state::appeared) {
            continue;
        }
        const std::string_view name = each.name;
        // Paths that begin in the same way are neighbours.
        const auto next = std::ranges::lower_bound(gone, name);
        for (auto other = next == gone.begin() ? next : std::prev(next);
             other != gone.end() && other <= next; ++other) {
            const auto same =
                static_cast<std::size_t>(std::ranges::mismatch(name, *other).in1 - name.begin());
            const auto parts =
                static_cast<std::size_t>(std::ranges::count(name.substr(0, same), '/'));
            if (parts > deepest.first) {
                deepest = {parts, name.substr(0, name.rfind('/', same - 1))};
            }
        }
    }
    if (deepest.first == 0) {
        return "";
    }
    return display_name(std::string{deepest.second}) +
           (against_others ? ": services have other names in --against"
                           : ": services came and went, as after a rollout that gave all pods new "
                             "names") +
           "; --depth " + std::to_string(deepest.first) + " adds them up";
}

// A sum of more series is larger, whatever one of them does.
// @param are_services is whether rows are.
std::string hint_at_sums(const fleet_table& table, bool are_services) {
    const auto differ = [](const fleet_row& row) {
        constexpr std::size_t part = 10;
        const auto [few, many] = std::minmax(row.data_now.series, row.data_before.series);
        return row.presence == fleet_row::state::tested && (many - few) * part > many;
    };
    const auto found = std::ranges::find_if(table.rows, differ);
    const bool has_row = are_services && found != table.rows.end();
    const fleet_row& row = has_row ? *found : table.total;
    return !has_row && !differ(row)
               ? ""
               : (has_row ? display_name(row.name) : to_string(table.type) + " of the fleet") +
                     ": sums are compared, of " + std::to_string(row.data_now.series) +
                     " series with " + std::to_string(row.data_before.series) +
                     " in --against, not values per series";
}

// Messages about unreadable files among thousands, for people and the line of the status.
std::vector<std::string> warnings_of(std::vector<std::string> bad) {
    constexpr std::size_t most = 20;
    if (const std::size_t others = beyond(most, bad.size()); others != 0) {
        bad.resize(most);
        bad.push_back("and " + std::to_string(others) + " more bad files");
    }
    return bad;
}

void warn_of(const fleet_table& table, run_status& status) {
    const fleet_findings& found = table.found;
    if (!found.service.empty()) {
        status.warn(
            display_name(found.service) + ": " + to_string(table.type) + ": " +
            different_periods_text(found.least_period, found.most_period, found.period_unit));
    }
    if (found.mean_wait_nanos != 0) {
        status.warn(to_string(table.type) + ": waits of " +
                    format_value(found.mean_wait_nanos, "nanoseconds") +
                    " on average, longer than their delta: some began before it, so no change of "
                    "their service is significant");
    }
}

void require_any(const fleet_counts& counts, const fleet_options& options, std::size_t files,
                 exit_status bad) {
    if (counts.now != 0) {
        return;
    }
    if (counts.of_other_types != 0) {
        throw failure{exit_status::incompatible,
                      "no delta in this window has the type of --sample-type"};
    }
    const std::string none_of = counted(files, "file") + ", but no delta ";
    if (bad != exit_status::done &&
        counts.before + counts.elsewhere + counts.without_duration + counts.empty == 0) {
        throw failure{bad, none_of + "that can be read"};
    }
    const std::string latest = time_text(counts.latest_nanos);
    const auto others = [](std::size_t number, const char* what) {
        return number == 0 ? "" : "; " + std::to_string(number) + what;
    };
    throw failure{exit_status::incompatible,
                  none_of + "from " + time_text(options.begin_nanos) + " to " +
                      time_text(options.end_nanos) +
                      others(counts.without_duration,
                             " without a duration (totals since the start of a process)") +
                      others(counts.empty, " without samples, like a first delta") +
                      (latest.empty() ? "" : "; the latest is from " + latest + ", see --until")};
}

} // namespace

/// `pprofdelta top`: which services of a fleet, and which functions in them, use and grew most.
struct top_command : document_command {
    // The files are folders.
    std::string against;           ///< A folder; empty for none.
    std::chrono::seconds every{0}; ///< The length of periods beside each other; 0 for a comparison.
    std::optional<std::chrono::seconds> since;
    std::optional<std::int64_t> until; ///< Nanoseconds since 1970; empty for now.
    std::optional<std::chrono::seconds> ago;
    std::size_t depth = 0;
    std::string services; ///< A pattern of their names; empty for all.
    unsigned threads = 0; ///< 0 for as many as there are processors, up to 4.

    fleet_options asked;        ///< The options without the times.
    std::optional<grouping> by; ///< Empty for services.
    std::vector<limit> growths; ///< Limits on these, in percent.
    std::size_t top = 20;
    std::size_t functions = 5;
    bool has_all = false; ///< Whether rows without a clear change are shown.

    void add_options(command_options& options) override {
        options.add_files(files);
        options.add_heading("What to read");
        add_list(options, list);
        add_age(options, "--since", since,
                "Length of the window, as in 24h (default: 1h, or 24 times --every)");
        options.add_value(
            "--until", "MOMENT",
            [this](const std::string& word) { until = parse_moment("--until", word); },
            "End of the window, as in 2026-11-21T10:00Z (default: now)");
        add_age(options, "--ago", ago,
                "Compare with the window TIME earlier (default: --since in whole days)");
        add_age(options, "--every", every,
                "Show the values of each 1h, or other TIME, of the window, and compare none");
        options.add_value("--against", "DIR", against,
                          "Compare with the same window of the deltas in DIR");
        options.add_number("--depth", "N", depth,
                           "A service is the first N folders of a path (default: all)");
        options.add_value("--service", "PATTERN", services,
                          "Show only services with a matching name, as in 'shop/*'");
        add_reading(options, input);
        add_threads(options, threads);
        options.add_heading("What to show");
        add_format(options, form);
        add_sample_type(options, asked.sample_type, "Sample type, TYPE or TYPE/UNIT");
        add_grouping(options, by, asked.by_label);
        options.add_flag("--cum", asked.by_cum, "Count a function with everything that it calls");
        options.add_number("--top", "N", top, "Number of rows (default: 20)");
        options.add_flag("--all", has_all, "Show rows without a clear change, too");
        options.add_number("--functions", "N", functions,
                           "Functions of each service that changed (default: 5)");
        options.add_heading("Which samples and frames");
        add_selection(options, asked.selection);
        add_allocators(options, asked.selection);
        options.add_heading("Test");
        add_alpha(options, asked.alpha);
        add_min_change(options, asked.min_change);
        options.add_values(
            "--fail-on", "LIMIT",
            [this](const std::string& text) { growths.push_back(growth(text)); },
            "Exit with 1 if crossed: each:alloc_space>+20%; repeatable");
        options.excludes("--every", {"--ago", "--against", "--functions", "--alpha", "--min-change",
                                     "--fail-on"});
        add_outputs(options, "the tables", false,
                    {"--format", "--files-from", "--null", "--until"});
    }

    void check() override {
        if (files.empty() == list.file.empty()) {
            wrong_usage("top needs folders of deltas, DIR..., or --files-from LIST");
        }
        constexpr int most_periods = 400;
        if (every.count() != 0 && (length() < every || length() > most_periods * every)) {
            wrong_usage("--since must be 1 to " + std::to_string(most_periods) + " times --every");
        }
        if (length() > longest_age) { // of many periods
            wrong_usage("--every must be at most " + std::to_string(longest_age.count() / 24 / 24) +
                        "d without --since");
        }
        if (against.empty() && ago && *ago < length()) {
            wrong_usage("--ago must be at least --since, or the windows would overlap");
        }
        asked.is_one = by.has_value();
        asked.by = by.value_or(grouping::function);
        asked.most_rows = functions;
        decide_folding(asked.selection, false);
        check_outputs();
        check_inputs({list.file});
    }

    /// @returns the gravest of what happened to a file, or else limit_crossed if a limit was.
    [[nodiscard]] exit_status work(run_status& status) const override {
        const fleet_files deltas = find_deltas();
        const fleet_options options = with_times();
        fleet_comparison fleet =
            with_file_context("the deltas", [&] { return fleet_comparison{options}; });
        const std::size_t services_read = deltas.services().size();
        const bad_files bad = fleet_reader{deltas, fleet, input, !quiet}.read(
            std::min<std::size_t>(threads == 0 ? default_threads() : threads, services_read));
        status.warn(warnings_of(bad.messages), false);
        status.warn(input.warnings());
        const fleet_counts counts = fleet.counts();
        status.add({{"services", services_read},
                    {"deltas", counts.now},
                    {"deltas_before", counts.before},
                    {"bad", bad.messages.size()}});
        require_any(counts, options, deltas.files(), bad.status);

        top_view view{.options = options,
                      .from = list.file.empty() ? joined(files, ", ", display_name)
                                                : display_name(list.file),
                      .against = against,
                      .counts = counts,
                      .services = services_read,
                      .bad = bad.messages.size(),
                      .tables = fleet.tables(),
                      .top = top,
                      .functions = functions,
                      .has_all = has_all};
        if (!by && has_frames(options.by) && options.selection.focus.empty()) {
            view.chains = caller_finder{deltas, options, input}.find(view.tables.front());
        }
        for (const fleet_table& each : view.tables) {
            warn_of(each, status);
        }
        for (const limit& each : growths) {
            judge(each, view);
        }
        view.next = next_of(view);
        status.warn(by ? "" : hint_at_depth(view.tables.front().rows, !against.empty()));
        status.warn(against.empty() ? "" : hint_at_sums(view.tables.front(), !by));

        const deferred_error page_error = write_beside(page, [&] {
            return page_of(view, {.options = given_options, .warnings = status.warnings()});
        });
        const auto narrow = [&](top_view& narrowed, std::size_t most_rows) {
            narrowed.functions = std::min(view.functions, most_rows);
        };
        write_output(form.file, form.render(view, narrow), durability::cached);
        page_error.rethrow();
        const exit_status of_limits = report_limits(limits_of(view), status);
        if (bad.status != exit_status::done) {
            throw failure{bad.status, counted(bad.messages.size(), "file") +
                                          " cannot be used; the result is of the others"};
        }
        return of_limits;
    }

private:
    [[nodiscard]] fleet_files find_deltas() const {
        fleet_files found{depth, services};
        const bool has_both = against.empty();
        for (const std::string& folder : files) {
            std::error_code fault; // what cannot be looked at is told by who reads it
            if (!is_folder(folder) && std::filesystem::exists(folder, fault)) {
                throw failure{
                    exit_status::usage,
                    folder +
                        ": not a folder of deltas; use pprofdelta report for a single profile"};
            }
            found.add_folder(folder, {.base = has_both, .head = true});
        }
        found.add_paths(paths_without_weights(list), {.base = has_both, .head = true});
        if (!has_both) {
            found.add_folder(against, {.base = true, .head = false});
        }
        if (found.files() == 0) {
            wrong_usage(services.empty() ? display_name(list.file) + ": there is no path in it"
                                         : "--service " + services + ": no service matches");
        }
        return found;
    }

    // The length of the window.
    [[nodiscard]] std::chrono::seconds length() const {
        constexpr std::chrono::hours hour{1};
        constexpr int usual_periods = 24;
        return since.value_or(every.count() == 0 ? hour : usual_periods * every);
    }

    [[nodiscard]] fleet_options with_times() const {
        constexpr std::chrono::hours day{24};
        const auto nanos = [](std::chrono::seconds time) {
            return std::chrono::nanoseconds{time}.count();
        };
        const auto rounded_up = [](std::int64_t time, std::int64_t step) {
            return (time + step - 1) / step * step;
        };
        fleet_options options = asked;
        options.period_nanos = nanos(every);
        const std::int64_t step = std::max<std::int64_t>(options.period_nanos, 1);
        const std::int64_t window = rounded_up(nanos(length()), step);
        // Periods are those of a clock, unless told otherwise, and the last one is not over yet.
        options.end_nanos = until.value_or(rounded_up(nanos_now(), step));
        options.begin_nanos = options.end_nanos - window;
        if (every.count() == 0) {
            options.ago_nanos = ago               ? nanos(*ago)
                                : against.empty() ? rounded_up(window, nanos(day))
                                                  : 0;
        }
        if (options.begin_nanos <= options.ago_nanos) { // 0 is no time
            throw failure{exit_status::usage,
                          std::string{every.count() == 0 ? "the earlier" : "the"} +
                              " window would begin before 1970"};
        }
        return options;
    }

    // Adds what was found. A limit without a unit is for all types of its name.
    static void judge(const limit& l, top_view& view) {
        const double part =
            static_cast<double>(l.threshold.digits) / std::pow(10.0, l.threshold.decimals) / 100;
        const auto is_tested = [](const fleet_row& row) { return tested_p(row).has_value(); };
        bool has_type = false;
        for (const fleet_table& table : view.tables) {
            if (!l.type.matches(table.type)) {
                continue;
            }
            has_type = true;
            top_limit& found =
                view.limits.emplace_back(top_limit{.limit = l.text, .type = table.type});
            const std::span<const fleet_row> rows = limit::is_each(l.of)
                                                        ? std::span{table.rows}
                                                        : std::span{&table.total, std::size_t{1}};
            bool is_unknown = false;
            for (const fleet_row& row : rows) {
                const bool is_beyond =
                    row.has_grown(view.options.alpha) && row.change() > part * row.before;
                const bool is_otherwise =
                    row.growth_without_unknown ? *row.growth_without_unknown > part : is_beyond;
                if (is_beyond && is_otherwise) {
                    found.rows.push_back(row);
                }
                is_unknown |= is_beyond != is_otherwise;
            }
            found.crossed = !found.rows.empty();
            found.has_older_waits =
                !found.crossed && std::ranges::any_of(rows, &fleet_row::has_older_waits);
            found.has_unknown_services =
                !found.crossed &&
                (is_unknown || std::ranges::any_of(rows, &fleet_row::may_have_grown));
            found.is_judged = !found.has_older_waits && !found.has_unknown_services &&
                              std::ranges::any_of(rows, is_tested);
        }
        if (!has_type) {
            throw failure{exit_status::incompatible,
                          "--fail-on " + l.text + ": no delta of this window has the type " +
                              l.type.text() + "; --sample-type chooses the type of all"};
        }
    }

    // More of the first service, or which services have the first function.
    [[nodiscard]] command_list next_of(const top_view& view) const {
        const std::vector<fleet_row>& rows = view.tables.front().rows;
        if (rows.empty() || list.file == "-" || (by && by != grouping::function)) {
            return {};
        }
        std::vector<std::string> others{"--by",        "--service",   "--focus",
                                        "--functions", "--max-bytes", "--top"};
        std::vector<std::string> times;
        std::int64_t end = view.options.end_nanos;
        if (every.count() != 0) {
            const auto [first, second] = largest_step(rows.front().periods);
            others.insert(others.end(), {"--since", "--every"});
            times = {"--since", short_text(every.count()), "--ago",
                     short_text((second - first) * every.count())};
            end = view.options.begin_nanos + (second + 1) * view.options.period_nanos;
        }
        std::vector<std::string> options = words_of(given_options, others, false);
        options.insert(options.end(), times.begin(), times.end());
        options.insert(options.end(),
                       {"--format", "json", "--until", std::to_string(end / nanos_per_second)});
        if (by) {
            options.insert(options.end(), {"--focus", regex_matching_only(rows.front().name)});
        } else {
            constexpr std::size_t many = 50;
            if (rows.front().presence == fleet_row::state::gone) {
                return {}; // a window of now has nothing of it
            }
            const std::string first = with_backslashes(rows.front().name, "*?[\\");
            if (services == first && functions >= many) {
                return {}; // that is what was asked for
            }
            options.insert(options.end(),
                           {"--service", first, "--functions", std::to_string(many)});
        }
        if (!list.file.empty()) {
            options.insert(options.end(), {"--files-from", list.file});
            options.insert(options.end(), list.has_nul ? 1 : 0, "--null");
        }
        return {next_command(name, options, files)};
    }
};

const command_kind top_kind{"top",
                            "Show which services of a fleet use most and grew most",
                            "Usage: pprofdelta top [OPTION]... DIR...\n"
                            "       pprofdelta top [OPTION]... --files-from LIST\n",
                            make_command<top_command>,
                            {"--since", "--ago", "--against", "--sample-type", "--by", "--top",
                             "--functions", "--format", "--html", "--output"}};

} // namespace pprofdelta::tool
