// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_WIRE_WRITER_HPP
#define PPROFDELTA_SRC_WIRE_WRITER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <protozero/pbf_writer.hpp>

#include "base/grow.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

// Each of these appends one field to a message. `Field` is one of the enums in namespace field.

template <typename Field>
constexpr protozero::pbf_tag_type wire_tag(Field field) noexcept {
    return static_cast<protozero::pbf_tag_type>(field);
}

/// A missing field means zero, so zero is not written.
template <typename Field>
void append_number(std::string& message, Field field, std::uint64_t value) {
    if (value != 0) {
        protozero::pbf_writer{message}.add_uint64(wire_tag(field), value);
    }
}

/// A number without a tag, as in a packed field.
inline void append_varint(std::string& packed, std::uint64_t number) {
    std::array<char, longest_varint> bytes{};
    packed.append(bytes.data(), encode_varint(bytes.data(), number));
}

/// Packed, unless it is a single number, which is shorter unpacked.
/// @param packed scratch memory.
template <typename Field, typename Number>
void append_numbers(std::string& message, Field field, const Number* numbers, std::size_t count,
                    std::string& packed) {
    protozero::pbf_writer writer{message};
    if (count == 1) {
        writer.add_uint64(wire_tag(field), static_cast<std::uint64_t>(*numbers));
    } else if (count != 0) {
        grow_to(packed, encoded_room<Number>(count));
        const char* const end = encode_numbers(packed.data(), numbers, count);
        writer.add_bytes(wire_tag(field), packed.data(),
                         static_cast<std::size_t>(end - packed.data()));
    }
}

/// A string, or a complete message. Written even if it is empty.
template <typename Field>
void append_bytes(std::string& message, Field field, std::string_view bytes) {
    protozero::pbf_writer{message}.add_bytes(wire_tag(field), bytes.data(), bytes.size());
}

/// A message that lies in several parts, one after the other.
template <typename Field, typename... Parts>
void append_parts(std::string& message, Field field, const Parts&... parts) {
    protozero::pbf_writer{message}.add_bytes_vectored(wire_tag(field), parts...);
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_WIRE_WRITER_HPP
