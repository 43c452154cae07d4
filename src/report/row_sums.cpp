// SPDX-License-Identifier: Apache-2.0
#include "report/row_sums.hpp"

#include <algorithm>

#include "base/wrapping.hpp"
#include "profile/stack_reader.hpp"
#include "report/stack_filter.hpp"

namespace pprofdelta {

namespace {

// What the stacks with a frame in a row add up to.
struct counter {
    std::int64_t sum = 0;
    std::uint32_t last_stack = 0; // that it was counted for
};

} // namespace

row_sums sum_rows(const profile_index& index, std::size_t type, const report_options& options,
                  row_names& names) {
    const location_rows rows{index, options.by, names};
    const stack_filter filter{index, options};
    row_sums sums;
    sums.totals.resize(index.types.sample_types.size());
    sums.flat.resize(names.size());
    std::vector<counter> cumulative(names.size());
    std::vector<std::uint32_t> last_stacks(index.locations.size()); // that each counted for
    frame_allowance allowance{index};
    std::uint32_t stack = 0;
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        std::transform(sums.totals.begin(), sums.totals.end(), reader.values().begin(),
                       sums.totals.begin(), wrapping_add);
        const std::int64_t value = reader.values()[type];
        if (value == 0 || !filter.has(reader)) {
            continue; // most samples of a heap profile have nothing in use
        }
        sums.shown = wrapping_add(sums.shown, value);
        if (reader.locations().empty()) {
            continue;
        }
        const std::uint32_t leaf = rows.of(reader.locations().front()).front();
        sums.flat[leaf] = wrapping_add(sums.flat[leaf], value);
        ++stack;
        const auto count_once = [&](std::uint32_t row) {
            counter& c = cumulative[row];
            const std::int64_t more = c.last_stack == stack ? 0 : value;
            c.last_stack = stack;
            c.sum = wrapping_add(c.sum, more);
        };
        for (const std::uint32_t place : reader.locations()) {
            if (const std::uint32_t only = rows.only(place); only != location_rows::several) {
                count_once(only);
            } else if (last_stacks[place] != stack) {
                last_stacks[place] = stack;
                const auto of_place = rows.of(place);
                allowance.take(of_place.size());
                std::for_each(of_place.begin(), of_place.end(), count_once);
            }
        }
    }
    sums.cumulative.reserve(names.size());
    for (const counter& c : cumulative) {
        sums.cumulative.push_back(c.sum);
    }
    return sums;
}

} // namespace pprofdelta
