// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/traces.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "codec/codec.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"
#include "traces/mappings.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

/// The fields at the top level of a profile of traces. Texts have to last as long as the call that
/// gets them.
struct trace_header {
    value_type period_type{};
    std::int64_t period = 0;
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::string_view default_sample_type{};
    std::string_view drop_frames{};
    std::string_view keep_frames{};
    std::string_view comment{};
};

/// Writes the records of a profile whose frames are addresses only, so that it has locations and
/// mappings, or names only, so that it has functions. Who uses it chooses the ids of locations.
///
/// The calls come in the order in which the functions stand here, those that add any number of
/// times.
class trace_records {
public:
    /// @param out replaced; has to live until finish(). Memory is reused.
    void start(std::span<const value_type> types, std::string& out) {
        m_out = &out;
        out.clear();
        m_strings.start();
        m_mappings = {};
        m_used.clear();
        for (const value_type& type : types) {
            append_value_type(field::profile::sample_type, type);
        }
    }

    /// Appends a label to the fields of a sample.
    void append_label(std::string& fields, const label& l) {
        const label_record numbers{.key = m_strings.add(l.key),
                                   .text = m_strings.add(l.text),
                                   .number = static_cast<std::uint64_t>(l.number),
                                   .unit = m_strings.add(l.unit)};
        append_bytes(fields, field::sample::label, numbers_of(numbers).bytes());
    }

    /// A sample of which the location ids, and the labels, are fields already.
    void add_sample(std::string_view locations, std::span<const std::int64_t> values,
                    std::string_view labels) {
        const std::string_view packed =
            number_field(field::sample::value, values.data(), values.size(), m_packed);
        append_parts(*m_out, field::profile::sample, locations, packed, labels);
    }

    /// The size of the profile so far, in bytes. Mappings and strings come with finish().
    [[nodiscard]] std::size_t size() const noexcept { return m_out->size(); }

    /// Sets the mappings in which later locations lie. The first one is to be the main binary, and
    /// is written whether or not a location lies in it.
    /// @param mappings have to last until finish().
    void use_mappings(std::span<const mapping> mappings) {
        m_mappings = mappings;
        m_mapping_ids.assign(mappings.size(), 0);
        if (!mappings.empty()) {
            mapping_id(0);
        }
    }

    /// Writes the mapping at this place of the list, even if no location lies in it.
    void use_mapping(std::uint32_t place) { mapping_id(place); }

    /// The function and line of a frame.
    struct frame_line {
        std::uint64_t function = 0; ///< Its id.
        std::int64_t number = 0;

        friend bool operator==(const frame_line&, const frame_line&) = default;
    };

    /// @param id    differs from 0.
    /// @param place is that of the mapping in the list; mapping_search::npos for none.
    /// @param lines innermost first.
    void add_location(std::uint64_t id, std::uint64_t address, std::uint32_t place,
                      std::span<const frame_line> lines = {}) {
        const auto location = numbers_of(
            location_record{.id = id,
                            .mapping_id = place == mapping_search::npos ? 0 : mapping_id(place),
                            .address = address});
        m_lines.clear();
        for (const frame_line& each : lines) {
            auto line = numbers_of(line_record{.function_id = each.function,
                                               .number = static_cast<std::uint64_t>(each.number)});
            m_lines += line.as_field(field::location::line);
        }
        append_parts(*m_out, field::profile::location, location.bytes(), m_lines);
    }

    /// Writes a function for the lines of locations. @param id differs from 0.
    void add_function(std::uint64_t id, std::string_view name, std::string_view file) {
        auto function = numbers_of(
            function_record{.id = id, .name = m_strings.add(name), .file = m_strings.add(file)});
        *m_out += function.as_field(field::profile::function);
    }

    /// @throws error too_large for a profile that could not be read.
    void finish(const trace_header& header) {
        std::uint32_t id = 0;
        for (const std::uint32_t place : m_used) {
            append_mapping(m_mappings[place], ++id);
        }
        const auto append = [this](field::profile f, std::int64_t number) {
            append_number(*m_out, f, static_cast<std::uint64_t>(number));
        };
        append(field::profile::drop_frames, m_strings.add(header.drop_frames));
        append(field::profile::keep_frames, m_strings.add(header.keep_frames));
        append(field::profile::time_nanos, header.time_nanos);
        append(field::profile::duration_nanos, header.duration_nanos);
        if (header.period_type != value_type{}) {
            append_value_type(field::profile::period_type, header.period_type);
        }
        append(field::profile::period, header.period);
        append(field::profile::comment, m_strings.add(header.comment));
        append(field::profile::default_sample_type, m_strings.add(header.default_sample_type));
        *m_out += m_strings.fields();
        require_written_size(m_out->size(), max_profile_size);
    }

private:
    void append_value_type(field::profile f, const value_type& type) {
        const value_type_record numbers{.type = m_strings.add(type.type),
                                        .unit = m_strings.add(type.unit)};
        append_bytes(*m_out, f, numbers_of(numbers).bytes());
    }

    void append_mapping(const mapping& m, std::uint32_t id) {
        const mapping_record numbers{.id = id,
                                     .start = m.start,
                                     .limit = m.limit,
                                     .offset = m.offset,
                                     .file = m_strings.add(m.file),
                                     .build_id = m_strings.add(m.build_id)};
        append_bytes(*m_out, field::profile::mapping, numbers_of(numbers).bytes());
    }

    std::uint32_t mapping_id(std::uint32_t place) {
        std::uint32_t& id = m_mapping_ids[place];
        if (id == 0) {
            m_used.push_back(place);
            id = static_cast<std::uint32_t>(m_used.size());
        }
        return id;
    }

    std::string* m_out = nullptr;
    field_table m_strings{field::profile::string_table};
    std::span<const mapping> m_mappings;
    std::vector<std::uint32_t> m_mapping_ids; // by place; 0 for one that is not used yet
    std::vector<std::uint32_t> m_used;        // places, by id − 1
    std::string m_lines;                      // of the location at hand
    std::string m_packed;                     // values of the sample at hand
};

/// Serializes a profile of stacks that are but addresses, one after the other.
///
/// Each address becomes one location, in the mapping that it lies in. Samples are written as they
/// come: none is left out, and equal ones are not added up. Time is linear in the number of frames,
/// and a profile not larger than those before allocates nothing, if the string has the capacity.
class trace_profile {
public:
    /// Begins a profile, whether or not one was finished.
    /// @param out replaced by the serialized, uncompressed profile; has to live until finish().
    void begin(std::span<const value_type> types, std::string& out) {
        m_addresses.clear();
        m_functions.clear();
        m_names.clear();
        m_lines.clear();
        m_open = key_table::npos;
        m_records.start(types, out);
    }

    /// @param addresses leaf first. Those of callers should lie within the call, as readers look up
    ///        the line of just this address: one less than the address to return to.
    /// @param values    one for each of the types.
    void add_sample(std::span<const std::uint64_t> addresses, std::span<const std::int64_t> values,
                    std::span<const label> labels) {
        m_ids.clear();
        for (const std::uint64_t address : addresses) {
            m_ids.push_back(m_addresses.find_or_add({address, 0}) + 1);
        }
        m_locations.clear();
        append_numbers(m_locations, field::sample::location_id, m_ids.data(), m_ids.size(),
                       m_packed);
        m_labels.clear();
        for (const label& l : labels) {
            m_records.append_label(m_labels, l);
        }
        m_records.add_sample(m_locations, values, m_labels);
    }

    /// Adds a frame of an address, as a symbol names it; further calls add the frames that it was
    /// inlined into, innermost first. Addresses without a sample are ignored.
    /// @param line 0 if it is unknown.
    void add_name(std::uint64_t address, std::string_view function, std::string_view file,
                  std::int64_t line) {
        const std::uint32_t number = m_addresses.find({address, 0});
        if (number == key_table::npos) {
            return;
        }
        const std::uint32_t known = m_functions.size();
        const std::uint32_t id =
            m_functions.find_or_add(hash_words(hash_bytes(function), hash_bytes(file))) + 1;
        if (m_names.size() <= number) {
            m_names.resize(m_addresses.size());
        }
        names& of = m_names[number];
        const trace_records::frame_line added{id, line};
        const bool is_first = of.begin == of.end;
        const bool goes_on = m_open == number && m_lines[of.begin] != added;
        if (is_first || goes_on) {
            if (id > known) {
                m_records.add_function(id, function, file);
            }
            of.begin = is_first ? static_cast<std::uint32_t>(m_lines.size()) : of.begin;
            m_lines.push_back(added);
            of.end = static_cast<std::uint32_t>(m_lines.size());
            m_open = number;
        } else {
            // It was named before: in another stack, or in this one by a call of itself.
            m_open = key_table::npos;
        }
    }

    /// Begins another stack, which has the names of its addresses once more.
    void end_names() noexcept { m_open = key_table::npos; }

    /// The size of the profile so far, in bytes, without what comes with finish().
    [[nodiscard]] std::size_t size() const noexcept { return m_records.size(); }

    /// @param mappings those that samples lie in are written, and in any case the first, which is
    ///        to be the main binary, and those that tell one process from another.
    void finish(const trace_header& header, std::span<const mapping> mappings) {
        m_names.resize(m_addresses.size());
        m_search.build(mappings);
        m_records.use_mappings(mappings);
        for (std::uint32_t place = 0; place < mappings.size(); ++place) {
            if (tells_process(mappings[place].file)) {
                m_records.use_mapping(place);
            }
        }
        for (std::uint32_t number = 0; number < m_addresses.size(); ++number) {
            const std::uint64_t address = m_addresses[number].low;
            const names& of = m_names[number];
            m_records.add_location(number + 1U, address, m_search.find(address),
                                   std::span{m_lines}.subspan(of.begin, of.end - of.begin));
        }
        m_records.finish(header);
    }

private:
    trace_records m_records;
    // The frames of an address, as a range of m_lines.
    struct names {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    key_table m_addresses;      // for each the id − 1 of its location
    key_table m_functions;      // for each the id − 1
    std::vector<names> m_names; // by address, as far as any have names
    std::vector<trace_records::frame_line> m_lines;
    std::uint32_t m_open = key_table::npos; // the address that the next name may belong to, too
    mapping_search m_search;
    std::vector<std::uint32_t> m_ids;
    std::string m_locations;
    std::string m_labels;
    std::string m_packed;
};

} // namespace pprofdelta
