// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <protozero/types.hpp>
#include <protozero/varint.hpp>

#include "base/hash128.hpp"

namespace pprofdelta {

/// Field numbers of profile.proto, but for those of records that profile/records.hpp lists.
namespace field {

enum class profile : std::uint32_t {
    sample_type = 1,
    sample = 2,
    mapping = 3,
    location = 4,
    function = 5,
    string_table = 6,
    drop_frames = 7,
    keep_frames = 8,
    time_nanos = 9,
    duration_nanos = 10,
    period_type = 11,
    period = 12,
    comment = 13,
    default_sample_type = 14,
    doc_url = 15,
};
enum class sample : std::uint32_t { location_id = 1, value = 2, label = 3 };
enum class location : std::uint32_t {
    id = 1,
    mapping_id = 2,
    address = 3,
    line = 4,
    is_folded = 5
};

} // namespace field

/// How a field lies in its message.
using wire_type = protozero::pbf_wire_type;

/// A number, and where it ends, in two registers. A position that is passed by address would have
/// to be in memory in every loop.
struct decoded_varint {
    std::uint64_t number;
    const char* end;
};

/// The varint at `position`, of any length.
/// @param start,profile the place that an error names, and what it is counted from.
/// @throws error malformed for a varint that is cut short or longer than 10 bytes.
[[nodiscard]] decoded_varint decode_long_varint(const char* position, const char* end,
                                                const char* start, const char* profile);

/// The same. Those of up to three bytes, as most are that take more than one, are decoded without a
/// call.
[[nodiscard, gnu::always_inline]] inline decoded_varint
decode_varint(const char* position, const char* end, const char* start, const char* profile) {
    const auto byte = [&](int i) { return static_cast<unsigned char>(position[i]); };
    const std::ptrdiff_t size = end - position;
    if (size > 0 && byte(0) < 0x80) {
        return {byte(0), position + 1};
    }
    if (size > 1 && byte(1) < 0x80) {
        return {(byte(0) & 0x7fU) | unsigned{byte(1)} << 7U, position + 2};
    }
    if (size > 2 && byte(2) < 0x80) {
        return {(byte(0) & 0x7fU) | (byte(1) & 0x7fU) << 7U | unsigned{byte(2)} << 14U,
                position + 3};
    }
    return decode_long_varint(position, end, start, profile);
}

/// A varint whose own place is that which an error names.
[[nodiscard, gnu::always_inline]] inline decoded_varint
decode_varint(const char* position, const char* end, const char* profile) {
    return decode_varint(position, end, position, profile);
}

/// A forward cursor over the fields of one message, with protozero's varints. Unlike protozero's
/// pbf_reader, it checks wire types in release builds too, does not cut lengths to 32 bits, and
/// gives every error its place in the profile.
///
/// Reads nothing outside the message. All views point into it.
class message_reader {
public:
    /// @param profile start of the profile that `message` lies in, for offsets in errors.
    message_reader(std::string_view message, const char* profile) noexcept
        : m_position{message.data()}, m_end{message.data() + message.size()}, m_profile{profile} {}

    /// Goes to the next field. The current field must have been read or skipped.
    /// @throws error malformed for a bad field number.
    [[nodiscard]] bool next() {
        if (m_position == m_end) {
            return false;
        }
        m_start = m_position;
        const std::uint64_t tag = read_varint();
        const std::uint64_t number = tag >> 3U;
        constexpr std::uint64_t highest = (std::uint64_t{1} << 29U) - 1;
        if (number - 1 >= highest) {
            fail_number();
        }
        m_number = static_cast<std::uint32_t>(number);
        m_type = static_cast<wire_type>(tag & 7U);
        return true;
    }

    [[nodiscard]] std::uint32_t number() const noexcept { return m_number; }

    /// The start of the current field, with its tag.
    [[nodiscard]] const char* start() const noexcept { return m_start; }

    /// The number as one of the enums in namespace field.
    template <typename Field>
    [[nodiscard]] Field as() const noexcept {
        return static_cast<Field>(m_number);
    }

    [[nodiscard]] wire_type type() const noexcept { return m_type; }

    [[nodiscard]] bool is_bytes() const noexcept { return m_type == wire_type::length_delimited; }

    [[nodiscard]] bool is_fixed64() const noexcept { return m_type == wire_type::fixed64; }

    /// The field's value, which must be a varint.
    [[nodiscard]] std::uint64_t varint() {
        if (m_type != wire_type::varint) {
            fail_type("a varint");
        }
        return read_varint();
    }

    /// The field's value, which must have eight bytes: a number, or the bits of one.
    [[nodiscard]] std::uint64_t fixed64() {
        if (!is_fixed64()) {
            fail_type("of eight bytes");
        }
        std::uint64_t little = 0;
        std::memcpy(&little, take(sizeof little), sizeof little);
        return little_endian(little);
    }

    /// The field's value, which must be length-delimited: a message, a string or packed varints.
    [[nodiscard]] std::string_view bytes() {
        if (!is_bytes()) {
            fail_type("length-delimited");
        }
        const std::uint64_t length = read_varint();
        return {take(length), static_cast<std::size_t>(length)};
    }

    /// After bytes(): calls `visit(std::string_view)` for the values of fields with the same tag
    /// that follow at once and are shorter than 128 bytes, as most are in a long row of them. Each
    /// becomes the current field.
    template <typename Visit>
    void repeat(Visit&& visit) {
        const char* p = m_position;
        const char tag = *m_start;
        const bool is_short = (tag & 0x80) == 0;
        while (is_short && m_end - p >= 2 && *p == tag) {
            const auto length = static_cast<unsigned char>(p[1]);
            if (length >= 0x80 || length > m_end - p - 2) {
                break;
            }
            m_start = p;
            p += 2 + length;
            m_position = p;
            visit(std::string_view{p - length, length});
        }
    }

    /// The field's value as packed varints, which it may be, or a single varint: repeated numbers
    /// may come either way, and both ways within one message.
    [[nodiscard]] std::string_view packed() {
        if (is_bytes()) {
            return bytes();
        }
        const char* const begin = m_position;
        (void)varint();
        return {begin, static_cast<std::size_t>(m_position - begin)};
    }

    /// @throws error malformed, also for a wire type that profiles do not use.
    void skip();

    /// The bytes of the whole field, with its tag, once it was read or skipped.
    [[nodiscard]] std::string_view field() const noexcept {
        return {m_start, static_cast<std::size_t>(m_position - m_start)};
    }

    /// Skips the field's value and returns field().
    [[nodiscard]] std::string_view raw() {
        skip();
        return field();
    }

    /// Throws an error of kind malformed, with the place of the current field.
    [[noreturn]] void fail(const std::string& what) const;

private:
    // The function is out of line, to keep rare work out of the loops.
    [[noreturn]] void fail_number() const;
    [[noreturn]] void fail_type(const char* expected) const;
    [[noreturn]] void fail_length(std::uint64_t length) const;

    std::uint64_t read_varint() {
        if (m_position != m_end && (*m_position & 0x80) == 0) {
            return static_cast<std::uint64_t>(*m_position++);
        }
        const decoded_varint decoded = decode_long_varint(m_position, m_end, m_start, m_profile);
        m_position = decoded.end;
        return decoded.number;
    }

    const char* take(std::uint64_t length) {
        if (length > static_cast<std::uint64_t>(m_end - m_position)) {
            fail_length(length);
        }
        const char* const start = m_position;
        m_position += length;
        return start;
    }

    const char* m_position;
    const char* m_end;
    const char* m_profile;
    const char* m_start = nullptr;
    std::uint32_t m_number = 0;
    wire_type m_type = wire_type::unknown;
};

/// Calls `visit(std::uint64_t)` for each varint of a packed field.
/// @throws error malformed for a value that is cut short or longer than 10 bytes.
template <typename Visit>
void for_each_packed(std::string_view packed, const char* profile, Visit&& visit) {
    const char* p = packed.data();
    const char* const end = p + packed.size();
    while (p != end) {
        const decoded_varint decoded = decode_varint(p, end, profile);
        p = decoded.end;
        visit(decoded.number);
    }
}

} // namespace pprofdelta
