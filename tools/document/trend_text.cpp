// SPDX-License-Identifier: Apache-2.0
#include "document/trend_format.hpp"

#include <algorithm>
#include <cmath>

#include "base/figures.hpp"
#include "base/short_names.hpp"
#include "document/compare_figures.hpp"
#include "document/text_table.hpp"
#include "document/trend_figures.hpp"

namespace pprofdelta::tool {

namespace {

text_table table(const std::string& name) {
    return {{"first", "last", "per hour", "share", "p", "verdict", "trend"}, name};
}

void add(text_table& to, const trend_view& view, const trend_row& row, const std::string& name) {
    const bool is_real = row.is == trend_verdict::grows || row.is == trend_verdict::falls;
    to.add({value_text(view, row.first()), value_text(view, row.last()), slope_text(view, row),
            share_text(row), p_text(row.corrected_p), verdict_text(view, row), sparkline(row)},
           name, is_real);
}

std::string rows_text(const trend_view& view, const std::vector<trend_row>& rows,
                      const std::string& word) {
    const std::size_t shown = std::min(view.top, rows.size());
    text_table all = table(to_string(view.options.by));
    for (std::size_t i = 0; i < shown; ++i) {
        add(all, view, rows[i], rows[i].name);
    }
    return "\n" + word + ": " + std::to_string(shown) + " of " + std::to_string(rows.size()) +
           "\n" + all.text(view.width, view.has_colors);
}

// "2h10m", of hours.
std::string time_between(double hours) {
    const auto seconds = static_cast<std::int64_t>(std::lround(hours * 3600));
    const std::int64_t minutes = seconds / 60;
    if (minutes == 0) {
        return std::to_string(seconds) + "s";
    }
    const std::string rest =
        seconds % 60 == 0 || minutes >= 60 ? "" : std::to_string(seconds % 60) + "s";
    return (minutes >= 60 ? std::to_string(minutes / 60) + "h" : "") +
           (minutes % 60 == 0 && minutes >= 60 ? "" : std::to_string(minutes % 60) + "m") + rest;
}

} // namespace

std::string captures_text(const trend_view& view) {
    constexpr std::size_t room = 30;
    const std::vector<std::string> ends =
        short_names({view.files.front(), view.files.back()}, room);
    std::string text = std::to_string(view.files.size()) + " captures, " + ends.front() +
                       " \u2026 " + ends.back() + ": " + time_between(view.captures.back().hours);
    const std::string start = time_text(view.captures.front().time_nanos);
    text += start.empty() || view.options.seconds_between ? "" : " from " + start;
    const std::size_t restarts = view.captures.back().run;
    if (restarts > 0) {
        text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    }
    return text + "\n";
}

std::string notes_below(const trend_view& view) {
    std::string text = "per hour: the median slope. p: Mann-Kendall test";
    if (view.options.corrected != correction::none) {
        text += std::string{", corrected by "} + to_string(view.options.corrected) + " among " +
                std::to_string(view.rows.questions) + " rows";
    }
    text += ".\ngrows, falls: p is at most " + factor_text(view.options.alpha) +
            ", and it goes on in the last two thirds. uneven: it does not.\nlevel: within " +
            factor_text(view.options.min_change * 100) + "%.\n";
    if (view.rows.left_out > 0) {
        text += std::to_string(view.rows.left_out) + " rows of less than " + view.least_size_text +
                " left out.\n";
    }
    if (view.too_few) {
        text += describe(view, *view.too_few) + ".\n";
    }
    return text;
}

std::string trend_as_text(const trend_view& view) {
    std::string text = captures_text(view) + printable(to_string(view.type)) +
                       (view.is_rate ? ", per second\n\n" : "\n\n");
    text_table total = table("total");
    add(total, view, view.rows.total, printable(to_string(view.type)));
    text += total.text(view.width, view.has_colors);
    text += rows_text(view, view.rows.flat, "flat");
    text += rows_text(view, view.rows.cum, "cum");
    text += "\n" + notes_below(view);
    if (!view.limits.empty()) {
        text += "\n";
    }
    for (const trend_limit& limit : view.limits) {
        const std::string word = limit.crossed ? "crossed" : "kept";
        text += (view.has_colors ? colored(word, limit.crossed) : word) + "  " +
                printable(describe(view, limit)) + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
