// SPDX-License-Identifier: Apache-2.0
#include "profile_file.hpp"

#include <pprofdelta/codec.hpp>

#include "file.hpp"

namespace pprofdelta::tool {

profile_file::profile_file(std::string path)
    : m_name{display_name(path)}, m_raw{read_file(path)}, m_size_on_disk{m_raw.size()} {
    m_bytes = about(m_name, [this] { return decode(m_raw, m_uncompressed); });
    if (m_bytes.data() != m_raw.data()) {
        m_raw = {};
    }
}

failure to_failure(const error& e, const std::string& names) {
    const bool is_malformed =
        e.kind() == error_kind::malformed || e.kind() == error_kind::too_large;
    return {is_malformed ? exit_status::malformed : exit_status::incompatible,
            names + ": " + e.what()};
}

} // namespace pprofdelta::tool
