// SPDX-License-Identifier: Apache-2.0
#include "fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "canonical.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

namespace pprofdelta::test {

void require(bool holds, const std::string& promise) {
    if (!holds) {
        std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
        std::abort();
    }
}

std::string_view steering::take(std::size_t size) {
    const std::string_view taken = m_rest.substr(0, size);
    m_rest.remove_prefix(taken.size());
    return taken;
}

std::uint8_t steering::byte() {
    const std::string_view one = take(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one.front());
}

std::uint32_t steering::word() {
    std::uint32_t word = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        word |= std::uint32_t{byte()} << shift;
    }
    return word;
}

delta_options steering::options() {
    const unsigned bits = byte();
    delta_options chosen;
    chosen.match = static_cast<match_mode>(bits % 3);
    chosen.on_reset = static_cast<reset_policy>(bits / 3 % 4);
    chosen.drop_negative = bits / 12 % 2 == 1;
    chosen.skip_first = bits / 24 % 2 == 1;
    return chosen;
}

profile_pair choose_pair(steering& bytes, unsigned kind) {
    if (kind % 2 == 0) {
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        return {std::string{previous}, std::string{bytes.rest()}};
    }
    random_series series{kind, bytes.rest()};
    const std::string previous = serialize(series.next(), series.next_layout());
    return {previous, serialize(series.next(), series.next_layout())};
}

std::optional<profile> parse_if_valid(std::string_view bytes) {
    try {
        return parse(bytes).content;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void require_same(const std::string& delta, const delta_summary& summary,
                  const slow_result& expected, match_mode match,
                  const std::vector<const profile*>& inputs) {
    const profile& current = *inputs.back();
    const std::string fault =
        find_fault(delta, current.mappings.empty() ? nullptr : current.mappings.data());
    require(fault == "none", "a delta is a compact profile: " + fault);
    const profile content = parse(delta).content;
    const std::string found = difference(expected.delta, canonical_form(content, match));
    require(found == "none", "a delta is what the slow reference has: " + found);
    require(content.samples.size() == expected.delta.samples.size(), "samples come once");
    sample_values known;
    for (const profile* const input : inputs) {
        known.merge(add_up(*input, match_mode::exact));
    }
    for (const auto& [stack, values] : add_up(content, match_mode::exact)) {
        require(known.contains(stack), "a stack is one of an input, whatever it was matched by");
    }
    require(summary.samples_kept == content.samples.size(), "samples_kept is right");
    require(summary.samples_in == current.samples.size(), "samples_in is right");
    require(summary.first == expected.first, "first is right");
    require(summary.reset == expected.reset, "reset is right");
}

std::vector<std::int64_t> sums(const profile& in) {
    std::vector<std::int64_t> all(in.types.size());
    for (const sample& each : in.samples) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = wrapping_sum(all[i], each.values[i]);
        }
    }
    return all;
}

bool has_large_values(const profile& in) {
    constexpr std::int64_t large = std::int64_t{1} << 50;
    return std::any_of(in.samples.begin(), in.samples.end(), [](const sample& s) {
        return std::any_of(s.values.begin(), s.values.end(),
                           [](std::int64_t value) { return value > large || value < -large; });
    });
}

} // namespace pprofdelta::test
