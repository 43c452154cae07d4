// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/otlp_profile.hpp>

#include "base/failure.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "symbols/binary.hpp"
#include "symbols/symbolizer.hpp"

namespace pprofdelta::tool {

// Values

std::chrono::seconds parse_age(const char* option, const std::string& text) {
    constexpr std::chrono::hours day{24};
    constexpr std::uint64_t most = 1'000'000;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{} || end - rest != 1 || number == 0 || number > most) {
        wrong_usage(std::string{option} + " " + text +
                    ": expected a time such as 30d, 12h, 90m or 3600s");
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
        wrong_usage(std::string{option} + " " + text + ": the unit must be s, m, h or d");
    }
}

namespace {

// The numbers of a text in their places, such as those of "2026-11-21T10:00Z" in "Y-M-DTh:mZ",
// where each letter but T and Z stands for a number; nothing if the text is not of that form.
std::optional<std::vector<unsigned>> numbers_in(std::string_view text, std::string_view form) {
    std::vector<unsigned> numbers;
    for (const char part : form) {
        if (std::string_view{"YMDhms"}.find(part) == std::string_view::npos) {
            if (!text.starts_with(part)) {
                return std::nullopt;
            }
            text.remove_prefix(1);
            continue;
        }
        const std::size_t digits = part == 'Y' ? 4 : 2;
        unsigned& number = numbers.emplace_back();
        const char* const end = text.data() + std::min(digits, text.size());
        const auto [rest, fault] = std::from_chars(text.data(), end, number);
        if (fault != std::errc{} || rest != text.data() + digits) {
            return std::nullopt;
        }
        text.remove_prefix(digits);
    }
    return text.empty() ? std::optional{numbers} : std::nullopt;
}

} // namespace

std::int64_t parse_moment(const char* option, const std::string& text) {
    constexpr std::int64_t nanos_per_second = 1'000'000'000;
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() / nanos_per_second;
    std::int64_t seconds = -1;
    if (read_number(text, seconds) && seconds > 0 && seconds < last) {
        return seconds * nanos_per_second;
    }
    for (const std::string_view form : {"Y-M-DTh:m:sZ", "Y-M-DTh:mZ", "Y-M-D"}) {
        std::optional<std::vector<unsigned>> parts = numbers_in(text, form);
        if (!parts) {
            continue;
        }
        parts->resize(6);
        const auto& [year, month, day] = std::tie((*parts)[0], (*parts)[1], (*parts)[2]);
        const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(year)},
                                               std::chrono::month{month}, std::chrono::day{day}};
        const auto& [hours, minutes, rest] = std::tie((*parts)[3], (*parts)[4], (*parts)[5]);
        if (date.ok() && year > 1970 && year < 2262 && hours < 24 && minutes < 60 && rest < 61) {
            const std::chrono::seconds moment =
                std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hours} +
                std::chrono::minutes{minutes} + std::chrono::seconds{rest};
            return moment.count() * nanos_per_second;
        }
    }
    wrong_usage(std::string{option} + " " + text +
                ": expected a time such as 2026-11-21T10:00:00Z, or 1795255200");
}

namespace {

// "2%" as 2; no number at all for what is no percentage.
double percentage(std::string_view text) {
    double number = 0;
    return text.ends_with('%') && read_number(text.substr(0, text.size() - 1), number)
               ? number
               : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

double parse_share(const char* option, const std::string& text) {
    constexpr double all = 100;
    const double share = percentage(text);
    if (!(share >= 0 && share <= all)) {
        wrong_usage(std::string{option} + " " + text +
                    ": expected a percentage of all items, such as 5%");
    }
    return share;
}

double parse_time(const std::string& option, const std::string& text) {
    constexpr std::array<std::pair<std::string_view, int>, 5> units{
        {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    const std::string_view suffix{rest, static_cast<std::size_t>(end - rest)};
    const auto* const unit = std::find_if(units.begin(), units.end(),
                                          [&](const auto& each) { return each.first == suffix; });
    if (fault != std::errc{} || unit == units.end() || !(number >= 0 && number < 1e9)) {
        wrong_usage(option + " " + text + ": expected a time, as in 30s, 5m, 12h or 1d");
    }
    return number * unit->second;
}

void add_seconds(command_options& options, const std::string& name, double& seconds,
                 const std::string& text) {
    options.add_value(
        name, "SEC",
        [&seconds, name](const std::string& word) { seconds = parse_time(name, word); }, text);
}

void check_seconds(const char* option, double seconds) {
    constexpr double longest = 86400;
    if (!(seconds > 0 && seconds <= longest)) {
        wrong_usage(std::string{option} + " must be a number of seconds up to 86400");
    }
}

void check_count(const char* option, unsigned count, unsigned least, unsigned most) {
    if (count < least || count > most) {
        wrong_usage(std::string{option} + " must be a number from " + std::to_string(least) +
                    " to " + std::to_string(most));
    }
}

void check_regex(const char* option, const std::string& regex) {
    if (regex.empty()) {
        return;
    }
    try {
        check_pattern(regex);
    } catch (const error& e) {
        wrong_usage(std::string{option} + ": " + e.what());
    }
}

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

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
        wrong_usage(std::string{option} + " " + text + ": expected a number of bytes from " +
                    range.text);
    }
    return static_cast<std::size_t>(number * unit);
}

} // namespace

// What is read

void check_pair(const std::string& what, const std::vector<std::string>& files) {
    if (files.size() != 2) {
        wrong_usage("a " + what + " needs two profiles, PREV and CUR, but " +
                    std::to_string(files.size()) +
                    (files.size() == 1 ? " is given" : " are given"));
    }
}

void add_max_size(command_options& options, std::size_t& size) {
    options.add_value(
        "--max-size", "SIZE",
        [&size](const std::string& word) {
            // 2 GiB itself is one byte more than a profile can have.
            size = std::min(parse_size("--max-size", word, {1, 2 * gib, "1 to 2G, as in 500M"}),
                            max_profile_size);
        },
        "Refuse profiles larger than SIZE, as in 500M");
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
                wrong_usage("--unit expects a unit, such as bytes, or a sample type and its unit, "
                            "such as alloc_space/bytes");
            }
        },
        "Sample type of folded stacks (default: samples/count)");
}

void add_symbols(command_options& options, reading& how) {
    constexpr const char* no_folders = ":";
    const auto path = std::make_shared<std::string>();
    options.add_flag_with_value(
        "--symbolize", "PATH", no_folders,
        [&how, path](const std::string& word) {
            if (!can_read_binaries()) {
                wrong_usage(
                    "--symbolize: this build cannot read binaries: it was built without libdw");
            }
            *path = word;
            how.names = names_of_binaries(word, "");
        },
        "Resolve C and C++ symbols, searching PATH first");
    options.add_value(
        "--trim-path", "PATH",
        [&how, path](const std::string& word) {
            if (!how.names) {
                wrong_usage("--trim-path needs --symbolize");
            }
            how.names = names_of_binaries(*path, word);
        },
        "Strip PATH from the source files that --symbolize finds");
}

void add_reading(command_options& options, reading& how) {
    add_max_size(options, how.max_size);
    add_unit(options, how.counted);
    add_symbols(options, how);
}

void add_list(command_options& options, list_options& chosen, const std::string& weights) {
    options.add_value("--files-from", "LIST", chosen.file,
                      "Read the files listed in LIST, one per line" + weights);
    options.add_flag("-0,--null", chosen.has_nul, "Paths in LIST end with NUL");
    options.needs("--null", "--files-from");
}

void add_memory(command_options& options, std::size_t& size) {
    options.add_value(
        "--memory", "SIZE",
        [&size](const std::string& word) {
            size = parse_size("--memory", word, {gib / 16, 1024 * gib, "64M to 1024G, as in 8G"});
        },
        "Use at most SIZE of memory for profiles (default: 4G)");
}

void add_threads(command_options& options, unsigned& threads) {
    options.add_value(
        "--threads", "N",
        [&threads](const std::string& word) {
            constexpr unsigned most = 64;
            if (!read_number(word, threads) || threads == 0 || threads > most) {
                wrong_usage("--threads " + word + ": expected a number from 1 to 64");
            }
        },
        "Use at most N threads (default: one per processor, up to 4)");
}

// What is subtracted

void add_types(command_options& options, delta_options& chosen) {
    options.add_values("--cumulative", "TYPE", chosen.cumulative,
                       "Subtract this sample type, TYPE or TYPE/UNIT; repeatable");
    options.add_values("--gauge", "TYPE", chosen.gauge,
                       "Do not subtract this sample type; repeatable");
}

void add_match(command_options& options, match_mode& match) {
    options.add_choice<match_mode>("--match", "MODE", match,
                                   {{"exact", match_mode::exact},
                                    {"line", match_mode::line},
                                    {"function", match_mode::function}},
                                   "Match frames exactly (default), by line, or by function");
}

void add_on_reset(command_options& options, reset_policy& policy) {
    options.add_choice<reset_policy>("--on-reset", "HOW", policy,
                                     {{"emit", reset_policy::emit},
                                      {"drop", reset_policy::drop},
                                      {"error", reset_policy::error},
                                      {"negative", reset_policy::negative}},
                                     "After a counter reset: emit CUR's values (default), drop "
                                     "samples, error (exit with 4), negative (subtract anyway)");
}

void add_normalize(command_options& options, std::optional<normalization>& by) {
    options.add_choice<std::optional<normalization>>(
        "--normalize", "BY", by,
        {{"total", normalization::total}, {"duration", normalization::duration}},
        "With --diff, scale PREV to the total or duration of CUR");
    options.needs("--normalize", "--diff");
}

void add_first(command_options& options, bool& skip_first) {
    options.add_choice<bool>("--first", "HOW", skip_first, {{"emit", false}, {"skip", true}},
                             "Without a state: emit everything (default), or skip it");
}

void add_state(command_options& options, state_options& chosen, bool& skip_first) {
    options.add_heading("State");
    options.add_value("--state", "FILE", chosen.file,
                      "Subtract the profile in FILE, then store CUR in it");
    add_first(options, skip_first);
    options.add_flag("--reset-state", chosen.reset, "Ignore the existing state");
    add_seconds(options, "--lock-timeout", chosen.lock_timeout_seconds,
                "Wait at most SEC for another run (default: 30)");
    for (const char* each : {"--first", "--reset-state", "--lock-timeout"}) {
        options.needs(each, "--state");
    }
    options.excludes("--state", "--diff");
}

void check_lock_timeout(double seconds) {
    constexpr double longest_timeout = 1e6;
    if (!(seconds >= 0 && seconds <= longest_timeout)) {
        wrong_usage("--lock-timeout must be a number of seconds from 0 to 1000000");
    }
}

void check_state(const state_options& chosen, std::vector<std::string>& files) {
    check_lock_timeout(chosen.lock_timeout_seconds);
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

void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen) {
    if (!chosen.file.empty()) {
        outputs.push_back({"--state", chosen.file, made_kind::state});
        outputs.push_back(
            {"the lock of --state", resolve_links(chosen.file) + ".lock", made_kind::lock});
    }
}

namespace {

// Where the lock is to be. Looks at the state first: a pipe would keep the lock, and a device get
// one.
std::string lock_path(const std::string& state) {
    (void)regular_file_exists(state);
    return resolve_links(state) + ".lock";
}

} // namespace

state_file::state_file(const state_options& chosen)
    : m_chosen{chosen}, m_path{resolve_links(chosen.file)}, m_lock{lock_path(chosen.file),
                                                                   std::chrono::duration<double>{
                                                                       chosen.lock_timeout_seconds},
                                                                   "; see --lock-timeout"} {
    remove_abandoned_files(m_path);
}

read_profile state_file::load_beside(raw_file raw, const reading& how, match_mode match,
                                     unsigned threads, delta_computer& computer) const {
    auto read = read_ahead(std::move(raw), how.without_names(), match, threads);
    if (!m_chosen.reset && regular_file_exists(m_path)) {
        const std::string saved = read_file(m_path, max_profile_size);
        about(m_chosen.file, [&] { computer.load(saved); });
    }
    return read.get();
}

void state_file::replace(const std::string& state) const {
    write_file(m_chosen.file, state, durability::synced);
}

// Samples and rows

namespace {

constexpr std::string_view label_prefix = "label:";

// "label:KEY".
template <typename Grouping>
other_words label_words(Grouping& by, std::string& label_key) {
    const auto take = [&by, &label_key](const std::string& word) {
        const bool is_label = word.starts_with(label_prefix) && word.size() > label_prefix.size();
        if (is_label) {
            by = grouping::label;
            label_key = word.substr(label_prefix.size());
        }
        return is_label;
    };
    return {"label:KEY", take};
}

} // namespace

void add_grouping(command_options& options, grouping& by, std::string& label_key) {
    options.add_choice<grouping>("--by", "WHAT", by,
                                 {{"function", grouping::function},
                                  {"file", grouping::file},
                                  {"package", grouping::package},
                                  {"line", grouping::line}},
                                 "Rows: function (default), file, package, line, label:KEY",
                                 label_words(by, label_key));
}

void add_fleet_grouping(command_options& options, std::optional<grouping>& by,
                        std::string& label_key) {
    options.add_choice<std::optional<grouping>>(
        "--by", "WHAT", by,
        {{"service", std::nullopt},
         {"function", grouping::function},
         {"file", grouping::file},
         {"package", grouping::package},
         {"line", grouping::line}},
        "Rows: service (default), function, file, package, line, label:KEY",
        label_words(by, label_key));
}

void add_stack_filters(command_options& options, std::string& focus, std::string& ignore) {
    options.add_value("--focus", "REGEX", focus, "Keep only samples with a matching frame");
    options.add_value("--ignore", "REGEX", ignore, "Drop samples with a matching frame");
}

void add_label_filters(command_options& options, std::vector<std::string>& labels,
                       std::vector<std::string>& no_labels) {
    options.add_values("--label", "KEY=REGEX", labels,
                       "Keep only samples with this label; or bytes=1kb:1mb");
    options.add_values("--no-label", "KEY=REGEX", no_labels,
                       "Drop samples with this label; repeatable");
}

void add_selection(command_options& options, stack_selection& chosen) {
    add_stack_filters(options, chosen.focus, chosen.ignore);
    add_label_filters(options, chosen.labels, chosen.no_labels);
    options.add_value("--hide", "REGEX", chosen.hide, "Remove matching frames from stacks");
    options.add_value("--show-from", "REGEX", chosen.show_from,
                      "Start stacks at their outermost matching frame");
    options.add_values("--rename", "REGEX=TEXT", chosen.renames,
                       "Rename functions, before anything else; repeatable");
    options.add_values("--label-root", "KEY", chosen.label_roots,
                       "Add the values of a label as root frames");
}

namespace {

// A selection of but one thing, so that what is wrong is said of its option.
void check(const char* option, const stack_selection& alone) {
    try {
        check_selection(alone);
    } catch (const error& e) {
        wrong_usage(std::string{option} + ": " + e.what());
    }
}

void check(const char* option, const std::vector<std::string>& texts,
           std::vector<std::string> stack_selection::*list) {
    for (const std::string& each : texts) {
        stack_selection alone;
        alone.*list = {each};
        check(option, alone);
    }
}

} // namespace

void check_selection_options(const stack_selection& chosen) {
    check("--focus", {.focus = chosen.focus});
    check("--ignore", {.ignore = chosen.ignore});
    check("--label", chosen.labels, &stack_selection::labels);
    check("--no-label", chosen.no_labels, &stack_selection::no_labels);
    check("--hide", {.hide = chosen.hide});
    check("--show-from", {.show_from = chosen.show_from});
    check("--rename", chosen.renames, &stack_selection::renames);
    check("--label-root", chosen.label_roots, &stack_selection::label_roots);
}

void add_types_and_labels(command_options& options, trim_options& trim) {
    options.add_values("--keep-type", "TYPE", trim.keep_types,
                       "Keep only this sample type, TYPE or TYPE/UNIT; repeatable");
    options.add_values("--drop-label", "KEY", trim.drop_labels,
                       "Drop labels whose key matches; repeatable");
}

void check_dropped_labels(const trim_options& trim) {
    for (const std::string& key : trim.drop_labels) {
        if (key.empty()) {
            wrong_usage("--drop-label needs a key");
        }
        check_regex("--drop-label", key);
    }
}

void test_options::add_rows(command_options& options) {
    options.add_value("--func", "REGEX", m_rows, "Show only rows with a matching name");
    options.add_value("--min-amount", "SIZE", m_min_amount,
                      "Omit rows whose mean is smaller: 64KiB, or 1% of the total (default)");
    options.add_number("--top", "N", m_top, "Number of rows in each table (default: 20)");
}

void test_options::add_test(command_options& options) {
    options.add_number("--alpha", "P", m_alpha, "Significance level (default: 0.05)");
    options.add_choice<correction>(
        "--correct", "HOW", m_corrected,
        {{"holm", correction::holm},
         {"bh", correction::benjamini_hochberg},
         {"none", correction::none}},
        std::string{"Correct for many rows: holm, bh or none (default: "} + to_string(m_corrected) +
            ")");
    options.add_value("--min-change", "PERCENT", m_min_change,
                      "Ignore smaller changes, whatever the test says (default: " + m_min_change +
                          ")");
}

double test_options::percent(const std::string& option, const std::string& text) {
    const double value = percentage(text);
    if (!(value >= 0 && value <= 1e6)) {
        wrong_usage(option + " " + text + ": expected a percentage, as in 2%");
    }
    return value / 100;
}

void test_options::check() const {
    if (!(m_alpha > 0 && m_alpha < 1)) {
        wrong_usage("--alpha must be a number between 0 and 1");
    }
    if (!has_share()) {
        try {
            static_cast<void>(parse_amount(min_amount()));
        } catch (const error& e) {
            wrong_usage(std::string{"--min-amount "} + e.what());
        }
    }
    check_regex("--func", m_rows);
    if (m_top < 0) {
        wrong_usage("--top must be a number of rows, 0 or more");
    }
}

// Calls and stacks

void add_calls(command_options& options, call_options& chosen) {
    options.add_heading("Calls and stacks, in place of rows");
    options.add_value("--callers", "REGEX", chosen.callers,
                      "Show the callers of matching functions");
    options.add_value("--callees", "REGEX", chosen.callees, "Show what matching functions call");
    options.add_flag("--tree", chosen.tree, "Show the stacks as a tree, without branches below 1%");
    options.add_number("--depth", "N", chosen.depth, "Limit the tree to N levels");
    options.needs("--depth", "--tree");
    options.add_number("--paths", "N", chosen.paths, "Show the N stacks that changed most");
}

void check_calls(const call_options& chosen) {
    check_regex("--callers", chosen.callers);
    check_regex("--callees", chosen.callees);
    if (chosen.depth == 0) {
        wrong_usage("--depth must be a number of levels, 1 or more");
    }
}

call_views views_of(const call_options& chosen, const call_stacks& stacks, std::int64_t top,
                    std::size_t most) {
    call_views views;
    if (!chosen.are_asked()) {
        return views;
    }
    views.stacks = &stacks;
    const std::size_t rows = std::min(static_cast<std::size_t>(top), most);
    const call_limits limits{.most_functions = rows, .most_edges = rows};
    if (!chosen.callers.empty()) {
        views.callers_of = chosen.callers;
        views.callers = stacks.callers(chosen.callers, limits);
    }
    if (!chosen.callees.empty()) {
        views.callees_of = chosen.callees;
        views.callees = stacks.callees(chosen.callees, limits);
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

// What is written

void add_quiet(command_options& options, bool& quiet) {
    options.add_flag("-q,--quiet", quiet, "Suppress warnings");
}

void add_page(command_options& options, std::string& file) {
    options.add_value("--html", "FILE", file, "Write an interactive, self-contained page");
}

void add_max_bytes(command_options& options, std::size_t& size) {
    options.add_value(
        "--max-bytes", "N",
        [&size](const std::string& word) {
            size = parse_size("--max-bytes", word, {1, 2 * gib, "1 to 2G, as in 8K"});
        },
        "Write at most N bytes: the first rows of each table");
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

void output_form::add_output(command_options& options, const std::string& what) {
    options.add_value("-o,--output", "FILE", file, "Write " + what + " to FILE");
}

void output_form::add_color(command_options& options) {
    options.add_choice<color>(
        "--color", "WHEN", colors,
        {{"auto", color::automatic}, {"always", color::always}, {"never", color::never}},
        "Color text: auto (default: on a terminal), always, never");
}

namespace {

void write_output(const std::string& file, std::string_view bytes, durability when) {
    if (file.empty()) {
        write_standard_output(bytes, when);
    } else {
        write_file(file, bytes, when);
    }
}

} // namespace

void output_form::write(const std::string& text, durability when) const {
    write_output(file, text, when);
}

std::size_t output_form::width() const { return file.empty() ? standard_output_width() : 0; }

bool output_form::has_colors() const {
    const char* const no_color = ::secure_getenv("NO_COLOR");
    const bool is_wanted = width() != 0 && (no_color == nullptr || *no_color == '\0');
    return colors == color::always || (colors == color::automatic && is_wanted);
}

std::string output_form::last_line(std::optional<std::size_t> most_rows) const {
    return most_rows
               ? "\nAt most " + std::to_string(*most_rows) + (*most_rows == 1 ? " row" : " rows") +
                     " of each table, for --max-bytes " + std::to_string(max_bytes) + "\n"
               : "";
}

bool output_form::is_beside_errors() const { return file.empty() && standard_outputs_are_one(); }

void profile_output::add_options(command_options& options, const std::string& what) {
    options.add_value("-o,--output", "FILE", file, "Write to FILE instead of standard output");
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
        "Write the " + what + " as pprof (default), or for OpenTelemetry as OTLP");
    options.add_number("--level", "N", level, "Compression level: gzip 0 to 9, zstd 1 to 19");
}

void profile_output::check() {
    if (file == "-") {
        file.clear();
    }
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
    if (file.empty() && !force && standard_output_is_terminal()) {
        throw failure{exit_status::usage, "refusing to write a profile to a terminal: redirect it, "
                                          "use -o FILE, or force it with -f"};
    }
}

std::string profile_output::encoded(std::string profile, bool is_delta, std::string& lost) const {
    if (format == profile_format::otlp) {
        std::string otlp;
        const otlp_losses losses =
            about("the output", [&] { return write_otlp_profile(profile, otlp, is_delta); });
        profile = std::move(otlp);
        if (losses.unknown_fields != 0) {
            lost =
                "OTLP cannot hold unknown fields (" + std::to_string(losses.unknown_fields) + ")";
        } else if (losses.changed_labels != 0) {
            lost = "OTLP cannot hold labels with both text and number, or with several units (" +
                   std::to_string(losses.changed_labels) + ")";
        } else if (losses.changed_strings != 0) {
            lost = "OTLP cannot hold names that are not UTF-8 (" +
                   std::to_string(losses.changed_strings) + ")";
        }
    }
    if (compress == codec::none) {
        return profile;
    }
    return encode(profile, compress, level);
}

void profile_output::write(std::string_view bytes, durability when) const {
    write_output(file, bytes, when);
}

void add_status(command_options& options, std::string& path) {
    options.add_value("--status", "FILE", path, "Write a summary of the run as a line of JSON");
}

void check_status(const std::string& path, const std::string& output) {
    if (path == "-" && output.empty()) {
        wrong_usage("--status - needs -o FILE, because standard output has the result");
    }
}

output_path status_output(const std::string& path) {
    return {"--status", path == "-" ? "" : path, made_kind::document};
}

void add_inputs(run_status& line, const std::vector<std::string>& files,
                const state_options& state) {
    std::vector<std::string> names;
    std::transform(files.begin(), files.end(), std::back_inserter(names), display_name);
    line.add("inputs", names);
    line.add_or_null("state", state.file);
}

// Limits

void add_limits(command_options& options, limit_options& chosen) {
    options.add_values("--fail-on", "LIMIT", chosen.limits,
                       "Exit with 1 if crossed: alloc_space>+10%; repeatable");
    options.add_values("--limits", "FILE", chosen.files,
                       "Read limits from FILE, one per line; repeatable");
}

void add_annotations(command_options& options, limit_options& chosen) {
    options.add_choice<bool>("--annotations", "HOW", chosen.annotations, {{"github", true}},
                             "github: also print crossed limits as workflow commands");
}

void add_min_amount(command_options& options, limit_options& chosen) {
    options.add_value("--min-amount", "SIZE", chosen.min_amount,
                      "Ignore smaller functions in limits on each function");
}

void add_allow_empty(command_options& options, limit_options& chosen) {
    options.add_flag("--allow-empty", chosen.allows_empty,
                     "Judge profiles without samples instead of failing");
}

void check_limits(const limit_options& chosen) {
    if (chosen.annotations && !chosen.has_limits()) {
        wrong_usage("--annotations needs limits");
    }
    if (std::count(chosen.files.begin(), chosen.files.end(), "-") > 0) {
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

void check_min_amount(const limit_options& chosen) {
    if (!chosen.min_amount.empty() && !chosen.has_limits()) {
        wrong_usage("--min-amount needs limits");
    }
}

} // namespace pprofdelta::tool
