// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_FUNCTION_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_FUNCTION_INDEX_HPP

#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "profile/id_map.hpp"
#include "profile/string_index.hpp"
#include "profile/view.hpp"

namespace pprofdelta {

/// The functions of one profile, by place in its table.
class function_index {
public:
    struct function {
        hash128 identity; ///< Name, system name, file and start line.
        std::uint32_t name = 0;
        std::uint32_t file = 0;
    };

    /// Replaces the content; memory is reused.
    /// @throws error malformed for a repeated id, or a string that is out of range.
    void build(const profile_view& view, const string_index& strings);

    /// The place of a function id, or id_map::npos.
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const { return m_ids.find(id); }
    [[nodiscard]] const function& at(std::uint32_t place) const noexcept {
        return m_functions[place];
    }

private:
    id_map m_ids;
    std::vector<function> m_functions;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_FUNCTION_INDEX_HPP
