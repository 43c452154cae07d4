// SPDX-License-Identifier: Apache-2.0
#include "profile/function_index.hpp"

#include <array>

#include "wire/reader.hpp"

namespace pprofdelta {

void function_index::build(const profile_view& view, const string_index& strings) {
    m_ids.clear();
    m_functions.clear();
    for (const record r : view.functions) {
        const std::string_view bytes = view.at(r);
        std::uint64_t id = 0;
        std::uint64_t name_number = 0;
        std::uint64_t system_number = 0;
        std::uint64_t file_number = 0;
        std::uint64_t start_line = 0;
        message_reader reader{bytes, view.bytes().data()};
        while (reader.next()) {
            switch (reader.as<field::function>()) {
            case field::function::id:
                id = reader.varint();
                break;
            case field::function::name:
                name_number = reader.varint();
                break;
            case field::function::system_name:
                system_number = reader.varint();
                break;
            case field::function::filename:
                file_number = reader.varint();
                break;
            case field::function::start_line:
                start_line = reader.varint();
                break;
            default:
                reader.skip();
                break;
            }
        }
        if (!m_ids.add(id)) {
            view.fail("function id " + std::to_string(id) + " is given twice", bytes);
        }
        // Not where they are read: of a field that comes twice, the last one counts.
        function f;
        f.name = strings.check(name_number, bytes);
        f.file = strings.check(file_number, bytes);
        const std::uint32_t system_name = strings.check(system_number, bytes);
        const hash128 name = strings.hash(f.name);
        const hash128 system = strings.hash(system_name);
        const hash128 file = strings.hash(f.file);
        const std::array<std::uint64_t, 7> parts{name.low,
                                                 name.high,
                                                 system.low,
                                                 system.high,
                                                 file.low,
                                                 file.high,
                                                 little_endian(start_line)};
        f.identity = hash_bytes(parts.data(), sizeof parts);
        m_functions.push_back(f);
    }
}

} // namespace pprofdelta
