// SPDX-License-Identifier: Apache-2.0
#include "report/largest_labels.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "base/wrapping.hpp"
#include "profile/label_index.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

namespace {

// No sum is larger than the largest number, which is enough to tell the largest ones.
void add_size(std::uint64_t& sum, std::uint64_t size) {
    sum += std::min(size, std::numeric_limits<std::uint64_t>::max() - sum);
}

} // namespace

void largest_labels::read(const profile_index& index, std::size_t type) {
    const label_index labels{index};
    const auto can_be_chosen = [&](const label_index::value& value) {
        return value.is_text && !labels.keys()[value.key].empty();
    };
    if (std::none_of(labels.values().begin(), labels.values().end(), can_be_chosen)) {
        return; // as of heaps, which have sizes alone
    }
    const profile_stacks stacks{index, m_rules, false};
    selected_reader reader{stacks};
    std::vector<std::uint64_t> sizes(labels.values().size());
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        const std::span<const std::uint32_t> values = labels.of(sample);
        if (values.empty()) {
            continue;
        }
        reader.read(sample);
        const std::uint64_t size = magnitude(reader.values()[type]);
        if (size == 0 || !reader.is_selected()) {
            continue;
        }
        for (const std::uint32_t value : values) {
            add_size(sizes[value], size);
        }
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const label_index::value& value = labels.values()[i];
        if (sizes[i] != 0 && can_be_chosen(value)) {
            add_size(m_sizes[{labels.keys()[value.key], value.text}], sizes[i]);
        }
    }
}

std::vector<label_text> largest_labels::take(std::size_t most) const {
    std::vector<const decltype(m_sizes)::value_type*> sorted;
    sorted.reserve(m_sizes.size());
    for (const auto& each : m_sizes) {
        sorted.push_back(&each);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->second > b->second; });
    sorted.resize(std::min(sorted.size(), most));
    std::vector<label_text> taken;
    taken.reserve(sorted.size());
    for (const auto* each : sorted) {
        taken.push_back({std::string{each->first.first}, std::string{each->first.second}});
    }
    return taken;
}

} // namespace pprofdelta
