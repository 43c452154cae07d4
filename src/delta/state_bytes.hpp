// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_STATE_BYTES_HPP
#define PPROFDELTA_SRC_DELTA_STATE_BYTES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <pprofdelta/error.hpp>

#include "base/hash128.hpp"

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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_STATE_BYTES_HPP
