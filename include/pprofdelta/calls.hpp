// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     call_stacks stacks;
//     const report found = make_report({previous, current}, {}, stacks);
//     for (const call_list::function& each : stacks.callers("Write$").functions) {
//         std::cout << each.cum.current << " by " << each.edges.size() << " callers\n";
//     }

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Frames are those of rows: any bytes, the outermost first. The values of a report are pairs in a
// comparison, and otherwise `current` alone; those of profile_comparison and profile_trend are rows
// of these. The size of a stack's change is its absolute value. Each coverage is a share, from 0 to
// 1, of the sizes of the changes of all stacks, added up; 1 if nothing changed. Stacks that the
// selection excludes count nowhere.

/// A whole stack.
template <typename Value>
struct stack_path {
    std::vector<std::string> frames{}; ///< At most call_paths::longest, the innermost ones.
    std::size_t left_out = 0;          ///< The number of outer frames left out.
    Value value{};
};

/// A node in a tree of stacks: one frame, or a chain of frames with the same values, each of which
/// calls only the next. Nested calls of a function by itself are one frame.
template <typename Value>
struct stack_node {
    std::vector<std::string> frames{}; ///< Empty for a remainder.
    std::uint32_t depth = 0;           ///< The number of nodes above.
    Value cum{};                       ///< All stacks that begin with the frames up to here.
};

/// The kinds of places in the tree of stacks from which a part of a change comes.
enum class cause_kind : std::uint8_t {
    stacks, ///< All stacks through some frames.
    itself, ///< The part of these stacks without a callee that is large enough for a node.
    /// A function vanished and another appeared, with similar values and equal callees.
    renamed,
    function ///< All samples whose innermost frame is in a row, whoever calls it.
};

/// Returns "stacks", "itself", "renamed" or "function".
[[nodiscard]] const char* to_string(cause_kind kind) noexcept;

/// A place in the tree of stacks that a part of a change comes from.
template <typename Value>
struct change_cause {
    cause_kind of = cause_kind::stacks;
    /// The frames that the change was followed through, without the outer frames that nearly all
    /// samples have, and without those of the cause that this is a part of.
    std::vector<std::string> frames{};
    std::string previous_name{}; ///< The previous name of a function that was perhaps renamed.
    std::uint32_t depth = 0;     ///< The number of causes before it that this is a part of.
    Value value{};
};

/// Functions with their callers or callees: the edges that `go tool pprof -peek` prints.
struct call_list {
    struct edge {
        std::string name;
        /// The sum of the samples in whose stack one function calls the other; each sample counts
        /// once. A function that calls itself is not an edge.
        value_pair value;
    };
    struct function {
        std::string name;
        value_pair flat; ///< The values in the rows of the report.
        value_pair cum;
        /// The edges with a change, the largest change first, equal ones by name.
        std::vector<edge> edges{};
        std::size_t edges_left_out = 0;
        value_pair left_out{}; ///< The sum of the edges left out.
    };

    std::vector<function> functions; ///< Those with a change, in the order of rows by cum.
    std::size_t functions_left_out = 0;
    double coverage = 0; ///< The share of the stacks that contain one of `functions`.
};

/// The largest size of a call_list. The largest changes are kept.
struct call_limits {
    std::size_t most_functions = 20;
    std::size_t most_edges = 20; ///< Per function.
};

/// The stacks as a tree, from their outermost frames.
struct call_tree {
    struct node : stack_node<value_pair> {
        value_pair flat; ///< The stacks that end with the last frame.
        /// The number of frames that a remainder sums up, which are too small; otherwise 0.
        std::size_t left_out = 0;
    };

    /// The nodes, each before its children. The child with the largest change comes first, and the
    /// remainder last.
    std::vector<node> nodes;
    std::size_t too_small = 0; ///< The number of frames too small, without those that they call.
    /// The number of nodes cut off by the depth, without their children.
    std::size_t too_deep = 0;
    double coverage = 0; ///< The share of the stacks that are in no remainder.
};

/// Limits on the size of a call_tree.
struct call_tree_limits {
    /// The smallest share of the whole, as for the coverage, that a frame needs. It counts the
    /// sizes of the changes of its stacks, so opposite changes do not cancel out.
    double smallest = 0.01;
    std::uint32_t deepest = 500; ///< The largest number of levels; of frames, always at most 500.
};

/// Whole stacks.
struct call_paths {
    /// The largest number of frames that is kept of a stack: its innermost ones.
    static constexpr std::size_t longest = 1000;

    std::vector<stack_path<value_pair>>
        paths;                      ///< The largest change first, equal ones by first occurrence.
    std::size_t paths_left_out = 0; ///< The number of other stacks with a change.
    double coverage = 0;            ///< The share of `paths`.
};

/// The causes of the change of a total, or of one profile or a delta, of its value: the fewest
/// places in the tree of stacks that account for it, as compared_causes has them. There is no test;
/// what is less than a twentieth of the sizes of the changes of all stacks, added up, is no cause.
struct call_causes {
    std::vector<change_cause<value_pair>> causes; ///< Each before its parts; the larger ones first.
    /// The total minus all causes of depth 0, and minus report::capture, which is no cause.
    value_pair rest;
    /// Set if two profiles are compared of which no stack of one begins with a function with which
    /// one of the other does, as where that has the number of a process: a regular expression for
    /// the frames that differ in their numbers only, the outermost ones; empty if more differs.
    std::optional<std::string> differing_roots{};
};

/// The stacks behind the rows of a report, for queries about callers and callees. Inlined functions
/// are frames, and frames have the names of rows. make_report() fills it.
class call_stacks {
public:
    /// The most frames above each other that tree() and causes() look at, as in a flame graph.
    static constexpr std::uint32_t deepest = 500;

    call_stacks();
    ~call_stacks();
    call_stacks(call_stacks&& other) noexcept;
    call_stacks& operator=(call_stacks&& other) noexcept;

    /// Returns the callers of the functions whose names match `regex`, in the syntax of RE2.
    ///
    /// Cost: time linear in the frames of all distinct stacks and in the names; memory for the
    /// edges of the matching functions.
    /// @throws error invalid_argument for an invalid regular expression; too_large for a sum that
    ///         does not fit 64 bits.
    [[nodiscard]] call_list callers(std::string_view regex, const call_limits& limits = {}) const;
    /// Returns the callees of the functions whose names match `regex`. Otherwise as callers().
    [[nodiscard]] call_list callees(std::string_view regex, const call_limits& limits = {}) const;

    /// Returns the stacks as a tree. Costs as much as a flame graph.
    /// @throws error too_large
    [[nodiscard]] call_tree tree(const call_tree_limits& limits = {}) const;

    /// Returns the stacks that changed most, at most `most` of them.
    /// Cost: linear in the stacks, and in the frames of those returned.
    [[nodiscard]] call_paths paths(std::size_t most) const;

    /// Returns where the change of the report's type comes from. Costs as much as tree().
    /// @param most the largest number of causes. If there are more, only larger ones are returned.
    /// @throws error too_large
    [[nodiscard]] call_causes causes(std::size_t most) const;

private:
    friend report make_report(const viewed_profiles& profiles, const report_options& options,
                              call_stacks& stacks, std::optional<std::uint32_t> deepest);

    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// Makes a report as make_report() of report.hpp does, and replaces the content of `stacks` by the
/// stacks behind its rows. The two together cost little more than the report. After an exception,
/// the content of `stacks` is unspecified.
///
/// Memory: a number for each location of each distinct stack.
/// @param deepest the number of outermost frames of each stack that are kept; all if not given.
///                call_stacks::deepest is enough for causes(). Other questions are not to be asked
///                then.
/// @throws error as make_report().
[[nodiscard]] report make_report(const viewed_profiles& profiles, const report_options& options,
                                 call_stacks& stacks, std::optional<std::uint32_t> deepest = {});

} // namespace pprofdelta

#pragma GCC visibility pop
