// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>

#include "base/wrapping.hpp"
#include "profile/frame_index.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/name_pattern.hpp"
#include "report/units.hpp"

namespace pprofdelta {

namespace {

// By place, whether a function's name has the pattern in it. Many functions can share a name, so
// each is searched once.
std::vector<bool> matching_functions(std::string_view regex, const profile_index& index) {
    const name_pattern pattern{regex};
    std::vector<bool> is_known(index.strings.size()); // by string number
    std::vector<bool> is_match(index.strings.size());
    std::vector<bool> functions;
    for (std::uint32_t place = 0; place < index.view.functions.size(); ++place) {
        const std::uint32_t name = index.functions.at(place).name;
        if (!is_known[name]) {
            is_known[name] = true;
            is_match[name] = pattern.is_in(index.strings.text(name));
        }
        functions.push_back(is_match[name]);
    }
    return functions;
}

// Which samples of one profile a limit is about.
class selection {
public:
    selection(const limit& l, const profile_index& index, const std::optional<frame_index>& frames)
        : m_scope{l.of} {
        if (m_scope == limit::scope::all) {
            m_has_match = true;
            return;
        }
        const std::vector<bool> functions = matching_functions(l.functions, index);
        m_has_match = std::find(functions.begin(), functions.end(), true) != functions.end();
        const auto matches = [&](std::uint32_t frame) {
            const std::uint32_t function = frames->frames()[frame].function;
            return function != id_map::npos && functions[function];
        };
        for (std::uint32_t place = 0; place < index.locations.size(); ++place) {
            std::uint32_t frame = frames->begin(place);
            const std::uint32_t end =
                m_scope == limit::scope::leaf ? frame + 1 : frames->begin(place + 1);
            while (frame != end && !matches(frame)) {
                ++frame;
            }
            m_locations.push_back(frame != end);
        }
    }

    // Whether the sample at hand is one of them.
    [[nodiscard]] bool has(stack_reader& sample) const {
        if (m_scope == limit::scope::all) {
            return true;
        }
        const std::span<const std::uint32_t> stack = sample.locations();
        const auto matches = [this](std::uint32_t place) { return m_locations[place]; };
        return m_scope == limit::scope::leaf ? !stack.empty() && matches(stack.front())
                                             : std::any_of(stack.begin(), stack.end(), matches);
    }

    [[nodiscard]] bool has_match() const noexcept { return m_has_match; }

private:
    limit::scope m_scope;
    bool m_has_match = false;
    std::vector<bool> m_locations; // whether a frame of it that counts matches
};

// What each limit is to be compared with in one profile, for every sample type.
struct figures {
    std::vector<std::vector<std::int64_t>> sums; // by limit, then type
    std::vector<bool> has_match;                 // by limit
};

figures measure(const std::vector<limit>& limits, const profile_index& index) {
    // Frames take time, and totals do not need them.
    const bool has_functions = std::any_of(
        limits.begin(), limits.end(), [](const limit& l) { return l.of != limit::scope::all; });
    const auto frames =
        has_functions ? std::optional<frame_index>{std::in_place, index} : std::nullopt;
    std::vector<selection> selections;
    figures result;
    for (const limit& l : limits) {
        selections.emplace_back(l, index, frames);
        result.has_match.push_back(selections.back().has_match());
        result.sums.emplace_back(index.types.sample_types.size());
    }
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        for (std::size_t i = 0; i < limits.size(); ++i) {
            if (!selections[i].has(reader)) {
                continue;
            }
            for (std::size_t type = 0; type < result.sums[i].size(); ++type) {
                std::int64_t& sum = result.sums[i][type];
                sum = wrapping_add(sum, reader.values()[type]);
            }
        }
    }
    return result;
}

// How much of a type's unit the unit of a limit is, as a fraction.
std::pair<std::int64_t, std::int64_t> unit_ratio(const limit& l, const value_type& type) {
    const auto given = number_unit(l.unit);
    if (!given) {
        return {1, 1};
    }
    const auto own = type_unit(type.unit);
    if (!own || own->of != given->of) {
        throw error{error_kind::incompatible,
                    "the unit of '" + l.text + "' does not fit " + to_string(type)};
    }
    return {given->size, own->size};
}

// Numbers of up to 124 bits come up below.
__extension__ using wide = unsigned __int128;

constexpr wide power_of_ten(int exponent) {
    wide power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

// What the value or its growth may be. To round down changes nothing, as both are whole numbers.
std::uint64_t most_allowed(const limit& l, const value_type& type, std::int64_t previous) {
    const auto [unit, own_unit] = unit_ratio(l, type);
    wide bound = static_cast<wide>(l.digits) * static_cast<wide>(unit);
    wide parts = power_of_ten(l.decimals) * static_cast<wide>(own_unit);
    if (l.on == limit::bound::percent) {
        bound *= magnitude(previous);
        parts *= 100;
    }
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::min<wide>(bound / parts, largest));
}

// No bound is negative.
bool is_crossed(const judgement& j) {
    const std::int64_t from = j.on == limit::bound::value ? 0 : j.previous;
    return j.current > from &&
           static_cast<std::uint64_t>(j.current) - static_cast<std::uint64_t>(from) > j.most;
}

} // namespace

std::vector<judgement> judge(const std::vector<limit>& limits, std::string_view previous,
                             std::string_view current) {
    profile_index index;
    index.build(previous, match_mode::exact);
    const profile_types types = index.types;
    const figures before = measure(limits, index);
    index.build(current, match_mode::exact);
    require_same(types, index.types);
    const figures now = measure(limits, index);

    std::vector<judgement> all;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const limit& l = limits[i];
        const std::size_t size_before = all.size();
        for (std::size_t type = 0; type < types.sample_types.size(); ++type) {
            const value_type& name = types.sample_types[type];
            if (!l.type.matches(name)) {
                continue;
            }
            judgement j{l.text, name, before.sums[i][type], now.sums[i][type]};
            j.on = l.on;
            j.most = most_allowed(l, name, j.previous);
            j.crossed = is_crossed(j);
            j.has_match = before.has_match[i] || now.has_match[i];
            all.push_back(std::move(j));
        }
        if (all.size() == size_before) {
            fail_no_match(l.type, types.sample_types);
        }
    }
    return all;
}

std::vector<std::int64_t> totals(std::string_view profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    return totals(index);
}

} // namespace pprofdelta
