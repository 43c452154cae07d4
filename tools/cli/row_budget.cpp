// SPDX-License-Identifier: Apache-2.0
#include "cli/row_budget.hpp"

#include <utility>

#include "base/failure.hpp"

namespace pprofdelta::tool {

std::string fitted(std::size_t max_bytes,
                   const std::function<std::string(std::optional<std::size_t>)>& make) {
    std::string whole = make({});
    if (max_bytes == 0 || whole.size() <= max_bytes) {
        return whole;
    }
    std::string best = make(0);
    if (best.size() > max_bytes) {
        wrong_usage("--max-bytes " + std::to_string(max_bytes) + ": even without rows it takes " +
                    std::to_string(best.size()));
    }
    constexpr std::size_t least_of_row = 8; // in bytes
    std::size_t fits = 0;
    std::size_t too_many = max_bytes / least_of_row + 1;
    while (too_many - fits > 1) {
        const std::size_t middle = fits + (too_many - fits) / 2;
        std::string text = make(middle);
        if (text.size() <= max_bytes) {
            fits = middle;
            best = std::move(text);
        } else {
            too_many = middle;
        }
    }
    return best;
}

} // namespace pprofdelta::tool
