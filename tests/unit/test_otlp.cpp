// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/otlp_profile.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// Profiles of OTLP as such. tests/otlp makes them by Google's runtime, of real profiles.

namespace {

std::string number(std::uint32_t field, std::uint64_t value) {
    return message_builder{}.number(field, value).str();
}

std::string bytes(std::uint32_t field, std::string_view value) {
    return message_builder{}.bytes(field, value).str();
}

std::string packed(const std::vector<std::uint64_t>& numbers) {
    std::string bytes;
    for (const std::uint64_t number : numbers) {
        bytes += varint(number);
    }
    return bytes;
}

/// A ProfilesData of OTLP under construction. Elements of tables are messages, and element 0 of
/// each is the zero value from the start.
struct otlp_builder {
    std::vector<std::string> mappings{""};
    std::vector<std::string> locations{""};
    std::vector<std::string> functions{""};
    std::vector<std::string> links{""};
    std::vector<std::string> strings{""};
    std::vector<std::string> attributes{""};
    std::vector<std::string> stacks{""};
    std::vector<std::string> resources; ///< ResourceProfiles.

    /// The index of a string.
    std::uint64_t string(std::string_view text) {
        const auto found = std::find(strings.begin(), strings.end(), text);
        const auto index = static_cast<std::uint64_t>(found - strings.begin());
        if (found == strings.end()) {
            strings.emplace_back(text);
        }
        return index;
    }
    /// The index of a new function of that name, in a new location, in a new stack of its own.
    std::uint64_t stack_of(std::string_view function) {
        functions.push_back(number(1, string(function)));
        locations.push_back(bytes(3, number(1, functions.size() - 1) + number(2, 7)));
        stacks.push_back(bytes(1, packed({locations.size() - 1})));
        return stacks.size() - 1;
    }
    /// The index of a new attribute.
    std::uint64_t attribute(std::string_view key, const message_builder& any_value,
                            std::string_view unit = "") {
        attributes.push_back(number(1, string(key)) + bytes(2, any_value.str()) +
                             number(3, string(unit)));
        return attributes.size() - 1;
    }
    /// A ValueType.
    [[nodiscard]] std::string type(std::string_view name, std::string_view unit) {
        return number(1, string(name)) + number(2, string(unit));
    }
    /// Adds a resource with a scope and these profiles.
    /// @param resource a Resource.
    void add(const std::vector<std::string>& profiles, std::string_view resource = "",
             std::string_view scope = "") {
        std::string of_scope = bytes(1, scope);
        for (const std::string& each : profiles) {
            of_scope += bytes(2, each);
        }
        resources.push_back(bytes(1, resource) + bytes(2, of_scope));
    }

    [[nodiscard]] std::string dictionary() const {
        std::string message;
        std::uint32_t field = 0;
        for (const auto* table :
             {&mappings, &locations, &functions, &links, &strings, &attributes, &stacks}) {
            ++field;
            for (const std::string& element : *table) {
                message += bytes(field, element);
            }
        }
        return message;
    }
    [[nodiscard]] std::string str() const {
        std::string message;
        for (const std::string& each : resources) {
            message += bytes(1, each);
        }
        return message + bytes(2, dictionary());
    }
};

std::string fixed64(std::uint32_t field, std::uint64_t value) {
    constexpr std::uint64_t wire_type = 1;
    std::string bytes = varint(std::uint64_t{field} << 3U | wire_type);
    for (unsigned i = 0; i < sizeof value; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xffU);
    }
    return bytes;
}

message_builder text_value(std::string_view text) { return message_builder{}.bytes(1, text); }

std::string otlp_sample_of(std::uint64_t stack, const std::vector<std::uint64_t>& attributes,
                           const std::vector<std::uint64_t>& values, std::uint64_t link = 0) {
    return number(1, stack) + bytes(2, packed(attributes)) + number(3, link) +
           bytes(4, packed(values));
}

std::string converted(const std::string& otlp) {
    REQUIRE(is_otlp_profile(otlp));
    std::string bytes;
    convert_otlp_profile(otlp, bytes);
    return bytes;
}

profile content_of(const std::string& otlp) { return parse(converted(otlp)).content; }
profile read(const otlp_builder& from) { return content_of(from.str()); }

// The message about a refused message.
std::string refusal_of(const std::string& message, error_kind kind = error_kind::malformed) {
    REQUIRE(is_otlp_profile(message));
    std::string profile;
    const auto fault = error_from([&] { convert_otlp_profile(message, profile); });
    REQUIRE(fault);
    CHECK(fault->kind() == kind);
    return fault->what();
}

// A Profile of a type, with these fields behind it.
std::string otlp_message_of(const std::string& type, const std::vector<std::string>& samples,
                            const std::string& more = "") {
    std::string message = bytes(1, type);
    for (const std::string& each : samples) {
        message += bytes(2, each);
    }
    return message + more;
}

std::string key_value(std::string_view key, const message_builder& value) {
    return bytes(1, key) + bytes(2, value.str());
}

// A Resource of a service.
std::string service(std::string_view name) {
    return bytes(1, key_value("service.name", text_value(name)));
}

std::string times(std::uint64_t begin, std::uint64_t duration) {
    return fixed64(3, begin) + number(4, duration);
}

std::vector<label> labels_of_one(const otlp_builder& from) {
    return read(from).samples.at(0).labels;
}

// The labels that one attribute becomes.
std::vector<label> labels_of(const message_builder& any_value, std::string_view unit = "") {
    otlp_builder b;
    const std::uint64_t attribute = b.attribute("key", any_value, unit);
    b.add({otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {attribute}, {1})})});
    return labels_of_one(b);
}

message_builder list(const std::vector<message_builder>& elements, std::uint32_t field = 5) {
    message_builder message;
    for (const message_builder& each : elements) {
        message.bytes(1, each.str());
    }
    return message_builder{}.bytes(field, message.str());
}

message_builder integer(std::uint64_t value) { return message_builder{}.number(3, value); }

} // namespace

TEST_CASE("profiles of OTLP and of pprof are never taken for each other") {
    otlp_builder b;
    b.add({otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})})});
    CHECK(is_otlp_profile(b.str()));
    const std::string body = bytes(1, b.resources.front());
    CHECK(is_otlp_profile(bytes(2, b.dictionary()) + body));
    CHECK(is_otlp_profile(body)); // to say that there is no dictionary
    CHECK_FALSE(is_otlp_profile(""));
    CHECK_FALSE(is_otlp_profile(bytes(2, b.dictionary())));
    CHECK_FALSE(is_otlp_profile(b.str().substr(0, b.str().size() - 1)));
    CHECK_FALSE(is_otlp_profile(b.str() + bytes(6, "")));
    CHECK_FALSE(is_otlp_profile(b.str() + std::string(11, '\xff')));

    profile p;
    p.types = heap_types();
    p.samples.push_back({{add_frame(p, "f")}, {1, 2, 3, 4}, {{"k", "v"}}});
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        layout how;
        how.shuffle = seed;
        const std::string of_pprof = serialize(p, how);
        for (std::size_t size = 0; size <= of_pprof.size(); ++size) {
            CHECK_FALSE(is_otlp_profile(of_pprof.substr(0, size)));
        }
    }
    // A type with a field that pprof does not have, and a sample of labels only.
    const std::string odd = bytes(1, bytes(3, "x")) + bytes(2, bytes(3, "")) + bytes(6, "");
    CHECK_FALSE(is_otlp_profile(odd));
    CHECK(parse(odd).content.types.size() == 1);
}

TEST_CASE("a time without a value counts one") {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::string three(24, '\1');
    b.add({otlp_message_of(
        b.type("t", "u"),
        {number(1, f) + bytes(5, three), otlp_sample_of(f, {}, {10, 20, 30}) + bytes(5, three)})});
    CHECK(read(b).samples.at(0).values == std::vector<std::int64_t>{63});
}

TEST_CASE("attributes become labels") {
    CHECK(labels_of(text_value("v")) == std::vector<label>{{"key", "v"}});
    CHECK(labels_of(integer(12), "By") == std::vector<label>{{"key", "", 12, "By"}});
    CHECK(labels_of(message_builder{}.number(2, 1)) == std::vector<label>{{"key", "true"}});
    CHECK(labels_of(message_builder{}.raw(fixed64(4, std::bit_cast<std::uint64_t>(0.25)))) ==
          std::vector<label>{{"key", "0.25"}});
    CHECK(labels_of(message_builder{}.bytes(7, "\x01\xff")) == std::vector<label>{{"key", "01ff"}});
    CHECK(labels_of(message_builder{}) == std::vector<label>{{"key", ""}});
    CHECK(labels_of(list({text_value("a"), text_value("b")})) ==
          std::vector<label>{{"key", "a"}, {"key", "b"}});
    const message_builder member = message_builder{}.bytes(1, "m").bytes(2, text_value("\"").str());
    CHECK(labels_of(list({list({integer(1), message_builder{}}), list({member}, 6)})) ==
          std::vector<label>{{"key", "[[1,null],{\"m\":\"\\\"\"}]", 0, "", ""}});
}

TEST_CASE("a string of an attribute can be one of the dictionary") {
    otlp_builder b;
    const std::uint64_t attribute = b.attribute("key", message_builder{}.number(8, b.string("v")));
    b.add({otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {attribute}, {1})})});
    CHECK(labels_of_one(b) == std::vector<label>{{"key", "v"}});
}

TEST_CASE("resources and scopes keep samples apart, whatever else there is") {
    otlp_builder b;
    const std::string profile_of_f =
        otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})});
    b.add({profile_of_f}, service("a"), bytes(1, "s") + bytes(2, "1.0"));
    const std::vector<label> of_a{{"resource.service.name", "a"}, {"otel.scope.name", "s"}};
    CHECK(labels_of_one(b) == of_a);
    b.add({profile_of_f}, service("b"));
    const profile p = read(b);
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].labels == of_a);
    CHECK(p.samples[1].labels == std::vector<label>{{"resource.service.name", "b"}});
}

TEST_CASE("intervals of one resource are added up, and moments are not") {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::string type = b.type("t", "u");
    const auto at = [&](std::uint64_t begin, std::uint64_t duration) {
        return otlp_message_of(type, {otlp_sample_of(f, {}, {1})}, times(begin, duration));
    };
    b.add({at(20, 10)}, service("a"));
    b.add({at(10, 10), at(40, 5)}, service("a"));
    const profile p = read(b);
    CHECK(p.samples.at(0).values == std::vector<std::int64_t>{3});
    CHECK(p.time == 10);
    CHECK(p.duration == 35);
    for (const std::string& more : {at(44, 9), at(60, 0), at(0, 0)}) {
        otlp_builder clash = b;
        clash.add({more}, service("a"));
        clash.add({more}, service("a"));
        CHECK_FALSE(refusal_of(clash.str(), error_kind::incompatible).empty());
        otlp_builder apart = b;
        apart.add({more}, service("b"));
        CHECK(read(apart).samples.size() == 2);
    }
}

TEST_CASE("a dictionary may come in parts, and before the profiles") {
    otlp_builder b;
    b.add({otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})})});
    const std::string whole = b.dictionary();
    std::string strings;
    for (const std::string& each : b.strings) {
        strings += bytes(5, each);
    }
    b.strings.clear();
    const std::string body = bytes(1, b.resources.front());
    const std::string parts = bytes(2, strings) + bytes(2, b.dictionary());
    CHECK(converted(parts + body) == converted(body + bytes(2, whole)));
}

TEST_CASE("an attribute's index that is cut short is no other one") {
    otlp_builder b;
    for (int i = 0; i < 200; ++i) {
        static_cast<void>(b.attribute("k", text_value(std::to_string(i))));
    }
    const std::uint64_t stack = b.stack_of("f");
    const std::string known = otlp_sample_of(stack, {0x81}, {1});
    const std::string cut = number(1, stack) + bytes(2, "\x81") + bytes(4, "\x01");
    b.add({otlp_message_of(b.type("t", "u"), {known, cut})});
    CHECK_FALSE(refusal_of(b.str()).empty());
}

// Forms that protobuf lets a writer use, and none does. Each is what a parser of protobuf makes of
// it.

namespace {

// All of what pprofdelta reads, once in the usual form and once in another.
std::string unusual_message(bool is_usual) {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::uint64_t g = b.stack_of("g");
    const auto name = number(1, b.string("contentions"));
    const auto unit = number(2, b.string("count"));
    // A message as a field that comes in two parts, of which the second may be empty.
    const auto joined = [&](std::uint32_t field, const std::string& a, const std::string& c) {
        return is_usual ? bytes(field, a + c) : bytes(field, a) + bytes(field, c);
    };
    const auto numbers = [&](std::uint32_t field, std::uint64_t a, std::uint64_t c) {
        return is_usual ? bytes(field, packed({a, c})) : number(field, a) + number(field, c);
    };
    const auto replaced = [&](std::uint32_t field, std::uint64_t wrong, std::uint64_t right) {
        if (is_usual) {
            return number(field, right);
        }
        std::string both = number(field, wrong) + number(field, right);
        both.back() = static_cast<char>(both.back() | 0x80);
        return both += '\0'; // one byte more than it needs
    };
    b.stacks.push_back(numbers(1, f, g));
    b.attributes.push_back(replaced(1, b.string("wrong"), b.string("k")) +
                           joined(2, is_usual ? "" : text_value("lost").str(),
                                  list({text_value("v"), text_value("w")}).str()));
    b.attributes.push_back(replaced(1, 99, b.string("pprof.location.is_folded")) +
                           bytes(2, number(2, 1)));
    b.attributes.push_back(replaced(1, 99, b.string("l")) +
                           joined(2, list({integer(1)}).str(), list({integer(2)}).str()));
    b.mappings.push_back(
        replaced(1, 5, 0x1000) +
        numbers(5, 0, b.attribute("process.executable.build_id.gnu", text_value("id"))));
    // The order is another one, but nothing else is unusual.
    b.locations.push_back(is_usual ? replaced(1, 9, 1) + numbers(4, 0, 2) + replaced(2, 3, 0x1234)
                                   : bytes(4, packed({0})) + number(2, 0x1234) +
                                         bytes(4, packed({2})) + number(1, 1));
    b.stacks.push_back(numbers(1, 3, f));
    b.links.push_back((is_usual ? "" : bytes(1, "short")) + bytes(1, std::string(16, 'a')));
    const std::string times = is_usual
                                  ? bytes(5, std::string(16, 't'))
                                  : fixed64(5, 0x7474747474747474) + fixed64(5, 0x7474747474747474);
    const std::string samples =
        bytes(2, is_usual
                     ? replaced(1, 99, 3) + numbers(2, 1, 3) + replaced(3, 9, 1) + numbers(4, 5, 6)
                     : numbers(4, 5, 6) + replaced(3, 9, 1) + numbers(2, 1, 3) +
                           replaced(1, 99, 3)) + // in another order
        bytes(2, replaced(1, 99, 4) + times);
    const std::string profile = joined(1, name, unit) + samples + joined(5, name, unit) +
                                replaced(6, 7, 8) +
                                numbers(11, b.attribute("pprof.profile.comment", text_value("c")),
                                        b.attribute("pprof.profile.doc_url", text_value("u")));
    const auto attribute = [&](const char* key) {
        return bytes(1, key_value(key, text_value("v")));
    };
    b.resources.push_back(joined(1, attribute("a"), attribute("b")) +
                          bytes(2, joined(1, bytes(1, "scope"),
                                          bytes(3, key_value("pprof.scope.default_sample_type",
                                                             text_value("contentions")))) +
                                       bytes(2, profile)));
    return b.str();
}

} // namespace

TEST_CASE(
    "OTLP: parts of a message, and numbers that are not packed, are read as protobuf has it") {
    const profile usual = content_of(unusual_message(true));
    CHECK(usual.types == std::vector<value_type>{{"contentions", "count"}});
    CHECK(usual.period_type == value_type{"contentions", "count"});
    CHECK(usual.default_type == "contentions");
    CHECK(usual.doc_url == "u");
    CHECK(usual.mappings.at(0).build_id == "id");
    CHECK(usual.locations.at(2).folded);
    REQUIRE(usual.samples.size() == 2);
    CHECK(usual.samples[0].values == std::vector<std::int64_t>{11});
    CHECK(usual.samples[1].values == std::vector<std::int64_t>{2});
    CHECK(usual.samples[0].stack == std::vector<std::uint64_t>{1, 2});
    CHECK(usual.samples[0].labels.size() == 8); // a, b, scope, twice k and l, trace_id
    CHECK(content_of(unusual_message(false)) == usual);
}

TEST_CASE("OTLP: a string that is twice in the dictionary is one") {
    otlp_builder b;
    const std::uint64_t key = b.attribute("k", text_value("v"));
    b.strings.emplace_back("k");
    b.attributes.push_back(number(1, b.strings.size() - 1));
    const std::string sample = otlp_sample_of(b.stack_of("f"), {key, key + 1}, {1});
    b.add({otlp_message_of(b.type("t", "u"), {sample})});
    CHECK(refusal_of(b.str()).find("two attributes with the key 'k'") != std::string::npos);
}

TEST_CASE("OTLP: a key as a text and as an index has to be one") {
    const auto with = [](std::uint64_t index) {
        otlp_builder b;
        b.string("other");
        b.string("service.name");
        const std::string member = key_value("service.name", text_value("s")) + number(3, index);
        b.add({otlp_message_of(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})})},
              bytes(1, member));
        return b.str();
    };
    for (const std::uint64_t index : {0U, 2U}) {
        CHECK(content_of(with(index)).samples.at(0).labels ==
              std::vector<label>{{"resource.service.name", "s"}});
    }
    for (const std::uint64_t index : {1U, 500U}) {
        CHECK_FALSE(refusal_of(with(index)).empty());
    }
}

// The table of MALFORMED.md for OTLP, row by row.

namespace {

// A sound message whose parts are there to be replaced.
struct otlp_parts {
    otlp_builder tables;
    std::string type = tables.type("t", "u");
    std::uint64_t stack = tables.stack_of("f");
    std::string sample = otlp_sample_of(stack, {}, {1});
    std::string more{}; // of the Profile
    std::string resource{};

    [[nodiscard]] std::string str() {
        tables.resources.clear();
        tables.add({otlp_message_of(type, {sample}, more)}, resource);
        return tables.str();
    }
};

struct otlp_refusal {
    const char* message;
    std::function<void(otlp_parts&)> change;
};

// Two attributes with one key, and a link with a short id, for samples to refer to.
otlp_parts with_attributes() {
    otlp_parts p;
    p.tables.attributes.insert(p.tables.attributes.end(), 2, number(1, p.tables.string("k")));
    p.tables.links.push_back(bytes(1, "short"));
    return p;
}

otlp_refusal of_sample(const char* message, const std::string& sample) {
    return {message, [sample](otlp_parts& p) { p.sample = sample; }};
}

otlp_refusal of_profile(const char* message, const std::string& more) {
    return {message, [more](otlp_parts& p) { p.more = more; }};
}

otlp_refusal of_type(const char* message, const std::string& type) {
    return {message, [type](otlp_parts& p) { p.type = type; }};
}

// The last element of a table.
otlp_refusal of_last(const char* message, std::vector<std::string> otlp_builder::*table,
                     const std::string& element) {
    return {message, [=](otlp_parts& p) { (p.tables.*table).back() = element; }};
}

// The first element of a table, which has to be the zero value.
otlp_refusal of_first(const char* message, std::vector<std::string> otlp_builder::*table,
                      const std::string& element) {
    return {message, [=](otlp_parts& p) { (p.tables.*table).front() = element; }};
}

std::vector<otlp_refusal> otlp_refusals() {
    using b = otlp_builder;
    const std::string of_1_9 = number(1, 1) + bytes(2, packed({1})); // also of 1.8
    constexpr std::uint64_t late = std::uint64_t{1} << 62U;
    return {
        // Fields of other versions.
        of_sample("Sample.link_index is not a varint; pprofdelta reads OTLP profiles of 1.10",
                  of_1_9 + bytes(3, packed({1}))),
        of_sample("a Sample has neither values nor", of_1_9),
        of_sample("Sample.values is not length-delimited", of_1_9 + number(4, 1)),
        of_sample("Sample.attribute_indices is 7, and the table has 3 elements",
                  number(1, 1) + bytes(2, packed({7, 8}))),
        of_profile("Profile.dropped_attributes_count is not a varint",
                   bytes(8, std::string(16, 'i'))), // profile_id of 1.8
        of_type("ValueType has the unknown field 3;", number(1, 1) + number(3, 2)),
        of_profile("Profile has the unknown field 12", number(12, 1)),
        // Tables that do not begin with a zero value.
        of_first("ProfilesDictionary.string_table does not begin with an empty string", &b::strings,
                 "x"),
        of_first("ProfilesDictionary.mapping_table does not begin with a zero value", &b::mappings,
                 number(1, 1)),
        of_first("ProfilesDictionary.function_table does not begin", &b::functions, number(1, 1)),
        // Indices beyond their table.
        of_sample("Sample.stack_index is 2, and the table has 2 elements",
                  otlp_sample_of(2, {}, {1})),
        of_sample("Sample.stack_index is -1", otlp_sample_of(~std::uint64_t{0}, {}, {1})),
        of_sample("Sample.attribute_indices is 9", otlp_sample_of(1, {9}, {1})),
        of_sample("Sample.attribute_indices refers to attribute 0", otlp_sample_of(1, {0}, {1})),
        of_sample("Sample.attribute_indices names two attributes with the key 'k'",
                  otlp_sample_of(1, {1, 2}, {1})),
        of_sample("Sample.link_index is 2", otlp_sample_of(1, {}, {1}, 2)),
        of_sample("Link.trace_id has 5 bytes, not 16", otlp_sample_of(1, {}, {1}, 1)),
        of_last("Stack.location_indices is 2", &b::stacks, bytes(1, packed({1, 2}))),
        of_last("Location.mapping_index is 5", &b::locations, number(1, 5)),
        of_last("Line.function_index is 5", &b::locations, bytes(3, number(1, 5))),
        of_last("Location.attribute_indices is 5", &b::locations, bytes(4, packed({5}))),
        of_last("Function.filename_strindex is 99", &b::functions, number(3, 99)),
        {"Mapping.filename_strindex is 99",
         [](otlp_parts& p) { p.tables.mappings.push_back(number(4, 99)); }},
        of_profile("Profile.attribute_indices names no attribute", bytes(11, "\x09")),
        // Nothing to count, and no type.
        of_sample("a Sample has neither values nor timestamps_unix_nano", number(1, 1)),
        of_sample("a Sample has 2 values and 1 timestamps_unix_nano",
                  otlp_sample_of(1, {}, {1, 2}) + bytes(5, std::string(8, 't'))),
        of_sample("Sample.timestamps_unix_nano does not consist of numbers of eight bytes",
                  bytes(5, "seven b")),
        of_type("Profile.sample_type is missing", ""),
        of_type("ValueType.type_strindex of a sample type refers to an empty string", number(2, 1)),
        of_profile("Profile.time_unix_nano does not fit 63 bits", fixed64(3, ~std::uint64_t{0})),
        of_profile("Profile.duration_nano reaches beyond", fixed64(3, late) + number(4, late)),
    };
}

} // namespace

TEST_CASE("OTLP: what is not as the schema has it is refused by name") {
    for (const auto& [message, change] : otlp_refusals()) {
        otlp_parts p = with_attributes();
        change(p);
        const std::string found = refusal_of(p.str());
        CAPTURE(found, message);
        CHECK(found.starts_with(message));
    }
    otlp_parts p;
    const std::string whole = p.str();
    CHECK(refusal_of(bytes(1, p.tables.resources.front()))
              .starts_with("ProfilesData.dictionary is missing"));
    CHECK(refusal_of(bytes(1, bytes(3, "url")) + bytes(2, ""))
              .starts_with("the OTLP message holds no profile"));
    // Resources and scopes are stable, and may grow.
    p.resource = number(9, 1);
    CHECK_NOTHROW(converted(p.str()));
}

TEST_CASE("OTLP: attributes that are nested are bounded") {
    const auto with = [](const message_builder& value) {
        otlp_parts p;
        p.sample = otlp_sample_of(p.stack, {p.tables.attribute("k", value)}, {1});
        return p.str();
    };
    message_builder nested = text_value("v");
    for (int depth = 0; depth < 32; ++depth) {
        nested = list({nested});
    }
    CHECK_NOTHROW(converted(with(nested)));
    CHECK(refusal_of(with(list({nested}))).starts_with("ArrayValue.values is nested deeper than"));
}

TEST_CASE("OTLP: what is referred to many times takes no room out of proportion") {
    constexpr std::uint64_t many = 100'000;
    const auto too_large = [](otlp_parts& p) {
        CHECK(refusal_of(p.str(), error_kind::too_large).find("so often") != std::string::npos);
    };
    // A long stack of many samples, each with an attribute of its own.
    otlp_parts stacks;
    stacks.tables.stacks.back() = bytes(1, packed(std::vector<std::uint64_t>(many, 1)));
    stacks.sample = otlp_sample_of(1, {}, {1});
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint64_t own = stacks.tables.attribute("k", integer(i));
        stacks.more += bytes(2, otlp_sample_of(1, {own}, {1}));
    }
    too_large(stacks);
    // A short list of comments that many profiles have.
    otlp_parts comments;
    const std::uint64_t text = comments.tables.string("comment");
    const std::vector<message_builder> texts(2000, message_builder{}.number(8, text));
    const std::uint64_t all = comments.tables.attribute("pprof.profile.comment", list(texts));
    comments.more = bytes(11, packed(std::vector<std::uint64_t>(2000, all)));
    too_large(comments);

    const std::string sound = otlp_parts{}.str();
    std::string profile = converted(sound);
    const std::size_t size = profile.size() - 1;
    CHECK(fails_as(error_kind::too_large, [&] { convert_otlp_profile(sound, profile, size); }));
}

// Read again for each of its scopes, this would take an hour.
TEST_CASE("OTLP: a resource is read once, however many scopes it has") {
    constexpr std::size_t many = 500'000;
    otlp_parts p;
    std::string scopes;
    for (std::size_t i = 0; i < many; ++i) {
        p.resource += number(2, 1); // is skipped
        scopes += bytes(2, "");
    }
    static_cast<void>(p.str());
    p.tables.resources.front() += scopes;
    CHECK(content_of(p.tables.str()).samples.size() == 1);
}

TEST_CASE("OTLP: a hundred thousand attributes of a sample are labels") {
    constexpr std::uint64_t many = 100'000;
    otlp_parts p;
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < many; ++i) {
        p.tables.strings.push_back("k" + std::to_string(i));
        p.tables.attributes.push_back(number(1, p.tables.strings.size() - 1));
        all.push_back(i + 1);
    }
    p.sample = otlp_sample_of(1, all, {1});
    CHECK(content_of(p.str()).samples.at(0).labels.size() == many);
}

TEST_CASE("OTLP: at most 1024 types are read") {
    otlp_parts p;
    std::vector<std::string> profiles;
    for (int i = 0; i < 1025; ++i) {
        profiles.push_back(bytes(1, p.tables.type("t" + std::to_string(i), "u")));
    }
    p.tables.add(profiles);
    CHECK(refusal_of(p.tables.str(), error_kind::too_large).find("1024 sample types") !=
          std::string::npos);
}

// Profiles as OTLP. tests/otlp reads what is written by Google's runtime.

namespace {

std::string written(const profile& from, bool is_delta = false) {
    std::string otlp;
    write_otlp_profile(serialize(from), otlp, is_delta);
    REQUIRE(is_otlp_profile(otlp));
    return otlp;
}

profile there_and_back(const profile& from, bool is_delta = false) {
    return content_of(written(from, is_delta));
}

profile one_sample(const std::vector<label>& labels) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back({{add_frame(p, "f")}, {5}, labels, ""});
    return p;
}

std::vector<label> labels_back(const std::vector<label>& labels) {
    return there_and_back(one_sample(labels)).samples.at(0).labels;
}

// OTLP has none but at index 0, where it is no function and no mapping.
bool has_function_or_mapping_of_zeros(const profile& p) {
    return std::any_of(p.functions.begin(), p.functions.end(),
                       [](const function& f) {
                           return f.name.empty() && f.system_name.empty() && f.file.empty() &&
                                  f.start_line == 0;
                       }) ||
           std::any_of(p.mappings.begin(), p.mappings.end(), [](const mapping& m) {
               return m == mapping{.id = m.id, .unknown = m.unknown};
           });
}

bool is_in(const std::string& otlp, const std::string& text) {
    return otlp.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("labels are the same when they come back from OTLP") {
    for (const std::vector<label>& each : std::vector<std::vector<label>>{
             {},
             {{"k", "v"}},
             {{"k", "", 7, "bytes"}},
             {{"k", "", -7}},
             {{"k", "", 0, "bytes"}},
             {{"k", ""}},
             {{"k", "a"}, {"k", "b"}},
             {{"k", "", 1, "u"}, {"k", "", 2, "u"}},
             {{"trace_id", "not one"}},
             {{"trace_id", std::string(32, 'a')}},
             {{"trace_id", std::string(32, 'a')}, {"span_id", std::string(16, '9')}},
             {{"resource.service.name", "s"}, {"otel.scope.name", "o"}},
             {{"resource.list", "a"}, {"resource.list", "b"}}}) {
        CHECK(labels_back(each) == each);
    }
}

TEST_CASE("resources, scopes and links of OTLP are labels and become themselves again") {
    const std::string otlp = written(one_sample({{"resource.service.name", "s"},
                                                 {"otel.scope.name", "o"},
                                                 {"trace_id", std::string(32, 'a')},
                                                 {"span_id", std::string(16, '9')}}));
    for (const char* const label : {"resource.", "otel.scope", "trace_id", "span_id", "aaaa"}) {
        CHECK_FALSE(is_in(otlp, label));
    }
    CHECK(is_in(otlp, "service.name"));
    CHECK(is_in(otlp, std::string(16, '\xaa')));
}

TEST_CASE("a delta in OTLP says that it is one, and begins when it did") {
    profile p = one_sample({});
    p.time = 100;
    CHECK_FALSE(is_in(written(p), "pprofdelta.temporality"));
    p.duration = 60;
    CHECK(is_in(written(p), "pprofdelta.temporality"));
    CHECK(there_and_back(p).time == 100);
    CHECK(there_and_back(p).duration == 60);
    p.types = {{"cpu", "nanoseconds"}};
    CHECK_FALSE(is_in(written(p), "pprofdelta.temporality"));
    CHECK(there_and_back(p).time == 100);
    CHECK(is_in(written(p, true), "pprofdelta.temporality"));
    CHECK(there_and_back(p, true).time == 100);
}

TEST_CASE("a profile without samples keeps its types in OTLP") {
    profile p;
    p.types = heap_types();
    CHECK(there_and_back(p).types == p.types);
}

TEST_CASE("random profiles are the same when they come back from OTLP") {
    int compared = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        random_series series{seed};
        const std::string bytes = serialize(series.next(), series.next_layout());
        std::string otlp;
        otlp_losses lost;
        const auto fault = error_from([&] { lost = write_otlp_profile(bytes, otlp); });
        if (fault) {
            CHECK(fault->kind() == error_kind::incompatible); // two types are the same
            continue;
        }
        const std::string back = converted(otlp);
        std::string again;
        write_otlp_profile(back, again);
        const std::string back_again = converted(again);
        const auto samples_of = [](const std::string& each) {
            return canonical{add_up(parse(each).content, match_mode::exact), {}};
        };
        CHECK(difference(samples_of(back), samples_of(back_again)) == "none");
        if (lost.changed_labels == 0 && !has_function_or_mapping_of_zeros(parse(bytes).content)) {
            CHECK(difference(samples_of(bytes), samples_of(back)) == "none");
            ++compared;
        }
    }
    CHECK(compared > 0);
}

TEST_CASE("facts that OTLP has no place for are counted") {
    profile p = one_sample({{"k", "v", 3, "", ""}, {"l", "", 1, "a"}, {"l", "", 1, "b"}});
    p.unknown = number(99, 1);
    std::string otlp;
    const otlp_losses lost = write_otlp_profile(serialize(p), otlp);
    CHECK(lost.unknown_fields == 1);
    CHECK(lost.changed_labels == 2);
    p.types.push_back(p.types.front());
    p.samples[0].values.push_back(1);
    CHECK(fails_as(error_kind::incompatible, [&] { write_otlp_profile(serialize(p), otlp); }));
    p.types.back() = {"", "bytes"};
    CHECK(fails_as(error_kind::incompatible, [&] { write_otlp_profile(serialize(p), otlp); }));
}

TEST_CASE("bytes that are not UTF-8 become question marks in OTLP") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back({{add_frame(p, "\xe2\x82\xac\xe2\x82")}, {5}, {{"k\xff", "v"}}});
    p.samples.push_back({{add_frame(p, "f\xc3\xa9\xfe")}, {3}, {{"resource.n", "\x80"}}});
    std::string otlp;
    CHECK(write_otlp_profile(serialize(p), otlp).changed_strings == 4);
    const profile back = there_and_back(p);
    CHECK(back.functions.at(0).name == "\xe2\x82\xac??");
    CHECK(back.functions.at(1).name == "f\xc3\xa9?");
    CHECK(back.samples.at(0).labels.at(0).key == "k?");
    CHECK(back.samples.at(1).labels.at(0).str == "?");
}

TEST_CASE("data that many records refer to takes no room out of proportion in OTLP") {
    const std::string text(400'000, 'x');
    constexpr int many = 300;
    profile comments = one_sample({});
    comments.comments.assign(many, text);
    profile labels = one_sample({});
    profile resources = labels;
    profile headers = labels;
    headers.default_type = text; // of each source
    profile build_ids = labels;
    for (int i = 1; i < many; ++i) {
        const auto id = static_cast<std::uint64_t>(i);
        labels.samples.push_back({{1}, {1}, {{"k", text}, {"n", "", i}}});
        resources.samples.push_back({{1}, {1}, {{"resource.k", text}, {"n", "", i}}});
        headers.samples.push_back({{1}, {1}, {{"resource.n", "", i}}});
        build_ids.mappings.push_back({.id = id, .start = id, .build_id = text});
        build_ids.locations.push_back({id + 1, id, id});
        build_ids.samples[0].stack.push_back(id + 1);
    }
    for (const profile& each : {comments, labels, resources, headers, build_ids}) {
        std::string otlp;
        CHECK(fails_as(error_kind::too_large, [&] { write_otlp_profile(serialize(each), otlp); }));
    }
}

TEST_CASE("names that are equal in OTLP are one") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples.push_back({{add_frame(p, "f\xff")}, {5}});
    p.samples.push_back({{add_frame(p, "f\xfe")}, {3}});
    const profile back = there_and_back(p);
    REQUIRE(back.samples.size() == 1);
    CHECK(back.samples[0].values == std::vector<std::int64_t>{8});
}
