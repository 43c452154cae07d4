// SPDX-License-Identifier: Apache-2.0
#include "id_map.hpp"

namespace pprofdelta {

void id_map::clear() noexcept {
    m_size = 0;
    m_sequential = 0;
    m_others.clear();
}

bool id_map::add(std::uint64_t id) {
    if (id == 0 || find(id) != npos) {
        return false;
    }
    if (id == m_sequential + 1 && m_others.empty()) {
        ++m_sequential;
    } else {
        m_others.emplace(id, m_size);
    }
    ++m_size;
    return true;
}

std::uint32_t id_map::find_other(std::uint64_t id) const {
    const auto found = m_others.find(id);
    return found == m_others.end() ? npos : found->second;
}

} // namespace pprofdelta
