// SPDX-License-Identifier: Apache-2.0
// The JSON of speedscope, which chance does not find in the target text: whatever follows its
// schema, there is an error or a profile that all readers take, and twice the same.
#include <string>
#include <string_view>

#include <pprofdelta/text_profile.hpp>

#include "fuzz.hpp"
#include "input/speedscope.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

FUZZ_TARGET(speedscope, data, size) {
    constexpr std::size_t max_size = std::size_t{1} << 16U;
    const std::string text = R"({"$schema":"https://www.speedscope.app/file-format-schema.json",)" +
                             std::string{reinterpret_cast<const char*>(data), size};
    require(is_speedscope(text) && is_text_profile(text), "the schema tells the format");
    std::string bytes;
    std::string again = "something else";
    const auto convert = [&](std::string& to) {
        convert_text_profile(text, to, max_size, {"samples", "count"}, size % 2 == 0 ? "" : "a");
    };
    try {
        convert(bytes);
    } catch (const error& e) {
        require(e.kind() == error_kind::malformed || e.kind() == error_kind::too_large ||
                    e.kind() == error_kind::invalid_argument,
                "what is wrong is the text or the choice");
        require(std::string_view{e.what()}.find('\n') == std::string_view::npos,
                "what is wrong takes one line");
        return 0;
    }
    require(bytes.size() <= max_size, "no profile is larger than allowed");
    const std::string fault = find_fault(bytes);
    require(fault == "none", "what is converted is a profile: " + fault);
    convert(again);
    require(again == bytes, "the same text gives the same profile");
    return 0;
}
