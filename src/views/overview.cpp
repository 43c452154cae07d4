// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/overview.hpp>

#include "base/about_input.hpp"
#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/sample_type.hpp"
#include "select/stacks.hpp"
#include "views/flame.hpp"
#include "views/report.hpp"

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

// Adds where the functions of a profile are in the source, as overview::places has it. Time is
// linear in its locations.
// @param of with frames.
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

// No sum is larger than the largest number, which is enough to tell the largest ones.
void add_size(std::uint64_t& sum, std::uint64_t size) {
    sum += std::min(size, std::numeric_limits<std::uint64_t>::max() - sum);
}

/// Finds the texts of labels whose samples have the largest values. Numbers are none of them: they
/// are too many, and say little of one another. Neither is a text without a key, for which nobody
/// could ask.
class largest_labels {
public:
    /// @param rules must outlive this.
    explicit largest_labels(const stack_rules& rules) : m_rules{rules} {}

    /// Adds the values of the samples that count, without their signs.
    /// @param index its bytes must outlive this.
    /// @throws error malformed, too_large
    void read(const profile_index& index, std::size_t type) {
        const label_index labels{index};
        const auto can_be_chosen = [&](const label_index::value& value) {
            return value.is_text && !labels.keys()[value.key].empty();
        };
        if (std::none_of(labels.values().begin(), labels.values().end(), can_be_chosen)) {
            return; // as of heaps, which have sizes alone
        }
        const profile_stacks stacks{index, m_rules, false};
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
                add_size(m_sizes[{labels.keys()[value.key], value.text}], sizes[i]);
            }
        }
    }

    /// At most so many, the largest first, and equal ones by key and text.
    [[nodiscard]] std::vector<label_text> take(std::size_t most) const {
        std::vector<const decltype(m_sizes)::value_type*> sorted;
        sorted.reserve(m_sizes.size());
        for (const auto& each : m_sizes) {
            sorted.push_back(&each);
        }
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const auto* a, const auto* b) { return a->second > b->second; });
        sorted.resize(std::min(sorted.size(), most));
        std::vector<label_text> taken;
        taken.reserve(sorted.size());
        for (const auto* each : sorted) {
            taken.push_back({std::string{each->first.first}, std::string{each->first.second}});
        }
        return taken;
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_sizes.size(); }

private:
    const stack_rules& m_rules;
    std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> m_sizes; // by key, text
};

using function_places = std::map<std::string, source_place>;

// One of the profiles that values are of.
struct input_profile {
    const profile_index* index;
    side_of_pair which;
    error_input about;
};

std::uint64_t size_of(const value_pair& value) {
    return std::max(magnitude(value.previous), magnitude(value.current));
}

bool is_larger(const report::row& a, const report::row& b) {
    const std::uint64_t of_a = size_of(a.cum);
    const std::uint64_t of_b = size_of(b.cum);
    return of_a != of_b ? of_a > of_b : a.name < b.name;
}

// Rows and stacks of some types of one or two profiles.
class type_reader {
public:
    // @param rules must outlive this.
    type_reader(std::vector<std::size_t> types, const stack_rules& rules,
                const flame_graph_limits& limits)
        : m_types{std::move(types)}, m_rules{rules}, m_limits{limits}, m_stacks{m_types,
                                                                                limits.deepest} {}

    // @param places gets those of functions, unless it is none.
    void read(const input_profile& from, function_places* places) {
        about_input(from.about, [&] {
            const profile_stacks stacks{*from.index, m_rules, true};
            const location_rows rows{stacks, m_names};
            const row_sums sums = sum_rows(stacks, rows, m_names.size(), m_types);
            m_rows.resize(m_names.size() * m_types.size());
            for (std::size_t i = 0; i < sums.flat.size(); ++i) {
                m_rows[i].flat.*from.which = sums.flat[i];
                m_rows[i].cum.*from.which = sums.cum[i];
            }
            m_stacks.read(stacks, rows, from.which);
            if (places != nullptr && m_rules.by == grouping::function) {
                add_function_places(stacks, *places);
            }
            m_totals.resize(sums.totals.size());
            for (std::size_t i = 0; i < sums.totals.size(); ++i) {
                m_totals[i].*from.which = sums.totals[i];
            }
        });
    }

    // After all sides have been read.
    void write(const std::vector<value_type>& names_of_types, report::content of,
               std::vector<overview::type>& out) const {
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            overview::type& type = out[m_types[i]];
            type.of = type.stacks.of = of;
            type.stacks.type = names_of_types[m_types[i]];
            type.stacks.total = m_totals[m_types[i]];
            m_stacks.draw(i, m_names, m_limits, type.stacks);
            for (std::uint32_t row = 0; row < m_names.size(); ++row) {
                const report::row& values = m_rows[row * m_types.size() + i];
                if (size_of(values.flat) != 0 || size_of(values.cum) != 0) {
                    type.rows.push_back(values);
                    type.rows.back().name = cut_name(m_names.name(row));
                }
            }
            std::sort(type.rows.begin(), type.rows.end(), is_larger);
        }
    }

private:
    std::vector<std::size_t> m_types;
    const stack_rules& m_rules;
    flame_graph_limits m_limits;
    row_names m_names;
    std::vector<report::row> m_rows; // of each name all types; without the names
    paired_stacks m_stacks;
    std::vector<value_pair> m_totals; // of all types
};

// Some types, and the profiles that their values are of: one, or the current and the previous one.
struct types_of_profiles {
    std::vector<std::size_t> types;
    std::vector<input_profile> profiles;
    report::content of;
};

using sources = std::vector<types_of_profiles>; // which have each type once

// Rows and stacks of the samples that the rules leave.
std::vector<overview::type> read_types(const sources& from, const stack_rules& rules,
                                       const flame_graph_limits& limits,
                                       function_places* places = nullptr) {
    std::vector<overview::type> types(
        from.front().profiles.front().index->types.sample_types.size());
    for (const types_of_profiles& each : from) {
        type_reader reader{each.types, rules, limits};
        for (const input_profile& profile : each.profiles) {
            reader.read(profile, places);
        }
        reader.write(each.profiles.front().index->types.sample_types, each.of, types);
    }
    return types;
}

largest_labels find_labels(const sources& from, const stack_rules& rules, std::size_t type) {
    largest_labels labels{rules};
    for (const types_of_profiles& each : from) {
        if (std::find(each.types.begin(), each.types.end(), type) != each.types.end()) {
            for (const input_profile& profile : each.profiles) {
                about_input(profile.about, [&] { labels.read(*profile.index, type); });
            }
        }
    }
    return labels;
}

// Of a long list the memory is given back, as there can be many.
void keep_first_rows(overview::type& type, std::size_t most) {
    if (type.rows.size() > most) {
        type.rows_left_out = type.rows.size() - most;
        type.rows.resize(most);
        type.rows.shrink_to_fit();
    }
}

// All but the totals.
overview read_sources(const sources& from, std::size_t chosen, const report_options& options,
                      const flame_graph_limits& limits, const part_limits& of_parts) {
    stack_rules rules{options};
    overview result;
    result.chosen = chosen;
    result.types = read_types(from, rules, limits, &result.places);
    if (of_parts.most_parts == 0) {
        return result;
    }
    const largest_labels all = find_labels(from, rules, chosen);
    const std::vector<label_text> labels = all.take(of_parts.most_parts);
    result.parts_left_out = all.size() - labels.size();
    const std::size_t count = std::max<std::size_t>(labels.size(), 1);
    flame_graph_limits of_part = limits;
    of_part.most_nodes /= count;
    for (const label_text& label : labels) {
        rules.keep_only(label);
        result.parts.push_back({label.key, label.text, read_types(from, rules, of_part)});
        for (overview::type& type : result.parts.back().types) {
            keep_first_rows(type, of_parts.most_rows / count);
        }
    }
    return result;
}

// The profiles that each type's values are of.
sources sources_of(viewed_profiles::impl& of) {
    sources all;
    for (const report::content what :
         {report::content::delta, report::content::profile, report::content::comparison}) {
        types_of_profiles some{.types = {}, .profiles = {}, .of = what};
        for (std::size_t i = 0; i < of.main().whole().types.sample_types.size(); ++i) {
            if (of.content_of(i) == what) {
                some.types.push_back(i);
            }
        }
        if (some.types.empty()) {
            continue;
        }
        if (what == report::content::comparison) {
            const compared_profiles both = of.pair();
            some.profiles = {{&both.now, &value_pair::current, error_input::current},
                             {&both.before, &value_pair::previous, error_input::previous}};
        } else {
            some.profiles = {{&of.main().whole(), &value_pair::current, error_input::current}};
        }
        all.push_back(std::move(some));
    }
    return all;
}

} // namespace

overview make_overview(const viewed_profiles& of, const report_options& options,
                       const flame_graph_limits& limits, const part_limits& of_parts) {
    viewed_profiles::impl& profiles = of.content();
    const std::size_t chosen = choose_type(profiles, options);
    overview seen = read_sources(sources_of(profiles), chosen, options, limits, of_parts);
    const std::vector<report::total> totals = totals_of(profiles);
    for (std::size_t i = 0; i < totals.size(); ++i) {
        seen.types[i].total = totals[i];
        for (overview::part& part : seen.parts) {
            part.types[i].total = totals[i];
        }
    }
    return seen;
}

} // namespace pprofdelta
