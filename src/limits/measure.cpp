// SPDX-License-Identifier: Apache-2.0
#include "limits/measure.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/fitting.hpp"
#include "profile/frame_index.hpp"
#include "profile/stack_reader.hpp"
#include "select/matching_strings.hpp"

namespace pprofdelta {

namespace {

// By place, whether a function's name has the pattern in it.
std::vector<bool> matching_functions(std::string_view regex, const profile_index& index) {
    const name_pattern pattern{regex};
    matching_strings names{pattern, index};
    std::vector<bool> functions;
    for (std::uint32_t place = 0; place < index.view.functions.size(); ++place) {
        functions.push_back(names.has(index.functions.at(place).name));
    }
    return functions;
}

// Which samples of one profile a limit is about.
class selection {
public:
    selection(const limit& l, const profile_index& index, const std::optional<frame_index>& frames)
        : m_scope{l.of} {
        if (!names_functions(l)) {
            m_scope = limit::scope::all;
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

} // namespace

bool names_functions(const limit& l) noexcept {
    return l.of == limit::scope::through || l.of == limit::scope::leaf;
}

figures measure(const std::vector<limit>& limits, const profile_index& index) {
    // Frames take time, and totals do not need them.
    const auto frames = std::any_of(limits.begin(), limits.end(), names_functions)
                            ? std::optional<frame_index>{std::in_place, index}
                            : std::nullopt;
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
                sum = fitting_add(sum, reader.values()[type]);
            }
        }
    }
    return result;
}

} // namespace pprofdelta
