// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

std::string to_string(const value_type& type) { return type.type + "/" + type.unit; }

bool value_type_pattern::matches(const value_type& type) const {
    return m_text == type.type || m_text == to_string(type);
}

} // namespace pprofdelta
