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
    };

    kind of = kind::all;
    std::size_t number = 0; ///< Of the limit, the row or the call.
};

/// Captures in the order in which they were added, and which of them have a row.
class capture_list {
public:
    /// After an exception nothing has changed. O(rows of the capture)
    void add(capture&& added);

    [[nodiscard]] const std::vector<capture>& all() const noexcept { return m_all; }

    /// Those that captures have, each once.
    [[nodiscard]] std::vector<std::string> programs() const;
    [[nodiscard]] bool has(std::uint32_t row) const { return m_rows.last(row).is_somewhere(); }

    /// A value of each capture.
    using column = std::vector<double>;

    [[nodiscard]] column values(std::size_t type, const sample_group& samples) const;
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const;

private:
    // Where each row, or each call, is found.
    class places {
    public:
        struct place {
            static constexpr std::uint32_t nowhere = 0xffffffff;

            std::uint32_t capture = nowhere;
            std::uint32_t row = 0; // among those of the capture

            [[nodiscard]] bool is_somewhere() const noexcept { return capture != nowhere; }
        };

        // Of the next capture; what was prepared before and not kept is replaced.
        void prepare(std::size_t capture, const std::vector<std::uint32_t>& rows);
        void keep(std::size_t capture, const std::vector<std::uint32_t>& rows) noexcept;

        // In the last capture that has it, and in the one before a place.
        [[nodiscard]] place last(std::size_t row) const noexcept {
            return row < m_last.size() ? m_last[row] : place{};
        }
        [[nodiscard]] place before(const place& at) const noexcept {
            return m_earlier[at.capture][at.row];
        }

    private:
        std::vector<std::vector<place>> m_earlier; // of each row of each capture
        std::vector<place> m_last;                 // of each row
    };

    [[nodiscard]] column of_row(std::vector<std::int64_t> capture::*values, const places& places_of,
                                std::size_t type, std::size_t row) const;

    std::vector<capture> m_all;
    places m_rows;
    places m_calls;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_LIST_HPP
