// SPDX-License-Identifier: Apache-2.0
#include "profile/references.hpp"

namespace pprofdelta {

void references::start(const profile_index& current, const profile_index* previous) {
    m_sides = {&current, previous};
    const auto count = [&](records_of_kind records) {
        return std::array<std::size_t, 2>{(current.view.*records).size(),
                                          previous == nullptr ? 0
                                                              : (previous->view.*records).size()};
    };
    m_strings.start(count(&profile_view::strings));
    m_mappings.start(count(&profile_view::mappings));
    m_functions.start(count(&profile_view::functions));
    m_locations.start(count(&profile_view::locations));

    m_mapping_starts.clear();
    m_strings.use(side::current, 0, current.strings.hash(0));
    use_first_mapping();
}

void references::go_on(const profile_index& current) {
    m_sides = {&current, nullptr};
    m_strings.go_on({current.view.strings.size(), 0});
    m_mappings.go_on({current.view.mappings.size(), 0});
    m_functions.go_on({current.view.functions.size(), 0});
    m_locations.go_on({current.view.locations.size(), 0});
    if (m_mapping_starts.empty()) {
        use_first_mapping();
    }
}

void references::keep() noexcept {
    m_strings.keep();
    m_mappings.keep();
    m_functions.keep();
    m_locations.keep();
}

void references::take_back() noexcept {
    m_strings.take_back();
    m_mappings.take_back();
    m_functions.take_back();
    m_locations.take_back();
    m_mapping_starts.resize(m_mappings.first());
}

void references::use_first_mapping() {
    if (!index(side::current).view.mappings.empty()) {
        use_mapping_at(side::current, 0);
    }
}

std::uint32_t references::use_string(side from, std::uint64_t number, std::string_view where) {
    const string_index& strings = index(from).strings;
    const std::uint32_t place = strings.check(number, where);
    return m_strings.use(from, place, strings.hash(place));
}

void references::use_locations(side from, std::uint32_t* ordinals, std::size_t count) {
    const std::uint32_t* const numbers = m_locations.numbers(from);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t place = ordinals[i] - 1;
        const std::uint32_t number = numbers[place];
        ordinals[i] = number == renumbering::none ? use_location_at(from, place) : number + 1;
    }
}

std::uint32_t references::use_mapping(side from, std::uint64_t id) {
    const mapping_index& mappings = index(from).mappings;
    const std::uint32_t place = mappings.find(id);
    if (place == id_map::npos) {
        return 0;
    }
    return use_mapping_at(from, place) + 1;
}

std::uint32_t references::use_mapping_at(side from, std::uint32_t place) {
    const mapping_index::mapping& mapping = index(from).mappings.at(place);
    const std::uint32_t number = m_mappings.use(from, place, mapping.identity);
    if (number == m_mapping_starts.size()) {
        m_mapping_starts.push_back(mapping.start);
    }
    return number;
}

std::uint32_t references::use_function(side from, std::uint64_t id) {
    const function_index& functions = index(from).functions;
    const std::uint32_t place = functions.find(id);
    if (place == id_map::npos) {
        return 0;
    }
    return m_functions.use(from, place, functions.at(place).identity) + 1;
}

std::uint64_t references::rebase(side from, std::uint64_t mapping_id, std::uint64_t address) const {
    const mapping_index& mappings = index(from).mappings;
    const std::uint32_t place = mappings.find(mapping_id);
    if (place == id_map::npos || address == 0) {
        return address;
    }
    return address - mappings.at(place).start + m_mapping_starts[m_mappings.number(from, place)];
}

} // namespace pprofdelta
