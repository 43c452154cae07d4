// SPDX-License-Identifier: Apache-2.0
#include "string_index.hpp"

#include <string>

namespace pprofdelta {

void string_index::build(const profile_view& view) {
    m_view = &view;
    m_hashes.clear();
    m_hashes.reserve(view.strings.size());
    for (const record string : view.strings) {
        m_hashes.push_back(hash_bytes(view.at(string)));
    }
}

void string_index::fail(std::uint64_t number, std::string_view where) const {
    m_view->fail("string " + std::to_string(static_cast<std::int64_t>(number)) +
                     " is not in the string table of " + std::to_string(m_hashes.size()),
                 where);
}

} // namespace pprofdelta
