// SPDX-License-Identifier: Apache-2.0
#include "report/function_places.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

namespace {

// The lines of a function that were seen, 0 for none.
struct line_range {
    bool is_seen = false;
    std::int64_t first = 0;
    std::int64_t last = 0;

    void add(std::int64_t begin, std::int64_t end) {
        is_seen = true;
        if (begin > 0) {
            first = first > 0 ? std::min(first, begin) : begin;
            last = std::max(last, end);
        }
    }
};

} // namespace

void add_function_places(const profile_stacks& of, std::map<std::string, source_place>& places) {
    const profile_index& index = of.index();
    std::vector<line_range> by_function; // by function
    for (const frame_index::frame& frame : of.frames().frames()) {
        if (frame.function != id_map::npos) {
            by_function.resize(
                std::max<std::size_t>(by_function.size(), frame.function + std::size_t{1}));
            by_function[frame.function].add(frame.line, frame.line);
        }
    }
    for (std::uint32_t i = 0; i < by_function.size(); ++i) {
        const auto& function = index.functions.at(i);
        const std::string_view file = index.strings.text(function.file);
        const std::string_view name = of.names().text(function.name);
        if (!by_function[i].is_seen || name.empty() || file.empty()) {
            continue;
        }
        const auto [entry, is_new] =
            places.try_emplace(cut_name(name), source_place{std::string{file}, 0, 0});
        source_place& place = entry->second;
        if (place.file != file) {
            place = {};
            continue;
        }
        line_range all{true, place.first_line, place.last_line};
        all.add(by_function[i].first, by_function[i].last);
        place.first_line = all.first;
        place.last_line = all.last;
    }
}

} // namespace pprofdelta
