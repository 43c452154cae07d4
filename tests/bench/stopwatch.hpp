// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <time.h>

namespace pprofdelta::test {

/// Seconds of the processor that this thread had since the watch was made or last read. Nothing
/// that is timed waits, so on an idle machine they are those of the clock on the wall; on a busy
/// one, what others take is left out.
class stopwatch {
public:
    double lap() {
        const double now = read();
        const double passed = now - m_start;
        m_start = now;
        return passed;
    }

private:
    static double read() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }

    double m_start = read();
};

/// The times that one thing took, again and again.
class times {
public:
    void add(double seconds) { m_seconds.push_back(seconds); }
    [[nodiscard]] std::size_t count() const { return m_seconds.size(); }
    [[nodiscard]] double total() const {
        return std::accumulate(m_seconds.begin(), m_seconds.end(), 0.0);
    }
    /// 0 if there are none. Other work on the machine makes times longer, never shorter, and a
    /// median leaves it out unless there is much of it.
    [[nodiscard]] double median() const {
        if (m_seconds.empty()) {
            return 0;
        }
        std::vector<double> sorted = m_seconds;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }

private:
    std::vector<double> m_seconds;
};

} // namespace pprofdelta::test
