// SPDX-License-Identifier: Apache-2.0
#include "codec/pages.hpp"

#include <algorithm>
#include <new>

#include <sys/mman.h>

namespace pprofdelta {

pages::~pages() {
    if (m_data != nullptr) {
        munmap(m_data, m_size);
    }
}

void pages::grow(std::size_t size) {
    void* const grown = m_data != nullptr
                            ? mremap(m_data, m_size, size, MREMAP_MAYMOVE)
                            : mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (grown == MAP_FAILED) {
        throw std::bad_alloc{};
    }
    m_data = static_cast<char*>(grown);
    m_size = size;
#ifdef MADV_HUGEPAGE
    // Advice: a tenth of the faults, where the system has large pages.
    madvise(m_data, m_size, MADV_HUGEPAGE);
#endif
}

void pages::move_to(std::string& out, std::size_t size) {
    constexpr std::size_t piece = std::size_t{4} << 20U; // a whole number of pages of any kind
    out.clear();
    out.reserve(size);
    for (std::size_t start = 0; start < size; start += piece) {
        out.append(m_data + start, std::min(piece, size - start));
        madvise(m_data + start, std::min(piece, m_size - start), MADV_DONTNEED);
    }
}

} // namespace pprofdelta
