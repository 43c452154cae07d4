// SPDX-License-Identifier: Apache-2.0
#include "otlp/reader.hpp"

namespace pprofdelta {

namespace {

constexpr const char* hint_at_version = "; OTLP profiles are read as of 1.10 and 1.11";

const char* describe_wire(wire_type wire) noexcept {
    switch (wire) {
    case wire_type::varint:
        return "a varint";
    case wire_type::fixed64:
        return "of eight bytes";
    default:
        return "length-delimited";
    }
}

} // namespace

// The current field is not one of the schema's.
bool otlp_reader::next_unusual() {
    for (;;) {
        if (m_fields.number() <= m_schema.fields.size()) {
            const wire_type wire = m_schema.fields[m_fields.number() - 1].wire;
            fail(std::string{"is not "} + describe_wire(wire) + hint_at_version);
        }
        if (!m_schema.is_stable) {
            fail_unknown();
        }
        m_fields.skip();
        if (!m_fields.next()) {
            return false;
        }
        if (fits()) {
            return true;
        }
    }
}

std::size_t otlp_reader::count_of_fixed64() {
    const std::size_t size = m_fields.bytes().size();
    if (size % sizeof(std::uint64_t) != 0) {
        fail("does not consist of numbers of eight bytes");
    }
    return size / sizeof(std::uint64_t);
}

bool otlp_reader::is_zero() {
    if (m_fields.is_varint()) {
        return varint() == 0;
    }
    if (m_fields.is_fixed64()) {
        return fixed64() == 0;
    }
    return bytes().find_first_not_of('\0') == std::string_view::npos;
}

std::string otlp_reader::name() const {
    return std::string{m_schema.name} + "." +
           std::string{m_schema.fields[m_fields.number() - 1].name};
}

void otlp_reader::fail(const std::string& what) const { m_fields.fail(name() + " " + what); }

void otlp_reader::fail_index(std::uint64_t index, std::size_t table_size) const {
    fail("is " + std::to_string(static_cast<std::int64_t>(index)) + ", and the table has " +
         std::to_string(table_size) + (table_size == 1 ? " element" : " elements"));
}

void otlp_reader::fail_unknown() const {
    m_fields.fail(std::string{m_schema.name} + " has a field " + std::to_string(m_fields.number()) +
                  ", which is not known" + hint_at_version);
}

} // namespace pprofdelta
