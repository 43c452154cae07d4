// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/wrapping.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/location_rows.hpp"
#include "report/profiles.hpp"
#include "report/row_order.hpp"
#include "report/stack_filter.hpp"

namespace pprofdelta {

namespace {

class report_maker {
public:
    explicit report_maker(const report_options& options) : m_options{options} {}

    void count(const profile_index& index, std::size_t type, side_of_pair which) {
        const location_rows rows{index, m_options.by, m_names};
        const stack_filter filter{index, m_options};
        std::int64_t shown = 0;
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
            if (value == 0 || !filter.has(reader)) {
                continue; // most samples of a heap profile have nothing in use
            }
            shown = wrapping_add(shown, value);
            if (reader.locations().empty()) {
                continue;
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
        m_result.shown.*which = shown;
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
            return change_size(row.flat) == 0 && change_size(row.cumulative) == 0;
        });
        sort_rows(m_result.rows, m_options.order);
        return std::move(m_result);
    }

private:
    // What the stacks of one profile with a frame in a row sum up to.
    struct counter {
        std::int64_t sum = 0;
        std::uint32_t last_stack = 0; // that it was counted for
    };

    const report_options& m_options;
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

const char* to_string(row_order order) noexcept {
    switch (order) {
    case row_order::flat:
        return "flat";
    case row_order::cumulative:
        return "cum";
    case row_order::percent:
        return "percent";
    }
    return "";
}

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options) {
    const report_profiles profiles{previous, current, options};
    report_maker maker{options};
    maker.count(profiles.before, profiles.type, &value_pair::previous);
    maker.count(profiles.now, profiles.type, &value_pair::current);
    return maker.finish(profiles.now.types.sample_types, profiles.type);
}

} // namespace pprofdelta
