// SPDX-License-Identifier: Apache-2.0
// Two profiles compared by diff(): invented ones that the bytes choose, or the bytes themselves.
#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void check(std::string_view previous, std::string_view current, const delta_options& options) {
    std::string delta = "left over";
    delta_summary summary;
    if (!is_accepted([&] { summary = diff(previous, current, options, delta); })) {
        return;
    }
    const auto before = parse_if_valid(previous);
    const auto now = parse_if_valid(current);
    if (before && now) {
        require_same(delta, summary, slow_diff(*before, *now, options), options.match);
    }
}

} // namespace

FUZZ_TARGET(diff, data, size) {
    steering bytes{data, size};
    const delta_options options = bytes.options();
    const unsigned kind = bytes.byte();
    if (kind % 2 == 0) {
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        check(previous, bytes.rest(), options);
        return 0;
    }
    random_series series{kind, bytes.rest()};
    const std::string previous = serialize(series.next(), series.next_layout());
    const std::string current = serialize(series.next(), series.next_layout());
    check(previous, current, options);
    check(previous, previous, options);
    return 0;
}
