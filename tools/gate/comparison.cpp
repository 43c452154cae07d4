// SPDX-License-Identifier: Apache-2.0
#include "gate/comparison.hpp"

#include <pprofdelta/delta.hpp>

#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

std::string describe(normalization by, const std::vector<double>& factors,
                     const std::vector<type_treatment>& types) {
    std::string text = std::string{"previous values normalized by "} + to_string(by);
    for (std::size_t i = 0; i < types.size(); ++i) {
        text += (i == 0 ? ": " : ", ") + to_string(types[i].type) + " x" + factor_text(factors[i]);
    }
    return text;
}

} // namespace

comparison::comparison(std::optional<normalization> by, const profile_file& previous,
                       const profile_file& current)
    : m_previous{previous}, m_current{current} {
    if (previous.source() != current.source()) {
        throw failure{exit_status::incompatible,
                      previous_name() + " and " + current_name() + ": one is " +
                          to_string(previous.source()) + " and the other " +
                          to_string(current.source()) +
                          ": the stacks of one are not those of the other"};
    }
    if (by) {
        m_scaled = about_both([&](std::string_view before, std::string_view now) {
            return normalize(before, now, *by);
        });
        m_by = by;
        m_normalization_text = describe(*m_by, m_scaled.factors, list_types(current.bytes()));
    }
}

} // namespace pprofdelta::tool
