// SPDX-License-Identifier: Apache-2.0
// usage: replay [--random COUNT] TARGET FILE|FOLDER...
//
// Runs a target on each file given, or on each file of the folders given; any compiler will do.
// --random adds this many inputs by chance, the same in each run, for targets that invent profiles
// of any bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <span>
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

void run(target on, const std::string& bytes) {
    on(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    file.exceptions(std::ios::badbit | std::ios::failbit);
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string random_bytes(std::uint32_t seed) {
    constexpr std::size_t longest = 400;
    std::mt19937 random{seed};
    std::string bytes(random() % longest, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(random());
    }
    return bytes;
}

} // namespace

namespace pprofdelta::test {

replayed_target::replayed_target(const char* name, target run) { targets().emplace(name, run); }

} // namespace pprofdelta::test

int main(int argc, char** argv) {
    std::span<char* const> arguments{argv + 1, argv + argc};
    std::uint32_t random_inputs = 0;
    if (arguments.size() >= 2 && arguments[0] == std::string{"--random"}) {
        random_inputs = static_cast<std::uint32_t>(std::atoi(arguments[1]));
        arguments = arguments.subspan(2);
    }
    const auto chosen = arguments.empty() ? targets().end() : targets().find(arguments[0]);
    if (chosen == targets().end()) {
        std::fputs("usage: replay [--random COUNT] TARGET FILE|FOLDER...\n", stderr);
        return 2;
    }
    int count = 0;
    std::string current;
    try {
        for (const char* const argument : arguments.subspan(1)) {
            for (const auto& path : files_in(argument)) {
                current = path.string();
                run(chosen->second, read(path));
                ++count;
            }
        }
        for (std::uint32_t seed = 0; seed < random_inputs; ++seed) {
            current = "random input " + std::to_string(seed);
            run(chosen->second, random_bytes(seed));
            ++count;
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", current.c_str(), e.what());
        return 1;
    }
    std::printf("%d inputs\n", count);
    return count == 0 ? 1 : 0;
}
