// SPDX-License-Identifier: Apache-2.0
#include "document/compare_cells.hpp"

#include <algorithm>

#include "base/value_text.hpp"
#include "document/capture_cells.hpp"

namespace pprofdelta::tool {

namespace {

// What the worst functions did, by name.
std::string describe_functions(const compared_limit& found, const compare_options& options) {
    constexpr std::size_t most = 5;
    const std::size_t count = found.functions.size();
    std::string text = std::to_string(count) + (count == 1 ? " function: " : " functions: ");
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const compared_row& row = found.functions[i];
        text += (i == 0 ? "" : "; ") + row.name + " " + median_text(row.head, found.type.unit) +
                ", " + human_change(row.change, found.type.unit) + " (" + percent_text(row) + ")";
        text += options.is_tested ? ", p " + p_text(row.corrected_p) : "";
    }
    return text + (count > most ? "; and " + std::to_string(count - most) + " more" : "");
}

} // namespace

const char* difference_name(const compare_options& options) {
    return options.is_tested ? "shift" : "change";
}

const char* strict_name(correction by) {
    return by == correction::benjamini_hochberg ? "wy" : to_string(by);
}

std::string median_text(const compared_values& side, const std::string& unit) {
    const std::string text = human_number(side.median, unit);
    return side.values.size() == 1 ? text : text + " " + reach_text(side.median, side.within, unit);
}

std::string percent_text(const compared_row& row) {
    return percent_of(row.base.median, row.change);
}

std::string count_text(const compared_row& row) {
    return std::to_string(row.base.values.size()) + "+" + std::to_string(row.head.values.size());
}

std::vector<table::column> compare_columns(const compare_options& options) {
    const std::string difference = difference_name(options);
    std::vector<table::column> columns{{"base"},
                                       {"head"},
                                       {.head = difference, .shown = table::place::markdown},
                                       {.head = "percent", .shown = table::place::markdown},
                                       {.head = difference, .shown = table::place::text}};
    if (options.is_tested) {
        columns.push_back({"p"});
    }
    columns.push_back({"n"});
    if (options.is_tested) {
        columns.push_back({.head = "verdict", .cells = table::kind::verdict});
    }
    return columns;
}

table::row compare_row(const compared_row& row, const value_type& type,
                       const compare_options& options, const std::string& name) {
    const std::string percent = percent_text(row);
    std::vector<std::string> cells{median_text(row.base, type.unit),
                                   median_text(row.head, type.unit),
                                   human_change(row.change, type.unit), percent, percent};
    if (options.is_tested) {
        cells.push_back(p_text(row.corrected_p));
    }
    cells.push_back(count_text(row));
    if (options.is_tested) {
        cells.emplace_back(to_string(row.is));
    }
    // A change that may be noise is no news.
    return {name, cells, !options.is_tested || row.is_real()};
}

std::string describe(const compared_limit& found, const compare_options& options) {
    const std::string& unit = found.type.unit;
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!found.functions.empty()) {
        return start + describe_functions(found, options) + ", of " + count_text(found.row) +
               " captures" + (options.is_tested ? "" : ", medians without a test");
    }
    if (limit::is_each(found.of)) {
        return start + "no function, of " + count_text(found.row) + " captures" +
               (options.is_tested ? "" : ", medians without a test");
    }
    std::string text = start + "base " + median_text(found.row.base, unit) + ", head " +
                       median_text(found.row.head, unit) + ", " + difference_name(options) + " " +
                       human_change(found.row.change, unit) + " (" + percent_text(found.row) + ")";
    if (!options.is_tested) {
        return text + ", of " + count_text(found.row) + " captures, medians without a test";
    }
    // A value is judged by its interval, which has no p.
    text += found.on == limit::bound::value ? "" : ", p " + p_text(found.row.corrected_p);
    return text + ", of " + count_text(found.row) + " captures";
}

std::string describe(const too_few_captures& found, const compare_options& options) {
    const std::string enough = std::to_string(found.enough);
    return "too few captures: " + needed_text(found, options.alpha, options.corrected) + "; " +
           enough + "+" + enough + " would do, and --no-test compares medians";
}

} // namespace pprofdelta::tool
