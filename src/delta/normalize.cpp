// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/normalize.hpp>

#include <algorithm>
#include <iterator>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "delta/passes.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "profile/stacks.hpp"
#include "profile/writer.hpp"

namespace pprofdelta {

namespace {

std::int64_t scaled(double factor, std::int64_t value) {
    return to_nearest(static_cast<double>(value) * factor);
}

std::vector<double> factors_by_total(const profile_index& previous, const profile_index& current) {
    const std::vector<std::int64_t> before = totals(previous);
    const std::vector<std::int64_t> now =
        about_input(error_input::current, [&] { return totals(current); });
    const auto is_zero = [](std::int64_t total) { return total == 0; };
    if (std::ranges::all_of(now, is_zero) && !std::ranges::all_of(before, is_zero)) {
        throw error{error_kind::incompatible, "the profile has no values to normalize by",
                    error_input::current};
    }
    std::vector<double> factors;
    std::transform(before.begin(), before.end(), now.begin(), std::back_inserter(factors),
                   [](std::int64_t from, std::int64_t to) {
                       return from == 0 ? 0.0 : static_cast<double>(to) / static_cast<double>(from);
                   });
    return factors;
}

std::vector<double> factors_by_duration(const profile_index& previous,
                                        const profile_index& current) {
    const std::int64_t from = previous.view.duration_nanos;
    const std::int64_t to = current.view.duration_nanos;
    if (from <= 0 || to <= 0) {
        throw error{error_kind::incompatible, "the profile has no duration to normalize by",
                    from <= 0 ? error_input::previous : error_input::current};
    }
    std::vector<double> factors;
    for (const value_type& type : previous.types.sample_types) {
        const bool is_gauge = kind_of(type, previous.types.period_type, true) == value_kind::gauge;
        factors.push_back(is_gauge ? 1 : static_cast<double>(to) / static_cast<double>(from));
    }
    return factors;
}

// An error is about the previous profile, which is written, unless it says otherwise.
normalized_profile scale(std::string_view previous, std::string_view current,
                         normalization normalize) {
    profile_index before;
    before.build(previous, match_mode::exact);
    profile_index now;
    about_input(error_input::current, [&] { now.build(current, match_mode::exact); });
    require_same(before.types, now.types);
    normalized_profile result;
    result.factors = normalize == normalization::total ? factors_by_total(before, now)
                                                       : factors_by_duration(before, now);
    // Equal samples are added up before they are rounded.
    value_table table;
    table.configure(result.factors.size(), {});
    table.begin();
    aggregation samples;
    samples.run(before, table, 1);
    profile_writer writer;
    writer.start(before, nullptr, result.profile);
    std::vector<std::int64_t> values(result.factors.size());
    samples.for_each([&](record sample, std::uint32_t entry) {
        std::transform(result.factors.begin(), result.factors.end(), table.current(entry),
                       values.begin(), scaled);
        if (std::any_of(values.begin(), values.end(), [](auto value) { return value != 0; })) {
            writer.write_sample(side::current, sample, values);
        }
    });
    writer.finish(normalize == normalization::duration ? now.view.duration_nanos
                                                       : before.view.duration_nanos);
    return result;
}

} // namespace

const char* to_string(normalization normalize) noexcept {
    return normalize == normalization::total ? "total" : "duration";
}

normalized_profile normalize(std::string_view previous, std::string_view current,
                             normalization normalize) {
    return about_input(error_input::previous, [&] { return scale(previous, current, normalize); });
}

} // namespace pprofdelta
