// SPDX-License-Identifier: Apache-2.0
#include "commands/reading.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include <unistd.h>

#include "base/lists.hpp"
#include "batch/item_lists.hpp"
#include "batch/stop_signals.hpp"

namespace pprofdelta::tool {

fetch_options url_options::with_headers() const {
    fetch_options all = fetch;
    if (!header_file.empty()) {
        all.headers = read_header_file(header_file);
    }
    return all;
}

void add_urls(command_options& options, url_options& chosen) {
    fetch_options& fetch = chosen.fetch;
    options.add_heading("URLs");
    add_time(options, "--timeout", fetch.timeout_seconds, "Limit a transfer (default: 60s)");
    add_time(options, "--connect-timeout", fetch.connect_timeout_seconds,
             "Limit connecting (default: 10s)");
    options.add_number("--retries", "N", fetch.retries, "Retry N times (default: 2)", {0, 100});
    options.add_value("--header-file", "FILE", chosen.header_file, "Send the HTTP headers in FILE");
    options.add_value("--ca-file", "FILE", fetch.ca_file, "Trust only the certificates in FILE");
    options.add_value("--cert", "FILE", fetch.cert_file, "Client certificate");
    options.add_value("--key", "FILE", fetch.key_file, "Private key of the client certificate");
    options.needs({"--key"}, "--cert");
}

void add_urls(command_options& options, url_options& chosen, read_options& input) {
    add_urls(options, chosen);
    const auto asked = std::make_shared<std::optional<fetch_options>>();
    input.fetch = [&chosen, &input, asked](const std::string& url) {
        if (!*asked) { // once, as the file of headers may be a pipe
            *asked = chosen.with_headers();
            (*asked)->max_size = (*asked)->memory = input.max_size;
        }
        std::promise<fetched> promise;
        const auto reader = fetcher::start(
            **asked, [&](std::size_t, fetched result) { promise.set_value(std::move(result)); });
        reader->add(0, url);
        std::future<fetched> future = promise.get_future();
        while (future.wait_for(std::chrono::milliseconds{50}) != std::future_status::ready) {
            if (stop_signals::is_stopping()) {
                reader->stop();
            }
        }
        fetched answer = future.get();
        if (!answer.error.empty()) {
            throw failure{exit_status::io, url + ": " + answer.error};
        }
        return std::move(answer.body);
    };
}

namespace {

std::string totals_of(const profile_info& capture) {
    std::string names;
    for (const type_treatment& each : capture.types) {
        if (each.is_cumulative()) {
            names += (names.empty() ? "" : ", ") + each.type.type;
        }
    }
    return names;
}

bool is_gauge(const type_treatment& each) { return each.kind == value_kind::gauge; }

} // namespace

void process_list::add(const profile_info& capture) {
    m_captures.push_back({capture.time_nanos, capture.duration_nanos, capture.process});
    if (capture.period > 0) {
        m_periods.insert(capture.period);
        m_period_unit = capture.period_type.unit;
    }
    if (capture.process == 0) {
        return;
    }
    m_repeated += m_all.insert(capture.process).second ? 0 : 1;
    // A delta has a duration, unless its profiles had no times.
    const bool has_totals = capture.time_nanos != 0 && capture.duration_nanos == 0;
    if (std::string totals = totals_of(capture); has_totals && !totals.empty()) {
        m_totals = std::move(totals);
        m_repeated_totals += m_all_with_totals.insert(capture.process).second ? 0 : 1;
    }
}

// Why there is a warning; empty if there is none.
std::string process_list::are_many(std::size_t repeated) const {
    return repeated * 100 <= m_captures.size()
               ? ""
               : " (" + std::to_string(repeated) + " of " + std::to_string(m_captures.size()) +
                     " captures are from the same process as an earlier one)";
}

void warn_of_programs(const std::string& subject, const std::vector<std::string>& programs,
                      run_status& line) {
    constexpr std::size_t most = 3;
    if (programs.size() > 1) {
        line.warn(subject + " has captures from different programs: " +
                  joined(first_of(programs, most), ", ") +
                  (programs.size() > most ? ", \u2026" : ""));
    }
}

std::string different_periods_text(std::int64_t least, std::int64_t most, const std::string& unit) {
    return "the sampling periods differ, from " + format_value(least, unit) + " to " +
           format_value(most, unit) +
           ": counts of samples do not compare, and Go's heaps are scaled each with its own";
}

std::string process_list::different_periods() const {
    return m_periods.size() < 2
               ? ""
               : different_periods_text(*m_periods.begin(), *m_periods.rbegin(), m_period_unit);
}

std::string process_list::not_independent() const {
    const std::string reason = are_many(m_repeated_totals);
    return reason.empty()
               ? ""
               : "captures of one process are not independent in their cumulative types, " +
                     m_totals + reason + "; take each capture from a process of its own";
}

std::string process_list::in_turn(const std::vector<trend_capture>& in_time) const {
    std::set<std::uint64_t> ended;
    std::uint64_t now = 0;
    for (const trend_capture& each : in_time) {
        const std::uint64_t process = m_captures[each.added].process;
        if (process != now && process != 0) {
            if (ended.contains(process)) {
                return "several processes answer in turn, as behind a load balancer, and each turn "
                       "is a restart; give each process its own series";
            }
            ended.insert(now);
            now = process;
        }
    }
    return "";
}

// Half of the counters that have nothing to do with each other are less than those before.
std::string process_list::starts_over(const std::vector<trend_capture>& in_time) const {
    constexpr std::size_t few = 3;
    const std::size_t restarts = in_time.back().run;
    const bool is_told = std::ranges::any_of(in_time, [this](const trend_capture& each) {
        const signs& of = m_captures[each.added];
        return of.process != 0 || of.duration_nanos > 0;
    });
    return is_told || restarts * few < in_time.size()
               ? ""
               : "counters start over in " + std::to_string(restarts) + " of " +
                     std::to_string(in_time.size()) +
                     " captures, and nothing else tells processes apart: there may be a restart "
                     "before each, or captures are deltas already, so rates are unknown";
}

bool process_list::are_successive() const {
    std::vector<signs> all = m_captures;
    std::ranges::sort(all, {}, [](const signs& each) {
        return std::pair{each.time_nanos, each.duration_nanos};
    });
    const auto is_ahead = [](const signs& one, const signs& next) {
        // Clocks and timers may be off by a tenth. Times can be any numbers.
        const auto gone = static_cast<std::uint64_t>(next.time_nanos) -
                          static_cast<std::uint64_t>(one.time_nanos);
        const std::int64_t duration = std::max<std::int64_t>(one.duration_nanos, 0);
        return gone >= static_cast<std::uint64_t>(duration) / 10 * 9;
    };
    return all.size() > 1 &&
           std::ranges::all_of(all, [](const signs& each) { return each.time_nanos != 0; }) &&
           std::ranges::any_of(all, [](const signs& each) { return each.duration_nanos > 0; }) &&
           std::ranges::adjacent_find(all, std::not_fn(is_ahead)) == all.end();
}

std::vector<std::string> process_list::meaningless_sums(const profile_info& sum,
                                                        bool is_summed) const {
    std::vector<std::string> all;
    if (is_summed && std::ranges::any_of(sum.types, is_gauge)) {
        if (const std::string reason = are_many(m_repeated); !reason.empty()) {
            all.push_back("this adds up gauges of one process at several times" + reason +
                          "; see --levels");
        } else if (are_successive()) {
            all.push_back("this adds up gauges at " + std::to_string(m_captures.size()) +
                          " times, one after the other; see --levels");
        }
    }
    if (const std::string reason = are_many(m_repeated_totals);
        !reason.empty() && !totals_of(sum).empty()) {
        all.push_back("this adds up totals since the start of the same process" + reason +
                      "; add up its deltas instead");
    }
    return all;
}

void interval_options::add(command_options& options) {
    add_time(options, "--seconds", seconds, "Fetch one URL twice, TIME apart, as PREV and CUR");
}

void interval_options::check(std::vector<std::string>& files, bool has_state) const {
    if (!seconds) {
        return;
    }
    require_url(files, has_state, "--seconds needs one URL, which is read twice, and no state");
    files.front() = with_collection(files.front());
    files.push_back(files.front());
}

std::string with_collection(const std::string& url) {
    const std::size_t begin = url.find('?');
    const std::string parameters = begin == std::string::npos ? "" : '&' + url.substr(begin + 1);
    const bool is_heap = std::string_view{url}.substr(0, begin).ends_with("/debug/pprof/heap");
    const bool has_own = parameters.find("&gc=") != std::string::npos ||
                         parameters.find("&seconds=") != std::string::npos ||
                         url.find('#') != std::string::npos;
    return !is_heap || has_own ? url : url + (parameters.empty() ? "?" : "&") + "gc=1";
}

void require_url(const std::vector<std::string>& files, bool has_more, const std::string& message) {
    if (has_more || files.size() != 1 || !is_url(files.front())) {
        const bool may_lack_scheme = files.size() == 1 && begins_like_host(files.front());
        wrong_usage(message + (may_lack_scheme ? "; try http://" + files.front() : ""));
    }
}

void wait_until(std::chrono::steady_clock::time_point start, double seconds, bool quiet) {
    using clock = std::chrono::steady_clock;
    const bool is_shown = !quiet && ::isatty(STDERR_FILENO) != 0;
    const auto end =
        start + std::chrono::ceil<clock::duration>(std::chrono::duration<double>{seconds});
    while (clock::now() < end && !stop_signals::is_stopping()) {
        const auto left = end - clock::now();
        if (is_shown) {
            std::fprintf(
                stderr, "\r\x1b[K%lld s until the next reading",
                static_cast<long long>(std::chrono::ceil<std::chrono::seconds>(left).count()));
        }
        std::this_thread::sleep_for(
            std::min<clock::duration>(left, std::chrono::milliseconds{200}));
    }
    if (is_shown) {
        std::fputs("\r\x1b[K", stderr);
    }
}

raw_file
interval_options::read_first(const std::string& path, const read_options& options, bool quiet,
                             const std::function<void(const profile_file&)>& check_first) const {
    raw_file first{path, options};
    if (seconds) {
        check_first(profile_file{raw_file{first}, options.without_names()});
        wait_until(std::chrono::steady_clock::now(), *seconds, quiet);
    }
    return first;
}

call_views views_of(const call_options& chosen, const call_stacks& stacks, std::size_t top,
                    std::size_t most) {
    constexpr std::size_t most_causes = 8; // that are read at a glance
    call_views views{.causes = stacks.causes(std::min(most, most_causes))};
    const std::size_t rows = std::min(top, most);
    const call_limits limits{.most_functions = rows, .most_edges = rows};
    if (!chosen.callers.empty()) {
        views.lists.push_back({"callers", chosen.callers, stacks.callers(chosen.callers, limits)});
    }
    if (!chosen.callees.empty()) {
        views.lists.push_back({"callees", chosen.callees, stacks.callees(chosen.callees, limits)});
    }
    if (chosen.tree) {
        call_tree_limits of_tree{.deepest = chosen.depth};
        if (most < of_tree.deepest) {
            of_tree.deepest = static_cast<std::uint32_t>(std::max<std::size_t>(most, 1));
        }
        of_tree.smallest = std::max(of_tree.smallest, 1 / (1 + static_cast<double>(most)));
        views.smallest_of_tree = of_tree.smallest;
        views.tree = stacks.tree(of_tree);
    }
    if (chosen.paths != 0) {
        views.paths = stacks.paths(std::min<std::size_t>(chosen.paths, most));
    }
    return views;
}

void check_paths(const std::vector<output_path>& outputs,
                 const std::vector<std::vector<std::string>>& inputs) {
    run_paths used{outputs};
    for (const std::vector<std::string>& each : inputs) {
        used.read(each);
    }
    used.check_kinds();
}

void profile_command::add_outputs(command_options& options, const std::string& what) {
    options.add_heading("Output");
    add_profile_output(options, output, what);
    add_quiet(options, quiet);
    add_status(options, status_file);
    options.add_flag("-v,--verbose", verbose, "Print a line of figures on standard error");
    options.add_help();
}

void document_command::add_outputs(command_options& options, const std::string& what, bool can_draw,
                                   const std::vector<std::string>& elsewhere) {
    options.collect_given(given_options, elsewhere);
    options.add_heading("Output");
    add_output(options, form.file, "Write " + what + " to FILE");
    options.add_value("--html", "FILE", page, "Write an interactive, self-contained page");
    if (can_draw) {
        options.add_value("--flamegraph", "FILE", flame_graph, "Draw a flame graph as SVG");
        options.add_number(
            "--flamegraph-width", "PIXELS", flame_graph_width,
            "Width of the flame graph (default: " + std::to_string(flame_widths.usual) + ")",
            {flame_widths.least, flame_widths.most, "a number of pixels from 400 to 10000"});
        options.needs({"--flamegraph-width"}, "--flamegraph");
    }
    add_color(options, form);
    add_status(options, status_file);
    add_quiet(options, quiet);
    options.add_help();
}

void document_command::check_outputs() {
    check_limits(limits);
    check_status(status_file, form.file);
    check_beside_output("--html", page, form.file);
    check_beside_output("--flamegraph", flame_graph, form.file);
}

void document_command::check_inputs(const std::vector<std::string>& inputs,
                                    const std::vector<output_path>& more) const {
    std::vector<output_path> outputs{{"-o", form.file, output_kind::document},
                                     {"--html", page, output_kind::document},
                                     {"--flamegraph", flame_graph, output_kind::document},
                                     status_output(status_file)};
    outputs.insert(outputs.end(), more.begin(), more.end());
    check_paths(outputs, {inputs, urls.files(), limits.files});
}

deferred_error document_command::write_beside(const std::string& file,
                                              const std::function<std::string()>& make,
                                              durability when, deferred_error fault) {
    if (!file.empty()) {
        fault.attempt([&] { write_file(file, make(), when); });
    }
    return fault;
}

exit_status document_command::report_limits(const std::vector<document::limit>& found,
                                            run_status& status, bool have_table) const {
    return tool::report_limits(found, status, limits.annotations, limits.allows_empty,
                               have_table && form.is_beside_errors());
}

} // namespace pprofdelta::tool
