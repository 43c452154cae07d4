// SPDX-License-Identifier: Apache-2.0
// Bytes taken for a profile: refused, or made into the delta that the slow reference makes.
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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
    const auto content = parse_if_valid(bytes);
    if (!content) {
        return 0;
    }
    slow_delta slow{options};
    require_same(delta, summary, slow.compute(*content), options.match);
    summary = computer.compute(bytes, delta);
    require_same(delta, summary, slow.compute(*content), options.match);
    return 0;
}
