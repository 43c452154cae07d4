// SPDX-License-Identifier: Apache-2.0
#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include <malloc.h>

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
std::size_t count = 0;
std::size_t in_use = 0;
std::size_t failing = never; // the value of `count` at which to fail
pprofdelta::test::memory_peak most;

} // namespace

// All other forms of new and delete end up in these.
void* operator new(std::size_t size) {
    if (count++ == failing) {
        failing = never;
        throw std::bad_alloc{};
    }
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    in_use += ::malloc_usable_size(memory);
    most.in_use = std::max(most.in_use, in_use);
    most.block = std::max(most.block, size);
    return memory;
}

// Sanitizers have one of their own, whose memory the operators delete below could not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void operator delete(void* memory) noexcept {
    in_use -= memory == nullptr ? 0 : ::malloc_usable_size(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace pprofdelta::test {

std::size_t allocation_count() noexcept { return count; }
std::size_t bytes_in_use() noexcept { return in_use; }
void reset_peak() noexcept { most = {.in_use = in_use, .block = 0}; }
memory_peak peak() noexcept { return most; }
void fail_allocation(std::size_t after) noexcept { failing = count + after; }
bool stop_failing() noexcept { return std::exchange(failing, never) != never; }

} // namespace pprofdelta::test
