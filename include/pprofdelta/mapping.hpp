// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_MAPPING_HPP
#define PPROFDELTA_MAPPING_HPP

#include <cstdint>
#include <string>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A part of a file that a process has in its memory; Mapping of profile.proto. Readers need it to
/// find the symbols of addresses.
struct mapping {
    std::uint64_t start = 0;  ///< The first address.
    std::uint64_t limit = 0;  ///< The first address after it.
    std::uint64_t offset = 0; ///< Where in the file `start` lies, in bytes.
    std::string file;         ///< Its path, or a name such as [vdso]; empty if unknown.
    std::string build_id;     ///< In hexadecimal digits; empty if unknown.

    friend bool operator==(const mapping&, const mapping&) = default;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_MAPPING_HPP
