// SPDX-License-Identifier: Apache-2.0
#include "batch_command.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "batch/targets.hpp"
#include "common_options.hpp"
#include "file.hpp"
#include "threads.hpp"

namespace pprofdelta::tool {

namespace {

// Such as "30d", "12h", "90m" or "3600s".
std::chrono::seconds parse_age(const std::string& text) {
    constexpr std::chrono::hours day{24};
    constexpr std::uint64_t most = 1'000'000;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{} || end - rest != 1 || number == 0 || number > most) {
        wrong_usage("--prune-states " + text + ": it is a time such as 30d, 12h, 90m or 3600s");
    }
    const auto count = static_cast<std::int64_t>(number);
    switch (*rest) {
    case 's':
        return std::chrono::seconds{count};
    case 'm':
        return std::chrono::minutes{count};
    case 'h':
        return std::chrono::hours{count};
    case 'd':
        return count * day;
    default:
        wrong_usage("--prune-states " + text + ": its unit is s, m, h or d");
    }
}

// Such as "5%" or "0.5%".
double parse_share(const std::string& text) {
    constexpr double all = 100;
    double share = -1;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, share, std::chars_format::fixed);
    const bool is_percent = fault == std::errc{} && end - rest == 1 && *rest == '%';
    if (!is_percent || !(share >= 0 && share <= all)) {
        wrong_usage("--allow-failed " + text + ": it is a part of all items, such as 5%");
    }
    return share;
}

void check_seconds(const char* option, double seconds) {
    constexpr double longest = 86400;
    if (!(seconds > 0 && seconds <= longest)) {
        wrong_usage(std::string{option} + " is a number of seconds up to 86400");
    }
}

void check_count(const char* option, unsigned count, unsigned least, unsigned most) {
    if (count < least || count > most) {
        wrong_usage(std::string{option} + " is a number from " + std::to_string(least) + " to " +
                    std::to_string(most));
    }
}

constexpr unsigned most_jobs = 1024;

} // namespace

void batch_command::add_options(command_options& options) {
    options.add_files(files);
    options.add_heading("What to read");
    options.add_flag("-0,--null", manifest_has_nul, "Entries of MANIFEST end with NUL");
    options.add_value("--targets", "FILE", targets, "Read targets as Prometheus' file_sd has them");
    options.add_values("--path", "URLPATH", paths,
                       "The profile of each target (/debug/pprof/allocs); repeatable");
    options.needs("--path", "--targets");
    options.add_value("--dir", "ROOT", root, "Read a tree with a folder for each series");
    options.add_value(
        "--shard", "I/N", [this](const std::string& given) { part = parse_shard(given); },
        "Only the Ith of N parts; auto: as the engine says");
    add_max_size(options, max_size);
    options.add_heading("URLs");
    options.add_number("--timeout", "SEC", fetch.timeout_seconds, "For a transfer (default: 60)");
    options.add_number("--connect-timeout", "SEC", fetch.connect_timeout_seconds,
                       "For a connection (default: 10)");
    options.add_number("--retries", "N", fetch.retries, "Try again so often (default: 2)");
    options.add_number("--connections", "N", fetch.connections, "At a time (default: 64)");
    options.add_number("--per-host", "N", fetch.per_host, "Of these with a host (default: 8)");
    options.add_value("--header-file", "FILE", header_file, "Send the headers of FILE");
    options.add_value("--ca-file", "FILE", fetch.ca_file, "Trust these certificates only");
    options.add_value("--cert", "FILE", fetch.cert_file, "The client's certificate");
    options.add_value("--key", "FILE", fetch.key_file, "The key of that");
    options.add_heading("What to subtract");
    add_types(options, plan.delta);
    add_match(options, plan.delta.match);
    options.add_flag("--drop-negative", plan.delta.drop_negative,
                     "Leave out samples with a negative difference");
    add_on_reset(options, plan.delta.on_reset);
    options.add_heading("States");
    options.add_value("--state-dir", "DIR", state_folder, "Where what was read before is kept");
    add_first(options, plan.delta.skip_first);
    options.add_flag("--from-scratch", plan.from_scratch,
                     "Go on as if there were no state, and replace deltas that are there");
    options.add_number("--lock-timeout", "SEC", lock_timeout_seconds,
                       "How long to wait for another run (default: 30)");
    options.add_choice<flush_rule>("--flush", "HOW", plan.flush,
                                   {{"item", flush_rule::item},
                                    {"series", flush_rule::series},
                                    {"group", flush_rule::group},
                                    {"none", flush_rule::none}},
                                   "Wait for the disk for each item, series, group of items "
                                   "(default), or not (none)");
    options.add_value(
        "--prune-states", "AGE", [this](const std::string& given) { prune_age = parse_age(given); },
        "At last remove states that were not used for so long: 30d, 12h");
    options.add_heading("Output");
    options.add_value("-o,--output", "TEMPLATE", output_text,
                      "Where deltas go: out/{series}/{time}.pb.gz; also {n} and {type}");
    plan.form.add_form(options, "deltas");
    options.add_value("--results", "FILE", results, "Append a line of JSON for each item");
    options.add_value("--metrics", "FILE", metrics, "Write figures of the run for Prometheus");
    options.add_value(
        "--allow-failed", "PERCENT",
        [this](const std::string& given) { allowed_failures = parse_share(given); },
        "Status 0 or 1 if no more of the items fail: 5%");
    options.add_number("--jobs", "N", jobs, "Work on N series at a time (one per processor)");
    add_memory(options, memory);
    options.add_flag("-q,--quiet", quiet, "No summary, no messages about items");
    add_status(options, status);
    options.add_help();
    options.add_heading("Limits");
    add_limits(options, plan.limits);
    add_min_amount(options, plan.limits);
}

void batch_command::check_input() const {
    const auto given = (files.empty() ? 0 : 1) + (targets.empty() ? 0 : 1) + (root.empty() ? 0 : 1);
    if (given != 1 || files.size() > 1) {
        wrong_usage("batch reads one of these: MANIFEST, --targets FILE, --dir ROOT");
    }
    if (is_url(targets)) {
        wrong_usage("--targets is a file; of a server, let curl read the list: curl -fsS " +
                    targets + " | pprofdelta batch --targets - ...");
    }
    if (manifest_has_nul && files.empty()) {
        wrong_usage("--null needs a manifest");
    }
    check_seconds("--timeout", fetch.timeout_seconds);
    check_seconds("--connect-timeout", fetch.connect_timeout_seconds);
    constexpr unsigned most_retries = 100;
    constexpr unsigned most_connections = 10'000;
    check_count("--retries", fetch.retries, 0, most_retries);
    check_count("--connections", fetch.connections, 1, most_connections);
    check_count("--per-host", fetch.per_host, 1, most_connections);
    if (!fetch.key_file.empty() && fetch.cert_file.empty()) {
        wrong_usage("--key needs --cert");
    }
}

void batch_command::check_outputs() const {
    if (results == "-" && status == "-") {
        wrong_usage("--results and --status cannot both go to standard output");
    }
    static_cast<void>(named_paths());
}

run_paths batch_command::named_paths() const {
    run_paths used{{{"--results", results == "-" ? "" : results, made_kind::document},
                    {"--metrics", metrics, made_kind::document},
                    status_output(status)}};
    used.keep_out_of(state_folder, "--state-dir");
    used.expect_late_below({"-o", plan.output.folder(), made_kind::profile});
    for (const std::string& file :
         {targets, header_file, fetch.ca_file, fetch.cert_file, fetch.key_file}) {
        used.read(file);
    }
    used.read(files);
    used.read(plan.limits.files);
    used.check_kinds();
    return used;
}

// A quarter is for answers, until they are worked on, and a quarter for what is worked on side by
// side. The other half is for a single profile that finds no room there, so that each gets its
// turn. By default no archive that is refused takes more than that half: one from a URL, which may
// be anybody's, not even if it turns out to be a profile, which takes some five times its size.
void batch_command::divide_memory() {
    fetch.memory = memory / 4;
    plan.memory = memory / 4;
    plan.max_size = max_size != 0 ? max_size : std::min(memory / 2, max_profile_size);
    plan.max_fetched_size = max_size != 0 ? max_size : std::min(memory / 16, max_profile_size);
    fetch.max_size = plan.max_fetched_size;
}

void batch_command::check() {
    check_input();
    if (state_folder.empty()) {
        wrong_usage("batch needs --state-dir DIR");
    }
    if (output_text.empty()) {
        wrong_usage("batch needs -o TEMPLATE, such as 'out/{series}/{time}.pb.gz'");
    }
    plan.output = output_template{output_text};
    plan.form.check();
    check_lock_timeout(lock_timeout_seconds);
    check_limits(plan.limits);
    check_min_amount(plan.limits);
    check_outputs();
    if (jobs == 0) {
        jobs = std::max(usable_processors(), 1U);
    }
    check_count("--jobs", jobs, 1, most_jobs);
    plan.in_order_of_time = !root.empty();
    if (!targets.empty() && paths.empty()) {
        paths.emplace_back(default_profile_path);
    }
    divide_memory();
}

} // namespace pprofdelta::tool
