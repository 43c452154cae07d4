// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "base/keyed_list.hpp"
#include "captures/call_sums.hpp"
#include "captures/capture_list.hpp"
#include "flame/stack_frames.hpp"
#include "flame/stack_set.hpp"
#include "profile/index.hpp"
#include "profile/types.hpp"
#include "select/location_rows.hpp"
#include "select/stack_rules.hpp"

namespace pprofdelta {

/// Reads captures of the same sample types, in all of which a row has the same number.
class capture_reader {
public:
    /// @param options of a comparison, or of a trend, with what rows are of.
    /// @param callers_of  rows whose calls are read, as asked_calls has it.
    /// @param keeps_stacks whether stacks are read.
    /// @throws error invalid_argument
    template <typename Options>
    capture_reader(const Options& options, std::vector<limit> limits,
                   const std::string& callers_of = {}, const std::string& callees_of = {},
                   bool keeps_stacks = false)
        : m_selection{options.selection}, m_rules{options}, m_limits{std::move(limits)},
          m_asked{callers_of, callees_of}, m_keeps_stacks{keeps_stacks} {}

    /// @throws error incompatible for sample types other than those of the first capture.
    void require_types_of(const profile_index& index) const;

    /// Reads a profile to the end of a list. After an exception nothing has changed.
    /// @param index      of the first capture loses its types.
    /// @param usual_type the place of the one that is meant if none is named, in the first capture.
    /// @param name       for the message about a copy of this one, such as "capture 3 of the base".
    /// @throws error malformed, too_large; incompatible for a copy of a capture that was read
    ///         before. Two runs differ at least in their times, if they have any.
    void read(profile_index& index, std::size_t usual_type, std::string name, capture_list& to);

    /// Whether nothing was read so far. A capture has a sample type.
    [[nodiscard]] bool is_empty() const noexcept { return types().empty(); }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_types.sample_types;
    }
    [[nodiscard]] std::size_t usual_type() const noexcept { return m_usual_type; }
    [[nodiscard]] const std::vector<limit>& limits() const noexcept { return m_limits; }
    [[nodiscard]] const row_names& names() const noexcept { return m_names; }
    [[nodiscard]] const asked_calls& asked() const noexcept { return m_asked; }
    [[nodiscard]] const keyed_list<row_call>& calls() const noexcept { return m_calls; }
    [[nodiscard]] bool keeps_stacks() const noexcept { return m_keeps_stacks; }
    [[nodiscard]] const stack_set& stacks() const noexcept { return m_stacks; }
    /// The row of samples without a stack, if stacks are read.
    [[nodiscard]] std::uint32_t no_stack() const noexcept { return m_no_stack; }
    [[nodiscard]] stack_frames frames(std::uint32_t stack) const {
        return {m_stacks, m_no_stack, stack};
    }

private:
    [[nodiscard]] capture read(const profile_index& index, capture_rows& of_rows);
    void read_calls(const profile_stacks& stacks, const location_rows& rows, capture_rows& into);
    void refuse_copy(std::string_view profile, std::string name);

    stack_selection m_selection;
    stack_rules m_rules;
    profile_types m_types; // of the first capture
    std::size_t m_usual_type = 0;
    std::vector<limit> m_limits;
    row_names m_names;
    asked_calls m_asked;
    keyed_list<row_call> m_calls;
    bool m_keeps_stacks;
    stack_set m_stacks{std::numeric_limits<std::uint32_t>::max() - 1};
    std::uint32_t m_no_stack = 0;
    keyed_list<std::string> m_captures; // their names, by what they consist of
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP
