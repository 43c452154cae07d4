// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/about_input.hpp"
#include "base/wrapping.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/location_rows.hpp"
#include "report/profiles.hpp"

namespace pprofdelta {

namespace {

class report_maker {
public:
    explicit report_maker(grouping by) : m_by{by} {}

    void count(const profile_index& index, std::size_t type, side_of_pair which) {
        const location_rows rows{index, m_by, m_names};
        std::vector<std::int64_t> sums(index.types.sample_types.size());
        std::vector<std::int64_t> flat(m_names.size());
        std::vector<counter> cumulative(m_names.size());
        std::vector<std::uint32_t> last_stacks(index.locations.size()); // that each counted for
        frame_allowance allowance{index};
        std::uint32_t stack = 0;
        stack_reader reader{index};
        for (const record sample : index.view.samples) {
            reader.read(sample);
            std::transform(sums.begin(), sums.end(), reader.values().begin(), sums.begin(),
                           wrapping_add);
            const std::int64_t value = reader.values()[type];
            if (value == 0 || reader.locations().empty()) {
                continue; // most samples of a heap profile have nothing in use
            }
            const std::uint32_t leaf = rows.of(reader.locations().front()).front();
            flat[leaf] = wrapping_add(flat[leaf], value);
            ++stack;
            const auto count_once = [&](std::uint32_t row) {
                counter& c = cumulative[row];
                const std::int64_t more = c.last_stack == stack ? 0 : value;
                c.last_stack = stack;
                c.sum = wrapping_add(c.sum, more);
            };
            for (const std::uint32_t place : reader.locations()) {
                if (const std::uint32_t only = rows.only(place); only != location_rows::several) {
                    count_once(only);
                } else if (last_stacks[place] != stack) {
                    last_stacks[place] = stack;
                    const auto of_place = rows.of(place);
                    allowance.take(of_place.size());
                    std::for_each(of_place.begin(), of_place.end(), count_once);
                }
            }
        }
        m_result.totals.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            m_result.totals[i].value.*which = sums[i];
        }
        m_result.rows.resize(m_names.size());
        for (std::size_t i = 0; i < flat.size(); ++i) {
            m_result.rows[i].flat.*which = flat[i];
            m_result.rows[i].cumulative.*which = cumulative[i].sum;
        }
    }

    report finish(const std::vector<value_type>& types, std::size_t type) {
        for (std::size_t i = 0; i < types.size(); ++i) {
            m_result.totals[i].type = types[i];
        }
        m_result.type = type;
        for (std::uint32_t i = 0; i < m_names.size(); ++i) {
            m_result.rows[i].name = m_names.name(i);
        }
        std::erase_if(m_result.rows, [](const report::row& row) {
            return size(row.flat) == 0 && size(row.cumulative) == 0;
        });
        using key = std::tuple<std::uint64_t, std::uint64_t, const std::string&>;
        std::sort(m_result.rows.begin(), m_result.rows.end(),
                  [](const report::row& a, const report::row& b) {
                      return key{size(b.flat), size(b.cumulative), a.name} <
                             key{size(a.flat), size(a.cumulative), b.name};
                  });
        return std::move(m_result);
    }

private:
    // What the stacks of one profile with a frame in a row sum up to.
    struct counter {
        std::int64_t sum = 0;
        std::uint32_t last_stack = 0; // that it was counted for
    };

    // How much has changed, up or down.
    static std::uint64_t size(const value_pair& value) {
        const auto [from, to] = std::minmax(value.previous, value.current);
        return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    }

    grouping m_by;
    report m_result;
    row_names m_names;
};

} // namespace

const char* to_string(grouping by) noexcept {
    switch (by) {
    case grouping::function:
        return "function";
    case grouping::file:
        return "file";
    case grouping::package:
        return "package";
    case grouping::line:
        return "line";
    }
    return "";
}

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options) {
    const report_profiles profiles{previous, current, options};
    report_maker maker{options.by};
    about_input(error_input::previous,
                [&] { maker.count(profiles.before, profiles.type, &value_pair::previous); });
    about_input(error_input::current,
                [&] { maker.count(profiles.now, profiles.type, &value_pair::current); });
    return maker.finish(profiles.now.types.sample_types, profiles.type);
}

} // namespace pprofdelta
