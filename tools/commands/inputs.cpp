// SPDX-License-Identifier: Apache-2.0
#include "commands/inputs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "batch/fetcher.hpp"
#include "batch/inputs.hpp"
#include "batch/series.hpp"
#include "cli/options.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

fetch_options url_options::with_headers() const {
    fetch_options all = fetch;
    if (!header_file.empty()) {
        all.headers = read_header_file(header_file);
    }
    return all;
}

std::string url_reader::read(const std::string& url) {
    if (!m_with_headers) {
        m_with_headers = m_options.with_headers();
        m_with_headers->max_size = m_with_headers->memory = m_max_size;
    }
    std::promise<fetched> promise;
    fetcher reader{*m_with_headers,
                   [&](std::size_t, fetched result) { promise.set_value(std::move(result)); }};
    reader.add(0, url);
    fetched answer = promise.get_future().get();
    if (!answer.error.empty()) {
        throw failure{exit_status::io, url + ": " + answer.error};
    }
    return std::move(answer.body);
}

std::vector<std::string> paths_of(const std::vector<std::string>& files,
                                  const url_options& chosen) {
    std::vector<std::string> paths = chosen.files();
    paths.insert(paths.end(), files.begin(), files.end());
    std::erase_if(paths, [](const std::string& each) { return each.empty() || is_url(each); });
    return paths;
}

void add_urls(command_options& options, url_options& chosen) {
    fetch_options& fetch = chosen.fetch;
    options.add_heading("URLs");
    options.add_number("--timeout", "SEC", fetch.timeout_seconds,
                       "Limit a transfer to SEC seconds (default: 60)");
    options.add_number("--connect-timeout", "SEC", fetch.connect_timeout_seconds,
                       "Limit connecting to SEC seconds (default: 10)");
    options.add_number("--retries", "N", fetch.retries, "Retry N times (default: 2)");
    options.add_value("--header-file", "FILE", chosen.header_file, "Send the HTTP headers in FILE");
    options.add_value("--ca-file", "FILE", fetch.ca_file, "Trust only the certificates in FILE");
    options.add_value("--cert", "FILE", fetch.cert_file, "Client certificate");
    options.add_value("--key", "FILE", fetch.key_file, "Private key of the client certificate");
}

void refuse_credentials(const std::vector<std::string>& files) {
    if (std::any_of(files.begin(), files.end(), has_credentials)) {
        wrong_usage("a URL must not have a user's name or a password; see --header-file");
    }
}

void check_urls(const url_options& chosen) {
    check_seconds("--timeout", chosen.fetch.timeout_seconds);
    check_seconds("--connect-timeout", chosen.fetch.connect_timeout_seconds);
    constexpr unsigned most_retries = 100;
    check_count("--retries", chosen.fetch.retries, 0, most_retries);
    if (!chosen.fetch.key_file.empty() && chosen.fetch.cert_file.empty()) {
        wrong_usage("--key needs --cert");
    }
}

namespace {

std::string totals_of(const profile_info& capture) {
    std::string names;
    for (const type_treatment& each : capture.types) {
        if (each.cumulative) {
            names += (names.empty() ? "" : ", ") + each.type.type;
        }
    }
    return names;
}

// What is true at one moment. Other types that are not subtracted can be of an interval, as the CPU
// time of a profile is.
bool is_level(const type_treatment& each) {
    return each.type.type.starts_with("inuse_") || each.type.type == "goroutine" ||
           each.type.type == "threadcreate";
}

} // namespace

void process_list::add(const profile_info& capture) {
    ++m_captures;
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
    return repeated * 100 <= m_captures
               ? ""
               : " (" + std::to_string(repeated) + " of " + std::to_string(m_captures) +
                     " captures are of a process that an earlier one is of)";
}

std::string process_list::not_independent() const {
    const std::string reason = are_many(m_repeated_totals);
    return reason.empty() ? ""
                          : "captures of one process are not independent in what they count from "
                            "its start, " +
                                m_totals + reason + "; take each of a process of its own";
}

std::vector<std::string> process_list::meaningless_sums(const profile_info& sum,
                                                        bool is_summed) const {
    std::vector<std::string> all;
    if (const std::string reason = are_many(m_repeated);
        is_summed && !reason.empty() && std::any_of(sum.types.begin(), sum.types.end(), is_level)) {
        all.push_back("this adds up what one process had in use at several times" + reason +
                      "; see --levels");
    }
    if (const std::string reason = are_many(m_repeated_totals);
        !reason.empty() && !totals_of(sum).empty()) {
        all.push_back("this adds up totals since the start of the same process" + reason +
                      "; add up its deltas");
    }
    return all;
}

void add_profile_inputs(command_options& options, profile_inputs& chosen) {
    add_urls(options, chosen.urls);
    options.add_value(
        "--seconds", "SEC",
        [&chosen](const std::string& word) { chosen.seconds = parse_seconds("--seconds", word); },
        "Fetch one URL twice, SEC seconds apart, as PREV and CUR");
}

void check_profile_inputs(const profile_inputs& chosen, std::vector<std::string>& files,
                          bool has_state) {
    check_urls(chosen.urls);
    refuse_credentials(files);
    if (chosen.seconds == 0) {
        return;
    }
    if (has_state || files.size() != 1 || !is_url(files.front())) {
        wrong_usage("--seconds needs one URL, which is read twice, and no state");
    }
    files.push_back(files.front());
}

namespace {

using steady_time = std::chrono::steady_clock::time_point;

void wait_until(steady_time end, bool is_shown) {
    constexpr std::chrono::seconds step{1};
    while (std::chrono::steady_clock::now() < end) {
        const auto left = end - std::chrono::steady_clock::now();
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(left);
        if (is_shown) {
            std::fprintf(stderr, "\r\x1b[K%lld s until the second reading",
                         static_cast<long long>(seconds.count()));
        }
        std::this_thread::sleep_until(std::min(end, end - seconds + step));
    }
    if (is_shown) {
        std::fputs("\r\x1b[K", stderr);
    }
}

} // namespace

read_inputs::read_inputs(const std::vector<std::string>& files, const profile_inputs& chosen,
                         const reading& how, bool quiet,
                         const std::function<void(const profile_file&)>& check_first)
    : m_files{files}, m_max_size{how.max_size} {
    url_reader reader{chosen.urls, m_max_size};
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!is_url(files[i])) {
            continue;
        }
        m_answers[i] = reader.read(files[i]);
        if (i == 0 && chosen.seconds > 0) {
            if (check_first) {
                check_first(profile_file{raw_file{files[i], std::string{m_answers[i]}}, how});
            }
            const auto pause = std::chrono::duration<double>{chosen.seconds};
            wait_until(std::chrono::steady_clock::now() +
                           std::chrono::ceil<std::chrono::steady_clock::duration>(pause),
                       !quiet && standard_error_is_terminal());
        }
    }
}

raw_file read_inputs::take(std::size_t place) {
    const auto answer = m_answers.find(place);
    return answer == m_answers.end() ? raw_file{m_files[place], m_max_size}
                                     : raw_file{m_files[place], std::move(answer->second)};
}

void document_command::add_outputs(command_options& options, const std::string& what,
                                   bool can_draw) {
    options.collect_given(given_options, {"--format", "--state"});
    options.add_heading("Output");
    form.add_output(options, what);
    add_page(options, page);
    if (can_draw) {
        options.add_value("--flamegraph", "FILE", flame_graph, "Draw a flame graph as SVG");
        options.add_number(
            "--flamegraph-width", "PIXELS", flame_graph_width,
            "Width of the flame graph (default: " + std::to_string(flame_widths.usual) + ")");
        options.needs("--flamegraph-width", "--flamegraph");
    }
    form.add_color(options);
    add_status(options, status);
    add_quiet(options, quiet);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, limits);
    add_annotations(options, limits);
}

void document_command::check_outputs() {
    if (form.file == "-") {
        form.file.clear();
    }
    if (flame_graph_width < flame_widths.least || flame_graph_width > flame_widths.most) {
        wrong_usage("--flamegraph-width is a number of pixels from " +
                    std::to_string(flame_widths.least) + " to " +
                    std::to_string(flame_widths.most));
    }
    check_limits(limits);
    check_status(status, form.file);
}

void document_command::check_paths(const std::vector<std::string>& inputs,
                                   const std::vector<output_path>& more) const {
    std::vector<output_path> outputs{{"-o", form.file, made_kind::document},
                                     {"--html", page, made_kind::document},
                                     {"--flamegraph", flame_graph, made_kind::document},
                                     status_output(status)};
    outputs.insert(outputs.end(), more.begin(), more.end());
    run_paths used{outputs};
    used.read(inputs);
    used.read(limits.files);
    used.check_kinds();
}

message_options document_command::how_to_print(bool have_table) const {
    return {.annotations = limits.annotations,
            .are_in_table = have_table && form.is_beside_errors(),
            .quiet = quiet};
}

} // namespace pprofdelta::tool
