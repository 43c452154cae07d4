// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/overview.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "base/about_input.hpp"
#include "base/fitting.hpp"
#include "base/wrapping.hpp"
#include "flame/paired_stacks.hpp"
#include "profile/index.hpp"
#include "report/delta_totals.hpp"
#include "report/function_places.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"
#include "select/row_order.hpp"
#include "select/row_sums.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

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
    type_reader(std::vector<std::size_t> types, const report_options& options,
                const flame_graph_limits& limits)
        : m_types{std::move(types)}, m_rules{options}, m_limits{limits}, m_stacks{m_types,
                                                                                  limits.deepest},
          m_totals(m_types.size()) {}

    void read(const input_profile& from) {
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
            if (m_rules.by == grouping::function) {
                add_function_places(stacks, m_places);
            }
            m_totals.resize(sums.totals.size());
            for (std::size_t i = 0; i < sums.totals.size(); ++i) {
                m_totals[i].*from.which = sums.totals[i];
            }
        });
    }

    // After all sides have been read.
    void write(const std::vector<value_type>& names_of_types, report::content of,
               overview& out) const {
        out.places.insert(m_places.begin(), m_places.end());
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            overview::type& type = out.types[m_types[i]];
            type.of = type.stacks.of = of;
            type.stacks.type = names_of_types[m_types[i]];
            type.stacks.total = m_totals[m_types[i]];
            m_stacks.draw(i, m_names, m_limits, type.stacks);
            for (std::uint32_t row = 0; row < m_names.size(); ++row) {
                const report::row& values = m_rows[row * m_types.size() + i];
                if (size_of(values.flat) != 0 || size_of(values.cum) != 0) {
                    type.rows.push_back(values);
                    type.rows.back().name = m_names.name(row);
                }
            }
            std::sort(type.rows.begin(), type.rows.end(), is_larger);
        }
    }

    // The totals of all types, also of those that are not read.
    [[nodiscard]] const std::vector<value_pair>& totals() const noexcept { return m_totals; }

private:
    std::vector<std::size_t> m_types;
    stack_rules m_rules;
    flame_graph_limits m_limits;
    row_names m_names;
    std::vector<report::row> m_rows; // of each name all types; without the names
    paired_stacks m_stacks;
    std::vector<value_pair> m_totals; // of all types
    std::map<std::string, source_place> m_places;
};

// @returns the totals of all types of the profile, or of both; nothing for no types.
std::vector<value_pair> add_types(const std::vector<std::size_t>& types,
                                  std::span<const input_profile> sides, report::content of,
                                  const report_options& options, const flame_graph_limits& limits,
                                  overview& out) {
    if (types.empty()) {
        return {};
    }
    type_reader reader{types, options, limits};
    for (const input_profile& each : sides) {
        reader.read(each);
    }
    reader.write(sides.front().index->types.sample_types, of, out);
    return reader.totals();
}

std::array<input_profile, 2> sides_of(const compared_profiles& profiles) {
    return {{{&profiles.now, &value_pair::current, error_input::current},
             {&profiles.before, &value_pair::previous, error_input::previous}}};
}

std::vector<std::size_t> all_of(const std::vector<value_type>& types) {
    std::vector<std::size_t> all(types.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

} // namespace

overview make_overview(std::string_view previous, std::string_view current,
                       const report_options& options, const flame_graph_limits& limits) {
    const compared_profiles profiles{previous, current};
    const std::vector<value_type>& types = profiles.now.types.sample_types;
    overview result;
    result.types.resize(types.size());
    result.chosen = choose_type_of_two(profiles, options);
    add_types(all_of(types), sides_of(profiles), report::content::comparison, options, limits,
              result);
    for (std::size_t i = 0; i < types.size(); ++i) {
        const value_pair& total = result.types[i].stacks.total;
        result.types[i].total = {.type = types[i],
                                 .value = total,
                                 .change = fitting_subtract(total.current, total.previous)};
    }
    return result;
}

overview make_overview(std::string_view profile, const report_options& options,
                       const flame_graph_limits& limits) {
    profile_index index;
    index.build(profile, match_mode::exact);
    const std::vector<value_type>& types = index.types.sample_types;
    overview result;
    result.types.resize(types.size());
    result.chosen = choose_type_of_one(index, options);
    const input_profile only{&index, &value_pair::current, error_input::current};
    add_types(all_of(types), {&only, 1}, report::content::profile, options, limits, result);
    const std::vector<report::total> sums = totals_of_one(index, totals(index));
    for (std::size_t i = 0; i < types.size(); ++i) {
        result.types[i].total = sums[i];
    }
    return result;
}

overview make_overview(const computed_delta& delta, const report_options& options,
                       const flame_graph_limits& limits) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    std::vector<std::size_t> counters;
    std::vector<std::size_t> gauges;
    for (std::size_t i = 0; i < delta.types.size(); ++i) {
        (delta.types[i].cumulative ? counters : gauges).push_back(i);
    }
    overview result;
    result.types.resize(delta.types.size());
    const input_profile changes{&index, &value_pair::current, error_input::current};
    add_types(counters, {&changes, 1}, report::content::delta, options, limits, result);
    std::vector<value_pair> values;
    if (delta.previous && !gauges.empty()) {
        const compared_profiles profiles{*delta.previous, delta.current};
        values = add_types(gauges, sides_of(profiles), report::content::comparison, options, limits,
                           result);
    } else {
        add_types(gauges, {&changes, 1}, report::content::profile, options, limits, result);
        values = totals_of_profiles(delta);
    }
    result.chosen = choose_type_of_delta(delta, index, options);
    const std::vector<report::total> sums = totals_of_delta(delta, values, totals(index));
    for (std::size_t i = 0; i < result.types.size(); ++i) {
        result.types[i].total = sums[i];
    }
    return result;
}

} // namespace pprofdelta
