// SPDX-License-Identifier: Apache-2.0
//
// Writes a pair of heap profiles to PREFIX.prev.pb and PREFIX.cur.pb.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "generate.hpp"

namespace {

std::ofstream create(const std::string& path) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    return file;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 4) {
        std::fputs("usage: bench-generate SIZE_MB SEED PREFIX\n", stderr);
        return 2;
    }
    const double megabytes = std::stod(argv[1]);
    if (!(megabytes > 0 && megabytes < 2000)) {
        std::fputs("bench-generate: SIZE_MB has to be between 0 and 2000\n", stderr);
        return 2;
    }
    const std::string prefix = argv[3];
    std::ofstream previous = create(prefix + ".prev.pb");
    std::ofstream current = create(prefix + ".cur.pb");
    pprofdelta::test::generate_pair(static_cast<std::size_t>(megabytes * 1e6), std::stoull(argv[2]),
                                    previous, current);
    previous.close();
    current.close();
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench-generate: %s\n", e.what());
    return 1;
}
