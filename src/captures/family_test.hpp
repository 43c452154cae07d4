// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP
#define PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/statistics.hpp>

namespace pprofdelta {

/// Tests rows together, of so many captures on each side.
class family_test {
public:
    /// @throws error invalid_argument for a side without captures.
    family_test(const compare_options& options, std::size_t base, std::size_t head);

    /// Computes all figures of rows that have their values.
    /// @returns how many different questions they are.
    std::size_t run(const std::vector<compared_row*>& rows);

    /// Whether a limit is crossed that is not on each function.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const compared_row& row) const;

    /// Whether none of so many questions could be answered.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t questions);
    /// The same of a limit. One on the value needs an interval of the head's median.
    [[nodiscard]] std::optional<too_few_captures> too_few_for(limit::bound on,
                                                              std::size_t questions);

private:
    void estimate(compared_row& row);

    compare_options m_options;
    std::size_t m_base;
    std::size_t m_head;
    u_test m_test;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP
