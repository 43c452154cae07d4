// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include <jemalloc/jemalloc.h>

#include "work.hpp"

// Runs from the start, with what MALLOC_CONF says.
void start_profiler() {}

void dump(const std::string& stem, const std::string& moment) {
    const std::string path = stem + "." + moment + ".heap";
    const char* name = path.c_str();
    if (mallctl("prof.dump", nullptr, nullptr, &name, sizeof name) != 0) {
        std::exit(1);
    }
}
