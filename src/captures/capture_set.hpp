// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "captures/capture_list.hpp"
#include "captures/capture_reader.hpp"
#include "profile/types.hpp"

namespace pprofdelta {

/// What captures of two sides add up to, each by itself.
class capture_set {
public:
    capture_set(grouping by, std::optional<normalization> normalized_by, std::vector<limit> limits)
        : m_normalized_by{normalized_by}, m_reader{by, std::move(limits)} {}

    /// As profile_comparison::add() has it.
    void add(compare_side to, std::string_view profile);

    [[nodiscard]] std::size_t count(compare_side of) const noexcept {
        return side(of).all().size();
    }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_types.sample_types;
    }
    /// The place of the one that a report would be about.
    [[nodiscard]] std::size_t default_type() const noexcept { return m_default_type; }
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }
    /// As profile_comparison has it.
    [[nodiscard]] std::vector<std::string> programs(compare_side of) const {
        return side(of).programs();
    }
    [[nodiscard]] bool is_head_foreign() const;
    /// As profile_comparison::is_head_older() has it.
    [[nodiscard]] bool is_head_older() const noexcept;

    /// Values of one side, capture by capture; scaled, if that was asked for.
    using column = capture_list::column;

    [[nodiscard]] column totals(compare_side of, std::size_t type) const;
    [[nodiscard]] column flat(compare_side of, std::size_t type, std::uint32_t row) const;
    [[nodiscard]] column cum(compare_side of, std::size_t type, std::uint32_t row) const;
    /// Of the samples that a limit on functions by name is about.
    [[nodiscard]] column of_limit(compare_side of, std::size_t type, std::size_t limit) const;
    /// Whether a function of any capture matches a limit; true for those without functions.
    [[nodiscard]] bool has_match(std::size_t limit) const;

    /// By what each is multiplied.
    [[nodiscard]] column factors(compare_side of, std::size_t type) const;

private:
    [[nodiscard]] const capture_list& side(compare_side of) const noexcept {
        return m_sides[static_cast<std::size_t>(of)];
    }
    [[nodiscard]] double size_of(const capture& c, std::size_t type) const;
    [[nodiscard]] column scaled(compare_side of, std::size_t type, column values) const;

    std::optional<normalization> m_normalized_by;
    profile_types m_types; // of the first capture
    std::size_t m_default_type = 0;
    capture_reader m_reader;
    std::array<capture_list, 2> m_sides;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP
