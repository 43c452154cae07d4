// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/info.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/hash128.hpp"
#include "base/keyed_list.hpp"
#include "profile/index.hpp"
#include "profile/label_index.hpp"
#include "profile/types.hpp"

namespace pprofdelta {

namespace {

// Labels of one key and kind. Names are not copied, as any number of kinds can share a long one.
struct label_kind {
    label_index::value named; // one of its values
    std::size_t values = 0;
    std::size_t samples = 0;
    std::size_t last_sample = 0; // that has any, counted from 1
};

hash128 kind_of(const label_index::value& value) {
    const hash128 unit = value.is_text ? hash128{} : hash_bytes(value.text);
    const std::array<std::uint64_t, 3> made_of{
        std::uint64_t{value.key} << 1U | (value.is_text ? 1U : 0U), unit.low, unit.high};
    return hash_bytes(made_of.data(), sizeof made_of);
}

} // namespace

label_list list_labels(std::string_view profile) {
    profile_index index;
    index.build_types(profile);
    const label_index labels{index};
    keyed_list<label_kind> kinds;
    std::vector<std::uint32_t> kind_of_value;
    for (const label_index::value& value : labels.values()) {
        const std::uint32_t kind =
            kinds.find_or_add(kind_of(value), [&] { return label_kind{.named = value}; });
        ++kinds[kind].values;
        kind_of_value.push_back(kind);
    }
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        for (const std::uint32_t value : labels.of(sample)) {
            label_kind& kind = kinds[kind_of_value[value]];
            kind.samples += kind.last_sample == sample + 1 ? 0 : 1;
            kind.last_sample = sample + 1;
        }
    }
    std::vector<label_kind> sorted = kinds.values();
    std::stable_sort(sorted.begin(), sorted.end(), [](const label_kind& a, const label_kind& b) {
        return a.samples > b.samples;
    });
    label_list list;
    std::size_t left = max_type_names_size;
    for (const label_kind& kind : sorted) {
        const std::string_view key = labels.keys()[kind.named.key];
        const std::string_view unit = kind.named.is_text ? std::string_view{} : kind.named.text;
        if (key.size() + unit.size() > left) {
            ++list.left_out;
            continue;
        }
        left -= key.size() + unit.size();
        list.labels.push_back(
            {std::string{key}, kind.named.is_text, std::string{unit}, kind.values, kind.samples});
    }
    return list;
}

} // namespace pprofdelta
