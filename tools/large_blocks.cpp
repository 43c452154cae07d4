// SPDX-License-Identifier: Apache-2.0
// Puts large blocks of memory into large pages. A short run spends a fifth of its time on faults of
// pages that it touches for the first time, and large pages make that a tenth as many. The program
// alone does so; a process that links the library lays out its memory itself.
#include <algorithm>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/heap.hpp"

#ifdef MADV_HUGEPAGE

namespace {

using pprofdelta::tool::rounds_up_to_large_pages;

[[maybe_unused]] const bool is_prepared = (pprofdelta::tool::prepare_heap(), true);

constexpr std::size_t large_page = std::size_t{1} << 21U; // of x86-64 and most of ARM

void* allocate(std::size_t size) noexcept {
    // A page takes all of its memory once a byte of it is used, which nobody has counted.
    const std::size_t rest = rounds_up_to_large_pages ? large_page / 2 : 0;
    const std::size_t pages = (size + rest) / large_page;
    if (pages == 0) {
        return std::malloc(size == 0 ? 1 : size);
    }
    void* const block = std::aligned_alloc(large_page, std::max(size, pages * large_page));
    if (block != nullptr) {
        // This is advice: if the system ignores it, nothing changes. Pages are allocated when they
        // are touched.
        (void)madvise(block, pages * large_page, MADV_HUGEPAGE);
    }
    return block;
}

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
