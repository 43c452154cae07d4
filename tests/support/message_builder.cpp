// SPDX-License-Identifier: Apache-2.0
#include "message_builder.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace pprofdelta::test {

namespace {

constexpr std::uint32_t wire_varint = 0;
constexpr std::uint32_t wire_bytes = 2;

std::string tag(std::uint32_t field, std::uint32_t wire_type) {
    return varint((std::uint64_t{field} << 3U) | wire_type);
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

// Fields of one number stay in their order. Not by std::mt19937, as to seed that takes longer than
// all else; its seeds may be near each other, and those of this one should not be.
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

} // namespace pprofdelta::test
