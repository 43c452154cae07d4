// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/overview.hpp>

#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "views/flame.hpp"
#include "views/report.hpp"

namespace pprofdelta {

namespace {

using function_places = std::map<std::string, source_place>;

void add_line(source_place& to, std::int64_t line) {
    if (line > 0) {
        to.first_line = to.first_line > 0 ? std::min(to.first_line, line) : line;
        to.last_line = std::max(to.last_line, line);
    }
}

// Adds where the functions of a profile are in the source, as overview::places has it. Time is
// linear in its locations.
// @param stacks have frames.
void add_function_places(const profile_stacks& stacks, function_places& places) {
    const profile_index& index = stacks.index();
    // Those that were seen, without their files.
    std::vector<std::optional<source_place>> by_function(index.view.functions.size());
    for (const frame_index::frame& frame : stacks.frames().frames()) {
        if (frame.function != id_map::npos) {
            std::optional<source_place>& seen = by_function[frame.function];
            add_line(seen ? *seen : seen.emplace(), frame.line);
        }
    }
    for (std::uint32_t i = 0; i < by_function.size(); ++i) {
        const auto& function = index.functions.at(i);
        const std::string_view file = index.strings.text(function.file);
        const std::string_view name = stacks.names().text(function.name);
        if (!by_function[i] || name.empty() || file.empty()) {
            continue;
        }
        const auto [entry, is_new] =
            places.try_emplace(cut_name(name), source_place{std::string{file}, 0, 0});
        source_place& place = entry->second;
        if (place.file == file) {
            add_line(place, by_function[i]->first_line);
            add_line(place, by_function[i]->last_line);
        } else {
            place = {};
        }
    }
}

// No sum is larger than the largest number, which is enough to tell the largest ones.
void add_size(std::uint64_t& sum, std::uint64_t size) {
    sum += std::min(size, std::numeric_limits<std::uint64_t>::max() - sum);
}

using label_sizes = std::map<std::pair<std::string_view, std::string_view>, std::uint64_t>;

// Adds the values of the samples that count, without their signs, by the keys and texts of their
// labels. Numbers are none of these: they are too many, and say little of one another. Neither is a
// text without a key, for which nobody could ask.
// @param index its bytes must outlive what is added.
void add_labels(const profile_index& index, const stack_rules& rules, std::size_t type,
                label_sizes& to) {
    const label_index labels{index};
    const auto can_be_chosen = [&](const label_index::value& value) {
        return value.is_text && !labels.keys()[value.key].empty();
    };
    if (std::ranges::none_of(labels.values(), can_be_chosen)) {
        return; // as of heaps, which have sizes alone
    }
    const profile_stacks stacks{index, rules, false};
    selected_reader reader{stacks};
    std::vector<std::uint64_t> sizes(labels.values().size());
    for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
        const std::span<const std::uint32_t> values = labels.of(sample);
        if (values.empty()) {
            continue;
        }
        reader.read(sample);
        const std::uint64_t size = magnitude(reader.values()[type]);
        if (size == 0 || !reader.is_selected()) {
            continue;
        }
        for (const std::uint32_t value : values) {
            add_size(sizes[value], size);
        }
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const label_index::value& value = labels.values()[i];
        if (sizes[i] != 0 && can_be_chosen(value)) {
            add_size(to[{labels.keys()[value.key], value.text}], sizes[i]);
        }
    }
}

// The largest labels, up to this many and the largest first, and equal ones by key and text.
std::vector<label_text> largest_of(const label_sizes& all, std::size_t most) {
    std::vector<std::pair<label_sizes::key_type, std::uint64_t>> sorted{all.begin(), all.end()};
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) { return each.second; });
    sorted.resize(std::min(sorted.size(), most));
    std::vector<label_text> largest;
    largest.reserve(sorted.size());
    for (const auto& [label, size] : sorted) {
        largest.push_back({std::string{label.first}, std::string{label.second}});
    }
    return largest;
}

std::uint64_t size_of(const value_pair& value) {
    return std::max(magnitude(value.previous), magnitude(value.current));
}

bool is_larger(const report::row& a, const report::row& b) {
    const std::uint64_t of_a = size_of(a.cum);
    const std::uint64_t of_b = size_of(b.cum);
    return of_a != of_b ? of_a > of_b : a.name < b.name;
}

// Rows and stacks of the samples that the rules leave. Types whose values are of the same profiles
// are read together.
// @param places gets those of functions, unless it is none.
std::vector<overview::type> read_types(viewed_profiles::impl& views, const stack_rules& rules,
                                       const flame_graph_limits& limits,
                                       function_places* places = nullptr) {
    const std::vector<value_type>& all = views.main().whole().types.sample_types;
    std::vector<overview::type> made(all.size());
    for (const report::content what :
         {report::content::delta, report::content::profile, report::content::comparison}) {
        std::vector<std::size_t> types;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (views.content_of(i) == what) {
                types.push_back(i);
            }
        }
        if (types.empty()) {
            continue;
        }
        const std::size_t width = types.size();
        row_names names;
        paired_stacks stacks{width, limits.deepest};
        std::uint32_t no_stack = 0;
        views.for_each_side(types.front(), [&](const profile_index& index, side_of_pair which) {
            const profile_stacks from{index, rules, true};
            const location_rows of_places{from, names};
            no_stack = of_places.stackless_row();
            const std::vector<std::int64_t> totals = stacks.read(from, of_places, types, which);
            for (std::size_t i = 0; i < width; ++i) {
                made[types[i]].stacks.total.*which = totals[i];
            }
            if (places != nullptr && rules.by == grouping::function) {
                add_function_places(from, *places);
            }
        });
        const std::vector<row_sum> sums =
            stacks.sum_rows(names.size(), no_stack, budget_of_frames(views.size_of(types.front())));
        for (std::size_t i = 0; i < width; ++i) {
            overview::type& type = made[types[i]];
            type.of = type.stacks.of = what;
            type.stacks.type = all[types[i]];
            stacks.draw(i, names, limits, type.stacks);
            for (std::uint32_t row = 0; row < names.size(); ++row) {
                const auto& [flat, cum] = sums[row * width + i];
                if (size_of(flat) != 0 || size_of(cum) != 0) {
                    type.rows.push_back({cut_name(names.name(row)), flat, cum});
                }
            }
            std::ranges::sort(type.rows, is_larger);
        }
    }
    return made;
}

} // namespace

overview make_overview(const viewed_profiles& profiles, const report_options& options,
                       const flame_graph_limits& limits, const part_limits& of_parts) {
    viewed_profiles::impl& views = viewed_profiles::impl::of(profiles);
    stack_rules rules{options};
    overview seen;
    seen.chosen = choose_type(views, options);
    seen.types = read_types(views, rules, limits, &seen.places);
    if (of_parts.most_parts != 0) {
        label_sizes all;
        views.for_each_side(seen.chosen, [&](const profile_index& index, side_of_pair) {
            add_labels(index, rules, seen.chosen, all);
        });
        const std::vector<label_text> labels = largest_of(all, of_parts.most_parts);
        seen.parts_left_out = all.size() - labels.size();
        const std::size_t count = std::max<std::size_t>(labels.size(), 1);
        flame_graph_limits of_part = limits;
        of_part.most_nodes /= count;
        for (const label_text& label : labels) {
            rules.keep_only(label);
            seen.parts.push_back({label.key, label.text, read_types(views, rules, of_part)});
            for (overview::type& type : seen.parts.back().types) {
                const std::size_t kept = std::min(type.rows.size(), of_parts.most_rows / count);
                type.rows_left_out = type.rows.size() - kept;
                type.rows.resize(kept);
                type.rows.shrink_to_fit(); // as there can be many long lists
            }
        }
    }
    const std::vector<report::total> totals = totals_of(views);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        seen.types[i].total = totals[i];
        for (overview::part& part : seen.parts) {
            part.types[i].total = totals[i];
        }
    }
    return seen;
}

} // namespace pprofdelta
