// SPDX-License-Identifier: Apache-2.0
#include "merge/go_frames.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <pprofdelta/error.hpp>

#include "base/hash128.hpp"
#include "profile/records.hpp"

namespace pprofdelta {

namespace {

std::vector<std::uint64_t> start_lines(const profile_index& index) {
    std::vector<std::uint64_t> lines;
    lines.reserve(index.view.functions.size());
    for (const record r : index.view.functions) {
        lines.push_back(
            read_function(index.view.at(r), index.view.bytes().data(), ignore_unknown).start_line);
    }
    return lines;
}

} // namespace

go_frames::go_frames(const profile_index& index) {
    const std::vector<std::uint64_t> starts = start_lines(index);
    const bool has_start =
        std::any_of(starts.begin(), starts.end(), [](std::uint64_t line) { return line != 0; });
    if (!has_start && !index.view.samples.empty()) {
        throw error{error_kind::incompatible,
                    "no function has a start line, which Go's compiler needs; Go writes them since "
                    "1.20"};
    }
    const char* const profile = index.view.bytes().data();
    for (const record r : index.view.locations) {
        m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
        const location_record location = read_location(index.view.at(r), profile, ignore_unknown);
        m_addresses.push_back(location.address);
        if (location.lines.empty()) {
            m_frames.push_back(0);
        }
        for_each_line(location, profile, [&](std::string_view bytes) {
            const line_record line = read_line(bytes, profile, ignore_unknown);
            const std::uint32_t function = index.functions.find(line.function_id);
            if (function == id_map::npos) {
                m_frames.push_back(0);
                return;
            }
            const hash128 name = index.strings.hash(index.functions.at(function).name);
            const std::array<std::uint64_t, 4> parts{name.low, name.high, starts[function],
                                                     line.number};
            m_frames.push_back(hash_bytes(parts.data(), sizeof parts).low);
        });
    }
    m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
}

bool go_frames::need_addresses(std::span<const std::uint32_t> stack) {
    m_seen.clear();
    for (const std::uint32_t place : stack) {
        for (std::uint32_t i = m_begins[place]; i < m_begins[place + 1]; ++i) {
            m_seen.emplace_back(m_frames[i], m_addresses[place]);
        }
    }
    std::sort(m_seen.begin(), m_seen.end());
    return std::adjacent_find(m_seen.begin(), m_seen.end(), [](const auto& one, const auto& next) {
               return one.first == next.first && one.second != next.second;
           }) != m_seen.end();
}

} // namespace pprofdelta
