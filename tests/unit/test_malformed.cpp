// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/text_profile.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// The table of MALFORMED.md, row by row: what is refused, with the message and the place, and what
// is accepted.

namespace {

// Records of a sound profile, to be replaced one by one.
struct parts {
    std::string type = field(1, message_builder{}.number(1, 1).number(2, 2));
    std::string sample = field(2, message_builder{}.number(1, 1).number(2, 5));
    std::string location =
        field(4, message_builder{}.number(1, 1).bytes(4, message_builder{}.number(1, 1).str()));
    std::string function = field(5, message_builder{}.number(1, 1).number(2, 3));
    std::string strings = table({"", "alloc_space", "bytes", "f", "k"});

    [[nodiscard]] std::string str() const { return type + sample + location + function + strings; }

    static std::string field(std::uint32_t number, const message_builder& content) {
        return message_builder{}.bytes(number, content.str()).str();
    }
    static std::string table(const std::vector<std::string>& strings) {
        message_builder to;
        for (const std::string& each : strings) {
            to.bytes(6, each);
        }
        return to.str();
    }
};

std::string with_sample(const message_builder& sample) {
    parts p;
    p.sample = parts::field(2, sample);
    return p.str();
}

std::string with_location(const message_builder& location) {
    parts p;
    p.location = parts::field(4, location);
    return p.str();
}

std::string sound() { return parts{}.str(); }
std::string followed_by(const std::string& more) { return sound() + more; }
std::string twice(const std::string& bytes) { return bytes + bytes; }

std::optional<error> fault_of(std::string_view bytes) {
    return error_from([&] {
        std::string storage;
        std::string delta;
        delta_computer computer;
        computer.compute(decode(bytes, storage), delta);
    });
}

parsed_profile accepted(const std::string& bytes) {
    std::string delta;
    delta_computer computer;
    computer.compute(bytes, delta);
    REQUIRE(find_fault(delta) == "none");
    return parse(delta);
}

struct refusal {
    std::string name;
    std::string bytes;
    std::string message;
    std::optional<std::uint64_t> offset;
};

std::vector<refusal> refusals() {
    const std::uint64_t end = sound().size();
    const std::uint64_t in_sample = parts{}.type.size() + 2; // past its tag and length
    const std::uint64_t in_location = in_sample + parts{}.sample.size();
    const auto record = [](std::uint32_t number, std::uint64_t id) {
        return followed_by(parts::field(number, message_builder{}.number(1, id)));
    };
    const std::string gzip = encode(sound(), codec::gzip);
    const std::string timed = message_builder{}.number(9, 7).str() + sound();
    parts unnamed;
    unnamed.strings = parts::table({"x", "alloc_space", "bytes", "f"});
    return {
        {"truncated varint", followed_by("\x60\x80"), "the data ends within a field", end},
        {"varint over 10 bytes", followed_by("\x60" + std::string(10, '\x80') + '\1'),
         "a varint has more than 10 bytes", end},
        {"length beyond the end", followed_by("\x0a\x7f"), "a field of 127 bytes reaches past",
         end},
        {"length of 2^63", followed_by("\x0a" + varint(std::uint64_t{1} << 63U)),
         "a field of 9223372036854775808 bytes reaches past", end},
        {"varint for a message", followed_by(message_builder{}.number(2, 1).str()),
         "field 2 is not length-delimited", end},
        {"fixed64 for a varint", followed_by("\x49" + std::string(8, 'x')),
         "field 9 is not a varint", end},
        {"group", followed_by("\xa3\x06\xa4\x06"), "wire type that profiles do not use", end},
        {"field 0", followed_by(std::string{"\0\1", 2}), "an invalid number", end},
        {"no string table", parts::field(1, {}), "the string table is missing", {}},
        {"first string not empty", unnamed.str(), "the first string of the string table is not",
         end - parts{}.strings.size()},
        {"string out of range", with_sample(message_builder{}.number(2, 5).bytes(3, "\x08\x63")),
         "string 99 is not in the string table of 5", in_sample + 4},
        {"string negative",
         with_sample(message_builder{}.number(2, 5).bytes(3, "\x08" + varint(std::uint64_t(-1)))),
         "string -1 is not in the string table of 5", in_sample + 4},
        {"string out of range in a header",
         followed_by("\x70\x63"),
         "string 99 is not in the string table of 5",
         {}},
        {"location id twice", record(4, 1), "location id 1 is given twice", end + 2},
        {"location id 0 twice", record(4, 0) + parts::field(4, {}), "location id 0 is given twice",
         end + 6},
        {"function id twice", record(5, 1), "function id 1 is given twice", end + 2},
        {"function id 0 twice", record(5, 0) + parts::field(5, {}), "function id 0 is given twice",
         end + 6},
        {"mapping id 0", record(3, 0), "mapping id 0 is 0 or", end + 2},
        {"mapping id twice", record(3, 1) + parts::field(3, message_builder{}.number(1, 1)),
         "mapping id 1 is 0 or given twice", end + 6},
        {"location unknown", with_sample(message_builder{}.number(1, 9).number(2, 5)),
         "location id 9 is not in the profile", in_sample},
        {"location 0 in a sample", with_sample(message_builder{}.number(1, 0).number(2, 5)),
         "location id 0 is not in the profile", in_sample},
        {"location unknown, before one that is known",
         with_sample(message_builder{}.bytes(1, "\x09").bytes(1, "\x01").bytes(2, "\x05")),
         "location id 9 is not in the profile", in_sample},
        {"location cut short, before one that is known",
         with_sample(message_builder{}.bytes(1, "\x80").bytes(1, "\x01").bytes(2, "\x05")),
         "the data ends within a field", in_sample + 2},
        {"function unknown", with_location(message_builder{}.number(1, 1).bytes(4, "\x08\x09")),
         "function id 9 is not in the profile", in_location + 4},
        {"mapping flag of a wrong wire type",
         followed_by(parts::field(3, message_builder{}.number(1, 1).bytes(7, "x"))),
         "field 7 is not a varint", end + 4},
        {"too few values", with_sample(message_builder{}.number(1, 1)),
         "a sample has 0 values, but there are 1 sample types", in_sample},
        {"too many values", with_sample(message_builder{}.bytes(2, "\5\6")),
         "a sample has 2 values, but there are 1 sample types", in_sample},
        {"too many values, a field each",
         with_sample(message_builder{}.bytes(1, "\1").number(2, 5).number(2, 6)),
         "a sample has 2 values, but there are 1 sample types", in_sample},
        {"value of over 10 bytes, a field each",
         with_sample(message_builder{}.bytes(1, "\1").raw("\x10" + std::string(10, '\x80') + '\1')),
         "a varint has more than 10 bytes", in_sample + 3},
        {"garbage after gzip", gzip + "garbage", "data that is not gzip follows", gzip.size()},
        {"gzip cut", gzip.substr(0, 30), "truncated gzip data", 30},
        {"two profiles", twice(timed), "several profiles, one after the other", timed.size()},
        {"two profiles in gzip", twice(encode(timed, codec::gzip)), "several profiles",
         timed.size()},
        {"two profiles without time", twice(sound()), "is given twice",
         end + in_location + parts{}.location.size()},
        {"empty", "", "empty input", {}},
        {"gzip within gzip", encode(gzip, codec::gzip), "this is still compressed", {}},
        {"text", "Not a profile.\n", "field 9 is not a varint", 0},
        {"JSON", "{\"error\": 404}\n", "field 15 is not a varint", 0},
        {"HTML", "<html></html>\n", "field 7 is not a varint", 0},
    };
}

} // namespace

TEST_CASE("malformed profiles are refused with the reason and the place") {
    REQUIRE_FALSE(fault_of(sound()));
    for (const auto& [name, bytes, message, offset] : refusals()) {
        CAPTURE(name);
        const auto fault = fault_of(bytes);
        REQUIRE(fault);
        CAPTURE(fault->what());
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(std::string{fault->what()}.find(message) != std::string::npos);
        CHECK(fault->offset() == offset);
        // The profile is the current one of a diff, or of a series, which goes on as if it had not
        // come.
        const auto compute = [](delta_computer& computer, std::string_view profile) {
            std::string storage;
            std::string delta;
            computer.compute(decode(profile, storage), delta);
            return delta;
        };
        std::string delta;
        std::string storage;
        CHECK(fails_as(error_kind::malformed,
                       [&, &wrong = bytes] { diff(sound(), decode(wrong, storage), {}, delta); }));
        delta_computer untouched;
        delta_computer computer;
        compute(untouched, sound());
        compute(computer, sound());
        CHECK(fails_as(error_kind::malformed, [&, &wrong = bytes] { compute(computer, wrong); }));
        CHECK(compute(computer, sound()) == compute(untouched, sound()));
    }
}

TEST_CASE("an unknown mapping is taken for none") {
    const auto location = [](std::uint64_t mapping) {
        message_builder to;
        to.number(1, 1).number(3, 0x1000);
        return mapping == 0 ? to : to.number(2, mapping);
    };
    const std::string unknown = with_location(location(std::uint64_t{1} << 63U));
    const auto content = accepted(unknown).content;
    CHECK(content.locations.at(0).mapping == 0);
    CHECK(content.locations.at(0).address == 0x1000);
    std::string delta;
    CHECK(diff(unknown, with_location(location(0)), {}, delta).samples_kept == 0);
}

TEST_CASE("a function or location may have the id 0") {
    // The ids are as converters write them that number from 0; proto3 leaves such an id out.
    parts p;
    p.function = parts::field(5, message_builder{}.number(2, 3));
    p.location = parts::field(4, message_builder{}.bytes(4, "\x10\x09"));
    p.sample = parts::field(2, message_builder{}.number(1, 0).number(2, 5));
    const auto content = accepted(p.str()).content;
    REQUIRE(content.locations.size() == 1);
    REQUIRE(content.functions.size() == 1);
    CHECK(content.functions.at(0).name == "f");
    CHECK(content.functions.at(0).id == 1); // for readers that refuse 0
    CHECK(content.locations.at(0).id == 1);
    CHECK(content.locations.at(0).lines.at(0) == line{1, 9, 0, ""});
    CHECK(content.samples.at(0).stack == std::vector<std::uint64_t>{1});
    // It is the same sample as in a profile that numbers from 1.
    std::string delta;
    const std::string from_1 =
        with_location(message_builder{}.number(1, 1).bytes(4, "\x08\x01\x10\x09"));
    CHECK(diff(p.str(), from_1, {}, delta).samples_kept == 0);
}

TEST_CASE("a line without a function is accepted") {
    const auto content =
        accepted(with_location(message_builder{}.number(1, 1).bytes(4, "\x10\x09"))).content;
    CHECK(content.locations.at(0).lines.at(0) == line{0, 9, 0, ""});
}

TEST_CASE("a label may have both a string and a number") {
    const auto label_of = [](const std::string& label) {
        return with_sample(message_builder{}.number(1, 1).number(2, 5).bytes(3, label));
    };
    const std::string both = label_of("\x08\x04\x10\x03\x18\x07");
    CHECK(accepted(both).content.samples.at(0).labels.at(0) == label{"k", "f", 7, "", ""});
    std::string delta;
    CHECK(diff(both, label_of("\x08\x04\x10\x03"), {}, delta).samples_kept == 2);
}

TEST_CASE("strings are bytes, UTF-8 or not") {
    parts p;
    p.strings = parts::table({"", "alloc_space", "bytes", "\xff\xfe\x80", "k"});
    CHECK(accepted(p.str()).content.functions.at(0).name == "\xff\xfe\x80");
}

TEST_CASE("unknown fields may be of any wire type but a group") {
    CHECK_FALSE(fault_of(followed_by("\xa1\x06"
                                     "12345678")));
    CHECK_FALSE(fault_of(followed_by("\xa5\x06"
                                     "1234")));
}

TEST_CASE("a profile without sample types is not damaged, but has nothing to subtract") {
    const auto fault = fault_of(parts::table({""}));
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::no_cumulative_type);
}

TEST_CASE("the last of a field that comes twice counts, and nothing is left of the first") {
    parts p;
    const message_builder one = message_builder{}.number(1, 1).number(2, 4).number(2, 3);
    p.function = parts::field(5, one);
    CHECK(accepted(p.str()).content.functions.at(0).name == "f");
    p = {};
    p.type = parts::field(1, message_builder{}.number(1, 4).number(1, 1).number(2, 2));
    CHECK(accepted(p.str()).content.types.at(0) == value_type{"alloc_space", "bytes"});
    const auto labelled = accepted(
        with_sample(message_builder{}.number(1, 1).number(2, 5).bytes(3, "\x08\x04\x08\x03")));
    CHECK(labelled.content.samples.at(0).labels.at(0).key == "f");
    // One that does not count may be out of range.
    const auto overwritten = accepted(with_sample(
        message_builder{}.number(1, 1).number(2, 5).bytes(3, "\x08\x63\x08\x04\x10\x63\x10\x03"
                                                             "\x20\x63\x20\x02")));
    CHECK(overwritten.content.samples.at(0).labels.at(0) == label{"k", "f", 0, "bytes", ""});
    p = {};
    p.type =
        parts::field(1, message_builder{}.number(1, 99).number(1, 1).number(2, 99).number(2, 2));
    CHECK(accepted(p.str()).content.types.at(0) == value_type{"alloc_space", "bytes"});
    p = {};
    p.function = parts::field(5, message_builder{}.number(1, 1).number(2, 99).number(2, 3));
    CHECK(accepted(p.str()).content.functions.at(0).name == "f");
    const auto period = [](std::uint64_t type) {
        return parts::field(11, message_builder{}.number(1, type).number(2, 2));
    };
    CHECK(accepted(followed_by(period(99) + period(4))).content.period_type ==
          value_type{"k", "bytes"});
    const auto lined =
        accepted(with_location(message_builder{}.number(1, 1).bytes(4, "\x08\x09\x08\x01")));
    CHECK(lined.content.functions.at(0).name == "f");
    const auto mapped = accepted(
        followed_by(parts::field(3, message_builder{}.number(1, 1).number(5, 99).number(5, 3))));
    CHECK(mapped.content.mappings.at(0).file == "f");
}

// The input that an error of a public call is about.

namespace {

profile heap(const std::string& unit = "bytes") {
    profile p;
    p.types = {{"alloc_space", unit}};
    p.samples = {{{add_frame(p, "f", "f.c", 3)}, {1}}};
    return p;
}

std::string sound_heap() { return serialize(heap()); }

std::string with_unknown_location() {
    profile p = heap();
    p.samples[0].stack = {7};
    return serialize(p);
}

// The first label of a sample is read after its stack.
std::string with_unknown_string() {
    const std::string label = message_builder{}.number(1, 1000).str();
    return sound_heap() +
           message_builder{}.bytes(2, message_builder{}.number(2, 5).bytes(3, label).str()).str();
}

// Found only when headers are written, and those of a diff are the current profile's.
std::string with_unknown_comment() {
    return sound_heap() + message_builder{}.number(13, 1000).str();
}

template <typename Call>
error_input input_of(Call&& call) {
    const auto fault = error_from(call);
    REQUIRE(fault);
    return fault->input();
}

struct call_of_two {
    std::string name;
    std::function<void(const std::string& previous, const std::string& current)> run;
};

const std::vector<call_of_two> calls_of_two{
    {"diff",
     [](const auto& previous, const auto& current) {
         std::string delta;
         diff(previous, current, {}, delta);
     }},
    {"normalize",
     [](const auto& previous, const auto& current) {
         (void)normalize(previous, current, normalization::total);
     }},
    {"make_report",
     [](const auto& previous, const auto& current) {
         (void)make_report({previous, current});
     }},
    {"make_flame_graph",
     [](const auto& previous, const auto& current) {
         (void)make_flame_graph({previous, current});
     }},
    {"judge",
     [](const auto& previous, const auto& current) {
         (void)judge({parse_limit("func:f:alloc_space>1")}, {previous, current});
     }},
};

} // namespace

TEST_CASE("an error about two profiles names the damaged one, or both") {
    const std::string good = sound_heap();
    const std::string other = serialize(heap("count"));
    for (const auto& [name, run] : calls_of_two) {
        CAPTURE(name);
        run(good, good);
        CHECK(input_of([&, &call = run] { call("x", good); }) == error_input::previous);
        CHECK(input_of([&, &call = run] { call(good, "x"); }) == error_input::current);
        CHECK(input_of([&, &call = run] { call("x", "x"); }) == error_input::previous);
        CHECK(input_of([&, &call = run] { call(good, other); }) == error_input::both);
    }
}

TEST_CASE("an error about two profiles names the one with a damaged sample") {
    const std::string good = sound_heap();
    const std::string bad = with_unknown_location();
    for (const auto& [name, run] : calls_of_two) {
        CAPTURE(name);
        CHECK(input_of([&, &call = run] { call(bad, good); }) == error_input::previous);
        if (name != "normalize") { // which needs no stacks of the current profile
            CHECK(input_of([&, &call = run] { call(good, bad); }) == error_input::current);
        }
    }
    std::string delta;
    const std::string label = with_unknown_string();
    CHECK(input_of([&] { diff(label, good, {}, delta); }) == error_input::previous);
    CHECK(input_of([&] { diff(good, label, {}, delta); }) == error_input::current);
}

TEST_CASE("a computer's errors are about the profile given, about both or about the state") {
    const std::string good = sound_heap();
    const std::string other = serialize(heap("count"));
    std::string delta;
    delta_computer computer;
    const auto inputs = [&](const std::string& profile,
                            profile_source source = profile_source::protobuf) {
        return std::vector{input_of([&] { computer.compute(profile, delta, source); }),
                           input_of([&] { computer.prime(profile, source); })};
    };
    const std::vector only_current(2, error_input::current);
    const std::vector both(2, error_input::both);
    CHECK(inputs(other) == only_current); // a first one, so there is nothing it might not go with
    computer.prime(good);
    for (const std::string& bad :
         {std::string{"x"}, with_unknown_location(), with_unknown_string()}) {
        CHECK(inputs(bad) == only_current);
    }
    CHECK(inputs(other) == both);
    CHECK(inputs(good, profile_source::text) == both);
    CHECK(input_of([&] { computer.compute(with_unknown_comment(), delta); }) ==
          error_input::current);

    const std::string state = computer.save();
    CHECK(input_of([&] { computer.load("x"); }) == error_input::state);
    CHECK(input_of([&] { (void)read_state_info("x"); }) == error_input::state);
    delta_options options;
    options.match = match_mode::line;
    CHECK(input_of([&] { delta_computer{options}.load(state); }) == error_input::state);
    delta_computer loaded;
    loaded.load(state);
    CHECK(input_of([&] { loaded.compute(other, delta); }) == error_input::both);
}

namespace {

// The start of a CPU profile, in words of `size` bytes.
std::string cpu_profile(std::size_t size, bool is_big_endian, char kind) {
    std::string bytes;
    for (const char value : std::array{'\0', '\3', kind, '\x64', '\0'}) {
        std::string word(size, '\0');
        word[is_big_endian ? size - 1 : 0] = value;
        bytes += word;
    }
    return bytes;
}

} // namespace

TEST_CASE("CPU profiles of Java in gperftools' form have a name, and those of programs are read") {
    for (const std::size_t size : {4U, 8U}) {
        for (const bool is_big_endian : {false, true}) {
            const std::string program = cpu_profile(size, is_big_endian, 0);
            CHECK(unread_format(program).empty());
            CHECK(unread_format(cpu_profile(size, is_big_endian, 1)).find("Java") !=
                  std::string_view::npos);
            CHECK(unread_format(cpu_profile(size, is_big_endian, 2)).empty());
            CHECK(unread_format(program.substr(0, program.size() - 1)).empty());
        }
    }
    CHECK(unread_format(std::string(40, '\0')).empty());
}

TEST_CASE("all else has no name") {
    for (const char* text :
         {"heap_v2/ profile: total 5", "", "\n", "#", "text",
          "heap profile: 1: 16 [1: 16] @ heapprofile", "--- mutex:", "--- contentionz 1 ---",
          "heap_v2/1", "---", "--- heap", " profile: total 5", "a goroutine profile: total 5",
          "goroutine profile: total", "goroutine profile: total x", "goroutine 1 [running]:"}) {
        INFO(text);
        CHECK(unread_format(text).empty());
    }
    // A profile's first byte can be that of an empty line.
    CHECK(unread_format("\n\x04\x08\x01\x10\x02").empty());
    // The start alone is looked at.
    CHECK(unread_format(std::string(5000, '\n') + "--- heapz 1 ---").empty());
}
