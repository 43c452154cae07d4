// SPDX-License-Identifier: Apache-2.0
// The colours of frames, in pictures and in pages.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/flame_graph.hpp>

namespace pprofdelta::tool {

/// A color of 8 bits for each of its parts.
struct color {
    unsigned red;
    unsigned green;
    unsigned blue;
};

/// The colours of frames on one ground. Red is against blue, as those who cannot tell red from
/// green can tell these apart.
struct palette {
    color unchanged;
    color grown;
    color shrunk;
    std::array<color, 8> groups; ///< The colours for rows with nothing to compare with.
};

inline constexpr palette light_palette{
    {232, 232, 232},
    {215, 48, 31},
    {33, 102, 172},
    {{{190, 212, 238},
      {247, 217, 178},
      {198, 226, 222},
      {226, 208, 236},
      {240, 228, 176},
      {244, 206, 200},
      {216, 228, 198},
      {206, 216, 226}}},
};
inline constexpr palette dark_palette{
    {66, 72, 82},
    {243, 106, 82},
    {92, 160, 238},
    {{{52, 88, 132},
      {120, 86, 42},
      {40, 100, 98},
      {98, 72, 122},
      {104, 94, 40},
      {122, 70, 68},
      {72, 98, 56},
      {72, 78, 88}}},
};

/// The color of what was left out, summed up in one frame.
inline constexpr color left_out_color{225, 231, 238};

/// The stronger, the more `change` is, from grey for 0 to red for 1 and blue for -1, in steps of a
/// twentieth.
[[nodiscard]] color color_of_change(double change, const palette& colors = light_palette);

/// The colours of frames where there is nothing to compare with: the same for all functions of a
/// package, namespace or class. Those whose frames are widest together have one each, and all
/// others share the last one.
class group_colors {
public:
    /// @param graphs the groups of the first one come first.
    explicit group_colors(const std::vector<const flame_graph*>& graphs);
    /// The place of its color in a palette.
    /// @param name is of one of these graphs.
    [[nodiscard]] std::size_t place(std::string_view name) const;

private:
    std::map<std::string, std::size_t, std::less<>> m_places;
};

/// Whether white text on it is easier to read than black text.
[[nodiscard]] bool is_dark(const color& ground);

/// The color as CSS writes it.
[[nodiscard]] std::string to_string(const color& shown);

/// The rules of CSS for the classes of frames in pages, on light and on dark ground: "n0" to "n7"
/// for groups, "g0" to "g20" for what grew, "s1" to "s20" for what shrank.
[[nodiscard]] std::string frame_rules();

} // namespace pprofdelta::tool
