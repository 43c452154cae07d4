// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <pprofdelta/error.hpp>
#include <pprofdelta/otlp_profile.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/value_text.hpp"
#include "cli/inputs.hpp"
#include "symbols/binary.hpp"
#include "symbols/symbolizer.hpp"

namespace pprofdelta::tool {

// Values

namespace {

// A number and the unit that follows it, such as "90" and "m" of "90m".
template <typename Number>
struct measure {
    Number number;
    std::string_view unit;
};

template <typename Number>
std::optional<measure<Number>> read_measure(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{}) {
        return std::nullopt;
    }
    return measure<Number>{number, {rest, static_cast<std::size_t>(end - rest)}};
}

// The time is in seconds, less than what a number of nanoseconds can hold.
std::optional<double> read_time(std::string_view text, bool needs_unit) {
    const auto time = read_measure<double>(text);
    const std::string_view unit = !time ? "" : time->unit.empty() && !needs_unit ? "s" : time->unit;
    const double size = unit == "s"   ? 1
                        : unit == "m" ? 60
                        : unit == "h" ? 3600
                        : unit == "d" ? 86400
                                      : 0;
    const bool is_time = size != 0 && time->number >= 0 && time->number * size <= 9e9;
    return is_time ? std::optional{time->number * size} : std::nullopt;
}

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

std::optional<std::chrono::seconds> read_age(std::string_view text) {
    const std::optional<double> seconds = read_time(text, true);
    return seconds && *seconds >= 1 && *seconds <= std::chrono::seconds{longest_age}.count()
               ? std::optional{std::chrono::seconds{std::llround(*seconds)}}
               : std::nullopt;
}

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
            check_pattern(word);
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

void check_pair(const std::string& what, const std::vector<std::string>& files) {
    if (files.size() != 2) {
        wrong_usage("a " + what + " needs two profiles, PREV and CUR, but " +
                    std::to_string(files.size()) +
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

static std::string lock_path(const state_options& chosen) {
    return resolve_links(chosen.file) + ".lock";
}

void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen) {
    if (!chosen.file.empty()) {
        outputs.push_back({"--state", chosen.file, output_kind::state});
        outputs.push_back({"the lock of --state", lock_path(chosen), output_kind::lock});
    }
}

// Looks at the state first: a pipe would keep the lock, and a device get one.
static lock_file lock_of(const state_options& chosen) {
    (void)regular_file_exists(chosen.file);
    return {lock_path(chosen), std::chrono::duration<double>{chosen.lock_timeout_seconds},
            "; see --lock-timeout"};
}

state_file::state_file(const state_options& chosen)
    : m_chosen{chosen}, m_path{resolve_links(chosen.file)}, m_lock{lock_of(chosen)} {
    remove_abandoned_files(m_path);
}

read_profile state_file::load_beside(raw_file raw, const read_options& options, match_mode match,
                                     unsigned threads, delta_computer& computer) const {
    auto read = read_ahead(std::move(raw), options.without_names(), match, threads);
    if (!m_chosen.reset && regular_file_exists(m_path)) {
        const std::string saved = read_file(m_path, max_profile_size);
        with_file_context(m_chosen.file, [&] { computer.load(saved); });
    }
    return read.get();
}

void state_file::replace(const std::string& state) const {
    write_file(m_path, state, durability::synced); // replaced, by whatever name
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

void add_kept(command_options& options, trim_options& kept) {
    options.add_heading("What to keep");
    options.add_values("--keep-type", "TYPE", kept.keep_types,
                       "Keep only this sample type, TYPE or TYPE/UNIT; repeatable");
    options.add_values(
        "--drop-label", "KEY",
        [&kept](const std::string& key) {
            check_pattern(key);
            kept.drop_labels.push_back(key);
        },
        "Drop labels whose key matches; repeatable");
    add_selection(options, kept.selection);
}

void trim_delta(const trim_options& kept, match_mode match, std::string& delta,
                delta_summary& summary) {
    if (!kept.are_empty()) {
        profile_sum only{{.match = match, .trim = kept}};
        only.add(delta);
        summary.samples_kept = only.write(delta).samples_out;
    }
}

std::string none_left_text(std::size_t before, std::size_t after) {
    return before != 0 && after == 0
               ? "the filters match none of the " + std::to_string(before) + " samples"
               : "";
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

call_views views_of(const call_options& chosen, const call_stacks& stacks, std::size_t top,
                    std::size_t most) {
    constexpr std::size_t most_causes = 8; // that are read at a glance
    call_views views{.stacks = &stacks, .causes = stacks.causes(std::min(most, most_causes))};
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

std::string fitted(std::size_t max_bytes,
                   const std::function<std::string(std::optional<std::size_t>)>& make) {
    std::string whole = make({});
    if (max_bytes == 0 || whole.size() <= max_bytes) {
        return whole;
    }
    std::string best = make(0);
    if (best.size() > max_bytes) {
        wrong_usage("--max-bytes " + std::to_string(max_bytes) +
                    ": even without rows, the output has " + std::to_string(best.size()) +
                    " bytes");
    }
    constexpr std::size_t least_of_row = 8; // in bytes
    std::size_t fits = 0;
    std::size_t too_many = max_bytes / least_of_row + 1;
    while (too_many - fits > 1) {
        const std::size_t middle = fits + (too_many - fits) / 2;
        std::string text = make(middle);
        if (text.size() <= max_bytes) {
            fits = middle;
            best = std::move(text);
        } else {
            too_many = middle;
        }
    }
    return best;
}

void output_form::add_format(command_options& options) {
    options.add_choice<form>(
        "--format", "FORM", format,
        {{"text", form::text}, {"markdown", form::markdown}, {"json", form::json}},
        "text (default), markdown or json");
    add_max_bytes(options, max_bytes);
}

std::string output_form::next_line(const command_list& next) const {
    // Such characters need no quotes in a shell.
    const auto is_plain = [](char c) {
        return is_in_word(c) || std::string_view{"-./,:=+@%"}.find(c) != std::string_view::npos;
    };
    const auto quoted = [&](const std::string& word) {
        if (!word.empty() && std::ranges::all_of(word, is_plain)) {
            return word;
        }
        std::string text = "'";
        for (const char c : printable(word)) {
            text += c == '\'' ? "'\\''" : std::string(1, c);
        }
        return text + "'";
    };
    return max_bytes == 0 || next.empty() ? ""
                                          : "next: " + joined(next.front(), " ", quoted) + "\n";
}

void output_form::add_color(command_options& options) {
    options.add_choice<color>(
        "--color", "WHEN", colors,
        {{"auto", color::automatic}, {"always", color::always}, {"never", color::never}},
        "Color text: auto (default: on a terminal), always, never");
}

std::size_t output_form::width() const { return file.empty() ? standard_output_width() : 0; }

bool output_form::has_colors() const {
    const char* const no_color = ::secure_getenv("NO_COLOR");
    const bool is_wanted = width() != 0 && (no_color == nullptr || *no_color == '\0');
    return colors == color::always || (colors == color::automatic && is_wanted);
}

std::string output_form::in_words(document content, std::optional<std::size_t> most_rows,
                                  const std::string& next) const {
    const std::string bound = ", for --max-bytes " + std::to_string(max_bytes) + "\n";
    const auto written = [&](const std::string& last_line) {
        return (format == form::markdown ? as_markdown(content)
                                         : as_text(content, width(), has_colors())) +
               last_line;
    };
    const std::string next_line = format == form::text ? next : "";
    if (!most_rows) {
        return written(next_line);
    }
    const std::string last_line =
        "\nAt most " + counted(*most_rows, "row") + " of each table" + bound;
    std::string text = written(last_line);
    if (*most_rows == 0 && text.size() > max_bytes && !content.findings.empty()) {
        content.types.clear();
        content.totals = {};
        content.notes.clear();
        content.notes_below.clear();
        text = written("");
        text += (text.ends_with("\n\n") ? "The summary alone" : "\nThe summary alone") + bound;
    }
    return *most_rows != 0 || text.size() + next_line.size() <= max_bytes ? text + next_line : text;
}

bool output_form::is_beside_errors() const { return file.empty() && standard_outputs_are_one(); }

void profile_output::add_options(command_options& options, const std::string& what) {
    add_output(options, file, "Write to FILE instead of standard output");
    add_form(options, what);
    options.add_flag("-f,--force", force, "Write a profile even to a terminal");
}

void profile_output::add_form(command_options& options, const std::string& what) {
    options.add_choice<codec>("--compress", "CODEC", compress,
                              {{"gzip", codec::gzip}, {"zstd", codec::zstd}, {"none", codec::none}},
                              "Wrap the " + what + ": gzip (default), zstd, none");
    options.add_choice<profile_format>(
        "--to", "FORMAT", format,
        {{"pprof", profile_format::pprof}, {"otlp", profile_format::otlp}},
        "Write the " + what + " as pprof (default) or OTLP");
    options.add_number("--level", "N", level, "Compression level: gzip 0 to 9, zstd 1 to 19",
                       {0, std::numeric_limits<int>::max(), "0 to 9 for gzip, 1 to 19 for zstd"});
}

void profile_output::check() const {
    if (level == default_level) {
        return;
    }
    if (compress == codec::none) {
        wrong_usage("--level needs a compression");
    }
    const level_range range = levels(compress);
    if (level < range.lowest || level > range.highest) {
        wrong_usage("--level " + std::to_string(level) + ": " +
                    (compress == codec::gzip ? "gzip" : "zstd") + " has levels " +
                    std::to_string(range.lowest) + " to " + std::to_string(range.highest));
    }
}

void profile_output::refuse_terminal() const {
    if (file.empty() && !force && ::isatty(STDOUT_FILENO) != 0) {
        throw failure{exit_status::usage, "refusing to write a profile to a terminal: redirect it, "
                                          "use -o FILE, or force it with -f"};
    }
}

std::string profile_output::encoded(std::string profile, bool is_delta, std::string& lost) const {
    if (format == profile_format::otlp) {
        std::string otlp;
        const otlp_losses losses = with_file_context(
            "the output", [&] { return write_otlp_profile(profile, otlp, is_delta); });
        profile = std::move(otlp);
        for (const auto& [count, what] :
             {std::pair{losses.changed_strings, "names that are not UTF-8"},
              {losses.changed_labels, "labels with both text and number, or with several units"},
              {losses.unknown_fields, "unknown fields"}}) {
            if (count != 0) { // of several the gravest, which comes last
                lost = std::string{"OTLP cannot hold "} + what + " (" + std::to_string(count) + ")";
            }
        }
    }
    if (compress == codec::none) {
        return profile;
    }
    return encode(profile, compress, level);
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

output_path status_output(const std::string& path) {
    return {"--status", path == "-" ? "" : path, output_kind::document};
}

void add_inputs(run_status& line, const std::vector<std::string>& files,
                const state_options& state) {
    line.add("inputs", names_of(files));
    line.add_or_null("state", state.file);
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

void require_samples(const value_pair& samples, const std::string& current) {
    if (samples.previous != 0 && samples.current == 0) {
        throw failure{exit_status::incompatible,
                      current + ": no samples, so no limit can be judged: did the benchmarks run? "
                                "If it may be empty, see --allow-empty"};
    }
}

} // namespace pprofdelta::tool
