// SPDX-License-Identifier: Apache-2.0
#include "report/capture.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

capture read_capture(const profile_index& index, grouping by, const std::vector<limit>& limits,
                     row_names& names) {
    std::vector<std::size_t> every_type(index.types.sample_types.size());
    std::iota(every_type.begin(), every_type.end(), std::size_t{0});
    report_options options;
    options.by = by;
    capture made{.sums = sum_rows(index, every_type, options, names),
                 .of_limits = {},
                 .time_nanos = index.view.time_nanos,
                 .duration_nanos = index.view.duration_nanos};
    if (std::any_of(limits.begin(), limits.end(), names_functions)) {
        made.of_limits = measure(limits, index);
    }
    return made;
}

void copy_check::add(std::string_view profile, std::string name) {
    const std::uint32_t known = m_names.size();
    const std::uint32_t number =
        m_names.find_or_add(hash_bytes(profile), [&] { return std::move(name); });
    if (number < known) {
        throw error{error_kind::incompatible,
                    "it is a copy of " + m_names[number] + ", and would count twice"};
    }
}

} // namespace pprofdelta
