// SPDX-License-Identifier: Apache-2.0
#include "select/location_rows.hpp"

#include <utility>

#include <pprofdelta/error.hpp>

#include "select/frame_name.hpp"

namespace pprofdelta {

namespace {

// A stack names a location with a byte, and each of its lines is looked at: without a limit a small
// profile could take days. Compilers inline no tenth of it.
constexpr std::size_t most_frames = 1000;

// What names may take together, beside some times the profile's size: each of many lines or
// mappings makes another name of a long one.
constexpr std::size_t most_name_bytes = std::size_t{64} << 20U;

} // namespace

std::uint32_t row_names::number(std::string name) {
    return m_names.find_or_add(hash_bytes(name), [&] { return std::move(name); });
}

void frame_allowance::take(std::size_t frames) {
    if (frames > m_left) {
        throw error{error_kind::too_large, "the inlined frames of all stacks are too many"};
    }
    m_left -= frames;
}

location_rows::location_rows(const profile_stacks& stacks, row_names& names)
    : m_no_stack{names.number("(no stack)")} {
    const std::size_t locations = stacks.index().locations.size();
    if (stacks.rules().by == grouping::label) {
        m_begins.resize(locations + 1); // no stack has frames
    } else {
        add_frames(stacks, names);
    }
    add_labels(stacks, names);
    for (std::uint32_t place = 0; place + 1 < m_begins.size(); ++place) {
        const std::span<const std::uint32_t> of_place = of(place);
        if (of_place.size() > most_frames) {
            throw error{error_kind::too_large, "a location has " + std::to_string(of_place.size()) +
                                                   " lines, and a report takes " +
                                                   std::to_string(most_frames)};
        }
        m_only.push_back(of_place.size() == 1 ? of_place.front() : several);
    }
}

void location_rows::add_frames(const profile_stacks& stacks, row_names& names) {
    const profile_index& index = stacks.index();
    const grouping by = stacks.rules().by;
    keyed_list<std::uint32_t> known; // the rows of what names are made of
    std::size_t room = most_name_bytes + 4 * index.view.bytes().size();
    for (const auto& frame : stacks.frames().frames()) {
        const hash128 made_of{std::uint64_t{frame.function} << 32U | frame.mapping_file,
                              by == grouping::line ? static_cast<std::uint64_t>(frame.line) : 0};
        m_rows.push_back(known[known.find_or_add(made_of, [&] {
            std::string name = frame_name(frame, stacks);
            if (name.size() > room) {
                throw error{error_kind::too_large, "the names of all frames are too long"};
            }
            room -= name.size();
            return names.number(std::move(name));
        })]);
    }
    for (std::uint32_t place = 0; place <= index.locations.size(); ++place) {
        m_begins.push_back(stacks.frames().begin(place));
    }
}

// Each value has its text in the profile, so these names need no bound.
void location_rows::add_labels(const profile_stacks& stacks, row_names& names) {
    const auto add = [&](std::string name) {
        m_rows.push_back(names.number(std::move(name)));
        m_begins.push_back(static_cast<std::uint32_t>(m_rows.size()));
    };
    for (const label_index::value& value : stacks.labels().values()) {
        add(!value.is_text       ? human(value.number, value.text)
            : value.text.empty() ? "(empty)"
                                 : std::string{value.text});
    }
    for (const std::string& key : stacks.rules().keys) {
        add("(no " + key + ")");
    }
}

std::vector<std::uint32_t> location_rows::renumber(std::size_t count) {
    constexpr std::uint32_t unused = 0xffffffff;
    std::vector<std::uint32_t> own(count, unused);
    own[m_no_stack] = 0;
    for (const std::uint32_t row : m_rows) {
        own[row] = 0;
    }
    std::vector<std::uint32_t> names;
    for (std::uint32_t name = 0; name < count; ++name) {
        if (own[name] != unused) {
            own[name] = static_cast<std::uint32_t>(names.size());
            names.push_back(name);
        }
    }
    for (std::uint32_t& row : m_rows) {
        row = own[row];
    }
    for (std::uint32_t& row : m_only) {
        row = row == several ? several : own[row];
    }
    m_no_stack = own[m_no_stack];
    return names;
}

} // namespace pprofdelta
