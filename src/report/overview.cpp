// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/overview.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <pprofdelta/characters.hpp>

#include "base/about_input.hpp"
#include "base/fitting.hpp"
#include "base/wrapping.hpp"
#include "flame/paired_stacks.hpp"
#include "profile/index.hpp"
#include "report/delta_totals.hpp"
#include "report/function_places.hpp"
#include "report/largest_labels.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/row_order.hpp"
#include "select/row_sums.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

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
        if (each.types.empty()) {
            continue;
        }
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

// All but the totals, which set_totals() adds.
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

std::vector<input_profile> sides_of(const compared_profiles& profiles) {
    return {{{&profiles.now, &value_pair::current, error_input::current},
             {&profiles.before, &value_pair::previous, error_input::previous}}};
}

std::vector<std::size_t> all_of(const std::vector<value_type>& types) {
    std::vector<std::size_t> all(types.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

// Puts totals into the types of the whole and of all parts.
// @param total_of of a type by its place.
template <typename TotalOf>
void set_totals(overview& seen, TotalOf&& total_of) {
    for (std::size_t i = 0; i < seen.types.size(); ++i) {
        seen.types[i].total = total_of(i);
        for (overview::part& part : seen.parts) {
            part.types[i].total = seen.types[i].total;
        }
    }
}

} // namespace

overview make_overview(std::string_view previous, std::string_view current,
                       const report_options& options, const flame_graph_limits& limits,
                       const part_limits& of_parts) {
    const compared_profiles profiles{previous, current};
    const std::vector<value_type>& types = profiles.now.types.sample_types;
    overview result =
        read_sources({{all_of(types), sides_of(profiles), report::content::comparison}},
                     choose_type_of_two(profiles, options), options, limits, of_parts);
    set_totals(result, [&](std::size_t i) {
        const value_pair& total = result.types[i].stacks.total;
        return report::total{.type = types[i],
                             .value = total,
                             .change = fitting_subtract(total.current, total.previous)};
    });
    return result;
}

overview make_overview(std::string_view profile, const report_options& options,
                       const flame_graph_limits& limits, const part_limits& of_parts) {
    profile_index index;
    index.build(profile, match_mode::exact);
    const input_profile only{&index, &value_pair::current, error_input::current};
    overview result =
        read_sources({{all_of(index.types.sample_types), {only}, report::content::profile}},
                     choose_type_of_one(index, options), options, limits, of_parts);
    const std::vector<report::total> sums = totals_of_one(index, totals(index));
    set_totals(result, [&](std::size_t i) { return sums[i]; });
    return result;
}

overview make_overview(const computed_delta& delta, const report_options& options,
                       const flame_graph_limits& limits, const part_limits& of_parts) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    const input_profile changes{&index, &value_pair::current, error_input::current};
    types_of_profiles counters{{}, {changes}, report::content::delta};
    types_of_profiles gauges{{}, {changes}, report::content::profile};
    for (std::size_t i = 0; i < delta.types.size(); ++i) {
        (delta.types[i].cumulative ? counters : gauges).types.push_back(i);
    }
    std::optional<compared_profiles> profiles;
    if (delta.previous && !gauges.types.empty()) {
        profiles.emplace(*delta.previous, delta.current);
        gauges.profiles = sides_of(*profiles);
        gauges.of = report::content::comparison;
    }
    overview result = read_sources({counters, gauges}, choose_type_of_delta(delta, index, options),
                                   options, limits, of_parts);
    const std::vector<report::total> sums =
        totals_of_delta(delta,
                        profiles ? totals_of_both(totals(profiles->before), totals(profiles->now))
                                 : totals_of_profiles(delta),
                        totals(index));
    set_totals(result, [&](std::size_t i) { return sums[i]; });
    return result;
}

} // namespace pprofdelta
