// SPDX-License-Identifier: Apache-2.0
// The table of MALFORMED.md for OTLP, row by row.
#include <pprofdelta/otlp_profile.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "otlp_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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
        tables.add({message_builder{}.bytes(1, type).bytes(2, sample).raw(more).str()}, resource);
        return tables.str();
    }
};

std::string refusal_of(const std::string& bytes, error_kind kind = error_kind::malformed) {
    REQUIRE(is_otlp_profile(bytes));
    std::string profile;
    const auto fault = error_from([&] { convert_otlp_profile(bytes, profile); });
    REQUIRE(fault);
    CHECK(fault->kind() == kind);
    return fault->what();
}

std::string refusal_of_sample(const std::string& sample) {
    otlp_parts p;
    p.tables.attributes.push_back(message_builder{}.number(1, p.tables.string("k")).str());
    p.tables.attributes.push_back(message_builder{}.number(1, p.tables.string("k")).str());
    p.tables.links.push_back(message_builder{}.bytes(1, "short").str());
    p.sample = sample;
    return refusal_of(p.str());
}

template <typename Change>
std::string refusal_after(Change&& change) {
    otlp_parts p;
    change(p);
    return refusal_of(p.str());
}

bool begins(const std::string& message, std::string_view expected) {
    UNSCOPED_INFO(message);
    return message.starts_with(expected);
}

bool has(const std::string& message, std::string_view expected) {
    UNSCOPED_INFO(message);
    return message.find(expected) != std::string::npos;
}

} // namespace

TEST_CASE("OTLP: a message of another version is refused by the name of a field") {
    // What 1.9 and 1.8 have for values and attributes.
    const std::string of_1_9 = message_builder{}.number(1, 1).bytes(2, packed({1})).str();
    CHECK(begins(refusal_of_sample(message_builder{}.raw(of_1_9).bytes(3, packed({1})).str()),
                 "Sample.link_index is not a varint; OTLP profiles are read as of 1.10"));
    CHECK(begins(refusal_of_sample(of_1_9), "a Sample has neither values nor"));
    CHECK(begins(refusal_of_sample(message_builder{}.raw(of_1_9).number(4, 1).str()),
                 "Sample.values is not length-delimited"));
    CHECK(begins(refusal_of_sample(message_builder{}.number(1, 1).bytes(2, packed({7, 8})).str()),
                 "Sample.attribute_indices is 7, and the table has 3 elements"));
    // Profile.profile_id of 1.8, and ValueType.aggregation_temporality.
    CHECK(begins(refusal_after([](otlp_parts& p) {
                     p.more = message_builder{}.bytes(8, std::string(16, 'i')).str();
                 }),
                 "Profile.dropped_attributes_count is not a varint"));
    CHECK(
        begins(refusal_after([](otlp_parts& p) { p.type += message_builder{}.number(3, 2).str(); }),
               "ValueType has a field 3, which is not known"));
    // What a later version might have.
    CHECK(
        begins(refusal_after([](otlp_parts& p) { p.more = message_builder{}.number(12, 1).str(); }),
               "Profile has a field 12"));
    // Resources and scopes are stable, and may grow.
    otlp_parts grown;
    grown.resource = message_builder{}.number(9, 1).str();
    std::string profile;
    CHECK_NOTHROW(convert_otlp_profile(grown.str(), profile));
}

TEST_CASE("OTLP: a dictionary that is missing or does not begin with zeros is refused") {
    otlp_parts p;
    const std::string whole = p.str();
    CHECK(begins(refusal_of(message_builder{}.bytes(1, p.tables.resources.front()).str()),
                 "ProfilesData.dictionary is missing"));
    CHECK(begins(refusal_after([](otlp_parts& o) { o.tables.strings.front() = "x"; }),
                 "ProfilesDictionary.string_table does not begin with an empty string"));
    const std::string one = message_builder{}.number(1, 1).str();
    CHECK(begins(refusal_after([&](otlp_parts& o) { o.tables.mappings.front() = one; }),
                 "ProfilesDictionary.mapping_table does not begin with the zero value"));
    CHECK(begins(refusal_after([&](otlp_parts& o) { o.tables.functions.front() = one; }),
                 "ProfilesDictionary.function_table does not begin"));
    CHECK(begins(
        refusal_of(
            message_builder{}.bytes(1, message_builder{}.bytes(3, "url").str()).bytes(2, "").str()),
        "the OTLP message holds no profile"));
}

TEST_CASE("OTLP: indices beyond their table are refused") {
    CHECK(begins(refusal_of_sample(otlp_sample_of(2, {}, {1})),
                 "Sample.stack_index is 2, and the table has 2 elements"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(~std::uint64_t{0}, {}, {1})),
                 "Sample.stack_index is -1"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {9}, {1})), "Sample.attribute_indices is 9"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {0}, {1})),
                 "Sample.attribute_indices names the attribute 0"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {1, 2}, {1})),
                 "Sample.attribute_indices names two attributes with the key 'k'"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {}, {1}, 2)), "Sample.link_index is 2"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {}, {1}, 1)),
                 "Link.trace_id has 5 bytes, not 16"));
    CHECK(begins(refusal_after([](otlp_parts& p) {
                     p.tables.stacks.back() = message_builder{}.bytes(1, packed({1, 2})).str();
                 }),
                 "Stack.location_indices is 2"));
    const auto in_location = [](std::uint32_t field, const std::string& line) {
        return refusal_after([&](otlp_parts& p) {
            p.tables.locations.back() = line.empty() ? message_builder{}.number(field, 5).str()
                                                     : message_builder{}.bytes(field, line).str();
        });
    };
    CHECK(begins(in_location(1, ""), "Location.mapping_index is 5"));
    CHECK(begins(in_location(3, message_builder{}.number(1, 5).str()), "Line.function_index is 5"));
    CHECK(begins(in_location(4, packed({5})), "Location.attribute_indices is 5"));
    CHECK(begins(refusal_after([](otlp_parts& p) {
                     p.tables.functions.back() = message_builder{}.number(3, 99).str();
                 }),
                 "Function.filename_strindex is 99"));
    CHECK(begins(refusal_after([](otlp_parts& p) {
                     p.tables.mappings.push_back(message_builder{}.number(4, 99).str());
                 }),
                 "Mapping.filename_strindex is 99"));
    CHECK(begins(
        refusal_after([](otlp_parts& p) { p.more = message_builder{}.bytes(11, "\x09").str(); }),
        "Profile.attribute_indices names no attribute"));
}

TEST_CASE("OTLP: samples without anything to count, and profiles without a type, are refused") {
    CHECK(begins(refusal_of_sample(message_builder{}.number(1, 1).str()),
                 "a Sample has neither values nor timestamps_unix_nano"));
    CHECK(begins(refusal_of_sample(otlp_sample_of(1, {}, {1, 2}) +
                                   message_builder{}.bytes(5, std::string(8, 't')).str()),
                 "a Sample has 2 values and 1 timestamps_unix_nano"));
    CHECK(begins(refusal_of_sample(message_builder{}.bytes(5, "seven b").str()),
                 "Sample.timestamps_unix_nano does not consist of numbers of eight bytes"));
    CHECK(begins(refusal_after([](otlp_parts& p) { p.type.clear(); }),
                 "Profile.sample_type is missing"));
    CHECK(
        begins(refusal_after([](otlp_parts& p) { p.type = message_builder{}.number(2, 1).str(); }),
               "ValueType.type_strindex of a sample type names nothing"));
    CHECK(begins(refusal_after([](otlp_parts& p) { p.more = fixed64(3, ~std::uint64_t{0}); }),
                 "Profile.time_unix_nano does not fit 63 bits"));
    const std::uint64_t late = std::uint64_t{1} << 62U;
    CHECK(begins(refusal_after([&](otlp_parts& p) {
                     p.more = fixed64(3, late) + message_builder{}.number(4, late).str();
                 }),
                 "Profile.duration_nano reaches beyond"));
}

TEST_CASE("OTLP: attributes that are nested or written twice are bounded") {
    const auto with = [](const message_builder& value) {
        otlp_parts p;
        p.sample = otlp_sample_of(p.stack, {p.tables.attribute("k", value)}, {1});
        return p.str();
    };
    message_builder nested = text_value("v");
    for (int depth = 0; depth < 32; ++depth) {
        nested = message_builder{}.bytes(5, message_builder{}.bytes(1, nested.str()).str());
    }
    std::string profile;
    CHECK_NOTHROW(convert_otlp_profile(with(nested), profile));
    nested = message_builder{}.bytes(5, message_builder{}.bytes(1, nested.str()).str());
    CHECK(begins(refusal_of(with(nested)), "ArrayValue.values is nested deeper than 32"));
    CHECK(begins(refusal_of(with(message_builder{}.number(2, 1).number(2, 1))),
                 "AnyValue.bool_value is a second value"));
    CHECK(begins(refusal_after([](otlp_parts& p) {
                     const std::string key = message_builder{}.number(1, 0).str();
                     p.tables.attributes.push_back(key + key);
                     p.sample = otlp_sample_of(1, {1}, {1});
                 }),
                 "KeyValueAndUnit.key_strindex is a second value"));
}

TEST_CASE("OTLP: what is referred to many times takes no room out of proportion") {
    constexpr std::uint64_t many = 100'000;
    const auto too_large = [](otlp_parts& p) {
        CHECK(has(refusal_of(p.str(), error_kind::too_large), "many times"));
    };
    {
        // A long stack of many samples, each with an attribute of its own.
        otlp_parts p;
        p.tables.stacks.back() =
            message_builder{}.bytes(1, packed(std::vector<std::uint64_t>(many, 1))).str();
        p.sample.clear();
        for (std::uint64_t i = 0; i < 5000; ++i) {
            p.more +=
                message_builder{}
                    .bytes(2,
                           otlp_sample_of(
                               1, {p.tables.attribute("k", message_builder{}.number(3, i))}, {1}))
                    .str();
        }
        p.sample = otlp_sample_of(1, {}, {1});
        too_large(p);
    }
    {
        // A list of one long text, again and again.
        otlp_parts p;
        const std::uint64_t text = p.tables.string(std::string(many, 'x'));
        message_builder list;
        list.bytes(1, message_builder{}.number(2, 1).str());
        for (std::uint64_t i = 0; i < 10'000; ++i) {
            list.bytes(1, message_builder{}.number(8, text).str());
        }
        p.sample = otlp_sample_of(
            1, {p.tables.attribute("k", message_builder{}.bytes(5, list.str()))}, {1});
        too_large(p);
    }
    {
        // A list of comments that is short, which many profiles have.
        otlp_parts p;
        const std::uint64_t text = p.tables.string("comment");
        message_builder list;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            list.bytes(1, message_builder{}.number(8, text).str());
        }
        const std::uint64_t comments =
            p.tables.attribute("pprof.profile.comment", message_builder{}.bytes(5, list.str()));
        p.more =
            message_builder{}.bytes(11, packed(std::vector<std::uint64_t>(2000, comments))).str();
        too_large(p);
    }
    {
        otlp_parts p;
        std::string profile;
        const std::string bytes = p.str();
        convert_otlp_profile(bytes, profile);
        CHECK(fails_as(error_kind::too_large,
                       [&] { convert_otlp_profile(bytes, profile, profile.size() - 1); }));
    }
}

// Read again for each of its scopes, this would take an hour.
TEST_CASE("OTLP: a resource is read once, however many scopes it has") {
    constexpr std::size_t many = 500'000;
    otlp_parts p;
    std::string scopes;
    const std::string empty_scope = message_builder{}.bytes(2, "").str();
    for (std::size_t i = 0; i < many; ++i) {
        p.resource += message_builder{}.number(2, 1).str(); // is skipped
        scopes += empty_scope;
    }
    static_cast<void>(p.str());
    p.tables.resources.front() += scopes;
    std::string profile;
    convert_otlp_profile(p.tables.str(), profile);
    CHECK(parse(profile).content.samples.size() == 1);
}

TEST_CASE("OTLP: a hundred thousand attributes of a sample are labels") {
    constexpr std::uint64_t many = 100'000;
    otlp_parts p;
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < many; ++i) {
        p.tables.strings.push_back("k" + std::to_string(i));
        p.tables.attributes.push_back(
            message_builder{}.number(1, p.tables.strings.size() - 1).str());
        all.push_back(i + 1);
    }
    p.sample = otlp_sample_of(1, all, {1});
    std::string profile;
    convert_otlp_profile(p.str(), profile);
    CHECK(parse(profile).content.samples.at(0).labels.size() == many);
}

TEST_CASE("OTLP: at most 1024 types are read") {
    otlp_parts p;
    std::vector<std::string> profiles;
    for (int i = 0; i < 1025; ++i) {
        profiles.push_back(
            message_builder{}.bytes(1, p.tables.type("t" + std::to_string(i), "u")).str());
    }
    p.tables.add(profiles);
    CHECK(has(refusal_of(p.tables.str(), error_kind::too_large), "1024 sample types"));
}
