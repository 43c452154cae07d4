// SPDX-License-Identifier: Apache-2.0
// Runs a target on each file given, or on each file of the folders given; any compiler will do.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.hpp"

namespace {

std::vector<std::filesystem::path> files_in(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) {
        return {path};
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{path}) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

void run(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    file.exceptions(std::ios::badbit | std::ios::failbit);
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
    int count = 0;
    std::string current;
    try {
        for (int i = 1; i < argc; ++i) {
            for (const auto& path : files_in(argv[i])) {
                current = path.string();
                run(path);
                ++count;
            }
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", current.c_str(), e.what());
        return 1;
    }
    std::printf("%d inputs\n", count);
    return count == 0 ? 1 : 0;
}
