// SPDX-License-Identifier: Apache-2.0
#include "base/heap.hpp"

#include <cstddef>
#include <cstdlib>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>

namespace pprofdelta::tool {

namespace {

// The call goes through a pointer: clang-tidy assumes that there are other threads, which there are
// not yet.
constexpr auto* set = &mallopt;
constexpr int mebibyte = 1 << 20;

// Extends the heap by some room in large pages. A page takes memory when it is touched, so what a
// run does not need costs nothing.
void reserve_large_pages() noexcept {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t page = std::size_t{1} << 21U; // of x86-64 and most of ARM
    constexpr std::size_t size = 3 * page;
    std::size_t room = size + page;
    void* const block = std::malloc(room);
    void* start = block;
    if (std::align(page, size, start, room) != nullptr) {
        madvise(start, size, MADV_HUGEPAGE);
    }
    std::free(block);
#endif
}

} // namespace

void prepare_heap() noexcept {
    // Less would give the room back at once. Much of what is free at the end is soon needed again.
    set(M_TRIM_THRESHOLD, 10 * mebibyte);
    set(M_MMAP_THRESHOLD, 16 * mebibyte); // so that the room is a part of the heap
    reserve_large_pages();
    // glibc would keep large blocks from the first one on that is freed, and a profile that is
    // inflated leaves a hole that nothing else fits into.
    set(M_MMAP_THRESHOLD, 4 * mebibyte);
}

void use_one_heap() noexcept { set(M_ARENA_MAX, 1); }

// glibc would keep blocks of up to 32 MiB that were freed, those of each thread for itself, beside
// what is counted.
void give_back_freed_memory() noexcept {
    set(M_MMAP_THRESHOLD, mebibyte);
    set(M_TRIM_THRESHOLD, 4 * mebibyte);
    malloc_trim(0); // the large pages
    rounds_up_to_large_pages = false;
}

} // namespace pprofdelta::tool

#else

namespace pprofdelta::tool {

void prepare_heap() noexcept {}
void use_one_heap() noexcept {}
void give_back_freed_memory() noexcept { rounds_up_to_large_pages = false; }

} // namespace pprofdelta::tool

#endif
