// SPDX-License-Identifier: Apache-2.0
#include "profile/stacks.hpp"

#include <algorithm>
#include <limits>

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "profile/records.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

void stack_reader::read(record sample) {
    m_location_count = 0;
    m_value_count = 0;
    m_packed.clear();
    m_sample = m_index.view.at(sample);
    read_sample(
        m_sample, m_index.view.bytes().data(),
        [this](std::string_view ids) { m_packed.push_back(ids); },
        [this](std::string_view values) { add_values(values); }, [](std::string_view) {},
        ignore_unknown);
    m_index.require_value_count(m_value_count, m_sample);
}

void stack_reader::add_packed(std::string_view packed) {
    make_room(packed_room(packed.size()));
    std::uint32_t* const out = m_locations.data() + m_location_count;
    const std::size_t count = m_index.locations.decode(packed, m_index.view.limit(), out);
    if (count == not_decoded) {
        for_each_packed(packed, m_index.view.bytes().data(),
                        [this](std::uint64_t id) { add_location(id); });
        return;
    }
    m_location_count += count;
    for (std::size_t i = 0; i < count; ++i) {
        --out[i]; // from ordinals to places
    }
}

void stack_reader::add_location(std::uint64_t id) {
    const std::uint32_t place = m_index.location_place(id, m_sample);
    make_room(1);
    m_locations[m_location_count++] = place;
}

void stack_reader::add_values(std::string_view packed) {
    const profile_view& view = m_index.view;
    if (m_value_count == 0 && decode_few(packed, view.limit(), m_values.data(), m_values.size())) {
        m_value_count = m_values.size();
    } else {
        for_each_packed(packed, view.bytes().data(),
                        [this](std::uint64_t value) { add_value(value); });
    }
}

void stack_reader::add_value(std::uint64_t value) {
    if (m_value_count < m_values.size()) {
        m_values[m_value_count] = static_cast<std::int64_t>(value);
    }
    ++m_value_count;
}

void stack_reader::make_room(std::size_t locations) {
    grow_to(m_locations, m_location_count + locations);
}

std::vector<std::int64_t> totals(const profile_index& index, std::vector<std::int64_t>* sizes) {
    std::vector<std::int64_t> sums(index.types.sample_types.size());
    if (sizes != nullptr) {
        sizes->assign(sums.size(), 0);
    }
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        std::transform(sums.begin(), sums.end(), reader.values().begin(), sums.begin(),
                       fitting_add);
        for (std::size_t i = 0; sizes != nullptr && i < sums.size(); ++i) {
            std::int64_t& size = (*sizes)[i];
            const auto room =
                static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - size);
            size += static_cast<std::int64_t>(std::min(magnitude(reader.values()[i]), room));
        }
    }
    return sums;
}

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
