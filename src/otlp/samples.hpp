// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_SAMPLES_HPP
#define PPROFDELTA_SRC_OTLP_SAMPLES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "otlp/dictionary.hpp"
#include "otlp/labels.hpp"
#include "otlp/room.hpp"
#include "otlp/rows.hpp"

namespace pprofdelta {

/// The samples of all profiles: what has one stack, attributes, link and source is one sample, with
/// a value of each type.
class otlp_samples {
public:
    /// @param columns how many types there are. The others have to outlive this.
    otlp_samples(const otlp_dictionary& dictionary, otlp_labels& labels, otlp_room& room,
                 std::size_t columns)
        : m_dictionary{dictionary}, m_labels{labels}, m_room{room}, m_columns{columns},
          m_rows{dictionary.stacks.size()}, m_stacks(dictionary.stacks.size(), unread) {}

    /// Begins the next profile, which has so many samples.
    void begin(std::size_t count) {
        if (m_rows.size() == 0) { // those of the first are mostly those of all
            const std::size_t most = m_dictionary.bytes().size() / (2 * sizeof(std::int64_t));
            m_rows.reserve(std::min(count, most));
            m_values.reserve(std::min(count * m_columns, most));
        }
        m_rows.begin();
    }

    /// Adds a Sample of a profile.
    /// @param source the number of a set of labels.
    /// @param column the place of the profile's type.
    /// @throws error malformed, too_large.
    void add(std::string_view sample, std::uint32_t source, std::size_t column);

    /// Appends all samples to a profile, in the order in which they first came.
    /// @throws error malformed, too_large.
    void append_to(std::string& profile);

    /// The id of the location that stands for the zero value, which cannot have its index: a
    /// location with the id 0 is refused by google/pprof.
    [[nodiscard]] std::uint32_t id_of_zero() const noexcept {
        return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.locations.size(), 1));
    }
    /// Whether some stack that was appended has it.
    [[nodiscard]] bool uses_zero() const noexcept { return m_uses_zero; }

private:
    // Whether it could. If not, `row` and `sum` are unspecified.
    [[nodiscard]] bool read_usual(std::string_view sample, otlp_row& row, std::int64_t& sum) const;
    [[nodiscard]] std::int64_t read_any(std::string_view sample, otlp_row& row);
    static constexpr record unread{0xffffffff, 0};

    [[nodiscard]] std::string_view ids_of(std::uint32_t stack);
    [[nodiscard]] record read_stack(std::uint32_t stack);
    [[nodiscard]] record read_indices(otlp_reader& stack);
    std::int64_t& value_at(const otlp_row& row, std::size_t column);

    const otlp_dictionary& m_dictionary;
    otlp_labels& m_labels;
    otlp_room& m_room;
    std::size_t m_columns;
    otlp_rows m_rows;
    std::vector<std::int64_t> m_values; // by row, and in it by column
    std::vector<record> m_stacks;       // packed ids, in the message or, beyond it, in m_own_ids
    std::string m_own_ids;
    std::vector<std::uint32_t> m_ids; // of the stack at hand, and more
    std::string m_rewritten;          // likewise
    std::string m_scratch;
    bool m_uses_zero = false;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_SAMPLES_HPP
