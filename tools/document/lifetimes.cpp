// SPDX-License-Identifier: Apache-2.0
#include "document/lifetimes.hpp"

#include <cmath>

#include "base/value_text.hpp"
#include "document/fields.hpp"

namespace pprofdelta::tool {

namespace {

std::string seconds_text(double seconds) { return format_number(seconds * 1e9, "nanoseconds"); }

// Memory that was freed and not in use at either end lives shorter than the interval, and memory
// that was not freed longer, if enough allocations were sampled to say so.
std::string lives_text(const lifetimes::row& row, std::int64_t duration_nanos) {
    const double duration = seconds_of(duration_nanos);
    if (row.seconds && *row.seconds > 0) {
        return seconds_text(*row.seconds);
    }
    if (row.within && row.within->low < duration && row.within->high > duration) {
        return "unsure";
    }
    return row.seconds ? "garbage" : "kept";
}

std::string rate_text(const lifetimes& found, std::int64_t value) {
    return human_rate(value, found.duration_nanos, found.type.unit, rate_time::second);
}

// The fields of a lifetime, in tables and JSON.
// @param found outlives what is returned.
fields<lifetimes::row> lives(const lifetimes& found, bool is_series = false) {
    using row = lifetimes::row;
    const auto at_most = [](const row& each) {
        return each.within && std::isfinite(each.within->high) ? std::optional{each.within->high}
                                                               : std::nullopt;
    };
    const auto allocated = [&](const row& each) { return rate_text(found, each.value.allocated); };
    const auto freed = [&](const row& each) { return rate_text(found, each.value.freed); };
    const auto in_use = [&found, is_series](const row& each) {
        return is_series ? format_number(each.value.mean_in_use, found.type.unit)
                         : format_value(each.value.in_use.current, found.type.unit);
    };
    const auto lifetime = [&found](const row& each) {
        return lives_text(each, found.duration_nanos);
    };
    const auto least = [](const row& each) {
        return each.within && each.within->low > 0 ? seconds_text(each.within->low) : "";
    };
    const auto most = [=](const row& each) {
        const auto high = at_most(each);
        return high ? seconds_text(*high) : "";
    };
    return {{
        {{"allocated"},
         allocated,
         "allocated",
         "",
         [](const row& each) { return each.value.allocated; }},
        {{"freed"}, freed, "freed", "", [](const row& each) { return each.value.freed; }},
        {.key = "in_use_previous",
         .value = [](const row& each) { return each.value.in_use.previous; }},
        {{is_series ? "mean in use" : "in use"},
         in_use,
         "in_use_current",
         "",
         [](const row& each) { return each.value.in_use.current; }},
        {.key = "mean_in_use", .value = [](const row& each) { return each.value.mean_in_use; }},
        {{"lives"}, lifetime, "seconds", "", &row::seconds},
        {{"at least"}, least, "at_least", "", [](const row& each) { return low_of(each.within); }},
        {{"at most"}, most, "at_most", "", at_most},
    }};
}

} // namespace

document::finding finding_of(const lifetimes& found) {
    const lifetimes::row& total = found.total;
    std::string what = lives_text(total, found.duration_nanos);
    const bool is_time = total.seconds && *total.seconds > 0;
    const bool has_ends = is_time && total.within && std::isfinite(total.within->high);
    return {to_string(found.type),
            is_time            ? "lives " + what + " on average"
            : what == "unsure" ? "lives for an unknown time"
                               : "is " + what,
            " (" +
                (has_ends ? "95% interval " + seconds_text(total.within->low) + " to " +
                                seconds_text(total.within->high) + "; "
                          : "") +
                rate_text(found, total.value.allocated) + " allocated, " +
                rate_text(found, total.value.freed) + " freed, " +
                format_number(total.value.mean_in_use, found.type.unit) + " in use)"};
}

document::rows_of_type table_of(const lifetimes& found, const std::string& names, std::size_t top,
                                bool is_series) {
    return {.type = to_string(found.type),
            .heading = ", how long it lives",
            .rows = lives(found, is_series).table_of(names, found.rows, top),
            .all = found.rows.size()};
}

ordered_json as_json(const lifetimes& found, std::size_t top) {
    const auto members = lives(found);
    ordered_json all = type_json(found.type);
    all["total"] = members.with_members(ordered_json::object(), found.total);
    all["rows"] = members.array(found.rows, top);
    all["rows_left_out"] = beyond(top, found.rows.size());
    return all;
}

} // namespace pprofdelta::tool
