// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP
#define PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "base/hash128.hpp"
#include "delta/series.hpp"
#include "delta/value_table.hpp"

namespace pprofdelta {

// What a state is made of: numbers as little-endian bytes, whatever the machine's order, and texts
// behind their lengths.

[[noreturn]] inline void fail_state(const std::string& what) {
    throw error{error_kind::malformed, what};
}

template <typename Number>
void put(std::string& out, Number number) {
    std::array<char, sizeof number> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xffU);
    }
    out.append(bytes.data(), bytes.size());
}

inline void put(std::string& out, const hash128& hash) {
    put(out, little_endian(hash.low));
    put(out, little_endian(hash.high));
}

inline void put(std::string& out, const std::string& text) {
    put(out, static_cast<std::uint32_t>(text.size()));
    out += text;
}

/// Reads the bytes of a state from front to back. All functions throw an error, malformed, if there
/// are too few.
class state_reader {
public:
    explicit state_reader(std::string_view bytes) : m_rest{bytes} {}

    template <typename Number>
    [[nodiscard]] Number number() {
        const std::string_view bytes = take(sizeof(Number));
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        }
        return static_cast<Number>(value);
    }

    [[nodiscard]] hash128 hash() {
        const auto low = number<std::uint64_t>();
        const auto high = number<std::uint64_t>();
        return {little_endian(low), little_endian(high)};
    }

    [[nodiscard]] std::string text() { return std::string{take(number<std::uint32_t>())}; }

    [[nodiscard]] std::string_view take(std::size_t size) {
        if (size > m_rest.size()) {
            fail_state("damaged state: it ends too early");
        }
        const std::string_view taken = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        return taken;
    }

    /// What was not read yet.
    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

private:
    std::string_view m_rest;
};

/// The entries of a table from number `begin` to before number `end`.
struct entry_range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// The values of one cumulative type as a state has them: in blocks, of which each has values of
/// one width. To read and to write these takes no branch that depends on a value.
class column_writer {
public:
    /// @param order all entries, as they are to be written. It and the values must outlive this,
    ///              unchanged.
    column_writer(value_column<const std::int64_t> values, const std::vector<entry_range>& order);

    /// In bytes.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    /// Needs no memory if there is room for the column and spare_room bytes.
    void append_to(std::string& out) const;
    static constexpr std::size_t spare_room = 8;

private:
    value_column<const std::int64_t> m_values;
    const std::vector<entry_range>& m_order;
    std::vector<std::uint8_t> m_widths; // of the blocks
    std::size_t m_size = 0;
};

/// Reads the values of `count` entries.
/// @throws error malformed
void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count);

/// The version that is written. Those before it are read, too.
inline constexpr std::uint32_t state_version = 3;

/// A series as bytes; the format is described in pprofdelta-state(5).
[[nodiscard]] std::string encode_state(const series& kept, const value_table& table);

/// What a state says of itself.
struct decoded_state {
    std::uint32_t version = 0;
    std::size_t body_size = 0; ///< In bytes, uncompressed.
};

/// Replaces `kept` and `table`, whose content is unspecified after a throw.
/// @throws error malformed, or incompatible for an unknown version.
decoded_state decode_state(std::string_view state, series& kept, value_table& table);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_STATE_FORMAT_HPP
