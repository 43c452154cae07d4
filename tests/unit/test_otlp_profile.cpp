// SPDX-License-Identifier: Apache-2.0
// Profiles of OTLP as such. tests/otlp makes them by Google's runtime, of real profiles.
#include <pprofdelta/otlp_profile.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "otlp_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::string converted(const std::string& otlp) {
    REQUIRE(is_otlp_profile(otlp));
    std::string bytes;
    convert_otlp_profile(otlp, bytes);
    return bytes;
}

profile read(const otlp_builder& from) { return parse(converted(from.str())).content; }

// A Profile of a type, with these fields behind it.
std::string otlp_profile(const std::string& type, const std::vector<std::string>& samples,
                         const std::string& more = "") {
    message_builder message;
    message.bytes(1, type);
    for (const std::string& each : samples) {
        message.bytes(2, each);
    }
    return message.raw(more).str();
}

std::string key_value(std::string_view key, const message_builder& value) {
    return message_builder{}.bytes(1, key).bytes(2, value.str()).str();
}

// A Resource of a service.
std::string service(std::string_view name) {
    return message_builder{}.bytes(1, key_value("service.name", text_value(name))).str();
}

std::string times(std::uint64_t begin, std::uint64_t duration) {
    return fixed64(3, begin) + message_builder{}.number(4, duration).str();
}

std::vector<label> labels_of_one(const otlp_builder& from) {
    return read(from).samples.at(0).labels;
}

// The labels that one attribute becomes.
std::vector<label> labels_of(const message_builder& any_value, std::string_view unit = "") {
    otlp_builder b;
    const std::uint64_t attribute = b.attribute("key", any_value, unit);
    b.add({otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {attribute}, {1})})});
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
    b.add({otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})})});
    CHECK(is_otlp_profile(b.str()));
    const std::string body = message_builder{}.bytes(1, b.resources.front()).str();
    CHECK(is_otlp_profile(message_builder{}.bytes(2, b.dictionary()).str() + body));
    CHECK(is_otlp_profile(body)); // to say that there is no dictionary
    CHECK_FALSE(is_otlp_profile(""));
    CHECK_FALSE(is_otlp_profile(message_builder{}.bytes(2, b.dictionary()).str()));
    CHECK_FALSE(is_otlp_profile(b.str().substr(0, b.str().size() - 1)));
    CHECK_FALSE(is_otlp_profile(b.str() + message_builder{}.bytes(6, "").str()));
    CHECK_FALSE(is_otlp_profile(b.str() + std::string(11, '\xff')));

    profile p;
    p.types = heap_types();
    p.samples.push_back({{add_frame(p, "f")}, {1, 2, 3, 4}, {{"k", "v", 0, "", ""}}, ""});
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
        layout how;
        how.shuffle = seed;
        const std::string bytes = serialize(p, how);
        for (std::size_t size = 0; size <= bytes.size(); ++size) {
            CHECK_FALSE(is_otlp_profile(bytes.substr(0, size)));
        }
    }
    // A type with a field that pprof does not have, and a sample of labels only.
    const std::string odd = message_builder{}
                                .bytes(1, message_builder{}.bytes(3, "x").str())
                                .bytes(2, message_builder{}.bytes(3, "").str())
                                .bytes(6, "")
                                .str();
    CHECK_FALSE(is_otlp_profile(odd));
    CHECK(parse(odd).content.types.size() == 1);
}

TEST_CASE("each profile of OTLP is a sample type, and equal samples are one") {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::uint64_t g = b.stack_of("g");
    b.add({otlp_profile(b.type("objects", "count"),
                        {otlp_sample_of(f, {}, {1}), otlp_sample_of(g, {}, {2})}),
           otlp_profile(b.type("space", "bytes"),
                        {otlp_sample_of(g, {}, {30, 4}), otlp_sample_of(f, {}, {5})})});
    const profile p = read(b);
    CHECK(p.types == std::vector<value_type>{{"objects", "count"}, {"space", "bytes"}});
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].values == std::vector<std::int64_t>{1, 5});
    CHECK(p.samples[1].values == std::vector<std::int64_t>{2, 34});
    CHECK(p.functions.at(0).name == "f");
    CHECK(p.locations.at(0).lines.at(0).number == 7);
}

TEST_CASE("a time without a value counts one") {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::string three(24, '\1');
    b.add({otlp_profile(b.type("t", "u"), {message_builder{}.number(1, f).bytes(5, three).str(),
                                           otlp_sample_of(f, {}, {10, 20, 30}) +
                                               message_builder{}.bytes(5, three).str()})});
    CHECK(read(b).samples.at(0).values == std::vector<std::int64_t>{63});
}

TEST_CASE("attributes become labels") {
    CHECK(labels_of(text_value("v")) == std::vector<label>{{"key", "v", 0, "", ""}});
    CHECK(labels_of(integer(12), "By") == std::vector<label>{{"key", "", 12, "By", ""}});
    CHECK(labels_of(message_builder{}.number(2, 1)) ==
          std::vector<label>{{"key", "true", 0, "", ""}});
    CHECK(labels_of(message_builder{}.raw(fixed64(4, std::bit_cast<std::uint64_t>(0.25)))) ==
          std::vector<label>{{"key", "0.25", 0, "", ""}});
    CHECK(labels_of(message_builder{}.bytes(7, "\x01\xff")) ==
          std::vector<label>{{"key", "01ff", 0, "", ""}});
    CHECK(labels_of(message_builder{}) == std::vector<label>{{"key", "", 0, "", ""}});
    CHECK(labels_of(list({text_value("a"), text_value("b")})) ==
          std::vector<label>{{"key", "a", 0, "", ""}, {"key", "b", 0, "", ""}});
    const message_builder member = message_builder{}.bytes(1, "m").bytes(2, text_value("\"").str());
    CHECK(labels_of(list({list({integer(1), message_builder{}}), list({member}, 6)})) ==
          std::vector<label>{{"key", "[[1,null],{\"m\":\"\\\"\"}]", 0, "", ""}});
}

TEST_CASE("a string of an attribute can be one of the dictionary") {
    otlp_builder b;
    const std::uint64_t attribute = b.attribute("key", message_builder{}.number(8, b.string("v")));
    b.add({otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {attribute}, {1})})});
    CHECK(labels_of_one(b) == std::vector<label>{{"key", "v", 0, "", ""}});
}

TEST_CASE("a link becomes the labels of a trace and a span") {
    otlp_builder b;
    b.links.push_back(message_builder{}
                          .bytes(1, "\x01" + std::string(14, '\x00') + "\xff")
                          .bytes(2, "12345678")
                          .str());
    b.links.front() =
        message_builder{}.bytes(1, std::string(16, '\0')).bytes(2, std::string(8, '\0')).str();
    b.add({otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1}, 1)})});
    CHECK(labels_of_one(b) ==
          std::vector<label>{{"trace_id", "010000000000000000000000000000ff", 0, "", ""},
                             {"span_id", "3132333435363738", 0, "", ""}});
}

TEST_CASE("resources and scopes keep samples apart, whatever else there is") {
    otlp_builder b;
    const std::string profile_of_f =
        otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})});
    b.add({profile_of_f}, service("a"), message_builder{}.bytes(1, "s").bytes(2, "1.0").str());
    const std::vector<label> of_a{{"resource.service.name", "a", 0, "", ""},
                                  {"otel.scope.name", "s", 0, "", ""}};
    CHECK(labels_of_one(b) == of_a);
    b.add({profile_of_f}, service("b"));
    const profile p = read(b);
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].labels == of_a);
    CHECK(p.samples[1].labels == std::vector<label>{{"resource.service.name", "b", 0, "", ""}});
}

TEST_CASE("intervals of one resource are added up, and moments are not") {
    otlp_builder b;
    const std::uint64_t f = b.stack_of("f");
    const std::string type = b.type("t", "u");
    const auto at = [&](std::uint64_t begin, std::uint64_t duration) {
        return otlp_profile(type, {otlp_sample_of(f, {}, {1})}, times(begin, duration));
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
        std::string bytes;
        CHECK(
            fails_as(error_kind::incompatible, [&] { convert_otlp_profile(clash.str(), bytes); }));
        otlp_builder apart = b;
        apart.add({more}, service("b"));
        CHECK(read(apart).samples.size() == 2);
    }
}

TEST_CASE("what pprof has fields for is taken from attributes") {
    otlp_builder b;
    b.mappings.push_back(
        message_builder{}
            .number(1, 0x1000)
            .number(2, 0x2000)
            .number(3, 0x100)
            .number(4, b.string("/bin/f"))
            .bytes(5, packed({b.attribute("process.executable.build_id.htlhash", text_value("h")),
                              b.attribute("process.executable.build_id.gnu", text_value("g")),
                              b.attribute("pprof.mapping.has_functions",
                                          message_builder{}.number(2, 1))}))
            .str());
    b.locations.push_back(message_builder{}
                              .number(1, 1)
                              .number(2, 0x1234)
                              .bytes(4, packed({b.attribute("pprof.location.is_folded",
                                                            message_builder{}.number(2, 1))}))
                              .str());
    b.stacks.push_back(message_builder{}.bytes(1, packed({0, 1})).str());
    const std::uint64_t comment = b.attribute("pprof.profile.comment", list({text_value("c")}));
    const std::uint64_t drop = b.attribute("pprof.profile.drop_frames", text_value("d"));
    const std::string type = b.type("t", "u");
    const std::string more = message_builder{}
                                 .bytes(5, b.type("p", "q"))
                                 .number(6, 9)
                                 .bytes(11, packed({comment, drop}))
                                 .str();
    const std::string scope =
        message_builder{}
            .bytes(3, key_value("pprof.scope.default_sample_type", text_value("t")))
            .str();
    b.add({otlp_profile(type, {otlp_sample_of(1, {}, {1})}, more)}, "", scope);
    const profile p = read(b);
    REQUIRE(p.mappings.size() == 1);
    CHECK(p.mappings[0].build_id == "g");
    CHECK(p.mappings[0].file == "/bin/f");
    CHECK(p.mappings[0].has_functions);
    REQUIRE(p.locations.size() == 2); // the other one is the unknown frame
    CHECK(p.locations[0].folded);
    CHECK(p.locations[0].mapping == 1);
    CHECK(p.samples.at(0).stack == std::vector<std::uint64_t>{p.locations[1].id, 1});
    CHECK(p.comments == std::vector<std::string>{"c"});
    CHECK(p.drop_frames == "d");
    CHECK(p.default_type == "t");
    CHECK(p.period_type == value_type{"p", "q"});
    CHECK(p.period == 9);
}

TEST_CASE("a dictionary may come in parts, and before the profiles") {
    otlp_builder b;
    b.add({otlp_profile(b.type("t", "u"), {otlp_sample_of(b.stack_of("f"), {}, {1})})});
    const std::string whole = b.dictionary();
    message_builder strings;
    for (const std::string& each : b.strings) {
        strings.bytes(5, each);
    }
    b.strings.clear();
    const std::string body = message_builder{}.bytes(1, b.resources.front()).str();
    const std::string parts =
        message_builder{}.bytes(2, strings.str()).bytes(2, b.dictionary()).str();
    CHECK(converted(parts + body) == converted(body + message_builder{}.bytes(2, whole).str()));
}
