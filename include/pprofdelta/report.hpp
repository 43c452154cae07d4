// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_REPORT_HPP
#define PPROFDELTA_REPORT_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
};

/// What the frames of a report's row have in common.
enum class grouping : std::uint8_t {
    function, ///< The name; the binary's, in brackets, for a frame without one.
    file,     ///< The source file.
    package,  ///< The package, namespace or folder, as far as names and files tell.
    line,     ///< Name, source file and line.
    label,    ///< No frames: the values of a label.
};

/// "function", "file", "package", "line" or "label".
[[nodiscard]] const char* to_string(grouping by) noexcept;

/// What rows are grouped by, with the key of a label as in "label:tenant".
[[nodiscard]] std::string grouping_text(grouping by, std::string_view label_key);

/// By what a report's rows are sorted, the largest first, whether it is up or down.
enum class row_order : std::uint8_t {
    flat,    ///< The flat change, then that of cum.
    cum,     ///< The change of cum, then the flat one.
    percent, ///< The change of cum as a part of the previous value, then as `cum`.
};

/// "flat", "cum" or "percent".
[[nodiscard]] const char* to_string(row_order order) noexcept;

/// Which samples count, and which frames of their stacks, with the rules of google/pprof
/// (profile/filter.go and internal/driver/driver_focus.go). Regular expressions have RE2's syntax,
/// as in a limit; an empty one stands for none. What is searched of a frame is the name of its
/// function, that of the source file, and that of the binary.
///
/// First names are changed by `renames`. Then `focus` and `ignore` look at whole stacks, and only
/// after that `hide` and `show_from` take frames away.
struct stack_selection {
    /// Only samples that have a match of `focus` in their stack, and none of `ignore`.
    std::string focus{};
    std::string ignore{};
    /// KEY=VALUES: only samples for which each of `labels` has a match, and none of `no_labels`.
    /// VALUES is a regular expression that is searched for in values that are texts. If it is a
    /// number or a range of them, as in "32kb", "32kb:", ":1mb" or "32kb:1mb", both ends included,
    /// it matches numbers in that range as well. Units are those of pprof, in any case, so that a
    /// kb has 1024 bytes; or KiB, MiB, GiB, TiB. A number without a unit is in that of the label.
    std::vector<std::string> labels{};
    std::vector<std::string> no_labels{};
    /// Matching frames are taken out of stacks. What a frame that goes has is its caller's. Samples
    /// of which no frame is left do not count.
    std::string hide{};
    /// Stacks begin with their outermost match: its callers are taken away. Samples without a match
    /// do not count. As in pprof, callers into which a matching function is inlined are missing
    /// wherever else that location is in a stack.
    std::string show_from{};
    /// REGEX=TEXT: each match in the name of a function is replaced by TEXT, in which \1 to \9 are
    /// what groups matched, and \0 all of it, one after the other, before anything else looks at
    /// the name. REGEX ends before the first '=' that has no backslash before it.
    std::vector<std::string> renames{};
    /// Keys of labels whose values are the outermost frames of each stack, the first key outermost;
    /// for samples without that is "(no KEY)". Regular expressions are not searched for in these.
    std::vector<std::string> label_roots{};
};

/// @throws error invalid_argument for what a stack_selection cannot have.
void check_selection(const stack_selection& selection);

struct report_options {
    grouping by = grouping::function;
    /// The key, for grouping::label. A row is a value of it, a number as human() has it with the
    /// unit that pprof takes it for, or "(no KEY)". Of a sample with several values, flat counts
    /// for the first one, and cum for each, as with `go tool pprof -tags`.
    std::string by_label{};
    /// The sample type to report on. Without one make_report() begins with the default one: the
    /// profile's default_sample_type, and if it has none, the last one, as pprof does.
    std::optional<value_type_pattern> sample_type;
    row_order order = row_order::flat;
    stack_selection selection{}; ///< Of the rows. Totals are those of all samples.
};

/// @throws error invalid_argument for what is no regular expression of a stack_selection.
void check_pattern(std::string_view regex);

struct report {
    /// What the rows hold.
    enum class content : std::uint8_t {
        comparison, ///< Values in both profiles, of all rows where they differ.
        delta,      ///< What a delta has, as `current`; `previous` is 0.
        profile,    ///< What one profile has, as `current`; `previous` is 0.
    };
    struct total {
        value_type type;
        value_pair value; ///< Over all samples; `previous` is 0 where it is not known.
        bool has_previous = true;
        /// What has happened: of a cumulative type in a delta what the delta has, which after a
        /// restart is not the difference of the values; else that difference.
        std::int64_t change = 0;
        bool has_change = true; ///< Nothing is known of gauges before, if there is but a state.
        /// Whether a delta, or one profile, has what was counted here, and not a gauge. Then the
        /// change in percent would be that of the time since the process began.
        bool is_cumulative = false;
        /// What was counted for each second of the duration; empty for a gauge, and without one.
        std::optional<double> per_second{};
        /// What shares of rows are of: the sum of the values of all samples of a delta, or of one
        /// profile, without their signs. `go tool pprof` has the same.
        std::int64_t size = 0;
    };
    struct row {
        std::string name; ///< Any bytes; "(no stack)" for samples without one.
        value_pair flat;  ///< Of samples whose innermost frame is in this row.
        /// The sum of samples with a frame in this row; each counts once, however many it has.
        value_pair cum;
    };

    content of = content::comparison;
    std::vector<total> totals; ///< In the profile's order.
    std::size_t type = 0;      ///< Which of them the rows are about.
    /// The time that a delta covers, and the end of that; for one profile what it says of both,
    /// where profilers differ in whether the time is the end. 0 if it is not known.
    std::int64_t duration_nanos = 0;
    std::int64_t time_nanos = 0;
    value_pair shown; ///< Of that type, over the samples that the selection leaves.
    /// All rows that are not zero, or in which something changed, sorted as asked for, and equal
    /// ones by name.
    std::vector<row> rows;
};

/// "comparison", "delta" or "profile".
[[nodiscard]] const char* to_string(report::content of) noexcept;

/// What a report, a judgement and the pictures are made of: one profile, two that are compared, or
/// a delta with what it was made of. Each profile is indexed once, when that is first needed, for
/// all that is made of it. Not safe in several threads at once.
class viewed_profiles {
public:
    /// The bytes, which are serialized and uncompressed profiles, must outlive this.
    explicit viewed_profiles(std::string_view profile);
    viewed_profiles(std::string_view previous, std::string_view current);
    explicit viewed_profiles(const computed_delta& delta);
    ~viewed_profiles();
    viewed_profiles(const viewed_profiles&) = delete;
    viewed_profiles& operator=(const viewed_profiles&) = delete;

    /// How many samples the profiles have; 0 for one that is not there.
    /// @throws error malformed, too_large
    [[nodiscard]] value_pair samples() const;

    class PPROFDELTA_LOCAL impl;
    /// For the library itself.
    [[nodiscard]] impl& content() const noexcept { return *m_impl; }

private:
    std::unique_ptr<impl> m_impl;
};

/// Compares two profiles, as `go tool pprof -top -diff_base` does. Inlined functions are frames.
/// Unlike pprof it leaves no frames out for drop_frames. Without a type to report on it is the
/// default one of the current profile, unless no row of that changed. Then it is the last one in
/// bytes, else the last one, of those types with rows that changed which are cumulative by their
/// names; or, if none is, of all that have such rows.
///
/// Of a delta, rows of a cumulative type are what the delta has: what has happened in between, also
/// after a restart. Rows of a gauge compare the two profiles, or are the current one's if the
/// previous one is not there. Without a type to report on it is the default one. But if that is a
/// gauge, it is the last one in bytes, else the last one, of those cumulative types with rows in
/// the delta; without any it is the gauge if a row of it changed, and else the same of all
/// cumulative types.
///
/// Of one profile, the totals have no previous values. Without a type to report on it is the
/// default one. But if the profile has a duration, as deltas do, and that is a gauge, it is a
/// cumulative one, chosen as for a delta.
///
/// Only what is needed is looked at: a fault in the stack of a sample without a value is not found.
/// To know that a profile is sound as a whole, make a delta of it.
///
/// Cost: time linear in the profiles, and of sorting the rows. For a delta that of the delta, and
/// for the totals of the samples of the profiles.
/// @throws error malformed; too_large, also for a sum that would not fit 64 bits, a location with
///         more than 1000 lines, or stacks whose inlined frames are far more than the profile's
///         bytes; incompatible for profiles that do not go together, or a type to report on that is
///         not there or not one alone.
[[nodiscard]] report make_report(const viewed_profiles& of, const report_options& options = {});

// Of what nothing else is made of.
[[nodiscard]] inline report make_report(std::string_view previous, std::string_view current,
                                        const report_options& options = {}) {
    return make_report(viewed_profiles{previous, current}, options);
}
[[nodiscard]] inline report make_report(const computed_delta& delta,
                                        const report_options& options = {}) {
    return make_report(viewed_profiles{delta}, options);
}
[[nodiscard]] inline report make_report(std::string_view profile,
                                        const report_options& options = {}) {
    return make_report(viewed_profiles{profile}, options);
}

/// A value for people, such as "1.50MiB" of 1572864 bytes or "5.59s", of two decimals unless they
/// are zeros. `go tool pprof` prints the same number with the unit MB, and means 2^20 bytes too.
/// Units that are neither of memory nor of time are left out. The point is one in every locale.
[[nodiscard]] std::string human(std::int64_t value, std::string_view unit);

/// As human() for any number, such as a median, which is rounded to the next value of a profile.
[[nodiscard]] std::string human_number(double value, std::string_view unit);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_REPORT_HPP
