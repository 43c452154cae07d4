// SPDX-License-Identifier: Apache-2.0
#include "profile/string_index.hpp"

#include <string>

#include <pprofdelta/error.hpp>

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
    const std::string what = "string " + std::to_string(static_cast<std::int64_t>(number)) +
                             " is not in the string table of " + std::to_string(m_hashes.size());
    if (where.data() == nullptr) {
        throw error{error_kind::malformed, what};
    }
    m_view->fail(what, where);
}

} // namespace pprofdelta
