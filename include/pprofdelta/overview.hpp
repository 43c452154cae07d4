// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const overview all = make_overview({previous, current});
//     const overview::type& first = all.types[all.chosen];
//     std::cout << first.rows.size() << " rows, " << first.stacks.nodes.size() << " nodes\n";

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The place of a function in the source.
struct source_place {
    std::string file; ///< Any bytes; empty if it is unknown, or if there are several files.
    /// The smallest line in the profiles, not where it begins; 0 for none.
    std::int64_t first_line = 0;
    std::int64_t last_line = 0; ///< The largest line in the profiles.
};

/// The rows and stacks of all sample types of one or two profiles, for interactive pages. Names are
/// shortened by cut_name(). Each profile is read once for all types.
struct overview {
    struct type {
        report::total total;
        /// The values of the rows and stacks.
        report::content of = report::content::comparison;
        /// All rows that are not zero, also unchanged ones, in descending order of the larger of
        /// the two values of cum.
        std::vector<report::row> rows;
        std::size_t rows_left_out = 0; ///< The number of further rows in a part.
        flame_graph stacks;
    };

    /// Rows and stacks of the samples with one label text alone, with the totals of all samples.
    struct part {
        std::string key; ///< Any bytes, as the text.
        std::string text;
        std::vector<type> types;
    };

    std::vector<type> types; ///< The types in the profile's order.
    std::size_t chosen = 0;  ///< The place of the type that a report would be about.
    /// The places of functions, by name; empty unless rows are functions.
    std::map<std::string, source_place> places;
    /// The label texts with the largest values of the chosen type, before and now together, in
    /// descending order.
    std::vector<part> parts;
    std::size_t parts_left_out = 0; ///< The number of further texts with values.
};

/// Limits on the parts of an overview; by default there are none. A page sets `most_parts`.
struct part_limits {
    std::size_t most_parts = 0;
    std::size_t most_rows = 1500; ///< The most rows of all parts of a type together.
};

/// Makes an overview. The rows and stacks of a type are those of a report on it. The stacks of a
/// type without any value are a root alone.
///
/// Cost: that of a report and a flame graph for each type, less what they share; the same again for
/// each part, less reading the profiles.
/// @param options  the order of rows is ignored.
/// @param of_parts the stacks of all parts of a type together have at most as many nodes as those
///                 of the type may have.
/// @throws error as make_report().
[[nodiscard]] overview make_overview(const viewed_profiles& profiles,
                                     const report_options& options = {},
                                     const flame_graph_limits& limits = {},
                                     const part_limits& of_parts = {});

} // namespace pprofdelta

#pragma GCC visibility pop
