// SPDX-License-Identifier: Apache-2.0
#include "location_index.hpp"

#include "wire.hpp"

namespace pprofdelta {

namespace {

// The first of an identity's parts: bits that tell kinds of frames apart.
constexpr std::uint64_t lines_only = 1;
constexpr std::uint64_t folded = 2;
constexpr std::uint64_t no_address = 4; // else address 0 would be the mapping's start
constexpr std::uint64_t no_mapping = 8;

} // namespace

void location_index::build(const profile_view& view, const string_index& strings,
                           const mapping_index& mappings, const function_index& functions,
                           match_mode match) {
    m_ids.clear();
    m_halves.resize(1);
    m_halves.reserve(view.locations.size() + 1);
    for (const record r : view.locations) {
        read(view.at(r), view, mappings, functions);
        if (!m_ids.add(m_location.id)) {
            view.fail("location id " + std::to_string(m_location.id) + " is 0 or given twice",
                      view.at(r));
        }
        m_parts.clear();
        if (match == match_mode::exact || m_location.lines.empty()) {
            gather_frame(mappings, functions);
        } else {
            gather_lines(strings, functions, match);
        }
        const hash128 identity = hash_bytes(m_parts.data(), m_parts.size() * sizeof m_parts[0]);
        m_halves.push_back(little_endian(identity.low));
    }
}

void location_index::read(std::string_view bytes, const profile_view& view,
                          const mapping_index& mappings, const function_index& functions) {
    m_location.id = m_location.address = 0;
    m_location.mapping = id_map::npos;
    m_location.is_folded = false;
    m_location.lines.clear();
    const char* const profile = view.bytes().data();

    const auto read_line = [&](std::string_view line_bytes) {
        line l;
        message_reader reader{line_bytes, profile};
        while (reader.next()) {
            switch (reader.as<field::line>()) {
            case field::line::function_id:
                if (const std::uint64_t id = reader.varint(); id != 0) {
                    l.function = functions.find(id);
                    if (l.function == id_map::npos) {
                        reader.fail("function id " + std::to_string(id) + " is not in the profile");
                    }
                }
                break;
            case field::line::line:
                l.number = reader.varint();
                break;
            case field::line::column:
                l.column = reader.varint();
                break;
            default:
                reader.skip();
                break;
            }
        }
        m_location.lines.push_back(l);
    };

    message_reader reader{bytes, profile};
    while (reader.next()) {
        switch (reader.as<field::location>()) {
        case field::location::id:
            m_location.id = reader.varint();
            break;
        case field::location::mapping_id:
            // One that the profile does not have is none, as google/pprof has it.
            m_location.mapping = mappings.find(reader.varint());
            break;
        case field::location::address:
            m_location.address = reader.varint();
            break;
        case field::location::line:
            read_line(reader.bytes());
            break;
        case field::location::is_folded:
            m_location.is_folded = reader.varint() != 0;
            break;
        default:
            reader.skip();
            break;
        }
    }
}

void location_index::gather_frame(const mapping_index& mappings, const function_index& functions) {
    std::uint64_t address = m_location.address;
    std::uint64_t bits = m_location.is_folded ? folded : 0;
    bits |= address == 0 ? no_address : 0;
    if (m_location.mapping == id_map::npos) {
        gather(bits | no_mapping);
    } else {
        const mapping_index::mapping& mapping = mappings.at(m_location.mapping);
        gather(bits);
        gather(mapping.identity);
        address = address == 0 ? 0 : address - mapping.start;
    }
    gather(address);
    for (const line& l : m_location.lines) {
        gather(l.function == id_map::npos ? hash128{} : functions.at(l.function).identity);
        gather(l.number);
        gather(l.column);
    }
}

void location_index::gather_lines(const string_index& strings, const function_index& functions,
                                  match_mode match) {
    gather(lines_only);
    for (const line& l : m_location.lines) {
        if (l.function == id_map::npos) {
            gather(hash128{});
            gather(hash128{});
        } else {
            gather(strings.hash(functions.at(l.function).name));
            gather(strings.hash(functions.at(l.function).file));
        }
        if (match == match_mode::line) {
            gather(l.number);
        }
    }
}

} // namespace pprofdelta
