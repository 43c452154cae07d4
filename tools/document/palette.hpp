// SPDX-License-Identifier: Apache-2.0
// The colours of frames. Those of a page on light ground, in tools/page/look.js, are the same.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

/// A color of 8 bits for each of its parts.
struct color {
    unsigned red;
    unsigned green;
    unsigned blue;
};

// Red against blue, as those who cannot tell red from green can tell these apart.
inline constexpr color unchanged_color{232, 232, 232};
inline constexpr color grown_color{215, 48, 31};
inline constexpr color shrunk_color{33, 102, 172};

/// The color for rows with nothing to compare with.
inline constexpr std::array<color, 8> name_colors{{
    {190, 212, 238},
    {247, 217, 178},
    {198, 226, 222},
    {226, 208, 236},
    {240, 228, 176},
    {244, 206, 200},
    {216, 228, 198},
    {206, 216, 226},
}};

/// The color of what was left out, summed up in one frame.
inline constexpr color left_out_color{225, 231, 238};

/// The stronger, the more `change` is, from grey for 0 to red for 1 and blue for -1, in steps of a
/// twentieth.
[[nodiscard]] color color_of_change(double change);

/// The colours of frames where there is nothing to compare with: the same for all functions of a
/// package, namespace or class. Those whose frames are widest together have one each, and all
/// others share the last one.
class group_colors {
public:
    /// @param frames their names, and how wide each is.
    explicit group_colors(const std::vector<std::pair<std::string_view, double>>& frames = {});
    /// @param name is one of these.
    [[nodiscard]] color of(std::string_view name) const;

private:
    std::map<std::string, color, std::less<>> m_colors;
};

/// Whether white text on it is easier to read than black text.
[[nodiscard]] bool is_dark(const color& ground);

/// The color as CSS writes it.
[[nodiscard]] std::string to_string(const color& shown);

} // namespace pprofdelta::tool
