// SPDX-License-Identifier: Apache-2.0
// Two profiles compared by diff(): invented ones that the bytes choose, or the bytes themselves.
#include <string>
#include <string_view>

#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void check(std::string_view previous, std::string_view current, const delta_options& options,
           bool is_invented) {
    std::string delta = "left over";
    delta_summary summary;
    if (!is_accepted([&] { summary = diff(previous, current, options, delta); })) {
        require(!is_invented, "what is invented is accepted");
        return;
    }
    const auto before = parse_if_valid(previous);
    const auto now = parse_if_valid(current);
    if (before && now) {
        require_same(delta, summary, slow_diff(*before, *now, options), options.match,
                     {&*before, &*now});
        require(summary.previous_has_duration == (before->duration != 0),
                "previous_has_duration is right");
    }
}

} // namespace

FUZZ_TARGET(diff, data, size) {
    steering bytes{data, size};
    const delta_options options = bytes.options();
    const unsigned kind = bytes.byte();
    const auto [previous, current] = choose_pair(bytes, kind);
    check(previous, current, options, kind % 2 == 1);
    check(previous, previous, options, kind % 2 == 1);
    return 0;
}
