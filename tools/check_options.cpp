// SPDX-License-Identifier: Apache-2.0
#include "check_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "failure.hpp"
#include "file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr double longest_timeout = 1e6;

void check_level(const options& chosen) {
    if (chosen.level == default_level) {
        return;
    }
    if (chosen.compress == codec::none) {
        wrong_usage("--level needs a compression");
    }
    const level_range range = levels(chosen.compress);
    if (chosen.level < range.lowest || chosen.level > range.highest) {
        wrong_usage("--level " + std::to_string(chosen.level) + ": " +
                    (chosen.compress == codec::gzip ? "gzip" : "zstd") + " has levels " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

// The files that a command takes; with a state, CUR is standard input unless it is given.
void check_files(options& chosen) {
    const std::size_t count = chosen.files.size();
    switch (chosen.run) {
    case options::command::list_types:
        if (count == 0) {
            wrong_usage("--list-types needs a profile");
        }
        break;
    case options::command::state_info:
        if (count != 0) {
            wrong_usage("--state-info takes no profiles");
        }
        break;
    case options::command::state_delta:
        if (count == 0) {
            chosen.files.emplace_back("-");
        } else if (count > 1) {
            wrong_usage("with --state there is one profile, CUR, and " + std::to_string(count) +
                        " are given");
        }
        break;
    case options::command::delta:
        if (count != 2) {
            wrong_usage("a delta needs two profiles, PREV and CUR, and " + std::to_string(count) +
                        (count == 1 ? " is given" : " are given"));
        }
        break;
    }
    if (std::count(chosen.files.begin(), chosen.files.end(), "-") > 1) {
        wrong_usage("standard input can be read for one profile only");
    }
    if (std::count(chosen.limit_files.begin(), chosen.limit_files.end(), "-") > 0) {
        wrong_usage("--limits needs a file, which standard input is not");
    }
}

void check_state(const options& chosen) {
    if (chosen.run != options::command::state_delta) {
        return;
    }
    if (chosen.state == "-") {
        throw failure{exit_status::usage,
                      "--state needs a file, which standard input is not; see pprofdelta --help"};
    }
    // The state, which is written last, would take the delta's place.
    if (!chosen.output.empty() &&
        (is_same_path(chosen.output, chosen.state) ||
         is_same_path(chosen.output, resolve_links(chosen.state) + ".lock"))) {
        throw failure{exit_status::usage,
                      chosen.output + ": the delta cannot go where the state is or its lock"};
    }
}

void check_limits(const options& chosen) {
    const bool has_limits = !chosen.limits.empty() || !chosen.limit_files.empty();
    const bool has_report =
        chosen.report != options::report_form::none || !chosen.flame_graph.empty();
    if (chosen.run != options::command::delta && (has_limits || has_report || chosen.no_delta)) {
        wrong_usage("limits and reports need two profiles, PREV and CUR: a state does not have "
                    "what they compare");
    }
    if (chosen.no_delta && !has_limits && !has_report) {
        wrong_usage("with --no-delta there has to be a limit, a report or a flame graph");
    }
    if (chosen.annotations && !has_limits) {
        wrong_usage("--annotations needs limits");
    }
}

// A file that two are written to would hold the last one.
void check_files_written(const options& chosen) {
    struct file {
        const char* what;
        const std::string& path;
    };
    const std::array<file, 3> files{{{"the delta", chosen.output},
                                     {"the report", chosen.report_file},
                                     {"the flame graph", chosen.flame_graph}}};
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t k = i + 1; k < files.size(); ++k) {
            if (!files[i].path.empty() && !files[k].path.empty() &&
                is_same_path(files[i].path, files[k].path)) {
                wrong_usage(std::string{files[i].what} + " and " + files[k].what +
                            " cannot go to one file");
            }
        }
    }
}

void check_report(const options& chosen) {
    if (chosen.flame_graph == "-") {
        wrong_usage("--flamegraph needs a file, which standard output is not");
    }
    check_files_written(chosen);
    if (chosen.report == options::report_form::none) {
        return;
    }
    if (chosen.top < 0) {
        wrong_usage("--top is a number of rows, from 0");
    }
    if (chosen.report_file == "-") {
        wrong_usage("--report-file needs a file; without it text goes to standard error, and the "
                    "rest to standard output");
    }
    const bool is_for_stream = chosen.report_file.empty();
    if (is_for_stream && chosen.report != options::report_form::text && chosen.output.empty() &&
        !chosen.no_delta) {
        wrong_usage("the delta and the report cannot both go to standard output: use "
                    "--report-file, -o or --no-delta");
    }
}

} // namespace

void wrong_usage(const std::string& what) {
    throw failure{exit_status::usage, what + "; see pprofdelta --help"};
}

std::size_t parse_size(const std::string& text) {
    constexpr std::string_view suffixes = "KMG";
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    const std::size_t suffix = rest == end ? std::string_view::npos : suffixes.find(*rest);
    const bool is_whole = rest == end || (suffix != std::string_view::npos && rest + 1 == end);
    const std::uint64_t unit =
        suffix == std::string_view::npos ? 1 : std::uint64_t{1} << 10 * (suffix + 1);
    constexpr std::uint64_t most = std::uint64_t{2} << 30U;
    if (fault != std::errc{} || !is_whole || number == 0 || number > most / unit) {
        wrong_usage("--max-size " + text + ": it is a number of bytes from 1 to 2G, as in 500M");
    }
    // 2 GiB itself is a byte more than a profile can have.
    return std::min(static_cast<std::size_t>(number * unit), max_profile_size);
}

void check_options(options& chosen) {
    if (!(chosen.lock_timeout_seconds >= 0 && chosen.lock_timeout_seconds <= longest_timeout)) {
        wrong_usage("--lock-timeout is a number of seconds from 0 to 1000000");
    }
    check_files(chosen);
    check_level(chosen);
    check_state(chosen);
    check_limits(chosen);
    check_report(chosen);
}

} // namespace pprofdelta::tool
