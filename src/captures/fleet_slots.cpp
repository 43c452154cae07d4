// SPDX-License-Identifier: Apache-2.0
#include "captures/fleet_slots.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta {

namespace {

constexpr std::array<std::size_t, 6> divisors{1, 2, 3, 4, 6, 12};

double nanos_of_slot(const fleet_options& options) {
    return (static_cast<double>(options.end_nanos) - static_cast<double>(options.begin_nanos)) /
           static_cast<double>(slots_of_side);
}

// Timers are late, so a delta may be a little longer than what it is meant to be.
bool is_long_enough(double slot, double duration) { return duration <= 1.1 * slot; }

} // namespace

bool add_overlaps(const fleet_options& options, compare_side to, double begin, double end,
                  slot_values& into) {
    const double start = static_cast<double>(options.begin_nanos) -
                         (to == compare_side::base ? static_cast<double>(options.ago_nanos) : 0);
    const double slot = nanos_of_slot(options);
    bool any = false;
    for (std::size_t i = 0; i < slots_of_side; ++i) {
        const double first = start + static_cast<double>(i) * slot;
        const double overlap = std::min(end, first + slot) - std::max(begin, first);
        if (overlap > 0) {
            into[first_slot(to) + i] += overlap;
            any = true;
        }
    }
    return any;
}

slot_plan::slot_plan(const fleet_options& options, const slot_values& series,
                     double usual_duration) {
    const double slot = nanos_of_slot(options);
    const auto* const fitting =
        std::find_if(divisors.begin(), divisors.end(), [&](std::size_t count) {
            return is_long_enough(slot * static_cast<double>(count), usual_duration);
        });
    m_together = fitting == divisors.end() ? divisors.back() : *fitting;
    m_nanos = slot * static_cast<double>(m_together);
    for (const compare_side side : {compare_side::base, compare_side::head}) {
        const auto* const begin = series.begin() + first_slot(side);
        const double most = *std::max_element(begin, begin + slots_of_side);
        for (std::size_t i = first_slot(side); i < first_slot(side) + slots_of_side; ++i) {
            m_counts_in[i] = series[i] > 0 && series[i] * 2 >= most;
        }
        for_each_group(side, [&](const std::vector<std::size_t>&) {
            ++m_counts[static_cast<std::size_t>(side)];
        });
    }
}

bool slot_plan::fits(double duration) const noexcept { return is_long_enough(m_nanos, duration); }

template <typename Use>
void slot_plan::for_each_group(compare_side of, Use&& use) const {
    const std::size_t end = first_slot(of) + slots_of_side;
    for (std::size_t first = first_slot(of); first < end; first += m_together) {
        std::vector<std::size_t> places;
        for (std::size_t i = first; i < first + m_together; ++i) {
            if (m_counts_in[i]) {
                places.push_back(i);
            }
        }
        if (!places.empty()) {
            use(std::as_const(places));
        }
    }
}

std::vector<double> slot_plan::values(compare_side of, const slot_values& all) const {
    std::vector<double> result;
    for_each_group(of, [&](const std::vector<std::size_t>& places) {
        double sum = 0;
        for (const std::size_t place : places) {
            sum += all[place];
        }
        result.push_back(sum / static_cast<double>(places.size()));
    });
    return result;
}

} // namespace pprofdelta
