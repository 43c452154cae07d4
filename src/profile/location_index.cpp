// SPDX-License-Identifier: Apache-2.0
#include "profile/location_index.hpp"

#include <string>

#include "wire/reader.hpp"

namespace pprofdelta {

namespace {

// The first word of an identity: bits that tell kinds of frames apart.
constexpr std::uint64_t lines_only = 1;
constexpr std::uint64_t folded = 2;
constexpr std::uint64_t no_address = 4; // else address 0 would be the mapping's start
constexpr std::uint64_t no_mapping = 8;

} // namespace

void location_index::build(const profile_view& view, const string_index& strings,
                           const mapping_index& mappings, const function_index& functions,
                           match_mode match) {
    m_ids.clear();
    m_is_exact = match == match_mode::exact;
    m_exact.resize(1);
    m_exact.reserve(view.locations.size() + 1);
    m_matched.resize(1);
    m_matched.reserve(m_is_exact ? 1 : view.locations.size() + 1);
    word_hasher hasher;
    for (const record r : view.locations) {
        const location at_hand = read(view.at(r), view, mappings);
        if (!m_ids.add(at_hand.id)) {
            view.fail("location id " + std::to_string(at_hand.id) + " is given twice", view.at(r));
        }
        const hash128 exact = exact_identity(at_hand, view, mappings, functions, hasher);
        m_exact.push_back(little_endian(exact.low));
        if (!m_is_exact) {
            const hash128 matched =
                at_hand.lines.empty()
                    ? exact
                    : lines_identity(at_hand, view, strings, functions, match, hasher);
            m_matched.push_back(little_endian(matched.low));
        }
    }
}

location_index::location location_index::read(std::string_view bytes, const profile_view& view,
                                              const mapping_index& mappings) {
    location found;
    message_reader reader{bytes, view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::location>()) {
        case field::location::id:
            found.id = reader.varint();
            break;
        case field::location::mapping_id:
            // One that the profile does not have is none, as google/pprof has it.
            found.mapping = mappings.find(reader.varint());
            break;
        case field::location::address:
            found.address = reader.varint();
            break;
        case field::location::line:
            (void)reader.bytes();
            if (found.lines.empty()) {
                found.lines = bytes.substr(static_cast<std::size_t>(reader.start() - bytes.data()));
            }
            break;
        case field::location::is_folded:
            found.is_folded = reader.varint() != 0;
            break;
        default:
            reader.skip();
            break;
        }
    }
    return found;
}

location_index::line location_index::read_line(std::string_view bytes, const profile_view& view,
                                               const function_index& functions) {
    line found;
    std::uint64_t function_id = 0;
    message_reader reader{bytes, view.bytes().data()};
    while (reader.next()) {
        switch (reader.as<field::line>()) {
        case field::line::function_id:
            function_id = reader.varint();
            break;
        case field::line::line:
            found.number = reader.varint();
            break;
        case field::line::column:
            found.column = reader.varint();
            break;
        default:
            reader.skip();
            break;
        }
    }
    found.function = functions.find(function_id);
    if (found.function == id_map::npos && function_id != 0) {
        view.fail("function id " + std::to_string(function_id) + " is not in the profile", bytes);
    }
    return found;
}

// Lines are read when they are hashed rather than kept: a location can have millions.
template <typename Visit>
void location_index::for_each_line(const location& of, const profile_view& view,
                                   const function_index& functions, Visit&& visit) {
    message_reader reader{of.lines, view.bytes().data()};
    while (reader.next()) {
        if (reader.as<field::location>() == field::location::line) {
            visit(read_line(reader.bytes(), view, functions));
        } else {
            reader.skip();
        }
    }
}

hash128 location_index::exact_identity(const location& of, const profile_view& view,
                                       const mapping_index& mappings,
                                       const function_index& functions, word_hasher& hasher) {
    std::uint64_t address = of.address;
    std::uint64_t bits = of.is_folded ? folded : 0;
    bits |= address == 0 ? no_address : 0;
    if (of.mapping == id_map::npos) {
        hasher.add(bits | no_mapping);
    } else {
        const mapping_index::mapping& mapping = mappings.at(of.mapping);
        hasher.add(bits);
        hasher.add(mapping.identity);
        address = address == 0 ? 0 : address - mapping.start;
    }
    hasher.add(address);
    for_each_line(of, view, functions, [&](const line& l) {
        hasher.add(l.function == id_map::npos ? hash128{} : functions.at(l.function).identity);
        hasher.add(l.number);
        hasher.add(l.column);
    });
    return hasher.finish();
}

hash128 location_index::lines_identity(const location& of, const profile_view& view,
                                       const string_index& strings, const function_index& functions,
                                       match_mode match, word_hasher& hasher) {
    hasher.add(lines_only);
    for_each_line(of, view, functions, [&](const line& l) {
        if (l.function == id_map::npos) {
            hasher.add(hash128{});
            hasher.add(hash128{});
        } else {
            hasher.add(strings.hash(functions.at(l.function).name));
            hasher.add(strings.hash(functions.at(l.function).file));
        }
        if (match == match_mode::line) {
            hasher.add(l.number);
        }
    });
    return hasher.finish();
}

} // namespace pprofdelta
