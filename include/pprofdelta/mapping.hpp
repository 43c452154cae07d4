// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_MAPPING_HPP
#define PPROFDELTA_MAPPING_HPP

#include <cstdint>
#include <string>

namespace pprofdelta {

/// A part of a file in the memory of a process, as profile.proto's Mapping has it.
struct mapping {
    std::uint64_t start = 0;  ///< The address of its first byte.
    std::uint64_t limit = 0;  ///< The address after its last byte.
    std::uint64_t offset = 0; ///< Of its first byte in the file.
    std::string file;
    std::string build_id; ///< In lower-case hexadecimal digits, as in the file; may be empty.
};

} // namespace pprofdelta

#endif // PPROFDELTA_MAPPING_HPP
