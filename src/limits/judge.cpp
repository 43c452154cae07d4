// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/limits.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/about_input.hpp"
#include "base/fitting.hpp"
#include "base/wrapping.hpp"
#include "limits/bounds.hpp"
#include "limits/measure.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "select/row_sums.hpp"

namespace pprofdelta {

namespace {

// The profiles that limits are judged by, and what each limit is compared with in them.
class evidence {
public:
    evidence(const std::vector<limit>& limits, const stack_selection& frames,
             std::string_view previous, std::string_view current)
        : m_frames{frames_of(frames)}, m_has_previous{true} {
        read(limits, error_input::previous, previous, m_before, m_measures_before);
        read(limits, error_input::current, current, m_now, m_measures_now);
        require_same(m_before.types, m_now.types);
    }

    evidence(const std::vector<limit>& limits, const stack_selection& frames,
             const computed_delta& of)
        : m_frames{frames_of(frames)}, m_has_previous{of.previous.has_value()},
          m_is_first{of.summary.first}, m_is_restart{of.summary.reset} {
        if (m_has_previous) {
            read(limits, error_input::previous, *of.previous, m_before, m_measures_before);
        }
        read(limits, error_input::current, of.current, m_now, m_measures_now);
        read(limits, error_input::current, of.delta, m_delta, m_measures_delta);
        for (const type_treatment& each : of.types) {
            m_is_subtracted.push_back(each.cumulative);
        }
    }

    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_now.types.sample_types;
    }

    judgement judge_one(const limit& l, std::size_t number, std::size_t type,
                        const std::optional<amount>& least) {
        judgement j;
        j.limit = l.text;
        j.type = types()[type];
        const auto sum = [&](const measures& of) {
            return of.sums.empty() ? 0 : of.sums[number][type];
        };
        const values total =
            known(type, sum(m_measures_before), sum(m_measures_now), sum(m_measures_delta));
        j.previous = total.value.previous;
        j.current = total.value.current;
        j.change = total.change;
        j.has_previous = has_previous(type);
        j.has_change = m_has_previous || (is_subtracted(type) && !m_is_first);
        j.has_match = m_measures_now.has_match[number] ||
                      (!m_measures_before.sums.empty() && m_measures_before.has_match[number]);
        j.unknown = reason_against(l, type);
        j.on = l.on;
        j.most = most_allowed(l, j.type, duration(), j.previous);
        if (j.unknown.empty() && limit::is_each(l.of)) {
            j.functions = crossing_functions(l, type, least);
            j.crossed = !j.functions.empty();
        } else {
            // Also to find out whether the unit fits.
            j.crossed =
                is_crossed(l, j.type, duration(), total.value, total.change) && j.unknown.empty();
        }
        return j;
    }

private:
    struct values {
        value_pair value;
        std::int64_t change = 0;
    };
    // By row, of one sample type.
    struct rows {
        row_sums before;
        row_sums now;
        row_sums delta;
        row_names names;
    };

    // Totals do not need stacks, which take most of the time.
    void read(const std::vector<limit>& limits, error_input input, std::string_view profile,
              profile_index& index, measures& measured) const {
        about_input(input, [&] {
            if (std::all_of(limits.begin(), limits.end(),
                            [](const limit& l) { return l.of == limit::scope::all; })) {
                index.build_types(profile);
            } else {
                index.build(profile, match_mode::exact);
            }
            measured = measure(limits, index, m_frames);
        });
    }

    [[nodiscard]] bool is_subtracted(std::size_t type) const {
        return !m_is_subtracted.empty() && m_is_subtracted[type];
    }
    // For a cumulative type the state alone tells, as far as samples are still there.
    [[nodiscard]] bool has_previous(std::size_t type) const {
        return m_has_previous || (is_subtracted(type) && !m_is_first && !m_is_restart);
    }
    [[nodiscard]] std::int64_t duration() const {
        return m_is_subtracted.empty() ? 0 : m_delta.view.duration_nanos;
    }

    [[nodiscard]] values known(std::size_t type, std::int64_t before, std::int64_t now,
                               std::int64_t delta) const {
        if (!is_subtracted(type)) {
            return {{before, now}, m_has_previous ? wrapping_subtract(now, before) : 0};
        }
        if (!m_has_previous && has_previous(type)) {
            before = fitting_subtract(now, delta);
        }
        return {{before, now}, delta};
    }

    [[nodiscard]] std::string reason_against(const limit& l, std::size_t type) const {
        if (l.on == limit::bound::value) {
            return {};
        }
        if (m_is_first) {
            return "there is nothing before to compare with";
        }
        if (!is_subtracted(type) && !m_has_previous) {
            return "the state has no values of a gauge";
        }
        if (l.on == limit::bound::percent && m_is_restart && is_subtracted(type)) {
            return "the counters started over";
        }
        if (l.on == limit::bound::rate && m_is_subtracted.empty()) {
            return "a rate needs a delta";
        }
        return l.on == limit::bound::rate && duration() <= 0 ? "no duration is known" : "";
    }

    const rows& rows_of(std::size_t type) {
        const auto [entry, is_new] = m_rows.try_emplace(type);
        rows& r = entry->second;
        if (is_new) {
            const stack_rules rules{m_frames};
            const auto sum = [&](const profile_index& of) {
                return sum_rows(of, {&type, 1}, rules, r.names);
            };
            r.now = sum(m_now);
            r.before = m_has_previous ? sum(m_before) : row_sums{};
            r.delta = is_subtracted(type) ? sum(m_delta) : row_sums{};
        }
        return r;
    }

    std::vector<judgement::function> crossing_functions(const limit& l, std::size_t type,
                                                        const std::optional<amount>& least) {
        const rows& r = rows_of(type);
        const auto value = [&](const row_sums& of, std::uint32_t row) -> std::int64_t {
            const auto& column = l.of == limit::scope::each_leaf ? of.flat : of.cum;
            return row < column.size() ? column[row] : 0;
        };
        std::vector<judgement::function> crossing;
        for (std::uint32_t row = 0; row < r.names.size(); ++row) {
            const values of_row =
                known(type, value(r.before, row), value(r.now, row), value(r.delta, row));
            if (is_large(least, types()[type], of_row.value) &&
                is_crossed(l, types()[type], duration(), of_row.value, of_row.change)) {
                crossing.push_back({r.names.name(row), of_row.value, of_row.change});
            }
        }
        const auto size = [&](const judgement::function& f) {
            return l.on == limit::bound::value ? f.value.current : f.change;
        };
        std::sort(crossing.begin(), crossing.end(), [&](const auto& a, const auto& b) {
            return size(a) != size(b) ? size(a) > size(b) : a.name < b.name;
        });
        return crossing;
    }

    stack_selection m_frames; // that stacks are of
    bool m_has_previous;
    bool m_is_first = false;
    bool m_is_restart = false;
    std::vector<bool> m_is_subtracted; // by type; empty unless there is a delta
    profile_index m_before;
    profile_index m_now;
    profile_index m_delta;
    measures m_measures_before;
    measures m_measures_now;
    measures m_measures_delta;
    std::map<std::size_t, rows> m_rows; // by type
};

std::vector<judgement> judge_all(const std::vector<limit>& limits, evidence& by,
                                 const std::optional<amount>& least) {
    std::vector<judgement> all;
    for_each_named_type(limits, by.types(), [&](std::size_t number, std::size_t type) {
        all.push_back(by.judge_one(limits[number], number, type, least));
    });
    return all;
}

} // namespace

std::vector<judgement> judge(const std::vector<limit>& limits, std::string_view previous,
                             std::string_view current, const std::optional<amount>& least,
                             const stack_selection& frames) {
    evidence by{limits, frames, previous, current};
    return about_input(error_input::both, [&] { return judge_all(limits, by, least); });
}

std::vector<judgement> judge(const std::vector<limit>& limits, const computed_delta& delta,
                             const std::optional<amount>& least, const stack_selection& frames) {
    evidence by{limits, frames, delta};
    return about_input(error_input::both, [&] { return judge_all(limits, by, least); });
}

std::vector<std::int64_t> totals(std::string_view profile) {
    profile_index index;
    index.build_types(profile);
    return totals(index);
}

} // namespace pprofdelta
