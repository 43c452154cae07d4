// SPDX-License-Identifier: Apache-2.0
#include "sample_reader.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "packed_numbers.hpp"
#include "wire.hpp"

namespace pprofdelta {

namespace {

constexpr std::size_t known_label_count = 128;
constexpr std::size_t known_label_size = 16;

// What is hashed after the frames: the labels' sum, and how many frames and labels there are.
struct key_tail {
    hash128 labels;
    std::uint64_t frame_count;
    std::uint64_t label_count;
};
constexpr std::size_t tail_words = sizeof(key_tail) / sizeof(std::uint64_t);

template <typename Word>
std::uint64_t load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

// Up to 16 bytes as two words, which differ for any two texts of one length.
std::pair<std::uint64_t, std::uint64_t> load_short(std::string_view text) {
    const char* const p = text.data();
    const std::size_t size = text.size();
    if (size >= 8) {
        return {load<std::uint64_t>(p), load<std::uint64_t>(p + size - 8)};
    }
    if (size >= 4) {
        return {load<std::uint32_t>(p), load<std::uint32_t>(p + size - 4)};
    }
    if (size == 0) {
        return {0, 0};
    }
    return {load<std::uint8_t>(p) | load<std::uint8_t>(p + size / 2) << 8U,
            load<std::uint8_t>(p + size - 1)};
}

} // namespace

void sample_reader::start(const profile_index& index) {
    m_index = &index;
    m_values.resize(index.types.sample_types.size());
    m_known_labels.assign(known_label_count, {}); // string numbers are another profile's
}

void sample_reader::read(record sample) {
    const std::string_view bytes = m_index->view.at(sample);
    m_frame_count = 0;
    m_value_count = 0;
    m_labels = {};
    m_label_count = 0;
    message_reader reader{bytes, m_index->view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::sample>()) {
        case field::sample::location_id:
            if (reader.is_bytes()) {
                add_locations(reader.bytes(), bytes);
            } else {
                add_location(reader.varint(), bytes);
            }
            break;
        case field::sample::value:
            if (reader.is_bytes()) {
                add_values(reader.bytes());
            } else {
                add_value(reader.varint());
            }
            break;
        case field::sample::label:
            add_label(reader.bytes());
            break;
        default:
            reader.skip();
            break;
        }
    }
    if (m_value_count != m_values.size()) {
        fail_value_count(bytes);
    }
    make_room(0);
    const key_tail tail{m_labels, little_endian(m_frame_count), little_endian(m_label_count)};
    std::memcpy(m_parts.data() + m_frame_count, &tail, sizeof tail);
    m_key = hash_bytes(m_parts.data(), (m_frame_count + tail_words) * sizeof m_parts[0]);
}

// For so many frames more, and the tail.
void sample_reader::make_room(std::size_t frames) {
    const std::size_t needed = m_frame_count + frames + tail_words;
    if (m_parts.size() < needed) {
        m_parts.resize(2 * needed);
    }
}

void sample_reader::add_locations(std::string_view packed, std::string_view sample) {
    if (m_ids.size() < packed_room(packed.size())) {
        m_ids.resize(2 * packed_room(packed.size()));
    }
    make_room(packed.size());
    const std::size_t count = decode_packed(packed, m_ids.data());
    if (count == not_decoded ||
        !m_index->locations.half_identities(m_ids.data(), count, m_parts.data() + m_frame_count)) {
        for_each_packed(packed, m_index->view.bytes().data(),
                        [&](std::uint64_t id) { add_location(id, sample); });
        return;
    }
    m_frame_count += count;
}

void sample_reader::add_location(std::uint64_t id, std::string_view sample) {
    const std::uint32_t place = m_index->locations.find(id);
    if (place == id_map::npos) {
        m_index->view.fail("location id " + std::to_string(id) + " is not in the profile", sample);
    }
    make_room(1);
    m_parts[m_frame_count++] = m_index->locations.identity(place).low;
}

void sample_reader::add_values(std::string_view packed) {
    for_each_packed(packed, m_index->view.bytes().data(),
                    [this](std::uint64_t value) { add_value(value); });
}

void sample_reader::add_value(std::uint64_t value) {
    if (m_value_count < m_values.size()) {
        m_values[m_value_count] = static_cast<std::int64_t>(value);
    }
    ++m_value_count;
}

void sample_reader::fail_value_count(std::string_view sample) const {
    m_index->view.fail("a sample has " + std::to_string(m_value_count) + " values, but there are " +
                           std::to_string(m_values.size()) + " sample types",
                       sample);
}

void sample_reader::add_label(std::string_view label) {
    const hash128 hash =
        label.size() <= known_label_size ? known_label_hash(label) : label_hash(label);
    // A sum, so that their order does not count.
    m_labels.low = little_endian(little_endian(m_labels.low) + little_endian(hash.low));
    m_labels.high = little_endian(little_endian(m_labels.high) + little_endian(hash.high));
    ++m_label_count;
}

const hash128& sample_reader::known_label_hash(std::string_view label) {
    const auto [first, last] = load_short(label);
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
    const std::uint64_t mixed = (first + last) * odd;
    known_label& known = m_known_labels[mixed >> 57U];
    static_assert(known_label_count == std::size_t{1} << (64U - 57U));
    if (known.size != label.size() || known.first != first || known.last != last) {
        known = {first, last, label.size(), label_hash(label)};
    }
    return known.hash;
}

hash128 sample_reader::label_hash(std::string_view label) const {
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
    const std::array<hash128, 3> texts{strings.hash(key), strings.hash(text), strings.hash(unit)};
    std::array<std::uint64_t, 7> parts{};
    std::memcpy(parts.data(), texts.data(), sizeof texts);
    parts.back() = little_endian(number);
    return hash_bytes(parts.data(), sizeof parts);
}

} // namespace pprofdelta
