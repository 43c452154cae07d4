// SPDX-License-Identifier: Apache-2.0
#include "profile/id_map.hpp"

namespace pprofdelta {

void id_map::clear() noexcept {
    m_size = 0;
    m_sequential = 0;
    m_others.clear();
}

bool id_map::add(std::uint64_t id) {
    if (find(id) != npos) {
        return false;
    }
    if (id == m_sequential + 1 && m_others.size() == 0) {
        ++m_sequential;
    } else {
        m_others.find_or_add({id, 0});
    }
    ++m_size;
    return true;
}

std::uint32_t id_map::find_other(std::uint64_t id) const {
    const std::uint32_t number = m_others.find({id, 0});
    return number == npos ? npos : static_cast<std::uint32_t>(m_sequential) + number;
}

} // namespace pprofdelta
