// SPDX-License-Identifier: Apache-2.0
//
// Makes captures of many processes out of some real profiles: FOLDER/profiles/GROUP/SERIES/NUMBER,
// and FOLDER/manifest with a line for each. SERIES takes the profiles in turn, and has so many of
// the samples of one that its captures have some 20 to 200 kB, or what there is.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "grown_profile.hpp"

namespace {

using pprofdelta::test::grown_profile;

struct real_profile {
    grown_profile profile;
    double size; ///< As the file has it.
};

real_profile read(const std::string& path) {
    std::ifstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    std::string storage;
    const std::string packed = bytes.str();
    return {.profile = grown_profile{pprofdelta::decode(packed, storage)},
            .size = static_cast<double>(packed.size())};
}

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    file << bytes;
    file.close();
}

std::string digits(std::uint64_t number, std::size_t count) {
    const std::string text = std::to_string(number);
    return std::string(count - std::min(count, text.size()), '0') + text;
}

/// A hundred series to a folder.
std::string series_name(std::uint64_t series) {
    return digits(series / 100, 3) + "/service-" + digits(series, 5);
}

struct fleet {
    std::filesystem::path folder;
    std::uint64_t series;
    std::uint64_t captures;
    std::vector<real_profile> profiles;
};

std::filesystem::path path_of(const fleet& all, std::uint64_t series, std::uint64_t number) {
    return all.folder / "profiles" / series_name(series) / (digits(number, 4) + ".pb.gz");
}

void write_series(const fleet& all, std::uint64_t series) {
    const real_profile& real = all.profiles[series % all.profiles.size()];
    // Evenly on a scale of powers.
    const double size = 20e3 * std::pow(8.0, static_cast<double>(series * 37 % 100) / 100);
    const double share = std::min(0.95, size / real.size);
    std::filesystem::create_directories(path_of(all, series, 0).parent_path());
    for (std::uint64_t number = 0; number < all.captures; ++number) {
        const std::string profile =
            real.profile.capture({.series = series, .number = number, .share = share});
        write(path_of(all, series, number), pprofdelta::encode(profile, pprofdelta::codec::gzip));
    }
}

void write_all(const fleet& all) {
    std::atomic<std::uint64_t> next{0};
    const auto work = [&] {
        for (std::uint64_t series = next++; series < all.series; series = next++) {
            write_series(all, series);
        }
    };
    std::vector<std::future<void>> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
        workers.push_back(std::async(std::launch::async, work));
    }
    for (std::future<void>& worker : workers) {
        worker.get();
    }
    std::string manifest;
    for (std::uint64_t series = 0; series < all.series; ++series) {
        for (std::uint64_t number = 0; number < all.captures; ++number) {
            manifest += series_name(series) + '\t' + path_of(all, series, number).string() + '\n';
        }
    }
    write(all.folder / "manifest", manifest);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc < 5) {
        std::fputs("usage: make-fleet FOLDER SERIES CAPTURES PROFILE...\n", stderr);
        return 2;
    }
    fleet all{.folder = std::filesystem::absolute(argv[1]),
              .series = std::stoull(argv[2]),
              .captures = std::stoull(argv[3]),
              .profiles = {}};
    for (int i = 4; i < argc; ++i) {
        all.profiles.push_back(read(argv[i]));
    }
    write_all(all);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "make-fleet: %s\n", e.what());
    return 1;
}
