// SPDX-License-Identifier: Apache-2.0
// The binary CPU profiles of gperftools, behind a sound header: whatever the bytes, there is an
// error in its place or a profile that all readers take.
#include <string>
#include <string_view>

#include <pprofdelta/text_profile.hpp>

#include "fuzz.hpp"
#include "profile/index.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

FUZZ_TARGET(cpu_profile, data, size) {
    const std::size_t word = size % 2 == 0 ? 8 : 4; // bytes, the lowest first
    std::string text(5 * word, '\0');
    text[word] = 3;
    text[3 * word] = 100;
    text.append(reinterpret_cast<const char*>(data), size);
    require(is_text_profile(text) && unread_format(text).empty(), "the header tells the format");
    std::string bytes;
    try {
        convert_text_profile(text, bytes);
    } catch (const error& e) {
        require(e.kind() == error_kind::too_large || (e.offset() && *e.offset() <= text.size()),
                "a fault has a place");
        return 0;
    }
    const auto stands_alone = [](const mapping& each) { return tells_process(each.file); };
    const std::string fault = find_fault(bytes, nullptr, stands_alone);
    require(fault == "none", "what is converted is a profile: " + fault);
    const profile content = parse(bytes).content;
    for (const sample& s : content.samples) {
        require(s.values.at(1) == s.values.at(0) * content.period, "a sample is a time");
    }
    return 0;
}
