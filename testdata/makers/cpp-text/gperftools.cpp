// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <string>

#include <gperftools/heap-profiler.h>
#include <gperftools/malloc_extension.h>

#include "work.hpp"

void start_profiler() { HeapProfilerStart("unused"); }

// What the heap profiler counts, what tcmalloc samples, and how the heap grew.
void dump(const std::string& stem, const std::string& moment) {
    char* const counted = GetHeapProfile();
    std::ofstream{stem + "-counted." + moment + ".heap"} << counted;
    std::free(counted);
    std::string text;
    MallocExtension::instance()->GetHeapSample(&text);
    std::ofstream{stem + "-sampled." + moment + ".heap"} << text;
    text.clear();
    MallocExtension::instance()->GetHeapGrowthStacks(&text);
    std::ofstream{stem + "-growth." + moment + ".heap"} << text;
}
