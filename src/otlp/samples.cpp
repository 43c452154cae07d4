// SPDX-License-Identifier: Apache-2.0
#include "otlp/samples.hpp"

#include <algorithm>
#include <array>

#include <pprofdelta/error.hpp>

#include "base/grow.hpp"
#include "base/wrapping.hpp"
#include "otlp/stack_check.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

const char* end_of(std::string_view bytes) noexcept { return bytes.data() + bytes.size(); }

} // namespace

void otlp_samples::add(std::string_view sample, std::uint32_t source, std::size_t column) {
    otlp_row row{.source = source};
    std::int64_t sum = 0;
    if (!read_usual(sample, row, sum)) {
        row = {.source = source};
        sum = read_any(sample, row);
    }
    std::int64_t& value = value_at(row, column);
    value = wrapping_add(value, sum);
}

// Of a stack, perhaps an attribute whose set is known, and values without times, in this order.
// Most of the time goes into such samples, so nothing here needs memory.
bool otlp_samples::read_usual(std::string_view sample, otlp_row& row, std::int64_t& sum) const {
    using part = field::otlp::sample;
    const char* const message = m_dictionary.bytes().data();
    const char* p = sample.data();
    const char* const end = end_of(sample);
    const auto is_at = [&](unsigned tag) {
        return end - p > 2 && static_cast<unsigned char>(*p) == tag;
    };
    if (!is_at(short_tag(part::stack_index, wire_type::varint))) {
        return false;
    }
    const decoded_varint stack = decode_varint(p + 1, end, message);
    row.stack = static_cast<std::uint32_t>(stack.number);
    p = stack.end;
    if (is_at(short_tag(part::attribute_indices, wire_type::length_delimited))) {
        const auto size = static_cast<unsigned char>(p[1]);
        row.attributes = size < end - p - 2 ? m_labels.known_set({p + 2, size}) : 0;
        if (row.attributes == 0) {
            return false;
        }
        p += 2 + size;
    }
    // The last field.
    if (!is_at(short_tag(part::values, wire_type::length_delimited)) || (p[1] & 0x80) != 0 ||
        p[1] != end - p - 2) {
        return false;
    }
    for (p += 2; p != end;) {
        const decoded_varint value = decode_varint(p, end, message);
        sum = wrapping_add(sum, static_cast<std::int64_t>(value.number));
        p = value.end;
    }
    return stack.number < m_dictionary.stacks.size();
}

std::int64_t otlp_samples::read_any(std::string_view sample, otlp_row& row) {
    using part = field::otlp::sample;
    std::int64_t sum = 0;
    std::size_t values = 0;
    std::size_t times = 0;
    otlp_reader fields = m_dictionary.read(otlp_sample, sample);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::stack_index:
            row.stack = fields.index(m_dictionary.stacks.size());
            break;
        case part::attribute_indices:
            if (row.attributes != 0) {
                fields.fail("is there twice");
            }
            row.attributes = m_labels.set_of(fields);
            break;
        case part::link_index:
            row.link = fields.index(m_dictionary.links.size());
            break;
        case part::values:
            fields.numbers([&](std::uint64_t value) {
                sum = wrapping_add(sum, static_cast<std::int64_t>(value));
                ++values;
            });
            break;
        case part::timestamps_unix_nano:
            times += fields.count_of_fixed64();
            break;
        }
    }
    if (values == 0) {
        sum = static_cast<std::int64_t>(times);
    }
    if (values == 0 ? times == 0 : times != 0 && times != values) {
        throw error{error_kind::malformed,
                    values == 0 ? "a Sample has neither values nor timestamps_unix_nano; OTLP "
                                  "profiles are read as of 1.10 and 1.11"
                                : "a Sample has " + std::to_string(values) + " values and " +
                                      std::to_string(times) + " timestamps_unix_nano",
                    static_cast<std::uint64_t>(sample.data() - m_dictionary.bytes().data())};
    }
    return sum;
}

std::int64_t& otlp_samples::value_at(const otlp_row& row, std::size_t column) {
    const std::size_t known = m_rows.size();
    const std::size_t place = m_rows.find_or_add(row);
    if (place == known) {
        m_room.take(m_columns * sizeof(std::int64_t));
        m_values.resize((known + 1) * m_columns);
    }
    return m_values[place * m_columns + column];
}

std::string_view otlp_samples::ids_of(std::uint32_t stack) {
    if (stack == 0) {
        return {};
    }
    const std::size_t end_of_message = m_dictionary.bytes().size();
    record& ids = m_stacks[stack];
    if (ids.offset == unread.offset) {
        ids = read_stack(stack);
    }
    return ids.offset < end_of_message
               ? m_dictionary.at(ids)
               : std::string_view{m_own_ids}.substr(ids.offset - end_of_message, ids.size);
}

record otlp_samples::read_stack(std::uint32_t stack) {
    const std::string_view message = m_dictionary.at(m_dictionary.stacks[stack]);
    std::string_view ids;
    const bool is_usual =
        read_short_fields(message, m_dictionary.bytes().data(), [&](const short_field& each) {
            const bool is_first = ids.empty();
            ids = each.bytes;
            return is_first && each.tag() == short_tag(field::otlp::stack::location_indices,
                                                       wire_type::length_delimited);
        });
    if (is_usual && are_short_ordinals(ids, m_dictionary.locations.size())) {
        return m_dictionary.here(ids);
    }
    record packed{0, 0};
    otlp_reader fields = m_dictionary.read(otlp_stack, message);
    while (fields.next()) {
        if (packed.size != 0) {
            fields.fail("is there twice");
        }
        packed = read_indices(fields);
    }
    return packed;
}

// Ids are indices, so what is there is what the sample has, unless there is an unknown frame.
record otlp_samples::read_indices(otlp_reader& stack) {
    const std::string_view packed = stack.bytes();
    const std::size_t known = m_dictionary.locations.size();
    grow_to(m_ids, packed_room(packed.size()));
    if (known != 0 && decode_ordinals(packed, end_of(m_dictionary.bytes()), known - 1,
                                      m_ids.data()) != not_decoded) {
        return m_dictionary.here(packed);
    }
    bool has_zero = false;
    m_rewritten.clear();
    stack.indices_of(packed, known, [&](std::uint32_t index) {
        has_zero = has_zero || index == 0;
        append_varint(m_rewritten, index == 0 ? id_of_zero() : index);
    });
    if (!has_zero) {
        return m_dictionary.here(packed);
    }
    m_uses_zero = true;
    m_room.take(m_rewritten.size());
    const std::size_t begin = m_dictionary.bytes().size() + m_own_ids.size();
    m_own_ids += m_rewritten;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(m_rewritten.size())};
}

void otlp_samples::append_to(std::string& profile) {
    const std::size_t room_of_numbers =
        message_head_room + 2 * longest_varint + number_field_room<std::int64_t>(m_columns);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const otlp_row of_row = m_rows[row];
        const std::string_view ids = ids_of(of_row.stack);
        const record link = m_labels.link(of_row.link);
        const std::array labels{m_labels.at(m_labels.set(of_row.source)),
                                m_labels.at(m_labels.set(of_row.attributes)), m_labels.at(link)};
        const std::size_t size =
            ids.size() + labels[0].size() + labels[1].size() + labels[2].size();
        grow_to(m_scratch, room_of_numbers + size);
        char* const message = m_scratch.data() + message_head_room;
        char* end = message;
        if (!ids.empty()) {
            end = encode_tag(end, field::sample::location_id,
                             protozero::pbf_wire_type::length_delimited);
            end = std::copy(ids.begin(), ids.end(), encode_varint(end, ids.size()));
        }
        end = encode_number_field(end, field::sample::value, &m_values[row * m_columns], m_columns);
        for (const std::string_view each : labels) {
            end = std::copy(each.begin(), each.end(), end);
        }
        m_room.take(static_cast<std::size_t>(end - message));
        append_finished(profile, field::profile::sample, message, end);
    }
}

} // namespace pprofdelta
