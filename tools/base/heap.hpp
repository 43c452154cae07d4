// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOL_HEAP_HPP
#define PPROFDELTA_TOOL_HEAP_HPP

namespace pprofdelta::tool {

// Settings of glibc's allocator, which do nothing elsewhere. A program chooses them, and no
// library: pprofdelta's own does not. Call these before a second thread starts.

/// Prepares the heap for a short run: its first megabytes are in large pages, and the largest
/// blocks go back to the system as soon as they are freed.
void prepare_heap() noexcept;

/// Lets all threads share one heap, for a command of two threads that work on much at a time.
/// Each further heap begins with small pages. With many threads they would wait for each other.
void use_one_heap() noexcept;

/// Gives back to the system what is freed, for a run of many threads that counts its memory.
void give_back_freed_memory() noexcept;

} // namespace pprofdelta::tool

#endif
