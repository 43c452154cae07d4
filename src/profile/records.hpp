// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

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

// Each record lists its numbers by their fields, from field 1 on, with nullptr for a field that is
// none.

struct value_type_record {
    std::uint64_t type = 0;
    std::uint64_t unit = 0;

    using r = value_type_record;
    static constexpr std::array numbers{&r::type, &r::unit};

    friend bool operator==(const r&, const r&) = default;
};

struct label_record {
    std::uint64_t key = 0;
    std::uint64_t text = 0;
    std::uint64_t number = 0;
    std::uint64_t unit = 0;

    using r = label_record;
    static constexpr std::array numbers{&r::key, &r::text, &r::number, &r::unit};
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

    using r = mapping_record;
    static constexpr std::array numbers{&r::id,
                                        &r::start,
                                        &r::limit,
                                        &r::offset,
                                        &r::file,
                                        &r::build_id,
                                        &r::has_functions,
                                        &r::has_filenames,
                                        &r::has_line_numbers,
                                        &r::has_inline_frames};
};

struct function_record {
    std::uint64_t id = 0;
    std::uint64_t name = 0;
    std::uint64_t system_name = 0;
    std::uint64_t file = 0;
    std::uint64_t start_line = 0;

    using r = function_record;
    static constexpr std::array numbers{&r::id, &r::name, &r::system_name, &r::file,
                                        &r::start_line};
};

struct line_record {
    std::uint64_t function_id = 0;
    std::uint64_t number = 0;
    std::uint64_t column = 0;

    using r = line_record;
    static constexpr std::array numbers{&r::function_id, &r::number, &r::column};
};

struct location_record {
    std::uint64_t id = 0;
    std::uint64_t mapping_id = 0;
    std::uint64_t address = 0;
    std::uint64_t is_folded = 0; ///< 0 or 1.
    /// All fields from the first line on, for for_each_line(); empty if there is no line. Lines are
    /// read when they are needed, not kept, as a location can have millions.
    std::string_view lines{};

    using r = location_record;
    static constexpr std::array<std::uint64_t r::*, 5> numbers{&r::id, &r::mapping_id, &r::address,
                                                               nullptr, &r::is_folded};
};

/// Calls `visit(field, member)` for the numbers of a record, with fields that the compiler knows,
/// until it returns true.
template <typename Record, typename Visit>
[[gnu::always_inline]] inline bool any_number(Visit&& visit) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (visit(std::integral_constant<std::uint32_t, I + 1>{}, Record::numbers[I]) || ...);
    }
    (std::make_index_sequence<Record::numbers.size()>{});
}

/// The numbers of a record as fields. Those that are 0 are left out.
template <typename Record>
[[nodiscard]] auto numbers_of(const Record& record) noexcept {
    number_fields<Record::numbers.size()> fields;
    any_number<Record>([&](auto field, auto member) {
        if (member != nullptr) {
            fields.add(field, record.*member);
        }
        return false;
    });
    return fields;
}

/// Reads the current field, if it is a number of the record.
template <typename Record>
[[gnu::always_inline]] inline bool read_number(message_reader& reader, Record& to) {
    return any_number<Record>([&](auto field, auto member) {
        if (member == nullptr || reader.number() != field) {
            return false;
        }
        to.*member = reader.varint();
        return true;
    });
}

/// Reads a record of one of these kinds.
/// @param profile start of the profile that it lies in, for the places of errors; also below.
template <typename Record, typename Unknown>
[[nodiscard]] Record read_record(std::string_view record, const char* profile, Unknown&& unknown) {
    constexpr bool has_lines = std::is_same_v<Record, location_record>;
    Record result;
    message_reader reader{record, profile};
    while (reader.next()) {
        if constexpr (has_lines) {
            if (reader.as<field::location>() == field::location::line) {
                (void)reader.bytes();
                const auto before = static_cast<std::size_t>(reader.start() - record.data());
                result.lines = result.lines.empty() ? record.substr(before) : result.lines;
                continue;
            }
        }
        if (!read_number(reader, result)) {
            unknown(reader.raw());
        }
    }
    if constexpr (has_lines) {
        result.is_folded = result.is_folded != 0 ? 1 : 0;
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
