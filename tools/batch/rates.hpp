// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

namespace pprofdelta::tool {

/// The flat values per second of functions, in one sample type.
struct type_rates {
    value_type type{};
    std::vector<std::pair<std::string, double>> functions{};
    double rest = 0; ///< The sum of all others.
};

/// The rates of a delta, for the types in it that are cumulative, but for those whose sums would
/// not fit. Empty if it covers no time.
/// @param types are those of the delta, in its order.
[[nodiscard]] std::vector<type_rates>
rates_of(const std::string& delta, const std::vector<type_treatment>& types, double seconds);

/// Sums of rates over many processes. However many functions and types there are, and however long
/// their names, it takes some 30 MB at the most; what comes after that is in the rest, or nowhere
/// if it is of a further type.
class rate_sums {
public:
    void add(const std::vector<type_rates>& rates);
    /// Returns the largest rates of each type in descending order, equal ones by name.
    [[nodiscard]] std::vector<type_rates> largest(std::size_t count) const;

private:
    struct sums {
        std::unordered_map<std::string, double> functions;
        double total = 0;
    };
    std::map<std::pair<std::string, std::string>, sums> m_types; // by name and unit
};

} // namespace pprofdelta::tool
