// SPDX-License-Identifier: Apache-2.0
#include "traces/label_sets.hpp"

namespace pprofdelta {

std::uint32_t label_sets::add(const trace_batch& batch, const trace_batch::trace& from) {
    return m_sets.find_or_add(batch.label_key(from), [&] {
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
        return s;
    });
}

std::uint32_t label_sets::add_from(const label_sets& other, std::uint32_t number) {
    return m_sets.find_or_add(other.m_sets.key(number),
                              [&] { return set{other.m_sets[number].labels}; });
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
