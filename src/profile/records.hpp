// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_RECORDS_HPP
#define PPROFDELTA_SRC_PROFILE_RECORDS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

// The records of a profile. Each kind of record is declared and decoded here, for all users. A new
// field of profile.proto belongs here.
//
// The numbers of strings and of other records are not looked up, so a number that a later field
// overwrites need not be valid. Each function passes fields that profile.proto does not have to
// `unknown(std::string_view whole_field)`, and throws errors of kind malformed.

/// Ignores unknown fields.
inline constexpr auto ignore_unknown = [](std::string_view) {};

/// A number of a record, and the field that it is read from and written to.
template <auto Field, auto Member>
struct number_field {
    /// Reads the reader's current field into `to`.
    /// @returns false if it is another field.
    template <typename Record>
    [[gnu::always_inline]] static bool read(message_reader& reader, Record& to) {
        if (reader.number() != static_cast<std::uint32_t>(Field)) {
            return false;
        }
        to.*Member = reader.varint();
        return true;
    }
    template <typename Record, std::size_t Count>
    static void write(const Record& from, number_fields<Count>& to) noexcept {
        to.add(Field, from.*Member);
    }
};

/// All numbers of a record.
template <typename... Numbers>
struct number_list {
    /// Of fields that are none of them, `other(message_reader&, Record&)` reads or skips the value.
    /// @param profile start of the profile that the record lies in, for the places of errors; also
    ///                below.
    template <typename Record, typename Other>
    [[nodiscard]] static Record read(std::string_view record, const char* profile, Other&& other) {
        Record result;
        message_reader reader{record, profile};
        while (reader.next()) {
            if (!(Numbers::read(reader, result) || ...)) {
                other(reader, result);
            }
        }
        return result;
    }
    template <typename Record>
    [[nodiscard]] static number_fields<sizeof...(Numbers)> write(const Record& from) noexcept {
        number_fields<sizeof...(Numbers)> fields;
        (Numbers::write(from, fields), ...);
        return fields;
    }
};

struct value_type_record {
    std::uint64_t type = 0;
    std::uint64_t unit = 0;

    using f = field::value_type;
    using r = value_type_record;
    using numbers = number_list<number_field<f::type, &r::type>, number_field<f::unit, &r::unit>>;
};

struct label_record {
    std::uint64_t key = 0;
    std::uint64_t text = 0;
    std::uint64_t number = 0;
    std::uint64_t unit = 0;

    using f = field::label;
    using r = label_record;
    using numbers =
        number_list<number_field<f::key, &r::key>, number_field<f::str, &r::text>,
                    number_field<f::num, &r::number>, number_field<f::num_unit, &r::unit>>;
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

    using f = field::mapping;
    using r = mapping_record;
    using numbers =
        number_list<number_field<f::id, &r::id>, number_field<f::memory_start, &r::start>,
                    number_field<f::memory_limit, &r::limit>,
                    number_field<f::file_offset, &r::offset>, number_field<f::filename, &r::file>,
                    number_field<f::build_id, &r::build_id>,
                    number_field<f::has_functions, &r::has_functions>,
                    number_field<f::has_filenames, &r::has_filenames>,
                    number_field<f::has_line_numbers, &r::has_line_numbers>,
                    number_field<f::has_inline_frames, &r::has_inline_frames>>;
};

struct function_record {
    std::uint64_t id = 0;
    std::uint64_t name = 0;
    std::uint64_t system_name = 0;
    std::uint64_t file = 0;
    std::uint64_t start_line = 0;

    using f = field::function;
    using r = function_record;
    using numbers = number_list<number_field<f::id, &r::id>, number_field<f::name, &r::name>,
                                number_field<f::system_name, &r::system_name>,
                                number_field<f::filename, &r::file>,
                                number_field<f::start_line, &r::start_line>>;
};

struct line_record {
    std::uint64_t function_id = 0;
    std::uint64_t number = 0;
    std::uint64_t column = 0;

    using f = field::line;
    using r = line_record;
    using numbers =
        number_list<number_field<f::function_id, &r::function_id>,
                    number_field<f::line, &r::number>, number_field<f::column, &r::column>>;
};

struct location_record {
    std::uint64_t id = 0;
    std::uint64_t mapping_id = 0;
    std::uint64_t address = 0;
    std::uint64_t is_folded = 0; ///< 0 or 1.
    /// All fields from the first line on, for for_each_line(); empty if there is no line. Lines are
    /// read when they are needed, not kept, as a location can have millions.
    std::string_view lines{};

    using f = field::location;
    using r = location_record;
    using numbers =
        number_list<number_field<f::id, &r::id>, number_field<f::mapping_id, &r::mapping_id>,
                    number_field<f::address, &r::address>,
                    number_field<f::is_folded, &r::is_folded>>;
};

/// The numbers of a record as fields. Those that are 0 are left out.
template <typename Record>
[[nodiscard]] auto numbers_of(const Record& record) noexcept {
    return Record::numbers::write(record);
}

/// Reads a record that has nothing but numbers.
template <typename Record>
struct record_reader {
    template <typename Unknown>
    [[nodiscard]] Record operator()(std::string_view record, const char* profile,
                                    Unknown&& unknown) const {
        return Record::numbers::template read<Record>(
            record, profile, [&](message_reader& reader, Record&) { unknown(reader.raw()); });
    }
};
inline constexpr record_reader<value_type_record> read_value_type;
inline constexpr record_reader<label_record> read_label;
inline constexpr record_reader<mapping_record> read_mapping;
inline constexpr record_reader<function_record> read_function;
inline constexpr record_reader<line_record> read_line;

template <>
struct record_reader<location_record> {
    template <typename Unknown>
    [[nodiscard]] location_record operator()(std::string_view record, const char* profile,
                                             Unknown&& unknown) const {
        using r = location_record;
        r location = r::numbers::read<r>(record, profile, [&](message_reader& reader, r& result) {
            if (reader.as<r::f>() != r::f::line) {
                unknown(reader.raw());
                return;
            }
            (void)reader.bytes();
            if (result.lines.empty()) {
                const auto before = static_cast<std::size_t>(reader.start() - record.data());
                result.lines = record.substr(before);
            }
        });
        location.is_folded = location.is_folded != 0 ? 1 : 0;
        return location;
    }
};
inline constexpr record_reader<location_record> read_location;

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
