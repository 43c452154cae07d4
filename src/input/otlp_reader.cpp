// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/json.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "base/json_parts.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "codec/codec.hpp"
#include "input/otlp_message.hpp"
#include "profile/records.hpp"
#include "profile/view.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

/// Goes over the fields of a message of OTLP, each of which has to be one that the schema has, in
/// the way that it says. Other versions of the schema have other fields under the same numbers, so
/// what does not fit is refused by name. Messages are read in one form, see plain_otlp().
class otlp_reader {
public:
    /// @param start of the bytes that `message` lies in, for offsets in errors.
    otlp_reader(const otlp_message& schema, std::string_view message, const char* start) noexcept
        : m_schema{schema}, m_fields{message, start}, m_start{start} {}

    /// Goes to the next field. The current one must have been read.
    /// @throws error malformed for a field that the schema does not have.
    [[nodiscard]] bool next() { return m_fields.next() && (fits() || next_unusual()); }

    /// Where the current field begins, with its tag.
    [[nodiscard]] const char* start() const noexcept { return m_fields.start(); }

    template <typename Field>
    [[nodiscard]] Field as() const noexcept {
        return m_fields.as<Field>();
    }

    [[nodiscard]] std::uint64_t varint() { return m_fields.varint(); }
    [[nodiscard]] std::uint64_t fixed64() { return m_fields.fixed64(); }
    [[nodiscard]] std::string_view bytes() { return m_fields.bytes(); }
    void skip() { m_fields.skip(); }

    /// Calls `visit(std::string_view)` for bytes(), and for those of fields with the same number
    /// that follow at once, as the elements of tables and the samples of a profile do.
    template <typename Visit>
    void run_of_bytes(Visit&& visit) {
        visit(m_fields.bytes());
        m_fields.repeat(visit);
    }

    /// A varint that is a place in a table of the dictionary. 0 stands for nothing, whether or not
    /// the table has elements.
    /// @throws error malformed if the table has no such element.
    [[nodiscard]] std::uint32_t index(std::size_t table_size) {
        return checked(m_fields.varint(), table_size);
    }

    /// Calls `visit(std::uint32_t)` for each of packed places in a table.
    template <typename Visit>
    void indices(std::size_t table_size, Visit&& visit) {
        indices_of(m_fields.bytes(), table_size, visit);
    }
    /// The same where bytes() were read.
    template <typename Visit>
    void indices_of(std::string_view packed, std::size_t table_size, Visit&& visit) const {
        for_each_packed(packed, m_start,
                        [&](std::uint64_t index) { visit(checked(index, table_size)); });
    }

    /// Calls `visit(std::uint64_t)` for each of packed varints.
    template <typename Visit>
    void numbers(Visit&& visit) {
        for_each_packed(m_fields.bytes(), m_start, visit);
    }

    /// How many packed numbers of eight bytes there are.
    [[nodiscard]] std::size_t count_of_fixed64();

    /// Whether the value, which is read, is the default one or nothing but bytes of 0.
    [[nodiscard]] bool is_zero();

    /// Such as "Sample.link_index".
    [[nodiscard]] std::string name() const;

    /// bytes() of what may be there once: plain_otlp() joins parts. Empty ones do not count.
    /// @param before what was there before.
    [[nodiscard]] std::string_view bytes_once(record before) {
        if (before.size != 0) {
            fail("appears twice");
        }
        return bytes();
    }

    /// Throws an error of kind malformed with the place of the current field, and `what` after its
    /// name.
    [[noreturn]] void fail(const std::string& what) const;

private:
    // Whether the schema has the current field, as it lies there.
    [[nodiscard]] bool fits() const noexcept {
        const std::size_t place = m_fields.number() - std::size_t{1};
        return place < m_schema.fields.size() && m_schema.fields[place].wire == m_fields.type();
    }
    [[nodiscard]] bool next_unusual();
    [[nodiscard]] std::uint32_t checked(std::uint64_t index, std::size_t table_size) const {
        if (index != 0 && index >= table_size) {
            fail_index(index, table_size);
        }
        return static_cast<std::uint32_t>(index);
    }
    [[noreturn]] void fail_index(std::uint64_t index, std::size_t table_size) const;
    [[noreturn]] void fail_unknown() const;

    const otlp_message& m_schema;
    message_reader m_fields;
    const char* m_start;
};

namespace {

constexpr const char* hint_at_version = "; pprofdelta reads OTLP profiles of 1.10 and 1.11";

const char* describe_wire(wire_type wire) noexcept {
    switch (wire) {
    case wire_type::varint:
        return "a varint";
    case wire_type::fixed64:
        return "of eight bytes";
    default:
        return "length-delimited";
    }
}

} // namespace

// The current field is not one of the schema's.
bool otlp_reader::next_unusual() {
    for (;;) {
        if (m_fields.number() <= m_schema.fields.size()) {
            const wire_type wire = m_schema.fields[m_fields.number() - 1].wire;
            fail(std::string{"is not "} + describe_wire(wire) + hint_at_version);
        }
        if (!m_schema.is_stable) {
            fail_unknown();
        }
        m_fields.skip();
        if (!m_fields.next()) {
            return false;
        }
        if (fits()) {
            return true;
        }
    }
}

std::size_t otlp_reader::count_of_fixed64() {
    const std::size_t size = m_fields.bytes().size();
    if (size % sizeof(std::uint64_t) != 0) {
        fail("does not consist of numbers of eight bytes");
    }
    return size / sizeof(std::uint64_t);
}

bool otlp_reader::is_zero() {
    if (m_fields.is_varint()) {
        return varint() == 0;
    }
    if (m_fields.is_fixed64()) {
        return fixed64() == 0;
    }
    return bytes().find_first_not_of('\0') == std::string_view::npos;
}

std::string otlp_reader::name() const {
    return std::string{m_schema.name} + "." +
           std::string{m_schema.fields[m_fields.number() - 1].name};
}

void otlp_reader::fail(const std::string& what) const { m_fields.fail(name() + " " + what); }

void otlp_reader::fail_index(std::uint64_t index, std::size_t table_size) const {
    fail("is " + std::to_string(static_cast<std::int64_t>(index)) + ", and the table has " +
         std::to_string(table_size) + (table_size == 1 ? " element" : " elements"));
}

void otlp_reader::fail_unknown() const {
    m_fields.fail(std::string{m_schema.name} + " has the unknown field " +
                  std::to_string(m_fields.number()) + hint_at_version);
}

/// The tables that all profiles of a message share, as they lie there. The content of their
/// elements is not read here.
class otlp_dictionary {
public:
    /// @param bytes the whole message; has to outlive this.
    explicit otlp_dictionary(std::string_view bytes) noexcept : m_bytes{bytes} {}

    /// Appends what a ProfilesDictionary has: one that comes in several parts is their sum, as
    /// protobuf has it.
    /// @throws error malformed
    void add(std::string_view message);

    /// @throws error malformed for a table whose element 0 is not the zero value: then 0 means
    ///         something else than it should.
    void check_zeros() const;

    [[nodiscard]] std::string_view at(record r) const noexcept {
        return {m_bytes.data() + r.offset, r.size};
    }
    /// Where a part of the bytes lies.
    [[nodiscard]] record here(std::string_view part) const noexcept {
        return {static_cast<std::uint32_t>(part.data() - m_bytes.data()),
                static_cast<std::uint32_t>(part.size())};
    }
    /// The string of an index that was checked; "" for 0.
    [[nodiscard]] std::string_view text(std::uint32_t index) const noexcept {
        return index == 0 ? std::string_view{} : at(strings[index]);
    }
    /// A reader of a message that lies in the bytes.
    [[nodiscard]] otlp_reader read(const otlp_message& schema, std::string_view message) const {
        return {schema, message, m_bytes.data()};
    }
    [[nodiscard]] std::string_view bytes() const noexcept { return m_bytes; }

    std::vector<record> mappings;
    std::vector<record> locations;
    std::vector<record> functions;
    std::vector<record> links;
    std::vector<record> strings;
    std::vector<record> attributes;
    std::vector<record> stacks;

private:
    std::string_view m_bytes;
};

void otlp_dictionary::add(std::string_view message) {
    const std::array<std::vector<record>*, 7> tables{&mappings, &locations,  &functions, &links,
                                                     &strings,  &attributes, &stacks};
    otlp_reader fields = read(otlp_dictionary_message, message);
    while (fields.next()) {
        const auto table = static_cast<std::size_t>(fields.as<field::otlp::dictionary>()) - 1;
        std::vector<record>& elements = *tables.at(table);
        fields.run_of_bytes([&](std::string_view each) { elements.push_back(here(each)); });
    }
}

void otlp_dictionary::check_zeros() const {
    const auto check = [&](const std::vector<record>& table, const otlp_message& schema,
                           const char* name) {
        if (table.empty()) {
            return;
        }
        // A field may be there and have its default value, such as 16 bytes of zeros.
        otlp_reader fields = read(schema, at(table.front()));
        while (fields.next()) {
            if (!fields.is_zero()) {
                throw error{error_kind::malformed,
                            std::string{"ProfilesDictionary."} + name +
                                " does not begin with a zero value",
                            table.front().offset};
            }
        }
    };
    check(mappings, otlp_mapping, "mapping_table");
    check(locations, otlp_location, "location_table");
    check(functions, otlp_function, "function_table");
    check(links, otlp_link, "link_table");
    check(attributes, otlp_attribute, "attribute_table");
    check(stacks, otlp_stack, "stack_table");
    if (!strings.empty() && strings.front().size != 0) {
        throw error{error_kind::malformed,
                    "ProfilesDictionary.string_table does not begin with an empty string",
                    strings.front().offset};
    }
}

/// A Profile as it lies in the message. Nothing that it refers to is looked up here.
struct otlp_profile_entry {
    std::uint32_t source = 0; ///< Place of its resource and scope.
    std::uint32_t first_sample = 0;
    std::uint32_t last_sample = 0; ///< One after it.
    record sample_type{0, 0};
    record period_type{0, 0};
    record attribute_indices{0, 0}; ///< Packed.
    std::uint64_t time = 0;         ///< Nanoseconds since 1970, that fit 63 bits; so does the end.
    std::uint64_t duration = 0;     ///< Nanoseconds.
    std::int64_t period = 0;
};

/// A resource, and one of its scopes.
struct otlp_source {
    std::uint32_t resource = 0; ///< Its place.
    record scope{0, 0};
};

/// What a message of OTLP holds, found in one scan: the dictionary can come last, so profiles are
/// listed before anything that they refer to is known.
class otlp_contents {
public:
    /// @param bytes a ProfilesData or an ExportProfilesServiceRequest; has to outlive this.
    /// @throws error malformed, too_large.
    explicit otlp_contents(std::string_view bytes);

    otlp_dictionary dictionary;
    std::vector<record> resources;
    std::vector<otlp_source> sources;
    std::vector<otlp_profile_entry> profiles;
    std::vector<record> samples; ///< Of all profiles, one after the other.

private:
    void add_resource(std::string_view message);
    void add_scope(std::string_view message);
    void add_profile(std::string_view message);
};

namespace {

// The times of pprof have a sign.
constexpr std::uint64_t latest = std::numeric_limits<std::int64_t>::max();

std::uint64_t nanoseconds(otlp_reader& fields, std::uint64_t number) {
    if (number > latest) {
        fields.fail("does not fit 63 bits");
    }
    return number;
}

} // namespace

otlp_contents::otlp_contents(std::string_view bytes) : dictionary{bytes} {
    if (bytes.size() > max_profile_size) {
        throw error{error_kind::too_large, "the profiles have 2 GiB or more"};
    }
    bool has_dictionary = false;
    otlp_reader fields = dictionary.read(otlp_profiles_data, bytes);
    while (fields.next()) {
        if (fields.as<field::otlp::profiles_data>() == field::otlp::profiles_data::dictionary) {
            has_dictionary = true;
            dictionary.add(fields.bytes());
        } else {
            add_resource(fields.bytes());
        }
    }
    if (!has_dictionary) {
        throw error{error_kind::malformed,
                    "ProfilesData.dictionary is missing, which OTLP profiles "
                    "of 1.10 and 1.11 have"};
    }
    dictionary.check_zeros();
    if (profiles.empty()) {
        throw error{error_kind::malformed, "the OTLP message holds no profile"};
    }
}

void otlp_contents::add_resource(std::string_view message) {
    using part = field::otlp::resource_profiles;
    resources.push_back({0, 0}); // it can come after its scopes
    otlp_reader fields = dictionary.read(otlp_resource_profiles, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::resource:
            resources.back() = dictionary.here(fields.bytes_once(resources.back()));
            break;
        case part::scope_profiles:
            add_scope(fields.bytes());
            break;
        case part::schema_url:
            fields.skip();
            break;
        }
    }
}

void otlp_contents::add_scope(std::string_view message) {
    using part = field::otlp::scope_profiles;
    sources.push_back({static_cast<std::uint32_t>(resources.size() - 1), {0, 0}});
    otlp_reader fields = dictionary.read(otlp_scope_profiles, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::scope:
            sources.back().scope = dictionary.here(fields.bytes_once(sources.back().scope));
            break;
        case part::profiles:
            add_profile(fields.bytes());
            break;
        case part::schema_url:
            fields.skip();
            break;
        }
    }
}

void otlp_contents::add_profile(std::string_view message) {
    using part = field::otlp::profile;
    otlp_profile_entry entry;
    entry.source = static_cast<std::uint32_t>(sources.size() - 1);
    entry.first_sample = static_cast<std::uint32_t>(samples.size());
    otlp_reader fields = dictionary.read(otlp_profile, message);
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::sample_type:
            entry.sample_type = dictionary.here(fields.bytes_once(entry.sample_type));
            break;
        case part::samples:
            fields.run_of_bytes(
                [&](std::string_view each) { samples.push_back(dictionary.here(each)); });
            break;
        case part::time_unix_nano:
            entry.time = nanoseconds(fields, fields.fixed64());
            break;
        case part::duration_nano:
            entry.duration = nanoseconds(fields, fields.varint());
            break;
        case part::period_type:
            entry.period_type = dictionary.here(fields.bytes_once(entry.period_type));
            break;
        case part::period:
            entry.period = static_cast<std::int64_t>(fields.varint());
            break;
        case part::attribute_indices:
            entry.attribute_indices = dictionary.here(fields.bytes_once(entry.attribute_indices));
            break;
        case part::profile_id:
        case part::dropped_attributes_count:
        case part::original_payload_format:
        case part::original_payload:
            fields.skip();
            break;
        }
    }
    if (entry.duration > latest - entry.time) {
        throw error{error_kind::malformed, "Profile.duration_nano reaches beyond the year 2262",
                    dictionary.here(message).offset};
    }
    if (entry.sample_type.size == 0) {
        throw error{error_kind::malformed, "Profile.sample_type is missing",
                    dictionary.here(message).offset};
    }
    entry.last_sample = static_cast<std::uint32_t>(samples.size());
    profiles.push_back(entry);
}

/// The value of an attribute, of which lists are not read yet.
struct otlp_any_value {
    using kind = field::otlp::any_value;

    std::optional<kind> is;   ///< Without one it is empty.
    std::string_view bytes{}; ///< A string, bytes, or the message of a list.
    std::uint64_t number = 0; ///< A number, or the bits of one.
    std::uint32_t string = 0; ///< Of a string in the dictionary, its index.

    [[nodiscard]] bool is_text() const noexcept {
        return is == kind::string || is == kind::string_index;
    }
    [[nodiscard]] bool is_true() const noexcept { return is == kind::boolean && number != 0; }
};

/// An attribute of the dictionary, or of a resource.
struct otlp_attribute_value {
    std::uint32_t key_index = 0; ///< Of an attribute of the dictionary.
    std::string_view key{};
    otlp_any_value value{};
    std::uint32_t unit = 0; ///< An index of a string.
};

/// O(1): a message that has a field twice is refused.
/// @throws error malformed; also below.
[[nodiscard]] otlp_any_value read_any_value(const otlp_dictionary& dictionary,
                                            std::string_view message);

/// A KeyValueAndUnit of the dictionary. O(1)
/// @param index of the attribute, checked and not 0.
[[nodiscard]] otlp_attribute_value read_attribute(const otlp_dictionary& dictionary,
                                                  std::uint32_t index);

/// A KeyValue. O(1)
[[nodiscard]] otlp_attribute_value read_key_value(const otlp_dictionary& dictionary,
                                                  std::string_view message);

/// Calls `visit(const otlp_any_value&)` for each element of a value of the kind array.
template <typename Visit>
void for_each_element(const otlp_dictionary& dictionary, const otlp_any_value& array,
                      Visit&& visit) {
    otlp_reader fields = dictionary.read(otlp_array_value, array.bytes);
    while (fields.next()) {
        visit(read_any_value(dictionary, fields.bytes()));
    }
}

/// A value as text: a string as it is, "true", numbers with as many digits as they need, bytes in
/// hexadecimal digits, and lists as JSON.
/// @param room that the text may take.
/// @throws error malformed, also for lists that are nested deeper than 32; too_large.
[[nodiscard]] std::string print_any_value(const otlp_dictionary& dictionary,
                                          const otlp_any_value& value, otlp_room& room);

namespace {

// protobuf's own readers stop at 100 levels, and no attribute needs more than a few.
constexpr int deepest_list = 32;

class value_printer {
public:
    value_printer(const otlp_dictionary& dictionary, otlp_room& room)
        : m_dictionary{dictionary}, m_room{room} {}

    void print(const otlp_any_value& value, int depth) {
        using kind = otlp_any_value::kind;
        if (!value.is) {
            append(depth == 0 ? "" : "null");
            return;
        }
        switch (*value.is) {
        case kind::string:
        case kind::string_index:
            print_text(value.is == kind::string ? value.bytes : m_dictionary.text(value.string),
                       depth);
            break;
        case kind::boolean:
            append(value.number != 0 ? "true" : "false");
            break;
        case kind::integer:
            append(std::to_string(static_cast<std::int64_t>(value.number)));
            break;
        case kind::real:
            append(json_number(std::bit_cast<double>(value.number)));
            break;
        case kind::bytes:
            print_bytes(value.bytes, depth == 0 ? "" : "\"");
            break;
        case kind::array:
            print_array(value, depth + 1);
            break;
        case kind::map:
            print_map(value, depth + 1);
            break;
        }
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void append(std::string_view part) {
        m_room.take(2 * part.size()); // a text that grows is there twice meanwhile
        m_text += part;
    }

    void print_text(std::string_view text, int depth) {
        if (depth == 0) {
            append(text);
        } else {
            for_each_json_part(text, [this](std::string_view part) { append(part); });
        }
    }

    void print_bytes(std::string_view bytes, std::string_view quote) {
        append(quote);
        for (const char byte : bytes) {
            append(hexadecimal(static_cast<unsigned char>(byte), 2));
        }
        append(quote);
    }

    static void check_depth(const otlp_reader& fields, int depth) {
        if (depth > deepest_list) {
            fields.fail("is nested deeper than " + std::to_string(deepest_list));
        }
    }

    void print_array(const otlp_any_value& array, int depth) {
        append("[");
        otlp_reader fields = m_dictionary.read(otlp_array_value, array.bytes);
        for (bool is_first = true; fields.next(); is_first = false) {
            check_depth(fields, depth);
            append(is_first ? "" : ",");
            print(read_any_value(m_dictionary, fields.bytes()), depth);
        }
        append("]");
    }

    void print_map(const otlp_any_value& map, int depth) {
        append("{");
        otlp_reader fields = m_dictionary.read(otlp_key_value_list, map.bytes);
        for (bool is_first = true; fields.next(); is_first = false) {
            check_depth(fields, depth);
            append(is_first ? "" : ",");
            const otlp_attribute_value member = read_key_value(m_dictionary, fields.bytes());
            print_text(member.key, depth);
            append(":");
            print(member.value, depth);
        }
        append("}");
    }

    const otlp_dictionary& m_dictionary;
    otlp_room& m_room;
    std::string m_text;
};

// A message that has a field twice could be as long as it likes, and is referred to many times.
void check_once(bool& was_there, const otlp_reader& fields) {
    if (was_there) {
        fields.fail("is a second value");
    }
    was_there = true;
}

} // namespace

otlp_any_value read_any_value(const otlp_dictionary& dictionary, std::string_view message) {
    using kind = otlp_any_value::kind;
    otlp_any_value result;
    otlp_reader fields = dictionary.read(otlp_any_value_message, message);
    bool has_value = false;
    while (fields.next()) {
        check_once(has_value, fields);
        const kind is = fields.as<kind>();
        result.is = is;
        switch (is) {
        case kind::string:
        case kind::bytes:
        case kind::array:
        case kind::map:
            result.bytes = fields.bytes();
            break;
        case kind::boolean:
        case kind::integer:
            result.number = fields.varint();
            break;
        case kind::real:
            result.number = fields.fixed64();
            break;
        case kind::string_index:
            result.string = fields.index(dictionary.strings.size());
            break;
        }
    }
    return result;
}

otlp_attribute_value read_attribute(const otlp_dictionary& dictionary, std::uint32_t index) {
    using part = field::otlp::attribute;
    otlp_attribute_value result;
    otlp_reader fields =
        dictionary.read(otlp_attribute, dictionary.at(dictionary.attributes[index]));
    bool has_key = false;
    bool has_value = false;
    bool has_unit = false;
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::key:
            check_once(has_key, fields);
            result.key_index = fields.index(dictionary.strings.size());
            result.key = dictionary.text(result.key_index);
            break;
        case part::value:
            check_once(has_value, fields);
            result.value = read_any_value(dictionary, fields.bytes());
            break;
        case part::unit:
            check_once(has_unit, fields);
            result.unit = fields.index(dictionary.strings.size());
            break;
        }
    }
    return result;
}

otlp_attribute_value read_key_value(const otlp_dictionary& dictionary, std::string_view message) {
    using part = field::otlp::key_value;
    otlp_attribute_value result;
    otlp_reader fields = dictionary.read(otlp_key_value, message);
    bool has_key = false;
    bool has_index = false;
    bool has_value = false;
    // The schema has one of both. A writer that moved the index to another dictionary, or did not
    // where it should have, may have left the other as well.
    const auto set_key = [&](std::string_view key) {
        if (!key.empty() && !result.key.empty() && key != result.key) {
            fields.fail("is a second key: '" + std::string{key} + "' beside '" +
                        std::string{result.key} + "'");
        }
        result.key = key.empty() ? result.key : key;
    };
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::key:
            check_once(has_key, fields);
            set_key(fields.bytes());
            break;
        case part::key_strindex:
            check_once(has_index, fields);
            set_key(dictionary.text(fields.index(dictionary.strings.size())));
            break;
        case part::value:
            check_once(has_value, fields);
            result.value = read_any_value(dictionary, fields.bytes());
            break;
        }
    }
    return result;
}

std::string print_any_value(const otlp_dictionary& dictionary, const otlp_any_value& value,
                            otlp_room& room) {
    value_printer printer{dictionary, room};
    printer.print(value, 0);
    return printer.take();
}

/// The string table of the profile that is made: that of the dictionary, so that indices stay what
/// they are, and behind it what else is needed.
class otlp_strings {
public:
    /// Both have to outlive this.
    otlp_strings(const otlp_dictionary& dictionary, otlp_room& room)
        : m_dictionary{dictionary}, m_room{room} {}

    /// The number of a string that the dictionary need not have. O(length)
    /// @throws error too_large.
    [[nodiscard]] std::uint32_t number(std::string_view text);

    /// Appends the table to a profile.
    void append_to(std::string& profile) const;

private:
    const otlp_dictionary& m_dictionary;
    otlp_room& m_room;
    key_table m_texts;
    std::string m_fields;
};

namespace {

constexpr auto tag_of_string =
    static_cast<char>(short_tag(field::profile::string_table, wire_type::length_delimited));

// Where a string's tag is, if that and the length take no more bytes than they need; or npos.
std::size_t begin_of_field(record string, std::string_view message) noexcept {
    constexpr auto tag = static_cast<char>(
        short_tag(field::otlp::dictionary::string_table, wire_type::length_delimited));
    const std::size_t begin = string.offset - 1 - varint_size(string.size);
    return message[begin] == tag ? begin : std::string_view::npos;
}

} // namespace

std::uint32_t otlp_strings::number(std::string_view text) {
    if (text.empty()) {
        return 0;
    }
    m_room.take(text.size()); // whether or not it is known: to look costs time as well
    const std::uint32_t known = m_texts.size();
    const std::uint32_t place = m_texts.find_or_add(hash_bytes(text));
    if (place == known) {
        append_bytes(m_fields, field::profile::string_table, text);
    }
    return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.strings.size(), 1)) +
           place;
}

void otlp_strings::append_to(std::string& profile) const {
    if (m_dictionary.strings.empty()) {
        append_bytes(profile, field::profile::string_table, "");
    }
    // Strings that follow each other are copied at once, but for their field number.
    const std::string_view message = m_dictionary.bytes();
    for (auto first = m_dictionary.strings.begin(); first != m_dictionary.strings.end();) {
        const std::size_t begin = begin_of_field(*first, message);
        if (begin == std::string_view::npos) {
            append_bytes(profile, field::profile::string_table, m_dictionary.at(*first++));
            continue;
        }
        std::size_t end = begin;
        auto last = first;
        for (; last != m_dictionary.strings.end() && begin_of_field(*last, message) == end;
             ++last) {
            end = std::size_t{last->offset} + last->size;
        }
        const std::size_t copy = profile.size();
        profile += message.substr(begin, end - begin);
        for (; first != last; ++first) {
            profile[copy + begin_of_field(*first, message) - begin] = tag_of_string;
        }
    }
    profile += m_fields;
}

/// Makes the labels of samples, as fields of pprof's Sample, from what samples of OTLP refer to.
/// What is referred to often is made once.
class otlp_labels {
public:
    /// All have to outlive this.
    otlp_labels(const otlp_dictionary& dictionary, otlp_strings& strings, otlp_room& room)
        : m_dictionary{dictionary}, m_strings{strings}, m_room{room} {}

    /// The number of the set of attributes that a sample has; 0 for none. The order of the indices
    /// counts here, which does no harm, as labels are a set when samples are compared.
    /// @param sample at the field that has them.
    /// @throws error malformed, also for a key that is there twice; too_large; also below.
    [[nodiscard]] std::uint32_t set_of(otlp_reader& sample);

    /// The same for a single attribute that set_of() had before; 0 for anything else.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t known_set(std::string_view packed) const {
        const std::size_t index = only_index(packed);
        return index < m_sets_of_one.size() ? m_sets_of_one[index] : 0;
    }

    /// The labels of a Resource, of whose attributes all become some: `resource.service.name`. They
    /// do not depend on the order of attributes. O(size), so it is to be read once, and not for
    /// each of its scopes.
    [[nodiscard]] record of_resource(std::string_view resource);

    /// The number of the set of labels of a resource and of a scope in it. Equal ones have one
    /// number, which is none of set_of().
    /// @param resource from of_resource().
    /// @param scope    an InstrumentationScope, whose name becomes the label `otel.scope.name`. Its
    ///                 version is none, as it can change while the process goes on.
    [[nodiscard]] std::uint32_t set_of_source(record resource, std::string_view scope);

    /// Where the labels of a set are, for at().
    [[nodiscard]] record set(std::uint32_t number) const { return m_sets[number]; }

    /// The labels of a link: the ids of its trace and its span, in hexadecimal digits.
    /// @param index checked; nothing for 0.
    [[nodiscard]] record link(std::uint32_t index) {
        return index == 0 ? record{0, 0} : read_link(index);
    }

    /// Valid until the next call of a function that is not const.
    [[nodiscard]] std::string_view at(record labels) const noexcept {
        return {m_fields.data() + labels.offset, labels.size};
    }

private:
    void append_label(const label_record& label);
    // @param unit none for what is of a resource, whose strings get one number for one text here.
    void append_one(std::uint32_t key, const otlp_any_value& value,
                    std::optional<std::uint32_t> unit);
    void append(std::uint32_t key, const otlp_any_value& value, std::optional<std::uint32_t> unit);
    [[nodiscard]] record read_link(std::uint32_t index);
    [[nodiscard]] record attribute(std::uint32_t index);
    // The index that there is, if there is no other; else none that is in a table.
    [[nodiscard]] std::size_t only_index(std::string_view packed) const {
        constexpr std::size_t none = ~std::size_t{0};
        const char* const end = packed.data() + packed.size();
        if (packed.empty()) {
            return none;
        }
        const decoded_varint first = decode_varint(packed.data(), end, m_dictionary.bytes().data());
        return first.end == end ? first.number : none;
    }
    [[nodiscard]] std::uint32_t find_set(std::string_view packed, otlp_reader& sample);
    [[nodiscard]] record since(std::size_t begin) const noexcept {
        return {static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(m_fields.size() - begin)};
    }

    static constexpr record unknown{0xffffffff, 0};

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    otlp_room& m_room;
    std::string m_fields; // of all that was made
    std::vector<record> m_attributes;
    std::vector<std::uint32_t> m_key_of; // by attribute, its place in m_texts_of_keys
    key_table m_texts_of_keys;           // by text, as a string may be in the dictionary twice
    std::vector<record> m_links;
    std::vector<std::uint32_t> m_sets_of_one; // by their attribute; 0 for what was not asked for
    keyed_list<std::uint32_t> m_indices;      // sets, by hashes of packed indices
    keyed_list<std::uint32_t> m_sources;      // sets, by hashes of labels
    std::vector<record> m_sets{{0, 0}};
    std::vector<std::uint32_t> m_set; // the indices of the one at hand
    std::vector<std::uint32_t> m_keys;
};

namespace {

std::string_view id_of(otlp_reader& fields, std::size_t size) {
    const std::string_view id = fields.bytes();
    if (!id.empty() && id.size() != size) {
        fields.fail("has " + std::to_string(id.size()) + " bytes, not " + std::to_string(size));
    }
    return id.find_first_not_of('\0') == std::string_view::npos ? std::string_view{} : id;
}

} // namespace

void otlp_labels::append_label(const label_record& label) {
    number_fields<4> fields;
    fields.add(field::label::key, label.key);
    fields.add(field::label::str, label.text);
    fields.add(field::label::num, label.number);
    fields.add(field::label::num_unit, label.unit);
    const std::string_view message = fields.as_field(field::sample::label);
    m_room.take(message.size());
    m_fields += message;
}

void otlp_labels::append_one(std::uint32_t key, const otlp_any_value& value,
                             std::optional<std::uint32_t> unit) {
    using kind = otlp_any_value::kind;
    label_record label{.key = key};
    if (value.is == kind::integer) {
        label.number = value.number;
        label.unit = unit.value_or(0);
    } else if (value.is == kind::string_index) {
        label.text = unit ? value.string : m_strings.number(m_dictionary.text(value.string));
    } else if (value.is == kind::string) {
        label.text = m_strings.number(value.bytes); // without a copy of what may be long
    } else {
        label.text = m_strings.number(print_any_value(m_dictionary, value, m_room));
    }
    append_label(label);
}

// A list of strings and integers is what pprof has as several labels of one key, some maybe with
// nothing but the key.
void otlp_labels::append(std::uint32_t key, const otlp_any_value& value,
                         std::optional<std::uint32_t> unit) {
    using kind = otlp_any_value::kind;
    bool is_plain_list = false;
    if (value.is == kind::array) {
        bool is_plain = true;
        for_each_element(m_dictionary, value, [&](const otlp_any_value& element) {
            is_plain =
                is_plain && (!element.is || element.is_text() || element.is == kind::integer);
            is_plain_list = is_plain;
        });
    }
    if (is_plain_list) {
        for_each_element(m_dictionary, value,
                         [&](const otlp_any_value& element) { append_one(key, element, unit); });
    } else {
        append_one(key, value, unit);
    }
}

record otlp_labels::attribute(std::uint32_t index) {
    if (m_attributes.empty()) {
        m_attributes.resize(m_dictionary.attributes.size(), unknown);
        m_key_of.resize(m_dictionary.attributes.size());
    }
    if (m_attributes[index].offset == unknown.offset) {
        const otlp_attribute_value attribute = read_attribute(m_dictionary, index);
        const std::size_t begin = m_fields.size();
        append(attribute.key_index, attribute.value, attribute.unit);
        m_attributes[index] = since(begin);
        m_room.take(attribute.key.size()); // as many attributes can have one, which is hashed
        m_key_of[index] = m_texts_of_keys.find_or_add(hash_bytes(attribute.key));
    }
    return m_attributes[index];
}

// Most samples that have attributes have one.
std::uint32_t otlp_labels::set_of(otlp_reader& sample) {
    const std::string_view packed = sample.bytes();
    if (packed.empty()) {
        return 0;
    }
    const std::size_t index = only_index(packed);
    if (index >= m_dictionary.attributes.size()) {
        return find_set(packed, sample);
    }
    if (m_sets_of_one.empty()) {
        m_sets_of_one.resize(m_dictionary.attributes.size());
    }
    std::uint32_t& set = m_sets_of_one[index];
    if (set == 0) {
        set = find_set(packed, sample);
    }
    return set;
}

std::uint32_t otlp_labels::find_set(std::string_view packed, otlp_reader& sample) {
    const std::uint32_t place = m_indices.find_or_add(hash_bytes(packed), [&] {
        m_set.clear();
        sample.indices_of(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
            if (index == 0) {
                sample.fail("refers to attribute 0, which stands for none");
            }
            m_set.push_back(index);
        });
        for (const std::uint32_t index : m_set) {
            static_cast<void>(attribute(index)); // before the set, which has to be in one piece
        }
        m_keys.clear();
        const std::size_t begin = m_fields.size();
        for (const std::uint32_t index : m_set) {
            m_keys.push_back(m_key_of[index]);
            const record labels = m_attributes[index];
            m_room.take(labels.size);
            m_fields.append(m_fields, labels.offset, labels.size);
        }
        std::sort(m_keys.begin(), m_keys.end());
        const auto twice = std::adjacent_find(m_keys.begin(), m_keys.end());
        if (twice != m_keys.end()) {
            const std::uint32_t one = *std::find_if(
                m_set.begin(), m_set.end(), [&](auto index) { return m_key_of[index] == *twice; });
            sample.fail("names two attributes with the key '" +
                        std::string{read_attribute(m_dictionary, one).key} + "'");
        }
        m_sets.push_back(since(begin));
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    });
    return m_indices[place];
}

record otlp_labels::of_resource(std::string_view resource) {
    std::vector<otlp_attribute_value> attributes;
    otlp_reader parts = m_dictionary.read(otlp_resource, resource);
    while (parts.next()) {
        if (parts.as<field::otlp::resource>() == field::otlp::resource::attributes) {
            m_room.take(sizeof(otlp_attribute_value)); // which an empty one takes as well
            attributes.push_back(read_key_value(m_dictionary, parts.bytes()));
        } else {
            parts.skip();
        }
    }
    std::stable_sort(attributes.begin(), attributes.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    const std::size_t begin = m_fields.size();
    for (const otlp_attribute_value& each : attributes) {
        m_room.take(each.key.size());
        const std::uint32_t key =
            m_strings.number(std::string{otlp_names::resource_prefix} += each.key);
        append(key, each.value, std::nullopt);
    }
    return since(begin);
}

std::uint32_t otlp_labels::set_of_source(record resource, std::string_view scope) {
    const std::size_t begin = m_fields.size();
    m_room.take(resource.size);
    m_fields.append(m_fields, resource.offset, resource.size);
    std::string_view name;
    otlp_reader of_scope = m_dictionary.read(otlp_scope, scope);
    while (of_scope.next()) {
        if (of_scope.as<field::otlp::scope>() == field::otlp::scope::name) {
            name = of_scope.bytes();
        } else {
            of_scope.skip();
        }
    }
    if (!name.empty()) {
        append_label(
            {.key = m_strings.number(otlp_names::scope_name), .text = m_strings.number(name)});
    }
    const record made = since(begin);
    const std::uint32_t place = m_sources.find_or_add(hash_bytes(at(made)), [&] {
        m_sets.push_back(made);
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    });
    if (m_sets[m_sources[place]].offset != made.offset) {
        m_fields.resize(begin); // it is there already
    }
    return m_sources[place];
}

record otlp_labels::read_link(std::uint32_t index) {
    if (m_links.empty()) {
        m_links.resize(m_dictionary.links.size(), unknown);
    }
    if (m_links[index].offset == unknown.offset) {
        using part = field::otlp::link;
        std::string_view trace;
        std::string_view span;
        otlp_reader fields =
            m_dictionary.read(otlp_link, m_dictionary.at(m_dictionary.links[index]));
        while (fields.next()) {
            const bool is_trace = fields.as<part>() == part::trace_id;
            (is_trace ? trace : span) =
                id_of(fields, is_trace ? otlp_names::trace_id_size : otlp_names::span_id_size);
        }
        const std::size_t begin = m_fields.size();
        for (const auto& [key, id] :
             {std::pair{otlp_names::trace_id, trace}, std::pair{otlp_names::span_id, span}}) {
            if (!id.empty()) {
                append_label(
                    {.key = m_strings.number(key), .text = m_strings.number(hexadecimal(id))});
            }
        }
        m_links[index] = since(begin);
    }
    return m_links[index];
}

/// The samples of all profiles: what has one stack, attributes, link and source is one sample, with
/// a value of each type.
class otlp_samples {
public:
    /// @param columns how many types there are. The others have to outlive this.
    otlp_samples(const otlp_dictionary& dictionary, otlp_labels& labels, otlp_room& room,
                 std::size_t columns)
        : m_dictionary{dictionary}, m_labels{labels}, m_room{room}, m_columns{columns},
          m_rows{dictionary.stacks.size()}, m_stacks(dictionary.stacks.size(), unread) {}

    /// Begins the next profile, which has so many samples.
    void begin(std::size_t count) {
        if (m_rows.size() == 0) { // those of the first are mostly those of all
            const std::size_t most = m_dictionary.bytes().size() / (2 * sizeof(std::int64_t));
            m_rows.reserve(std::min(count, most));
            m_values.reserve(std::min(count * m_columns, most));
        }
        m_rows.begin();
    }

    /// Adds a Sample of a profile.
    /// @param source the number of a set of labels.
    /// @param column the place of the profile's type.
    /// @throws error malformed, too_large.
    void add(std::string_view sample, std::uint32_t source, std::size_t column);

    /// Appends all samples to a profile, in the order in which they first came.
    /// @throws error malformed, too_large.
    void append_to(std::string& profile);

    /// The id of the location that stands for the zero value, which cannot have its index: a
    /// location with the id 0 is refused by google/pprof.
    [[nodiscard]] std::uint32_t id_of_zero() const noexcept {
        return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.locations.size(), 1));
    }
    /// Whether some stack that was appended has it.
    [[nodiscard]] bool uses_zero() const noexcept { return m_uses_zero; }

private:
    // Whether it could. If not, `row` and `sum` are unspecified.
    [[nodiscard]] bool read_usual(std::string_view sample, otlp_row& row, std::int64_t& sum) const;
    [[nodiscard]] std::int64_t read_any(std::string_view sample, otlp_row& row);
    static constexpr record unread{0xffffffff, 0};

    [[nodiscard]] std::string_view ids_of(std::uint32_t stack);
    [[nodiscard]] record read_stack(std::uint32_t stack);
    [[nodiscard]] record read_indices(otlp_reader& stack);
    std::int64_t& value_at(const otlp_row& row, std::size_t column);

    const otlp_dictionary& m_dictionary;
    otlp_labels& m_labels;
    otlp_room& m_room;
    std::size_t m_columns;
    otlp_rows m_rows;
    std::vector<std::int64_t> m_values; // by row, and in it by column
    std::vector<record> m_stacks;       // packed ids, in the message or, beyond it, in m_own_ids
    std::string m_own_ids;
    std::vector<std::uint32_t> m_ids; // of the stack at hand, and more
    std::string m_rewritten;          // likewise
    std::string m_scratch;
    bool m_uses_zero = false;
};

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
                fields.fail("appears twice");
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
                    values == 0 ? "a Sample has neither values nor timestamps_unix_nano; "
                                  "pprofdelta reads OTLP profiles of 1.10 and 1.11"
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
            fields.fail("appears twice");
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

/// Appends the mappings, locations and functions of the dictionary to a profile, with their indices
/// as ids, and without the zero values. The first of the mapping's build ids that is there counts:
/// of the GNU linker, of Go, or a hash.
/// @throws error malformed, too_large.
void append_otlp_tables(const otlp_dictionary& dictionary, otlp_strings& strings,
                        std::string& profile);

namespace {

// A record of pprof that is made of one of OTLP. It has the same fields, with numbers that are
// higher by one, as an id stands before them where OTLP has the place in the table. So it is a
// copy.
class renumbered_record {
public:
    void start(std::uint32_t id, std::string_view message) {
        m_message = message;
        grow_to(m_bytes, message_head_room + number_room + message.size() + most_added);
        m_copy = encode_number(m_bytes.data() + message_head_room, field::location::id, id);
        m_end = std::copy(message.begin(), message.end(), m_copy);
    }

    // The field of the message whose tag is there has a place in pprof.
    void keep(const char* tag) {
        constexpr char next_number = 1 << 3;
        char& copy = m_copy[tag - m_message.data()];
        copy = static_cast<char>(copy + next_number);
    }
    // It has none, and ends with `value`.
    void drop(const otlp_reader& fields, std::string_view value) {
        m_dropped.push_back(
            {static_cast<std::uint32_t>(fields.start() - m_message.data()),
             static_cast<std::uint32_t>(value.data() + value.size() - fields.start())});
    }

    // A field that is not there yet; at most six.
    template <typename Field>
    void add(Field field, std::uint64_t number) {
        m_end = encode_number(m_end, field, number);
    }

    void append_to(std::string& profile, field::profile f) {
        close_gaps();
        append_finished(profile, f, m_bytes.data() + message_head_room, m_end);
    }

private:
    static constexpr std::size_t number_room = 2 * longest_varint;
    static constexpr std::size_t most_added = 6 * number_room;

    void close_gaps() {
        if (m_dropped.empty()) {
            return;
        }
        char* to = m_copy + m_dropped.front().offset;
        for (auto gap = m_dropped.begin(); gap != m_dropped.end(); ++gap) {
            const bool is_last = gap + 1 == m_dropped.end();
            to = std::copy(m_copy + gap->offset + gap->size,
                           is_last ? m_end : m_copy + (gap + 1)->offset, to);
        }
        m_end = to;
        m_dropped.clear();
    }

    std::string_view m_message;
    std::string m_bytes;
    char* m_copy = nullptr; // of the message, in m_bytes
    char* m_end = nullptr;
    std::vector<record> m_dropped; // in the copy
};

class table_writer {
public:
    table_writer(const otlp_dictionary& dictionary, otlp_strings& strings, std::string& profile)
        : m_dictionary{dictionary}, m_strings{strings}, m_profile{profile} {}

    void append_mapping(std::uint32_t index) {
        using part = field::otlp::mapping;
        mapping_record mapping;
        std::size_t best = otlp_names::build_ids.size();
        otlp_reader fields =
            start(index, otlp_mapping, m_dictionary.at(m_dictionary.mappings[index]));
        while (fields.next()) {
            if (fields.as<part>() == part::attribute_indices) {
                use_attributes(fields, [&](const otlp_attribute_value& attribute) {
                    use_attribute(attribute, mapping, best);
                });
                continue;
            }
            m_record.keep(fields.start());
            if (fields.as<part>() == part::filename) {
                static_cast<void>(fields.index(m_dictionary.strings.size()));
            } else {
                static_cast<void>(fields.varint());
            }
        }
        m_record.add(field::mapping::build_id, mapping.build_id);
        m_record.add(field::mapping::has_functions, mapping.has_functions);
        m_record.add(field::mapping::has_filenames, mapping.has_filenames);
        m_record.add(field::mapping::has_line_numbers, mapping.has_line_numbers);
        m_record.add(field::mapping::has_inline_frames, mapping.has_inline_frames);
        m_record.append_to(m_profile, field::profile::mapping);
    }

    void append_location(std::uint32_t index) {
        const std::string_view message = m_dictionary.at(m_dictionary.locations[index]);
        m_record.start(index, message);
        if (keep_usual_location(message)) {
            m_record.append_to(m_profile, field::profile::location);
        } else {
            append_any_location(index);
        }
    }

    void append_function(std::uint32_t index) {
        const std::string_view message = m_dictionary.at(m_dictionary.functions[index]);
        m_record.start(index, message);
        if (keep_usual_function(message)) {
            m_record.append_to(m_profile, field::profile::function);
        } else {
            append_any_function(index);
        }
    }

private:
    bool keep_usual_location(std::string_view message) {
        using part = field::otlp::location;
        return read_usual(message, [&](const short_field& field) {
            m_record.keep(field.start);
            switch (field.tag()) {
            case short_tag(part::mapping_index, wire_type::varint):
                return field.number < m_dictionary.mappings.size();
            case short_tag(part::address, wire_type::varint):
                return true;
            case short_tag(part::lines, wire_type::length_delimited):
                return is_usual_line(field.bytes);
            default:
                return false;
            }
        });
    }

    [[nodiscard]] bool is_usual_line(std::string_view line) const {
        using part = field::otlp::line;
        return read_usual(line, [&](const short_field& field) {
            switch (field.tag()) {
            case short_tag(part::function_index, wire_type::varint):
                return field.number < m_dictionary.functions.size();
            case short_tag(part::line, wire_type::varint):
            case short_tag(part::column, wire_type::varint):
                return true;
            default:
                return false;
            }
        });
    }

    bool keep_usual_function(std::string_view message) {
        using part = field::otlp::function;
        return read_usual(message, [&](const short_field& field) {
            m_record.keep(field.start);
            switch (field.tag()) {
            case short_tag(part::name, wire_type::varint):
            case short_tag(part::system_name, wire_type::varint):
            case short_tag(part::filename, wire_type::varint):
                return field.number < m_dictionary.strings.size();
            case short_tag(part::start_line, wire_type::varint):
                return true;
            default:
                return false;
            }
        });
    }

    template <typename Visit>
    [[nodiscard]] bool read_usual(std::string_view message, Visit&& visit) const {
        return read_short_fields(message, m_dictionary.bytes().data(), visit);
    }

    void append_any_location(std::uint32_t index) {
        using part = field::otlp::location;
        bool is_folded = false;
        otlp_reader fields =
            start(index, otlp_location, m_dictionary.at(m_dictionary.locations[index]));
        while (fields.next()) {
            if (fields.as<part>() == part::attribute_indices) {
                use_attributes(fields, [&](const otlp_attribute_value& attribute) {
                    is_folded = is_folded || (attribute.key == otlp_names::is_folded &&
                                              attribute.value.is_true());
                });
                continue;
            }
            m_record.keep(fields.start());
            switch (fields.as<part>()) {
            case part::mapping_index:
                static_cast<void>(fields.index(m_dictionary.mappings.size()));
                break;
            case part::lines:
                check_line(fields.bytes());
                break;
            default:
                static_cast<void>(fields.varint());
            }
        }
        m_record.add(field::location::is_folded, is_folded ? 1 : 0);
        m_record.append_to(m_profile, field::profile::location);
    }

    void append_any_function(std::uint32_t index) {
        using part = field::otlp::function;
        otlp_reader fields =
            start(index, otlp_function, m_dictionary.at(m_dictionary.functions[index]));
        while (fields.next()) {
            m_record.keep(fields.start());
            if (fields.as<part>() == part::start_line) {
                static_cast<void>(fields.varint());
            } else {
                static_cast<void>(fields.index(m_dictionary.strings.size()));
            }
        }
        m_record.append_to(m_profile, field::profile::function);
    }

    otlp_reader start(std::uint32_t index, const otlp_message& schema, std::string_view message) {
        m_record.start(index, message);
        return m_dictionary.read(schema, message);
    }

    // What pprof has fields for, or no place.
    template <typename Visit>
    void use_attributes(otlp_reader& fields, Visit&& visit) {
        const std::string_view packed = fields.bytes();
        m_record.drop(fields, packed);
        fields.indices_of(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
            if (index != 0) {
                visit(read_attribute(m_dictionary, index));
            }
        });
    }

    // A line is the same message in both formats, and so are the numbers of functions.
    void check_line(std::string_view line) const {
        otlp_reader fields = m_dictionary.read(otlp_line, line);
        while (fields.next()) {
            if (fields.as<field::otlp::line>() == field::otlp::line::function_index) {
                static_cast<void>(fields.index(m_dictionary.functions.size()));
            } else {
                static_cast<void>(fields.varint());
            }
        }
    }

    // @param best place of the build id that the mapping has, in the list of their names.
    void use_attribute(const otlp_attribute_value& attribute, mapping_record& mapping,
                       std::size_t& best) {
        const auto place = static_cast<std::size_t>(
            std::find(otlp_names::build_ids.begin(), otlp_names::build_ids.end(), attribute.key) -
            otlp_names::build_ids.begin());
        if (place < best && attribute.value.is_text()) {
            best = place;
            mapping.build_id = attribute.value.is == otlp_any_value::kind::string
                                   ? m_strings.number(attribute.value.bytes)
                                   : attribute.value.string;
        }
        const std::uint64_t flag = attribute.value.is_true() ? 1 : 0;
        if (attribute.key == otlp_names::has_functions) {
            mapping.has_functions = flag;
        } else if (attribute.key == otlp_names::has_filenames) {
            mapping.has_filenames = flag;
        } else if (attribute.key == otlp_names::has_line_numbers) {
            mapping.has_line_numbers = flag;
        } else if (attribute.key == otlp_names::has_inline_frames) {
            mapping.has_inline_frames = flag;
        }
    }

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    std::string& m_profile;
    renumbered_record m_record;
};

} // namespace

void append_otlp_tables(const otlp_dictionary& dictionary, otlp_strings& strings,
                        std::string& profile) {
    table_writer writer{dictionary, strings, profile};
    for (std::uint32_t i = 1; i < dictionary.mappings.size(); ++i) {
        writer.append_mapping(i);
    }
    for (std::uint32_t i = 1; i < dictionary.locations.size(); ++i) {
        writer.append_location(i);
    }
    for (std::uint32_t i = 1; i < dictionary.functions.size(); ++i) {
        writer.append_function(i);
    }
}

/// The fields at the top level of the profile that is made, gathered from all profiles of a
/// message.
class otlp_header {
public:
    /// All have to outlive this.
    otlp_header(const otlp_dictionary& dictionary, otlp_strings& strings, otlp_room& room)
        : m_dictionary{dictionary}, m_strings{strings}, m_room{room} {}

    /// The place of a profile's type among those that are there.
    /// @throws error malformed; too_large for more than 1024 of them.
    std::size_t add_type(const otlp_profile_entry& profile);
    [[nodiscard]] std::size_t types() const noexcept { return m_types.size(); }

    /// Takes the times, the period and what attributes say.
    /// @throws error malformed, too_large; also below.
    void add_profile(const otlp_profile_entry& profile);

    /// Takes what attributes of an InstrumentationScope say.
    void add_scope(std::string_view scope);

    void append_types_to(std::string& profile) const;
    void append_to(std::string& profile) const;

private:
    // Indices of strings.
    struct type {
        std::uint32_t name = 0;
        std::uint32_t unit = 0;

        friend bool operator==(type, type) = default;
    };

    static void append_type(std::string& profile, field::profile f, type t);
    [[nodiscard]] type read_type(record message) const;
    void add_period(type period_type, std::int64_t period);
    void use(const otlp_attribute_value& attribute);
    void add_comments(const otlp_any_value& value);
    // Of what is_text().
    [[nodiscard]] std::string_view text_of(const otlp_any_value& text) const noexcept {
        return text.is == otlp_any_value::kind::string ? text.bytes
                                                       : m_dictionary.text(text.string);
    }
    [[nodiscard]] std::uint32_t number_of(const otlp_any_value& text);
    [[nodiscard]] std::uint64_t duration() const noexcept;

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    otlp_room& m_room;
    keyed_list<type> m_types;
    type m_period_type;
    std::int64_t m_period = 0;
    bool m_has_period = false;
    bool m_has_several_periods = false;
    std::uint64_t m_first_time = 0; // 0 if none is known
    std::uint64_t m_last_time = 0;  // the end of the last one
    bool m_is_delta = false;        // so that the time is the end, as in pprof
    std::uint64_t m_longest = 0;
    keyed_list<std::uint32_t> m_comments; // numbers of strings; also below
    std::uint32_t m_doc_url = 0;
    std::uint32_t m_drop_frames = 0;
    std::uint32_t m_keep_frames = 0;
    std::uint32_t m_default_type = 0;
};

otlp_header::type otlp_header::read_type(record message) const {
    type result;
    otlp_reader fields = m_dictionary.read(otlp_value_type, m_dictionary.at(message));
    while (fields.next()) {
        const std::uint32_t index = fields.index(m_dictionary.strings.size());
        const bool is_name = fields.as<field::otlp::value_type>() == field::otlp::value_type::type;
        (is_name ? result.name : result.unit) = index;
    }
    return result;
}

std::size_t otlp_header::add_type(const otlp_profile_entry& profile) {
    const type wanted = read_type(profile.sample_type);
    const std::string_view name = m_dictionary.text(wanted.name);
    const std::string_view unit = m_dictionary.text(wanted.unit);
    if (name.empty()) {
        throw error{error_kind::malformed,
                    "ValueType.type_strindex of a sample type refers to an empty string",
                    profile.sample_type.offset};
    }
    m_room.take(name.size() + unit.size()); // as many profiles can have one name, which is hashed
    word_hasher key;
    key.add(hash_bytes(name));
    key.add(hash_bytes(unit));
    const std::uint32_t place = m_types.find_or_add(key.finish(), [&] { return wanted; });
    if (m_types.size() > max_sample_types) {
        throw error{error_kind::too_large, "the profiles have more than " +
                                               std::to_string(max_sample_types) + " sample types"};
    }
    return place;
}

void otlp_header::add_profile(const otlp_profile_entry& profile) {
    if (profile.time != 0) {
        m_first_time = m_first_time == 0 ? profile.time : std::min(m_first_time, profile.time);
        m_last_time = std::max(m_last_time, profile.time + profile.duration);
    }
    m_longest = std::max(m_longest, profile.duration);
    add_period(read_type(profile.period_type), profile.period);
    for_each_packed(m_dictionary.at(profile.attribute_indices), m_dictionary.bytes().data(),
                    [&](std::uint64_t index) {
                        if (index == 0 || index >= m_dictionary.attributes.size()) {
                            throw error{error_kind::malformed,
                                        "Profile.attribute_indices names no attribute",
                                        profile.attribute_indices.offset};
                        }
                        use(read_attribute(m_dictionary, static_cast<std::uint32_t>(index)));
                    });
}

// pprof has one period. One that is not that of all types would be wrong, so there is none then.
void otlp_header::add_period(type period_type, std::int64_t period) {
    if (period == 0 && period_type == type{}) {
        return;
    }
    const auto is_same = [&](std::uint32_t a, std::uint32_t b) {
        const std::string_view text = m_dictionary.text(a);
        m_room.take(a == b ? 0 : text.size());         // which many profiles can have
        return a == b || text == m_dictionary.text(b); // it may be in the dictionary twice
    };
    m_has_several_periods =
        m_has_several_periods ||
        (m_has_period && !(m_period == period && is_same(m_period_type.name, period_type.name) &&
                           is_same(m_period_type.unit, period_type.unit)));
    m_has_period = true;
    m_period = period;
    m_period_type = period_type;
}

void otlp_header::use(const otlp_attribute_value& attribute) {
    const auto keep = [&](std::uint32_t& string) {
        if (attribute.value.is_text()) {
            string = number_of(attribute.value);
        }
    };
    if (attribute.key == otlp_names::comment) {
        add_comments(attribute.value);
    } else if (attribute.key == otlp_names::doc_url) {
        keep(m_doc_url);
    } else if (attribute.key == otlp_names::drop_frames) {
        keep(m_drop_frames);
    } else if (attribute.key == otlp_names::keep_frames) {
        keep(m_keep_frames);
    } else if (attribute.key == otlp_names::default_sample_type) {
        keep(m_default_type);
    } else if (attribute.key == otlp_names::temporality && attribute.value.is_text()) {
        m_is_delta = m_is_delta || text_of(attribute.value) == otlp_names::is_a_delta;
    }
}

std::uint32_t otlp_header::number_of(const otlp_any_value& text) {
    return text.is == otlp_any_value::kind::string ? m_strings.number(text.bytes) : text.string;
}

// Each profile of a message has those that all have in common.
void otlp_header::add_comments(const otlp_any_value& value) {
    const auto add = [&](const otlp_any_value& text) {
        const std::string_view content = text_of(text);
        // As many profiles can have one list, which is read each time.
        m_room.take(sizeof(text) + content.size());
        if (text.is_text()) {
            m_comments.find_or_add(hash_bytes(content), [&] { return number_of(text); });
        }
    };
    if (value.is == otlp_any_value::kind::array) {
        for_each_element(m_dictionary, value, add);
    } else {
        add(value);
    }
}

void otlp_header::add_scope(std::string_view scope) {
    otlp_reader fields = m_dictionary.read(otlp_scope, scope);
    while (fields.next()) {
        if (fields.as<field::otlp::scope>() == field::otlp::scope::attributes) {
            use(read_key_value(m_dictionary, fields.bytes()));
        } else {
            fields.skip();
        }
    }
}

void otlp_header::append_type(std::string& profile, field::profile f, type t) {
    number_fields<2> message;
    message.add(field::value_type::type, t.name);
    message.add(field::value_type::unit, t.unit);
    append_bytes(profile, f, message.bytes());
}

void otlp_header::append_types_to(std::string& profile) const {
    for (const type t : m_types.values()) {
        append_type(profile, field::profile::sample_type, t);
    }
}

void otlp_header::append_to(std::string& profile) const {
    append_number(profile, field::profile::drop_frames, m_drop_frames);
    append_number(profile, field::profile::keep_frames, m_keep_frames);
    append_number(profile, field::profile::time_nanos, m_is_delta ? m_last_time : m_first_time);
    append_number(profile, field::profile::duration_nanos, duration());
    if (m_has_period && !m_has_several_periods) {
        append_type(profile, field::profile::period_type, m_period_type);
        append_number(profile, field::profile::period, static_cast<std::uint64_t>(m_period));
    }
    for (const std::uint32_t comment : m_comments.values()) {
        append_number(profile, field::profile::comment, comment);
    }
    append_number(profile, field::profile::default_sample_type, m_default_type);
    append_number(profile, field::profile::doc_url, m_doc_url);
}

// From the start of the first profile to the end of the last one. Totals have none, and a duration
// would make them look like deltas, so there is none unless a profile has one.
std::uint64_t otlp_header::duration() const noexcept {
    if (m_longest == 0) {
        return 0;
    }
    return m_first_time == 0 ? m_longest : m_last_time - m_first_time;
}

namespace {

// Takes fields off the start of a message. Unlike message_reader it has no words for what is wrong,
// as it is asked about bytes that need not be a message at all.
class field_scanner {
public:
    explicit field_scanner(std::string_view rest) noexcept : m_rest{rest} {}

    [[nodiscard]] bool at_end() const noexcept { return m_rest.empty(); }

    // False for a varint that is cut short, or longer than it may be.
    bool take_varint(std::uint64_t& number) noexcept {
        number = 0;
        for (std::size_t i = 0; i < m_rest.size() && i < longest_varint; ++i) {
            const auto byte = static_cast<unsigned char>(m_rest[i]);
            number |= std::uint64_t{byte & 0x7fU} << (7 * i);
            if ((byte & 0x80U) == 0) {
                m_rest.remove_prefix(i + 1);
                return true;
            }
        }
        return false;
    }

    bool take_bytes(std::string_view& bytes) noexcept {
        std::uint64_t size = 0;
        if (!take_varint(size) || size > m_rest.size()) {
            return false;
        }
        bytes = m_rest.substr(0, static_cast<std::size_t>(size));
        m_rest.remove_prefix(bytes.size());
        return true;
    }

private:
    std::string_view m_rest;
};

// Tags of length-delimited fields.
constexpr std::uint64_t tag_of(std::uint32_t number) noexcept { return number << 3U | 2U; }

} // namespace

// pprof's profile has more than the fields 1 and 2, without exception: a string table is required,
// in field 6, and readers refuse a profile that has none. OTLP's message has these two only. So
// neither can be the other, however hostile, and this looks at the numbers of all fields up to the
// first that decides. The content of field 1 spares the way past a million samples: pprof's is a
// ValueType, which begins with a varint, and OTLP's a ResourceProfiles, which has none.
bool is_otlp_profile(std::string_view bytes) noexcept {
    field_scanner fields{bytes};
    bool has_resource = false;
    while (!fields.at_end()) {
        std::uint64_t tag = 0;
        std::string_view content;
        if (!fields.take_varint(tag) ||
            (tag != tag_of(static_cast<std::uint32_t>(
                        field::otlp::profiles_data::resource_profiles)) &&
             tag != tag_of(static_cast<std::uint32_t>(field::otlp::profiles_data::dictionary))) ||
            !fields.take_bytes(content)) {
            return false;
        }
        if (has_resource || content.empty() ||
            tag == tag_of(static_cast<std::uint32_t>(field::otlp::profiles_data::dictionary))) {
            continue;
        }
        field_scanner resource{content};
        if (!resource.take_varint(tag) || (tag & 7U) != 2) {
            return false;
        }
        has_resource = true;
    }
    return has_resource;
}

namespace {

// What a profile of OTLP is of: a series of observations has one at a time.
struct otlp_span {
    std::uint32_t source;
    std::size_t type;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t profile;
};

// Intervals that do not overlap can be added up. Two moments cannot: what they have are totals, or
// what is in use.
void require_apart(std::vector<otlp_span>& spans, const otlp_contents& contents) {
    std::sort(spans.begin(), spans.end(), [](const otlp_span& a, const otlp_span& b) {
        return std::tie(a.source, a.type, a.begin, a.end, a.profile) <
               std::tie(b.source, b.type, b.begin, b.end, b.profile);
    });
    const auto clash =
        std::adjacent_find(spans.begin(), spans.end(), [](const otlp_span& a, const otlp_span& b) {
            return a.source == b.source && a.type == b.type &&
                   (a.begin == a.end || b.begin == b.end || b.begin < a.end);
        });
    if (clash != spans.end()) {
        const otlp_profile_entry& profile = contents.profiles[(clash + 1)->profile];
        throw error{error_kind::incompatible,
                    "two profiles of one resource, scope and type overlap in time or have no "
                    "duration, so they cannot be added up; read each on its own",
                    profile.sample_type.offset};
    }
}

} // namespace

namespace {

void convert(std::string_view bytes, std::string& profile, std::size_t max_size) {
    const otlp_contents contents{bytes};
    const otlp_dictionary& dictionary = contents.dictionary;
    otlp_room room{bytes.size(), max_size};
    otlp_strings strings{dictionary, room};
    otlp_labels labels{dictionary, strings, room};
    otlp_header header{dictionary, strings, room};

    std::vector<record> resources;
    for (const record resource : contents.resources) {
        resources.push_back(labels.of_resource(dictionary.at(resource)));
    }
    std::vector<std::uint32_t> sources;
    for (const otlp_source& source : contents.sources) {
        const std::string_view scope = dictionary.at(source.scope);
        sources.push_back(labels.set_of_source(resources[source.resource], scope));
        header.add_scope(scope);
    }
    std::vector<otlp_span> spans;
    for (const otlp_profile_entry& each : contents.profiles) {
        spans.push_back({sources[each.source], header.add_type(each), each.time,
                         each.time + each.duration, static_cast<std::uint32_t>(spans.size())});
        header.add_profile(each);
    }
    otlp_samples samples{dictionary, labels, room, header.types()};
    for (const otlp_span& span : spans) {
        const otlp_profile_entry& each = contents.profiles[span.profile];
        samples.begin(each.last_sample - each.first_sample);
        for (std::uint32_t i = each.first_sample; i < each.last_sample; ++i) {
            samples.add(dictionary.at(contents.samples[i]), span.source, span.type);
        }
    }
    require_apart(spans, contents);

    profile.clear();
    profile.reserve(std::min(bytes.size() + bytes.size() / 8, max_size)); // which most have
    header.append_types_to(profile);
    samples.append_to(profile);
    append_otlp_tables(dictionary, strings, profile);
    if (samples.uses_zero()) {
        number_fields<1> unknown;
        unknown.add(field::location::id, samples.id_of_zero());
        append_bytes(profile, field::profile::location, unknown.bytes());
    }
    header.append_to(profile);
    strings.append_to(profile);
    require_within(profile.size(), max_size);
}

} // namespace

// Nearly all messages are in the form that is read, so it is made only where one cannot be.
void convert_otlp_profile(std::string_view bytes, std::string& profile, std::size_t max_size) {
    try {
        convert(bytes, profile, max_size);
    } catch (const error& fault) {
        if (fault.kind() != error_kind::malformed) {
            throw;
        }
        std::string plain;
        try {
            otlp_room room{bytes.size(), max_size};
            plain = plain_otlp(otlp_profiles_data, bytes, room);
        } catch (const error&) { // what is cut short, whose place `fault` has
            throw fault;
        }
        if (plain == bytes) {
            throw;
        }
        convert(plain, profile, max_size);
    }
}

} // namespace pprofdelta
