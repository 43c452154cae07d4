// SPDX-License-Identifier: Apache-2.0
// usage: replay TARGET FILE|FOLDER...
//
// Runs a target on each file given, or on each file of the folders given; any compiler will do.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "fuzz.hpp"

namespace {

using target = int (*)(const std::uint8_t* data, std::size_t size);

std::map<std::string, target>& targets() {
    static std::map<std::string, target> all;
    return all;
}

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

void run(target on, const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    file.exceptions(std::ios::badbit | std::ios::failbit);
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    on(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

namespace pprofdelta::test {

replayed_target::replayed_target(const char* name, target run) { targets().emplace(name, run); }

} // namespace pprofdelta::test

int main(int argc, char** argv) {
    const auto chosen = argc < 2 ? targets().end() : targets().find(argv[1]);
    if (chosen == targets().end()) {
        std::fputs("usage: replay TARGET FILE|FOLDER...\n", stderr);
        return 2;
    }
    int count = 0;
    std::string current;
    try {
        for (int i = 2; i < argc; ++i) {
            for (const auto& path : files_in(argv[i])) {
                current = path.string();
                run(chosen->second, path);
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
