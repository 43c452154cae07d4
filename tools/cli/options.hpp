// SPDX-License-Identifier: Apache-2.0
// Options that several commands have. A wrong value is a usage_failure that names the option.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/codec.hpp>
#include <pprofdelta/compare.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "base/value_text.hpp"
#include "cli/command_options.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"
#include "files/state_file.hpp"
#include "output/forms.hpp"
#include "output/limits.hpp"

namespace pprofdelta::tool {

// Values

[[nodiscard]] std::chrono::seconds parse_age(const std::string& option, const std::string& text);
/// An option for such a time, which is hardly ever meant in seconds.
template <typename Age>
void add_age(command_options& options, const std::string& name, Age& age, const std::string& text) {
    options.add_value(
        name, "TIME", [&age, name](const std::string& word) { age = parse_age(name, word); }, text);
}

/// The text is like "90", "90s", "1.5m", "12h" or "1d"; the result is in seconds.
[[nodiscard]] double parse_time(const std::string& option, const std::string& text,
                                const number_range<double>& range);
inline constexpr number_range<double> up_to_a_day{above_0, 86400, "a time above 0, up to 1d"};
template <typename Seconds>
void add_time(command_options& options, const std::string& name, Seconds& seconds,
              const std::string& text, const number_range<double>& range = up_to_a_day) {
    options.add_value(
        name, "TIME",
        [&seconds, name, range](const std::string& word) {
            seconds = parse_time(name, word, range);
        },
        text);
}

/// A moment in UTC, such as "2026-11-21T10:00:00Z", "2026-11-21T10:00Z" or "2026-11-21", or a
/// number of seconds since 1970; in nanoseconds since then.
[[nodiscard]] std::int64_t parse_moment(const char* option, const std::string& text);

/// The text is like "5%" or "0.5%"; the result is in percent, from 0.
[[nodiscard]] double parse_percentage(const std::string& option, const std::string& text,
                                      double most = 1e6);

// Inputs

/// PREV and CUR.
/// @param needed begins the message, such as "a delta needs two profiles".
void check_pair(const std::string& needed, const std::vector<std::string>& files);
/// A command that takes one or two profiles calls this.
void refuse_folders(const std::vector<std::string>& files);

/// An option for a number of bytes, such as 1000, 64K, 500M or 2G.
void add_size(command_options& options, const std::string& name, const std::string& value_name,
              std::size_t& size, const std::string& text, const number_range<std::uint64_t>& range);
void add_max_size(command_options& options, std::size_t& size);
/// `--unit` of folded stacks, and `--profile` of files of speedscope.
void add_unit(command_options& options, read_options& input);
/// `--symbolize` and `--trim-path`
/// Options for what is known of producers, which apply to each profile that is read.
void add_producers(command_options& options, read_options& input);
void add_symbols(command_options& options, read_options& input);
/// All of these.
void add_reading(command_options& options, read_options& input);
void add_threads(command_options& options, unsigned& threads);

/// `--files-from` and `--null`
/// @param weights says what may follow a path there, for the help; empty for nothing.
void add_list(command_options& options, list_options& chosen, const std::string& weights = "");

// Subtraction

void add_types(command_options& options, std::vector<value_type_pattern>& cumulative,
               std::vector<value_type_pattern>& gauge, std::vector<value_type_pattern>& interval);
/// `--cumulative`, `--gauge` and `--interval`
/// @param chosen has these three lists.
template <typename Chosen>
void add_types(command_options& options, Chosen& chosen) {
    add_types(options, chosen.cumulative, chosen.gauge, chosen.interval);
}
void add_match(command_options& options, match_mode& match);
/// These, `--drop-negative` and `--on-reset`.
void add_subtraction(command_options& options, delta_options& chosen);
void add_normalize(command_options& options, std::optional<normalization>& normalize,
                   const std::string& text);
/// `--diff`, which subtracts all types, and `--normalize`.
void add_diff(command_options& options, bool& diff, std::optional<normalization>& normalize);

/// `--first`
void add_first(command_options& options, bool& skip_first);
void add_lock_timeout(command_options& options, double& seconds);
/// The options have a heading of their own.
/// @param skip_first is set by `--first`.
void add_state(command_options& options, state_options& chosen, bool& skip_first);
/// Checks what goes with a state, and adds the file that is not named.
void check_state(const state_options& chosen, std::vector<std::string>& files);
// Samples and rows

/// `--sample-type`
void add_sample_type(command_options& options, std::optional<value_type_pattern>& type,
                     const std::string& text);
/// `--by`, what a row is, with the key of a label.
/// @tparam Grouping optional for a fleet, where no grouping stands for services.
template <typename Grouping>
void add_grouping(command_options& options, Grouping& by, std::string& label_key) {
    static constexpr std::string_view label = "label:";
    choices<Grouping> all;
    if constexpr (!std::is_same_v<Grouping, grouping>) {
        all.emplace_back("service", std::nullopt);
    }
    for (const grouping each :
         {grouping::function, grouping::file, grouping::package, grouping::line, grouping::size}) {
        all.emplace_back(to_string(each), each);
    }
    std::string text = "Rows: ";
    for (const auto& [word, each] : all) {
        text += word + (each == grouping::size ? " or " : ", ");
    }
    const auto take = [&by, &label_key](const std::string& word) {
        const bool is_label = word.starts_with(label) && word.size() > label.size();
        if (is_label) {
            by = grouping::label;
            label_key = word.substr(label.size());
        }
        return is_label;
    };
    options.add_choice<Grouping>("--by", "WHAT", by, all, text + "label:KEY", {"label:KEY", take});
}
/// Adds the options that choose samples and frames, and rename them.
void add_selection(command_options& options, stack_selection& chosen);
/// Adds the option that shows the frames of allocators, which are folded without it.
void add_allocators(command_options& options, stack_selection& chosen);
/// Folds nothing where options name functions, as what they name could be folded.
/// @param are_named whether any do beside those of the selection.
void decide_folding(stack_selection& chosen, bool are_named);

/// Adds the options that choose what is kept of a profile that is written: types, labels and a
/// selection, under a heading of their own.
void add_kept(command_options& options, trim_options& kept);
/// The least mean of a row of many captures that is shown.
struct min_row_size {
    std::string given{};          ///< Empty for the default.
    std::optional<amount> size{}; ///< Nothing for a share.
    double share = 0.01;          ///< The share of the total.

    /// This, or if it was not given, what files of limits have for it, unless that is empty.
    [[nodiscard]] min_row_size or_else(const std::string& in_files) const;
    /// The text is like "1% of the total".
    [[nodiscard]] std::string text() const {
        return (given.empty() ? "1%" : given) + (size ? "" : " of the total");
    }
};
/// Adds the options that choose rows of many captures: `--func`, `--min-amount` and `--top`.
void add_rows(command_options& options, std::string& rows, min_row_size& least, std::size_t& top);
/// Adds the options for the test of these: `--alpha`, `--correct` and `--min-change`.
void add_test(command_options& options, double& alpha, correction& corrected, double& min_change);
void add_alpha(command_options& options, double& alpha);
/// The result is a part of 1.
void add_min_change(command_options& options, double& min_change);

// Calls and stacks

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The views that were asked for of the stacks behind a report, or a comparison.
struct call_options {
    std::string callers; ///< Regular expressions; empty for none.
    std::string callees;
    bool tree = false;
    std::uint32_t depth = call_tree_limits{}.deepest; ///< The depth of the tree.
    std::uint32_t paths = 0;

    [[nodiscard]] bool are_asked() const noexcept {
        return !callers.empty() || !callees.empty() || tree || paths != 0;
    }
};

/// `--callers`, `--callees`, `--tree`, `--depth` and `--paths`, under a heading of their own.
void add_calls(command_options& options, call_options& chosen);

// Output

void add_quiet(command_options& options, bool& quiet);
/// `-o`; "-" is standard output, as no file is.
void add_output(command_options& options, std::string& file, const std::string& text);
/// `--format` and `--max-bytes`
void add_format(command_options& options, output_form& form);
void add_color(command_options& options, output_form& form);
/// `--max-bytes` of an output.
void add_max_bytes(command_options& options, std::size_t& size);

/// @param what the profile is, for the help.
void add_profile_output(command_options& options, profile_output& output, const std::string& what);
/// Adds the options for how profiles are wrapped.
void add_profile_form(command_options& options, profile_output& output, const std::string& what);
/// @throws usage_failure for a level that the compression does not have.
void check_level(const profile_output& output);

/// The file of a run_status; empty for none.
void add_status(command_options& options, std::string& path);
/// @param output is that of the run; empty for standard output.
/// @throws usage_failure if both go to standard output.
void check_beside_output(const std::string& name, const std::string& path,
                         const std::string& output);
void check_status(const std::string& path, const std::string& output);

// Limits

/// The options besides limits that a command has.
struct limit_extras {
    bool annotate = true;      ///< `--annotations`
    bool have_least = false;   ///< `--min-amount` for limits on each function.
    bool may_be_empty = false; ///< `--allow-empty` for require_samples().
    bool may_be_noisy = false; ///< `--strict`
};
/// The options have a heading of their own.
void add_limits(command_options& options, limit_options& chosen, const limit_extras& extras = {});
void check_limits(const limit_options& chosen);

} // namespace pprofdelta::tool
