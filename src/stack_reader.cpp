// SPDX-License-Identifier: Apache-2.0
#include "stack_reader.hpp"

#include "wire.hpp"

namespace pprofdelta {

void stack_reader::read(record sample) {
    m_locations.clear();
    m_values.clear();
    const std::string_view bytes = m_index.view.at(sample);
    const char* const profile = m_index.view.bytes().data();
    message_reader reader{bytes, profile};
    while (reader.next()) {
        switch (reader.as<field::sample>()) {
        case field::sample::location_id:
            for_each_number(reader, profile, [&](std::uint64_t id) {
                m_locations.push_back(m_index.location_place(id, bytes));
            });
            break;
        case field::sample::value:
            for_each_number(reader, profile, [&](std::uint64_t value) {
                m_values.push_back(static_cast<std::int64_t>(value));
            });
            break;
        default:
            reader.skip();
            break;
        }
    }
    m_index.require_value_count(m_values.size(), bytes);
}

} // namespace pprofdelta
