// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>

namespace pprofdelta::test {

namespace {

// Each run has a thread of its own, as some memory is kept for each thread.
std::string run(const scenario& what, fault& with) {
    std::string seen;
    std::exception_ptr thrown;
    std::thread{[&] {
        try {
            seen = what(with);
        } catch (...) {
            thrown = std::current_exception();
        }
    }}.join();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    return seen;
}

std::size_t all_failures = 0;
bool all_is_well = true;

} // namespace

void require(bool holds, const char* what) {
    if (!holds) {
        throw std::runtime_error{what};
    }
}

void sweep(const std::string& name, const scenario& what) {
    std::size_t failures = 0;
    try {
        fault none{static_cast<std::size_t>(-1) / 2};
        const std::string expected = run(what, none);
        while (true) {
            fault next{failures};
            require(run(what, next) == expected, "another result");
            if (!next.came()) {
                break;
            }
            ++failures;
        }
    } catch (const std::exception& e) {
        all_is_well = false;
        std::printf("FAILED: %s, allocation %zu: %s\n", name.c_str(), failures, e.what());
    }
    std::printf("%5zu  %s\n", failures, name.c_str());
    std::fflush(stdout); // for what comes next may end the process
    all_failures += failures;
}

bool finish_sweeps() {
    std::printf("%5zu  allocations failed\n", all_failures);
    return all_is_well;
}

} // namespace pprofdelta::test
