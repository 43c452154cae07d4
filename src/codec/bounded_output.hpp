// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP
#define PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP

#include <cstddef>
#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// @throws error too_large for a size beyond `max_size`.
inline void require_within(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large, "the uncompressed profile has more than " +
                                               std::to_string(max_size) + " bytes"};
    }
}

/// @throws error too_large for a size beyond `max_size` of a profile that is written.
inline void require_written_size(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large,
                    "the result would have more than " + std::to_string(max_size) + " bytes"};
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_BOUNDED_OUTPUT_HPP
