// SPDX-License-Identifier: Apache-2.0
// Profiles of OTLP: whatever the bytes, there is an error with a place in them, or a profile of at
// most the size allowed that all readers take; twice the same; and nothing that is a profile of
// pprof is taken for one of OTLP.
#include <string>
#include <string_view>

#include <pprofdelta/otlp_profile.hpp>

#include "canonical.hpp"
#include "fuzz.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::size_t max_size = std::size_t{1} << 20U;

// All readers of pprof but that of the tests ask for a string table.
bool is_pprof(std::string_view bytes) {
    return parse_if_valid(bytes) && !parse(bytes).strings.empty();
}

// The delta of a profile and itself is one, and has nothing cumulative.
void check_delta_of_otlp(const std::string& bytes) {
    delta_computer computer;
    std::string delta;
    if (!is_accepted([&] { computer.prime(bytes, profile_source::otlp); })) {
        return; // nothing in it is cumulative
    }
    computer.compute(bytes, delta, profile_source::otlp);
    require(find_fault(delta) == "none", "the delta is a profile");
}

// The profile that comes back from OTLP; empty if too much is referred to. A function without any
// name comes back as none, and a label with a text and a number as a text, so only what came back
// is the same again.
std::string back_from_otlp(const std::string& bytes) {
    std::string otlp;
    std::string back;
    if (!is_accepted([&] { static_cast<void>(write_otlp_profile(bytes, otlp)); })) {
        return "";
    }
    require(is_otlp_profile(otlp), "what is written is OTLP");
    return is_accepted([&] { convert_otlp_profile(otlp, back); }) ? back : "";
}

void check_written(const std::string& bytes) {
    const std::string back = back_from_otlp(bytes);
    const std::string again = back.empty() ? "" : back_from_otlp(back);
    require(again.empty() || add_up(parse(again).content, match_mode::exact) ==
                                 add_up(parse(back).content, match_mode::exact),
            "what comes back is the same");
}

} // namespace

FUZZ_TARGET(otlp, data, size) {
    const std::string_view given{reinterpret_cast<const char*>(data), size};
    require(!is_otlp_profile(given) || !is_pprof(given),
            "what is a profile of pprof is none of OTLP");
    std::string bytes;
    try {
        convert_otlp_profile(given, bytes, max_size);
    } catch (const error& e) {
        require(e.kind() == error_kind::too_large || !e.offset() || *e.offset() <= size,
                "a fault has a place in the message");
        require(std::string_view{e.what()}.find('\n') == std::string_view::npos ||
                    given.find('\n') != std::string_view::npos,
                "what is wrong takes one line");
        return 0;
    }
    require(is_otlp_profile(given), "what is converted looks like OTLP");
    require(!is_otlp_profile(bytes), "what it becomes does not");
    require(bytes.size() <= max_size, "no profile is larger than allowed");
    const parsed_profile read = parse(bytes);
    for (const sample& s : read.content.samples) {
        require(s.values.size() == read.content.types.size(), "each sample has all values");
    }
    check_delta_of_otlp(bytes);
    check_written(bytes);
    std::string again = "something else";
    convert_otlp_profile(given, again, max_size);
    require(again == bytes, "the same message gives the same profile");
    return 0;
}
