// SPDX-License-Identifier: Apache-2.0
#include "value_table.hpp"

#include <algorithm>
#include <utility>

#include "wrapping.hpp"

namespace pprofdelta {

void value_table::configure(std::size_t value_count, std::vector<std::uint32_t> cumulative) {
    m_value_count = value_count;
    m_cumulative = std::move(cumulative);
}

void value_table::begin() noexcept {
    m_size_at_begin = size();
    m_guess = 0;
}

std::uint32_t value_table::find_or_add(const hash128& key) {
    // Runtimes list their samples in nearly the same order every time.
    if (m_guess < m_size_at_begin && m_keys[m_guess] == key) {
        return m_guess++;
    }
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

bool value_table::add(std::uint32_t entry, const std::int64_t* values) noexcept {
    std::int64_t* const sum = m_current.data() + entry * m_value_count;
    if ((m_seen[entry] & in_current) == 0) {
        m_seen[entry] |= in_current;
        std::copy_n(values, m_value_count, sum);
        return true;
    }
    for (std::size_t i = 0; i < m_value_count; ++i) {
        sum[i] = wrapping_add(sum[i], values[i]);
    }
    return false;
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

void value_table::commit(bool keep_vanished) {
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
    if (keep_vanished) {
        return;
    }
    std::size_t kept = 0;
    m_keys.retain([&](std::uint32_t entry) {
        if (m_seen[entry] == 0) {
            return false;
        }
        std::copy_n(m_previous.begin() + static_cast<std::ptrdiff_t>(entry * stride), stride,
                    m_previous.begin() + static_cast<std::ptrdiff_t>(kept * stride));
        ++kept;
        return true;
    });
    m_previous.resize(kept * stride);
    m_current.resize(kept * m_value_count);
    m_seen.assign(kept, in_previous);
}

void value_table::rollback() {
    m_keys.truncate(m_size_at_begin);
    m_previous.resize(m_size_at_begin * m_cumulative.size());
    m_current.resize(m_size_at_begin * m_value_count);
    m_seen.resize(m_size_at_begin);
    for (std::uint8_t& seen : m_seen) {
        seen &= in_previous;
    }
}

} // namespace pprofdelta
