// SPDX-License-Identifier: Apache-2.0

// cpp-work allocates and computes under gperftools' profilers.
//
//     cpp-work heap PREFIX   writes PREFIX.0001.heap and PREFIX.0002.heap, one amid the work
//     cpp-work cpu FILE      writes FILE

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gperftools/heap-profiler.h>
#include <gperftools/profiler.h>

namespace {

struct node {
    std::unique_ptr<node> left;
    std::unique_ptr<node> right;
    std::string name;
};

/// Recursion: one frame a level.
std::unique_ptr<node> grow(int depth) {
    if (depth == 0) {
        return nullptr;
    }
    auto result = std::make_unique<node>();
    result->left = grow(depth - 1);
    result->right = grow(depth - 1);
    result->name.assign(40, static_cast<char>('a' + depth));
    return result;
}

/// A template, so that one source line makes several functions.
template <typename T>
std::vector<T> series(std::size_t n) {
    std::vector<T> values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(static_cast<T>(i));
    }
    return values;
}

class service {
public:
    void round(int n) {
        m_trees[n % 8] = grow(4 + n % 4);
        m_small = series<std::uint16_t>(500);
        m_large = series<double>(500 + static_cast<std::size_t>(n));
        m_log += "round " + std::to_string(n) + '\n';
    }

private:
    std::map<int, std::unique_ptr<node>> m_trees;
    std::vector<std::uint16_t> m_small;
    std::vector<double> m_large;
    std::string m_log;
};

/// Keeps a computation's result from being optimised away.
volatile std::uint64_t g_sink;

void spin(std::uint64_t rounds) {
    std::uint64_t x = 88172645463325252U;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    g_sink = x;
}

void profile_heap(const char* prefix) {
    HeapProfilerStart(prefix);
    service work;
    for (int n = 0; n < 60; ++n) {
        work.round(n);
    }
    HeapProfilerDump("first capture");
    for (int n = 0; n < 90; ++n) {
        work.round(n);
    }
    HeapProfilerDump("second capture");
    HeapProfilerStop();
}

void profile_cpu(const char* file) {
    ProfilerStart(file);
    service work;
    for (int n = 0; n < 400; ++n) {
        work.round(n);
        spin(500'000);
    }
    ProfilerStop();
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view mode = argc == 3 ? argv[1] : "";
    if (mode == "heap") {
        profile_heap(argv[2]);
    } else if (mode == "cpu") {
        profile_cpu(argv[2]);
    } else {
        std::cerr << "usage: cpp-work heap PREFIX | cpp-work cpu FILE\n";
        return 2;
    }
}
