// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_EXPORT_TEXT_STREAM_HPP
#define PPROFDELTA_SRC_EXPORT_TEXT_STREAM_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <pprofdelta/error.hpp>
#include <pprofdelta/export.hpp>

namespace pprofdelta {

/// Passes a text on in parts, and refuses one that is out of proportion to the profiles.
class text_stream {
public:
    /// @param write        has to outlive this.
    /// @param profile_size of all profiles, in bytes.
    text_stream(const text_sink& write, std::size_t profile_size)
        : m_write{write}, m_left{least + per_byte * profile_size} {}

    /// @throws error too_large, and what the sink throws.
    text_stream& operator<<(std::string_view text) {
        if (text.size() > m_left) {
            throw error{error_kind::too_large, "the text would be too long for what it is made of"};
        }
        m_left -= text.size();
        m_part += text;
        if (m_part.size() >= part_size) {
            flush();
        }
        return *this;
    }
    text_stream& operator<<(std::int64_t number) { return *this << std::to_string(number); }

    /// Passes on what is left. To be called at the end.
    void flush() {
        m_write(m_part);
        m_part.clear();
    }

private:
    static constexpr std::size_t least = std::size_t{64} << 20U;
    static constexpr std::size_t per_byte = 1000;
    static constexpr std::size_t part_size = std::size_t{64} << 10U;

    const text_sink& m_write;
    std::string m_part;
    std::size_t m_left;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_EXPORT_TEXT_STREAM_HPP
