// SPDX-License-Identifier: Apache-2.0
#include "message_builder.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

namespace pprofdelta::test {

namespace {

constexpr std::uint32_t wire_varint = 0;
constexpr std::uint32_t wire_bytes = 2;

std::string tag(std::uint32_t field, std::uint32_t wire_type) {
    return varint((std::uint64_t{field} << 3U) | wire_type);
}

std::uint64_t read_varint(std::string_view& from) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (from.empty()) {
            throw std::runtime_error{"varint cut short"};
        }
        const auto byte = static_cast<unsigned char>(from.front());
        from.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    throw std::runtime_error{"varint too long"};
}

} // namespace

std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7U) {
        out += static_cast<char>((value & 0x7fU) | 0x80U);
    }
    out += static_cast<char>(value);
    return out;
}

message_builder& message_builder::number(std::uint32_t field, std::uint64_t value) {
    m_fields.emplace_back(field, tag(field, wire_varint) + varint(value));
    return *this;
}

message_builder& message_builder::bytes(std::uint32_t field, std::string_view value) {
    m_fields.emplace_back(field,
                          tag(field, wire_bytes) + varint(value.size()) + std::string{value});
    return *this;
}

message_builder& message_builder::raw(std::string_view fields) {
    m_raw += fields;
    return *this;
}

std::string message_builder::str() const {
    std::string out;
    for (const auto& [number, bytes] : m_fields) {
        out += bytes;
    }
    return out + m_raw;
}

// Fields of one number stay in their order. std::mt19937 is no choice, as to seed it takes longer
// than all else; its seeds may be near each other, and those of this one should not be.
std::string message_builder::shuffled(std::uint32_t seed) const {
    const std::uint32_t spread = seed * 0x9e3779b1U;
    std::minstd_rand random{spread};
    std::vector<std::uint32_t> order;
    order.reserve(m_fields.size());
    for (const auto& [number, bytes] : m_fields) {
        order.push_back(number);
    }
    std::shuffle(order.begin(), order.end(), random);
    std::map<std::uint32_t, std::size_t> next; // where to look for the next field of a number
    std::string out;
    for (const std::uint32_t number : order) {
        std::size_t& place = next[number];
        while (m_fields[place].first != number) {
            ++place;
        }
        out += m_fields[place++].second;
    }
    return out + m_raw;
}

std::vector<wire_field> read_fields(std::string_view message) {
    std::vector<wire_field> fields;
    while (!message.empty()) {
        const std::string_view start = message;
        wire_field field;
        const std::uint64_t tag = read_varint(message);
        field.number = static_cast<std::uint32_t>(tag >> 3U);
        std::uint64_t skipped = 0;
        switch (tag & 7U) {
        case 0:
            field.value = read_varint(message);
            break;
        case 1:
            skipped = 8;
            break;
        case 2:
            field.is_bytes = true;
            skipped = read_varint(message);
            break;
        case 5:
            skipped = 4;
            break;
        default:
            throw std::runtime_error{"bad wire type"};
        }
        if (skipped > message.size()) {
            throw std::runtime_error{"field cut short"};
        }
        field.bytes = std::string{message.substr(0, skipped)};
        message.remove_prefix(skipped);
        field.whole = std::string{start.substr(0, start.size() - message.size())};
        fields.push_back(field);
    }
    return fields;
}

void append_numbers(const wire_field& field, std::vector<std::uint64_t>& to) {
    if (!field.is_bytes) {
        to.push_back(field.value);
        return;
    }
    std::string_view rest = field.bytes;
    while (!rest.empty()) {
        to.push_back(read_varint(rest));
    }
}

} // namespace pprofdelta::test
