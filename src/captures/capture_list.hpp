// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_LIST_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "captures/capture.hpp"

namespace pprofdelta {

/// Samples of a capture that are added up.
struct sample_group {
    enum class kind : std::uint8_t {
        all,
        limit, ///< Those that a limit on functions by name is about.
        flat,  ///< Those whose innermost frame is in a row.
        cum,   ///< Those with a frame in a row.
        call,  ///< Those in which one row calls another.
        stack, ///< Those with one stack.
    };

    kind of = kind::all;
    std::size_t number = 0; ///< Of the limit, the row, the call or the stack.
};

/// Captures in the order in which they were added, and which of them have a row.
class capture_list {
public:
    /// After an exception nothing has changed. O(rows of the capture)
    void add(capture&& added, const capture_rows& rows);

    [[nodiscard]] const std::vector<capture>& all() const noexcept { return m_all; }

    /// Those that captures have, each once.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] bool has(std::uint32_t row) const { return m_rows.has(row); }
    /// Flat of all types of the rows of a capture, and more.
    [[nodiscard]] packed_sums::rows rows(std::size_t of) const { return m_rows.of(of); }

    /// A value of each capture.
    using column = std::vector<double>;

    [[nodiscard]] column values(std::size_t type, const sample_group& samples) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const;

private:
    std::vector<capture> m_all;
    packed_sums m_rows;
    packed_sums m_calls;
    packed_sums m_stacks;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_LIST_HPP
