// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/backoff.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pprofdelta::tool {

namespace {

constexpr double longest_pause = 30;
constexpr unsigned most_doublings = 20; // longer than the longest pause, whatever the first is

unsigned seed() {
    return static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count());
}

} // namespace

backoff::backoff(double first_seconds) : m_first_seconds{first_seconds}, m_random{seed()} {}

double backoff::pause(unsigned tries, double retry_after_seconds) {
    const auto doublings = static_cast<int>(std::min(tries - 1, most_doublings));
    const double whole = std::min(std::ldexp(m_first_seconds, doublings), longest_pause);
    std::uniform_real_distribution<double> part{0.5, 1};
    return std::max(whole * part(m_random), retry_after_seconds);
}

} // namespace pprofdelta::tool
