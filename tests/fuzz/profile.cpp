// SPDX-License-Identifier: Apache-2.0
// Bytes taken for a profile: refused, or made into the delta that the slow reference makes. The
// rest that is read of one profile, and is no other target's, agrees with the reference as well.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/otlp_profile.hpp>

#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void check_info(std::string_view bytes, const profile& content) {
    const profile_info info = read_profile_info(bytes);
    require(info.types.size() == content.types.size() && info.samples == content.samples.size() &&
                info.locations == content.locations.size() &&
                info.functions == content.functions.size() &&
                info.mappings == content.mappings.size(),
            "all records are counted");
    require(info.time_nanos == content.time && info.duration_nanos == content.duration &&
                info.period == content.period && info.period_type == content.period_type,
            "what a profile says of itself is read");
    label_list list;
    if (is_accepted([&] { list = list_labels(bytes); })) {
        require(std::all_of(list.labels.begin(), list.labels.end(),
                            [&](const label_info& each) {
                                return each.values >= 1 && each.samples >= 1 &&
                                       each.samples <= content.samples.size();
                            }),
                "labels are those of samples");
    }
}

void check_comment(std::string_view bytes, profile content) {
    std::string commented{bytes};
    add_comment(commented, "a comment");
    content.comments.emplace_back("a comment");
    require(parse_if_valid(commented) == content, "a comment is all that is added");
}

void check_otlp(std::string_view bytes) {
    std::string otlp;
    std::string back;
    if (is_accepted([&] { write_otlp_profile(bytes, otlp); })) {
        require(is_otlp_profile(otlp), "what is written is OTLP");
        static_cast<void>(is_accepted([&] { convert_otlp_profile(otlp, back); }));
    }
}

} // namespace

FUZZ_TARGET(profile, data, size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    std::string delta;
    std::vector<type_treatment> types;
    if (!is_accepted([&] { types = list_types(bytes); })) {
        delta_computer computer;
        require(!is_accepted([&] { computer.compute(bytes, delta); }),
                "what has no types has no delta");
        return 0;
    }
    delta_options options;
    options.match = static_cast<match_mode>(size % 3);
    options.on_reset = reset_policy::negative;
    if (!types.empty()) {
        options.cumulative.emplace_back(to_string(types.front().type));
    }
    delta_computer computer{options};
    delta_summary summary;
    if (!is_accepted([&] { summary = computer.compute(bytes, delta); })) {
        require(!computer.has_previous(), "a refused profile leaves nothing behind");
        return 0;
    }
    check_otlp(bytes);
    const auto content = parse_if_valid(bytes);
    if (!content) {
        return 0;
    }
    check_info(bytes, *content);
    check_comment(bytes, *content);
    const std::vector<bool> cumulative = slow_treatment(*content, {});
    for (std::size_t i = 0; i < types.size(); ++i) {
        require(types[i].type == content->types[i] && types[i].is_cumulative() == cumulative[i],
                "types are treated as the slow reference has it");
    }
    slow_delta slow{options};
    require_same(delta, summary, slow.compute(*content), options.match, {&*content});
    summary = computer.compute(bytes, delta);
    require_same(delta, summary, slow.compute(*content), options.match, {&*content});
    return 0;
}
