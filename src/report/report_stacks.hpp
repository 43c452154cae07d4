// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP
#define PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "flame/paired_stacks.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

/// The stacks behind the rows of a report, as far as filters leave them, with the values of its
/// sample type. Those whose values are zero on both sides are there, too.
struct report_stacks {
    explicit report_stacks(std::size_t type)
        : stacks{{type}, std::numeric_limits<std::uint32_t>::max() - 1} {}

    row_names names;
    paired_stacks stacks;
    std::uint32_t no_stack = 0; ///< The row of samples without one.
};

/// Goes along the frames of a stack, the outermost first. Without any it is that of no stack.
class stack_frames {
public:
    static constexpr std::uint32_t none = stack_set::cursor::none;

    stack_frames(const report_stacks& of, std::uint32_t stack)
        : m_of{of}, m_at{of.stacks.stacks(), stack} {}

    /// The row of the next frame, or none.
    [[nodiscard]] std::uint32_t take() {
        const std::uint32_t row = m_at.take(m_of.stacks.stacks());
        const bool is_empty = std::exchange(m_may_be_empty, false) && row == none;
        return is_empty ? m_of.no_stack : row;
    }

private:
    const report_stacks& m_of;
    stack_set::cursor m_at;
    bool m_may_be_empty = true;
};

// As make_report() without stacks, and with what is in `kept` replaced.
[[nodiscard]] report make_report(std::string_view previous, std::string_view current,
                                 const report_options& options, report_stacks& kept);
[[nodiscard]] report make_report(const computed_delta& delta, const report_options& options,
                                 report_stacks& kept);
[[nodiscard]] report make_report(std::string_view profile, const report_options& options,
                                 report_stacks& kept);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP
