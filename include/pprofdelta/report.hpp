// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const report found = make_report({previous, current}, {.by = grouping::package});
//     const report::total& total = found.totals[found.type];
//     std::cout << to_string(total.type) << format_value(total.change, total.type.unit) << '\n';
//     for (const report::row& each : found.rows) {
//         std::cout << format_value(each.cum.current, total.type.unit) << " " << each.name << "\n";
//     }

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A value in two profiles, in the unit of its sample type.
struct value_pair {
    std::int64_t previous = 0;
    std::int64_t current = 0;

    friend bool operator==(const value_pair&, const value_pair&) = default;
};

/// The property that the frames of a report's row share.
enum class grouping : std::uint8_t {
    function, ///< The function's name; for a frame without one, the binary's, in brackets.
    file,     ///< The source file.
    package,  ///< The package, namespace or folder, as far as names and files show it.
    line,     ///< The function's name, source file and line.
    label,    ///< The values of a label instead of frames.
    /// The bytes per object instead of frames: the values of the label `bytes`, as Go's heap
    /// profiles have it. Samples without it are "up to 64B" and so on with each power of two, by
    /// their values of the first pair of types of which one is a count and the next in bytes; "(no
    /// size)" if they have none.
    size,
};

/// Returns "function", "file", "package", "line", "label" or "size".
[[nodiscard]] const char* to_string(grouping grouped) noexcept;

/// Returns what rows are grouped by, with the key of a label as in "label:tenant".
[[nodiscard]] std::string grouping_text(grouping grouped, std::string_view label_key);

/// The order of a report's rows: the largest first, by size, whether it is an increase or a
/// decrease.
enum class row_order : std::uint8_t {
    flat,    ///< The change of flat, then that of cum.
    cum,     ///< The change of cum, then that of flat.
    percent, ///< The change of cum as a part of the previous value, then as `cum`.
};

/// Returns "flat", "cum" or "percent".
[[nodiscard]] const char* to_string(row_order order) noexcept;

/// Selects samples, and frames of their stacks, by the rules of google/pprof (profile/filter.go and
/// internal/driver/driver_focus.go). Regular expressions have the syntax of RE2, as in a limit; an
/// empty one selects nothing out. They are searched for in the name of a frame's function, the name
/// of its source file and the name of its binary.
///
/// First `renames` changes names. Then `focus` and `ignore` match whole stacks, and only after that
/// `hide` and `show_from` remove frames.
struct stack_selection {
    /// Keeps only samples whose stack has a match of `focus` and none of `ignore`.
    std::string focus{};
    std::string ignore{};
    /// KEY=VALUES: keeps only samples for which each of `labels` matches, and none of `no_labels`.
    /// VALUES is a regular expression that is searched for in text values. If it is a number or a
    /// range, as in "32kb", "32kb:", ":1mb" or "32kb:1mb", both ends included, it also matches
    /// numbers in that range. Units are those of pprof, in upper or lower case, so a kb has 1024
    /// bytes; or KiB, MiB, GiB, TiB. A number without a unit has that of the label.
    std::vector<std::string> labels{};
    std::vector<std::string> no_labels{};
    /// Removes matching frames from stacks. The value of a removed frame goes to its caller.
    /// Samples without any frame left do not count.
    std::string hide{};
    /// Makes stacks begin with their outermost match, without its callers. Samples without a match
    /// do not count. Callers into which a matching function is inlined are missing wherever else
    /// that location is in a stack, as in pprof.
    std::string show_from{};
    /// REGEX=TEXT: replaces each match in the name of a function by TEXT, in which \1 to \9 stand
    /// for the matches of groups, and \0 for the whole match. Applied one after the other, before
    /// anything else uses the name. REGEX ends before the first '=' without a backslash before it.
    std::vector<std::string> renames{};
    /// Keys of labels whose values become the outermost frames of each stack, the first key
    /// outermost; "(no KEY)" for samples without the label. Regular expressions are not searched
    /// for in these.
    std::vector<std::string> label_roots{};
    /// Whether stacks with frames of a profiler that was taking a profile do not count;
    /// pprofdelta-producers(7) lists those known.
    bool without_capture = false;
    /// Whether functions have the names that builds of one source have in common: after `renames`,
    /// as with match_mode::function.
    bool names_between_builds = false;
    /// Whether the inner ends of stacks are left out, so that their values go to the caller, before
    /// anything else: from the outermost frame that the profile's drop_frames match and its
    /// keep_frames do not, as in pprof; and in profiles of native allocations those of allocators
    /// and containers that pprofdelta-producers(7) lists. Of each stack a frame is left.
    bool folds_allocators = false;

    friend bool operator==(const stack_selection&, const stack_selection&) = default;
};

/// Checks a selection.
/// @throws error invalid_argument for an invalid member.
void check_selection(const stack_selection& selection);

/// Most callers set `sample_type`, and `by` or `selection`; the defaults are those of pprof.
struct report_options {
    grouping by = grouping::function;
    /// The key, for grouping::label. A row is a value of the label, or "(no KEY)"; a number is
    /// written as by format_value(), with the unit that pprof assumes. A sample with several values
    /// counts in flat for the first one, and in cum for each, as in `go tool pprof -tags`.
    std::string by_label{};
    /// The sample type to report on. Empty for the choice that make_report() describes. It starts
    /// from the default type: the profile's default_sample_type, or else its last type, as in
    /// pprof.
    std::optional<value_type_pattern> sample_type{};
    row_order order = row_order::flat;
    stack_selection selection{}; ///< The samples of the rows. Totals are over all samples.
};

struct report {
    /// The values of the rows.
    enum class content : std::uint8_t {
        comparison, ///< The values in both profiles, of all rows where they differ.
        delta,      ///< The values of a delta, as `current`; `previous` is 0.
        profile,    ///< The values of one profile, as `current`; `previous` is 0.
    };
    struct total {
        value_type type;
        value_pair value; ///< The sum over all samples; `previous` is 0 if it is unknown.
        bool has_previous = true;
        /// The change. It is the delta's value for a cumulative type in a delta, and otherwise the
        /// difference of the values; after a restart these differ.
        std::int64_t change = 0;
        /// False if the change is unknown: for one profile, and for a gauge if only a saved state
        /// of the previous profile is left.
        bool has_change = true;
        /// Whether this was counted, in a delta or a single profile. A change in percent would
        /// then refer to the time since the start of the process. False for gauges and in
        /// comparisons.
        bool is_cumulative = false;
        /// The counted value per second of the duration, in the unit of `type`. Empty for a gauge,
        /// without a duration, and for waits that began before the interval.
        std::optional<double> per_second{};
        /// The mean in nanoseconds of the time of waits in a delta if it is longer than the
        /// interval, so that some began before it; otherwise 0.
        std::int64_t mean_wait_nanos = 0;
        /// The base of the shares of rows: the sum of the absolute values of all samples of a delta
        /// or of one profile or, if `go tool pprof -proto -diff_base` wrote that, of its base's
        /// samples alone, as in `go tool pprof`.
        std::int64_t size = 0;
        bool is_size_of_base = false;
    };
    struct row {
        std::string name; ///< Any bytes; "(no stack)" for samples without one.
        value_pair flat;  ///< The samples whose innermost frame is in this row.
        /// The samples with a frame in this row. Each counts once, however many such frames it has.
        value_pair cum;
    };

    content of = content::comparison;
    std::vector<total> totals; ///< The totals in the profile's order.
    std::size_t type = 0;      ///< The place in `totals` of the rows' type.
    /// The time that a delta covers, and its end. A report on one profile has the profile's own
    /// values; profilers differ in whether the time is the end. 0 if unknown.
    std::int64_t duration_nanos = 0;
    std::int64_t time_nanos = 0;
    bool is_unpublished = false; ///< See delta_summary.
    /// The durations in a comparison of a type that was counted in durations that differ by more
    /// than a twentieth; otherwise 0.
    value_pair durations;
    /// The number of stacks of each profile of a comparison that lack the outer end, as Go keeps no
    /// more frames, and the number of frames it keeps; 0 if both lack none, or keep as many.
    value_pair cut_stacks;
    value_pair cut_frames;
    value_pair shown; ///< The total of that type over the selected samples.
    /// The part of `shown` that is of stacks in which a profiler takes a profile, where rows are of
    /// frames.
    value_pair capture;
    /// All rows that are not zero, or that changed in a comparison, in the order of the options,
    /// equal ones by name.
    std::vector<row> rows;
    /// The number of functions, and of binaries without any, that stack_selection::folds_allocators
    /// left out of stacks; 0 if rows are not of frames. They can be in other stacks.
    std::size_t folded_functions = 0;
};

/// Returns "comparison", "delta" or "profile".
[[nodiscard]] const char* to_string(report::content content) noexcept;

/// The input of reports, judgements and graphs: one profile, two to compare, or a delta with the
/// profiles that it was made from. Each profile is indexed once, when it is first needed. Several
/// threads must not use it at once.
class viewed_profiles {
public:
    /// The bytes, which are serialized and uncompressed profiles, must outlive the object, so no
    /// temporary string is taken. The constructors are not explicit, for profiles that one thing
    /// alone is made from: make_report({previous, current}).
    viewed_profiles(std::string_view profile);
    viewed_profiles(const std::string&&) = delete;
    template <std::convertible_to<std::string_view> Bytes>
    viewed_profiles(const Bytes& profile) : viewed_profiles{std::string_view{profile}} {}
    viewed_profiles(std::string_view previous, std::string_view current);
    template <typename Previous, typename Current>
    requires(std::same_as<std::remove_const_t<Previous>, std::string> ||
             std::same_as<std::remove_const_t<Current>, std::string>) // if it is no lvalue
        viewed_profiles(Previous&&, Current&&)
    = delete;
    /// Whatever takes it throws invalid_argument unless there are as many computed_delta::types as
    /// the delta has.
    viewed_profiles(const computed_delta& delta);
    ~viewed_profiles();
    viewed_profiles(const viewed_profiles&) = delete;
    viewed_profiles& operator=(const viewed_profiles&) = delete;

    /// Returns the number of samples of each profile; 0 for a profile that is not there.
    /// @throws error malformed, too_large
    [[nodiscard]] value_pair samples() const;

    /// Does ahead what is otherwise done on first use, for when another thread has time.
    /// @throws error malformed, too_large
    void prepare() const;

    class PPROFDELTA_LOCAL impl;

private:
    std::unique_ptr<impl> m_impl;
};

/// Makes a report. Inlined functions are frames. Unlike pprof, it leaves out no frames for
/// drop_frames unless the selection folds allocators.
///
/// Two profiles are compared, as by `go tool pprof -top -diff_base`. The type to report on is, if
/// none is given, the default type of the current profile, unless no row of it changed. Then it is
/// the last one in bytes, or else the last one, of the types with changed rows that are cumulative
/// by their names; or, if none is, of all types with changed rows.
///
/// The rows of a cumulative type in a delta are those of the delta: what happened in the interval,
/// also after a restart. The rows of a gauge compare the two profiles, or are those of the current
/// one if there is no previous one. The type to report on is, if none is given, the default type.
/// If that is a gauge, however, it is the last one in bytes, or else the last one, of the
/// cumulative types with rows in the delta; without any, the gauge if a row of it changed, or else
/// the same choice among all cumulative types.
///
/// The totals of one profile have no previous values. The type to report on is, if none is given,
/// the default type. If the profile has a duration, however, as deltas do, and that type is a
/// gauge, it is a cumulative one, chosen as for a delta.
///
/// A report reads only what it needs, so a fault in the stack of a sample without a value is not
/// found. A delta of a profile checks the whole of it.
///
/// Cost: time linear in the profiles, and for sorting the rows. The cost for a delta is linear in
/// the delta and, for the totals, in the samples of the profiles.
/// @throws error malformed; too_large, also for a sum that does not fit 64 bits, a location with
///         more than 1000 lines, or stacks whose inlined frames are far more than the profile's
///         bytes; incompatible for profiles that do not go together, or a type to report on that
///         matches no type or several.
[[nodiscard]] report make_report(const viewed_profiles& profiles,
                                 const report_options& options = {});

/// Returns a value for people, such as "1.50MiB" for 1572864 bytes or "5.59s", with two decimals
/// unless both are zero. `go tool pprof` prints the same number with the unit MB, and means 2^20
/// bytes too. Units other than those of memory and time are left out. The decimal point is a point
/// in every locale.
[[nodiscard]] std::string format_value(std::int64_t value, std::string_view unit);

/// Returns any number, such as a median, in the same form: rounded to bytes or nanoseconds, but
/// what is less than one of them keeps two decimals; in other units rounded to the nearest value.
[[nodiscard]] std::string format_number(double value, std::string_view unit);

} // namespace pprofdelta

#pragma GCC visibility pop
