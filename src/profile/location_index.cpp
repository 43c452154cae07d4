// SPDX-License-Identifier: Apache-2.0
#include "profile/location_index.hpp"

#include <string>

namespace pprofdelta {

namespace {

// The first word of an identity: bits for the kind of the frame.
constexpr std::uint64_t lines_only = 1;
constexpr std::uint64_t folded = 2;
constexpr std::uint64_t no_address = 4; // else address 0 would be the start of the mapping
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
        const location_record location =
            read_location(view.at(r), view.bytes().data(), ignore_unknown);
        if (!m_ids.add(location.id)) {
            view.fail("location id " + std::to_string(location.id) + " is given twice", view.at(r));
        }
        const hash128 exact = exact_identity(location, view, mappings, functions, hasher);
        m_exact.push_back(little_endian(exact.low));
        if (!m_is_exact) {
            const hash128 matched =
                location.lines.empty()
                    ? exact
                    : lines_identity(location, view, strings, functions, match, hasher);
            m_matched.push_back(little_endian(matched.low));
        }
    }
}

location_index::line location_index::find_line(std::string_view bytes, const profile_view& view,
                                               const function_index& functions) {
    const line_record line = read_line(bytes, view.bytes().data(), ignore_unknown);
    const std::uint32_t function = functions.find(line.function_id);
    if (function == id_map::npos && line.function_id != 0) {
        view.fail("function id " + std::to_string(line.function_id) + " is not in the profile",
                  bytes);
    }
    return {function, line.number, line.column};
}

hash128 location_index::exact_identity(const location_record& of, const profile_view& view,
                                       const mapping_index& mappings,
                                       const function_index& functions, word_hasher& hasher) {
    std::uint64_t address = of.address;
    std::uint64_t bits = of.is_folded ? folded : 0;
    bits |= address == 0 ? no_address : 0;
    // An unknown mapping counts as none, as in google/pprof.
    const std::uint32_t place = mappings.find(of.mapping_id);
    if (place == id_map::npos) {
        hasher.add(bits | no_mapping);
    } else {
        const mapping_index::mapping& mapping = mappings.at(place);
        hasher.add(bits);
        hasher.add(mapping.identity);
        address = address == 0 ? 0 : address - mapping.start;
    }
    hasher.add(address);
    for_each_line(of, view.bytes().data(), [&](std::string_view bytes) {
        const line l = find_line(bytes, view, functions);
        hasher.add(l.function == id_map::npos ? hash128{} : functions.at(l.function).identity);
        hasher.add(l.number);
        hasher.add(l.column);
    });
    return hasher.finish();
}

hash128 location_index::lines_identity(const location_record& of, const profile_view& view,
                                       const string_index& strings, const function_index& functions,
                                       match_mode match, word_hasher& hasher) {
    hasher.add(lines_only);
    for_each_line(of, view.bytes().data(), [&](std::string_view bytes) {
        const line l = find_line(bytes, view, functions);
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
