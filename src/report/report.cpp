// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "base/about_input.hpp"
#include "base/fitting.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/delta_totals.hpp"
#include "select/location_rows.hpp"
#include "select/row_order.hpp"
#include "select/row_sums.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

std::int64_t change(const value_pair& value) {
    return fitting_subtract(value.current, value.previous);
}

void put_rows(report& r, const row_sums& sums, side_of_pair which) {
    r.rows.resize(std::max(r.rows.size(), sums.flat.size()));
    for (std::size_t i = 0; i < sums.flat.size(); ++i) {
        r.rows[i].flat.*which = sums.flat[i];
        r.rows[i].cum.*which = sums.cum[i];
    }
    r.shown.*which = sums.shown.front();
}

void name_and_sort_rows(report& r, const row_names& names, row_order order) {
    for (std::uint32_t i = 0; i < r.rows.size(); ++i) {
        r.rows[i].name = names.name(i);
    }
    std::erase_if(r.rows, [](const report::row& row) {
        return change_size(row.flat) == 0 && change_size(row.cum) == 0;
    });
    sort_rows(r.rows, order);
}

void put_totals(report& r, const std::vector<value_type>& types,
                const std::vector<std::int64_t>& previous,
                const std::vector<std::int64_t>& current) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        const value_pair value{previous[i], current[i]};
        r.totals.push_back({.type = types[i], .value = value, .change = change(value)});
    }
}

// What a comparison has is the same already.
std::vector<value_pair> profile_values(const report& r, const computed_delta& delta) {
    if (r.of != report::content::comparison) {
        return totals_of_profiles(delta);
    }
    std::vector<value_pair> values;
    std::transform(r.totals.begin(), r.totals.end(), std::back_inserter(values),
                   [](const report::total& total) { return total.value; });
    return values;
}

// The rows of one profile, as its current values.
report rows_of(const profile_index& index, std::size_t type, const report_options& options) {
    report r;
    row_names names;
    const row_sums sums = sum_rows(index, {&type, 1}, options, names);
    put_rows(r, sums, &value_pair::current);
    name_and_sort_rows(r, names, options.order);
    r.of = report::content::profile;
    r.totals = totals_of_one(index, sums.totals);
    r.type = type;
    r.duration_nanos = index.view.duration_nanos;
    return r;
}

} // namespace

const char* to_string(grouping by) noexcept {
    switch (by) {
    case grouping::function:
        return "function";
    case grouping::file:
        return "file";
    case grouping::package:
        return "package";
    case grouping::line:
        return "line";
    }
    return "";
}

const char* to_string(report::content of) noexcept {
    switch (of) {
    case report::content::comparison:
        return "comparison";
    case report::content::delta:
        return "delta";
    case report::content::profile:
        break;
    }
    return "profile";
}

const char* to_string(row_order order) noexcept {
    switch (order) {
    case row_order::flat:
        return "flat";
    case row_order::cum:
        return "cum";
    case row_order::percent:
        return "percent";
    }
    return "";
}

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options) {
    const compared_profiles profiles{previous, current, options};
    report r;
    row_names names;
    const row_sums before = about_input(error_input::previous, [&] {
        return sum_rows(profiles.before, {&profiles.type, 1}, options, names);
    });
    const row_sums now = about_input(error_input::current, [&] {
        return sum_rows(profiles.now, {&profiles.type, 1}, options, names);
    });
    put_rows(r, before, &value_pair::previous);
    put_rows(r, now, &value_pair::current);
    name_and_sort_rows(r, names, options.order);
    put_totals(r, profiles.now.types.sample_types, before.totals, now.totals);
    r.type = profiles.type;
    return r;
}

report make_report(std::string_view profile, const report_options& options) {
    profile_index index;
    index.build(profile, match_mode::exact);
    return rows_of(index, choose_type_of_one(index, options), options);
}

report make_report(const computed_delta& delta, const report_options& options) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    std::size_t type = choose_type(index, options);
    const auto is_gauge = [&] { return !delta.types[type].cumulative; };
    report r;
    if (is_gauge() && delta.previous) {
        r = make_report(*delta.previous, delta.current, options);
    }
    if (is_gauge() && !options.sample_type && r.rows.empty()) {
        type = main_cumulative_type(delta.types);
    }
    if (!is_gauge() || !delta.previous) {
        r = rows_of(index, type, options);
        r.of = is_gauge() ? report::content::profile : report::content::delta;
    }
    r.totals = totals_of_delta(delta, profile_values(r, delta), totals(index));
    r.duration_nanos = delta.summary.duration_nanos;
    r.time_nanos = delta.summary.time_nanos;
    return r;
}

} // namespace pprofdelta
