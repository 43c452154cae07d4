// SPDX-License-Identifier: Apache-2.0
#include "sample_reader.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "packed_numbers.hpp"
#include "wire.hpp"

namespace pprofdelta {

namespace {

constexpr std::size_t known_label_count = 256;
constexpr std::size_t known_label_size = 16;

// What is hashed: a word for every four frames, the halves of whose identities are the coefficients
// of a polynomial at fold1, and one for the rest of them; then this.
struct key_tail {
    hash128 labels;
    std::uint64_t frame_count;
    std::uint64_t label_count;
};
constexpr std::size_t frames_per_word = 4;
constexpr std::uint64_t fold1 = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
constexpr std::uint64_t fold2 = fold1 * fold1;
constexpr std::uint64_t fold3 = fold2 * fold1;
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
    m_location_count = 0;
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
    make_key(bytes);
}

void sample_reader::make_key(std::string_view sample) {
    const std::size_t count = m_location_count;
    if (m_words.size() < count / frames_per_word + 1 + tail_words) {
        m_words.resize(2 * (count / frames_per_word + 1 + tail_words));
    }
    const std::uint64_t* const halves = m_index->locations.halves();
    const std::size_t known = m_index->locations.size();
    const auto half = [&](std::uint32_t ordinal) {
        if (std::uint64_t{ordinal} - 1 >= known) {
            fail_location(ordinal, sample);
        }
        return little_endian(halves[ordinal]);
    };
    const std::uint32_t* const ordinals = m_locations.data();
    std::uint64_t* word = m_words.data();
    std::size_t i = 0;
    for (; i + frames_per_word <= count; i += frames_per_word) {
        *word++ = little_endian(half(ordinals[i]) * fold3 + half(ordinals[i + 1]) * fold2 +
                                half(ordinals[i + 2]) * fold1 + half(ordinals[i + 3]));
    }
    if (i < count) {
        std::uint64_t rest = 0;
        for (; i < count; ++i) {
            rest = rest * fold1 + half(ordinals[i]);
        }
        *word++ = little_endian(rest);
    }
    const key_tail tail{m_labels, little_endian(std::uint64_t{count}),
                        little_endian(std::uint64_t{m_label_count})};
    std::memcpy(word, &tail, sizeof tail);
    word += tail_words;
    m_key =
        hash_bytes(m_words.data(), static_cast<std::size_t>(word - m_words.data()) * sizeof *word);
}

void sample_reader::make_room(std::size_t locations) {
    if (m_locations.size() < m_location_count + locations) {
        m_locations.resize(2 * (m_location_count + locations));
    }
}

void sample_reader::add_locations(std::string_view packed, std::string_view sample) {
    make_room(packed_room(packed.size()));
    if (m_index->locations.is_sequential()) {
        const std::size_t count = decode_packed(packed, m_locations.data() + m_location_count);
        if (count != not_decoded) {
            m_location_count += count;
            return;
        }
    }
    for_each_packed(packed, m_index->view.bytes().data(),
                    [&](std::uint64_t id) { add_location(id, sample); });
}

void sample_reader::add_location(std::uint64_t id, std::string_view sample) {
    const std::uint32_t place = m_index->locations.find(id);
    if (place == id_map::npos) {
        fail_location(id, sample);
    }
    make_room(1);
    m_locations[m_location_count++] = place + 1;
}

void sample_reader::fail_location(std::uint64_t id, std::string_view sample) const {
    m_index->view.fail("location id " + std::to_string(id) + " is not in the profile", sample);
}

void sample_reader::add_values(std::string_view packed) {
    const std::string_view profile = m_index->view.bytes();
    if (m_value_count == 0 &&
        decode_few(packed, profile.data() + profile.size(), m_values.data(), m_values.size())) {
        m_value_count = m_values.size();
        return;
    }
    for_each_packed(packed, profile.data(), [this](std::uint64_t value) { add_value(value); });
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
    const std::uint64_t mixed = (first + last) * fold1;
    known_label& known = m_known_labels[mixed >> 56U];
    static_assert(known_label_count == std::size_t{1} << (64U - 56U));
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
