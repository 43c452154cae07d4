// SPDX-License-Identifier: Apache-2.0
// Makes each allocation of each public call fail in turn: the call throws std::bad_alloc, what it
// was called on is as before, and the same call made again does what it would have done at once.
//
// usage: out-of-memory TESTDATA
#include <cstdint>
#include <cstdio>
#include <string>

#include "profile_builder.hpp"
#include "sweep.hpp"

namespace pprofdelta::test {

std::string heap(std::int64_t first, std::int64_t last, std::int64_t factor) {
    profile p;
    p.types = heap_types();
    p.mappings = {{1, 0x400000, 0x900000, 0, "/bin/program", "", false, ""}};
    p.comments = {"one", "two"};
    p.time = 1000 + factor;
    for (std::int64_t i = first; i < last; ++i) {
        const std::string number = std::to_string(i);
        const auto leaf = add_frame(p, "leaf" + number, "a.go", i);
        const auto root = add_frame(p, "root" + std::to_string(i % 7), "b.go", i);
        p.locations.back().mapping = 1;
        p.locations.back().address = 0x400000 + static_cast<std::uint64_t>(i);
        p.samples.push_back({{leaf, root},
                             {factor * (i + 1), factor * (i + 1) * 16, i % 3, i % 3 * 16},
                             {{"a label that is longer than others are", number, 0, "", ""}},
                             ""});
    }
    return serialize(p);
}

} // namespace pprofdelta::test

int main(int argc, char** argv) {
    using namespace pprofdelta::test;
    if (argc != 2) {
        std::fputs("usage: out-of-memory TESTDATA\n", stderr);
        return 2;
    }
    const std::string before = heap(0, 60, 1000);
    const std::string now = heap(20, 90, 1100);
    sweep_codecs(now);
    sweep_deltas(before, now);
    sweep_sums(before, now);
    sweep_reports(before, now);
    sweep_texts(argv[1]);
    sweep_otlp(argv[1]);
    sweep_traces();
    sweep_c_interface(before, now);
    return finish_sweeps() ? 0 : 1;
}
