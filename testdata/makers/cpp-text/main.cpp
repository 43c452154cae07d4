// SPDX-License-Identifier: Apache-2.0

// cpp-text allocates under the heap profiler of gperftools or jemalloc, whichever it is linked
// with, and writes what that has to say twice:
//
//     cpp-text STEM       writes STEM*.prev.heap and STEM*.cur.heap
//
// Between the two, keep_messages() allocates 3000 blocks with 6,144,000 bytes, and churn_buffers()
// 2000 blocks with 12,288,000 bytes, which it frees. Their sizes are such that no allocator rounds
// them up.

#include <cstdlib>
#include <string>

#include "work.hpp"

// All are global, as some versions of pprof lose the names of others.

// Not to be left out, nor seen through, by the compiler.
void* volatile last_block;

[[gnu::noinline]] void allocate(std::size_t size) { last_block = std::malloc(size); }

// One stack with blocks of several sizes, so that their mean changes from capture to capture.
[[gnu::noinline]] void keep_messages(int count, std::size_t size) {
    for (int i = 0; i < count; ++i) {
        allocate(size);
    }
    last_block = nullptr;
}

[[gnu::noinline]] void churn_buffers(int count) {
    for (int i = 0; i < count; ++i) {
        allocate(i % 2 == 0 ? 4096 : 8192);
        std::free(last_block);
    }
    last_block = nullptr;
}

// The same function from two places.
[[gnu::noinline]] void start_up() { keep_messages(1000, 1024); }
[[gnu::noinline]] void serve(int round) {
    keep_messages(3000, round == 0 ? 1280 : 2048);
    churn_buffers(2000);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    const std::string stem = argv[1];
    start_profiler();
    start_up();
    dump(stem, "start");
    serve(0);
    dump(stem, "prev");
    serve(1);
    dump(stem, "cur");
}
