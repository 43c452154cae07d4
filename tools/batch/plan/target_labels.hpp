// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_TARGET_LABELS_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_TARGET_LABELS_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

/// Names and values of labels. A value that is empty is no label, as in Prometheus.
using label_texts = std::vector<std::pair<std::string_view, std::string_view>>;

/// The labels of a target, as Prometheus has them: those of its group, `__address__`, and
/// `instance`, which is the address if the group has none. Those that begin with "__" are for
/// making names and URLs of, and go no further.
///
/// A view: the group's labels and all texts must outlive it. Without a group it has no labels.
class target_labels {
public:
    target_labels() = default;
    /// @param of_group in the order of their names, and none empty.
    target_labels(const label_texts& of_group, std::string_view address)
        : m_of_group{&of_group}, m_address{address} {}

    /// Whether there is a target.
    [[nodiscard]] bool are_known() const noexcept { return m_of_group != nullptr; }
    /// Empty for one that is not there. O(log labels)
    [[nodiscard]] std::string_view value(std::string_view name) const noexcept;
    /// All, in any order.
    [[nodiscard]] label_texts all() const;
    /// Those that go with the target's profiles, in the order of their names.
    [[nodiscard]] label_texts shown() const;

private:
    const label_texts* m_of_group = nullptr;
    std::string_view m_address;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_TARGET_LABELS_HPP
