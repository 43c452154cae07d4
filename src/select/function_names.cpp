// SPDX-License-Identifier: Apache-2.0
#include "select/function_names.hpp"

#include <utility>

namespace pprofdelta {

function_names::function_names(const profile_index& index,
                               const std::vector<name_rewriter>& renames)
    : m_index{index} {
    if (renames.empty()) {
        return;
    }
    m_place.resize(index.strings.size());
    rename_allowance allowance{index.view.bytes().size()};
    for (std::uint32_t place = 0; place < index.view.functions.size(); ++place) {
        const std::uint32_t number = index.functions.at(place).name;
        if (m_place[number] != 0) {
            continue; // of a function before
        }
        std::string name{index.strings.text(number)};
        for (const name_rewriter& rename : renames) {
            rename.rewrite(name, allowance);
        }
        m_renamed.push_back(std::move(name));
        m_place[number] = static_cast<std::uint32_t>(m_renamed.size());
    }
}

} // namespace pprofdelta
