// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <pprofdelta/delta.hpp>

#include "figures.hpp"

namespace pprofdelta::tool {

comparison::comparison(const options& chosen, const profile_file& previous,
                       const profile_file& current)
    : m_previous{previous}, m_current{current}, m_by{chosen.normalize} {
    if (m_by) {
        m_scaled = about_both([&] { return normalize(previous.bytes(), current.bytes(), *m_by); });
    }
}

// Throws what is wrong with the first file, if anything is.
void comparison::require_valid_previous() const {
    std::string ignored;
    about(previous_name(), [&] { diff(m_previous.bytes(), m_previous.bytes(), {}, ignored); });
}

std::string comparison::normalization_text() const {
    if (!m_by) {
        return {};
    }
    const std::vector<type_treatment> types = list_types(m_current.bytes());
    std::string text = std::string{"previous values normalized by "} + to_string(*m_by);
    for (std::size_t i = 0; i < types.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + to_string(types[i].type) + " x" +
                factor_text(m_scaled.factors[i]);
    }
    return text;
}

} // namespace pprofdelta::tool
