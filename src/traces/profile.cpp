// SPDX-License-Identifier: Apache-2.0
#include "traces/profile.hpp"

#include "base/hash128.hpp"
#include "profile/process_sign.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

void trace_profile::begin(std::span<const value_type> types, std::string& out) {
    m_addresses.clear();
    m_records.start(types, out);
}

void trace_profile::add_sample(std::span<const std::uint64_t> addresses,
                               std::span<const std::int64_t> values,
                               std::span<const label> labels) {
    m_ids.clear();
    for (const std::uint64_t address : addresses) {
        m_ids.push_back(m_addresses.find_or_add({address, 0}) + 1);
    }
    m_locations.clear();
    append_numbers(m_locations, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
    m_labels.clear();
    for (const label& l : labels) {
        m_records.append_label(m_labels, l);
    }
    m_records.add_sample(m_locations, values, m_labels);
}

void trace_profile::finish(const trace_header& header, std::span<const mapping> mappings) {
    m_search.build(mappings);
    m_records.use_mappings(mappings);
    for (std::uint32_t place = 0; place < mappings.size(); ++place) {
        if (tells_process(mappings[place].file)) {
            m_records.use_mapping(place);
        }
    }
    for (std::uint32_t number = 0; number < m_addresses.size(); ++number) {
        const std::uint64_t address = m_addresses[number].low;
        m_records.add_location(number + 1U, address, m_search.find(address));
    }
    m_records.finish(header);
}

} // namespace pprofdelta
