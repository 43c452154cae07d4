// SPDX-License-Identifier: Apache-2.0
#include "traces/label_sets.hpp"

#include <utility>

namespace pprofdelta {

std::uint32_t label_sets::add(const trace_batch& batch, const trace_batch::trace& from) {
    const hash128 key = batch.label_key(from);
    const std::uint32_t known = m_keys.find(key);
    if (known != key_table::npos) {
        return known;
    }
    set s;
    const auto copy = [&s](const label& l) {
        s.labels.push_back(
            {std::string{l.key}, std::string{l.text}, l.number, std::string{l.unit}});
    };
    for (const label& l : batch.labels()) {
        copy(l);
    }
    if (from.block_size != 0) {
        copy(block_size_label(from.block_size));
    }
    return add_new(key, std::move(s));
}

std::uint32_t label_sets::add_from(const label_sets& other, std::uint32_t number) {
    const hash128& key = other.m_keys[number];
    const std::uint32_t known = m_keys.find(key);
    return known != key_table::npos ? known : add_new(key, {other.m_sets[number].labels});
}

std::uint32_t label_sets::add_new(const hash128& key, set&& s) {
    m_sets.resize(m_keys.size()); // one more than keys, if the key could not be added last time
    m_sets.push_back(std::move(s));
    return m_keys.find_or_add(key);
}

void label_sets::start() noexcept {
    ++m_profile;
    m_fields.clear();
}

void label_sets::encode(set& s, trace_records& profile) {
    s.offset = m_fields.size();
    for (const owned_label& l : s.labels) {
        profile.append_label(m_fields, {l.key, l.text, l.number, l.unit});
    }
    s.size = m_fields.size() - s.offset;
    s.profile = m_profile;
}

} // namespace pprofdelta
