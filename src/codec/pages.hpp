// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_PAGES_HPP
#define PPROFDELTA_SRC_CODEC_PAGES_HPP

#include <cstddef>
#include <string>

namespace pprofdelta {

/// A block of memory that takes only the pages that were written to, and grows without a copy.
class pages {
public:
    pages() = default;
    ~pages();
    pages(const pages&) = delete;
    pages& operator=(const pages&) = delete;

    [[nodiscard]] char* data() noexcept { return m_data; }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    /// What was written stays; data() changes.
    /// @param size more than it has.
    /// @throws std::bad_alloc if there are no addresses for so much.
    void grow(std::size_t size);

    /// Replaces `out` by the first `size` bytes. Each page is given back once it is copied, so
    /// that they are not held twice.
    /// @throws std::bad_alloc
    void move_to(std::string& out, std::size_t size);

private:
    char* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_PAGES_HPP
