// SPDX-License-Identifier: Apache-2.0
#include "mapping_search.hpp"

#include <algorithm>
#include <string_view>

namespace pprofdelta {

namespace {

// What Linux appends to the name of a file that is no longer there.
constexpr std::string_view deleted = " (deleted)";

// google/pprof's `[.]so$|[.]so[._][0-9]+`.
bool is_library(std::string_view file) {
    constexpr std::string_view suffix = ".so";
    for (std::size_t i = file.find(suffix); i != std::string_view::npos;
         i = file.find(suffix, i + 1)) {
        const std::string_view rest = file.substr(i + suffix.size());
        if (rest.empty() || (rest.size() >= 2 && (rest[0] == '.' || rest[0] == '_') &&
                             rest[1] >= '0' && rest[1] <= '9')) {
            return true;
        }
    }
    return false;
}

} // namespace

void mapping_search::build(std::span<const mapping> mappings) {
    m_ranges.clear();
    for (const mapping& m : mappings) {
        m_ranges.push_back({m.start, m.limit, static_cast<std::uint32_t>(m_ranges.size())});
    }
    const auto is_before = [](const range& a, const range& b) { return a.start < b.start; };
    if (!std::is_sorted(m_ranges.begin(), m_ranges.end(), is_before)) {
        std::sort(m_ranges.begin(), m_ranges.end(), is_before);
    }
}

std::uint32_t mapping_search::find(std::uint64_t address) const noexcept {
    auto after =
        std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                         [](std::uint64_t value, const range& r) { return value < r.start; });
    if (after == m_ranges.begin()) {
        return npos;
    }
    const range& last = *--after;
    return address < last.limit ? last.place : npos;
}

std::uint32_t main_binary(std::span<const mapping> mappings) {
    for (std::uint32_t place = 0; place < mappings.size(); ++place) {
        std::string_view file = mappings[place].file;
        if (file.ends_with(deleted)) {
            file.remove_suffix(deleted.size());
        }
        if (!file.empty() && file.front() != '[' && !is_library(file)) {
            return place;
        }
    }
    return 0;
}

} // namespace pprofdelta
