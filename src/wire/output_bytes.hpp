// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_WIRE_OUTPUT_BYTES_HPP
#define PPROFDELTA_SRC_WIRE_OUTPUT_BYTES_HPP

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace pprofdelta {

/// Writes to a string as if it were plain memory. It asks for room once for a record, not for each
/// field, and does not clear memory that is then overwritten.
class output_bytes {
public:
    /// Replaces the content of `out`, which is unspecified until finish() and must live until then.
    void start(std::string& out) noexcept {
        m_out = &out;
        m_size = 0;
    }

    /// Room for `size` bytes, until the next call of any function.
    [[nodiscard]] char* room(std::size_t size) {
        if (m_out->size() - m_size < size) {
            m_out->resize(2 * (m_size + size));
        }
        return m_out->data() + m_size;
    }
    /// Keeps what was written from the start of room() to `end`.
    void keep(const char* end) noexcept { m_size = static_cast<std::size_t>(end - m_out->data()); }

    void append(std::string_view bytes) { keep(put(room(bytes.size()), bytes)); }

    /// The bytes kept so far.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    void finish() { m_out->resize(m_size); }

    /// Copies bytes and returns their end.
    static char* put(char* to, std::string_view bytes) noexcept {
        if (!bytes.empty()) {
            std::memcpy(to, bytes.data(), bytes.size());
        }
        return to + bytes.size();
    }

private:
    std::string* m_out = nullptr;
    std::size_t m_size = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_WIRE_OUTPUT_BYTES_HPP
