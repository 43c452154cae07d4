// SPDX-License-Identifier: Apache-2.0
#include "document/outline_rows.hpp"

#include <utility>

#include "base/short_names.hpp"

namespace pprofdelta::tool {

std::string others_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " other" : " others");
}

std::string counted_text(std::size_t count, std::size_t left_out, const std::string& what) {
    return std::to_string(count) + " of " + std::to_string(count + left_out) + " " + what;
}

std::string chain_text(const std::vector<std::string>& frames) {
    std::string all;
    for (const std::string& each : frames) {
        all += (all.empty() ? "" : " \u2192 ") + cut_name(each);
    }
    return all;
}

void add_stack(table& to, table::row first, const std::vector<std::string>& frames,
               std::size_t left_out) {
    const table::row blank{.name = {}, .cells = std::vector<std::string>(first.cells.size())};
    const auto add = [&](const std::string& name) {
        to.rows.push_back(std::exchange(first, blank));
        to.rows.back().name = name;
    };
    if (left_out != 0) {
        add(std::to_string(left_out) + " outer ones left out");
    }
    for (const std::string& each : frames) {
        add(cut_name(each));
    }
}

} // namespace pprofdelta::tool
