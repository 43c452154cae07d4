// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_FUNCTION_RATES_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_FUNCTION_RATES_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

namespace pprofdelta::tool {

/// What functions did in each second, without those that they called, of one type.
struct type_rates {
    value_type type{};
    std::vector<std::pair<std::string, double>> functions{};
    double rest = 0; ///< Of all others.
};

/// The rates of a delta, for the types in it that are cumulative, but for those whose sums would
/// not fit. Empty if it covers no time.
/// @param types of the delta, in its order.
[[nodiscard]] std::vector<type_rates>
rates_of(const std::string& delta, const std::vector<type_treatment>& types, double seconds);

/// Sums of rates over many processes. However many functions and types there are, and however long
/// their names, it takes some 30 MB at the most; what comes after that is in the rest, or nowhere
/// if it is of a further type.
class rate_sums {
public:
    void add(const std::vector<type_rates>& rates);
    /// Of each type the largest, the first one first, and those that are the same by name.
    [[nodiscard]] std::vector<type_rates> largest(std::size_t count) const;

private:
    struct sums {
        std::unordered_map<std::string, double> functions;
        double total = 0;
    };
    std::map<std::pair<std::string, std::string>, sums> m_types; // by name and unit
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_FUNCTION_RATES_HPP
