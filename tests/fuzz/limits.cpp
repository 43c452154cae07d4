// SPDX-License-Identifier: Apache-2.0
// Bytes taken for limits, a line each, of two small profiles: refused, or read whole and judged of
// all that they are about. The bounds of limits are tested in test_limits.cpp.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "fuzz.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

// Two of them have the same text, and units that fit bounds in several ways or not at all.
const std::vector<value_type> types{
    {"space", "bytes"}, {"space", "kilobytes"}, {"delay", "microseconds"},
    {"a/b", "c"},       {"a", "b/c"},           {"n", "count"}};

// The named functions and labels have all of the values.
std::string profile_of(std::int64_t value) {
    profile p;
    p.types = types;
    const std::uint64_t f = add_frame(p, "main.f");
    const std::uint64_t g = add_frame(p, "main.g");
    p.samples.push_back({{f, g, f}, std::vector<std::int64_t>(types.size(), value)});
    p.samples[0].labels = {{"tenant", "acme"}, {"size", "", 4096, "bytes"}};
    return serialize(p);
}

std::optional<limit> parse_if_valid_limit(std::string_view text) {
    try {
        return parse_limit(text);
    } catch (const error& e) {
        require(e.kind() == error_kind::invalid_argument, "a limit is refused as an argument is");
        require(*e.what() != '\0', "a refusal has a reason");
        return std::nullopt;
    }
}

void require_well_read(const limit& l) {
    const limit again = parse_limit(" \t" + l.text + " \r");
    require(again.text == l.text && again.of == l.of && again.functions == l.functions &&
                again.label == l.label && again.type.text() == l.type.text() && again.on == l.on &&
                again.threshold.digits == l.threshold.digits &&
                again.threshold.decimals == l.threshold.decimals &&
                again.threshold.unit == l.threshold.unit && again.seconds == l.seconds,
            "a limit's text is read as the limit was");
    require(l.threshold.digits >= 0 && l.threshold.decimals >= 0 && l.threshold.decimals <= 18,
            "a number is within its range");
    require((l.of == limit::scope::through || l.of == limit::scope::leaf) == !l.functions.empty(),
            "functions come with their scope");
    require((l.of == limit::scope::label) == !l.label.empty(), "a label comes with its scope");
    require(!l.type.text().empty(), "a limit has a type");
}

void require_well_judged(const limit& l, std::int64_t previous, std::int64_t current) {
    std::vector<judgement> found;
    const std::string before = profile_of(previous);
    const std::string now = profile_of(current);
    const bool is_judged = is_accepted([&] { found = judge({l}, {before, now}); });
    std::vector<value_type> named;
    for (const value_type& type : types) {
        if (l.type.text() == type.type || l.type.text() == type.type + "/" + type.unit) {
            named.push_back(type);
        }
    }
    if (!is_judged) {
        require(named.empty() || !l.threshold.unit.empty(),
                "a limit of a type that is there is judged");
        return;
    }
    require(found.size() == named.size() && !named.empty(), "each type that is named is judged");
    for (std::size_t i = 0; i < named.size(); ++i) {
        const judgement& j = found[i];
        require(j.type == named[i] && j.limit == l.text, "a judgement says of what it is");
        require((j.previous == previous && j.current == current) ||
                    (j.previous == 0 && j.current == 0 && l.of != limit::scope::all),
                "a value is that of all matching samples");
        require(j.has_match || (j.previous == 0 && j.current == 0), "what matches not has nothing");
        if (l.on == limit::bound::rate) {
            require(!j.crossed && !j.unknown.empty(), "two profiles tell nothing of rates");
            continue;
        }
        require(l.on != limit::bound::share || j.whole == current, "a share is of all samples");
        require(!j.crossed || j.current > (l.on == limit::bound::value ? 0 : j.previous) ||
                    l.on == limit::bound::share,
                "a limit is crossed by what grew, or is there");
        // Each function has all of the total, and one of the two is never the innermost.
        const std::size_t most = l.of == limit::scope::each_leaf      ? 1
                                 : l.of == limit::scope::each_through ? 2
                                                                      : 0;
        require(j.functions.size() == (j.crossed ? most : 0), "the functions beyond are named");
    }
}

std::int64_t number_from(steering& bytes) {
    const std::uint64_t high = bytes.word();
    return static_cast<std::int64_t>(high << 32U | bytes.word());
}

} // namespace

FUZZ_TARGET(limits, data, size) {
    steering bytes{data, size};
    const std::int64_t previous = number_from(bytes);
    const std::int64_t current = number_from(bytes);
    static_cast<void>(bytes.byte()); // of inputs that are kept
    std::string_view rest = bytes.rest();
    for (int line = 0; line < 4 && !rest.empty(); ++line) {
        const std::string_view text = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        if (const auto l = parse_if_valid_limit(text)) {
            require_well_read(*l);
            require_well_judged(*l, previous, current);
        }
    }
    return 0;
}
