// SPDX-License-Identifier: Apache-2.0
#include "profile/samples.hpp"

#include "base/memory.hpp"
#include "profile/records.hpp"
#include "profile/short_fields.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

// Zeros after a stack fill its last block.
static_assert(zeros_behind >= frames_per_block);

void sample_reader::start(const profile_index& index) {
    m_index = &index;
    m_type_count = index.types.sample_types.size();
    m_values.resize(batch * m_type_count);
    m_known_labels.clear(); // string numbers of another profile mean other strings
}

void sample_reader::read(const record* samples, std::size_t count) {
    check(samples, count);
    make_keys(count);
}

void sample_reader::check(const record* samples, std::size_t count) {
    make_room(samples, count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view bytes = m_index->view.at(samples[i]);
        std::int64_t* const values = m_values.data() + i * m_type_count;
        if (!parse_usual(bytes, m_samples[i], values)) {
            parse_any(bytes, m_samples[i], values);
        }
    }
}

void sample_reader::read_values(const record* samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view bytes = m_index->view.at(samples[i]);
        std::int64_t* const values = m_values.data() + i * m_type_count;
        if (!parse_short_values(bytes, values)) {
            make_room(samples + i, 1);
            parse_any(bytes, m_samples[0], values);
        }
    }
}

// Whether all fields up to the last value are short.
bool sample_reader::parse_short_values(std::string_view bytes, std::int64_t* values) const {
    short_fields fields{bytes};
    short_values found{m_index->view.limit(), values, m_type_count};
    while (!found.are_all() && fields.next()) {
        if (fields.number() == field::sample::value && !found.add(fields)) {
            return false;
        }
    }
    return found.are_all();
}

void sample_reader::make_room(const record* samples, std::size_t count) {
    std::size_t room = 0;
    for (std::size_t i = 0; i < count; ++i) {
        m_samples[i].first_location = room;
        // A location takes at least one byte. Stacks are padded with empty frames, as few different
        // lengths make branches predictable.
        room += (blocks(samples[i].size) + 1) * frames_per_block;
    }
    room = packed_room(room);
    grow_to(m_locations, room);
    grow_to(m_words, room / frames_per_word + count * tail_words); // folded frames, and tails
}

// Reads nearly all samples: those with locations in one field, and short numbers.
bool sample_reader::parse_usual(std::string_view bytes, sample& s, std::int64_t* values) {
    const char* const limit = m_index->view.limit();
    std::size_t location_count = not_decoded;
    hash128 labels;
    std::uint64_t label_count = 0;
    const bool is_usual = read_short_sample(
        short_fields{bytes}, short_values{limit, values, m_type_count},
        [&](std::string_view ids) {
            if (location_count != not_decoded) {
                return false;
            }
            location_count =
                m_index->locations.decode(ids, limit, m_locations.data() + s.first_location);
            return location_count != not_decoded;
        },
        [&](std::string_view label) {
            add_label_hash(labels, hash_of_label(label));
            ++label_count;
        });
    if (!is_usual || location_count == not_decoded) {
        return false;
    }
    s.location_count = location_count;
    s.labels = labels;
    s.label_count = label_count;
    return true;
}

void sample_reader::parse_any(std::string_view bytes, sample& s, std::int64_t* values) {
    s = {.first_location = s.first_location, .labels = {}};
    std::size_t value_count = 0;
    const auto add_value = [&](std::uint64_t value) {
        if (value_count < m_type_count) {
            values[value_count] = static_cast<std::int64_t>(value);
        }
        ++value_count;
    };
    const auto add_location = [&](std::uint64_t id) {
        m_locations[s.first_location + s.location_count] = m_index->location_place(id, bytes) + 1;
        ++s.location_count;
    };
    const char* const profile = m_index->view.bytes().data();
    read_sample(
        bytes, profile, [&](std::string_view ids) { for_each_packed(ids, profile, add_location); },
        [&](std::string_view packed) { for_each_packed(packed, profile, add_value); },
        [&](std::string_view label) {
            add_label_hash(s.labels, hash_of_label(label));
            ++s.label_count;
        },
        ignore_unknown);
    m_index->require_value_count(value_count, bytes);
    std::fill_n(m_locations.data() + s.first_location + s.location_count, frames_per_block, 0U);
}

void sample_reader::make_keys(std::size_t count) {
    const std::uint64_t* const frames = m_index->locations.matched();
    std::uint64_t* word = m_words.data();
    for (std::size_t k = 0; k < count; ++k) {
        const sample& s = m_samples[k];
        const std::uint32_t* ordinal = m_locations.data() + s.first_location;
        for (std::size_t block = 0; block < blocks(s.location_count); ++block) {
            for (std::size_t i = 0; i < words_per_block; ++i) {
                *word++ = fold_frames(frames[ordinal[0]], frames[ordinal[1]], frames[ordinal[2]],
                                      frames[ordinal[3]]);
                ordinal += frames_per_word;
            }
        }
        put_tail(word, s.labels, s.location_count, s.label_count);
        word += tail_words;
    }
    word = m_words.data();
    for (std::size_t k = 0; k < count; ++k) {
        const sample& s = m_samples[k];
        const std::size_t words = blocks(s.location_count) * words_per_block + tail_words;
        const hash128 key = hash_bytes(word, words * sizeof *word);
        m_key_lows[k] = key.low;
        m_key_highs[k] = key.high;
        word += words;
    }
}

const hash128& sample_reader::hash_of_label(std::string_view label) {
    if (label.size() > known_labels::longest) {
        m_long_label = label_hash(label);
        return m_long_label;
    }
    return m_known_labels.find_or_make(label, [&](hash128& hash) { hash = label_hash(label); });
}

hash128 sample_reader::label_hash(std::string_view label) const {
    const string_index& strings = m_index->strings;
    const auto fields = m_index->view.read<label_record>(label);
    const auto hash_of = [&](std::uint64_t string) -> const hash128& {
        return strings.hash(strings.check(string, label));
    };
    return hash_label(hash_of(fields.key), hash_of(fields.text), hash_of(fields.unit),
                      fields.number);
}

std::vector<hash128> read_sample_keys(const profile_index& index, std::size_t threads) {
    const std::vector<record>& samples = index.view.samples;
    std::vector<hash128> keys(samples.size());
    in_parts(
        samples.size(), threads, [&](std::size_t /*part*/, std::size_t begin, std::size_t end) {
            sample_reader reader;
            reader.start(index);
            sample_reader::for_each_batch(begin, end, [&](std::size_t start, std::size_t count) {
                reader.read(samples.data() + start, count);
                for (std::size_t i = 0; i < count; ++i) {
                    keys[start + i] = reader.key(i);
                }
            });
        });
    return keys;
}

} // namespace pprofdelta
