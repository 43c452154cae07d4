// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "select/names.hpp"

namespace pprofdelta {

/// One of stack_selection::labels: a key, and what values have to be like.
class label_pattern {
public:
    /// @param text KEY=VALUES
    /// @throws error invalid_argument
    explicit label_pattern(std::string_view text);

    [[nodiscard]] const std::string& key() const noexcept { return m_key; }
    [[nodiscard]] bool has(std::string_view text) const { return m_texts->is_in(text); }
    /// Never true unless the pattern is a range.
    [[nodiscard]] bool has(std::int64_t number, std::string_view unit) const;

private:
    struct bound {
        std::int64_t number = 0;
        std::string unit{}; ///< Empty for that of the label.
    };
    struct range {
        std::optional<bound> least;
        std::optional<bound> most;
    };

    // Nothing for what is no range.
    [[nodiscard]] static std::optional<range> read_range(std::string_view text);
    [[nodiscard]] static std::optional<bound> read_bound(std::string_view text);
    // The number minus the bound; nothing if their units cannot be compared.
    [[nodiscard]] static std::optional<int> compare(std::int64_t number, std::string_view unit,
                                                    const bound& with);

    std::string m_key;
    std::unique_ptr<const name_pattern> m_texts;
    std::optional<range> m_numbers;
};

} // namespace pprofdelta
