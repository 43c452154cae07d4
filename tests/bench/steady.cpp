// SPDX-License-Identifier: Apache-2.0
//
// Times one delta_computer that is fed two profiles in turn: steady PREV CUR [ROUNDS]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

namespace {

std::atomic<std::size_t> allocations{0};

std::string load(const char* path) {
    std::ifstream file{path, std::ios::binary};
    const std::string raw{std::istreambuf_iterator<char>{file}, {}};
    std::string storage;
    return std::string{pprofdelta::decode(raw, storage)};
}

} // namespace

void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* const p = std::malloc(size)) {
        return p;
    }
    throw std::bad_alloc{};
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: steady PREV CUR [ROUNDS]\n");
        return 2;
    }
    const int rounds = argc > 3 ? std::stoi(argv[3]) : 20;
    const std::string profiles[2] = {load(argv[1]), load(argv[2])};
    using clock = std::chrono::steady_clock;
    using microseconds = std::chrono::duration<double, std::micro>;

    pprofdelta::delta_computer computer;
    std::string delta;
    const auto start = clock::now();
    computer.compute(profiles[0], delta);
    const double first = microseconds{clock::now() - start}.count();

    std::vector<double> times;
    times.reserve(static_cast<std::size_t>(rounds));
    std::size_t allocations_before = 0;
    for (int i = -2; i < rounds; ++i) {
        if (i == 0) {
            allocations_before = allocations;
        }
        // Back to where the timed call starts from; prime() takes no fall for a reset.
        computer.prime(profiles[0]);
        const auto begin = clock::now();
        computer.compute(profiles[1], delta);
        const double time = microseconds{clock::now() - begin}.count();
        if (i >= 0) {
            times.push_back(time);
        }
    }
    const std::size_t steady_allocations = allocations - allocations_before;
    std::sort(times.begin(), times.end());
    const auto size = static_cast<double>(profiles[0].size());
    std::printf("first %.0f us, %.0f MB/s; steady median %.0f us, %.0f MB/s, best %.0f us; "
                "%zu allocations in %d steady calls\n",
                first, size / first, times[times.size() / 2], size / times[times.size() / 2],
                times[0], steady_allocations, 2 * rounds);
    return 0;
}
