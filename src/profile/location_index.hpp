// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_LOCATION_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_LOCATION_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "base/hash128.hpp"
#include "profile/function_index.hpp"
#include "profile/id_map.hpp"
#include "profile/mapping_index.hpp"
#include "profile/records.hpp"
#include "profile/string_index.hpp"
#include "profile/view.hpp"
#include "wire/packed_numbers.hpp"

namespace pprofdelta {

/// The locations of one profile, by place in its table, each with two identities of its frame. The
/// first is equal in two profiles exactly if the frames are the same by the match_mode in use; the
/// second, if they are the same by match_mode::exact. They differ if samples are matched by less
/// than what is written of them.
///
/// Half of each identity is kept. That is enough to distinguish the frames of a profile, and less
/// to hash.
class location_index {
public:
    /// Replaces the content; memory is reused.
    /// @throws error malformed for a repeated id, or a function that the profile does not have.
    void build(const profile_view& view, const string_index& strings, const mapping_index& mappings,
               const function_index& functions, match_mode match);

    /// The place of a location id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }

    /// The identities by which samples are matched, by ordinal, which is a place plus 1.
    [[nodiscard]] const std::uint64_t* matched() const noexcept {
        return m_is_exact ? m_exact.data() : m_matched.data();
    }
    /// The identity that says whether two locations are written as one.
    [[nodiscard]] std::uint64_t exact(std::uint32_t place) const noexcept {
        return m_exact[place + 1];
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_exact.size() - 1; }

    /// The ordinals of packed ids, by decode_ordinals(). If ids are 1, 2, 3 … in order, they are
    /// the ordinals.
    /// @returns not_decoded for any other ids too.
    [[nodiscard]] std::size_t decode(std::string_view packed, const char* limit,
                                     std::uint32_t* out) const noexcept {
        return m_ids.sequential() == size() ? decode_ordinals(packed, limit, size(), out)
                                            : not_decoded;
    }

private:
    struct line {
        std::uint32_t function = id_map::npos; // by place; npos for none
        std::uint64_t number = 0;
        std::uint64_t column = 0;
    };
    static line find_line(std::string_view bytes, const profile_view& view,
                          const function_index& functions);
    static hash128 exact_identity(const location_record& of, const profile_view& view,
                                  const mapping_index& mappings, const function_index& functions,
                                  word_hasher& hasher);
    static hash128 lines_identity(const location_record& of, const profile_view& view,
                                  const string_index& strings, const function_index& functions,
                                  match_mode match, word_hasher& hasher);

    id_map m_ids;
    bool m_is_exact = true;                  // the identities are the same
    std::vector<std::uint64_t> m_exact{0};   // there is no ordinal 0
    std::vector<std::uint64_t> m_matched{0}; // unused if they are the same
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_LOCATION_INDEX_HPP
