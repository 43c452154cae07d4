// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FLAME_SVG_HPP
#define PPROFDELTA_TOOLS_FLAME_SVG_HPP

#include <string>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>

namespace pprofdelta::tool {

/// What a picture of a flame graph shows.
struct flame_view {
    const flame_graph& content;
    std::string previous{}; ///< Names of the files; empty for none.
    std::string current{};
    std::string normalization_text{}; ///< Empty unless previous values were normalized.
    std::string filter_text{};        ///< For people; empty without a filter.
    /// Of a graph of medians the rows of all frames, by which one is pale unless its row is real;
    /// null for any other graph.
    const compared_family* rows = nullptr;
    const compared_row* total = nullptr; ///< The same for the root.
    bool is_tested = true;               ///< Of medians: whether it is known which rows are real.
};

/// A picture for a browser. Its own script shows what is under the pointer and zooms into what is
/// clicked; it loads nothing else. Without scripts it is still a picture.
[[nodiscard]] std::string flame_graph_as_svg(const flame_view& view);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FLAME_SVG_HPP
