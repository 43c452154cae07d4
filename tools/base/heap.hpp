// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOL_HEAP_HPP
#define PPROFDELTA_TOOL_HEAP_HPP

namespace pprofdelta::tool {

// Settings of memory that a program chooses, and no library: pprofdelta's own does not. Those of
// glibc's allocator do nothing elsewhere. Call these before a second thread starts.

/// Prepares the heap for a short run: its first megabytes are in large pages, and the largest
/// blocks go back to the system as soon as they are freed.
void prepare_heap() noexcept;

/// Lets all threads share one heap, for a command of two threads that work on much at a time.
/// Each further heap begins with small pages. With many threads they would wait for each other.
void use_one_heap() noexcept;

/// Gives back to the system what is freed, and takes no large page that a block does not fill: for
/// a run of many threads that counts its memory.
void give_back_freed_memory() noexcept;

/// Whether a block takes all of a large page that it fills half of; see large_blocks.cpp.
inline bool rounds_up_to_large_pages = true;

} // namespace pprofdelta::tool

#endif
