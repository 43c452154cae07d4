// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_MAPPING_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_MAPPING_INDEX_HPP

#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "profile/id_map.hpp"
#include "profile/process_sign.hpp"
#include "profile/string_index.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// The mappings of one profile, by place in its table.
class mapping_index {
public:
    struct mapping {
        /// Build id, or else file; size in whole pages of 4 KiB; file offset. This is
        /// google/pprof's rule (mappingKey in profile/merge.go). The start is left out, so ASLR
        /// does not matter.
        hash128 identity;
        std::uint64_t start = 0;
        std::uint32_t file = 0;
    };

    /// Replaces the content; memory is reused.
    /// @throws error malformed for an id that is 0 or repeated, or a string that is out of range.
    void build(const profile_view& view, const string_index& strings);

    /// The place of a mapping id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }
    [[nodiscard]] const mapping& at(std::uint32_t place) const noexcept {
        return m_mappings[place];
    }
    /// The signs of the process that has the mappings.
    [[nodiscard]] const process_sign& process() const noexcept { return m_process; }

private:
    id_map m_ids;
    std::vector<mapping> m_mappings;
    process_sign m_process;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_MAPPING_INDEX_HPP
