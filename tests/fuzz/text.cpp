// SPDX-License-Identifier: Apache-2.0
// Text profiles: whatever the bytes, there is an error with the line or a profile of at most the
// size allowed that all readers take, with samples for all lines; and twice the same. The binary
// CPU profiles of gperftools and the JSON of speedscope are read by the same function.
#include <algorithm>
#include <string>
#include <string_view>

#include <pprofdelta/text_profile.hpp>

#include "fuzz.hpp"
#include "input/speedscope.hpp"
#include "profile/index.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr std::size_t max_size = std::size_t{1} << 16U;

const std::vector<value_type> cpu_types{{"samples", "count"}, {"cpu", "nanoseconds"}};

bool is_of_folded_stacks(const profile& content) {
    return content.types.size() == 1 || content.types.front().type == "wall";
}

// The types and what belongs to them.
void check_types(const profile& content) {
    const std::size_t count = content.types.size();
    if (content.types == cpu_types) {
        require(content.period > 0, "a sample is a time");
        for (const sample& s : content.samples) {
            require(s.values[1] == s.values[0] * content.period, "a sample is a time");
        }
        return;
    }
    if (is_of_folded_stacks(content)) {
        require(content.mappings.empty() && content.locations.size() == content.functions.size(),
                "a frame is a function and no more");
        return;
    }
    require(count == 2 || count == 4, "there are two types or four");
    require(content.types[0].unit == "count", "counts come first");
    require(content.types[0].type == "contentions"
                ? content.keep_frames.empty() && content.types[1].unit == "nanoseconds"
                : !content.keep_frames.empty() && content.types[1].unit == "bytes",
            "a profile is of waiting or of a heap");
    require(!content.drop_frames.empty() && !content.period_type.type.empty(),
            "there is a period type, and frames to drop");
    for (const sample& s : content.samples) {
        require(s.values.size() == count, "each sample has all values");
        require(s.labels.size() <= 1, "there is no label but the size of blocks");
    }
}

// A text without samples is none that was cut off before them.
void check_whole(const profile& content, std::string_view text) {
    const auto has = [text](std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    require(!content.samples.empty() || has("MAPPED_LIBRARIES:") || has("--- Memory map: ---") ||
                has("# runtime.MemStats") || (has("cycles/second") && text.ends_with('\n')),
            "a text without samples has its end");
}

// Each line of a sample has one '@'; others can be in comments, and after the list of mappings
// begins. Each line of folded stacks is one.
void check_count(const profile& content, std::string_view text) {
    const bool is_folded = is_of_folded_stacks(content);
    const auto most = std::count(text.begin(), text.end(), is_folded ? '\n' : '@') + is_folded;
    require(content.samples.size() <= static_cast<std::size_t>(most), "no sample is made up");
}

// The delta of a profile and itself has no more than memory in use.
void check_delta(const std::string& bytes) {
    delta_computer computer;
    std::string delta;
    if (!is_accepted([&] { computer.prime(bytes, profile_source::text); })) {
        return; // nothing in it is cumulative
    }
    computer.compute(bytes, delta, profile_source::text);
    require(find_fault(delta) == "none", "the delta is a profile");
    const profile content = parse(delta).content;
    const std::size_t cumulative = 2;
    for (const sample& s : content.samples) {
        require(s.values[0] == 0 && s.values[1] == 0 && s.values.size() > cumulative,
                "nothing has happened between a profile and itself");
    }
}

} // namespace

FUZZ_TARGET(text, data, size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    require(!is_text_profile(text) || unread_format(text).empty(),
            "what is read is not said to be unread");
    std::string bytes;
    try {
        convert_text_profile(text, bytes, max_size);
    } catch (const error& e) {
        require(e.kind() == error_kind::too_large || e.offset() <= size,
                "a fault in the text has a place in it");
        require(std::string_view{e.what()}.find('\n') == std::string_view::npos,
                "what is wrong takes one line");
        return 0;
    }
    require(is_text_profile(text), "what is converted begins as text profiles do");
    require(bytes.size() <= max_size, "no profile is larger than allowed");
    const auto stands_alone = [](const mapping& each) { return tells_process(each.file); };
    const std::string fault = find_fault(bytes, nullptr, stands_alone);
    require(fault == "none", "what is converted is a profile: " + fault);
    const profile content = parse(bytes).content;
    if (!is_speedscope(text)) {
        check_types(content);
    }
    if (!is_speedscope(text) && content.types != cpu_types) {
        check_whole(content, text);
        check_count(content, text);
    }
    check_delta(bytes);
    std::string again = "something else";
    convert_text_profile(text, again, max_size);
    require(again == bytes, "the same text gives the same profile");
    return 0;
}
