// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     profile_comparison comparison;
//     comparison.add(compare_side::base, previous); // and further captures
//     comparison.add(compare_side::head, current);
//     for (const compared_row& each : comparison.totals().rows) {
//         std::cout << each.base.median << " to " << each.head.median << '\n';
//     }

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The version that a capture belongs to.
enum class compare_side : std::uint8_t { base, head };

/// Returns "base" or "head".
[[nodiscard]] const char* to_string(compare_side side) noexcept;

/// The correction for the number of tests, since some of many p-values are small by chance.
enum class correction : std::uint8_t {
    holm, ///< Alpha is the chance of any false change in a family of tests.
    /// Alpha is the expected share of false changes among those found. Rows of a comparison are
    /// weighted by the square root of their mean over both sides.
    benjamini_hochberg,
    none, ///< Alpha is the chance of a false change in each test.
};

/// Returns "holm", "bh" or "none".
[[nodiscard]] const char* to_string(correction correct) noexcept;

/// The significance test.
enum class test_kind : std::uint8_t {
    automatic, ///< `moderated` if a side has too few captures for ranks, and otherwise `ranks`.
    ranks,     ///< u_test and permutation_test.
    moderated, ///< moderated_test, with the noise of the rows that are not too small.
};

/// Returns "auto", "ranks" or "moderated".
[[nodiscard]] const char* to_string(test_kind kind) noexcept;

/// The result of the test of a row.
enum class verdict : std::uint8_t {
    grew,    ///< A significant increase: the corrected p is at most alpha.
    fell,    ///< A significant decrease.
    same,    ///< The confidence interval of the change lies within the minimal change.
    unsure,  ///< None of these; more captures or less noise would decide.
    too_few, ///< The same as `unsure`, but with so few captures, no p can be small enough.
};

/// Returns "grew", "fell", "same", "unsure" or "too few".
[[nodiscard]] const char* to_string(verdict found) noexcept;

struct compare_options {
    grouping by = grouping::function;
    std::string by_label{}; ///< The key, as in report_options.
    /// The samples of the rows, as in report_options. Totals, and limits on them, are over all
    /// samples.
    stack_selection selection{};
    /// A regular expression in the syntax of RE2; only rows with a match in their names are
    /// compared. Empty for all rows.
    std::string rows{};
    /// Regular expressions in the same syntax for the rows whose callers, or callees, are compared
    /// as well. Empty for none.
    std::string callers_of{};
    std::string callees_of{};
    /// The significance level, between 0 and 1. Intervals have the confidence 1 - alpha.
    double alpha = 0.05;
    /// The correction of the rows of tables. Totals and limits are corrected so that alpha is the
    /// chance of any false change, unless this is `none`: by permutation_test for
    /// `benjamini_hochberg`, and otherwise, and always with a moderated test, by Holm.
    correction corrected = correction::benjamini_hochberg;
    double min_change = 0.02; ///< The minimal change, as a part of the base's median.
    /// The smallest mean of a row over the captures of both sides; smaller rows are left out. It
    /// applies to the sample types that its unit fits; without a unit, to all.
    std::optional<amount> min_amount{};
    /// The smallest mean of a row of any other type, as a part of the total's mean.
    double min_share = 0.01;
    /// If set, each capture is scaled to the median total, or the median duration, of the head's
    /// captures. If not, and all captures have a duration, and the medians of both sides differ by
    /// more than a twentieth, what they counted in it is scaled by duration all the same.
    std::optional<normalization> normalized_by{};
    /// Whether captures whose durations differ are scaled without `normalized_by`. False where each
    /// capture did the same work, which takes longer if it costs more.
    bool scales_durations = true;
    /// Whether captures were taken in turn: those of the base and the head with the same number are
    /// a pair, and close in time, so differences between pairs do no harm. The test is then a
    /// permutation_test of the pairs' differences in asinh(100 * value / the row's mean), which is
    /// like the logarithm, but defined for zero.
    bool are_paired = false;
    /// The test. It must not be `moderated` for pairs, which have a test of their own.
    test_kind test = test_kind::automatic;
    /// The number of captures on each side from which `automatic` takes ranks. No p is small enough
    /// for tens of rows with fewer.
    static constexpr std::size_t enough_for_ranks = 8;
    /// A limit is crossed with a moderated test only if the corrected p is at most this part of
    /// alpha.
    static constexpr double gate_share = 0.2;
    /// Whether there is a test. Otherwise medians are compared, and no change is significant.
    bool is_tested = true;
    /// Whether limits on times are judged even if all captures of one side are older than those of
    /// the other; see compared_limit::is_undecided.
    bool trusts_order = false;
};

/// The captures of one side.
struct compared_values {
    std::vector<double> values; ///< The value of each capture, in the order of their addition.
    double median = 0;
    /// The confidence interval of the median; empty if there are too few captures.
    std::optional<interval> within;

    /// Returns whether any capture has a value other than 0.
    [[nodiscard]] bool has_any() const noexcept {
        return std::ranges::any_of(values, [](double value) { return value != 0; });
    }
};

/// The values of a row in the captures of both sides, and their test. Values are in the unit of the
/// sample type.
struct compared_row {
    std::string name; ///< Any bytes; empty for a total.
    compared_values base;
    compared_values head;
    /// The mean number of events of a capture that the values stand for, such as sampled
    /// allocations; 0 if it is not known.
    double events = 0;
    /// The estimate of the head minus the base, by u_test::estimate() or
    /// moderated_test::result::change(); for pairs, the median of the differences; without a test,
    /// the difference of the medians. If no value is negative, it is at least minus the base's
    /// median and at most the head's.
    double change = 0;
    /// The confidence interval of the change; empty if there are too few captures.
    std::optional<interval> within;
    double u = 0; ///< The statistic of u_test; 0 for other tests.
    std::optional<moderated_test::result> moderated; ///< The result of a moderated_test.
    double p = 1;                                    ///< The uncorrected p; 1 without a test.
    double corrected_p = 1;                          ///< Corrected for all rows tested together.
    /// The smallest change that would be significant, alone among the rows tested together, in
    /// about four of five comparisons with as many captures and this noise; empty if none would.
    std::optional<double> detectable;
    pprofdelta::verdict verdict = pprofdelta::verdict::unsure;
    /// The other name of a function that was surely renamed, of which one name is in no capture of
    /// the base and the other in none of the head: both have the same callers and callees, but for
    /// such names, and values within the minimal change, and nothing else is like them. Empty if
    /// there is none.
    std::string other_name{};

    /// Returns whether the change is significant. False without a test.
    [[nodiscard]] bool is_significant() const noexcept {
        return verdict == pprofdelta::verdict::grew || verdict == pprofdelta::verdict::fell;
    }
};

/// Returns the name of a benchmark of Go without its package, such as "BenchmarkTokens" of
/// "example.org/textkit.BenchmarkTokens", also of a function literal in it, such as a part that it
/// runs; empty for any other function.
[[nodiscard]] std::string_view benchmark_name(std::string_view function) noexcept;

/// Returns whether a function is of Go's package that runs benchmarks, and so says nothing of the
/// program.
[[nodiscard]] inline bool runs_benchmarks(std::string_view function) noexcept {
    return function.starts_with("testing.");
}

/// Why there are too few captures for any significant change.
struct too_few_captures {
    std::size_t hypotheses = 0; ///< The number of questions that are corrected together.
    double least_p = 0;         ///< The smallest p that the test can give.
    double needed_p = 0;        ///< The p that the largest row needs if it alone changed.
    /// The number of captures that would do; in a comparison, on each side.
    std::size_t enough = 0;
};

/// Rows that were tested together.
///
/// Rows in which all captures have the same order, such as those of a chain of callers, are one
/// question: the test has one answer for them, which is right or wrong once.
struct compared_family {
    std::vector<compared_row> rows; ///< Significant changes first, then by the size of the change.
    std::size_t hypotheses = 0;     ///< The number of distinct questions.
    std::optional<too_few_captures> too_few{};
};

/// The rows of a sample type. Flat and cum are tested separately.
struct compared_rows {
    compared_family flat;     ///< The samples whose innermost frame is in the row.
    compared_family cum;      ///< The samples with a frame in the row.
    std::size_t left_out = 0; ///< The number of rows that are too small, flat and cum.
    /// The number in all captures, as in report.
    std::size_t folded_functions = 0;
};

/// Rows with their callers or callees: the edges of call_list.
struct compared_calls {
    struct function {
        compared_row cum; ///< The row as in compared_rows, except for the correction.
        /// The edges, each the sum of the samples in whose stack one calls the other, in the order
        /// of compared_family.
        std::vector<compared_row> edges{};
        std::size_t left_out = 0; ///< The number of edges that are too small.
    };

    std::vector<function> functions; ///< The functions are in the order of compared_family.
    std::size_t left_out = 0;        ///< The number of functions that are too small.
    compared_row together;           ///< All samples with a row of the query.
    std::size_t hypotheses = 0;      ///< The number of questions, for all rows above together.
    std::optional<too_few_captures> too_few{};
};

/// The share of some samples in the median total of each side.
struct compared_part {
    double base = 0;
    double head = 0;
};

/// The stacks as a tree, from their outermost frames, as in call_tree.
struct compared_tree {
    /// The nodes, each before its callees, which are in the order of compared_family.
    std::vector<stack_node<compared_row>> nodes{};
    std::size_t left_out = 0;  ///< The number of nodes left out by compared_tree_limits.
    std::size_t too_small = 0; ///< The number of frames too small, without those that they call.
    /// The share of the stacks that are complete except for their depth.
    compared_part coverage{};
    std::size_t hypotheses = 0; ///< The number of questions, for all nodes, returned or not.
    std::optional<too_few_captures> too_few{};
};

/// Limits on the size of a tree that is returned. They do not affect the verdicts.
struct compared_tree_limits {
    std::size_t most_nodes = 10000; ///< If there are more, the smallest are left out.
    /// The largest number of levels; of frames, always at most 500.
    std::uint32_t deepest = 500;
};

/// Whole stacks, as in call_paths.
struct compared_paths {
    std::vector<stack_path<compared_row>>
        paths{};                ///< The paths are in the order of compared_family.
    std::size_t left_out = 0;   ///< The number of paths beyond the requested number.
    std::size_t too_small = 0;  ///< The number of further paths, which are too small.
    compared_part coverage{};   ///< The share of `paths`.
    std::size_t hypotheses = 0; ///< The number of questions, for all paths that are not too small.
    std::optional<too_few_captures> too_few{};
};

/// The causes of the change of a total: the fewest places in the tree of stacks that account for
/// it.
///
/// The change is followed from the outermost frames inwards: through a callee that has nearly all
/// of it, and to each of several callees that have parts of it. It is followed only to parts that
/// are significant and at least a twentieth of the total's change. All places that are not too
/// small are tested together.
struct compared_causes {
    /// The causes, each before its parts; the larger ones first. They are tested, except for
    /// `renamed` and what is below that.
    std::vector<change_cause<compared_row>> causes{};
    /// The total minus all causes of depth 0, tested by itself.
    compared_row rest{};
    /// The same as in call_causes, of the two sides.
    std::optional<std::string> differing_roots{};
};

/// The result of a limit for one sample type.
struct compared_limit {
    std::string limit; ///< The text of the limit.
    value_type type;
    limit::scope of = limit::scope::all;
    limit::bound on = limit::bound::value;
    compared_row row; ///< The samples of the limit; all samples for a limit on each function.
    /// Whether the head, or its growth, is beyond the limit, and significantly so; see
    /// compare_options::gate_share. A bound on the value is crossed if the confidence interval of
    /// the head's median lies beyond the limit. If there is no test, the medians alone decide.
    bool crossed = false;
    /// Whether the limit would be crossed, but the change of the code cannot be separated from
    /// other changes over time: the type is a time, such as cpu, or the number of its samples, and
    /// older_side() is known; or from that of the rounds. `crossed` is then false.
    bool is_undecided = false;
    /// Whether the limit is on growth, and the type is scaled by durations that differ although
    /// `normalized_by` does not say so. Per second, the same work grows by nothing if it takes
    /// longer, and by a lot if other work is left out. `is_undecided` is then true, too.
    bool have_other_durations = false;
    /// Whether the limit is on growth, which is of some samples for certain, and beyond it by their
    /// means, but in so few captures that the shift is 0. `is_undecided` is then true, too.
    bool is_rare = false;
    bool has_match = true; ///< Whether a function or label of any capture matches.
    bool is_gone = false;  ///< Whether only one of the base does.
    /// The number of rows that a limit on growth judges, and of those in which a growth up to the
    /// limit would hardly be found: their `detectable` change is larger.
    std::size_t judged = 0;
    std::size_t noisy = 0;
    /// The median `detectable` of the noisy rows, as a part of the base's median; empty if no
    /// change would be found.
    std::optional<double> detectable_part{};
    /// Whether the limit is not crossed, but its noisy rows are at least half of it by size.
    bool is_too_noisy = false;
    /// Whether the limit is on growth, no other sample crosses it, and some of its samples are of
    /// functions that judge() was told to have run other numbers of rounds on both sides.
    /// `is_undecided` tells whether these would cross it.
    bool do_rounds_differ = false;
    /// The first most_crossing functions of a limit on each function that cross it, the largest
    /// change first.
    std::vector<compared_row> functions;
    std::size_t functions_left_out = 0; ///< The number of further functions that cross it.
    /// Why nothing could have crossed the limit.
    std::optional<too_few_captures> too_few;
};

/// Compares several captures of two versions, and tells significant changes from noise: with many
/// captures by a test that assumes nothing about the distribution of the noise, see u_test; with
/// few by the noise of all rows, see moderated_test.
///
/// Captures must be independent, such as one from each of several runs. Two captures of one
/// process, the second of which contains the first, count as one. Take a base and a head in turn,
/// so that other changes over time affect both sides.
///
/// Results are kept until another capture is added, so several threads must not use it at once,
/// whatever they ask.
///
/// Memory: two numbers, flat and cum, for each sample type of each row of each capture, and that of
/// one profile while it is added. The same for each edge of the queries, and for each stack if
/// stacks are kept, with a number for each location of each distinct stack.
class profile_comparison {
public:
    /// @param limits the limits for judge(), which must be known before the first capture.
    /// @throws error invalid_argument for an invalid regular expression; for alpha or a share out
    ///         of range; for a moderated test of pairs; for a limit on a rate; with
    ///         normalization::total, for a limit on the growth of a total, which nothing can cross.
    explicit profile_comparison(const compare_options& options = {},
                                std::vector<limit> limits = {});
    ~profile_comparison();
    profile_comparison(const profile_comparison&) = delete;
    profile_comparison& operator=(const profile_comparison&) = delete;

    /// Adds one profile. It keeps only the sums. Unchanged after an exception.
    ///
    /// Cost: time linear in the profile.
    /// @throws error malformed, too_large; incompatible for sample types that differ from the first
    ///         capture's, for a profile without the duration to normalize by, and for a copy of a
    ///         capture with a time, which would count twice.
    void add(compare_side to, const viewed_profiles& capture);

    /// Returns the number of captures of a side.
    [[nodiscard]] std::size_t captures(compare_side side) const noexcept;

    /// Returns the sample types of the first capture; empty before.
    [[nodiscard]] const std::vector<value_type>& types() const noexcept;

    /// Returns the place of the type that `pattern` matches, or without a pattern, of the type that
    /// make_report() chooses for the first capture.
    /// @throws error incompatible unless exactly one type matches; invalid_argument without a
    ///         capture.
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const;

    /// Returns the side whose captures were all taken before those of the other, among those with
    /// times; empty if there is none. If it is the base, other changes over time look like changes
    /// of the code; if it is the head, the sides may also have been exchanged.
    [[nodiscard]] std::optional<compare_side> older_side() const noexcept;

    /// Returns the names of the program files in the captures of a side, without folders, each
    /// once. More than one may be a mistake.
    [[nodiscard]] std::vector<std::string> programs(compare_side side) const;

    /// Returns whether the head is another program rather than another version: its file has
    /// another name, and less than half of the rows of one side are in the other. O(rows)
    [[nodiscard]] bool is_head_foreign() const;

    /// Returns the test for the captures so far; never `automatic`.
    [[nodiscard]] test_kind test() const noexcept;

    /// Returns by what captures are normalized, which may depend on them; see compare_options.
    [[nodiscard]] std::optional<normalization> normalized_by() const;
    /// Returns the median duration of each side, 0 without captures; zeros if a capture has none.
    [[nodiscard]] value_pair durations() const;

    // The results below need a capture on each side, and for pairs as many on both; and a type is
    // a place in types(). Otherwise invalid_argument is thrown. Time is that of u_test for each
    // row, and of permutation_test, once until another capture is added.

    /// Returns a row for each sample type, in the order of the types.
    [[nodiscard]] compared_family totals() const;

    /// Returns the rows that the options select and that are not zero.
    [[nodiscard]] compared_rows rows(std::size_t type) const;

    /// Returns the callers of the rows that match compare_options::callers_of; callees() is for
    /// callees_of. compare_options::rows has no effect. Small rows and edges are left out as in
    /// rows().
    [[nodiscard]] compared_calls callers(std::size_t type) const;
    [[nodiscard]] compared_calls callees(std::size_t type) const;

    /// Returns the stacks as a tree. compare_options::rows has no effect. Small nodes are left out
    /// as in rows().
    /// @throws error too_large
    [[nodiscard]] compared_tree tree(std::size_t type,
                                     const compared_tree_limits& limits = {}) const;
    /// Returns the stacks that changed most, of those that are not too small.
    /// @param most the largest number of stacks.
    [[nodiscard]] compared_paths paths(std::size_t type, std::size_t most) const;

    /// Returns the causes of the change of a total, or for a total without a significant change,
    /// the significant changes in it.
    /// @param most the largest number of causes. If there are more, only larger ones are returned.
    /// @throws error too_large
    [[nodiscard]] compared_causes causes(std::size_t type, std::size_t most) const;

    /// Judges all limits in their order, each for every sample type that it names. Limits on
    /// functions by name are corrected together, limits on each function with the rows that they
    /// judge, flat or cum, and limits on totals with all totals.
    ///
    /// A limit on each function leaves out the functions of Go's package testing, which run
    /// benchmarks, and its samples below no benchmark, such as what it allocates for each to match
    /// the name; and the samples of benchmarks that only one side has, since what is new or gone
    /// has nothing to be compared with. A function that was surely renamed does not cross a limit
    /// on growth.
    /// @param do_rounds_differ tells of a function whether it ran another number of rounds on each
    ///                         side, so that what its samples count did not grow by the code alone;
    ///                         gauges are judged all the same. Nothing for none.
    /// @throws error incompatible for a type that does not exist, or a unit that does not fit it.
    [[nodiscard]] std::vector<compared_limit>
    judge(const std::function<bool(const std::string& function)>& do_rounds_differ = {}) const;

    /// Returns the number of selected samples of each capture that are not 0 in a type.
    [[nodiscard]] std::vector<std::size_t> samples(compare_side side, std::size_t type) const;

    /// Returns the factor of each capture: 1 unless normalized.
    [[nodiscard]] std::vector<double> factors(compare_side side, std::size_t type) const;

    /// Draws the stacks. The values of a node are the medians of both sides. Medians do not add up,
    /// so nodes that together would be wider than their parent share its width. The means of both
    /// sides, which add up, decide which nodes are kept. Nodes that are wide enough in the base are
    /// kept as well, as some of them may have vanished.
    ///
    /// Time is that of make_flame_graph(), and linear in the stacks of all captures.
    /// @throws error too_large for a sum that does not fit 64 bits.
    [[nodiscard]] pprofdelta::flame_graph flame_graph(std::size_t type,
                                                      const flame_graph_limits& limits = {}) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop
