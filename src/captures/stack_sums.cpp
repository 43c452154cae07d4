// SPDX-License-Identifier: Apache-2.0
#include "captures/stack_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/fitting.hpp"

namespace pprofdelta {

namespace {

// Samples of one profile, each a stack and where its values are.
struct stack_samples {
    std::vector<std::pair<std::uint32_t, std::size_t>> all{};
    std::vector<std::int64_t> values{};
};

stack_samples read_stacks(const profile_stacks& from, const location_rows& rows, stack_set& to) {
    stack_samples found;
    stack_set::adder stacks{to, from.index(), rows};
    selected_reader reader{from};
    for (std::size_t sample = 0; sample < from.index().view.samples.size(); ++sample) {
        reader.read(sample);
        const std::vector<std::int64_t>& values = reader.values();
        if (std::any_of(values.begin(), values.end(), [](std::int64_t v) { return v != 0; }) &&
            reader.is_selected()) {
            found.all.emplace_back(stacks.add(reader.stack()), found.values.size());
            found.values.insert(found.values.end(), values.begin(), values.end());
        }
    }
    return found;
}

} // namespace

packed_sums::rows sum_stacks(const profile_stacks& from, const location_rows& rows, stack_set& to) {
    stack_samples samples = read_stacks(from, rows, to);
    std::sort(samples.all.begin(), samples.all.end());
    const std::size_t types = from.index().types.sample_types.size();
    packed_sums::rows sums;
    for (const auto& [stack, begin] : samples.all) {
        if (sums.numbers.empty() || sums.numbers.back() != stack) {
            sums.numbers.push_back(stack);
            sums.sums.resize(sums.sums.size() + types);
        }
        std::int64_t* const of_stack = sums.sums.data() + sums.sums.size() - types;
        for (std::size_t type = 0; type < types; ++type) {
            of_stack[type] = fitting_add(of_stack[type], samples.values[begin + type]);
        }
    }
    return sums;
}

} // namespace pprofdelta
