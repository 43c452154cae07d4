// SPDX-License-Identifier: Apache-2.0
#include "profile/mapping_index.hpp"

#include <array>

#include "profile/records.hpp"

namespace pprofdelta {

void mapping_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_mappings.clear();
    m_process = {};
    for (const record r : view.mappings) {
        const std::string_view bytes = view.at(r);
        const mapping_record fields = read_mapping(bytes, view.bytes().data(), ignore_unknown);
        // Locations without a mapping have the mapping id 0, so no mapping can.
        if (fields.id == 0 || !m_ids.add(fields.id)) {
            view.fail("mapping id " + std::to_string(fields.id) + " is 0 or given twice", bytes);
        }
        mapping m;
        m.start = fields.start;
        m.file = strings.check(fields.file, bytes);
        const std::uint32_t build_id = strings.check(fields.build_id, bytes);
        constexpr std::uint64_t page = 4096;
        const std::uint64_t size = (fields.limit - fields.start + page - 1) / page;
        // Strings other than string 0 can be empty too.
        const bool has_build_id = !strings.text(build_id).empty();
        const hash128 name = strings.hash(has_build_id ? build_id : m.file);
        const std::array<std::uint64_t, 4> parts{name.low, name.high, little_endian(size),
                                                 little_endian(fields.offset)};
        m.identity = hash_bytes(parts.data(), sizeof parts);
        m_process.add(strings.text(m.file), fields.start, fields.offset, m_mappings.empty());
        m_mappings.push_back(m);
    }
}

} // namespace pprofdelta
