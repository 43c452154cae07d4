// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_list.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta {

void capture_list::places::prepare(std::size_t capture, const std::vector<std::uint32_t>& rows) {
    const std::size_t count = rows.empty() ? 0 : std::size_t{rows.back()} + 1;
    m_last.resize(std::max(m_last.size(), count));
    m_earlier.resize(capture + 1);
    m_earlier.back().resize(rows.size());
    std::transform(rows.begin(), rows.end(), m_earlier.back().begin(),
                   [&](std::uint32_t row) { return m_last[row]; });
}

void capture_list::places::keep(std::size_t capture,
                                const std::vector<std::uint32_t>& rows) noexcept {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        m_last[rows[i]] = {static_cast<std::uint32_t>(capture), static_cast<std::uint32_t>(i)};
    }
}

void capture_list::add(capture&& added) {
    const std::size_t number = m_all.size();
    m_rows.prepare(number, added.rows);
    m_calls.prepare(number, added.calls);
    m_all.push_back(std::move(added));
    // Nothing can fail from here on.
    m_rows.keep(number, m_all.back().rows);
    m_calls.keep(number, m_all.back().calls);
}

capture_list::column capture_list::values(std::size_t type, const sample_group& samples) const {
    switch (samples.of) {
    case sample_group::kind::flat:
        return of_row(&capture::flat, m_rows, type, samples.number);
    case sample_group::kind::cum:
        return of_row(&capture::cum, m_rows, type, samples.number);
    case sample_group::kind::call:
        return of_row(&capture::of_calls, m_calls, type, samples.number);
    case sample_group::kind::all:
    case sample_group::kind::limit:
        break;
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
                                          const places& places_of, std::size_t type,
                                          std::size_t row) const {
    column result(m_all.size());
    for (places::place at = places_of.last(row); at.is_somewhere(); at = places_of.before(at)) {
        const capture& found = m_all[at.capture];
        result[at.capture] =
            static_cast<double>((found.*values)[at.row * found.totals.size() + type]);
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
