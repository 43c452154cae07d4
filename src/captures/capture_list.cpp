// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_list.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta {

void capture_list::add(capture&& added) {
    const std::size_t count = added.rows.empty() ? 0 : std::size_t{added.rows.back()} + 1;
    m_last.resize(std::max(m_last.size(), count));
    std::vector<place> earlier(added.rows.size());
    std::transform(added.rows.begin(), added.rows.end(), earlier.begin(),
                   [&](std::uint32_t row) { return m_last[row]; });
    // One that is too many is replaced by the next call.
    m_earlier.resize(m_all.size() + 1);
    m_all.push_back(std::move(added));
    // Nothing can fail from here on.
    m_earlier.back() = std::move(earlier);
    const std::vector<std::uint32_t>& rows = m_all.back().rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_last[rows[i]] = {static_cast<std::uint32_t>(m_all.size() - 1),
                           static_cast<std::uint32_t>(i)};
    }
}

capture_list::column capture_list::values(std::size_t type, const sample_group& samples) const {
    if (samples.of == sample_group::kind::flat || samples.of == sample_group::kind::cum) {
        return of_row(samples.of == sample_group::kind::flat ? &capture::flat : &capture::cum, type,
                      samples.number);
    }
    column result;
    result.reserve(m_all.size());
    for (const capture& each : m_all) {
        const std::vector<std::int64_t>& sums = samples.of == sample_group::kind::limit
                                                    ? each.of_limits.sums[samples.number]
                                                    : each.totals;
        result.push_back(static_cast<double>(sums[type]));
    }
    return result;
}

capture_list::column capture_list::of_row(std::vector<std::int64_t> capture::*values,
                                          std::size_t type, std::size_t row) const {
    column result(m_all.size());
    place at = row < m_last.size() ? m_last[row] : place{};
    while (at.capture != place::nowhere) {
        const capture& found = m_all[at.capture];
        result[at.capture] =
            static_cast<double>((found.*values)[at.row * found.totals.size() + type]);
        at = m_earlier[at.capture][at.row];
    }
    return result;
}

std::vector<std::string> capture_list::programs() const {
    std::vector<std::string> names;
    for (const capture& each : m_all) {
        if (!each.program.empty() &&
            std::find(names.begin(), names.end(), each.program) == names.end()) {
            names.push_back(each.program);
        }
    }
    return names;
}

bool capture_list::has_match(std::size_t limit) const {
    return std::any_of(m_all.begin(), m_all.end(),
                       [&](const capture& c) { return c.of_limits.has_match[limit]; });
}

} // namespace pprofdelta
