// SPDX-License-Identifier: Apache-2.0
#include "batch/rates.hpp"

#include <pprofdelta/error.hpp>
#include <pprofdelta/report.hpp>

#include "base/lists.hpp"
#include "base/names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t most_types = 16;
constexpr std::size_t most_functions = 10'000; // of a type
constexpr std::size_t longest_function = 150;

} // namespace

std::vector<type_rates> rates_of(const std::string& delta, const std::vector<type_treatment>& types,
                                 double seconds) {
    std::vector<type_rates> all;
    const viewed_profiles viewed{delta};
    for (const type_treatment& each : types) {
        if (!each.is_cumulative() || !(seconds > 0)) {
            continue;
        }
        report_options options;
        options.sample_type = value_type_pattern{to_string(each.type)};
        type_rates rates{.type = each.type};
        try {
            for (const report::row& row : make_report(viewed, options).rows) {
                if (row.flat.current != 0) {
                    // Names that are the same when they are shown are one here, too.
                    rates.functions.emplace_back(shortened(row.name, longest_function),
                                                 static_cast<double>(row.flat.current) / seconds);
                }
            }
        } catch (const error&) {
            continue; // sums that would not fit are no reason to do without the delta
        }
        all.push_back(std::move(rates));
    }
    return all;
}

void rate_sums::add(const std::vector<type_rates>& rates) {
    for (const type_rates& each : rates) {
        const std::pair key{shortened(each.type.type, longest_function),
                            shortened(each.type.unit, longest_function)};
        if (m_types.size() >= most_types && !m_types.contains(key)) {
            continue;
        }
        sums& of_type = m_types[key];
        for (const auto& [function, rate] : each.functions) {
            of_type.total += rate;
            if (const auto known = of_type.functions.find(function);
                known != of_type.functions.end()) {
                known->second += rate;
            } else if (of_type.functions.size() < most_functions) {
                of_type.functions.emplace(function, rate);
            }
        }
    }
}

std::vector<type_rates> rate_sums::largest(std::size_t count) const {
    std::vector<type_rates> all;
    for (const auto& [type, of_type] : m_types) {
        type_rates rates{.type = {type.first, type.second}, .rest = of_type.total};
        rates.functions.assign(of_type.functions.begin(), of_type.functions.end());
        keep_first(rates.functions, count, [](const auto& one, const auto& other) {
            return one.second != other.second ? one.second > other.second : one.first < other.first;
        });
        for (const auto& [function, rate] : rates.functions) {
            rates.rest -= rate;
        }
        all.push_back(std::move(rates));
    }
    return all;
}

} // namespace pprofdelta::tool
