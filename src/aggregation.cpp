// SPDX-License-Identifier: Apache-2.0
#include "aggregation.hpp"

namespace pprofdelta {

void aggregation::run(const profile_index& index, value_table& table) {
    m_index = &index;
    m_entries.clear();
    m_entries.reserve(index.view.samples.size());
    m_reader.start(index);
    for (const record sample : index.view.samples) {
        m_reader.read(sample);
        const std::uint32_t entry = table.find_or_add(m_reader.key());
        const bool is_first = table.add(entry, m_reader.values());
        m_entries.push_back(is_first ? entry : duplicate);
    }
}

} // namespace pprofdelta
