// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_RECORDS_HPP
#define PPROFDELTA_SRC_PROFILE_RECORDS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/reader.hpp"

namespace pprofdelta {

// The records of a profile. Each kind of record is decoded here, for all users. A new field of
// profile.proto belongs here.
//
// The numbers of strings and of other records are not looked up, so a number that a later field
// overwrites need not be valid. Each function passes fields that profile.proto does not have to
// `unknown(std::string_view whole_field)`, and throws errors of kind malformed.

/// Ignores unknown fields.
inline constexpr auto ignore_unknown = [](std::string_view) {};

struct value_type_record {
    std::uint64_t type = 0;
    std::uint64_t unit = 0;
};

struct label_record {
    std::uint64_t key = 0;
    std::uint64_t text = 0;
    std::uint64_t number = 0;
    std::uint64_t unit = 0;
};

struct mapping_record {
    std::uint64_t id = 0;
    std::uint64_t start = 0;
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
    std::uint64_t file = 0;
    std::uint64_t build_id = 0;
    std::uint64_t has_functions = 0;
    std::uint64_t has_filenames = 0;
    std::uint64_t has_line_numbers = 0;
    std::uint64_t has_inline_frames = 0;
};

struct function_record {
    std::uint64_t id = 0;
    std::uint64_t name = 0;
    std::uint64_t system_name = 0;
    std::uint64_t file = 0;
    std::uint64_t start_line = 0;
};

struct line_record {
    std::uint64_t function_id = 0;
    std::uint64_t number = 0;
    std::uint64_t column = 0;
};

struct location_record {
    std::uint64_t id = 0;
    std::uint64_t mapping_id = 0;
    std::uint64_t address = 0;
    bool is_folded = false;
    /// All fields from the first line on, for for_each_line(); empty if there is no line. Lines are
    /// read when they are needed, not kept, as a location can have millions.
    std::string_view lines{};
};

/// @param profile start of the profile that the record lies in, for the places of errors; also
///                below.
template <typename Unknown>
[[nodiscard]] value_type_record read_value_type(std::string_view record, const char* profile,
                                                Unknown&& unknown) {
    value_type_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::value_type>()) {
        case field::value_type::type:
            result.type = reader.varint();
            break;
        case field::value_type::unit:
            result.unit = reader.varint();
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

template <typename Unknown>
[[nodiscard]] label_record read_label(std::string_view record, const char* profile,
                                      Unknown&& unknown) {
    label_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::label>()) {
        case field::label::key:
            result.key = reader.varint();
            break;
        case field::label::str:
            result.text = reader.varint();
            break;
        case field::label::num:
            result.number = reader.varint();
            break;
        case field::label::num_unit:
            result.unit = reader.varint();
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

template <typename Unknown>
[[nodiscard]] mapping_record read_mapping(std::string_view record, const char* profile,
                                          Unknown&& unknown) {
    mapping_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::mapping>()) {
        case field::mapping::id:
            result.id = reader.varint();
            break;
        case field::mapping::memory_start:
            result.start = reader.varint();
            break;
        case field::mapping::memory_limit:
            result.limit = reader.varint();
            break;
        case field::mapping::file_offset:
            result.offset = reader.varint();
            break;
        case field::mapping::filename:
            result.file = reader.varint();
            break;
        case field::mapping::build_id:
            result.build_id = reader.varint();
            break;
        case field::mapping::has_functions:
            result.has_functions = reader.varint();
            break;
        case field::mapping::has_filenames:
            result.has_filenames = reader.varint();
            break;
        case field::mapping::has_line_numbers:
            result.has_line_numbers = reader.varint();
            break;
        case field::mapping::has_inline_frames:
            result.has_inline_frames = reader.varint();
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

template <typename Unknown>
[[nodiscard]] function_record read_function(std::string_view record, const char* profile,
                                            Unknown&& unknown) {
    function_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::function>()) {
        case field::function::id:
            result.id = reader.varint();
            break;
        case field::function::name:
            result.name = reader.varint();
            break;
        case field::function::system_name:
            result.system_name = reader.varint();
            break;
        case field::function::filename:
            result.file = reader.varint();
            break;
        case field::function::start_line:
            result.start_line = reader.varint();
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

template <typename Unknown>
[[nodiscard]] line_record read_line(std::string_view record, const char* profile,
                                    Unknown&& unknown) {
    line_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::line>()) {
        case field::line::function_id:
            result.function_id = reader.varint();
            break;
        case field::line::line:
            result.number = reader.varint();
            break;
        case field::line::column:
            result.column = reader.varint();
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

template <typename Unknown>
[[nodiscard]] location_record read_location(std::string_view record, const char* profile,
                                            Unknown&& unknown) {
    location_record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::location>()) {
        case field::location::id:
            result.id = reader.varint();
            break;
        case field::location::mapping_id:
            result.mapping_id = reader.varint();
            break;
        case field::location::address:
            result.address = reader.varint();
            break;
        case field::location::line:
            (void)reader.bytes();
            if (result.lines.empty()) {
                result.lines =
                    record.substr(static_cast<std::size_t>(reader.start() - record.data()));
            }
            break;
        case field::location::is_folded:
            result.is_folded = reader.varint() != 0;
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
    return result;
}

/// Calls `visit(std::string_view line)` for the record of each line of a location.
template <typename Visit>
void for_each_line(const location_record& location, const char* profile, Visit&& visit) {
    message_reader reader{location.lines, profile};
    while (reader.next()) {
        if (reader.as<field::location>() == field::location::line) {
            visit(reader.bytes());
        } else {
            reader.skip();
        }
    }
}

/// Calls `ids(std::string_view packed)` and `values(std::string_view packed)` for each run of
/// packed varints of a sample, `label(std::string_view record)` for each label, and `unknown`.
template <typename Ids, typename Values, typename Label, typename Unknown>
void read_sample(std::string_view record, const char* profile, Ids&& ids, Values&& values,
                 Label&& label, Unknown&& unknown) {
    message_reader reader{record, profile};
    while (reader.next()) {
        switch (reader.as<field::sample>()) {
        case field::sample::location_id:
            ids(reader.packed());
            break;
        case field::sample::value:
            values(reader.packed());
            break;
        case field::sample::label:
            label(reader.bytes());
            break;
        default:
            unknown(reader.raw());
            break;
        }
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_RECORDS_HPP
