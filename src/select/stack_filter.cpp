// SPDX-License-Identifier: Apache-2.0
#include "select/stack_filter.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "profile/frame_index.hpp"
#include "select/matching_strings.hpp"

namespace pprofdelta {

namespace {

// By place, whether a frame of a location has a match in its function's name, the source file's or
// the binary's: what pprof looks at.
std::vector<bool> matching_locations(const name_pattern& pattern, const profile_index& index,
                                     const frame_index& frames) {
    matching_strings strings{pattern, index};
    const auto matches = [&](const frame_index::frame& frame) {
        if (strings.has(frame.mapping_file)) {
            return true;
        }
        if (frame.function == id_map::npos) {
            return false;
        }
        const auto& function = index.functions.at(frame.function);
        return strings.has(function.name) || strings.has(function.file);
    };
    std::vector<bool> locations;
    for (std::uint32_t place = 0; place < index.locations.size(); ++place) {
        const std::span<const frame_index::frame> of_place{
            frames.frames().data() + frames.begin(place),
            frames.begin(place + 1) - frames.begin(place)};
        locations.push_back(std::any_of(of_place.begin(), of_place.end(), matches));
    }
    return locations;
}

} // namespace

std::unique_ptr<const name_pattern> compiled_pattern(std::string_view regex) {
    return regex.empty() ? nullptr : std::make_unique<const name_pattern>(regex);
}

stack_filter::stack_filter(const profile_index& index, const report_options& options)
    : stack_filter{index, compiled_pattern(options.focus).get(),
                   compiled_pattern(options.ignore).get()} {}

stack_filter::stack_filter(const profile_index& index, const name_pattern* focus,
                           const name_pattern* ignore)
    : m_has_focus{focus != nullptr}, m_has_ignore{ignore != nullptr} {
    if (!m_has_focus && !m_has_ignore) {
        return; // frames take time
    }
    const frame_index frames{index};
    if (m_has_focus) {
        m_focus = matching_locations(*focus, index, frames);
    }
    if (m_has_ignore) {
        m_ignore = matching_locations(*ignore, index, frames);
    }
}

bool stack_filter::has(stack_reader& sample) const {
    if (!m_has_focus && !m_has_ignore) {
        return true;
    }
    const std::span<const std::uint32_t> stack = sample.locations();
    const auto is_in = [stack](const std::vector<bool>& locations) {
        return std::any_of(stack.begin(), stack.end(),
                           [&](std::uint32_t place) { return locations[place]; });
    };
    return (!m_has_focus || is_in(m_focus)) && (!m_has_ignore || !is_in(m_ignore));
}

} // namespace pprofdelta
