// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_FAULTS_SWEEP_HPP
#define PPROFDELTA_TESTS_FAULTS_SWEEP_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "allocations.hpp"

namespace pprofdelta::test {

/// @throws std::runtime_error with `what` if it does not hold.
void require(bool holds, const char* what);

/// The one allocation that fails in a run of a scenario.
class fault {
public:
    /// `after` successful ones.
    explicit fault(std::size_t after) : m_after{after} {}

    /// Makes the call that is looked at. False if it threw.
    template <typename Call>
    bool allows(Call&& call) {
        fail_allocation(m_after);
        try {
            call();
        } catch (const std::bad_alloc&) {
            m_came = true;
            return false;
        } catch (...) {
            stop_failing();
            throw;
        }
        m_came = !stop_failing();
        return true;
    }

    /// The same, and makes it again if it threw.
    template <typename Call>
    void allows_in_the_end(Call&& call) {
        if (!allows(call)) {
            call();
        }
    }

    [[nodiscard]] bool came() const noexcept { return m_came; }

private:
    std::size_t m_after;
    bool m_came = false;
};

/// Returns what there is to see of the call, which must not depend on the fault.
using scenario = std::function<std::string(fault&)>;

/// Runs a scenario without a fault, and then with each that there can be.
void sweep(const std::string& name, const scenario& what);

/// Says how many allocations have failed in all sweeps so far, and returns whether all was well.
[[nodiscard]] bool finish_sweeps();

/// A serialized heap profile with a stack for each number from `first` to before `last`.
[[nodiscard]] std::string heap(std::int64_t first, std::int64_t last, std::int64_t factor);

// The calls of each kind, in a file of their own.

void sweep_c_interface(const std::string& before, const std::string& now);
void sweep_codecs(const std::string& profile);
void sweep_deltas(const std::string& before, const std::string& now);
void sweep_otlp(const std::string& testdata);
void sweep_reports(const std::string& before, const std::string& now);
void sweep_sums(const std::string& before, const std::string& now);
void sweep_texts(const std::string& testdata);
void sweep_traces();

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_FAULTS_SWEEP_HPP
