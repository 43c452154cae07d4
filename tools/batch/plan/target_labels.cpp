// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/target_labels.hpp"

#include <algorithm>

namespace pprofdelta::tool {

namespace {

constexpr std::string_view address_label = "__address__";
constexpr std::string_view instance_label = "instance";

std::string_view find_label(const label_texts& labels, std::string_view name) noexcept {
    const auto place =
        std::lower_bound(labels.begin(), labels.end(), name,
                         [](const auto& label, std::string_view key) { return label.first < key; });
    return place != labels.end() && place->first == name ? place->second : std::string_view{};
}

} // namespace

std::string_view target_labels::value(std::string_view name) const noexcept {
    if (!are_known()) {
        return {};
    }
    if (name == address_label) {
        return m_address;
    }
    const std::string_view found = find_label(*m_of_group, name);
    return found.empty() && name == instance_label ? m_address : found;
}

label_texts target_labels::all() const {
    label_texts labels;
    if (are_known()) {
        labels = *m_of_group;
        for (const std::string_view name : {address_label, instance_label}) {
            if (find_label(*m_of_group, name).empty()) {
                labels.emplace_back(name, m_address);
            }
        }
    }
    return labels;
}

label_texts target_labels::shown() const {
    label_texts labels;
    if (!are_known()) {
        return labels;
    }
    std::copy_if(m_of_group->begin(), m_of_group->end(), std::back_inserter(labels),
                 [](const auto& label) { return !label.first.starts_with("__"); });
    if (find_label(*m_of_group, instance_label).empty()) {
        const auto place = std::find_if(labels.begin(), labels.end(), [](const auto& label) {
            return label.first > instance_label;
        });
        labels.insert(place, {instance_label, m_address});
    }
    return labels;
}

} // namespace pprofdelta::tool
