// SPDX-License-Identifier: Apache-2.0
// Prints how the program writes figures, for a test that the page does alike, and the colours of
// frames.

#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "base/value_text.hpp"
#include "document/document.hpp"
#include "document/palette.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

namespace {

// JavaScript knows no larger whole numbers exactly.
constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;

std::vector<std::int64_t> values() {
    std::vector<std::int64_t> found{0, 1, -1, 5, 125, 1125, 1152, 1280, 9999, largest, -largest};
    for (const std::int64_t scale : {std::int64_t{1000}, std::int64_t{1024},
                                     std::int64_t{1024} * 1024, std::int64_t{1000} * 1000}) {
        // Eighths lie in the middle between two figures.
        for (std::int64_t eighths = 1; eighths < 32; ++eighths) {
            found.push_back(scale * eighths / 8);
            found.push_back(-scale * eighths / 8);
        }
        found.push_back(scale - 1);
    }
    std::mt19937_64 random{7}; // The same in each run.
    for (int i = 0; i < 2000; ++i) {
        const unsigned bits = static_cast<unsigned>(random() % 53);
        const auto value = static_cast<std::int64_t>(random() & ((std::uint64_t{1} << bits) - 1));
        found.push_back(i % 2 == 0 ? value : -value);
    }
    return found;
}

} // namespace

int main() {
    std::cout << "palette\t" << frame_rules() << '\n';
    const std::array<std::string, 8> units{"bytes", "count",   "nanoseconds",  "kilobytes",
                                           "ms",    "seconds", "microseconds", "samples"};
    const std::vector<std::int64_t> all = values();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t value = all[i];
        const std::int64_t other = all[(i * 31 + 17) % all.size()];
        const std::string& unit = units[i % units.size()];
        constexpr std::int64_t steps = 20000;
        const double p = static_cast<double>(std::abs(value) % steps) / steps;
        std::cout << value << '\t' << other << '\t' << unit << '\t' << format_value(value, unit)
                  << '\t' << human_change(value, unit) << '\t'
                  << percent_of(static_cast<double>(other), static_cast<double>(value)) << '\t'
                  << share_text(value, std::abs(other)) << '\t' << p_text(p) << '\t'
                  << human_rate(static_cast<double>(value) / 4096, unit,
                                i % 2 == 0 ? rate_time::second : rate_time::minute)
                  << '\n';
    }
}
