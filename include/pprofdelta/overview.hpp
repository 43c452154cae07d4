// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_OVERVIEW_HPP
#define PPROFDELTA_OVERVIEW_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/report.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Where a function is in the source.
struct source_place {
    std::string file; ///< Any bytes; empty if it is not known, or in several files.
    std::int64_t first_line =
        0; ///< Of those in which it was seen, not where it begins; 0 for none.
    std::int64_t last_line = 0;
};

/// The rows and the stacks of all sample types of one or two profiles, for whoever looks at them
/// interactively: names are as cut_name() has them. Each profile is read once for all types.
struct overview {
    struct type {
        report::total total;
        /// What rows and stacks hold.
        report::content of = report::content::comparison;
        /// All that are not zero, also unchanged ones; those with the largest value of cum,
        /// before or now, first.
        std::vector<report::row> rows;
        std::size_t rows_left_out = 0; ///< Of a part: how many there are besides.
        flame_graph stacks;
    };

    /// The same of the samples alone that have one text as a label, with the totals of all samples.
    struct part {
        std::string key; ///< Any bytes, as the text.
        std::string text;
        std::vector<type> types;
    };

    std::vector<type> types; ///< In the profile's order.
    std::size_t chosen = 0;  ///< Which of them a report would be about.
    /// Where functions are, by name; empty where rows are something else.
    std::map<std::string, source_place> places;
    /// Of the texts with the largest values of the chosen type, before and now together; that
    /// first.
    std::vector<part> parts;
    std::size_t parts_left_out = 0; ///< How many more texts have values, if parts were asked for.
};

/// How many parts an overview has, and how much of them.
struct part_limits {
    std::size_t most_parts = 0;
    std::size_t most_rows = 1500; ///< Of all parts of a type together.
};

/// Types hold what those of a report on the same do. Stacks of types that have no value at all are
/// a root alone.
///
/// Cost: that of a report and a flame graph for each type, less what they have in common; the same
/// again for each part, less reading the profiles.
/// @param options  the order of rows has no meaning here.
/// @param of_parts the stacks of all parts of a type together have at most as many nodes as those
///                 of the type may have.
/// @throws error like make_report().
[[nodiscard]] overview make_overview(const viewed_profiles& of, const report_options& options = {},
                                     const flame_graph_limits& limits = {},
                                     const part_limits& of_parts = {});

// Of what nothing else is made of.
[[nodiscard]] inline overview make_overview(std::string_view previous, std::string_view current,
                                            const report_options& options = {},
                                            const flame_graph_limits& limits = {},
                                            const part_limits& of_parts = {}) {
    return make_overview(viewed_profiles{previous, current}, options, limits, of_parts);
}
[[nodiscard]] inline overview make_overview(const computed_delta& delta,
                                            const report_options& options = {},
                                            const flame_graph_limits& limits = {},
                                            const part_limits& of_parts = {}) {
    return make_overview(viewed_profiles{delta}, options, limits, of_parts);
}
[[nodiscard]] inline overview make_overview(std::string_view profile,
                                            const report_options& options = {},
                                            const flame_graph_limits& limits = {},
                                            const part_limits& of_parts = {}) {
    return make_overview(viewed_profiles{profile}, options, limits, of_parts);
}

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_OVERVIEW_HPP
