// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "base/about_input.hpp"
#include "base/fitting.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/delta_totals.hpp"
#include "report/report_stacks.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/row_order.hpp"
#include "select/row_sums.hpp"
#include "select/sample_type.hpp"
#include "select/value_pairs.hpp"

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

// Equal stacks are added up, of both sides, so there is less to go along than with samples.
void put_rows(report& r, const report_stacks& from) {
    r.rows.resize(from.names.size());
    std::vector<std::uint32_t> last(from.names.size(), stack_frames::none); // stacks, by row
    for (std::uint32_t stack = 0; stack < from.stacks.stacks().size(); ++stack) {
        const value_pair& value = from.stacks.value_of(stack);
        if (value.previous == 0 && value.current == 0) {
            continue;
        }
        add_pair(r.shown, value);
        stack_frames frames = from.frames(stack);
        std::uint32_t innermost = from.no_stack;
        for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
            if (std::exchange(last[row], stack) != stack) {
                add_pair(r.rows[row].cum, value);
            }
            innermost = row;
        }
        add_pair(r.rows[innermost].flat, value);
    }
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

// Sums of the rows of one side. If stacks are kept, rows are made of these when all are there.
row_sums read_rows(const profile_index& index, std::size_t type, const stack_rules& rules,
                   side_of_pair which, row_names& names, report_stacks* kept) {
    const profile_stacks stacks{index, rules, true};
    const location_rows rows{stacks, names};
    if (kept != nullptr) {
        kept->stacks.read(stacks, rows, which);
        kept->no_stack = rows.of_no_stack();
        row_sums sums;
        sums.totals = totals(index);
        return sums;
    }
    return sum_rows(stacks, rows, names.size(), {&type, 1});
}

// The names of rows, which are kept with the stacks.
row_names& names_in(report_stacks* kept, std::size_t type, std::optional<row_names>& own) {
    if (kept == nullptr) {
        return own.emplace();
    }
    *kept = report_stacks{type};
    return kept->names;
}

// The rows of one profile, as its current values.
report rows_of(const profile_index& index, std::size_t type, const report_options& options,
               report_stacks* kept) {
    report r;
    std::optional<row_names> own;
    row_names& names = names_in(kept, type, own);
    const row_sums sums =
        read_rows(index, type, stack_rules{options}, &value_pair::current, names, kept);
    if (kept != nullptr) {
        put_rows(r, *kept);
    } else {
        put_rows(r, sums, &value_pair::current);
    }
    name_and_sort_rows(r, names, options.order);
    r.of = report::content::profile;
    r.totals = totals_of_one(index, sums.totals);
    r.type = type;
    r.duration_nanos = index.view.duration_nanos;
    return r;
}

report rows_of_two(const compared_profiles& profiles, std::size_t type,
                   const report_options& options, report_stacks* kept) {
    report r;
    std::optional<row_names> own;
    row_names& names = names_in(kept, type, own);
    const stack_rules rules{options};
    const auto read = [&](const profile_index& index, side_of_pair which) {
        return read_rows(index, type, rules, which, names, kept);
    };
    const row_sums before = about_input(
        error_input::previous, [&] { return read(profiles.before, &value_pair::previous); });
    const row_sums now =
        about_input(error_input::current, [&] { return read(profiles.now, &value_pair::current); });
    if (kept != nullptr) {
        put_rows(r, *kept);
    } else {
        put_rows(r, before, &value_pair::previous);
        put_rows(r, now, &value_pair::current);
    }
    name_and_sort_rows(r, names, options.order);
    put_totals(r, profiles.now.types.sample_types, before.totals, now.totals);
    r.type = type;
    return r;
}

report report_of(std::string_view previous, std::string_view current, const report_options& options,
                 report_stacks* kept) {
    const compared_profiles profiles{previous, current};
    return rows_of_two(profiles, choose_type_of_two(profiles, options), options, kept);
}

report report_of(std::string_view profile, const report_options& options, report_stacks* kept) {
    profile_index index;
    index.build(profile, match_mode::exact);
    return rows_of(index, choose_type_of_one(index, options), options, kept);
}

report report_of(const computed_delta& delta, const report_options& options, report_stacks* kept) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    const std::size_t type = choose_type_of_delta(delta, index, options);
    const bool is_gauge = !delta.types[type].cumulative;
    report r;
    if (is_gauge && delta.previous) {
        r = rows_of_two({*delta.previous, delta.current}, type, options, kept);
    } else {
        r = rows_of(index, type, options, kept);
        r.of = is_gauge ? report::content::profile : report::content::delta;
    }
    r.totals = totals_of_delta(delta, profile_values(r, delta), totals(index));
    r.duration_nanos = delta.summary.duration_nanos;
    r.time_nanos = delta.summary.time_nanos;
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
    case grouping::label:
        return "label";
    }
    return "";
}

std::string grouping_text(grouping by, std::string_view label_key) {
    return by == grouping::label ? to_string(by) + (":" + std::string{label_key}) : to_string(by);
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
    return report_of(previous, current, options, nullptr);
}

report make_report(std::string_view profile, const report_options& options) {
    return report_of(profile, options, nullptr);
}

report make_report(const computed_delta& delta, const report_options& options) {
    return report_of(delta, options, nullptr);
}

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options, report_stacks& kept) {
    return report_of(previous, current, options, &kept);
}

report make_report(std::string_view profile, const report_options& options, report_stacks& kept) {
    return report_of(profile, options, &kept);
}

report make_report(const computed_delta& delta, const report_options& options,
                   report_stacks& kept) {
    return report_of(delta, options, &kept);
}

} // namespace pprofdelta
