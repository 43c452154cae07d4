// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_DECODED_OUTPUT_HPP
#define PPROFDELTA_SRC_CODEC_DECODED_OUTPUT_HPP

#include <cstddef>
#include <span>
#include <string>

#include "codec/pages.hpp"

namespace pprofdelta {

/// Where a codec puts what it uncompresses, which takes at most 64 MiB more than that: a string as
/// long as it is small, and then pages, as a string would be filled with zeros first, and be copied
/// each time that it grows.
class decoded_output {
public:
    /// @param out          what finish() replaces; unspecified before. Its capacity is used first.
    /// @param archive_size how much there is to uncompress.
    /// @param stated       what the archive says that comes of it; believed as far as that is
    ///                     likely for one of its size.
    /// @throws std::bad_alloc
    decoded_output(std::string& out, std::size_t archive_size, std::size_t stated,
                   std::size_t max_size);

    /// Where the next bytes go; never empty.
    /// @throws error too_large; std::bad_alloc.
    [[nodiscard]] std::span<char> room();
    /// So many bytes of the room are used.
    void add(std::size_t size) noexcept { m_used += size; }
    /// Makes at least twice the room, for a codec that needs all of it at once.
    /// @throws error too_large if it has more than `max_size` already; std::bad_alloc.
    void grow();

    /// @throws error too_large; std::bad_alloc.
    void finish();

private:
    void resize(std::size_t size);

    std::string& m_out;
    std::size_t m_max_size;
    std::size_t m_most_in_string;
    pages m_pages; // empty as long as `m_out` is used
    std::size_t m_size = 0;
    std::size_t m_used = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_DECODED_OUTPUT_HPP
