// SPDX-License-Identifier: Apache-2.0
// A profile scaled to another: invented ones that the bytes choose, or the bytes themselves.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "fuzz.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::vector<double> expected_factors(const profile& before, const profile& now,
                                     const std::vector<type_treatment>& types, normalization by) {
    if (by == normalization::duration) {
        const double factor =
            static_cast<double>(now.duration) / static_cast<double>(before.duration);
        std::vector<double> factors;
        for (const type_treatment& each : types) {
            factors.push_back(each.kind == value_kind::gauge ? 1 : factor);
        }
        return factors;
    }
    const std::vector<std::int64_t> old_sums = sums(before);
    const std::vector<std::int64_t> new_sums = sums(now);
    std::vector<double> factors(new_sums.size());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (old_sums[i] != 0) {
            factors[i] = static_cast<double>(new_sums[i]) / static_cast<double>(old_sums[i]);
        }
    }
    return factors;
}

bool is_near(double a, double b) {
    return std::fabs(a - b) <= 1e-9 * (std::fabs(a) + std::fabs(b));
}

void check(std::string_view previous, std::string_view current, normalization by) {
    normalized_profile result;
    if (!is_accepted([&] { result = normalize(previous, current, by); })) {
        return;
    }
    const std::string fault = find_fault(result.profile);
    require(fault == "none", "what was normalized is a compact profile: " + fault);
    const std::optional<profile> before = parse_if_valid(previous);
    const std::optional<profile> now = parse_if_valid(current);
    if (!before || !now) {
        return;
    }
    const std::vector<double> factors = expected_factors(*before, *now, list_types(previous), by);
    require(result.factors.size() == factors.size(), "each type has a factor");
    for (std::size_t i = 0; i < factors.size(); ++i) {
        require(is_near(result.factors[i], factors[i]), "a factor is that of the totals");
    }
    const std::optional<profile> scaled = parse_if_valid(result.profile);
    require(scaled.has_value(), "what was normalized is a profile");
    require(scaled->types == before->types &&
                scaled->duration ==
                    (by == normalization::duration ? now->duration : before->duration),
            "its headers stay");
    if (has_large_values(*before) || has_large_values(*now) || has_large_values(*scaled)) {
        return; // sums may have wrapped around, or saturated
    }
    const std::vector<std::int64_t> old_sums = sums(*before);
    const std::vector<std::int64_t> new_sums = sums(*scaled);
    const auto halves = static_cast<double>(before->samples.size()) / 2;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double exact = static_cast<double>(old_sums[i]) * factors[i];
        require(std::fabs(static_cast<double>(new_sums[i]) - exact) <=
                    halves + 1e-3 + 1e-9 * std::fabs(exact),
                "a total is off by half of one for each sample at most");
    }
}

} // namespace

FUZZ_TARGET(normalize, data, size) {
    steering bytes{data, size};
    const unsigned kind = bytes.byte();
    const auto by = static_cast<normalization>(kind / 2 % 2);
    const auto [previous, current] = choose_pair(bytes, kind);
    check(previous, current, by);
    check(previous, previous, by);
    return 0;
}
