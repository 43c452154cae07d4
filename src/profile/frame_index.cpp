// SPDX-License-Identifier: Apache-2.0
#include "profile/frame_index.hpp"

#include "profile/records.hpp"

namespace pprofdelta {

// References to records that do not exist were refused when the index was built.
frame_index::frame_index(const profile_index& index) {
    const char* const profile = index.view.bytes().data();
    for (const record r : index.view.locations) {
        m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
        const location_record location = read_location(index.view.at(r), profile, ignore_unknown);
        const std::uint32_t mapping = index.mappings.find(location.mapping_id);
        const std::uint32_t file = mapping == id_map::npos ? 0 : index.mappings.at(mapping).file;
        if (location.lines.empty()) {
            m_frames.push_back({.mapping_file = file});
        }
        for_each_line(location, profile, [&](std::string_view bytes) {
            const line_record line = read_line(bytes, profile, ignore_unknown);
            m_frames.push_back({index.functions.find(line.function_id),
                                static_cast<std::int64_t>(line.number), file});
        });
    }
    m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
}

} // namespace pprofdelta
