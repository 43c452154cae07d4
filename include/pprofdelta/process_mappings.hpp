// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_PROCESS_MAPPINGS_HPP
#define PPROFDELTA_PROCESS_MAPPINGS_HPP

#include <pprofdelta/traces.hpp>

namespace pprofdelta {

/// The files with code that this process has in its memory now, from /proc/self/maps, with the
/// build ids of their ELF notes. Linux only: the list is empty elsewhere, and where /proc cannot be
/// read. A file that cannot be read, or is not ELF, has no build id.
///
/// Reads some kilobytes of each file; memory_delta calls it when an address lies in none of the
/// mappings that it knows.
/// @throws std::bad_alloc, rather than return a list that lacks a mapping.
[[nodiscard]] mapping_list process_mappings();

} // namespace pprofdelta

#endif // PPROFDELTA_PROCESS_MAPPINGS_HPP
