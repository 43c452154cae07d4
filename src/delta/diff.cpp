// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include <numeric>

#include "base/about_input.hpp"
#include "base/wrapping.hpp"
#include "delta/aggregation.hpp"
#include "delta/rules.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/writer.hpp"

namespace pprofdelta {

namespace {

// Writes the values of a sample that only the previous profile has.
value_table::signs negate(const std::int64_t* previous, std::vector<std::int64_t>& values) {
    value_table::signs found;
    for (std::int64_t& value : values) {
        value = wrapping_subtract(0, *previous++);
        found.is_nonzero |= value != 0;
        found.has_negative |= value < 0;
    }
    return found;
}

// An error is about the current profile, whose headers are written, unless it says otherwise.
delta_summary make_diff(std::string_view previous, std::string_view current,
                        const delta_options& options, std::string& delta) {
    profile_index before;
    about_input(error_input::previous, [&] { before.build(previous, options.match); });
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
    about_input(error_input::previous, [&] { samples_before.run(before, table); });
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
        if (is_kept(options, table.difference(entry, true, values.data()))) {
            writer.write_sample(side::current, sample, values);
            ++summary.samples_kept;
        }
    });
    samples_before.for_each([&](record sample, std::uint32_t entry) {
        if (!table.is_current(entry) && is_kept(options, negate(table.previous(entry), values))) {
            writer.write_sample(side::previous, sample, values);
            ++summary.samples_kept;
        }
    });
    writer.write_rest(
        duration_between(before.view.time_nanos, now.view.time_nanos, now.view.duration_nanos));
    return summary;
}

} // namespace

delta_summary diff(std::string_view previous, std::string_view current,
                   const delta_options& options, std::string& delta) {
    return about_input(error_input::current,
                       [&] { return make_diff(previous, current, options, delta); });
}

} // namespace pprofdelta
