// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "profile/records.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

/// The fields of a sample, while each has a tag of one byte, and is a varint or has a length of at
/// most two bytes.
class short_fields {
public:
    explicit short_fields(std::string_view bytes) noexcept
        : m_position{bytes.data()}, m_end{bytes.data() + bytes.size()} {}

    /// @returns false at the end, or before an unusual field.
    [[nodiscard]] bool next() noexcept {
        constexpr std::ptrdiff_t shortest = 2;
        constexpr unsigned length_delimited = 2;
        if (m_end - m_position < shortest) {
            return false;
        }
        const unsigned tag = byte(0);
        m_is_varint = (tag & 0x87U) == 0;
        if (m_is_varint) {
            return take(tag, m_position + 1, varint_size());
        }
        std::size_t size = byte(1);
        const char* content = m_position + 2;
        if (size >= 0x80U) {
            if (content == m_end) {
                return false;
            }
            size = (size & 0x7fU) | std::size_t{byte(2)} << 7U;
            ++content;
        }
        return (tag & 0x87U) == length_delimited && size < 0x4000U && take(tag, content, size);
    }

    [[nodiscard]] bool at_end() const noexcept { return m_position == m_end; }
    [[nodiscard]] field::sample number() const noexcept { return m_number; }
    [[nodiscard]] bool is_varint() const noexcept { return m_is_varint; }
    /// The bytes of the varint, if it is one.
    [[nodiscard]] std::string_view content() const noexcept { return m_content; }

private:
    [[nodiscard]] unsigned byte(std::size_t i) const noexcept {
        return static_cast<unsigned char>(m_position[i]);
    }

    [[nodiscard]] bool take(unsigned tag, const char* content, std::size_t size) noexcept {
        if (size > static_cast<std::size_t>(m_end - content)) {
            return false;
        }
        m_number = static_cast<field::sample>(tag >> 3U);
        m_content = {content, size};
        m_position = content + size;
        return true;
    }

    // The size of the varint behind the tag, which reaches past the end if it is cut short.
    [[nodiscard]] std::size_t varint_size() const noexcept {
        const char* last = m_position + 1;
        while (last != m_end && static_cast<unsigned char>(*last) >= 0x80U) {
            ++last;
        }
        return static_cast<std::size_t>(last - m_position);
    }

    const char* m_position;
    const char* m_end;
    field::sample m_number{};
    bool m_is_varint = false;
    std::string_view m_content;
};

/// Gathers the values of a sample, packed or not: Go and google/pprof pack three numbers or more.
class short_values {
public:
    short_values(const char* limit, std::int64_t* values, std::size_t type_count) noexcept
        : m_limit{limit}, m_values{values}, m_type_count{type_count} {}

    /// @returns false if they are unusual; they are unspecified then.
    [[nodiscard]] bool add(const short_fields& fields) noexcept {
        const std::size_t count = fields.is_varint() ? 1 : m_type_count;
        if (m_count + count > m_type_count ||
            !decode_few(fields.content(), m_limit, m_values + m_count, count)) {
            return false;
        }
        m_count += count;
        return true;
    }

    [[nodiscard]] bool are_all() const noexcept { return m_count == m_type_count; }

private:
    const char* m_limit;
    std::int64_t* m_values;
    std::size_t m_type_count;
    std::size_t m_count = 0;
};

/// Reads a sample whose fields are short, as nearly all are, which takes fewer instructions than
/// read_sample().
/// @param fields are those of the sample, of which none was read.
/// @param ids    `bool ids(std::string_view packed)` for each run of packed varints.
/// @param label  `label(std::string_view record)` for each label.
/// @returns false if a field is unusual, or `ids` returned false; what was read is unspecified
/// then.
template <typename Ids, typename Label>
[[nodiscard]] bool read_short_sample(short_fields fields, short_values values, Ids&& ids,
                                     Label&& label) {
    while (fields.next()) {
        switch (fields.number()) {
        case field::sample::location_id:
            if (!ids(fields.content())) {
                return false;
            }
            break;
        case field::sample::value:
            if (!values.add(fields)) {
                return false;
            }
            break;
        case field::sample::label:
            if (fields.is_varint()) {
                return false;
            }
            label(fields.content());
            break;
        default:
            return false;
        }
    }
    return fields.at_end() && values.are_all();
}

} // namespace pprofdelta
