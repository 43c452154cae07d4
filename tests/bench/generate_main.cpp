// SPDX-License-Identifier: Apache-2.0
//
// Writes a pair of heap profiles to PREFIX.prev.pb and PREFIX.cur.pb, or a series of CAPTURES to
// PREFIX.0000.pb and so on.
#include <cstddef>
#include <cstdint>
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

void write_pair(std::size_t size, std::uint64_t seed, const std::string& prefix) {
    std::ofstream previous = create(prefix + ".prev.pb");
    std::ofstream current = create(prefix + ".cur.pb");
    pprofdelta::test::generate_pair(size, seed, previous, current);
    previous.close();
    current.close();
}

void write_series(std::size_t size, std::uint64_t seed, const std::string& prefix,
                  std::size_t captures) {
    pprofdelta::test::generate_series(
        size, seed, captures, [&](std::size_t number, const std::string& profile) {
            // Four digits, so that they are in the order of their names.
            std::ofstream file =
                create(prefix + '.' + std::to_string(10000 + number).substr(1) + ".pb");
            file << profile;
            file.close();
        });
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 4 && argc != 5) {
        std::fputs("usage: bench-generate SIZE_MB SEED PREFIX [CAPTURES]\n", stderr);
        return 2;
    }
    const double megabytes = std::stod(argv[1]);
    if (!(megabytes > 0 && megabytes < 2000)) {
        std::fputs("bench-generate: SIZE_MB has to be between 0 and 2000\n", stderr);
        return 2;
    }
    const auto size = static_cast<std::size_t>(megabytes * 1e6);
    const std::uint64_t seed = std::stoull(argv[2]);
    const std::string prefix = argv[3];
    if (argc == 5) {
        write_series(size, seed, prefix, std::stoull(argv[4]));
    } else {
        write_pair(size, seed, prefix);
    }
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench-generate: %s\n", e.what());
    return 1;
}
