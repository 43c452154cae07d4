// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>

#include "base/failure.hpp"
#include "base/json.hpp"
#include "files/file.hpp"
#include "flame/flame_svg.hpp"

namespace pprofdelta::tool {

namespace {

// What may be given as a number of bytes, and how that is told.
struct size_range {
    std::uint64_t least;
    std::uint64_t most;
    const char* text;
};

// Such as 1000, 64K, 500M or 2G.
std::size_t parse_size(const char* option, const std::string& text, const size_range& range) {
    constexpr std::string_view suffixes = "KMG";
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    const std::size_t suffix = rest == end ? std::string_view::npos : suffixes.find(*rest);
    const bool is_whole = rest == end || (suffix != std::string_view::npos && rest + 1 == end);
    const std::uint64_t unit =
        suffix == std::string_view::npos ? 1 : std::uint64_t{1} << 10 * (suffix + 1);
    if (fault != std::errc{} || !is_whole || number > range.most / unit ||
        number * unit < range.least) {
        wrong_usage(std::string{option} + " " + text + ": it is a number of bytes from " +
                    range.text);
    }
    return static_cast<std::size_t>(number * unit);
}

} // namespace

void add_types(command_options& options, delta_options& chosen) {
    options.add_values("--cumulative", "TYPE", chosen.cumulative,
                       "Subtract this sample type, or TYPE/UNIT; repeatable");
    options.add_values("--gauge", "TYPE", chosen.gauge,
                       "Pass this sample type through as it is; repeatable");
}

void add_match(command_options& options, match_mode& match) {
    options.add_choice<match_mode>("--match", "MODE", match,
                                   {{"exact", match_mode::exact},
                                    {"line", match_mode::line},
                                    {"function", match_mode::function}},
                                   "When frames are the same: exact (default), line, function");
}

void add_on_reset(command_options& options, reset_policy& policy) {
    options.add_choice<reset_policy>("--on-reset", "HOW", policy,
                                     {{"emit", reset_policy::emit},
                                      {"drop", reset_policy::drop},
                                      {"error", reset_policy::error},
                                      {"negative", reset_policy::negative}},
                                     "Counters started over: emit CUR's values (default), drop "
                                     "samples, error (status 4), negative (subtract anyhow)");
}

void add_normalize(command_options& options, std::optional<normalization>& by) {
    options.add_choice<std::optional<normalization>>(
        "--normalize", "BY", by,
        {{"total", normalization::total}, {"duration", normalization::duration}},
        "With --diff, scale PREV to CUR's total or duration");
    options.needs("--normalize", "--diff");
}

void add_max_size(command_options& options, std::size_t& size) {
    options.add_value(
        "--max-size", "SIZE",
        [&size](const std::string& word) {
            constexpr size_range range{1, std::uint64_t{2} << 30U, "1 to 2G, as in 500M"};
            // 2 GiB itself is one byte more than a profile can have.
            size = std::min(parse_size("--max-size", word, range), max_profile_size);
        },
        "Refuse larger profiles: bytes, or with K, M or G");
}

void add_max_bytes(command_options& options, std::size_t& size) {
    options.add_value(
        "--max-bytes", "N",
        [&size](const std::string& word) {
            constexpr size_range range{1, std::uint64_t{2} << 30U, "1 to 2G, as in 8K"};
            size = parse_size("--max-bytes", word, range);
        },
        "Write no more than N bytes: the first rows of each table");
}

void add_reading(command_options& options, reading& how) {
    add_max_size(options, how.max_size);
    add_unit(options, how.counted);
}

void add_unit(command_options& options, value_type& counted) {
    options.add_value(
        "--unit", "TYPE/UNIT",
        [&counted](const std::string& word) {
            const std::size_t slash = word.find('/');
            const bool has_type = slash != std::string::npos;
            counted.type = has_type ? word.substr(0, slash) : "samples";
            counted.unit = word.substr(has_type ? slash + 1 : 0);
            if (counted.type.empty() || counted.unit.empty()) {
                wrong_usage("--unit is a unit, such as bytes, or a sample type and its unit, such "
                            "as alloc_space/bytes");
            }
        },
        "What folded stacks count (default: samples/count)");
}

void add_memory(command_options& options, std::size_t& size) {
    options.add_value(
        "--memory", "SIZE",
        [&size](const std::string& word) {
            constexpr size_range range{std::uint64_t{64} << 20U, std::uint64_t{1} << 40U,
                                       "64M to 1024G, as in 8G"};
            size = parse_size("--memory", word, range);
        },
        "The most to use for profiles (default: 4G)");
}

void add_threads(command_options& options, unsigned& threads) {
    options.add_value(
        "--threads", "N",
        [&threads](const std::string& word) {
            const char* const end = word.data() + word.size();
            const auto [rest, fault] = std::from_chars(word.data(), end, threads);
            constexpr unsigned most = 64;
            if (fault != std::errc{} || rest != end || threads == 0 || threads > most) {
                wrong_usage("--threads " + word + ": it is a number from 1 to 64");
            }
        },
        "Use up to N threads (one per processor, up to 4)");
}

void add_quiet(command_options& options, bool& quiet) {
    options.add_flag("-q,--quiet", quiet, "No warnings");
}

void add_limits(command_options& options, limit_options& chosen) {
    options.add_values("--fail-on", "LIMIT", chosen.limits,
                       "Status 1 if crossed: alloc_space>+10%; repeatable");
    options.add_values("--limits", "FILE", chosen.files,
                       "The same for each line of FILE; repeatable");
}

void add_annotations(command_options& options, limit_options& chosen) {
    options.add_choice<bool>("--annotations", "HOW", chosen.annotations, {{"github", true}},
                             "github: print crossed limits as workflow commands, too");
}

void add_min_amount(command_options& options, limit_options& chosen) {
    options.add_value("--min-amount", "SIZE", chosen.min_amount,
                      "For limits on each function: pass over smaller ones");
}

void check_min_amount(const limit_options& chosen) {
    if (!chosen.min_amount.empty() && !chosen.has_limits()) {
        wrong_usage("--min-amount needs limits");
    }
}

void check_limits(const limit_options& chosen) {
    if (chosen.annotations && !chosen.has_limits()) {
        wrong_usage("--annotations needs limits");
    }
    if (std::count(chosen.files.begin(), chosen.files.end(), "-") > 0) {
        wrong_usage("--limits needs a file, which standard input is not");
    }
}

void add_first(command_options& options, bool& skip_first) {
    options.add_choice<bool>("--first", "HOW", skip_first, {{"emit", false}, {"skip", true}},
                             "Without a state yet: emit all (default), or skip all");
}

void add_state(command_options& options, state_options& chosen, bool& skip_first) {
    options.add_heading("State");
    options.add_value("--state", "FILE", chosen.file,
                      "Subtract what FILE holds, then make it hold CUR");
    add_first(options, skip_first);
    options.add_flag("--reset-state", chosen.reset, "Go on as if there were no state yet");
    options.add_number("--lock-timeout", "SEC", chosen.lock_timeout_seconds,
                       "How long to wait for another run (default: 30)");
    for (const char* each : {"--first", "--reset-state", "--lock-timeout"}) {
        options.needs(each, "--state");
    }
    options.excludes("--state", "--diff");
}

void check_lock_timeout(double seconds) {
    constexpr double longest_timeout = 1e6;
    if (!(seconds >= 0 && seconds <= longest_timeout)) {
        wrong_usage("--lock-timeout is a number of seconds from 0 to 1000000");
    }
}

void check_state(const state_options& chosen, std::vector<std::string>& files) {
    check_lock_timeout(chosen.lock_timeout_seconds);
    if (files.size() > 1) {
        wrong_usage("with --state there is one profile, CUR, and " + std::to_string(files.size()) +
                    " are given");
    }
    if (chosen.file == "-") {
        wrong_usage("--state needs a file, which standard input is not");
    }
    if (files.empty()) {
        files.emplace_back("-");
    }
}

void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen) {
    if (!chosen.file.empty()) {
        outputs.push_back({"--state", chosen.file, made_kind::state});
        outputs.push_back(
            {"the lock of --state", resolve_links(chosen.file) + ".lock", made_kind::lock});
    }
}

void add_inputs(run_status& line, const std::vector<std::string>& files,
                const state_options& state) {
    std::vector<std::string> names;
    std::transform(files.begin(), files.end(), std::back_inserter(names), display_name);
    line.add("inputs", json_strings(names));
    line.add("state", state.file.empty() ? "null" : json_string(state.file));
}

void add_status(command_options& options, std::string& path) {
    options.add_value("--status", "FILE", path, "Write what the run did as a line of JSON");
}

void check_status(const std::string& path, const std::string& output) {
    if (path == "-" && output.empty()) {
        wrong_usage("--status - needs -o FILE, as standard output is taken");
    }
}

output_path status_output(const std::string& path) {
    return {"--status", path == "-" ? "" : path, made_kind::document};
}

void check_pair(const std::string& what, const std::vector<std::string>& files) {
    if (files.size() != 2) {
        wrong_usage("a " + what + " needs two profiles, PREV and CUR, and " +
                    std::to_string(files.size()) +
                    (files.size() == 1 ? " is given" : " are given"));
    }
}

void add_flame_graph(command_options& options, std::string& file, int& width) {
    options.add_value("--flamegraph", "FILE", file, "Draw a flame graph, for a browser");
    options.add_number("--flamegraph-width", "PIXELS", width,
                       "How wide it is (default: " + std::to_string(flame_widths.usual) + ")");
    options.needs("--flamegraph-width", "--flamegraph");
}

void check_flame_graph_width(int width) {
    if (width < flame_widths.least || width > flame_widths.most) {
        wrong_usage("--flamegraph-width is a number of pixels from " +
                    std::to_string(flame_widths.least) + " to " +
                    std::to_string(flame_widths.most));
    }
}

void add_page(command_options& options, std::string& file) {
    options.add_value("--html", "FILE", file, "Make a page to look around in, for a browser");
}

void check_regex(const std::string& option, const std::string& regex) {
    if (regex.empty()) {
        return;
    }
    try {
        check_pattern(regex);
    } catch (const error& e) {
        wrong_usage(option + ": " + e.what());
    }
}

} // namespace pprofdelta::tool
