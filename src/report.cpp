// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <pprofdelta/error.hpp>

#include "frame_index.hpp"
#include "frame_name.hpp"
#include "profile_index.hpp"
#include "stack_reader.hpp"
#include "wrapping.hpp"

namespace pprofdelta {

namespace {

std::size_t choose_type(const profile_index& index, const report_options& options) {
    const std::vector<value_type>& types = index.types.sample_types;
    if (types.empty()) {
        throw error{error_kind::incompatible, "there is no sample type to report on"};
    }
    if (!options.sort) {
        const auto number = index.view.default_sample_type;
        const std::string_view name = number < index.strings.size()
                                          ? index.strings.text(static_cast<std::uint32_t>(number))
                                          : std::string_view{};
        const auto found = std::find_if(types.begin(), types.end(), [&](const value_type& type) {
            return !name.empty() && type.type == name;
        });
        return found == types.end() ? types.size() - 1
                                    : static_cast<std::size_t>(found - types.begin());
    }
    const auto matches = [&](const value_type& type) { return options.sort->matches(type); };
    const auto found = std::find_if(types.begin(), types.end(), matches);
    if (found == types.end()) {
        fail_no_match(*options.sort, types);
    }
    if (std::any_of(found + 1, types.end(), matches)) {
        throw error{error_kind::incompatible, "several sample types are " + options.sort->text() +
                                                  "; name one of: " + to_string(types)};
    }
    return static_cast<std::size_t>(found - types.begin());
}

using side = std::int64_t value_pair::*;

class report_maker {
public:
    explicit report_maker(grouping by) : m_by{by} {}

    void count(const profile_index& index, std::size_t type, side which) {
        const location_rows rows{index, *this};
        std::vector<std::int64_t> sums(index.types.sample_types.size());
        std::vector<std::int64_t> flat(m_result.rows.size());
        std::vector<counter> cumulative(m_result.rows.size());
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
            const std::uint32_t leaf = rows.innermost(reader.locations().front());
            flat[leaf] = wrapping_add(flat[leaf], value);
            ++stack;
            for (const std::uint32_t place : reader.locations()) {
                rows.for_each(place, [&](std::uint32_t row) {
                    counter& c = cumulative[row];
                    const std::int64_t more = c.last_stack == stack ? 0 : value;
                    c.last_stack = stack;
                    c.sum = wrapping_add(c.sum, more);
                });
            }
        }
        m_result.totals.resize(sums.size());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            m_result.totals[i].value.*which = sums[i];
        }
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

    // The rows of each location. Most have one frame, so that a stack takes one look for each.
    class location_rows {
    public:
        location_rows(const profile_index& index, report_maker& maker) : m_frames{index} {
            for (const auto& frame : m_frames.frames()) {
                m_rows.push_back(maker.row_number(frame_name(frame, index, maker.m_by)));
            }
            for (std::uint32_t place = 0; place < index.locations.size(); ++place) {
                const bool has_one = m_frames.begin(place) + 1 == m_frames.begin(place + 1);
                m_only.push_back(has_one ? m_rows[m_frames.begin(place)] : several);
            }
        }
        [[nodiscard]] std::uint32_t innermost(std::uint32_t place) const {
            return m_rows[m_frames.begin(place)];
        }
        template <typename Visit>
        void for_each(std::uint32_t place, Visit&& visit) const {
            if (m_only[place] != several) {
                visit(m_only[place]);
                return;
            }
            for (std::uint32_t i = m_frames.begin(place); i != m_frames.begin(place + 1); ++i) {
                visit(m_rows[i]);
            }
        }

    private:
        static constexpr std::uint32_t several = 0xffffffff;

        frame_index m_frames;
        std::vector<std::uint32_t> m_rows; // by frame
        std::vector<std::uint32_t> m_only; // by place of a location
    };

    // How much has changed, up or down.
    static std::uint64_t size(const value_pair& value) {
        const auto [from, to] = std::minmax(value.previous, value.current);
        return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    }

    std::uint32_t row_number(std::string name) {
        const auto [place, is_new] =
            m_numbers.try_emplace(std::move(name), static_cast<std::uint32_t>(m_numbers.size()));
        if (is_new) {
            m_result.rows.push_back({place->first, {}, {}});
        }
        return place->second;
    }

    grouping m_by;
    report m_result;
    std::unordered_map<std::string, std::uint32_t> m_numbers;
};

} // namespace

report make_report(std::string_view previous, std::string_view current,
                   const report_options& options) {
    // The second one says which type to report on.
    profile_index now;
    now.build(current, match_mode::exact);
    profile_index before;
    before.build(previous, match_mode::exact);
    require_same(before.types, now.types);
    const std::size_t type = choose_type(now, options);
    report_maker maker{options.by};
    maker.count(before, type, &value_pair::previous);
    maker.count(now, type, &value_pair::current);
    return maker.finish(now.types.sample_types, type);
}

} // namespace pprofdelta
