// SPDX-License-Identifier: Apache-2.0
#include "sample_reader.hpp"

#include <array>

#include "wire.hpp"

namespace pprofdelta {

void sample_reader::start(const profile_index& index) { m_index = &index; }

void sample_reader::read(record sample) {
    const std::string_view bytes = m_index->view.at(sample);
    const char* const profile = m_index->view.bytes().data();
    m_parts.clear();
    m_values.clear();
    m_labels = {};
    m_label_count = 0;
    message_reader reader{bytes, profile};
    while (reader.next()) {
        switch (reader.as<field::sample>()) {
        case field::sample::location_id:
            for_each_number(reader, profile, [&](std::uint64_t id) { add_location(id, bytes); });
            break;
        case field::sample::value:
            for_each_number(reader, profile, [this](std::uint64_t value) {
                m_values.push_back(static_cast<std::int64_t>(value));
            });
            break;
        case field::sample::label:
            add_label(reader.bytes());
            break;
        default:
            reader.skip();
            break;
        }
    }
    if (m_values.size() != m_index->types.sample_types.size()) {
        m_index->view.fail("a sample has " + std::to_string(m_values.size()) +
                               " values, but there are " +
                               std::to_string(m_index->types.sample_types.size()) + " sample types",
                           bytes);
    }
    const std::uint64_t frame_count = m_parts.size();
    m_parts.push_back(m_labels);
    m_parts.push_back({little_endian(frame_count), little_endian(m_label_count)});
    m_key = hash_bytes(m_parts.data(), m_parts.size() * sizeof m_parts[0]);
}

void sample_reader::add_location(std::uint64_t id, std::string_view sample) {
    const std::uint32_t place = m_index->locations.find(id);
    if (place == id_map::npos) {
        m_index->view.fail("location id " + std::to_string(id) + " is not in the profile", sample);
    }
    m_parts.push_back(m_index->locations.identity(place));
}

void sample_reader::add_label(std::string_view label) {
    const string_index& strings = m_index->strings;
    std::uint32_t key = 0;
    std::uint32_t text = 0;
    std::uint64_t number = 0;
    std::uint32_t unit = 0;
    message_reader reader{label, m_index->view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::label>()) {
        case field::label::key:
            key = strings.check(reader.varint(), label);
            break;
        case field::label::str:
            text = strings.check(reader.varint(), label);
            break;
        case field::label::num:
            number = reader.varint();
            break;
        case field::label::num_unit:
            unit = strings.check(reader.varint(), label);
            break;
        default:
            reader.skip();
            break;
        }
    }
    const std::array<std::uint64_t, 7> parts{strings.hash(key).low,  strings.hash(key).high,
                                             strings.hash(text).low, strings.hash(text).high,
                                             strings.hash(unit).low, strings.hash(unit).high,
                                             little_endian(number)};
    const hash128 hash = hash_bytes(parts.data(), sizeof parts);
    // A sum, so that their order does not count.
    m_labels.low = little_endian(little_endian(m_labels.low) + little_endian(hash.low));
    m_labels.high = little_endian(little_endian(m_labels.high) + little_endian(hash.high));
    ++m_label_count;
}

} // namespace pprofdelta
