// SPDX-License-Identifier: Apache-2.0
#include "document/capture_cells.hpp"

#include <algorithm>
#include <cmath>

#include "base/names.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

std::string part_text(double part) {
    if (part > 1) {
        return ">100%";
    }
    const double percent = part * 100;
    if (percent == 0) {
        return "0%";
    }
    return fixed_text(percent, percent < 9.95 ? 1 : 0) + "%";
}

std::string ends_text(const std::vector<std::string>& names) {
    constexpr std::size_t room = 60;
    if (names.size() == 1) {
        return short_names(names, room).front();
    }
    const std::vector<std::string> ends = short_names({names.front(), names.back()}, room / 2);
    return ends.front() + " \u2026 " + ends.back();
}

std::string reach_text(double value, const std::optional<interval>& within, const std::string& unit,
                       const std::string& per) {
    if (!within) {
        return "\u00b1\u221e";
    }
    const double reach = std::max(within->high - value, value - within->low);
    return "\u00b1" +
           (value == 0 ? human_number(reach, unit) + per : part_text(reach / std::fabs(value)));
}

std::string p_text(double p) { return p < 0.00005 ? "<0.0001" : fixed_text(p, 4); }

std::string correction_text(correction by, std::size_t questions) {
    return by == correction::none ? ""
                                  : std::string{", corrected by "} + to_string(by) + " among " +
                                        std::to_string(questions);
}

std::string needed_text(const too_few_captures& found, double alpha, correction by) {
    std::string text =
        "p cannot be less than " + p_text(found.least_p) + ", but --alpha " + factor_text(alpha);
    if (by != correction::none && found.questions > 1) {
        text += std::string{" with --correct "} + to_string(by) + " of " +
                std::to_string(found.questions) + " tests";
    }
    return text + " needs " + p_text(found.needed_p);
}

std::string left_out_text(std::size_t count, const std::string& least_size) {
    return std::to_string(count) + (count == 1 ? " row" : " rows") + " of less than " + least_size +
           " left out.";
}

} // namespace pprofdelta::tool
