// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "catch.hpp"
#include "near.hpp"

namespace pprofdelta::test {

/// The row of that name, which has to be there.
template <typename Row>
const Row& row(const std::vector<Row>& rows, std::string_view name) {
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
    REQUIRE(at != rows.end());
    return *at;
}

/// Their names in order, each with a blank after it.
template <typename Row>
std::string names(const std::vector<Row>& rows) {
    std::string all;
    for (const Row& r : rows) {
        all += r.name + " ";
    }
    return all;
}

inline std::vector<limit> limits(const std::vector<std::string>& texts) {
    std::vector<limit> all;
    std::transform(texts.begin(), texts.end(), std::back_inserter(all), parse_limit);
    return all;
}

} // namespace pprofdelta::test
