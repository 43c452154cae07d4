// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_LOCATION_INDEX_HPP
#define PPROFDELTA_SRC_LOCATION_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "function_index.hpp"
#include "hash128.hpp"
#include "id_map.hpp"
#include "mapping_index.hpp"
#include "packed_numbers.hpp"
#include "profile_view.hpp"
#include "string_index.hpp"

namespace pprofdelta {

/// The locations of one profile, by place in its table, each with the identity of its frame: equal
/// in two profiles exactly if match_mode says that the frames are the same.
class location_index {
public:
    /// Replaces the content; memory is reused.
    /// @throws error malformed for an id that is 0 or repeated, or a function that the profile
    ///         does not have.
    void build(const profile_view& view, const string_index& strings, const mapping_index& mappings,
               const function_index& functions, match_mode match);

    /// The place of a location id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }

    /// Half of each identity, which is plenty to tell the frames of a profile apart, and less to
    /// hash. By ordinal, a place plus 1.
    [[nodiscard]] const std::uint64_t* halves() const noexcept { return m_halves.data(); }
    [[nodiscard]] std::uint64_t half(std::uint32_t place) const noexcept {
        return m_halves[place + 1];
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_halves.size() - 1; }

    /// Ordinals of packed ids, by decode_ordinals(), which ids are if they are 1, 2, 3 … in order.
    /// @returns not_decoded for any other ids, too.
    [[nodiscard]] std::size_t decode(std::string_view packed, std::uint32_t* out) const noexcept {
        return m_ids.sequential() == size() ? decode_ordinals(packed, size(), out) : not_decoded;
    }

private:
    struct line {
        std::uint32_t function = id_map::npos; // by place; npos for none
        std::uint64_t number = 0;
        std::uint64_t column = 0;
    };
    struct location {
        std::uint64_t id = 0;
        std::uint32_t mapping = id_map::npos; // by place; npos for none
        std::uint64_t address = 0;
        bool is_folded = false;
        std::vector<line> lines;
    };

    void read(std::string_view bytes, const profile_view& view, const mapping_index& mappings,
              const function_index& functions);
    void gather_frame(const mapping_index& mappings, const function_index& functions);
    void gather_lines(const string_index& strings, const function_index& functions,
                      match_mode match);
    void gather(std::uint64_t number) { m_parts.push_back(little_endian(number)); }
    void gather(const hash128& hash) { m_parts.insert(m_parts.end(), {hash.low, hash.high}); }

    id_map m_ids;
    std::vector<std::uint64_t> m_halves{0}; // there is no ordinal 0
    location m_location;                    // the one at hand
    std::vector<std::uint64_t> m_parts;     // what its identity is the hash of
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_LOCATION_INDEX_HPP
