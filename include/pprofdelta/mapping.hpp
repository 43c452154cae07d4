// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A part of a file that is mapped into the memory of a process: Mapping of profile.proto. Readers
/// need it to find the symbols of addresses.
struct mapping {
    std::uint64_t start = 0;  ///< The first address.
    std::uint64_t limit = 0;  ///< The first address after the mapping.
    std::uint64_t offset = 0; ///< The place of `start` in the file, in bytes.
    std::string file;         ///< The path, or a name such as [vdso]; empty if unknown.
    std::string build_id;     ///< The id in hexadecimal digits; empty if unknown.

    friend bool operator==(const mapping&, const mapping&) = default;
};

} // namespace pprofdelta

#pragma GCC visibility pop
