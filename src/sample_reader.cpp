// SPDX-License-Identifier: Apache-2.0
#include "sample_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "packed_numbers.hpp"
#include "stack_key.hpp"
#include "wire.hpp"

namespace pprofdelta {

namespace {

constexpr std::size_t known_label_count = 256;
constexpr std::size_t known_label_size = 16;

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
    m_type_count = index.types.sample_types.size();
    m_values.resize(batch * m_type_count);
    m_known_labels.assign(known_label_count, {}); // string numbers are another profile's
}

void sample_reader::read(const record* samples, std::size_t count) {
    m_location_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
        m_samples[i] = {};
        parse(m_index->view.at(samples[i]), m_samples[i], m_values.data() + i * m_type_count);
        fill_block(m_samples[i]);
    }
    make_keys(count);
}

void sample_reader::parse(std::string_view bytes, sample& s, std::int64_t* values) {
    const std::string_view profile = m_index->view.bytes();
    std::size_t value_count = 0;
    const auto add_value = [&](std::uint64_t value) {
        if (value_count < m_type_count) {
            values[value_count] = static_cast<std::int64_t>(value);
        }
        ++value_count;
    };
    message_reader reader{bytes, profile.data()};
    while (reader.next()) {
        switch (reader.as<field::sample>()) {
        case field::sample::location_id:
            if (reader.is_bytes()) {
                add_locations(reader.bytes(), s, bytes);
            } else {
                add_location(reader.varint(), s, bytes);
            }
            break;
        case field::sample::value:
            if (reader.is_bytes()) {
                const std::string_view packed = reader.bytes();
                if (value_count == 0 &&
                    decode_few(packed, profile.data() + profile.size(), values, m_type_count)) {
                    value_count = m_type_count;
                } else {
                    for_each_packed(packed, profile.data(), add_value);
                }
            } else {
                add_value(reader.varint());
            }
            break;
        case field::sample::label:
            add_label(reader.bytes(), s);
            break;
        default:
            reader.skip();
            break;
        }
    }
    m_index->require_value_count(value_count, bytes);
}

void sample_reader::make_room(std::size_t locations) {
    if (m_locations.size() < m_location_count + locations) {
        m_locations.resize(2 * (m_location_count + locations));
    }
}

void sample_reader::add_locations(std::string_view packed, sample& s, std::string_view bytes) {
    make_room(packed_room(packed.size()));
    const std::size_t count =
        m_index->locations.decode(packed, m_locations.data() + m_location_count);
    if (count != not_decoded) {
        m_location_count += count;
        s.location_count += count;
        return;
    }
    for_each_packed(packed, m_index->view.bytes().data(),
                    [&](std::uint64_t id) { add_location(id, s, bytes); });
}

void sample_reader::add_location(std::uint64_t id, sample& s, std::string_view bytes) {
    const std::uint32_t place = m_index->location_place(id, bytes);
    make_room(1);
    m_locations[m_location_count++] = place + 1;
    ++s.location_count;
}

// Stacks are filled up with empty frames: few different lengths make branches predictable.
void sample_reader::fill_block(const sample& s) {
    make_room(frames_per_block);
    std::fill_n(m_locations.data() + m_location_count, frames_per_block, 0U);
    m_location_count += blocks(s.location_count) * frames_per_block - s.location_count;
}

void sample_reader::make_keys(std::size_t count) {
    const std::size_t room = m_location_count / frames_per_word + count * tail_words;
    if (m_words.size() < room) {
        m_words.resize(2 * room);
    }
    const std::uint64_t* const halves = m_index->locations.halves();
    const std::uint32_t* ordinal = m_locations.data();
    std::uint64_t* word = m_words.data();
    for (std::size_t k = 0; k < count; ++k) {
        const sample& s = m_samples[k];
        for (std::size_t block = 0; block < blocks(s.location_count); ++block) {
            for (std::size_t i = 0; i < words_per_block; ++i) {
                *word++ = fold_frames(halves[ordinal[0]], halves[ordinal[1]], halves[ordinal[2]],
                                      halves[ordinal[3]]);
                ordinal += frames_per_word;
            }
        }
        put_tail(word, s.labels, s.location_count, s.label_count);
        word += tail_words;
    }
    word = m_words.data();
    for (std::size_t k = 0; k < count; ++k) {
        sample& s = m_samples[k];
        const std::size_t words = blocks(s.location_count) * words_per_block + tail_words;
        s.key = hash_bytes(word, words * sizeof *word);
        word += words;
    }
}

void sample_reader::add_label(std::string_view label, sample& s) {
    const hash128 hash =
        label.size() <= known_label_size ? known_label_hash(label) : label_hash(label);
    add_label_hash(s.labels, hash);
    ++s.label_count;
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
    return hash_label(strings.hash(key), strings.hash(text), strings.hash(unit), number);
}

} // namespace pprofdelta
