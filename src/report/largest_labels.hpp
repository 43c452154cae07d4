// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_LARGEST_LABELS_HPP
#define PPROFDELTA_SRC_REPORT_LARGEST_LABELS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/index.hpp"
#include "select/stack_rules.hpp"

namespace pprofdelta {

/// Finds the texts of labels whose samples have the largest values. Numbers are none of them: they
/// are too many, and say little of one another. Neither is a text without a key, for which nobody
/// could ask.
class largest_labels {
public:
    /// @param rules must outlive this.
    explicit largest_labels(const stack_rules& rules) : m_rules{rules} {}

    /// Adds the values of the samples that count, without their signs.
    /// @param index its bytes must outlive this.
    /// @throws error malformed, too_large
    void read(const profile_index& index, std::size_t type);

    /// At most so many, the largest first, and equal ones by key and text.
    [[nodiscard]] std::vector<label_text> take(std::size_t most) const;

    [[nodiscard]] std::size_t size() const noexcept { return m_sizes.size(); }

private:
    const stack_rules& m_rules;
    std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> m_sizes; // by key, text
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_LARGEST_LABELS_HPP
