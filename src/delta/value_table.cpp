// SPDX-License-Identifier: Apache-2.0
#include "delta/value_table.hpp"

#include <limits>
#include <utility>

namespace pprofdelta {

void value_table::configure(std::size_t value_count, std::vector<std::uint32_t> cumulative) {
    m_value_count = value_count;
    m_cumulative = std::move(cumulative);
    m_is_heap = m_value_count == 4 && m_cumulative == std::vector<std::uint32_t>{0, 1};
    clear();
}

void value_table::begin(bool only_counters) {
    m_only_counters = only_counters && size() == 0;
    m_width = m_only_counters ? m_cumulative.size() : m_value_count;
    // Those that were restored have none yet.
    if (const std::size_t values = size() * m_width; m_current.size() != values) {
        m_current.reserve(m_seen.capacity() * m_width);
        m_current.resize(values);
    }
    m_keys.begin();
}

void value_table::add_entry() {
    if (!m_only_counters) {
        m_previous.resize(m_previous.size() + m_cumulative.size(), 0);
    }
    m_current.resize(m_current.size() + m_width);
    m_seen.push_back(0);
}

// An entry that is not seen vanished before the previous profile.
bool value_table::has_fallen(std::uint32_t entry) const noexcept {
    const std::int64_t* const before = previous(entry);
    const std::int64_t* const now = current(entry);
    const bool is_now = is_current(entry);
    bool fell = false;
    for (std::size_t c = 0; c < m_cumulative.size(); ++c) {
        fell |= (is_now ? now[m_cumulative[c]] : 0) < before[c];
    }
    return fell && m_seen[entry] != 0;
}

void value_table::compare(const sampled_counters* sampled, counter_changes& changes) const {
    changes.begin(m_cumulative.size());
    // Nothing has fallen in most profiles, and then nothing has started over.
    std::uint32_t entry = 0;
    while (entry < size() && sampled == nullptr && !has_fallen(entry)) {
        ++entry;
    }
    if (entry == size()) {
        return;
    }
    for (entry = 0; entry < size(); ++entry) {
        if (m_seen[entry] == 0) {
            continue;
        }
        const bool is_now = is_current(entry);
        for (std::size_t c = 0; c < m_cumulative.size(); ++c) {
            if (sampled == nullptr || (c != sampled->objects && c != sampled->space)) {
                changes.add(c, previous(entry)[c], is_now ? current(entry)[m_cumulative[c]] : 0,
                            is_now);
            }
        }
        if (sampled != nullptr) {
            const heap_sample before = sampled->sampled_before(previous(entry));
            const heap_sample now =
                is_now ? sampled->sampled_now({current(entry)[m_cumulative[sampled->objects]],
                                               current(entry)[m_cumulative[sampled->space]]})
                       : heap_sample{0, 0};
            changes.add(sampled->objects, before.count, now.count, is_now);
            changes.add(sampled->space, before.bytes, now.bytes, is_now);
        }
        changes.end_sample(is_previous(entry), is_now);
    }
}

bool value_table::has_changed() const {
    for (std::uint32_t entry = 0; entry < size(); ++entry) {
        if (m_seen[entry] == 0) {
            continue;
        }
        if (!is_current(entry)) {
            return true;
        }
        for (std::size_t c = 0; c < m_cumulative.size(); ++c) {
            if (current(entry)[m_cumulative[c]] != previous(entry)[c]) {
                return true;
            }
        }
    }
    return false;
}

void value_table::commit() noexcept {
    if (m_only_counters) {
        m_previous.swap(m_current);
        std::fill(m_seen.begin(), m_seen.end(), in_previous);
        return;
    }
    const std::size_t stride = m_cumulative.size();
    for (std::uint32_t entry = 0; entry < size(); ++entry) {
        if ((m_seen[entry] & in_current) == 0) {
            m_seen[entry] = 0;
            continue;
        }
        m_seen[entry] = in_previous;
        const std::int64_t* const now = current(entry);
        std::int64_t* const kept = m_previous.data() + entry * stride;
        if (m_is_heap) { // without a loop, as in difference()
            kept[0] = now[0];
            kept[1] = now[1];
            continue;
        }
        for (std::size_t c = 0; c < stride; ++c) {
            kept[c] = now[m_cumulative[c]];
        }
    }
}

void value_table::truncate(std::uint32_t size) {
    m_keys.table().truncate(size);
    m_previous.resize(size * m_cumulative.size());
    m_current.resize(size * m_width);
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
    m_keys.table().keep([this](std::uint32_t entry) { return is_current(entry); });
    truncate(size()); // of the keys
    std::fill(m_previous.begin(), m_previous.end(), 0);
    std::fill(m_seen.begin(), m_seen.end(), in_current);
}

void value_table::rollback() {
    truncate(m_keys.size_at_begin());
    for (std::uint8_t& seen : m_seen) {
        seen &= in_previous;
    }
}

void value_table::reserve(std::uint32_t entries) {
    m_keys.table().reserve(entries);
    if (!m_only_counters) {
        m_previous.reserve(entries * m_cumulative.size());
    }
    m_current.reserve(entries * m_width);
    m_seen.reserve(entries);
}

bool value_table::restore(std::string_view keys, std::uint32_t previous) {
    const std::size_t count = keys.size() / sizeof(hash128);
    clear();
    const std::size_t room =
        std::min<std::size_t>(count + count / 8, std::numeric_limits<std::uint32_t>::max());
    m_keys.table().reserve(static_cast<std::uint32_t>(room));
    m_previous.reserve(room * m_cumulative.size());
    m_seen.reserve(room);
    m_previous.resize(count * m_cumulative.size());
    m_seen.assign(previous, in_previous);
    m_seen.resize(count);
    return m_keys.table().assign(keys);
}

void value_table::clear() noexcept {
    m_keys.table().clear();
    m_previous.clear();
    m_current.clear();
    m_seen.clear();
    begin();
}

} // namespace pprofdelta
