// SPDX-License-Identifier: Apache-2.0
#include "profile/mapping_index.hpp"

#include <array>

#include "wire/reader.hpp"

namespace pprofdelta {

void mapping_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_mappings.clear();
    for (const record r : view.mappings) {
        const std::string_view bytes = view.at(r);
        std::uint64_t id = 0;
        std::uint64_t limit = 0;
        std::uint64_t offset = 0;
        std::uint64_t file_number = 0;
        std::uint64_t build_id_number = 0;
        mapping m;
        message_reader reader{bytes, view.bytes().data()};
        while (reader.next()) {
            switch (reader.as<field::mapping>()) {
            case field::mapping::id:
                id = reader.varint();
                break;
            case field::mapping::memory_start:
                m.start = reader.varint();
                break;
            case field::mapping::memory_limit:
                limit = reader.varint();
                break;
            case field::mapping::file_offset:
                offset = reader.varint();
                break;
            case field::mapping::filename:
                file_number = reader.varint();
                break;
            case field::mapping::build_id:
                build_id_number = reader.varint();
                break;
            case field::mapping::has_functions:
            case field::mapping::has_filenames:
            case field::mapping::has_line_numbers:
            case field::mapping::has_inline_frames:
                (void)reader.varint(); // copied as they are, once they are known to be flags
                break;
            default:
                reader.skip();
                break;
            }
        }
        // Locations without a mapping have the mapping id 0, so no mapping can.
        if (id == 0 || !m_ids.add(id)) {
            view.fail("mapping id " + std::to_string(id) + " is 0 or given twice", bytes);
        }
        // Not where they are read: of a field that comes twice, the last one counts.
        m.file = strings.check(file_number, bytes);
        const std::uint32_t build_id = strings.check(build_id_number, bytes);
        constexpr std::uint64_t page = 4096;
        const std::uint64_t size = (limit - m.start + page - 1) / page;
        // Not every empty string is string 0.
        const bool has_build_id = !strings.text(build_id).empty();
        const hash128 name = strings.hash(has_build_id ? build_id : m.file);
        const std::array<std::uint64_t, 4> parts{name.low, name.high, little_endian(size),
                                                 little_endian(offset)};
        m.identity = hash_bytes(parts.data(), sizeof parts);
        m_mappings.push_back(m);
    }
}

} // namespace pprofdelta
