// SPDX-License-Identifier: Apache-2.0
#include "document/trend_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <pprofdelta/statistics.hpp>

#include "base/value_text.hpp"
#include "document/capture_cells.hpp"

namespace pprofdelta::tool {

namespace {

std::string per_second(const trend_view& view) { return view.is_rate ? "/s" : ""; }

std::string of_captures(const trend_view& view) {
    return ", of " + std::to_string(view.captures.size()) + " captures";
}

// "10:37:17" in a series of less than a day, else "2026-11-22"; empty if it has no times.
std::string short_time(const trend_view& view, const trend_capture& of) {
    const std::string all = view.options.seconds_between ? "" : time_text(of.time_nanos);
    const std::size_t middle = all.find('T');
    if (middle == std::string::npos) {
        return {};
    }
    return view.captures.back().hours < 24 ? all.substr(middle + 1, 8) : all.substr(0, middle);
}

// That after the step: "9, 2026-11-03".
std::string capture_text(const trend_view& view, const trend_row& row) {
    const std::size_t capture = view.places[row.step];
    const std::string when = short_time(view, view.captures[capture]);
    return std::to_string(capture + 1) + (when.empty() ? "" : ", " + when);
}

std::string in_short(const trend_view& view, const trend_row& row) {
    const std::string p = ", p " + p_text(row.corrected_p);
    if (row.is == trend_verdict::steps) {
        return "steps since capture " + capture_text(view, row) + ", from " +
               value_text(view, row.before) + " to " + value_text(view, row.after) + p;
    }
    return slope_text(view, row) + " per hour, from " + value_text(view, row.first()) + " to " +
           value_text(view, row.last()) + ", " + verdict_text(view, row) +
           (row.through ? " as " + row.through->name + " does, " +
                              human_change(row.through->per_hour, view.type.unit) +
                              per_second(view) + " per hour"
                        : "") +
           p;
}

} // namespace

std::string value_text(const trend_view& view, double value) {
    return human_number(value, view.type.unit) + per_second(view);
}

std::string slope_text(const trend_view& view, const trend_row& row) {
    const std::string& unit = view.type.unit;
    const std::string per = per_second(view);
    if (row.is == trend_verdict::steps) {
        return human_change(row.after - row.before, unit) + per + " once";
    }
    return human_change(row.slope.value, unit) + per + " " +
           reach_text(row.slope.value, row.slope.within, unit, per);
}

std::string share_text(const trend_row& row) {
    // Rounded before, as there is no -0 %.
    return row.share && row.is != trend_verdict::steps
               ? fixed_text(std::round(*row.share * 100) + 0.0, 0) + "%"
               : "";
}

std::string verdict_text(const trend_view& view, const trend_row& row) {
    std::string word = to_string(row.is);
    if (row.is == trend_verdict::steps) {
        return word + " at " + capture_text(view, row);
    }
    return word;
}

std::string sparkline(const trend_row& row) {
    constexpr std::array<const char*, 8> steps{"\u2581", "\u2582", "\u2583", "\u2584",
                                               "\u2585", "\u2586", "\u2587", "\u2588"};
    const std::size_t count = row.values.size();
    const std::size_t parts = std::min(count, steps.size());
    std::vector<double> heights;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = count * i / parts;
        heights.push_back(
            median(std::span{row.values}.subspan(begin, count * (i + 1) / parts - begin)));
    }
    if (heights.empty()) {
        return {};
    }
    const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
    const double range = *highest - *lowest;
    std::string text;
    for (const double height : heights) {
        const double step = range > 0 ? (height - *lowest) / range * (steps.size() - 1) : 0;
        text += steps[static_cast<std::size_t>(std::lround(step))];
    }
    return text;
}

std::string describe(const trend_view& view, const trend_limit& found) {
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!limit::is_each(found.of)) {
        return start + in_short(view, found.row) + of_captures(view);
    }
    constexpr std::size_t most = 5;
    const std::size_t count = found.functions.size();
    std::string text = start + (count == 0   ? "no function"
                                : count == 1 ? "1 function: "
                                             : std::to_string(count) + " functions: ");
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const trend_row& row = found.functions[i];
        text += (i == 0 ? "" : "; ") + row.name + " " + in_short(view, row);
    }
    return text + (count > most ? "; and " + std::to_string(count - most) + " more" : "") +
           of_captures(view);
}

std::string describe(const trend_view& view, const too_few_captures& found) {
    const std::string enough = std::to_string(found.enough) +
                               (view.options.are_independent ? "" : " of one run") + " would do";
    if (found.least_p <= found.needed_p) {
        return std::to_string(view.captures.size()) +
               " captures are too few to tell growth from what wanders about; " + enough;
    }
    return std::to_string(view.captures.size()) + " captures are too few: " +
           needed_text(found, view.options.alpha, view.options.corrected) + "; " + enough;
}

} // namespace pprofdelta::tool
