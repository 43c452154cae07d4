// SPDX-License-Identifier: Apache-2.0
#include "stack_reader.hpp"

#include <string>

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
                const std::uint32_t place = m_index.locations.find(id);
                if (place == id_map::npos) {
                    m_index.view.fail(
                        "location id " + std::to_string(id) + " is not in the profile", bytes);
                }
                m_locations.push_back(place);
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
    if (const std::size_t types = m_index.types.sample_types.size(); m_values.size() != types) {
        m_index.view.fail("a sample has " + std::to_string(m_values.size()) +
                              " values, but there are " + std::to_string(types) + " sample types",
                          bytes);
    }
}

} // namespace pprofdelta
