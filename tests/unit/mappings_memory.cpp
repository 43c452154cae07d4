// SPDX-License-Identifier: Apache-2.0
// Makes each allocation of process_mappings() fail in turn, those of the C library too: the result
// has to be std::bad_alloc or the whole list. A program of its own, as it replaces malloc(), which
// does not go together with a sanitizer.
#include <pprofdelta/process_mappings.hpp>

#include <cstddef>
#include <cstdio>
#include <new>

namespace {

bool is_counting = false;
bool goes_on = false;       // whether all allocations fail after the first that does
unsigned until_failure = 0; // how many allocations go well before
unsigned failures = 0;

bool fails() {
    if (!is_counting || (failures != 0 && !goes_on)) {
        return false;
    }
    if (until_failure != 0) {
        --until_failure;
        return false;
    }
    ++failures;
    return true;
}

} // namespace

extern "C" {
// Names of the C library's own, under names that a program may declare.
void* real_malloc(std::size_t size) __asm__("__libc_malloc");
void* real_calloc(std::size_t count, std::size_t size) __asm__("__libc_calloc");
void* real_realloc(void* old, std::size_t size) __asm__("__libc_realloc");

void* malloc(std::size_t size) { return fails() ? nullptr : real_malloc(size); }
void* calloc(std::size_t nmemb, std::size_t size) {
    return fails() ? nullptr : real_calloc(nmemb, size);
}
void* realloc(void* ptr, std::size_t size) { return fails() ? nullptr : real_realloc(ptr, size); }
}

int main() {
    const pprofdelta::mapping_list expected = pprofdelta::process_mappings();
    if (expected->empty()) {
        std::printf("there are no mappings\n");
        return 1;
    }
    for (const bool all : {false, true}) {
        unsigned number = 0;
        bool has_failed = true;
        for (; has_failed; ++number) {
            pprofdelta::mapping_list list = expected;
            goes_on = all;
            until_failure = number;
            failures = 0;
            is_counting = true;
            try {
                list = pprofdelta::process_mappings();
            } catch (const std::bad_alloc&) {
            }
            is_counting = false;
            has_failed = failures != 0;
            if (*list != *expected) {
                std::printf("allocation %u fails: %zu mappings, not %zu\n", number, list->size(),
                            expected->size());
                return 1;
            }
        }
        std::printf("%u allocations failed\n", number - 1);
    }
    return 0;
}
