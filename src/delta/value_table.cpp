// SPDX-License-Identifier: Apache-2.0
#include "delta/value_table.hpp"

#include <algorithm>
#include <utility>

namespace pprofdelta {

void value_table::configure(std::size_t value_count, std::vector<std::uint32_t> cumulative) {
    clear();
    m_value_count = value_count;
    m_cumulative = std::move(cumulative);
    m_is_heap = m_value_count == 4 && m_cumulative == std::vector<std::uint32_t>{0, 1};
}

void value_table::begin() {
    // Those that were restored have none yet.
    if (const std::size_t values = size() * m_value_count; m_current.size() != values) {
        m_current.reserve(m_seen.capacity() * m_value_count);
        m_current.resize(values);
    }
    m_size_at_begin = size();
    m_guess = 0;
}

std::uint32_t value_table::search(const hash128& key) {
    const std::uint32_t entry = m_keys.find_or_add(key);
    if (entry == m_seen.size()) {
        m_previous.resize(m_previous.size() + m_cumulative.size());
        m_current.resize(m_current.size() + m_value_count);
        m_seen.push_back(0);
    } else {
        m_guess = entry + 1;
    }
    return entry;
}

bool value_table::is_reset() const noexcept {
    for (std::size_t c = 0; c < m_cumulative.size(); ++c) {
        // Doubles, as sums of int64 may exceed int64, and the last digits do not matter.
        double total = 0;
        double lost = 0;
        for (std::uint32_t entry = 0; entry < m_size_at_begin; ++entry) {
            if (m_seen[entry] == 0) {
                continue; // vanished before the previous profile
            }
            const auto before = static_cast<double>(previous(entry)[c]);
            const auto now = (m_seen[entry] & in_current) == 0
                                 ? 0.0
                                 : static_cast<double>(current(entry)[m_cumulative[c]]);
            total += std::max(0.0, before);
            lost += std::max(0.0, before - now);
        }
        if (lost > total / 2) {
            return true;
        }
    }
    return false;
}

void value_table::commit() noexcept {
    const std::size_t stride = m_cumulative.size();
    for (std::uint32_t entry = 0; entry < size(); ++entry) {
        if ((m_seen[entry] & in_current) == 0) {
            m_seen[entry] = 0;
            continue;
        }
        m_seen[entry] = in_previous;
        for (std::size_t c = 0; c < stride; ++c) {
            m_previous[entry * stride + c] = current(entry)[m_cumulative[c]];
        }
    }
}

void value_table::truncate(std::uint32_t size) {
    m_keys.truncate(size);
    m_previous.resize(size * m_cumulative.size());
    m_current.resize(size * m_value_count);
    m_seen.resize(size);
}

void value_table::forget_previous() noexcept {
    std::size_t kept = 0;
    for (std::uint32_t entry = 0; entry < size(); ++entry) {
        if (is_current(entry)) {
            std::copy_n(current(entry), m_value_count, m_current.data() + kept * m_value_count);
            ++kept;
        }
    }
    m_keys.keep([this](std::uint32_t entry) { return is_current(entry); });
    truncate(size()); // of the keys
    std::fill(m_previous.begin(), m_previous.end(), 0);
    std::fill(m_seen.begin(), m_seen.end(), in_current);
}

void value_table::rollback() {
    truncate(m_size_at_begin);
    for (std::uint8_t& seen : m_seen) {
        seen &= in_previous;
    }
}

void value_table::reserve_saved(std::uint32_t entries) {
    m_keys.reserve(entries);
    m_previous.reserve(entries * m_cumulative.size());
    m_seen.reserve(entries);
}

void value_table::reserve(std::uint32_t entries) {
    reserve_saved(entries);
    m_current.reserve(entries * m_value_count);
}

bool value_table::restore(const hash128& key, bool is_previous) {
    if (m_keys.find_or_add(key) != m_seen.size()) {
        return false;
    }
    m_previous.resize(m_previous.size() + m_cumulative.size());
    m_seen.push_back(is_previous ? in_previous : 0);
    return true;
}

void value_table::clear() noexcept {
    m_keys.clear();
    m_previous.clear();
    m_current.clear();
    m_seen.clear();
    begin();
}

} // namespace pprofdelta
