// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_CALLS_HPP
#define PPROFDELTA_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// What follows has numbers in place of names, for call_stacks::name(). Values are those of the
// report: pairs of a comparison, and otherwise `current` alone. Coverage is a part of the whole,
// from 0 to 1: the sizes of the changes of all stacks, up or down, added up. Filters of the report
// leave stacks out of all of it.

/// Functions with those that call them, or that they call: the edges that `go tool pprof -peek`
/// prints.
struct call_list {
    struct edge {
        std::uint32_t name = 0;
        /// The sum of the samples in whose stack one calls the other; each counts once. A function
        /// that calls itself is not an edge.
        value_pair value;
    };
    struct function {
        std::uint32_t name = 0;
        value_pair flat; ///< As in the rows of the report.
        value_pair cum;
        std::vector<edge> edges{}; ///< With a change; the largest first, equal ones by name.
        std::size_t edges_left_out = 0;
        value_pair left_out{}; ///< The sum of these.
    };

    std::vector<function> functions; ///< In the order of rows by cum.
    std::size_t functions_left_out = 0;
    double coverage = 0; ///< By the stacks that one of `functions` is in.
};

/// How many of each are kept of a call_list, those with the largest changes.
struct call_limits {
    std::size_t most_functions = 20;
    std::size_t most_edges = 20; ///< Of each function.
};

/// The stacks from their outermost frames, as lines of text show them.
struct call_tree {
    /// One or several frames that call each other and no others, and have the same value.
    struct node {
        std::vector<std::uint32_t> names; ///< The outermost first.
        std::uint32_t depth = 0;          ///< So many nodes are above.
        value_pair flat;                  ///< Of stacks that end with the last of the frames.
        value_pair cum;                   ///< Of all stacks that begin with the frames up to here.
        /// So many frames are summed up here, which are too small; then there are no names.
        std::size_t left_out = 0;
    };

    /// Each stands before its children, of which the one with the largest change is the first, and
    /// what was left out the last.
    std::vector<node> nodes;
    std::size_t too_small = 0; ///< So many frames were; those that they call are not counted.
    std::size_t too_deep = 0;  ///< So many nodes were.
    double coverage = 0;       ///< By the stacks that are in no node for what is too small.
};

/// How much of a tree is kept.
struct call_tree_limits {
    /// As a part of the whole, as for coverage. A change that others below it undo is kept.
    double smallest = 0.01;
    std::uint32_t deepest = 500; ///< Nodes above each other; of frames never more than 500.
};

/// Whole stacks.
struct call_paths {
    /// The most frames of a stack that are kept. Others are its outermost ones.
    static constexpr std::size_t longest = 1000;

    struct path {
        std::vector<std::uint32_t> names; ///< The outermost first.
        std::size_t left_out = 0;         ///< So many outer frames.
        value_pair value;
    };

    std::vector<path> paths;        ///< The largest change first, equal ones as they came.
    std::size_t paths_left_out = 0; ///< With a change.
    double coverage = 0;
};

/// The stacks behind the rows of a report, to ask who calls whom. Inlined functions are frames, and
/// all frames have the names of rows. Filled by make_report().
class call_stacks {
public:
    call_stacks();
    ~call_stacks();
    call_stacks(call_stacks&& other) noexcept;
    call_stacks& operator=(call_stacks&& other) noexcept;

    /// What a number stands for; any bytes.
    [[nodiscard]] const std::string& name(std::uint32_t number) const;

    /// Who calls the functions whose names match `regex`, one of RE2's syntax.
    /// Cost: time linear in the frames of all different stacks and in the names; memory for the
    /// edges of what matches.
    /// @throws error invalid_argument for what is not a regular expression; too_large for a sum
    ///         that would not fit 64 bits.
    [[nodiscard]] call_list callers(std::string_view regex, const call_limits& limits = {}) const;
    /// Whom they call.
    [[nodiscard]] call_list callees(std::string_view regex, const call_limits& limits = {}) const;

    /// Cost: that of a flame graph.
    /// @throws error too_large
    [[nodiscard]] call_tree tree(const call_tree_limits& limits = {}) const;

    /// The stacks that changed most.
    /// Cost: linear in the stacks, and in the frames of those that are returned.
    [[nodiscard]] call_paths paths(std::size_t most) const;

private:
    friend report make_report(const viewed_profiles& of, const report_options& options,
                              call_stacks& stacks);

    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// The report of make_report(), and the stacks behind its rows, which replace those in `stacks`:
/// both together cost little more than the report. After an exception there are any.
/// Memory: a number for each location of each different stack.
/// @throws error as make_report().
[[nodiscard]] report make_report(const viewed_profiles& of, const report_options& options,
                                 call_stacks& stacks);
[[nodiscard]] inline report make_report(std::string_view previous, std::string_view current,
                                        const report_options& options, call_stacks& stacks) {
    return make_report(viewed_profiles{previous, current}, options, stacks);
}
[[nodiscard]] inline report make_report(const computed_delta& delta, const report_options& options,
                                        call_stacks& stacks) {
    return make_report(viewed_profiles{delta}, options, stacks);
}
[[nodiscard]] inline report make_report(std::string_view profile, const report_options& options,
                                        call_stacks& stacks) {
    return make_report(viewed_profiles{profile}, options, stacks);
}

// Objects of JSON, as `pprofdelta report --format json` has them; pprofdelta(1) has their schema.
// Equal input gives equal bytes. O(what they return)

/// @param stacks that the list is of.
/// @param of     what the report has as values.
/// @param edges  what the edges of a function are called, "callers" or "callees".
/// @param regex  that was asked for.
[[nodiscard]] std::string call_list_as_json(const call_list& list, const call_stacks& stacks,
                                            report::content of, const std::string& edges,
                                            const std::string& regex);
[[nodiscard]] std::string call_tree_as_json(const call_tree& tree, const call_stacks& stacks,
                                            report::content of);
[[nodiscard]] std::string call_paths_as_json(const call_paths& paths, const call_stacks& stacks,
                                             report::content of);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_CALLS_HPP
