// SPDX-License-Identifier: Apache-2.0
#include "delta/aggregation.hpp"

#include <algorithm>

namespace pprofdelta {

void aggregation::run(const profile_index& index, value_table& table) {
    m_index = &index;
    m_entries.clear();
    m_entries.reserve(index.view.samples.size());
    m_reader.start(index);
    const std::vector<record>& samples = index.view.samples;
    if (table.size() == 0) {
        // Room for a series that grows a little. But a record of two bytes is no reason to take a
        // hundred: samples that short are mostly the same, or have too few values.
        constexpr std::size_t shortest_usual = 32;
        const std::size_t usual =
            index.view.bytes().size() / std::max(shortest_usual, index.types.sample_types.size());
        const std::size_t expected = std::min(samples.size(), usual);
        table.reserve(static_cast<std::uint32_t>(expected + expected / 8));
    }
    for (std::size_t start = 0; start < samples.size(); start += sample_reader::batch) {
        const std::size_t count = std::min(samples.size() - start, sample_reader::batch);
        m_reader.read(samples.data() + start, count);
        for (std::size_t i = 0; i < count; ++i) {
            table.prefetch(m_reader.key(i));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t entry = table.find_or_add(m_reader.key(i));
            const bool is_first = table.add(entry, m_reader.values(i));
            m_entries.push_back(is_first ? entry : duplicate);
        }
    }
}

} // namespace pprofdelta
