// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>

namespace pprofdelta::tool {

/// How wide a picture can be, in pixels.
struct width_range {
    int least;
    int usual;
    int most;
};
inline constexpr width_range flame_widths{400, 1200, 10000};

/// A picture has at most this many frames, since more make browsers slow.
inline constexpr std::size_t most_frames = 2000;

/// How much of the stacks a picture has. There is room left for frames of what was left out.
inline constexpr flame_graph_limits picture_limits{
    .narrowest = 1.0 / 2000, .most_nodes = 1600, .deepest = 500, .sums_left_out = true};

/// The content of a picture of a flame graph.
struct flame_view {
    const flame_graph& content;
    std::string previous{}; ///< The files; empty for none. The picture has no folders of theirs.
    std::string current{};
    std::string normalization_text{}; ///< Empty unless previous values were normalized.
    std::string filter_text{};        ///< The filter for people; empty without one.
    /// The rows of all frames of a graph of medians, by which one is pale unless its row is real;
    /// null for any other graph.
    const compared_family* rows = nullptr;
    const compared_row* total = nullptr; ///< The root's row.
    bool is_tested = true; ///< Applies to medians: whether it is known which rows are significant.
    int width = flame_widths.usual; ///< The width of the picture, in pixels.
};

/// A picture for a browser. Its own script shows what is under the pointer, zooms into what is
/// clicked, and searches; it loads nothing else. A browser without scripts still shows the picture.
[[nodiscard]] std::string flame_graph_as_svg(const flame_view& view);

} // namespace pprofdelta::tool
