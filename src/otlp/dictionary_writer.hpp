// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_DICTIONARY_WRITER_HPP
#define PPROFDELTA_SRC_OTLP_DICTIONARY_WRITER_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "otlp/room.hpp"
#include "otlp/table_writer.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// Writes what a profile's samples and headers refer to as a ProfilesDictionary: nothing twice, and
/// nothing else.
class otlp_dictionary_writer {
public:
    /// @param index of a profile. Both have to outlive this.
    otlp_dictionary_writer(const profile_index& index, otlp_room& room);

    /// Writes the mappings that these locations lie in, in the profile's order, as the first one is
    /// that of the program. To be called before stack(), with all that it is to be called with.
    /// @param is_used by place of locations.
    void use_mappings(const std::vector<bool>& is_used);

    /// The index of a stack of locations, by their places, leaf first.
    [[nodiscard]] std::uint32_t stack(std::span<const std::uint32_t> places);

    [[nodiscard]] std::uint32_t string(std::string_view text) { return m_strings.add(text); }
    /// The index of a string of the profile.
    /// @param number that the profile has. O(1) but for the first time.
    [[nodiscard]] std::uint32_t string_of(std::uint64_t number);
    /// @param value an AnyValue.
    [[nodiscard]] std::uint32_t attribute(std::uint32_t key, std::string_view value,
                                          std::uint32_t unit = 0);
    /// @param ids of 16 and 8 bytes.
    [[nodiscard]] std::uint32_t link(std::string_view trace_id, std::string_view span_id);

    /// The ProfilesDictionary as a field of ProfilesData.
    void append_to(std::string& message) const;

private:
    [[nodiscard]] std::uint32_t flag(std::string_view key);
    [[nodiscard]] std::uint32_t mapping(record at);
    [[nodiscard]] std::uint32_t function(std::uint32_t place);
    [[nodiscard]] std::uint32_t location(std::uint32_t place);

    const profile_index& m_index;
    otlp_room& m_room;
    otlp_table m_mappings{field::otlp::dictionary::mapping_table};
    otlp_table m_locations{field::otlp::dictionary::location_table};
    otlp_table m_functions{field::otlp::dictionary::function_table};
    otlp_table m_links;
    otlp_table m_strings{field::otlp::dictionary::string_table};
    otlp_table m_attributes{field::otlp::dictionary::attribute_table};
    otlp_table m_stacks{field::otlp::dictionary::stack_table};
    // Indices of what the profile has, by place.
    std::vector<std::uint32_t> m_of_strings;
    std::vector<std::uint32_t> m_of_mappings;
    std::vector<std::uint32_t> m_of_functions;
    std::vector<std::uint32_t> m_of_locations;
    std::string m_packed;
    std::string m_stack;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_DICTIONARY_WRITER_HPP
