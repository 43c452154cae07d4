// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pprofdelta/traces.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns the code that is mapped into this process now, with its files and their build ids; the
/// program comes first. Linux only: an empty list elsewhere.
///
/// Opens one file, /proc/self/maps; if it cannot be read, the list is empty. Build ids are read
/// from the ELF notes of the loaded objects in memory (dl_iterate_phdr(3)). The files themselves
/// are not opened, as they may have been replaced since. Objects that the dynamic loader did not
/// load, and those without a note, have no build id.
///
/// Cost: some kilobytes of text are read, a line for each mapping. memory_delta calls this for an
/// address outside all mappings that it knows.
/// @throws error too_large for more than 2^20 mappings with code; std::bad_alloc, so that no list
///         lacks a mapping for want of memory.
[[nodiscard]] mapping_list process_mappings();

} // namespace pprofdelta

#pragma GCC visibility pop
