// SPDX-License-Identifier: Apache-2.0
#include "select/row_sums.hpp"

#include <algorithm>

#include "base/fitting.hpp"

namespace pprofdelta {

namespace {

using numbers = std::vector<std::int64_t>;

void add(std::int64_t* sums, const numbers& values) {
    for (const std::int64_t value : values) {
        *sums = fitting_add(*sums, value);
        ++sums;
    }
}

} // namespace

row_sums sum_rows(const profile_index& index, std::span<const std::size_t> types,
                  const stack_rules& rules, row_names& names) {
    const profile_stacks stacks{index, rules, true};
    const location_rows rows{stacks, names};
    return sum_rows(stacks, rows, names.size(), types);
}

row_sums sum_rows(const profile_stacks& stacks, const location_rows& rows, std::size_t count,
                  std::span<const std::size_t> types) {
    const profile_index& index = stacks.index();
    const std::size_t width = types.size();
    row_sums sums;
    sums.totals.resize(index.types.sample_types.size());
    sums.shown.resize(width);
    sums.samples.resize(width);
    sums.flat.resize(count * width);
    sums.cum.resize(count * width);
    // The stack that each counted for last, as a row and a location count once for a stack.
    std::vector<std::uint32_t> last_of_row(count);
    std::vector<std::uint32_t> last_of_place(rows.places());
    frame_allowance allowance{index};
    std::uint32_t stack = 0;
    numbers values(width);
    selected_reader reader{stacks};
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        reader.read(sample);
        add(sums.totals.data(), reader.values());
        std::transform(types.begin(), types.end(), values.begin(),
                       [&](std::size_t type) { return reader.values()[type]; });
        const bool is_nothing =
            std::all_of(values.begin(), values.end(), [](std::int64_t v) { return v == 0; });
        if (is_nothing || !reader.is_selected()) {
            continue; // most samples of a heap profile have nothing in use
        }
        add(sums.shown.data(), values);
        for (std::size_t i = 0; i < width; ++i) {
            sums.samples[i] += values[i] != 0 ? 1 : 0;
        }
        const std::span<const std::uint32_t> places = reader.stack();
        if (places.empty()) {
            add(&sums.flat[rows.of_no_stack() * width], values);
            add(&sums.cum[rows.of_no_stack() * width], values);
            continue;
        }
        const std::uint32_t leaf = rows.of(places.front()).front();
        add(&sums.flat[leaf * width], values);
        ++stack;
        const auto count_once = [&](std::uint32_t row) {
            if (last_of_row[row] != stack) {
                last_of_row[row] = stack;
                add(&sums.cum[row * width], values);
            }
        };
        for (const std::uint32_t place : places) {
            if (const std::uint32_t only = rows.only(place); only != location_rows::several) {
                count_once(only);
            } else if (last_of_place[place] != stack) {
                last_of_place[place] = stack;
                const auto of_place = rows.of(place);
                allowance.take(of_place.size());
                std::for_each(of_place.begin(), of_place.end(), count_once);
            }
        }
    }
    return sums;
}

} // namespace pprofdelta
