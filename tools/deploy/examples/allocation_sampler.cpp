// SPDX-License-Identifier: Apache-2.0
//
// A program that samples its own allocations, and writes a delta of them at each interval:
//
//     g++ -std=c++20 -O1 -fno-inline -ffunction-sections -g allocation_sampler.cpp
//         -o allocation_sampler $(pkg-config --cflags --libs pprofdelta)
//     ./allocation_sampler /tmp 1000 5
//     go tool pprof -top -sample_index=alloc_space allocation_sampler /tmp/1.pb.gz
//
// usage: allocation_sampler FOLDER INTERVAL_MS ROUNDS
//
// Everything but main() and what it calls is the sampler, which can be used as it is.
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <execinfo.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/memory_traces.hpp>
#include <pprofdelta/sampling.hpp>

namespace {

// The mean number of bytes from one sample to the next.
constexpr std::int64_t rate = 65'536;

// Set while a thread is in the sampler, whose own allocations and frees are not looked at.
thread_local bool is_inside = false;
// Set while a thread's allocations are not sampled. Its frees are looked at, as of what another
// thread allocated.
thread_local bool is_paused = false;

class flag_scope {
public:
    explicit flag_scope(bool& flag) : m_flag{flag}, m_before{flag} { m_flag = true; }
    ~flag_scope() { m_flag = m_before; }
    flag_scope(const flag_scope&) = delete;
    flag_scope& operator=(const flag_scope&) = delete;

private:
    bool& m_flag;
    bool m_before;
};

class allocation_sampler {
public:
    /// Never destroyed, as memory is freed until the very end of a program.
    static allocation_sampler& instance() {
        const flag_scope scope{is_inside};
        static auto* const sampler = new allocation_sampler;
        return *sampler;
    }

    /// Whether to sample an allocation: each byte is chosen with a probability of 1 / rate, so the
    /// distances between chosen bytes have an exponential distribution.
    static bool is_chosen(std::size_t size) {
        thread_local std::int64_t bytes_left = 0;
        thread_local std::minstd_rand random;
        thread_local bool is_new = true;
        if (is_new) {
            is_new = false;
            random.seed(next_seed());
            bytes_left = distance(random);
        }
        bytes_left -= static_cast<std::int64_t>(size);
        if (bytes_left >= 0) {
            return false;
        }
        bytes_left = distance(random);
        return true;
    }

    __attribute__((noinline)) void allocated(void* memory, std::size_t size) {
        constexpr int most_frames = 64;
        constexpr int own_frames = 2; // of this and of operator new
        std::array<void*, most_frames> frames{};
        const int count = backtrace(frames.data(), most_frames);
        std::vector<std::uint64_t> stack;
        for (int i = own_frames; i < count; ++i) {
            // The address to return to, minus one, lies within the call.
            stack.push_back(reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]) -
                            1);
        }
        const std::lock_guard lock{m_mutex};
        const auto [place, is_new] =
            m_places.try_emplace({std::move(stack), size}, m_records.size());
        if (is_new) {
            m_records.push_back({&place->first.first, static_cast<std::int64_t>(size)});
        }
        ++m_records[place->second].allocs;
        m_live[memory] = place->second;
        ++sampled_near(memory);
    }

    void freed(void* memory) {
        if (sampled_near(memory).load(std::memory_order_relaxed) == 0) {
            return; // like nearly all blocks
        }
        const std::lock_guard lock{m_mutex};
        const auto found = m_live.find(memory);
        if (found != m_live.end()) {
            ++m_records[found->second].frees;
            m_live.erase(found);
            --sampled_near(memory);
        }
    }

    void report(pprofdelta::memory_trace_reporter& to) {
        std::vector<pprofdelta::memory_trace> traces;
        {
            const flag_scope scope{is_inside};
            const std::lock_guard lock{m_mutex};
            traces.reserve(m_records.size());
            for (const record& r : m_records) {
                const auto allocs = scaled(r, r.allocs);
                const auto frees = scaled(r, r.frees);
                traces.push_back({*r.stack, allocs.count, frees.count, allocs.bytes, frees.bytes,
                                  r.size, traces.size() + 1});
            }
        }
        pprofdelta::trace_meta meta;
        meta.time_nanos =
            std::chrono::nanoseconds{std::chrono::system_clock::now().time_since_epoch()}.count();
        meta.period = rate;
        to.report_memory_traces(traces, meta);
    }

private:
    struct record {
        const std::vector<std::uint64_t>* stack;
        std::int64_t size;
        std::int64_t allocs = 0;
        std::int64_t frees = 0;
    };

    allocation_sampler() {
        // The first call loads a library, which allocates.
        std::array<void*, 1> frame{};
        backtrace(frame.data(), 1);
    }

    // Another one for each thread, far from those before: with the same one, all short threads
    // would have the same first distance, and be sampled always or never.
    static unsigned next_seed() {
        constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
        static std::atomic<std::uint64_t> seed{
            static_cast<std::uint64_t>(
                std::chrono::steady_clock::now().time_since_epoch().count()) *
            golden_ratio};
        return static_cast<unsigned>(seed.fetch_add(golden_ratio) >> 32U);
    }

    template <typename Random>
    static std::int64_t distance(Random& random) {
        std::exponential_distribution<double> next{1.0 / static_cast<double>(rate)};
        return static_cast<std::int64_t>(next(random));
    }

    static pprofdelta::heap_sample scaled(const record& r, std::int64_t count) {
        return pprofdelta::scale_heap_sample({count, count * r.size}, rate);
    }

    // How many sampled blocks there are among those whose addresses have the same hash.
    std::atomic<std::uint32_t>& sampled_near(void* memory) {
        const auto number = reinterpret_cast<std::uintptr_t>(memory);
        return m_near[(number >> 4U) % m_near.size()];
    }

    std::array<std::atomic<std::uint32_t>, 65536> m_near{};
    std::mutex m_mutex; // for all that follows
    std::map<std::pair<std::vector<std::uint64_t>, std::size_t>, std::size_t> m_places;
    std::deque<record> m_records;
    std::unordered_map<void*, std::size_t> m_live; // sampled blocks, and their records
};

} // namespace

// All other forms of new and delete call these, except those for more alignment.
void* operator new(std::size_t size) {
    void* const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) {
        throw std::bad_alloc{};
    }
    if (!is_inside && !is_paused && allocation_sampler::is_chosen(size)) {
        const flag_scope scope{is_inside};
        allocation_sampler::instance().allocated(memory, size);
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    if (memory != nullptr && !is_inside) {
        const flag_scope scope{is_inside};
        allocation_sampler::instance().freed(memory);
    }
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

// Work with names for readers to find. The first gives back what it takes, the second does not, and
// each request of the third has a thread of its own.

__attribute__((noinline)) std::size_t parse_requests(std::size_t count) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::string> words(100, std::string(200, 'x'));
        bytes += words.back().size();
    }
    return bytes;
}

__attribute__((noinline)) void fill_cache(std::deque<std::string>& cache, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        cache.emplace_back(std::size_t{1000}, 'y');
    }
}

__attribute__((noinline)) void serve_request() { parse_requests(1); }

int main(int argc, char** argv) try {
    if (argc != 4) {
        std::fputs("usage: allocation_sampler FOLDER INTERVAL_MS ROUNDS\n", stderr);
        return 2;
    }
    const std::string folder = argv[1];
    const std::chrono::milliseconds interval{std::stoi(argv[2])};
    const int rounds = std::stoi(argv[3]);

    std::atomic<bool> is_done{false};
    std::thread worker{[&is_done] {
        std::deque<std::string> cache;
        while (!is_done) {
            parse_requests(20);
            fill_cache(cache, 20);
            std::thread{serve_request}.join();
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
    }};
    pprofdelta::memory_delta deltas;
    std::string delta;
    for (int round = 0; round < rounds; ++round) {
        std::this_thread::sleep_for(interval);
        const flag_scope scope{is_paused};
        allocation_sampler::instance().report(deltas);
        const auto summary = deltas.write(delta);
        std::ofstream file;
        file.exceptions(std::ios::failbit | std::ios::badbit);
        file.open(folder + "/" + std::to_string(round) + ".pb.gz", std::ios::binary);
        file << pprofdelta::encode(delta, pprofdelta::codec::gzip) << std::flush;
        std::printf("round %d: %zu of %zu traces\n", round, summary.samples_kept,
                    summary.samples_in);
    }
    is_done = true;
    worker.join();
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "allocation_sampler: %s\n", e.what());
    return 1;
}
