// SPDX-License-Identifier: Apache-2.0
#include "limits/measure.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "base/fitting.hpp"
#include "select/matching_strings.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

namespace {

bool names_functions(const limit& l) {
    return l.of == limit::scope::through || l.of == limit::scope::leaf;
}

// By place, whether a function's name has the pattern in it.
std::vector<bool> matching_functions(std::string_view regex, const profile_stacks& of) {
    const name_pattern pattern{regex};
    matching_strings names{pattern, of.names(), of.index().strings.size()};
    std::vector<bool> functions;
    for (std::uint32_t place = 0; place < of.index().view.functions.size(); ++place) {
        functions.push_back(names.has(of.index().functions.at(place).name));
    }
    return functions;
}

// Which samples of one profile a limit is about.
class selection {
public:
    selection(const limit& l, const profile_stacks& of) : m_scope{l.of} {
        if (names_functions(l)) {
            choose_locations(l, of);
        } else if (l.of == limit::scope::label) {
            m_values = of.matching_values(label_pattern{l.label});
            m_has_match = std::find(m_values.begin(), m_values.end(), true) != m_values.end();
        } else {
            m_scope = limit::scope::all;
            m_has_match = true;
        }
    }

    // Whether a sample is one of them.
    [[nodiscard]] bool has(std::size_t sample, selected_reader& reader,
                           const label_index& labels) const {
        if (m_scope == limit::scope::all) {
            return true;
        }
        if (m_scope == limit::scope::label) {
            const std::span<const std::uint32_t> values = labels.of(sample);
            return std::any_of(values.begin(), values.end(),
                               [this](std::uint32_t value) { return m_values[value]; });
        }
        if (!reader.is_selected()) {
            return false; // no frame is left
        }
        const std::span<const std::uint32_t> stack = reader.stack();
        const auto matches = [this](std::uint32_t place) { return m_locations[place]; };
        return m_scope == limit::scope::leaf ? !stack.empty() && matches(stack.front())
                                             : std::any_of(stack.begin(), stack.end(), matches);
    }

    [[nodiscard]] bool has_match() const noexcept { return m_has_match; }

private:
    void choose_locations(const limit& l, const profile_stacks& of) {
        const std::vector<bool> functions = matching_functions(l.functions, of);
        m_has_match = std::find(functions.begin(), functions.end(), true) != functions.end();
        const frame_index& frames = of.frames();
        const auto matches = [&](std::uint32_t frame) {
            const std::uint32_t function = frames.frames()[frame].function;
            return function != id_map::npos && functions[function];
        };
        for (std::uint32_t place = 0; place < of.index().locations.size(); ++place) {
            std::uint32_t frame = frames.begin(place);
            const std::uint32_t end = m_scope == limit::scope::leaf
                                          ? std::min(frame + 1, frames.begin(place + 1))
                                          : frames.begin(place + 1);
            while (frame != end && !matches(frame)) {
                ++frame;
            }
            m_locations.push_back(frame != end);
        }
    }

    limit::scope m_scope;
    bool m_has_match = false;
    std::vector<bool> m_locations; // whether a frame of it that counts matches
    std::vector<bool> m_values;    // of labels, the same
};

} // namespace

bool is_of_some(const limit& l) noexcept {
    return names_functions(l) || l.of == limit::scope::label;
}

stack_selection frames_of(const stack_selection& selection) {
    return {.hide = selection.hide, .show_from = selection.show_from, .renames = selection.renames};
}

measures measure(const std::vector<limit>& limits, const profile_index& index,
                 const stack_selection& frames) {
    // Frames take time, and totals do not need them.
    const bool needs_frames = std::any_of(limits.begin(), limits.end(), names_functions);
    stack_rules rules{needs_frames ? frames_of(frames) : stack_selection{}};
    for (const limit& l : limits) {
        if (l.of == limit::scope::label) {
            rules.add_key(label_pattern{l.label}.key());
        }
    }
    const profile_stacks stacks{index, rules, needs_frames};
    std::vector<selection> selections;
    measures result;
    for (const limit& l : limits) {
        selections.emplace_back(l, stacks);
        result.has_match.push_back(selections.back().has_match());
        result.sums.emplace_back(index.types.sample_types.size());
    }
    selected_reader reader{stacks};
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        reader.read(sample);
        for (std::size_t i = 0; i < limits.size(); ++i) {
            if (!selections[i].has(sample, reader, stacks.labels())) {
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
