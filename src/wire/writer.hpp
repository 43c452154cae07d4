// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <protozero/types.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

/// Writes the tag of a field, at most longest_varint bytes, and returns its end.
template <typename Field>
char* encode_tag(char* out, Field field, protozero::pbf_wire_type type) noexcept {
    const std::uint64_t tag =
        static_cast<std::uint64_t>(field) << 3U | static_cast<std::uint64_t>(type);
    if (tag < 0x80) { // known to the compiler, which leaves one store of it
        *out = static_cast<char>(tag);
        return out + 1;
    }
    return encode_varint(out, tag);
}

/// Writes a number with its tag, at most two times longest_varint bytes, and returns its end. A
/// missing field means zero, so zero is not written.
template <typename Field>
char* encode_number(char* out, Field field, std::uint64_t value) noexcept {
    if (value == 0) {
        return out;
    }
    return encode_varint(encode_tag(out, field, protozero::pbf_wire_type::varint), value);
}

/// How much room append_finished() needs before a message.
inline constexpr std::size_t message_head_room = 2 * longest_varint;

/// Appends a message as a field, from memory that has room before it for the tag and the length,
/// which are written there: one copy, though the length is known only when the message is complete.
template <typename Field>
void append_finished(std::string& message, Field field, char* begin, const char* end) {
    auto size = static_cast<std::size_t>(end - begin);
    std::array<char, longest_varint> tag; // overwritten, so without a value
    char* const tag_end = encode_tag(tag.data(), field, protozero::pbf_wire_type::length_delimited);
    char* out = begin - varint_size(size);
    const char* const head = std::copy_backward(tag.data(), tag_end, out);
    for (; size >= 0x80U; size >>= 7U) {
        *out++ = static_cast<char>((size & 0x7fU) | 0x80U);
    }
    *out = static_cast<char>(size);
    message.append(head, static_cast<std::size_t>(end - head));
}

/// A message of up to `MaxCount` numbers, in memory of a fixed size, as most messages are so short
/// that the time goes into the growth of strings.
template <std::size_t MaxCount>
class number_fields {
public:
    /// A missing field means zero, so zero is not written.
    template <typename Field>
    void add(Field field, std::uint64_t value) noexcept {
        m_end = static_cast<std::size_t>(encode_number(m_bytes.data() + m_end, field, value) -
                                         m_bytes.data());
    }

    [[nodiscard]] std::string_view bytes() const noexcept {
        return {m_bytes.data() + head_size, m_end - head_size};
    }

    /// The message as a field of another one, whose number is below 16: with a tag and a length of
    /// one byte each.
    template <typename Field>
    [[nodiscard]] std::string_view as_field(Field field) noexcept {
        static_assert(max_size < 0x80);
        constexpr auto type = static_cast<unsigned>(protozero::pbf_wire_type::length_delimited);
        m_bytes[0] = static_cast<char>(static_cast<unsigned>(field) << 3U | type);
        m_bytes[1] = static_cast<char>(m_end - head_size);
        return {m_bytes.data(), m_end};
    }

private:
    static constexpr std::size_t head_size = 2;
    static constexpr std::size_t max_tag_size = 5;
    static constexpr std::size_t max_size = MaxCount * (max_tag_size + longest_varint);

    std::array<char, head_size + max_size> m_bytes; // overwritten, so without a value
    std::size_t m_end = head_size;
};

// Each of these appends one field to a message. `Field` is one of the enums in namespace field.

/// A missing field means zero, so zero is not written.
template <typename Field>
void append_number(std::string& message, Field field, std::uint64_t value) {
    number_fields<1> one;
    one.add(field, value);
    message += one.bytes();
}

/// A number of eight bytes, unless it is zero.
template <typename Field>
void append_fixed64(std::string& message, Field field, std::uint64_t value) {
    if (value != 0) {
        std::array<char, 2 * longest_varint> bytes; // overwritten, so without a value
        char* end = encode_tag(bytes.data(), field, protozero::pbf_wire_type::fixed64);
        const std::uint64_t little = little_endian(value);
        std::memcpy(end, &little, sizeof little);
        message.append(bytes.data(), static_cast<std::size_t>(end + sizeof little - bytes.data()));
    }
}

/// A number without a tag, as in a packed field.
inline void append_varint(std::string& packed, std::uint64_t number) {
    // The size is the most that a short string can have: GCC 14 takes that many for copied.
    std::array<char, 16> bytes; // overwritten, so without a value
    static_assert(bytes.size() >= longest_varint);
    const char* const end = encode_varint(bytes.data(), number);
    packed.append(bytes.data(), static_cast<std::size_t>(end - bytes.data()));
}

/// A message that lies in several parts, one after the other. Written even if it is empty.
template <typename Field, typename... Parts>
void append_parts(std::string& message, Field field, const Parts&... parts) {
    std::array<char, 2 * longest_varint> head; // overwritten, so without a value
    char* end = encode_tag(head.data(), field, protozero::pbf_wire_type::length_delimited);
    end = encode_varint(end, (std::size_t{0} + ... + parts.size()));
    message.append(head.data(), static_cast<std::size_t>(end - head.data()));
    (message.append(parts.data(), parts.size()), ...);
}

/// A string, or a complete message. Written even if it is empty.
template <typename Field>
void append_bytes(std::string& message, Field field, std::string_view bytes) {
    append_parts(message, field, bytes);
}

/// How many bytes encode_number_field() may write to.
template <typename Number>
[[nodiscard]] constexpr std::size_t number_field_room(std::size_t count) {
    return 2 * longest_varint + encoded_room<Number>(count);
}

/// Writes a whole field of numbers and returns its end: packed, unless it is a single number, which
/// is shorter unpacked. Nothing if there is none.
template <typename Field, typename Number>
char* encode_number_field(char* out, Field field, const Number* numbers, std::size_t count) {
    if (count == 0) {
        return out;
    }
    if (count == 1) {
        out = encode_tag(out, field, protozero::pbf_wire_type::varint);
        return encode_varint(out, static_cast<std::uint64_t>(*numbers));
    }
    out = encode_tag(out, field, protozero::pbf_wire_type::length_delimited);
    // Most have a length of one byte, and move on if it needs more.
    char* const begin = out + 1;
    const auto size = static_cast<std::size_t>(encode_numbers(begin, numbers, count) - begin);
    if (size < 0x80) {
        *out = static_cast<char>(size);
        return begin + size;
    }
    std::array<char, longest_varint> length; // overwritten, so without a value
    const auto length_size =
        static_cast<std::size_t>(encode_varint(length.data(), size) - length.data());
    std::memmove(out + length_size, begin, size);
    std::memcpy(out, length.data(), length_size);
    return out + length_size + size;
}

/// The same in memory that grows as needed, until the next use of that.
template <typename Field, typename Number>
[[nodiscard]] std::string_view number_field(Field field, const Number* numbers, std::size_t count,
                                            std::string& scratch) {
    grow_to(scratch, number_field_room<Number>(count));
    const char* const end = encode_number_field(scratch.data(), field, numbers, count);
    return {scratch.data(), static_cast<std::size_t>(end - scratch.data())};
}

/// Appends the numbers as a packed field to a message.
/// @param scratch memory that is used on the way.
template <typename Field, typename Number>
void append_numbers(std::string& message, Field field, const Number* numbers, std::size_t count,
                    std::string& scratch) {
    message += number_field(field, numbers, count, scratch);
}

/// A table of what a message refers to, such as its strings: each element once, numbered in the
/// order in which they are first used.
class field_table {
public:
    /// @param table its field.
    /// @param zero  the element 0, which the empty one stands for.
    template <typename Field>
    explicit field_table(Field table, std::string_view zero = {})
        : m_table{static_cast<std::uint32_t>(table)} {
        start(zero);
    }

    /// Forgets all elements. Memory is reused.
    void start(std::string_view zero = {}) {
        m_keys.clear();
        m_fields.clear();
        m_keys.find_or_add(hash_bytes(""));
        append_bytes(m_fields, m_table, zero);
    }

    /// The number of an element. O(length)
    std::uint32_t add(std::string_view element) {
        const std::uint32_t known = m_keys.size();
        const std::uint32_t number = m_keys.find_or_add(hash_bytes(element));
        if (number == known) {
            append_bytes(m_fields, m_table, element);
        }
        return number;
    }

    /// The table as fields of the message. Valid until the next add().
    [[nodiscard]] const std::string& fields() const noexcept { return m_fields; }

private:
    std::uint32_t m_table;
    key_table m_keys;
    std::string m_fields;
};

} // namespace pprofdelta
