// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "base/keyed_list.hpp"
#include "captures/capture_list.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

/// Reads captures, in all of which a row has the same number.
class capture_reader {
public:
    capture_reader(grouping by, std::vector<limit> limits)
        : m_by{by}, m_limits{std::move(limits)} {}

    /// Reads a profile to the end of a list. After an exception nothing has changed.
    /// @param name for the message about a copy of this one, such as "capture 3 of the base".
    /// @throws error malformed, too_large; incompatible for a copy of a capture that was read
    ///         before. Two runs differ at least in their times, if they have any.
    void read(const profile_index& index, std::string name, capture_list& to);

    [[nodiscard]] const std::vector<limit>& limits() const noexcept { return m_limits; }
    [[nodiscard]] const row_names& names() const noexcept { return m_names; }

private:
    [[nodiscard]] capture read(const profile_index& index);
    void refuse_copy(std::string_view profile, std::string name);

    grouping m_by;
    std::vector<limit> m_limits;
    row_names m_names;
    keyed_list<std::string> m_captures; // their names, by what they consist of
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_READER_HPP
