// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/json.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "codec/codec.hpp"
#include "input/otlp_schema.hpp"
#include "profile/producer_names.hpp"
#include "profile/records.hpp"
#include "profile/view.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

/// Goes over the fields of a message of OTLP, each of which has to be one that the schema has, in
/// the way that it says, and there once unless it is repeated. Other versions of the schema have
/// other fields under the same numbers, so what does not fit is refused by name. Messages are read
/// in one form, see plain_form().
class otlp_reader : message_reader {
public:
    /// @param start is that of the bytes that `message` lies in, for offsets in errors.
    otlp_reader(const otlp::message& schema, std::string_view message, const char* start) noexcept
        : message_reader{message, start}, m_schema{schema}, m_start{start} {}

    using message_reader::bytes;
    using message_reader::field;
    using message_reader::fixed64;
    using message_reader::number;
    using message_reader::skip;
    using message_reader::varint;

    /// Goes to the next field. The current one must have been read.
    /// @throws error malformed for a field that the schema does not have.
    [[nodiscard, gnu::always_inline]] bool next() {
        while (message_reader::next()) {
            if (is_expected()) {
                return true;
            }
            refuse_unless_unknown();
            skip();
        }
        return false;
    }

    /// Calls `visit(std::string_view)` for bytes(), and for those of fields with the same number
    /// that follow at once, as the elements of tables and the samples of a profile do.
    template <typename Visit>
    void run_of_bytes(Visit&& visit) {
        visit(bytes());
        repeat(visit);
    }

    /// A varint that is a place in a table of the dictionary. 0 stands for nothing, whether or not
    /// the table has elements.
    /// @throws error malformed if the table has no such element.
    std::uint32_t index(std::size_t table_size) { return checked(varint(), table_size); }

    /// Calls `visit(std::uint32_t)` for each of packed places in a table.
    /// @param packed bytes() of the current field.
    template <typename Visit>
    void for_each_index(std::string_view packed, std::size_t table_size, Visit&& visit) const {
        for_each_packed(packed, m_start,
                        [&](std::uint64_t index) { visit(checked(index, table_size)); });
    }

    /// Calls `visit(std::uint64_t)` for each of packed varints.
    template <typename Visit>
    void for_each_number(Visit&& visit) {
        for_each_packed(bytes(), m_start, visit);
    }

    /// Throws an error of kind malformed with the place of the current field, and `what` after its
    /// name, such as "Sample.link_index".
    [[noreturn]] void fail(const std::string& what) const {
        message_reader::fail(std::string{m_schema.name} + "." +
                             std::string{m_schema.find(number())->name} + " " + what);
    }

private:
    // Whether the schema has the current field as it lies there, and it is no second one.
    [[nodiscard]] bool is_expected() noexcept {
        const std::size_t place = number() - std::size_t{1};
        if (place >= m_schema.fields.size() || m_schema.fields[place].wire != type()) {
            return false;
        }
        const unsigned bit = 1U << place;
        const bool is_first = (m_seen & bit) == 0;
        m_seen |= bit;
        return is_first || m_schema.fields[place].is_repeated;
    }

    // The current field is not expected.
    [[gnu::noinline]] void refuse_unless_unknown() const {
        constexpr const char* hint = "; pprofdelta reads OTLP profiles of 1.10 and 1.11";
        const otlp::field* const field = m_schema.find(number());
        if (field == nullptr && m_schema.others == otlp::unknown_fields::are_refused) {
            message_reader::fail(std::string{m_schema.name} + " has the unknown field " +
                                 std::to_string(number()) + hint);
        }
        if (field != nullptr && field->wire == type()) {
            fail("appears twice");
        }
        if (field != nullptr) {
            fail(std::string{field->wire == wire_type::varint    ? "is not a varint"
                             : field->wire == wire_type::fixed64 ? "is not of eight bytes"
                                                                 : "is not length-delimited"}
                     .append(hint));
        }
    }

    [[nodiscard]] std::uint32_t checked(std::uint64_t index, std::size_t table_size) const {
        if (index != 0 && index >= table_size) {
            fail_index(index, table_size);
        }
        return static_cast<std::uint32_t>(index);
    }

    [[noreturn, gnu::noinline]] void fail_index(std::uint64_t index, std::size_t table_size) const {
        fail("is " + std::to_string(static_cast<std::int64_t>(index)) + ", and the table has " +
             std::to_string(table_size) + (table_size == 1 ? " element" : " elements"));
    }

    const otlp::message& m_schema;
    const char* m_start;
    unsigned m_seen = 0; // a bit for each field
};

/// Calls `visit(otlp_reader&)` at each field of one number. Others are skipped.
template <typename Visit>
void for_each_field(otlp_reader fields, std::uint32_t number, Visit&& visit) {
    while (fields.next()) {
        if (fields.number() == number) {
            visit(fields);
        } else {
            fields.skip();
        }
    }
}

/// The tables that all profiles of a message share, as they lie there. The content of their
/// elements is not read here.
class otlp_dictionary {
public:
    /// @param bytes the whole message; has to outlive this.
    explicit otlp_dictionary(std::string_view bytes) noexcept : m_bytes{bytes} {}

    /// Takes what a ProfilesDictionary has.
    /// @throws error malformed, also for a table whose element 0 is not the zero value: then 0
    ///         means something else than it should.
    void read(std::string_view message) {
        const std::array<std::vector<record>*, 7> tables{&mappings, &locations,  &functions, &links,
                                                         &strings,  &attributes, &stacks};
        otlp_reader fields = reader(otlp::dictionary, message);
        while (fields.next()) {
            std::vector<record>& elements = *tables.at(fields.number() - 1);
            fields.run_of_bytes([&](std::string_view each) { elements.push_back(here(each)); });
        }
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (!tables[i]->empty()) {
                require_zero(otlp::dictionary.fields[i], tables[i]->front());
            }
        }
    }

    [[nodiscard]] std::string_view at(record r) const noexcept {
        return {m_bytes.data() + r.offset, r.size};
    }
    /// The place of a part of the bytes.
    [[nodiscard]] record here(std::string_view part) const noexcept {
        return {static_cast<std::uint32_t>(part.data() - m_bytes.data()),
                static_cast<std::uint32_t>(part.size())};
    }
    /// The string of an index that was checked; "" for 0.
    [[nodiscard]] std::string_view text(std::uint64_t index) const noexcept {
        return index == 0 ? std::string_view{} : at(strings[index]);
    }
    /// A reader of a message that lies in the bytes.
    [[nodiscard]] otlp_reader reader(const otlp::message& schema, std::string_view message) const {
        return {schema, message, m_bytes.data()};
    }
    [[nodiscard]] otlp_reader reader(const otlp::message& schema, record message) const {
        return reader(schema, at(message));
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
    void require_zero(const otlp::field& table, record first) const {
        bool is_zero = table.holds != nullptr || first.size == 0;
        if (table.holds != nullptr) {
            // A field may be there and have its default value, such as 16 bytes of zeros.
            otlp_reader fields = reader(*table.holds, first);
            while (fields.next()) {
                const otlp::field& field = *table.holds->find(fields.number());
                const bool is_default =
                    field.wire == wire_type::varint
                        ? fields.varint() == 0
                        : fields.bytes().find_first_not_of('\0') == std::string_view::npos;
                is_zero = is_zero && is_default;
            }
        }
        if (!is_zero) {
            throw error{error_kind::malformed,
                        "ProfilesDictionary." + std::string{table.name} + " does not begin with " +
                            (table.holds == nullptr ? "an empty string" : "a zero value"),
                        first.offset};
        }
    }

    std::string_view m_bytes;
};

/// A Profile as it lies in the message. Nothing that it refers to is looked up here.
struct otlp_profile_entry {
    record message{0, 0};      ///< The whole.
    std::uint32_t source = 0;  ///< Place of its resource and scope.
    std::uint32_t samples = 0; ///< How many there are.
    record sample_type{0, 0};
    record period_type{0, 0};
    record attribute_indices{0, 0}; ///< Packed.
    std::uint64_t time = 0;         ///< Nanoseconds since 1970, that fit 63 bits; so does the end.
    std::uint64_t duration = 0;     ///< Nanoseconds.
    std::int64_t period = 0;
    // The rest refers to the profile that is made.
    std::uint32_t labels = 0; ///< The number of the set that its source has.
    std::size_t column = 0;   ///< The place of its type.
};

/// A resource, and one of its scopes.
struct otlp_source {
    std::uint32_t resource = 0; ///< Its place.
    record scope{0, 0};
};

/// The contents of an OTLP message, found in one scan: the dictionary can come last, so profiles
/// are listed before anything that they refer to is known.
class otlp_contents {
public:
    /// @param bytes a ProfilesData or an ExportProfilesServiceRequest; has to outlive this.
    /// @throws error malformed, too_large.
    explicit otlp_contents(std::string_view bytes) : dictionary{bytes} {
        if (bytes.size() > max_profile_size) {
            throw error{error_kind::too_large, "the profiles have 2 GiB or more"};
        }
        std::optional<std::string_view> tables;
        otlp_reader fields = dictionary.reader(otlp::profiles_data, bytes);
        while (fields.next()) {
            if (fields.number() == otlp::profiles_data["dictionary"]) {
                tables = fields.bytes();
            } else {
                add_resource(fields.bytes());
            }
        }
        if (!tables) {
            throw error{error_kind::malformed,
                        "ProfilesData.dictionary is missing, which OTLP profiles "
                        "of 1.10 and 1.11 have"};
        }
        dictionary.read(*tables);
        if (profiles.empty()) {
            throw error{error_kind::malformed, "the OTLP message holds no profile"};
        }
    }

    otlp_dictionary dictionary;
    std::vector<record> resources;
    std::vector<otlp_source> sources;
    std::vector<otlp_profile_entry> profiles;

private:
    void add_resource(std::string_view message) {
        resources.push_back({0, 0}); // it can come after its scopes
        otlp_reader fields = dictionary.reader(otlp::resource_profiles, message);
        while (fields.next()) {
            if (fields.number() == otlp::resource_profiles["resource"]) {
                resources.back() = dictionary.here(fields.bytes());
            } else if (fields.number() == otlp::resource_profiles["scope_profiles"]) {
                add_scope(fields.bytes());
            } else {
                fields.skip();
            }
        }
    }

    void add_scope(std::string_view message) {
        sources.push_back({static_cast<std::uint32_t>(resources.size() - 1), {0, 0}});
        otlp_reader fields = dictionary.reader(otlp::scope_profiles, message);
        while (fields.next()) {
            if (fields.number() == otlp::scope_profiles["scope"]) {
                sources.back().scope = dictionary.here(fields.bytes());
            } else if (fields.number() == otlp::scope_profiles["profiles"]) {
                add_profile(fields.bytes());
            } else {
                fields.skip();
            }
        }
    }

    void add_profile(std::string_view message) {
        otlp_profile_entry entry;
        entry.message = dictionary.here(message);
        entry.source = static_cast<std::uint32_t>(sources.size() - 1);
        otlp_reader fields = dictionary.reader(otlp::profile, message);
        const auto nanoseconds = [&](std::uint64_t number) {
            if (number > latest) {
                fields.fail("does not fit 63 bits");
            }
            return number;
        };
        while (fields.next()) {
            switch (fields.number()) {
            case otlp::profile["sample_type"]:
                entry.sample_type = dictionary.here(fields.bytes());
                break;
            case otlp::profile["samples"]:
                fields.run_of_bytes([&](std::string_view) { ++entry.samples; });
                break;
            case otlp::profile["time_unix_nano"]:
                entry.time = nanoseconds(fields.fixed64());
                break;
            case otlp::profile["duration_nano"]:
                entry.duration = nanoseconds(fields.varint());
                break;
            case otlp::profile["period_type"]:
                entry.period_type = dictionary.here(fields.bytes());
                break;
            case otlp::profile["period"]:
                entry.period = static_cast<std::int64_t>(fields.varint());
                break;
            case otlp::profile["attribute_indices"]:
                entry.attribute_indices = dictionary.here(fields.bytes());
                break;
            default:
                fields.skip();
            }
        }
        if (entry.duration > latest - entry.time) {
            throw error{error_kind::malformed, "Profile.duration_nano reaches beyond the year 2262",
                        entry.message.offset};
        }
        if (entry.sample_type.size == 0) {
            throw error{error_kind::malformed, "Profile.sample_type is missing",
                        entry.message.offset};
        }
        profiles.push_back(entry);
    }

    // The times of pprof have a sign.
    static constexpr std::uint64_t latest = std::numeric_limits<std::int64_t>::max();
};

/// The value of an attribute, of which lists are not read yet.
struct otlp_value {
    std::uint32_t kind = 0;   ///< The field of AnyValue that it has; 0 for none.
    std::string_view bytes{}; ///< A string, bytes, or the message of a list.
    std::uint64_t number = 0; ///< A number, or the bits of one.
    std::uint32_t string = 0; ///< The index of a string in the dictionary.

    [[nodiscard]] bool is_text() const noexcept {
        return kind == otlp::any_value["string_value"] ||
               kind == otlp::any_value["string_value_strindex"];
    }
    [[nodiscard]] bool is_integer() const noexcept { return kind == otlp::any_value["int_value"]; }
    [[nodiscard]] bool is_list() const noexcept { return kind == otlp::any_value["array_value"]; }
    [[nodiscard]] bool is_true() const noexcept {
        return kind == otlp::any_value["bool_value"] && number != 0;
    }
    /// The text of a value that is_text().
    [[nodiscard]] std::string_view text(const otlp_dictionary& dictionary) const noexcept {
        return kind == otlp::any_value["string_value"] ? bytes : dictionary.text(string);
    }
};

/// An attribute of the dictionary, or of a resource.
struct otlp_attribute {
    std::uint32_t key_index = 0; ///< The index of an attribute's key in the dictionary.
    std::string_view key{};
    otlp_value value{};
    std::uint32_t unit = 0; ///< An index of a string.
};

/// An AnyValue. O(1), also below, as no field is there twice.
/// @throws error malformed; also below.
otlp_value read_value(const otlp_dictionary& dictionary, std::string_view message) {
    otlp_value result;
    otlp_reader fields = dictionary.reader(otlp::any_value, message);
    while (fields.next()) {
        if (result.kind != 0) {
            fields.fail("is a second value");
        }
        result.kind = fields.number();
        switch (result.kind) {
        case otlp::any_value["bool_value"]:
        case otlp::any_value["int_value"]:
            result.number = fields.varint();
            break;
        case otlp::any_value["double_value"]:
            result.number = fields.fixed64();
            break;
        case otlp::any_value["string_value_strindex"]:
            result.string = fields.index(dictionary.strings.size());
            break;
        default:
            result.bytes = fields.bytes();
        }
    }
    return result;
}

/// A KeyValueAndUnit of the dictionary.
/// @param index is that of the attribute, checked and not 0.
otlp_attribute read_attribute(const otlp_dictionary& dictionary, std::uint32_t index) {
    otlp_attribute result;
    otlp_reader fields = dictionary.reader(otlp::attribute, dictionary.attributes[index]);
    while (fields.next()) {
        switch (fields.number()) {
        case otlp::attribute["key_strindex"]:
            result.key_index = fields.index(dictionary.strings.size());
            result.key = dictionary.text(result.key_index);
            break;
        case otlp::attribute["unit_strindex"]:
            result.unit = fields.index(dictionary.strings.size());
            break;
        default:
            result.value = read_value(dictionary, fields.bytes());
        }
    }
    return result;
}

/// A KeyValue.
otlp_attribute read_key_value(const otlp_dictionary& dictionary, std::string_view message) {
    otlp_attribute result;
    otlp_reader fields = dictionary.reader(otlp::key_value, message);
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
        switch (fields.number()) {
        case otlp::key_value["key"]:
            set_key(fields.bytes());
            break;
        case otlp::key_value["key_strindex"]:
            set_key(dictionary.text(fields.index(dictionary.strings.size())));
            break;
        default:
            result.value = read_value(dictionary, fields.bytes());
        }
    }
    return result;
}

/// Calls `visit(const otlp_value&)` for each element of a value that is_list().
template <typename Visit>
void for_each_element(const otlp_dictionary& dictionary, const otlp_value& list, Visit&& visit) {
    otlp_reader fields = dictionary.reader(otlp::array_value, list.bytes);
    while (fields.next()) {
        visit(read_value(dictionary, fields.bytes()));
    }
}

/// Prints a value as text: a string as it is, "true", numbers with as many digits as they need,
/// bytes in hexadecimal digits, and lists as JSON.
class value_printer {
public:
    /// @param budget pays for the size of the text.
    value_printer(const otlp_dictionary& dictionary, budget& budget)
        : m_dictionary{dictionary}, m_budget{budget} {}

    /// @param depth is the number of lists that the value lies in.
    /// @throws error malformed, also for lists that are nested deeper than 32; too_large.
    void print(const otlp_value& value, int depth = 0) {
        switch (value.kind) {
        case 0:
            append(depth == 0 ? "" : "null");
            break;
        case otlp::any_value["bool_value"]:
            append(value.number != 0 ? "true" : "false");
            break;
        case otlp::any_value["int_value"]:
            append(std::to_string(static_cast<std::int64_t>(value.number)));
            break;
        case otlp::any_value["double_value"]:
            append(json_number(std::bit_cast<double>(value.number)));
            break;
        case otlp::any_value["bytes_value"]:
            append(depth == 0 ? "" : "\"");
            append(hexadecimal(value.bytes));
            append(depth == 0 ? "" : "\"");
            break;
        case otlp::any_value["array_value"]:
            append("[");
            print_list(otlp::array_value, value.bytes, depth + 1);
            append("]");
            break;
        case otlp::any_value["kvlist_value"]:
            append("{");
            print_list(otlp::key_value_list, value.bytes, depth + 1);
            append("}");
            break;
        default:
            print_text(value.text(m_dictionary), depth);
        }
    }

    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

private:
    void append(std::string_view part) {
        m_budget.charge(2 * part.size()); // a text that grows is there twice meanwhile
        m_text += part;
    }

    void print_text(std::string_view text, int depth) {
        if (depth == 0) {
            append(text);
        } else {
            m_budget.charge(6 * text.size()); // as much as its bytes may become
            append(json_string(text));
        }
    }

    void print_list(const otlp::message& schema, std::string_view message, int depth) {
        // protobuf's own readers stop at 100 levels, and no attribute needs more than a few.
        constexpr int deepest = 32;
        otlp_reader fields = m_dictionary.reader(schema, message);
        for (bool is_first = true; fields.next(); is_first = false) {
            if (depth > deepest) {
                fields.fail("is nested deeper than " + std::to_string(deepest));
            }
            append(is_first ? "" : ",");
            if (&schema == &otlp::array_value) {
                print(read_value(m_dictionary, fields.bytes()), depth);
                continue;
            }
            const otlp_attribute member = read_key_value(m_dictionary, fields.bytes());
            print_text(member.key, depth);
            append(":");
            print(member.value, depth);
        }
    }

    const otlp_dictionary& m_dictionary;
    budget& m_budget;
    std::string m_text;
};

/// The string table of the profile that is made: that of the dictionary, so that indices stay what
/// they are, and behind it what else is needed.
class otlp_strings {
public:
    /// The dictionary and the budget outlive this.
    otlp_strings(const otlp_dictionary& dictionary, budget& budget)
        : m_dictionary{dictionary}, m_budget{budget} {}

    /// The number of a string that the dictionary need not have. O(length)
    /// @throws error too_large.
    [[nodiscard]] std::uint32_t number(std::string_view text) {
        if (text.empty()) {
            return 0;
        }
        m_budget.charge(text.size()); // whether or not it is known: to look costs time as well
        const std::uint32_t known = m_texts.size();
        const std::uint32_t place = m_texts.find_or_add(hash_bytes(text));
        if (place == known) {
            append_bytes(m_fields, field::profile::string_table, text);
        }
        return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.strings.size(), 1)) +
               place;
    }
    /// The number of a value that is_text().
    [[nodiscard]] std::uint32_t number(const otlp_value& text) {
        return text.kind == otlp::any_value["string_value"] ? number(text.bytes) : text.string;
    }

    /// Appends the table to a profile.
    void append_to(std::string& profile) const {
        if (m_dictionary.strings.empty()) {
            append_bytes(profile, field::profile::string_table, "");
        }
        for (const record string : m_dictionary.strings) {
            append_bytes(profile, field::profile::string_table, m_dictionary.at(string));
        }
        profile += m_fields;
    }

private:
    const otlp_dictionary& m_dictionary;
    budget& m_budget;
    key_table m_texts;
    std::string m_fields;
};

/// Makes the labels of samples, as fields of pprof's Sample, from what samples of OTLP refer to.
/// A label that is referred to often is made once.
class otlp_labels {
public:
    /// All have to outlive this.
    otlp_labels(const otlp_dictionary& dictionary, otlp_strings& strings, budget& budget)
        : m_dictionary{dictionary}, m_strings{strings}, m_budget{budget} {}

    /// The number of the set of attributes that a sample has; 0 for none. The order of the indices
    /// counts here, which does no harm, as labels are a set when samples are compared.
    /// @param sample stands at the field that has them.
    /// @throws error malformed, also for a key that is there twice; too_large; also below.
    [[nodiscard]] std::uint32_t set_of(otlp_reader& sample) {
        const std::string_view packed = sample.bytes();
        if (packed.empty()) {
            return 0;
        }
        // Most samples that have attributes have one.
        const char* const end = packed.data() + packed.size();
        const decoded_varint first = decode_varint(packed.data(), end, m_dictionary.bytes().data());
        if (first.end != end || first.number >= m_dictionary.attributes.size()) {
            return find_set(packed, sample);
        }
        if (m_sets_of_one.empty()) {
            m_sets_of_one.resize(m_dictionary.attributes.size());
        }
        std::uint32_t& set = m_sets_of_one[first.number];
        set = set == 0 ? find_set(packed, sample) : set;
        return set;
    }

    /// The labels of a Resource, of whose attributes all become some: `resource.service.name`. They
    /// do not depend on the order of attributes. O(size), so it is to be read once, and not for
    /// each of its scopes.
    [[nodiscard]] record of_resource(record resource) {
        std::vector<otlp_attribute> attributes;
        for_each_field(m_dictionary.reader(otlp::resource, resource), otlp::resource["attributes"],
                       [&](otlp_reader& field) {
                           m_budget.charge(sizeof(otlp_attribute)); // as an empty one takes it, too
                           attributes.push_back(read_key_value(m_dictionary, field.bytes()));
                           m_budget.charge(attributes.back().key.size()); // before it is compared
                       });
        std::ranges::stable_sort(attributes, {}, &otlp_attribute::key);
        const std::size_t begin = m_fields.size();
        for (const otlp_attribute& each : attributes) {
            const std::uint32_t key =
                m_strings.number(std::string{otlp::resource_prefix} += each.key);
            append(key, each.value, std::nullopt);
        }
        return since(begin);
    }

    /// The number of the set of labels of a resource and of a scope in it. Equal ones have one
    /// number, which is none of set_of().
    /// @param resource comes from of_resource().
    /// @param scope    an InstrumentationScope, whose name becomes the label `otel.scope.name`. Its
    ///                 version is none, as it can change while the process goes on.
    [[nodiscard]] std::uint32_t set_of_source(record resource, record scope) {
        const std::size_t begin = m_fields.size();
        append_copy(resource);
        std::string_view name;
        for_each_field(m_dictionary.reader(otlp::scope, scope), otlp::scope["name"],
                       [&](otlp_reader& field) { name = field.bytes(); });
        if (!name.empty()) {
            append_label(
                {.key = m_strings.number(otlp::scope_name), .text = m_strings.number(name)});
        }
        const record made = since(begin);
        const std::uint32_t place =
            m_sources.find_or_add(hash_bytes(at(made)), [&] { return add_set(made); });
        if (m_sets[m_sources[place]].offset != made.offset) {
            m_fields.resize(begin); // it is there already
        }
        return m_sources[place];
    }

    /// The place of a set's labels, for at().
    [[nodiscard]] record set(std::uint32_t number) const { return m_sets[number]; }

    /// The labels of a link: the ids of its trace and its span, in hexadecimal digits.
    /// @param index checked; nothing for 0.
    [[nodiscard]] record link(std::uint32_t index) {
        if (index == 0) {
            return {0, 0};
        }
        if (m_links.empty()) {
            m_links.resize(m_dictionary.links.size(), unknown);
        }
        if (m_links[index].offset == unknown.offset) {
            m_links[index] = read_link(m_dictionary.links[index]);
        }
        return m_links[index];
    }

    /// Valid until the next call of a function that is not const.
    [[nodiscard]] std::string_view at(record labels) const noexcept {
        return {m_fields.data() + labels.offset, labels.size};
    }

private:
    void append_label(const label_record& label) {
        auto fields = numbers_of(label);
        const std::string_view message = fields.as_field(field::sample::label);
        m_budget.charge(message.size());
        m_fields += message;
    }

    // @param unit none for what is of a resource, whose strings get one number for one text here.
    void append_one(std::uint32_t key, const otlp_value& value, std::optional<std::uint32_t> unit) {
        label_record label{.key = key};
        if (value.is_integer()) {
            label.number = value.number;
            label.unit = unit.value_or(0);
        } else if (value.is_text()) { // without a copy of what may be long
            label.text =
                unit ? m_strings.number(value) : m_strings.number(value.text(m_dictionary));
        } else {
            value_printer printer{m_dictionary, m_budget};
            printer.print(value);
            label.text = m_strings.number(printer.text());
        }
        append_label(label);
    }

    // A list of strings and integers is what pprof has as several labels of one key, some maybe
    // with nothing but the key.
    void append(std::uint32_t key, const otlp_value& value, std::optional<std::uint32_t> unit) {
        std::size_t elements = 0;
        bool is_plain = value.is_list();
        if (value.is_list()) {
            for_each_element(m_dictionary, value, [&](const otlp_value& each) {
                ++elements;
                is_plain = is_plain && (each.kind == 0 || each.is_text() || each.is_integer());
            });
        }
        if (is_plain && elements != 0) {
            for_each_element(m_dictionary, value,
                             [&](const otlp_value& each) { append_one(key, each, unit); });
        } else {
            append_one(key, value, unit);
        }
    }

    void append_copy(record labels) {
        m_budget.charge(labels.size);
        m_fields.append(m_fields, labels.offset, labels.size);
    }

    record read_link(record message) {
        std::string_view trace;
        std::string_view span;
        otlp_reader fields = m_dictionary.reader(otlp::link, message);
        while (fields.next()) {
            const bool is_trace = fields.number() == otlp::link["trace_id"];
            const std::size_t size = is_trace ? otlp::trace_id_size : otlp::span_id_size;
            const std::string_view id = fields.bytes();
            if (!id.empty() && id.size() != size) {
                fields.fail("has " + std::to_string(id.size()) + " bytes, not " +
                            std::to_string(size));
            }
            (is_trace ? trace : span) = id;
        }
        const std::size_t begin = m_fields.size();
        for (const auto& [key, id] :
             {std::pair{otlp::trace_id, trace}, std::pair{otlp::span_id, span}}) {
            if (id.find_first_not_of('\0') != std::string_view::npos) {
                append_label(
                    {.key = m_strings.number(key), .text = m_strings.number(hexadecimal(id))});
            }
        }
        return since(begin);
    }

    // The labels of an attribute.
    record attribute(std::uint32_t index) {
        if (m_attributes.empty()) {
            m_attributes.resize(m_dictionary.attributes.size(), unknown);
            m_key_of.resize(m_dictionary.attributes.size());
        }
        if (m_attributes[index].offset == unknown.offset) {
            const otlp_attribute attribute = read_attribute(m_dictionary, index);
            const std::size_t begin = m_fields.size();
            append(attribute.key_index, attribute.value, attribute.unit);
            m_attributes[index] = since(begin);
            m_budget.charge(attribute.key.size()); // as many can have one, which is hashed
            m_key_of[index] = m_texts_of_keys.find_or_add(hash_bytes(attribute.key));
        }
        return m_attributes[index];
    }

    std::uint32_t find_set(std::string_view packed, otlp_reader& sample) {
        const std::uint32_t place = m_indices.find_or_add(hash_bytes(packed), [&] {
            m_set.clear();
            sample.for_each_index(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
                if (index == 0) {
                    sample.fail("refers to attribute 0, which stands for none");
                }
                m_set.push_back(index);
            });
            for (const std::uint32_t index : m_set) {
                attribute(index); // before the set, which has to be in one piece
            }
            m_keys.clear();
            const std::size_t begin = m_fields.size();
            for (const std::uint32_t index : m_set) {
                m_keys.push_back(m_key_of[index]);
                append_copy(m_attributes[index]);
            }
            std::ranges::sort(m_keys);
            const auto twice = std::ranges::adjacent_find(m_keys);
            if (twice != m_keys.end()) {
                const std::uint32_t one = *std::ranges::find_if(
                    m_set, [&](auto index) { return m_key_of[index] == *twice; });
                sample.fail("names two attributes with the key '" +
                            std::string{read_attribute(m_dictionary, one).key} + "'");
            }
            return add_set(since(begin));
        });
        return m_indices[place];
    }

    std::uint32_t add_set(record labels) {
        m_sets.push_back(labels);
        return static_cast<std::uint32_t>(m_sets.size() - 1);
    }

    [[nodiscard]] record since(std::size_t begin) const noexcept {
        return {static_cast<std::uint32_t>(begin),
                static_cast<std::uint32_t>(m_fields.size() - begin)};
    }

    static constexpr record unknown{0xffffffff, 0};

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    budget& m_budget;
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

/// The samples of all profiles: what has one stack, attributes, link and source is one sample, with
/// a value of each type.
class otlp_samples {
public:
    /// @param columns how many types there are. The others have to outlive this.
    otlp_samples(const otlp_dictionary& dictionary, otlp_labels& labels, budget& budget,
                 std::size_t columns)
        : m_dictionary{dictionary}, m_labels{labels}, m_budget{budget}, m_columns{columns},
          m_stacks(dictionary.stacks.size(), unread) {}

    /// Makes room for the rows of a profile of so many samples, once for all of them: each time
    /// what there is would be copied.
    void reserve(std::uint32_t most) {
        m_rows.table().reserve(most);
        m_values.reserve(std::min(most * m_columns, m_dictionary.bytes().size()));
    }

    /// Adds the samples of a profile. Profiles, of one type each, mostly list the same ones in the
    /// same order.
    /// @throws error malformed, too_large.
    void add(const otlp_profile_entry& profile) {
        m_rows.begin();
        const auto add_one = [&](std::string_view sample) {
            otlp::row row{.source = profile.labels};
            const std::int64_t value = read(m_dictionary.here(sample), row);
            m_rows.prefetch(row.key());
            m_waiting.emplace_back(row.key(), value);
            if (m_waiting.size() == most_waiting) {
                add_waiting(profile.column);
            }
        };
        for_each_field(m_dictionary.reader(otlp::profile, profile.message),
                       otlp::profile["samples"],
                       [&](otlp_reader& fields) { fields.run_of_bytes(add_one); });
        add_waiting(profile.column);
    }

    /// Appends all samples to a profile, in the order in which they first came.
    /// @throws error malformed, too_large.
    void append_to(std::string& profile) {
        const std::size_t room_of_numbers =
            message_head_room + 2 * longest_varint + number_field_room<std::int64_t>(m_columns);
        std::string scratch;
        for (std::uint32_t number = 0; number < m_rows.size(); ++number) {
            const otlp::row row = otlp::row::of(m_rows[number]);
            const std::string_view ids = ids_of(row.stack);
            const record link = m_labels.link(row.link);
            const std::array labels{m_labels.at(m_labels.set(row.source)),
                                    m_labels.at(m_labels.set(row.attributes)), m_labels.at(link)};
            grow_to(scratch, room_of_numbers + ids.size() + labels[0].size() + labels[1].size() +
                                 labels[2].size());
            char* const message = scratch.data() + message_head_room;
            char* end = message;
            if (!ids.empty()) {
                end = encode_tag(end, field::sample::location_id, wire_type::length_delimited);
                end = std::copy(ids.begin(), ids.end(), encode_varint(end, ids.size()));
            }
            end = encode_number_field(end, field::sample::value, &m_values[number * m_columns],
                                      m_columns);
            for (const std::string_view each : labels) {
                end = std::copy(each.begin(), each.end(), end);
            }
            m_budget.charge(static_cast<std::size_t>(end - message));
            append_finished(profile, field::profile::sample, message, end);
        }
    }

    /// Appends the location that stands for the zero value, if some stack has it.
    void append_location_of_zero(std::string& profile) const {
        if (m_uses_zero) {
            append_bytes(profile, field::profile::location,
                         numbers_of(location_record{.id = id_of_zero()}).bytes());
        }
    }

private:
    void add_waiting(std::size_t column) {
        for (const auto& [key, added] : m_waiting) {
            const std::size_t known = m_rows.size();
            const std::size_t place = m_rows.find_or_add(key);
            if (place == known) {
                m_budget.charge(m_columns * sizeof(std::int64_t));
                m_values.resize((known + 1) * m_columns);
            }
            std::int64_t& value = m_values[place * m_columns + column];
            value = wrapping_add(value, added);
        }
        m_waiting.clear();
    }

    // The sum of a sample's values, or how many times it has.
    std::int64_t read(record sample, otlp::row& row) {
        std::int64_t sum = 0;
        std::size_t values = 0;
        std::size_t times = 0;
        otlp_reader fields = m_dictionary.reader(otlp::sample, sample);
        while (fields.next()) {
            switch (fields.number()) {
            case otlp::sample["stack_index"]:
                row.stack = fields.index(m_dictionary.stacks.size());
                break;
            case otlp::sample["attribute_indices"]:
                row.attributes = m_labels.set_of(fields);
                break;
            case otlp::sample["link_index"]:
                row.link = fields.index(m_dictionary.links.size());
                break;
            case otlp::sample["values"]:
                fields.for_each_number([&](std::uint64_t value) {
                    sum = wrapping_add(sum, static_cast<std::int64_t>(value));
                    ++values;
                });
                break;
            default: {
                const std::size_t size = fields.bytes().size();
                times = size / sizeof(std::uint64_t);
                if (size % sizeof(std::uint64_t) != 0) {
                    fields.fail("does not consist of numbers of eight bytes");
                }
            }
            }
        }
        if (values == 0 ? times == 0 : times != 0 && times != values) {
            throw error{error_kind::malformed,
                        values == 0 ? "a Sample has neither values nor timestamps_unix_nano; "
                                      "pprofdelta reads OTLP profiles of 1.10 and 1.11"
                                    : "a Sample has " + std::to_string(values) + " values and " +
                                          std::to_string(times) + " timestamps_unix_nano",
                        sample.offset};
        }
        return values == 0 ? static_cast<std::int64_t>(times) : sum;
    }

    // The packed ids of a stack's locations.
    std::string_view ids_of(std::uint32_t stack) {
        if (stack == 0) {
            return {};
        }
        const std::size_t end_of_message = m_dictionary.bytes().size();
        record& ids = m_stacks[stack];
        if (ids.offset == unread.offset) {
            ids = {0, 0};
            otlp_reader fields = m_dictionary.reader(otlp::stack, m_dictionary.stacks[stack]);
            while (fields.next()) {
                ids = read_indices(fields);
            }
        }
        return ids.offset < end_of_message
                   ? m_dictionary.at(ids)
                   : std::string_view{m_own_ids}.substr(ids.offset - end_of_message, ids.size);
    }

    // Ids are indices, so what is there is what the sample has, unless there is an unknown frame.
    record read_indices(otlp_reader& stack) {
        const std::string_view packed = stack.bytes();
        const std::size_t known = m_dictionary.locations.size();
        const char* const limit = m_dictionary.bytes().data() + m_dictionary.bytes().size();
        grow_to(m_ids, packed_room(packed.size()));
        if (known != 0 && decode_ordinals(packed, limit, known - 1, m_ids.data()) != not_decoded) {
            return m_dictionary.here(packed);
        }
        bool has_zero = false;
        std::string rewritten;
        stack.for_each_index(packed, known, [&](std::uint32_t index) {
            has_zero = has_zero || index == 0;
            append_varint(rewritten, index == 0 ? id_of_zero() : index);
        });
        if (!has_zero) {
            return m_dictionary.here(packed);
        }
        m_uses_zero = true;
        m_budget.charge(rewritten.size());
        const std::size_t begin = m_dictionary.bytes().size() + m_own_ids.size();
        m_own_ids += rewritten;
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(rewritten.size())};
    }

    // The zero value cannot have its index: a location with the id 0 is refused by google/pprof.
    [[nodiscard]] std::uint32_t id_of_zero() const noexcept {
        return static_cast<std::uint32_t>(std::max<std::size_t>(m_dictionary.locations.size(), 1));
    }

    static constexpr record unread{0xffffffff, 0};
    static constexpr std::size_t most_waiting = 16;

    const otlp_dictionary& m_dictionary;
    otlp_labels& m_labels;
    budget& m_budget;
    std::size_t m_columns;
    recurring_keys m_rows;                                   // see otlp::row
    std::vector<std::int64_t> m_values;                      // by row, and in it by column
    std::vector<std::pair<hash128, std::int64_t>> m_waiting; // for memory of m_rows to be fetched
    std::vector<record> m_stacks; // packed ids, in the message or, beyond it, in m_own_ids
    std::string m_own_ids;
    std::vector<std::uint32_t> m_ids; // of the stack at hand, and more
    bool m_uses_zero = false;
};

/// Makes the mappings, locations and functions of a profile. They have the fields of OTLP's, with
/// numbers that are higher by one, as an id stands before them where OTLP has the place in the
/// table. Hence they are copies, but for attributes.
class otlp_tables {
public:
    otlp_tables(const otlp_dictionary& dictionary, otlp_strings& strings) noexcept
        : m_dictionary{dictionary}, m_strings{strings} {}

    /// Appends all to a profile, with their indices as ids, and without the zero values.
    /// @throws error malformed, too_large.
    void append_to(std::string& profile) {
        const auto append = [&](field::profile table, const std::vector<record>& elements,
                                void (otlp_tables::*read)(record)) {
            for (std::uint32_t id = 1; id < elements.size(); ++id) {
                m_message = m_dictionary.at(elements[id]);
                m_record.clear();
                append_number(m_record, field::location::id, id);
                m_copy = m_record.size();
                m_record += m_message;
                m_dropped = {0, 0};
                (this->*read)(elements[id]);
                m_record.erase(m_dropped.offset, m_dropped.size);
                append_bytes(profile, table, m_record);
            }
        };
        append(field::profile::mapping, m_dictionary.mappings, &otlp_tables::read_mapping);
        append(field::profile::location, m_dictionary.locations, &otlp_tables::read_location);
        append(field::profile::function, m_dictionary.functions, &otlp_tables::read_function);
    }

private:
    void read_mapping(record message) {
        mapping_record mapping;
        // The build id that counts is the first in the list of their names.
        const auto* best = otlp::build_ids.end();
        otlp_reader fields = m_dictionary.reader(otlp::mapping, message);
        while (fields.next()) {
            switch (fields.number()) {
            case otlp::mapping["attribute_indices"]:
                use_attributes(fields, [&](const otlp_attribute& attribute) {
                    const auto* const place =
                        std::find(otlp::build_ids.begin(), best, attribute.key);
                    if (place != best && attribute.value.is_text()) {
                        best = place;
                        mapping.build_id = m_strings.number(attribute.value);
                    }
                    for (const otlp::mapping_flag& flag : otlp::mapping_flags) {
                        if (attribute.key == flag.name) {
                            mapping.*flag.value = attribute.value.is_true() ? 1 : 0;
                        }
                    }
                });
                continue;
            case otlp::mapping["filename_strindex"]:
                fields.index(m_dictionary.strings.size());
                break;
            default:
                fields.skip();
            }
            keep(fields);
        }
        m_record += numbers_of(mapping).bytes();
    }

    void read_location(record message) {
        bool is_folded = false;
        otlp_reader fields = m_dictionary.reader(otlp::location, message);
        while (fields.next()) {
            switch (fields.number()) {
            case otlp::location["attribute_indices"]:
                use_attributes(fields, [&](const otlp_attribute& attribute) {
                    is_folded = is_folded ||
                                (attribute.key == otlp::is_folded && attribute.value.is_true());
                });
                continue;
            case otlp::location["mapping_index"]:
                fields.index(m_dictionary.mappings.size());
                break;
            case otlp::location["lines"]:
                check_line(fields.bytes());
                break;
            default:
                fields.skip();
            }
            keep(fields);
        }
        append_number(m_record, field::location::is_folded, is_folded ? 1 : 0);
    }

    // A line is the same message in both formats, and so are the numbers of functions.
    void check_line(std::string_view line) const {
        for_each_field(m_dictionary.reader(otlp::line, line), otlp::line["function_index"],
                       [&](otlp_reader& field) { field.index(m_dictionary.functions.size()); });
    }

    void read_function(record message) {
        otlp_reader fields = m_dictionary.reader(otlp::function, message);
        while (fields.next()) {
            if (fields.number() == otlp::function["start_line"]) {
                fields.skip();
            } else {
                fields.index(m_dictionary.strings.size());
            }
            keep(fields);
        }
    }

    // The field at hand is one of pprof's.
    void keep(const otlp_reader& fields) {
        constexpr char next_number = 1 << 3;
        char& tag = m_record[place_of(fields)];
        tag = static_cast<char>(tag + next_number);
    }

    // The field at hand has attributes, which are not among the fields that are kept.
    template <typename Visit>
    void use_attributes(otlp_reader& fields, Visit&& visit) {
        const std::string_view packed = fields.bytes();
        m_dropped = {static_cast<std::uint32_t>(place_of(fields)),
                     static_cast<std::uint32_t>(fields.field().size())};
        fields.for_each_index(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
            if (index != 0) {
                visit(read_attribute(m_dictionary, index));
            }
        });
    }

    [[nodiscard]] std::size_t place_of(const otlp_reader& fields) const noexcept {
        return m_copy + static_cast<std::size_t>(fields.field().data() - m_message.data());
    }

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    // The message at hand and its record.
    std::string_view m_message;
    std::string m_record;
    std::size_t m_copy = 0; // where the message is in the record
    record m_dropped{0, 0}; // what of the record is not kept
};

/// The fields at the top level of the profile that is made, gathered from all profiles of a
/// message.
class otlp_header {
public:
    /// All have to outlive this.
    otlp_header(const otlp_dictionary& dictionary, otlp_strings& strings, budget& budget)
        : m_dictionary{dictionary}, m_strings{strings}, m_budget{budget} {}

    /// The place of a profile's type among those that are there.
    /// @throws error malformed; too_large for more than 1024 of them.
    std::size_t add_type(const otlp_profile_entry& profile) {
        const value_type_record wanted = read_type(profile.sample_type);
        const std::string_view name = m_dictionary.text(wanted.type);
        const std::string_view unit = m_dictionary.text(wanted.unit);
        if (name.empty()) {
            throw error{error_kind::malformed,
                        "ValueType.type_strindex of a sample type refers to an empty string",
                        profile.sample_type.offset};
        }
        m_budget.charge(name.size() + unit.size()); // as many can have one name, which is hashed
        const hash128 key = hash_words(hash_bytes(name), hash_bytes(unit));
        const std::uint32_t place = m_types.find_or_add(key, [&] { return wanted; });
        if (m_types.size() > max_sample_types) {
            throw error{error_kind::too_large, "the profiles have more than " +
                                                   std::to_string(max_sample_types) +
                                                   " sample types"};
        }
        return place;
    }
    [[nodiscard]] std::size_t types() const noexcept { return m_types.size(); }

    /// Takes the times, the period and what attributes say.
    /// @throws error malformed, too_large; also below.
    void add_profile(const otlp_profile_entry& profile) {
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

    /// Takes what attributes of an InstrumentationScope say.
    void add_scope(record scope) {
        for_each_field(
            m_dictionary.reader(otlp::scope, scope), otlp::scope["attributes"],
            [&](otlp_reader& field) { use(read_key_value(m_dictionary, field.bytes())); });
    }

    /// The order of the types, if a scope has it: for each of its profiles, the place that its type
    /// had in the profile of pprof that they were made from.
    [[nodiscard]] std::vector<std::int64_t> order_of(record scope) const {
        std::vector<std::int64_t> order;
        for_each_field(m_dictionary.reader(otlp::scope, scope), otlp::scope["attributes"],
                       [&](otlp_reader& field) {
                           const auto read = read_key_value(m_dictionary, field.bytes());
                           if (read.key == otlp::sample_type_order && read.value.is_list()) {
                               for_each_element(m_dictionary, read.value, [&](const auto& place) {
                                   order.push_back(static_cast<std::int64_t>(place.number));
                               });
                           }
                       });
        return order;
    }

    void append_types_to(std::string& profile) const {
        for (const value_type_record& type : m_types.values()) {
            append_bytes(profile, field::profile::sample_type, numbers_of(type).bytes());
        }
    }

    void append_to(std::string& profile) const {
        append_number(profile, field::profile::drop_frames, m_drop_frames);
        append_number(profile, field::profile::keep_frames, m_keep_frames);
        append_number(profile, field::profile::time_nanos,
                      m_is_delta || has_time_of_its_end(types_by_name()) ? m_last_time
                                                                         : m_first_time);
        append_number(profile, field::profile::duration_nanos, duration());
        if (m_has_period && !m_has_several_periods) {
            append_bytes(profile, field::profile::period_type, numbers_of(m_period_type).bytes());
            append_number(profile, field::profile::period, static_cast<std::uint64_t>(m_period));
        }
        for (const std::uint32_t comment : m_comments.values()) {
            append_number(profile, field::profile::comment, comment);
        }
        append_number(profile, field::profile::default_sample_type, m_default_type);
        append_number(profile, field::profile::doc_url, m_doc_url);
    }

private:
    [[nodiscard]] value_type_record read_type(record message) const {
        value_type_record result;
        otlp_reader fields = m_dictionary.reader(otlp::value_type, message);
        while (fields.next()) {
            const std::uint32_t index = fields.index(m_dictionary.strings.size());
            const bool is_name = fields.number() == otlp::value_type["type_strindex"];
            (is_name ? result.type : result.unit) = index;
        }
        return result;
    }

    // pprof has one period. One that is not that of all types would be wrong, so there is none
    // then.
    void add_period(const value_type_record& period_type, std::int64_t period) {
        if (period == 0 && period_type == value_type_record{}) {
            return;
        }
        const auto is_same = [&](std::uint64_t a, std::uint64_t b) {
            const std::string_view text = m_dictionary.text(a);
            m_budget.charge(a == b ? 0 : text.size());     // which many profiles can have
            return a == b || text == m_dictionary.text(b); // it may be in the dictionary twice
        };
        m_has_several_periods = m_has_several_periods ||
                                (m_has_period && !(m_period == period &&
                                                   is_same(m_period_type.type, period_type.type) &&
                                                   is_same(m_period_type.unit, period_type.unit)));
        m_has_period = true;
        m_period = period;
        m_period_type = period_type;
    }

    void use(const otlp_attribute& attribute) {
        const auto& [index, key, value, unit] = attribute;
        if (key == otlp::comment) {
            add_comments(value);
            return;
        }
        if (!value.is_text()) {
            return;
        }
        m_is_delta = m_is_delta ||
                     (key == otlp::temporality && value.text(m_dictionary) == otlp::is_a_delta);
        for (const auto& [name, string] :
             {std::pair{otlp::doc_url, &m_doc_url}, std::pair{otlp::drop_frames, &m_drop_frames},
              std::pair{otlp::keep_frames, &m_keep_frames},
              std::pair{otlp::default_sample_type, &m_default_type}}) {
            if (key == name) {
                *string = m_strings.number(value);
            }
        }
    }

    // Each profile of a message has those that all have in common.
    void add_comments(const otlp_value& value) {
        const auto add = [&](const otlp_value& text) {
            const std::string_view content = text.text(m_dictionary);
            // The budget pays, as many profiles can have one list, which is read each time.
            m_budget.charge(sizeof(text) + content.size());
            if (text.is_text()) {
                m_comments.find_or_add(hash_bytes(content), [&] { return m_strings.number(text); });
            }
        };
        if (value.is_list()) {
            for_each_element(m_dictionary, value, add);
        } else {
            add(value);
        }
    }

    [[nodiscard]] std::vector<value_type> types_by_name() const {
        std::vector<value_type> types;
        for (const value_type_record& type : m_types.values()) {
            types.push_back({std::string{m_dictionary.text(type.type)},
                             std::string{m_dictionary.text(type.unit)}});
        }
        return types;
    }

    // The time from the start of the first profile to the end of the last one. Totals have none,
    // and a duration would make them look like deltas, so there is none unless a profile has one.
    [[nodiscard]] std::uint64_t duration() const noexcept {
        if (m_longest == 0) {
            return 0;
        }
        return m_first_time == 0 ? m_longest : m_last_time - m_first_time;
    }

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    budget& m_budget;
    keyed_list<value_type_record> m_types;
    value_type_record m_period_type;
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

// The profiles of a message, in the order that their types had in the profile of pprof that they
// were made from, where all profiles of a scope have a place there. The rest stays as it is.
std::vector<std::size_t> in_order_of_types(const otlp_contents& contents,
                                           const otlp_header& header) {
    std::vector<std::size_t> sequence(contents.profiles.size());
    std::iota(sequence.begin(), sequence.end(), std::size_t{0});
    for (auto first = sequence.begin(); first != sequence.end();) {
        const std::uint32_t source = contents.profiles[*first].source;
        const auto end = std::find_if(first, sequence.end(), [&](std::size_t i) {
            return contents.profiles[i].source != source;
        });
        const std::vector<std::int64_t> order = header.order_of(contents.sources[source].scope);
        if (order.size() == static_cast<std::size_t>(end - first)) {
            const std::size_t start = *first;
            std::stable_sort(first, end, [&](std::size_t a, std::size_t b) {
                return order[a - start] < order[b - start];
            });
        }
        first = end;
    }
    return sequence;
}

// Intervals that do not overlap can be added up. Two moments cannot: what they have are totals, or
// what is in use.
void require_apart(std::vector<otlp_profile_entry> profiles) {
    const auto end = [](const otlp_profile_entry& each) { return each.time + each.duration; };
    const auto order = [&](const otlp_profile_entry& each) {
        return std::tuple{each.labels, each.column, each.time, end(each), each.sample_type.offset};
    };
    std::ranges::sort(profiles, {}, order);
    const auto clash = std::ranges::adjacent_find(profiles, [&](const auto& a, const auto& b) {
        return a.labels == b.labels && a.column == b.column &&
               (a.duration == 0 || b.duration == 0 || b.time < end(a));
    });
    if (clash != profiles.end()) {
        throw error{error_kind::incompatible,
                    "two profiles of one resource, scope and type overlap in time or have no "
                    "duration, so they cannot be added up; read each on its own",
                    (clash + 1)->sample_type.offset};
    }
}

void convert(std::string_view bytes, std::string& profile, std::size_t max_size) {
    otlp_contents contents{bytes};
    const otlp_dictionary& dictionary = contents.dictionary;
    budget budget = otlp::budget_of_message(bytes.size(), max_size);
    otlp_strings strings{dictionary, budget};
    otlp_labels labels{dictionary, strings, budget};
    otlp_header header{dictionary, strings, budget};

    std::vector<record> resources;
    for (const record resource : contents.resources) {
        resources.push_back(labels.of_resource(resource));
    }
    std::vector<std::uint32_t> sources;
    for (const otlp_source& source : contents.sources) {
        sources.push_back(labels.set_of_source(resources[source.resource], source.scope));
        header.add_scope(source.scope);
    }
    for (const std::size_t i : in_order_of_types(contents, header)) {
        contents.profiles[i].column = header.add_type(contents.profiles[i]);
    }
    for (otlp_profile_entry& each : contents.profiles) {
        each.labels = sources[each.source];
        header.add_profile(each);
    }
    otlp_samples samples{dictionary, labels, budget, header.types()};
    samples.reserve(std::ranges::max(contents.profiles, {}, &otlp_profile_entry::samples).samples);
    for (const otlp_profile_entry& each : contents.profiles) {
        samples.add(each);
    }
    require_apart(std::move(contents.profiles));

    profile.clear();
    profile.reserve(std::min(bytes.size() + bytes.size() / 8, max_size)); // which most have
    header.append_types_to(profile);
    samples.append_to(profile);
    otlp_tables{dictionary, strings}.append_to(profile);
    samples.append_location_of_zero(profile);
    header.append_to(profile);
    strings.append_to(profile);
    require_within(profile.size(), max_size);
}

// The last member of a oneof counts, with the parts of it that follow each other.
std::string_view last_member(std::string_view any_value) {
    message_reader fields{any_value, any_value.data()};
    const char* begin = any_value.data();
    for (std::uint32_t number = 0; fields.next(); fields.skip()) {
        if (fields.number() != number) {
            number = fields.number();
            begin = fields.start();
        }
    }
    return any_value.substr(static_cast<std::size_t>(begin - any_value.data()));
}

// Whether a Sample looks like one of 1.9, whose values are packed in what is attribute_indices now,
// and whose link_index is the number in what is values now.
bool is_of_1_9(std::string_view sample) {
    bool has_link = false;
    bool has_packed = false;
    message_reader fields{sample, sample.data()};
    for (; fields.next(); fields.skip()) {
        const bool is_values = fields.number() == otlp::sample["values"];
        if (is_values && fields.is_bytes()) {
            return false;
        }
        has_link = has_link || is_values;
        has_packed = has_packed || fields.is_bytes();
    }
    return has_link && has_packed;
}

// The field of the schema that the current one is, packed or not; or nullptr.
const otlp::field* find_field(const otlp::message& schema, const message_reader& fields) {
    const otlp::field* const field = schema.find(fields.number());
    return field != nullptr && (fields.type() == field->wire || fields.type() == field->packed)
               ? field
               : nullptr;
}

// Whether a message without others in it is in the usual form, with its fields in their order.
bool is_plain(const otlp::message& schema, std::string_view message) {
    message_reader fields{message, message.data()};
    for (std::uint32_t before = 0; fields.next(); fields.skip()) {
        const otlp::field* const field = find_field(schema, fields);
        if (field == nullptr || field->holds != nullptr || field->wire != fields.type() ||
            fields.number() <= before) {
            return false;
        }
        before = fields.number();
    }
    return true;
}

// The same message in the one form that is read: parts of a message joined, numbers packed, and
// without what a later field overwrites. Protobuf lets a writer do all of it, and none does, so
// nothing here is fast. Fields that the schema does not have are left, to be refused by name.
std::string plain_form(const otlp::message& schema, std::string_view message, budget& budget,
                       int depth = 0) {
    constexpr int deepest = 80; // which has more lists in lists than are read
    budget.charge(message.size());
    if (depth > deepest || is_plain(schema, message) ||
        (&schema == &otlp::sample && is_of_1_9(message))) {
        return std::string{message};
    }
    if (&schema == &otlp::any_value) {
        message = last_member(message);
    }
    std::string plain;
    // One number after the other, and at 0 what the schema does not have.
    for (std::uint32_t number = 0; number <= schema.fields.size(); ++number) {
        const otlp::message* joined_message = nullptr;
        std::string joined; // the parts of a message, or packed numbers
        std::string_view last;
        message_reader fields{message, message.data()};
        while (fields.next()) {
            const otlp::field* const known = find_field(schema, fields);
            if (number != (known == nullptr ? 0 : fields.number())) {
                fields.skip();
            } else if (known == nullptr || (known->holds == nullptr && known->is_repeated)) {
                plain += fields.raw();
            } else if (fields.is_fixed64() && known->packed == wire_type::fixed64) {
                const std::string_view field = fields.raw();
                joined += field.substr(field.size() - sizeof(std::uint64_t));
            } else if (known->packed != wire_type::unknown) {
                joined += fields.packed();
            } else if (known->holds == nullptr) {
                last = fields.raw();
            } else if (known->is_repeated) {
                append_bytes(plain, number,
                             plain_form(*known->holds, fields.bytes(), budget, depth + 1));
            } else {
                joined_message = known->holds;
                joined += fields.bytes();
            }
        }
        plain += last;
        if (joined_message != nullptr) {
            joined = plain_form(*joined_message, joined, budget, depth + 1);
        }
        if (joined_message != nullptr || !joined.empty()) {
            append_bytes(plain, number, joined);
        }
    }
    return plain;
}

} // namespace

// pprof's profile has more than the fields 1 and 2, without exception: a string table is required,
// in field 6, and readers refuse a profile that has none. OTLP's message has these two only. Hence
// neither can be the other, however hostile, and this looks at the numbers of all fields up to the
// first that decides. The content of field 1 spares the way past a million samples: pprof's is a
// ValueType, which begins with a varint, and OTLP's a ResourceProfiles, which has none.
bool is_otlp_profile(std::string_view bytes) noexcept {
    try {
        bool has_resource = false;
        message_reader fields{bytes, bytes.data()};
        while (fields.next()) {
            if (otlp::profiles_data.find(fields.number()) == nullptr || !fields.is_bytes()) {
                return false;
            }
            const std::string_view content = fields.bytes();
            if (fields.number() == otlp::profiles_data["resource_profiles"] && !has_resource &&
                !content.empty()) {
                message_reader resource{content, bytes.data()};
                has_resource = resource.next() && resource.is_bytes();
                if (!has_resource) {
                    return false;
                }
            }
        }
        return has_resource;
    } catch (...) { // it need not be a message at all
        return false;
    }
}

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
            budget budget = otlp::budget_of_message(bytes.size(), max_size);
            plain = plain_form(otlp::profiles_data, bytes, budget);
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
