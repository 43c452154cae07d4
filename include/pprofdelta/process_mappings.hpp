// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_PROCESS_MAPPINGS_HPP
#define PPROFDELTA_PROCESS_MAPPINGS_HPP

#include <pprofdelta/traces.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The code that this process has in its memory now, with the files that it comes from and their
/// build ids; the program comes first. Linux only: an empty list elsewhere.
///
/// Opens one file, /proc/self/maps; if that cannot be read, the list is empty. Build ids are read
/// from the memory of this process, from the ELF notes of what the dynamic loader has loaded
/// (dl_iterate_phdr(3)): the files themselves are not opened, as others may have taken their place
/// by now. What the loader did not load, and what has no note, has no build id.
///
/// Cost: some kilobytes of text are read, a line for each mapping. memory_delta calls it when an
/// address lies in none of the mappings that it knows.
/// @throws error too_large for more than 2^20 mappings with code; std::bad_alloc, so that no list
///         lacks a mapping for want of memory.
[[nodiscard]] mapping_list process_mappings();

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_PROCESS_MAPPINGS_HPP
