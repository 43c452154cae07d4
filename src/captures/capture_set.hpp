// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "captures/capture_list.hpp"
#include "captures/capture_reader.hpp"

namespace pprofdelta {

/// What captures of two sides add up to, each by itself.
class capture_set {
public:
    capture_set(const compare_options& options, std::vector<limit> limits)
        : m_normalized_by{options.normalized_by}, m_reader{options, std::move(limits),
                                                           options.callers_of, options.callees_of,
                                                           options.keeps_stacks} {}

    /// As profile_comparison::add() has it.
    void add(compare_side to, std::string_view profile);

    [[nodiscard]] std::size_t count(compare_side of) const noexcept {
        return side(of).all().size();
    }
    /// Its usual type is that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }
    /// As profile_comparison has it.
    [[nodiscard]] std::vector<std::string> programs(compare_side of) const {
        return side(of).programs();
    }
    [[nodiscard]] bool is_head_foreign() const;
    /// As profile_comparison has it.
    [[nodiscard]] std::optional<compare_side> older_side() const noexcept;

    /// Values of one side, capture by capture; scaled, if that was asked for.
    using column = capture_list::column;

    [[nodiscard]] column values(compare_side of, std::size_t type,
                                const sample_group& samples) const {
        return scaled(of, type, sums(of, type, samples));
    }
    /// The same before they are scaled, to be added up.
    [[nodiscard]] column sums(compare_side of, std::size_t type,
                              const sample_group& samples) const {
        return side(of).values(type, samples);
    }
    [[nodiscard]] column scaled(compare_side of, std::size_t type, column sums) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const {
        return side(compare_side::base).has_match(limit) ||
               side(compare_side::head).has_match(limit);
    }

    /// As profile_comparison has it.
    [[nodiscard]] std::vector<std::size_t> samples(compare_side of, std::size_t type) const;
    /// By what each is multiplied.
    [[nodiscard]] column factors(compare_side of, std::size_t type) const;

private:
    [[nodiscard]] const capture_list& side(compare_side of) const noexcept {
        return m_sides[static_cast<std::size_t>(of)];
    }
    [[nodiscard]] double size_of(const capture& c, std::size_t type) const;

    std::optional<normalization> m_normalized_by;
    capture_reader m_reader;
    std::array<capture_list, 2> m_sides;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_SET_HPP
