// SPDX-License-Identifier: Apache-2.0
// main computes and allocates a little, under whatever profiler looks on: main [ROUNDS]

#include <stdlib.h>
#include <string.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void parse(int size) {
    for (int i = 0; i < size; i++) {
        sink += (unsigned long)i * 7;
    }
}

__attribute__((noinline)) static void fold(int size) {
    for (int i = 0; i < size; i++) {
        sink ^= (unsigned long)i;
    }
    parse(size / 2);
}

__attribute__((noinline)) static char* keep(int size) { return memset(malloc((size_t)size), 1, (size_t)size); }

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 20000;
    for (int i = 0; i < rounds; i++) {
        parse(2000);
        fold(1000);
        if (i % 1000 == 0) {
            keep(100 + i);
        }
    }
    return 0;
}
