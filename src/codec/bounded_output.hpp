// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP
#define PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP

#include <algorithm>
#include <cstddef>
#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

// What uncompresses into a buffer that grows as bytes arrive, for every codec: one byte more than
// `max_size` is room enough to see that there is too much.

/// @throws error too_large for a size beyond `max_size`.
inline void require_within(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large, "the uncompressed profile has more than " +
                                               std::to_string(max_size) + " bytes"};
    }
}

/// The same for a profile that is written.
inline void require_written_size(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large,
                    "the result would have more than " + std::to_string(max_size) + " bytes"};
    }
}

/// Makes room in a buffer that is full.
/// @throws error too_large if it has more than `max_size` bytes already.
inline void grow(std::string& out, std::size_t max_size) {
    require_within(out.size(), max_size);
    // max_size + 1 would be 0 for the largest number.
    out.resize(std::min(out.size() * 2, max_size) + 1);
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP
