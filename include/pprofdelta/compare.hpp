// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_COMPARE_HPP
#define PPROFDELTA_COMPARE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The version that a capture is of.
enum class compare_side : std::uint8_t { base, head };

/// "base" or "head".
[[nodiscard]] const char* to_string(compare_side of) noexcept;

/// How the results of many tests are corrected, as some of them would be small by chance.
enum class correction : std::uint8_t {
    holm, ///< Alpha is the chance that any difference is found where there is none.
    /// Alpha is the share of such differences among those found. Rows of a comparison are weighted
    /// by the square root of their mean over both sides together.
    benjamini_hochberg,
    none, ///< Alpha is the chance for each test by itself.
};

/// "holm", "bh" or "none".
[[nodiscard]] const char* to_string(correction how) noexcept;

/// What tells a change from noise.
enum class test_kind : std::uint8_t {
    automatic, ///< Ranks, but `moderated` where a side has fewer captures than ranks need.
    ranks,     ///< Of as many captures as there are: u_test and permutation_test.
    moderated, ///< Of few captures: moderated_test, by the rows that are not too small.
};

/// "auto", "ranks" or "moderated".
[[nodiscard]] const char* to_string(test_kind of) noexcept;

/// What is known of a row.
enum class verdict : std::uint8_t {
    grew,    ///< The head is really larger: p, corrected, is at most alpha.
    fell,    ///< Really smaller.
    same,    ///< The change is at most the minimal one, as its interval lies within that.
    unsure,  ///< Neither is known.
    too_few, ///< Neither can be known: no p can be small enough, of so few captures.
};

/// "grew", "fell", "same", "unsure" or "too few".
[[nodiscard]] const char* to_string(verdict of) noexcept;

struct compare_options {
    grouping by = grouping::function;
    std::string by_label{};      ///< As in report_options, as the next.
    stack_selection selection{}; ///< Of the rows. Totals and limits on totals are of all samples.
    /// Regular expression of RE2's syntax: only rows whose name it is found in; empty for all.
    std::string rows{};
    /// Regular expressions of the same syntax: rows whose callers, or callees, are compared as
    /// well; empty for none.
    std::string callers_of{};
    std::string callees_of{};
    bool keeps_stacks = false; ///< For profile_comparison::tree(), paths() and causes().
    double alpha = 0.05;       ///< Between 0 and 1. Intervals have a confidence of 1 minus this.
    /// How the rows of tables are corrected, for their verdicts. Totals, and all that limits judge,
    /// are tested so that alpha is the chance that any difference is found where there is none,
    /// unless this is `none`: for `benjamini_hochberg` by permutation_test, else by Holm, as always
    /// if the test is a moderated one.
    correction corrected = correction::benjamini_hochberg;
    double min_change = 0.02; ///< Less than this part of the base's median is no change.
    /// Rows that are smaller are left out: those with a mean, over the captures of both sides, of
    /// less than this. It is for the sample types that its unit fits; without a unit, for all.
    std::optional<amount> min_amount{};
    /// The least size of rows of all other types, as a part of the total's mean.
    double min_share = 0.01;
    /// Scales each capture to the median total, or the median duration, of the head's captures.
    std::optional<normalization> normalized_by{};
    /// Captures were taken in turn: each of the base and that of the head with the same number are
    /// a pair, and close in time. What differs between pairs does no harm then. The test is a
    /// permutation_test of pairs, of asinh(100 * value / the row's mean), which is like the
    /// logarithm, but knows zero.
    bool are_paired = false;
    /// Pairs have their own test, so not `moderated`.
    test_kind test = test_kind::automatic;
    /// `automatic` takes ranks for as many captures on each side: with fewer there is no p that is
    /// small enough for tens of rows.
    static constexpr std::size_t enough_for_ranks = 8;
    /// A moderated test finds a limit crossed with a p, corrected, of at most this part of alpha.
    static constexpr double gate_share = 0.2;
    /// Without the test medians are compared, and no change is known to be real.
    bool is_tested = true;
    /// Limits on times are judged although all captures of one side are older than those of the
    /// other; see compared_limit::is_undecided.
    bool trusts_order = false;
};

/// The captures of one side.
struct compared_values {
    std::vector<double> values; ///< In the order in which the captures were added.
    double median = 0;
    std::optional<interval> within; ///< Of the median; empty if there are too few captures.
};

/// What the captures of both sides add up to in one row, in the unit of the sample type.
struct compared_row {
    std::string name; ///< Any bytes; empty for a total.
    compared_values base;
    compared_values head;
    /// By how much the head is larger, as u_test::estimate() or moderated_test::change() has it; of
    /// pairs the median of the differences; without a test the difference of the medians. Where no
    /// value is negative, at least minus the base's median and at most the head's.
    double change = 0;
    std::optional<interval> within; ///< Of the change; empty if there are too few captures.
    double u = 0;                   ///< As u_test has it. 0 of other tests.
    std::optional<moderated_test::result> moderated; ///< Of that test.
    double p = 1;                                    ///< By itself. 1 without a test.
    double corrected_p = 1;                          ///< Among all that were tested together.
    /// A change of this size, alone among those tested together, would be found to be real in about
    /// four of five comparisons of as many captures with this noise; empty if none could be.
    std::optional<double> detectable;
    pprofdelta::verdict verdict = pprofdelta::verdict::unsure;

    /// Whether the change is real. False without a test.
    [[nodiscard]] bool is_real() const noexcept {
        return verdict == pprofdelta::verdict::grew || verdict == pprofdelta::verdict::fell;
    }
};

/// That there are too few captures for anything to be found real.
struct too_few_captures {
    std::size_t questions = 0; ///< That are corrected together.
    double least_p = 0;        ///< The smallest that the test can give.
    double needed_p = 0;       ///< That it would have to give, if but one, the largest, changed.
    std::size_t enough = 0;    ///< So many captures on each side would do.
};

/// What was tested together.
///
/// Rows in which all captures are in the same order, such as those of a chain of callers, are one
/// question: the test has one answer for them, which is right or wrong once.
struct compared_family {
    std::vector<compared_row> rows; ///< Real changes first, and then the larger ones.
    std::size_t questions = 0;
    std::optional<too_few_captures> too_few{};
};

/// Flat and cum are tested apart.
struct compared_rows {
    compared_family flat;     ///< Of samples whose innermost frame is in the row.
    compared_family cum;      ///< Of samples with a frame in the row.
    std::size_t left_out = 0; ///< Rows that are too small, flat and cum.
};

/// Rows with those that call them, or that they call: the edges of call_list.
struct compared_calls {
    struct function {
        compared_row cum; ///< As in compared_rows, but for the correction.
        /// Each adds up the samples in whose stack one calls the other. In the order of
        /// compared_family.
        std::vector<compared_row> edges{};
        std::size_t left_out = 0; ///< Edges that are too small.
    };

    std::vector<function> functions; ///< Real changes first, and then the larger ones.
    std::size_t left_out = 0;        ///< Functions that are too small.
    compared_row together;           ///< Of all samples with a row that was asked for.
    std::size_t questions = 0;       ///< Of all these, which are corrected together.
    std::optional<too_few_captures> too_few{};
};

/// How much of the medians of the totals some samples have, as a part of each.
struct compared_part {
    double base = 0;
    double head = 0;
};

/// The stacks from their outermost frames, as in call_tree.
struct compared_tree {
    /// One or several frames that call each other and no others, with the same values in all
    /// captures.
    struct node {
        std::vector<std::string> frames{}; ///< The outermost first.
        std::uint32_t depth = 0;           ///< So many nodes are above.
        compared_row cum;                  ///< Of all stacks that begin with the frames up to here.
    };

    /// Each stands before those that it calls, which are in the order of compared_family.
    std::vector<node> nodes{};
    std::size_t left_out = 0;  ///< Nodes, by the limits that were given.
    std::size_t too_small = 0; ///< Frames below these; those that they call are not counted.
    compared_part coverage{};  ///< By the stacks of which nothing but what is too deep is left out.
    std::size_t questions = 0; ///< Of all nodes, which are corrected together.
    std::optional<too_few_captures> too_few{};
};

/// How much of a tree is returned. It does not matter for what is found of a node.
struct compared_tree_limits {
    std::size_t most_nodes = 10000; ///< If there are more, the smallest are left out.
    std::uint32_t deepest = 500;    ///< Nodes above each other; of frames never more than 500.
};

/// Whole stacks, as in call_paths.
struct compared_paths {
    struct path {
        std::vector<std::string> frames{}; ///< The outermost first; as many as call_paths keeps.
        std::size_t left_out = 0;          ///< So many outer frames.
        compared_row value;
    };

    std::vector<path> paths{}; ///< In the order of compared_family.
    std::size_t left_out = 0;  ///< Paths, by the number that was asked for.
    std::size_t too_small = 0; ///< Further paths.
    compared_part coverage{};
    std::size_t questions = 0; ///< Of all that are not too small, which are corrected together.
    std::optional<too_few_captures> too_few{};
};

/// Where the change of a total comes from: the fewest places in the tree of stacks that make it up.
///
/// The change is followed from the outermost frames inwards: through a callee that has nearly all
/// of it, to each of several that have parts of it, and no further where no part is real and at
/// least a twentieth of the total's change. All of these places are tested together.
struct compared_causes {
    enum class kind : std::uint8_t {
        stacks,  ///< All stacks that go through the frames.
        itself,  ///< Of these, those with no callee that is large enough for a node of its own.
        renamed, ///< One function went and another came, with like values and the same callees.
        function ///< All samples whose innermost frame is in the row, whoever calls it.
    };

    struct cause {
        kind of = kind::stacks;
        /// What the change was followed through, the outermost first. Frames above it that nearly
        /// all samples have, and those of the cause that it is a part of, are left out.
        std::vector<std::string> frames{};
        std::string formerly{};  ///< The name before, of what was perhaps renamed.
        std::uint32_t depth = 0; ///< So many causes that this is a part of stand before it.
        compared_row row;        ///< Tested, unless it was perhaps renamed.
    };

    std::vector<cause> causes{}; ///< Each before its parts; the larger ones first.
    /// What the total has beside all causes of depth 0. It is tested by itself.
    compared_row rest{};
};

/// "stacks", "itself", "renamed" or "function".
[[nodiscard]] const char* to_string(compared_causes::kind of) noexcept;

/// A limit as it was found for one sample type.
struct compared_limit {
    std::string limit; ///< Its text.
    value_type type;
    limit::scope of = limit::scope::all;
    limit::bound on = limit::bound::value;
    compared_row row; ///< Of the samples that the limit is about, which for each function are all.
    /// Whether the head, or its growth, is beyond the limit, and that is real, by
    /// compare_options::gate_share if need be. Of a bound on the value: the interval of the head's
    /// median lies beyond. Without a test: the medians are.
    bool crossed = false;
    /// It would be crossed, but nothing tells the code from what else changed with time: the type
    /// is one of time, such as cpu, or the number of its samples, and older_side() is known.
    bool is_undecided = false;
    bool has_match = true; ///< Whether a function or label of any capture matches.
    /// For a limit on each function those that cross it, the largest change first.
    std::vector<compared_row> functions;
    /// Why nothing could have crossed it.
    std::optional<too_few_captures> too_few;
};

/// Compares several captures of two versions. Tells real changes from noise: of many captures by a
/// test that assumes nothing of how the noise is distributed, see u_test; of few by what all rows
/// tell of it, see moderated_test.
///
/// Captures must be independent, such as each of a run of its own: two of one process, where the
/// second has what the first has, are one. They should be taken in turn, a base and a head, so that
/// what else changes with time is in both.
///
/// Memory: two numbers, flat and cum, for each sample type of each row that a capture has,
/// and that of one profile while it is added. The same of each edge that is asked for, and of each
/// stack if they are kept, with a number for each location of each different stack.
class profile_comparison {
public:
    /// @param limits for judge(). They have to be known before the first capture.
    /// @throws error invalid_argument for a bad regular expression; for alpha or a share out of
    ///         range; for a moderated test of pairs; for a limit on a rate; with
    ///         normalization::total a limit on the growth of a total, which nothing can cross.
    explicit profile_comparison(const compare_options& options = {},
                                std::vector<limit> limits = {});
    ~profile_comparison();
    profile_comparison(const profile_comparison&) = delete;
    profile_comparison& operator=(const profile_comparison&) = delete;

    /// Adds up one profile, of which nothing is kept but sums.
    ///
    /// Cost: time linear in the profile. After an exception nothing has changed.
    /// @throws error malformed, too_large; incompatible for sample types other than those of the
    ///         first capture, for one without a duration to normalize by, and for a copy of a
    ///         capture with a time, which would count twice.
    void add(compare_side to, const viewed_profiles& capture);
    void add(compare_side to, std::string_view profile) { add(to, viewed_profiles{profile}); }

    [[nodiscard]] std::size_t captures(compare_side of) const noexcept;

    /// Those of the first capture; empty before.
    [[nodiscard]] const std::vector<value_type>& types() const noexcept;

    /// The place of the type that `pattern` asks for, or without one of that which make_report()
    /// would take for the first capture.
    /// @throws error incompatible unless there is one type like that, and one alone.
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const;

    /// The side all of whose captures were taken before all of the other, as far as they have
    /// times; empty if neither was. If it is the base, what else changed with time looks like a
    /// change of the code; if it is the head, the sides may have been mixed up as well.
    [[nodiscard]] std::optional<compare_side> older_side() const noexcept;

    /// The files of the programs that captures of a side say they are of, without their folders,
    /// each once. More than one may be a mistake.
    [[nodiscard]] std::vector<std::string> programs(compare_side of) const;

    /// Whether the head is of another program, and not of another version: its file has another
    /// name, and less than half of the rows of one side are in the other. O(rows)
    [[nodiscard]] bool is_head_foreign() const;

    // For all that follows each side needs a capture, and for pairs both need as many, or
    // invalid_argument is thrown. Time is that of u_test for each row, and of permutation_test,
    // once until another capture is added.

    /// The test of so many captures: not `automatic`.
    [[nodiscard]] test_kind test() const noexcept;

    /// A row for each sample type, in the order of the types.
    [[nodiscard]] compared_family totals();

    /// Those that options have not left out, and that are not zero.
    [[nodiscard]] compared_rows rows(std::size_t type);

    /// Who calls the rows that compare_options::callers_of asks for, whether compare_options::rows
    /// leaves them out or not; callees() is for callees_of. Rows and edges are left out by their
    /// size as in rows().
    [[nodiscard]] compared_calls callers(std::size_t type);
    [[nodiscard]] compared_calls callees(std::size_t type);

    /// The stacks as a tree, whether compare_options::rows leaves their rows out or not. Nodes are
    /// left out by their size as in rows().
    /// @throws error invalid_argument unless compare_options::keeps_stacks; too_large
    [[nodiscard]] compared_tree tree(std::size_t type, const compared_tree_limits& limits = {});
    /// The stacks that changed most, of those that are not too small.
    /// @throws error invalid_argument unless compare_options::keeps_stacks.
    [[nodiscard]] compared_paths paths(std::size_t type, std::size_t most);

    /// Where the change of the total comes from; of a total without a real change, what changed in
    /// it all the same.
    /// @param most causes are returned at most; if there are more, only larger ones.
    /// @throws error invalid_argument unless compare_options::keeps_stacks; too_large
    [[nodiscard]] compared_causes causes(std::size_t type, std::size_t most);

    /// All limits in their order, each for every sample type that it names. Those on functions by
    /// name are corrected together, those on each function with the rows that they judge, flat or
    /// cum, and those on totals with all totals.
    /// @throws error incompatible for a type that is not there, or a unit that does not fit it.
    [[nodiscard]] std::vector<compared_limit> judge();

    /// How many samples each capture has that are not 0 in a type, as far as options select them.
    [[nodiscard]] std::vector<std::size_t> samples(compare_side of, std::size_t type) const;

    /// By what each capture was multiplied: by 1 unless normalized.
    [[nodiscard]] std::vector<double> factors(compare_side of, std::size_t type) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_COMPARE_HPP
