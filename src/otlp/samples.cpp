// SPDX-License-Identifier: Apache-2.0
#include "otlp/samples.hpp"

#include <pprofdelta/error.hpp>

#include "base/grow.hpp"
#include "base/wrapping.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

const char* end_of(std::string_view bytes) noexcept { return bytes.data() + bytes.size(); }

constexpr record unread{0xffffffff, 0};

} // namespace

void otlp_samples::add(std::string_view sample, std::uint32_t source, std::size_t column) {
    using part = field::otlp::sample;
    otlp_row row{.source = source};
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
    std::int64_t& value = value_at(row, column);
    value = wrapping_add(value, sum);
}

std::int64_t& otlp_samples::value_at(const otlp_row& row, std::size_t column) {
    const std::size_t known = m_rows.size();
    const std::size_t place = m_rows.find_or_add(row.key());
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
    if (m_stacks.empty()) {
        m_stacks.resize(m_dictionary.stacks.size(), unread);
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
    record packed{0, 0};
    otlp_reader fields = m_dictionary.read(otlp_stack, m_dictionary.at(m_dictionary.stacks[stack]));
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
    std::string fields;
    for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
        const otlp_row of_row = otlp_row::of(m_rows[row]);
        const std::string_view ids = ids_of(of_row.stack);
        const record link = m_labels.link(of_row.link);
        const std::string_view of_link = m_labels.at(link);
        const std::string_view of_set = m_labels.at(m_labels.set(of_row.attributes));
        const std::string_view of_source = m_labels.at(m_labels.set(of_row.source));
        fields.clear();
        if (!ids.empty()) {
            append_bytes(fields, field::sample::location_id, ids);
        }
        append_numbers(fields, field::sample::value, &m_values[row * m_columns], m_columns,
                       m_scratch);
        m_room.take(fields.size() + of_source.size() + of_set.size() + of_link.size());
        append_parts(profile, field::profile::sample, fields, of_source, of_set, of_link);
    }
}

} // namespace pprofdelta
