// SPDX-License-Identifier: Apache-2.0
// A program of someone else that uses the installed library: says how many samples the delta of
// two profiles has.
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/version.hpp>

namespace {

std::string read_file(const char* name) {
    std::ifstream file{name, std::ios::binary};
    file.exceptions(std::ios::badbit | std::ios::failbit);
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

int main(int argc, char** argv) try {
    pprofdelta::delta_computer computer;
    std::string storage;
    std::string delta;
    for (int i = 1; i < argc; ++i) {
        const std::string file = read_file(argv[i]);
        const auto summary = computer.compute(pprofdelta::decode(file, storage), delta);
        std::cout << pprofdelta::version() << ": " << summary.samples_kept << " of "
                  << summary.samples_in << " samples kept\n";
    }
    return 0;
} catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
}
