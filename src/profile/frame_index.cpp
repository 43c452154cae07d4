// SPDX-License-Identifier: Apache-2.0
#include "profile/frame_index.hpp"

#include "wire/reader.hpp"

namespace pprofdelta {

namespace {

frame_index::frame read_line(std::string_view bytes, const profile_index& index) {
    frame_index::frame f;
    message_reader reader{bytes, index.view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::line>()) {
        case field::line::function_id:
            f.function = index.functions.find(reader.varint());
            break;
        case field::line::line:
            f.line = static_cast<std::int64_t>(reader.varint());
            break;
        default:
            reader.skip();
            break;
        }
    }
    return f;
}

} // namespace

// What refers to a record that is not there was refused when the index was built.
frame_index::frame_index(const profile_index& index) {
    for (const record r : index.view.locations) {
        const std::size_t begin = m_frames.size();
        m_begins.push_back(static_cast<std::uint32_t>(begin));
        std::uint32_t mapping = id_map::npos;
        message_reader reader{index.view.at(r), index.view.bytes().data()};
        while (reader.next()) {
            switch (reader.as<field::location>()) {
            case field::location::mapping_id:
                mapping = index.mappings.find(reader.varint());
                break;
            case field::location::line:
                m_frames.push_back(read_line(reader.bytes(), index));
                break;
            default:
                reader.skip();
                break;
            }
        }
        if (m_frames.size() == begin) {
            m_frames.emplace_back();
        }
        if (mapping != id_map::npos) {
            for (std::size_t i = begin; i < m_frames.size(); ++i) {
                m_frames[i].mapping_file = index.mappings.at(mapping).file;
            }
        }
    }
    m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
}

} // namespace pprofdelta
