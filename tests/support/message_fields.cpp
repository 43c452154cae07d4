// SPDX-License-Identifier: Apache-2.0
#include "message_fields.hpp"

#include <stdexcept>

namespace pprofdelta::test {

namespace {

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
