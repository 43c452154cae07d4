// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include <algorithm>
#include <numeric>

#include "aggregation.hpp"
#include "profile_index.hpp"
#include "profile_writer.hpp"
#include "value_table.hpp"
#include "wrapping.hpp"

namespace pprofdelta {

namespace {

bool is_wanted(const std::vector<std::int64_t>& values, const delta_options& options) {
    const auto is_negative = [](std::int64_t value) { return value < 0; };
    const auto is_zero = [](std::int64_t value) { return value == 0; };
    return !std::all_of(values.begin(), values.end(), is_zero) &&
           !(options.drop_negative && std::any_of(values.begin(), values.end(), is_negative));
}

} // namespace

delta_summary diff(std::string_view previous, std::string_view current,
                   const delta_options& options, std::string& delta) {
    profile_index before;
    before.build(previous, options.match);
    profile_index now;
    now.build(current, options.match);
    require_same(before.types, now.types);

    // Every type is subtracted.
    std::vector<std::uint32_t> types(now.types.sample_types.size());
    std::iota(types.begin(), types.end(), 0U);
    value_table table;
    table.configure(types.size(), types);
    aggregation samples_before;
    table.begin();
    samples_before.run(before, table);
    table.commit();
    aggregation samples_now;
    table.begin();
    samples_now.run(now, table);

    delta_summary summary;
    summary.samples_in = now.view.samples.size();
    summary.previous_has_duration = before.view.duration_nanos != 0;
    profile_writer writer;
    writer.start(now, &before, delta);
    std::vector<std::int64_t> values(types.size());
    samples_now.for_each([&](record sample, std::uint32_t entry) {
        std::transform(table.current(entry), table.current(entry) + values.size(),
                       table.previous(entry), values.begin(), wrapping_subtract);
        if (is_wanted(values, options)) {
            writer.write_sample(side::current, sample, values);
            ++summary.samples_kept;
        }
    });
    samples_before.for_each([&](record sample, std::uint32_t entry) {
        if (table.is_current(entry)) {
            return;
        }
        std::transform(table.previous(entry), table.previous(entry) + values.size(), values.begin(),
                       [](auto value) { return wrapping_subtract(0, value); });
        if (is_wanted(values, options)) {
            writer.write_sample(side::previous, sample, values);
            ++summary.samples_kept;
        }
    });
    writer.write_locations_and_mappings();
    writer.write_functions();
    writer.write_headers(
        duration_between(before.view.time_nanos, now.view.time_nanos, now.view.duration_nanos));
    writer.write_strings();
    return summary;
}

} // namespace pprofdelta
