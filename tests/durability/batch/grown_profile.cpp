// SPDX-License-Identifier: Apache-2.0
#include "grown_profile.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "message_builder.hpp"

namespace pprofdelta::test {
namespace {

// Field numbers of profile.proto.
constexpr std::uint32_t profile_type = 1;
constexpr std::uint32_t profile_sample = 2;
constexpr std::uint32_t profile_location = 4;
constexpr std::uint32_t profile_string = 6;
constexpr std::uint32_t profile_time = 9;
constexpr std::uint32_t type_name = 1;
constexpr std::uint32_t sample_stack = 1;
constexpr std::uint32_t sample_value = 2;
constexpr std::uint32_t location_id = 1;

constexpr std::uint64_t first_time = 1'700'000'000'000'000'000;
constexpr std::uint64_t minute = 60'000'000'000;
constexpr std::uint64_t last_birth = 60;

/// Numbers that look drawn by chance, and are the same everywhere (splitmix64).
std::uint64_t drawn(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t mixed = a * 0x9e3779b97f4a7c15U + b * 0xd1342543de82ef95U + c + 1;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
}

void append(std::string& to, std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) {
        to += static_cast<char>((value & 0x7fU) | 0x80U);
    }
    to += static_cast<char>(value);
}

void append_field(std::string& to, std::uint32_t number, std::string_view bytes) {
    constexpr std::uint32_t has_length = 2;
    append(to, (number << 3U) | has_length);
    append(to, bytes.size());
    to += bytes;
}

std::uint64_t number_in(const std::string& message, std::uint32_t number) {
    for (const wire_field& field : read_fields(message)) {
        if (field.number == number && !field.is_bytes) {
            return field.value;
        }
    }
    return 0;
}

std::string without(const std::string& message, std::uint32_t first, std::uint32_t second = 0) {
    std::string rest;
    for (const wire_field& field : read_fields(message)) {
        if (field.number != first && field.number != second) {
            rest += field.whole;
        }
    }
    return rest;
}

} // namespace

grown_profile::grown_profile(std::string_view bytes) {
    const std::vector<wire_field> fields = read_fields(bytes);
    std::map<std::uint64_t, std::size_t> places;
    std::vector<std::uint64_t> types;
    std::vector<std::string> strings;
    for (const wire_field& field : fields) {
        if (field.number == profile_location) {
            places.emplace(number_in(field.bytes, location_id), m_locations.size());
            m_locations.push_back(without(field.bytes, location_id));
            continue;
        }
        if (field.number == profile_type) {
            types.push_back(number_in(field.bytes, type_name));
        } else if (field.number == profile_string) {
            strings.push_back(field.bytes);
        }
        if (field.number != profile_sample && field.number != profile_time) {
            m_rest += field.whole;
        }
    }
    for (const std::uint64_t type : types) {
        m_is_gauge.push_back(strings.at(type).starts_with("inuse_"));
    }
    for (const wire_field& field : fields) {
        if (field.number != profile_sample) {
            continue;
        }
        sample& added = m_samples.emplace_back();
        added.rest = without(field.bytes, sample_stack, sample_value);
        std::vector<std::uint64_t> ids;
        std::vector<std::uint64_t> values;
        for (const wire_field& part : read_fields(field.bytes)) {
            if (part.number == sample_stack) {
                append_numbers(part, ids);
            } else if (part.number == sample_value) {
                append_numbers(part, values);
            }
        }
        for (const std::uint64_t id : ids) {
            added.stack.push_back(places.at(id));
        }
        added.values.assign(values.begin(), values.end());
        if (values.size() != types.size()) {
            throw std::runtime_error("a sample has not as many values as there are types");
        }
    }
}

std::vector<grown_profile::chosen> grown_profile::choose(const capture_choice& choice) const {
    constexpr std::uint64_t whole = 1'000'000;
    const auto share = static_cast<std::uint64_t>(choice.share * static_cast<double>(whole));
    std::vector<chosen> all;
    for (std::uint64_t i = 0; i < m_samples.size(); ++i) {
        const std::uint64_t draw = drawn(choice.series, i, 0);
        const std::uint64_t birth = 1 + (draw >> 32U) % 200;
        const std::uint64_t born = birth <= last_birth ? birth : 0;
        if (draw % whole >= share || born > choice.number) {
            continue;
        }
        std::int64_t growth = 1;
        for (std::uint64_t number = born + 1; number <= choice.number; ++number) {
            growth += drawn(choice.series, i, number) % 100 < 3 ? 1 : 0;
        }
        all.push_back({.what = &m_samples[i], .born = born, .growth = growth});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const chosen& a, const chosen& b) { return a.born > b.born; });
    return all;
}

std::string grown_profile::values_of(const chosen& one, std::int64_t factor) const {
    std::string packed;
    for (std::size_t i = 0; i < m_is_gauge.size(); ++i) {
        const std::int64_t growth = m_is_gauge[i] ? 1 + one.growth % 3 : one.growth;
        append(packed, static_cast<std::uint64_t>(one.what->values[i] * factor * growth));
    }
    return packed;
}

std::string grown_profile::capture(const capture_choice& choice) const {
    const auto factor = static_cast<std::int64_t>(1 + drawn(choice.series, 0, 1) % 5);
    std::vector<std::uint64_t> ids(m_locations.size(), 0);
    std::vector<std::size_t> met;
    std::string samples;
    std::string message;
    std::string packed;
    for (const chosen& one : choose(choice)) {
        packed.clear();
        for (const std::size_t place : one.what->stack) {
            if (ids[place] == 0) {
                met.push_back(place);
                ids[place] = met.size();
            }
            append(packed, ids[place]);
        }
        message.clear();
        append_field(message, sample_stack, packed);
        append_field(message, sample_value, values_of(one, factor));
        message += one.what->rest;
        append_field(samples, profile_sample, message);
    }
    std::string locations;
    for (const std::size_t place : met) {
        message = message_builder().number(location_id, ids[place]).str() + m_locations[place];
        append_field(locations, profile_location, message);
    }
    return m_rest + samples + locations +
           message_builder()
               .number(profile_time, first_time + choice.number * minute + choice.series)
               .str();
}

} // namespace pprofdelta::test
