// SPDX-License-Identifier: Apache-2.0
// Puts large blocks of memory into large pages. A short run spends a fifth of its time on faults of
// pages that it touches for the first time, and large pages make that a tenth as many. The program
// alone does so; a process that links the library lays out its memory itself.
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#ifdef MADV_HUGEPAGE

namespace {

constexpr std::size_t large_page = std::size_t{1} << 21U; // of x86-64 and most of ARM

void* allocate(std::size_t size) noexcept {
    if (size < large_page) {
        return std::malloc(size == 0 ? 1 : size);
    }
    // The pages are only those that it fills: a page takes all of its memory once a byte of it is
    // used, which nobody has counted.
    const std::size_t pages = size / large_page;
    void* const block = std::aligned_alloc(large_page, size);
    if (block != nullptr) {
        // This is advice: if the system ignores it, nothing changes. Pages are allocated when they
        // are touched.
        (void)madvise(block, pages * large_page, MADV_HUGEPAGE);
    }
    return block;
}

#ifdef M_MMAP_THRESHOLD
// The largest blocks go back to the system when they are freed. glibc would keep them from the
// first one on, and a profile that is inflated leaves a hole that nothing else fits into. Some of
// what is free at the end of its memory stays, though, as much of it is soon needed again.
// clang-tidy calls mallopt() unsafe beside other threads. There are none yet, so it is called by a
// pointer.
constexpr auto* set = &mallopt;
[[maybe_unused]] const bool are_set =
    set(M_MMAP_THRESHOLD, 2 * large_page) != 0 && set(M_TRIM_THRESHOLD, large_page) != 0;
#endif

} // namespace

void* operator new(std::size_t size) {
    void* const block = allocate(size);
    if (block == nullptr) {
        throw std::bad_alloc{};
    }
    return block;
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }

#endif
