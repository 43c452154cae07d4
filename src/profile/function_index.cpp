// SPDX-License-Identifier: Apache-2.0
#include "profile/function_index.hpp"

#include <array>

#include "profile/records.hpp"

namespace pprofdelta {

void function_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_functions.clear();
    for (const record r : view.functions) {
        const std::string_view bytes = view.at(r);
        const function_record fields = read_function(bytes, view.bytes().data(), ignore_unknown);
        if (!m_ids.add(fields.id)) {
            view.fail("function id " + std::to_string(fields.id) + " is given twice", bytes);
        }
        function f;
        f.name = strings.check(fields.name, bytes);
        f.file = strings.check(fields.file, bytes);
        const std::uint32_t system_name = strings.check(fields.system_name, bytes);
        const hash128 name = strings.hash(f.name);
        const hash128 system = strings.hash(system_name);
        const hash128 file = strings.hash(f.file);
        const std::array<std::uint64_t, 7> parts{name.low,
                                                 name.high,
                                                 system.low,
                                                 system.high,
                                                 file.low,
                                                 file.high,
                                                 little_endian(fields.start_line)};
        f.identity = hash_bytes(parts.data(), sizeof parts);
        m_functions.push_back(f);
    }
}

} // namespace pprofdelta
