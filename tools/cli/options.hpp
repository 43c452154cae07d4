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

#include "base/json.hpp"
#include "cli/command_options.hpp"
#include "cli/paths.hpp"
#include "cli/status.hpp"
#include "document/document.hpp"
#include "document/report.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

// Values

/// A century, so that twice that before or after now is a number of nanoseconds, on any clock.
inline constexpr std::chrono::hours longest_age{36525 * 24};
/// A time with a unit, such as "30d" or "1.5h", up to longest_age and rounded to seconds; nothing
/// for any other text.
[[nodiscard]] std::optional<std::chrono::seconds> read_age(std::string_view text);
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
inline constexpr number_range<double> up_to_a_day{above_0, 86400, "a time of up to 1d"};
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
void check_pair(const std::string& what, const std::vector<std::string>& files);
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

/// A file with more paths of profiles.
struct list_options {
    std::string file;     ///< Empty for none; "-" is standard input.
    bool has_nul = false; ///< Each path there ends with NUL.
};
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

/// The place of a series' state, and its use.
struct state_options {
    std::string file;                 ///< Empty for none.
    bool reset = false;               ///< Go on as if there were no state yet.
    double lock_timeout_seconds = 30; ///< The time to wait for another run.
};
/// `--first`
void add_first(command_options& options, bool& skip_first);
void add_lock_timeout(command_options& options, double& seconds);
/// The options have a heading of their own.
/// @param skip_first is set by `--first`.
void add_state(command_options& options, state_options& chosen, bool& skip_first);
/// Checks what goes with a state, and adds the file that is not named.
void check_state(const state_options& chosen, std::vector<std::string>& files);
/// The state and its lock; neither if there is no state.
void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen);

/// The file that holds the state of a series, locked as long as this lives.
class state_file {
public:
    /// Waits for the lock.
    /// @throws failure io
    explicit state_file(const state_options& chosen);

    /// Gives `computer` the state, unless there is none yet or it is not to be used. Meanwhile
    /// `raw` is read; see read_ahead(). The state knows profiles without the names of binaries,
    /// which may be others the next time; see result::put_names().
    /// @returns the profile in `raw`.
    /// @throws failure malformed, incompatible, io.
    read_profile load_beside(raw_file raw, const read_options& options, match_mode match,
                             unsigned threads, delta_computer& computer) const;

    /// Replaces the state, durably. Call this last: a crash before it repeats an interval but loses
    /// none.
    /// @param state see delta_computer::save().
    void replace(const std::string& state) const;

private:
    const state_options& m_chosen;
    std::string m_path; // with links followed
    lock_file m_lock;
};

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

/// Adds the options that choose what is kept of a profile that is written: types, labels and a
/// selection, under a heading of their own.
void add_kept(command_options& options, trim_options& kept);
/// Leaves that of a delta, and says in its summary how many samples these are.
/// @param match says which samples are the same.
/// @throws error as profile_sum::add() does.
void trim_delta(const trim_options& kept, match_mode match, std::string& delta,
                delta_summary& summary);
/// A warning that a choice left no sample, as a name that is misspelt does; empty if any is left,
/// or none was there.
[[nodiscard]] std::string none_left_text(std::size_t before, std::size_t after);

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

/// The views of stacks.
/// @param stacks must outlive what is returned.
/// @param top    limits the number of functions, and of edges of each.
/// @param most   the same, and so many paths and levels of a tree, which lacks what is less than
/// one
///               of so many equal parts. It is for outputs that have little room.
[[nodiscard]] call_views views_of(const call_options& chosen, const call_stacks& stacks,
                                  std::size_t top, std::size_t most = no_limit);

// Output

void add_quiet(command_options& options, bool& quiet);
/// `-o`; "-" is standard output, as no file is.
void add_output(command_options& options, std::string& file, const std::string& text);
/// `--max-bytes` of an output.
void add_max_bytes(command_options& options, std::size_t& size);

/// The output with the first rows only, as many as fit: whole ones, and what comes before them.
/// @param max_bytes limits the output; 0 for no limit.
/// @param make      the output with at most so many rows in each table; nothing for all of them.
///                  More rows never make it shorter by much.
/// @throws usage_failure if it does not fit without any row.
/// Cost: that of as many outputs as `max_bytes` has bits, none of much more than that.
[[nodiscard]] std::string
fitted(std::size_t max_bytes,
       const std::function<std::string(std::optional<std::size_t> most_rows)>& make);

/// The form in which tables are written, and their place.
struct output_form {
    enum class form { text, markdown, json };
    enum class color { automatic, always, never };

    form format = form::text;
    std::size_t max_bytes = 0; ///< The most bytes of what is written; 0 for no limit.
    std::string file;          ///< Empty for standard output.
    color colors = color::automatic;

    /// `--format` and `--max-bytes`
    void add_format(command_options& options);
    void add_color(command_options& options);

    /// A view in the form that was chosen, with as many rows as fit. There are document_of() and
    /// as_json() of it.
    /// @param narrow leaves at most so many of what the view has besides the rows of tables, for
    ///               less and less of them or for more.
    /// @throws usage_failure as fitted() does.
    template <typename View>
    [[nodiscard]] std::string
    render(View view,
           const std::function<void(std::type_identity_t<View>& view, std::size_t most_rows)>&
               narrow = {}) const {
        const std::size_t top = view.top;
        return fitted(max_bytes, [&](std::optional<std::size_t> most_rows) {
            view.top = std::min(top, most_rows.value_or(top));
            if (most_rows && narrow) {
                narrow(view, *most_rows);
            }
            if (max_bytes != 0) {
                view.budget = row_budget{max_bytes, most_rows};
            }
            if (format == form::json) {
                return as_json(view);
            }
            if (format == form::markdown) {
                view.top = std::min(view.top, most_rows_of_markdown);
            }
            return in_words(document_of(view), most_rows, next_line(view.next));
        });
    }

    /// The width of the terminal that text goes to, in columns; 0 if it goes elsewhere.
    [[nodiscard]] std::size_t width() const;
    /// Whether text has colors: unless it was decided, on a terminal without NO_COLOR.
    [[nodiscard]] bool has_colors() const;
    /// Whether what is written comes to the same place as what is printed on standard error.
    [[nodiscard]] bool is_beside_errors() const;

private:
    // Text or Markdown. Where it is too long without rows, only the summary is left of it.
    [[nodiscard]] std::string in_words(document content, std::optional<std::size_t> most_rows,
                                       const std::string& next) const;
    // "next: pprofdelta report …", for readers that limit the size of what they read; else empty.
    [[nodiscard]] std::string next_line(const command_list& next) const;
};

/// The format of a written profile.
enum class profile_format : std::uint8_t { pprof, otlp };

/// The place and form of the profile that a command makes.
struct profile_output {
    std::string file; ///< Empty for standard output.
    profile_format format = profile_format::pprof;
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Write binary output even to a terminal.

    /// @param what the profile is, for the help.
    void add_options(command_options& options, const std::string& what);
    /// Adds the options for how profiles are wrapped.
    void add_form(command_options& options, const std::string& what);
    /// @throws failure usage
    void check() const;
    /// @throws failure usage if the profile would go to a terminal.
    void refuse_terminal() const;

    /// A profile as it will be written.
    /// @param is_delta whether it says what happened in an interval, for a format that has to be
    ///                 told.
    /// @param lost     receives a warning about what the format has no place for; empty for
    ///                 nothing.
    [[nodiscard]] std::string encoded(std::string profile, bool is_delta, std::string& lost) const;
};

/// The file of a run_status; empty for none.
void add_status(command_options& options, std::string& path);
/// @param output is that of the run; empty for standard output.
/// @throws usage_failure if both go to standard output.
void check_beside_output(const std::string& name, const std::string& path,
                         const std::string& output);
void check_status(const std::string& path, const std::string& output);
[[nodiscard]] output_path status_output(const std::string& path);

/// Adds the inputs of a run.
void add_inputs(run_status& line, const std::vector<std::string>& files,
                const state_options& state);

// Limits

/// The limits on profiles.
struct limit_options {
    std::vector<std::string> limits; ///< The limits as given; see parse_limit().
    std::vector<std::string> files;
    /// The size of a function, for limits on each; see parse_amount().
    std::string min_amount;
    bool annotations = false;  ///< Print workflow commands of GitHub.
    bool are_strict = false;   ///< A value that varies too much for a limit is a failure.
    bool allows_empty = false; ///< The judged profile may have no samples, and limits no match.

    [[nodiscard]] bool has_limits() const noexcept { return !limits.empty() || !files.empty(); }
};
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

/// A gate is to fail if what it looks at was not there at all.
/// @param samples how many there are of what is judged, and of what it is compared with.
/// @param current names the judged profile.
/// @throws failure incompatible
void require_samples(const value_pair& samples, const std::string& current);

} // namespace pprofdelta::tool
