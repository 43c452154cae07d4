// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include <pprofdelta/error.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/value_text.hpp"
#include "symbols/binary.hpp"
#include "symbols/symbolizer.hpp"

namespace pprofdelta::tool {

// Values

namespace {

// 0 for what is no unit.
std::uint64_t bytes_in(std::string_view unit) {
    return unit.empty()  ? 1
           : unit == "K" ? std::uint64_t{1} << 10U
           : unit == "M" ? std::uint64_t{1} << 20U
           : unit == "G" ? std::uint64_t{1} << 30U
                         : 0;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& expected) {
    wrong_usage(option + " " + text + ": expected " + expected);
}

} // namespace

std::chrono::seconds parse_age(const std::string& option, const std::string& text) {
    const std::optional<std::chrono::seconds> age = read_age(text);
    if (!age) {
        refuse(option, text,
               read_time(text, true).value_or(0) < 1
                   ? "a time with its unit, as in 30s, 5m, 12h or 1d"
                   : "a time of up to " + std::to_string(longest_age.count() / 24) + "d");
    }
    return *age;
}

double parse_time(const std::string& option, const std::string& text,
                  const number_range<double>& range) {
    const std::optional<double> seconds = read_time(text, false);
    if (!seconds) {
        refuse(option, text, "a time, as in 30s, 5m, 12h or 1d");
    }
    if (!(*seconds >= range.least && *seconds <= range.most)) {
        wrong_usage(option + " must be " + range.text);
    }
    return *seconds;
}

std::int64_t parse_moment(const char* option, const std::string& text) {
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() / nanos_per_second;
    std::int64_t seconds = number_in<std::int64_t>(text).value_or(0);
    for (const char* const form : {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%MZ", "%Y-%m-%d"}) {
        std::tm parts{};
        if (::strptime(text.c_str(), form, &parts) == nullptr) {
            continue;
        }
        // A day that there is not, or other digits, would not be written like this.
        const std::time_t moment = ::timegm(&parts);
        seconds = utc_text(moment, form) == text ? moment : seconds;
    }
    if (seconds <= 0 || seconds >= last) {
        refuse(option, text, "a time such as 2026-11-21T10:00:00Z, or 1795255200");
    }
    return seconds * nanos_per_second;
}

double parse_percentage(const std::string& option, const std::string& text, double most) {
    const auto share = read_measure<double>(text);
    if (!share || share->unit != "%" || !(share->number >= 0 && share->number <= most)) {
        refuse(option, text, "a percentage, as in 2%");
    }
    return share->number;
}

namespace {

void add_regex(command_options& options, const std::string& name, std::string& regex,
               const std::string& text) {
    options.add_value(
        name, "REGEX",
        [&regex](const std::string& word) {
            check_selection({.focus = word});
            regex = word;
        },
        text);
}

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

} // namespace

void add_size(command_options& options, const std::string& name, const std::string& value_name,
              std::size_t& size, const std::string& text,
              const number_range<std::uint64_t>& range) {
    options.add_value(
        name, value_name,
        [&size, name, range](const std::string& word) {
            const auto given = read_measure<std::uint64_t>(word);
            const std::uint64_t unit = given ? bytes_in(given->unit) : 0;
            if (unit == 0 || given->number > range.most / unit ||
                given->number * unit < range.least) {
                refuse(name, word, range.text);
            }
            // One byte less than 2 GiB can be read.
            const std::uint64_t bytes = given->number * unit;
            size = static_cast<std::size_t>(bytes == 2 * gib ? max_profile_size : bytes);
        },
        text);
}

// Inputs

void check_pair(const std::string& needed, const std::vector<std::string>& files) {
    if (files.size() != 2) {
        wrong_usage(needed + ", PREV and CUR, but " + std::to_string(files.size()) +
                    (files.size() != 1       ? " are given"
                     : is_url(files.front()) ? " is given; --seconds 60 takes both from this URL"
                                             : " is given"));
    }
}

void refuse_folders(const std::vector<std::string>& files) {
    const auto folder = std::ranges::find_if(files, [](const std::string& file) {
        return file != "-" && !is_url(file) && is_folder(file);
    });
    if (folder != files.end()) {
        wrong_usage(*folder +
                    ": this is a folder, which trend, top, merge, info, compare --base and "
                    "batch --dir read");
    }
}

void add_max_size(command_options& options, std::size_t& size) {
    add_size(options, "--max-size", "SIZE", size, "Refuse profiles larger than SIZE, as in 500M",
             {1, 2 * gib, "a number of bytes from 1 to 2G, as in 500M"});
}

void add_unit(command_options& options, read_options& input) {
    value_type& counted = input.counted;
    options.add_value("--profile", "NAME", input.part,
                      "Which profile of a file of speedscope (default: the only one)");
    options.add_value(
        "--unit", "TYPE/UNIT",
        [&counted](const std::string& word) {
            const std::size_t slash = word.find('/');
            const bool has_type = slash != std::string::npos;
            counted.type = has_type ? word.substr(0, slash) : "samples";
            counted.unit = word.substr(has_type ? slash + 1 : 0);
            if (counted.type.empty() || counted.unit.empty()) {
                wrong_usage("--unit expects a unit, such as bytes, or a sample type and its unit, "
                            "such as alloc_space/bytes");
            }
        },
        "Sample type of folded stacks (default: samples/count)");
}

void add_symbols(command_options& options, read_options& input) {
    constexpr const char* no_folders = ":";
    const auto path = std::make_shared<std::string>();
    options.add_flag_with_value(
        "--symbolize", "PATH", no_folders,
        [&input, path](const std::string& word) {
            if (!can_read_binaries()) {
                wrong_usage(
                    "--symbolize: this build cannot read binaries: it was built without libdw");
            }
            *path = word;
            input.names = names_of_binaries(word, "");
        },
        "Resolve C and C++ symbols, searching PATH first");
    options.add_value(
        "--trim-path", "PATH",
        [&input, path](const std::string& word) { input.names = names_of_binaries(*path, word); },
        "Strip PATH from the source files that --symbolize finds");
    options.needs({"--trim-path"}, "--symbolize");
}

void add_producers(command_options& options, read_options& input) {
    options.add_values(
        "--rename-type", "A=B",
        [&input](const std::string& word) {
            const std::size_t sign = word.find('=');
            if (sign == std::string::npos || sign == 0 || sign + 1 == word.size()) {
                wrong_usage("--rename-type expects the names of two sample types, as in "
                            "space=inuse_space");
            }
            input.renamed_types.emplace_back(word.substr(0, sign), word.substr(sign + 1));
        },
        "Rename sample type A to B; repeatable");
    options.add_flag("--no-capture", input.without_capture,
                     "Leave out what it costs to take profiles");
}

void add_reading(command_options& options, read_options& input) {
    add_max_size(options, input.max_size);
    add_unit(options, input);
    add_producers(options, input);
    add_symbols(options, input);
}

void add_list(command_options& options, list_options& chosen, const std::string& weights) {
    options.add_value("--files-from", "LIST", chosen.file,
                      "Read the files listed in LIST, one per line" + weights);
    options.add_flag("-0,--null", chosen.has_nul, "Paths in LIST end with NUL");
    options.needs({"--null"}, "--files-from");
}

void add_threads(command_options& options, unsigned& threads) {
    options.add_number("--threads", "N", threads,
                       "Use at most N threads (default: processors, up to 4)", {1, 64});
}

// Subtraction

void add_types(command_options& options, std::vector<value_type_pattern>& cumulative,
               std::vector<value_type_pattern>& gauge, std::vector<value_type_pattern>& interval) {
    options.add_values("--cumulative", "TYPE", cumulative,
                       "TYPE or TYPE/UNIT is cumulative; repeatable");
    options.add_values("--gauge", "TYPE", gauge, "TYPE or TYPE/UNIT is a gauge; repeatable");
    options.add_values("--interval", "TYPE", interval,
                       "TYPE or TYPE/UNIT is of the profile's own interval; repeatable");
}

void add_match(command_options& options, match_mode& match) {
    options.add_choice<match_mode>("--match", "MODE", match,
                                   {{"exact", match_mode::exact},
                                    {"line", match_mode::line},
                                    {"function", match_mode::function}},
                                   "Match frames exactly (default), by line, or by function");
}

void add_subtraction(command_options& options, delta_options& chosen) {
    add_types(options, chosen);
    add_match(options, chosen.match);
    options.add_flag("--drop-negative", chosen.drop_negative,
                     "Omit samples with a negative difference");
    options.add_choice<reset_policy>("--on-reset", "HOW", chosen.on_reset,
                                     {{"emit", reset_policy::emit},
                                      {"drop", reset_policy::drop},
                                      {"error", reset_policy::error},
                                      {"negative", reset_policy::negative}},
                                     "After a counter reset: emit CUR's values (default), drop "
                                     "samples, error (exit with 4), negative (subtract anyway)");
}

void add_normalize(command_options& options, std::optional<normalization>& normalize,
                   const std::string& text) {
    options.add_choice<std::optional<normalization>>(
        "--normalize", "BY", normalize,
        {{"total", normalization::total}, {"duration", normalization::duration}}, text);
}

void add_diff(command_options& options, bool& diff, std::optional<normalization>& normalize) {
    options.add_flag("--diff", diff, "Compare independent captures, such as of two builds");
    options.excludes("--diff", {"--cumulative", "--gauge", "--interval"});
    add_normalize(options, normalize, "With --diff, scale PREV to the total or duration of CUR");
    options.needs({"--normalize"}, "--diff");
}

void add_first(command_options& options, bool& skip_first) {
    options.add_choice<bool>("--first", "HOW", skip_first, {{"emit", false}, {"skip", true}},
                             "Without a state: emit everything (default), or skip it");
}

void add_lock_timeout(command_options& options, double& seconds) {
    add_time(options, "--lock-timeout", seconds, "Wait at most TIME for another run (default: 30s)",
             {0, 1e6, "a time of up to 11d"});
}

void add_state(command_options& options, state_options& chosen, bool& skip_first) {
    options.add_heading("State");
    options.add_value("--state", "FILE", chosen.file,
                      "Subtract the profile in FILE, then store CUR in it");
    add_first(options, skip_first);
    options.add_flag("--reset-state", chosen.reset, "Ignore the existing state");
    add_lock_timeout(options, chosen.lock_timeout_seconds);
    options.needs({"--first", "--reset-state", "--lock-timeout"}, "--state");
    options.excludes("--state", {"--diff"});
}

void check_state(const state_options& chosen, std::vector<std::string>& files) {
    if (files.size() > 1) {
        wrong_usage("--state takes one profile, CUR, but " + std::to_string(files.size()) +
                    " are given");
    }
    if (chosen.file == "-") {
        wrong_usage("--state needs a file, not standard input");
    }
    if (files.empty()) {
        files.emplace_back("-");
    }
}

// Samples and rows

void add_sample_type(command_options& options, std::optional<value_type_pattern>& type,
                     const std::string& text) {
    options.add_value(
        "--sample-type", "TYPE", [&type](const std::string& word) { type.emplace(word); }, text);
}

// An option for things of a selection, which are checked alone, so that what is wrong is said of
// them.
static void add_parts(command_options& options, const std::string& name,
                      const std::string& value_name,
                      std::vector<std::string> stack_selection::*part,
                      std::vector<std::string>& values, const std::string& text) {
    options.add_values(
        name, value_name,
        [&options, name, part, &values](const std::string& word) {
            stack_selection alone;
            alone.*part = {word};
            check_selection(alone);
            values.push_back(word);
            const std::size_t sign = word.find('=');
            if (part == &stack_selection::renames && word.find('\\') == std::string::npos &&
                word.find('=', sign + 1) != std::string::npos) {
                options.note(name + " " + word + ": '" + word.substr(0, sign) + "' becomes '" +
                             word.substr(sign + 1) + "'; a '=' of the REGEX needs a backslash");
            }
        },
        text);
}

void add_selection(command_options& options, stack_selection& chosen) {
    add_regex(options, "--focus", chosen.focus, "Keep only samples with a matching frame");
    add_regex(options, "--ignore", chosen.ignore, "Drop samples with a matching frame");
    add_parts(options, "--label", "KEY=REGEX", &stack_selection::labels, chosen.labels,
              "Keep only samples with this label; or bytes=1kb:1mb");
    add_parts(options, "--no-label", "KEY=REGEX", &stack_selection::no_labels, chosen.no_labels,
              "Drop samples with this label; repeatable");
    add_regex(options, "--hide", chosen.hide, "Remove matching frames from stacks");
    add_regex(options, "--show-from", chosen.show_from,
              "Start stacks at their outermost matching frame");
    add_parts(options, "--rename", "REGEX=TEXT", &stack_selection::renames, chosen.renames,
              "Rename functions, before anything else; repeatable");
    add_parts(options, "--label-root", "KEY", &stack_selection::label_roots, chosen.label_roots,
              "Add the values of a label as root frames");
}

void add_allocators(command_options& options, stack_selection& chosen) {
    chosen.folds_allocators = true;
    options.add_flag("--allocators", chosen.folds_allocators,
                     "Show frames of allocators and containers", false);
}

void decide_folding(stack_selection& chosen, bool are_named) {
    chosen.folds_allocators = chosen.folds_allocators && !are_named && chosen.focus.empty() &&
                              chosen.ignore.empty() && chosen.hide.empty() &&
                              chosen.show_from.empty();
}

void add_kept(command_options& options, trim_options& kept) {
    options.add_heading("What to keep");
    options.add_values("--keep-type", "TYPE", kept.keep_types,
                       "Keep only this sample type, TYPE or TYPE/UNIT; repeatable");
    options.add_values(
        "--drop-label", "KEY",
        [&kept](const std::string& key) {
            check_selection({.focus = key});
            kept.drop_labels.push_back(key);
        },
        "Drop labels whose key matches; repeatable");
    add_selection(options, kept.selection);
}

// @param text is the value of `--min-amount`.
static min_row_size read_min_row_size(const std::string& text) {
    if (text.ends_with('%')) {
        return {.given = text, .share = parse_percentage("--min-amount", text) / 100};
    }
    try {
        return {.given = text, .size = parse_amount(text)};
    } catch (const error& e) {
        wrong_usage(std::string{"--min-amount "} + e.what());
    }
}

min_row_size min_row_size::or_else(const std::string& in_files) const {
    return given.empty() && !in_files.empty() ? read_min_row_size(in_files) : *this;
}

void add_rows(command_options& options, std::string& rows, min_row_size& least, std::size_t& top) {
    add_regex(options, "--func", rows, "Show only rows with a matching name");
    options.add_value(
        "--min-amount", "SIZE",
        [&least](const std::string& word) { least = read_min_row_size(word); },
        "Omit rows with a smaller mean: 64KiB, or 1% (default)");
    options.add_number("--top", "N", top, "Number of rows in each table (default: 20)");
}

void add_alpha(command_options& options, double& alpha) {
    options.add_number("--alpha", "P", alpha,
                       "Significance level (default: " + factor_text(alpha) + ")",
                       {above_0, below_1, "a number between 0 and 1"});
}

void add_min_change(command_options& options, double& min_change) {
    const std::string usual = std::to_string(std::lround(min_change * 100)) + "%";
    options.add_value(
        "--min-change", "PERCENT",
        [&min_change](const std::string& word) {
            min_change = parse_percentage("--min-change", word) / 100;
        },
        "Ignore smaller changes, significant or not (default: " + usual + ")");
}

void add_test(command_options& options, double& alpha, correction& corrected, double& min_change) {
    add_alpha(options, alpha);
    options.add_choice<correction>(
        "--correct", "HOW", corrected,
        {{"holm", correction::holm},
         {"bh", correction::benjamini_hochberg},
         {"none", correction::none}},
        std::string{"Correct for many rows: holm, bh or none (default: "} + to_string(corrected) +
            ")");
    add_min_change(options, min_change);
}

// Calls and stacks

void add_calls(command_options& options, call_options& chosen) {
    options.add_heading("Calls and stacks, in place of rows");
    add_regex(options, "--callers", chosen.callers, "Show the callers of matching functions");
    add_regex(options, "--callees", chosen.callees, "Show what matching functions call");
    options.add_flag("--tree", chosen.tree, "Show the stacks as a tree, without branches below 1%");
    options.add_number(
        "--depth", "N", chosen.depth, "Limit the tree to N levels",
        {1, std::numeric_limits<std::uint32_t>::max(), "a number of levels, 1 or more"});
    options.needs({"--depth"}, "--tree");
    options.add_number("--paths", "N", chosen.paths, "Show the N stacks that changed most");
}

// Output

void add_quiet(command_options& options, bool& quiet) {
    options.add_flag("-q,--quiet", quiet, "Suppress warnings");
}

void add_output(command_options& options, std::string& file, const std::string& text) {
    options.add_value(
        "-o,--output", "FILE", [&file](const std::string& word) { file = word == "-" ? "" : word; },
        text);
}

void add_max_bytes(command_options& options, std::size_t& size) {
    add_size(options, "--max-bytes", "N", size,
             "Write at most N bytes: the first rows of each table",
             {1, 2 * gib, "a number of bytes from 1 to 2G, as in 8K"});
}

void add_format(command_options& options, output_form& form) {
    using kind = output_form::form;
    options.add_choice<kind>(
        "--format", "FORM", form.format,
        {{"text", kind::text}, {"markdown", kind::markdown}, {"json", kind::json}},
        "text (default), markdown or json");
    add_max_bytes(options, form.max_bytes);
}

void add_color(command_options& options, output_form& form) {
    using color = output_form::color;
    options.add_choice<color>(
        "--color", "WHEN", form.colors,
        {{"auto", color::automatic}, {"always", color::always}, {"never", color::never}},
        "Color text: auto (default: on a terminal), always, never");
}

void add_profile_output(command_options& options, profile_output& output, const std::string& what) {
    add_output(options, output.file, "Write to FILE instead of standard output");
    add_profile_form(options, output, what);
    options.add_flag("-f,--force", output.force, "Write a profile even to a terminal");
}

void add_profile_form(command_options& options, profile_output& output, const std::string& what) {
    options.add_choice<codec>("--compress", "CODEC", output.compress,
                              {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                              "Wrap the " + what + ": gzip (default), zstd, none");
    options.add_choice<profile_format>(
        "--to", "FORMAT", output.format,
        {{"pprof", profile_format::pprof}, {"otlp", profile_format::otlp}},
        "Write the " + what + " as pprof (default) or OTLP");
    options.add_number("--level", "N", output.level, "Compression level: gzip 0 to 9, zstd 1 to 19",
                       {0, std::numeric_limits<int>::max(), "0 to 9 for gzip, 1 to 19 for zstd"});
}

void check_level(const profile_output& output) {
    const int level = output.level;
    if (level == default_level) {
        return;
    }
    if (output.compress == codec::none) {
        wrong_usage("--level needs a compression");
    }
    const level_range range = levels(output.compress);
    if (level < range.lowest || level > range.highest) {
        wrong_usage("--level " + std::to_string(level) + ": " +
                    (output.compress == codec::gzip ? "gzip" : "zstd") + " has levels " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

void add_status(command_options& options, std::string& path) {
    options.add_value("--status", "FILE", path, "Write a summary of the run as a line of JSON");
}

void check_beside_output(const std::string& name, const std::string& path,
                         const std::string& output) {
    if (!path.empty() && output.empty() && is_standard_output(path)) {
        wrong_usage(name + " " + path + " needs -o FILE, because standard output has the result");
    }
}

void check_status(const std::string& path, const std::string& output) {
    check_beside_output("--status", path, output);
}

// Limits

void add_limits(command_options& options, limit_options& chosen, const limit_extras& extras) {
    options.add_heading("Limits");
    options.add_values("--fail-on", "LIMIT", chosen.limits,
                       "Exit with 1 if crossed: alloc_space>+10%; repeatable");
    options.add_values("--limits", "FILE", chosen.files,
                       "Read limits from FILE, one per line; repeatable");
    if (extras.annotate) {
        options.add_choice<bool>("--annotations", "HOW", chosen.annotations, {{"github", true}},
                                 "github: also print crossed limits as workflow commands");
    }
    if (extras.have_least) {
        options.add_value("--min-amount", "SIZE", chosen.min_amount,
                          "Ignore smaller functions in limits on each function");
    }
    if (extras.may_be_empty) {
        options.add_flag("--allow-empty", chosen.allows_empty,
                         "Judge what has no samples, or no match, instead of failing");
    }
    if (extras.may_be_noisy) {
        options.add_flag("--strict", chosen.are_strict,
                         "Fail where captures vary too much to judge a limit");
    }
}

void check_limits(const limit_options& chosen) {
    if (chosen.annotations && !chosen.has_limits()) {
        wrong_usage("--annotations needs limits");
    }
    if (!chosen.min_amount.empty() && !chosen.has_limits()) {
        wrong_usage("--min-amount needs limits");
    }
    if (contains(chosen.files, "-")) {
        wrong_usage("--limits needs a file, not standard input");
    }
}

} // namespace pprofdelta::tool
