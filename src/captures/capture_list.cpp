// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_list.hpp"

#include <algorithm>
#include <utility>

#include "base/wrapping.hpp"

namespace pprofdelta {

void capture_list::add(capture&& added, const capture_rows& rows) {
    m_rows.prepare(rows.sums);
    m_calls.prepare(rows.of_calls);
    m_stacks.prepare(rows.of_stacks);
    m_all.push_back(std::move(added));
    // Nothing can fail from here on.
    m_rows.keep(rows.sums);
    m_calls.keep(rows.of_calls);
    m_stacks.keep(rows.of_stacks);
}

capture_list::column capture_list::values(std::size_t type, const sample_group& samples) const {
    if (m_all.empty()) {
        return {};
    }
    std::vector<std::int64_t> sums;
    switch (samples.of) {
    case sample_group::kind::flat:
        sums = m_rows.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::cum: {
        sums = m_rows.column(samples.number, type);
        const std::vector<std::int64_t> more =
            m_rows.column(samples.number, m_all.front().totals.size() + type);
        std::transform(sums.begin(), sums.end(), more.begin(), sums.begin(), wrapping_add);
        return {sums.begin(), sums.end()};
    }
    case sample_group::kind::call:
        sums = m_calls.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::stack:
        sums = m_stacks.column(samples.number, type);
        return {sums.begin(), sums.end()};
    case sample_group::kind::all:
    case sample_group::kind::limit:
        break;
    }
    column result;
    result.reserve(m_all.size());
    for (const capture& each : m_all) {
        const std::vector<std::int64_t>& of_types = samples.of == sample_group::kind::limit
                                                        ? each.of_limits.sums[samples.number]
                                                        : each.totals;
        result.push_back(static_cast<double>(of_types[type]));
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
