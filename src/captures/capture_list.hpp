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
    };

    kind of = kind::all;
    std::size_t number = 0; ///< Of the limit or the row.
};

/// Captures in the order in which they were added, and which of them have a row.
class capture_list {
public:
    /// After an exception nothing has changed. O(rows of the capture)
    void add(capture&& added);

    [[nodiscard]] const std::vector<capture>& all() const noexcept { return m_all; }

    /// Those that captures have, each once.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] bool has(std::uint32_t row) const {
        return row < m_last.size() && m_last[row].capture != place::nowhere;
    }

    /// A value of each capture.
    using column = std::vector<double>;

    [[nodiscard]] column values(std::size_t type, const sample_group& samples) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const;

private:
    // Where a row is found.
    struct place {
        static constexpr std::uint32_t nowhere = 0xffffffff;

        std::uint32_t capture = nowhere;
        std::uint32_t row = 0; // among those of the capture
    };

    [[nodiscard]] column of_row(std::vector<std::int64_t> capture::*values, std::size_t type,
                                std::size_t row) const;

    std::vector<capture> m_all;
    std::vector<std::vector<place>> m_earlier; // of each row of each capture, the place before
    std::vector<place> m_last;                 // of each row
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_LIST_HPP
