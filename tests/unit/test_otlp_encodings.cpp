// SPDX-License-Identifier: Apache-2.0
// What most messages look like is read in a faster way than what they may look like: both have to
// give the same.
#include <pprofdelta/otlp_profile.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "input/otlp_message.hpp"
#include "otlp_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

class random_numbers {
public:
    explicit random_numbers(std::uint32_t seed) : m_engine{seed} {}
    // From 0 to `most`.
    std::uint64_t operator()(std::uint64_t most) {
        return std::uniform_int_distribution<std::uint64_t>{0, most}(m_engine);
    }

private:
    std::mt19937 m_engine;
};

// A varint in one byte more than it needs.
std::string long_varint(std::uint64_t number) {
    std::string bytes = varint(number);
    if (bytes.size() < 10) {
        bytes.back() = static_cast<char>(bytes.back() | 0x80);
        bytes += '\0';
    }
    return bytes;
}

std::uint64_t take_varint(std::string_view& bytes) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        number |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) {
            return number;
        }
    }
}

// The same message with long tags, lengths and numbers.
std::string lengthened(std::string_view message) {
    std::string result;
    while (!message.empty()) {
        const std::uint64_t tag = take_varint(message);
        const std::uint64_t number = take_varint(message);
        result += long_varint(tag) + long_varint(number);
        if ((tag & 7U) == 2) {
            result += message.substr(0, number);
            message.remove_prefix(number);
        }
    }
    return result;
}

// How the same content is written.
struct form {
    bool is_long = false;
    std::uint32_t order = 0; // of the fields

    [[nodiscard]] std::string operator()(const message_builder& message) const {
        const std::string bytes = order == 0 ? message.str() : message.shuffled(order);
        return is_long ? lengthened(bytes) : bytes;
    }
    [[nodiscard]] std::string numbers(const std::vector<std::uint64_t>& all) const {
        std::string bytes;
        for (const std::uint64_t each : all) {
            bytes += is_long ? long_varint(each) : varint(each);
        }
        return bytes;
    }
};

// A message of anything, the same for the same seed.
std::string message_of(std::uint32_t seed, form as) {
    random_numbers random{seed};
    otlp_builder b;
    const std::uint64_t most = seed % 2 == 0 ? 300 : 20;
    const auto count = [&] { return random(most) + 1; };
    for (std::uint64_t i = count(); i > 0; --i) {
        b.string(std::string(random(200), 'a') + std::to_string(i));
    }
    const std::uint64_t folded =
        b.attribute("pprof.location.is_folded", message_builder{}.number(2, 1));
    for (std::uint64_t i = count(); i > 0; --i) {
        static_cast<void>(b.attribute("k" + std::to_string(i % 7), text_value(std::to_string(i))));
    }
    const std::uint64_t attributes = b.attributes.size() - 1;
    const std::uint64_t strings = b.strings.size() - 1;
    for (std::uint64_t i = count(); i > 0; --i) {
        message_builder function;
        for (const std::uint32_t field : {1U, 2U, 3U}) {
            function.number(field, random(strings));
        }
        b.functions.push_back(as(function.number(4, random(5000))));
        message_builder mapping;
        mapping.number(1, random(~std::uint64_t{0})).number(2, random(~std::uint64_t{0}));
        mapping.bytes(5, as.numbers({random(attributes)})).number(4, random(strings));
        b.mappings.push_back(as(mapping));
    }
    for (std::uint64_t i = count(); i > 0; --i) {
        message_builder location;
        for (std::uint64_t parts = random(2); parts > 0; --parts) { // some of them several times
            location.bytes(4, as.numbers({random(1) == 0 ? folded : random(attributes), 0}));
            location.number(1, random(b.mappings.size() - 1));
        }
        location.number(2, random(~std::uint64_t{0}));
        for (std::uint64_t lines = random(3); lines > 0; --lines) {
            message_builder line;
            line.number(1, random(b.functions.size() - 1)).number(2, random(100));
            location.bytes(3, as(line.number(3, random(100))));
        }
        b.locations.push_back(as(location));
    }
    for (std::uint64_t i = count(); i > 0; --i) {
        std::vector<std::uint64_t> stack;
        for (std::uint64_t frames = random(40); frames > 0; --frames) {
            const std::uint64_t least = i % 4 == 0 ? 0 : 1;
            stack.push_back(least + random(b.locations.size() - 1 - least));
        }
        b.stacks.push_back(as(message_builder{}.bytes(1, as.numbers(stack))));
    }
    std::vector<std::string> profiles;
    for (const char* name : {"first", "second"}) {
        message_builder profile;
        profile.bytes(1, b.type(name, "count"));
        for (std::uint64_t i = count(); i > 0; --i) {
            message_builder sample;
            sample.number(1, random(b.stacks.size() - 1));
            if (random(2) != 0) {
                sample.bytes(2, as.numbers({1 + random(attributes - 1)}));
            }
            sample.bytes(4, as.numbers({random(random(1) == 0 ? 300 : 1ULL << 40U)}));
            profile.bytes(2, as(sample));
        }
        profiles.push_back(as(profile));
    }
    b.add(profiles);
    message_builder message;
    message.bytes(1, b.resources.front());
    return message.bytes(2, as.is_long ? lengthened(b.dictionary()) : b.dictionary()).str();
}

profile content_of(const std::string& otlp) {
    std::string bytes;
    convert_otlp_profile(otlp, bytes);
    return parse(bytes).content;
}

} // namespace

TEST_CASE("a message of OTLP may have its fields in any order, and long numbers") {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        const profile usual = content_of(message_of(seed, {}));
        REQUIRE(!usual.samples.empty());
        CHECK(content_of(message_of(seed, {.is_long = true})) == usual);
        CHECK(content_of(message_of(seed, {.order = seed})) == usual);
        CHECK(content_of(message_of(seed, {.is_long = true, .order = seed + 1})) == usual);
    }
}

TEST_CASE("a dictionary of OTLP may come in parts, whose strings are one table") {
    otlp_builder b;
    b.add({message_builder{}
               .bytes(1, b.type("t", "u"))
               .bytes(2, otlp_sample_of(b.stack_of("f"), {}, {1}))
               .str()});
    std::string bytes = b.str();
    const profile at_once = content_of(bytes);
    bytes += message_builder{}.bytes(2, message_builder{}.bytes(5, "of another part").str()).str();
    CHECK(content_of(bytes) == at_once);
}

TEST_CASE("short numbers of a stack are checked at once as they are one by one") {
    random_numbers random{7};
    int accepted = 0;
    for (const std::size_t known : {1U, 2U, 100U, 127U, 128U, 129U, 300U, 16383U, 16384U, 70000U}) {
        for (int i = 0; i < 2000; ++i) {
            CAPTURE(known, i);
            // Nearly all are right, as one that is not would hide the others.
            std::vector<std::uint64_t> numbers;
            bool is_right = true;
            for (std::uint64_t left = 1 + random(40); left > 0; --left) {
                const std::uint64_t most = random(3) == 0 ? 127 : 20000;
                std::uint64_t number = random(most);
                if (random(60) != 0) {
                    number = known < 2 ? number : 1 + number % (known - 1);
                } else if (random(1) == 0) {
                    number = known + random(1);
                }
                is_right = is_right && number != 0 && number < known && number < 16384;
                numbers.push_back(number);
            }
            const std::string field = message_builder{}.bytes(1, packed(numbers)).str();
            const std::size_t size = packed(numbers).size();
            const std::string_view value = std::string_view{field}.substr(field.size() - size);
            const bool is_known = are_short_ordinals(value, known);
            CHECK(is_known == (is_right && size >= 16));
            accepted += is_known ? 1 : 0;
            // One that is cut short.
            std::string cut = field;
            cut.back() = static_cast<char>(cut.back() | 0x80);
            CHECK(!are_short_ordinals(std::string_view{cut}.substr(cut.size() - size), known));
        }
    }
    CHECK(accepted > 1000);
}

TEST_CASE("an attribute's index that is cut short is no other one") {
    otlp_builder b;
    for (int i = 0; i < 200; ++i) {
        static_cast<void>(b.attribute("k", text_value(std::to_string(i))));
    }
    const std::uint64_t stack = b.stack_of("f");
    const std::string known = otlp_sample_of(stack, {0x81}, {1});
    const std::string cut =
        message_builder{}.number(1, stack).bytes(2, "\x81").bytes(4, "\x01").str();
    b.add({message_builder{}.bytes(1, b.type("t", "u")).bytes(2, known).bytes(2, cut).str()});
    std::string bytes;
    const auto fault = error_from([&] { convert_otlp_profile(b.str(), bytes); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::malformed);
}
