// SPDX-License-Identifier: Apache-2.0
#include "views/lifetimes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/distributions.hpp"

namespace pprofdelta {

namespace {

std::vector<heap_pair> pairs_of(const std::vector<value_type>& types) {
    constexpr std::string_view prefix = "alloc_";
    std::vector<heap_pair> all;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].type.starts_with(prefix)) {
            const value_type wanted{"inuse_" + types[i].type.substr(prefix.size()), types[i].unit};
            const auto found = std::ranges::find(types, wanted);
            if (found != types.end()) {
                all.push_back({i, static_cast<std::size_t>(found - types.begin())});
            }
        }
    }
    return all;
}

heap_pair choose_pair(const std::vector<value_type>& types, const std::vector<heap_pair>& pairs,
                      const std::optional<value_type_pattern>& asked) {
    if (asked) {
        const std::size_t type = find_type(*asked, types);
        for (const heap_pair& each : pairs) {
            if (each.allocated == type || each.in_use == type) {
                return each;
            }
        }
    } else if (!pairs.empty()) {
        const auto in_bytes =
            std::find_if(pairs.rbegin(), pairs.rend(), [&](const heap_pair& each) {
                return types[each.allocated].unit == "bytes";
            });
        return in_bytes != pairs.rend() ? *in_bytes : pairs.back();
    }
    throw error{error_kind::incompatible,
                "lifetimes need a pair of sample types alloc_X and inuse_X of the same unit"};
}

// The amount that was there at some time of the interval.
double was_there(const lifetimes::amount& value) {
    return static_cast<double>(value.allocated) + static_cast<double>(value.in_use.previous);
}

// The ratio of the means of two numbers of events of Poisson processes, with 95 % confidence: given
// their sum, the one is binomial. (C. Clopper, E. Pearson, Biometrika 26, 1934.)
interval ratio_of_events(double a, double b) {
    constexpr double tail = 0.025;
    // The last digits differ from one release of Boost.Math to the next, and a float has none of
    // them.
    const auto ratio = [](double share) { return double{static_cast<float>(share / (1 - share))}; };
    return {a > 0 ? ratio(beta_quantile(a, b + 1, tail)) : 0,
            b > 0 ? ratio(beta_quantile(a + 1, b, 1 - tail))
                  : std::numeric_limits<double>::infinity()};
}

// A number this large leaves no visible doubt, and far more is beyond ratio_of_events().
constexpr double most_events = 1e9;

void require_interval(viewed_profiles::impl& views) {
    const auto fail = [](const char* why) {
        throw error{error_kind::incompatible, std::string{"no lifetimes: "} + why};
    };
    const computed_delta* const delta = views.delta();
    if (delta == nullptr || !views.has_previous()) {
        fail("they need two profiles, and what was counted in between");
    } else if (delta->summary.reset) {
        fail("the counters started over in between");
    } else if (delta->summary.previous_period != 0) {
        fail("the sampling period changed in between");
    } else if (delta->summary.duration_nanos <= 0) {
        fail("the length of the interval is unknown");
    }
}

} // namespace

double sampled_allocations(double count, double bytes, double rate) {
    if (count <= 0 || bytes <= 0) {
        return 0;
    }
    return std::min(most_events, rate <= 1 ? count : count * -std::expm1(-bytes / count / rate));
}

lifetimes::amount make_amount(std::int64_t allocated, double freed, const value_pair& in_use,
                              double mean_in_use) {
    return {allocated, std::max(std::int64_t{0}, to_nearest(freed)), in_use, mean_in_use};
}

void put_in_order(std::vector<lifetimes::row>& rows) {
    std::erase_if(rows, [](const lifetimes::row& row) { return was_there(row.value) == 0; });
    std::ranges::sort(rows, [](const lifetimes::row& a, const lifetimes::row& b) {
        return std::tuple{was_there(b.value), std::string_view{a.name}} <
               std::tuple{was_there(a.value), std::string_view{b.name}};
    });
}

lifetime_maker::lifetime_maker(const profile_types& types, std::int64_t period,
                               const std::optional<value_type_pattern>& asked) {
    const std::vector<heap_pair> known = pairs_of(types.sample_types);
    m_types.push_back(choose_pair(types.sample_types, known, asked));
    const auto of_unit = [&](std::string_view unit) {
        return std::ranges::find_if(known, [&](const heap_pair& each) {
            return types.sample_types[each.allocated].unit == unit;
        });
    };
    const auto objects = of_unit("count");
    const auto bytes = of_unit("bytes");
    if (types.period_type.unit == "bytes" && period > 0 && objects != known.end() &&
        bytes != known.end()) {
        m_rate = static_cast<double>(period);
        m_types.insert(m_types.end(), {*objects, *bytes});
        m_variance_unit = m_types.front().allocated == bytes->allocated ? m_rate.value() : 1;
    }
}

std::int64_t lifetime_maker::variance(std::span<const std::int64_t> values) const {
    if (!m_rate) {
        return 0;
    }
    const auto value = static_cast<double>(values[0]);
    const double sampled = sampled_allocations(static_cast<double>(values[1]),
                                               static_cast<double>(values[2]), *m_rate);
    return sampled > 0 ? to_nearest(value * value / sampled / m_variance_unit) : 0;
}

lifetime_maker::events
lifetime_maker::events_of(const std::vector<lifetimes::amount>& amounts) const {
    if (!m_rate) {
        return {};
    }
    const lifetimes::amount& objects = amounts[1];
    const lifetimes::amount& bytes = amounts[2];
    return {sampled_allocations(objects.mean_in_use, bytes.mean_in_use, *m_rate),
            sampled_allocations(static_cast<double>(objects.freed),
                                static_cast<double>(bytes.freed), *m_rate)};
}

lifetimes::row lifetime_maker::row(std::string name, const lifetimes::amount& amount,
                                   const events& sampled, double seconds) const {
    lifetimes::row row{.name = std::move(name), .value = amount};
    const double in_use = row.value.mean_in_use;
    const auto freed = static_cast<double>(row.value.freed);
    if (freed > 0) {
        row.seconds = in_use / freed * seconds;
    }
    if (sampled.in_use > 0 || sampled.freed > 0) {
        // The factor by which one of those in use stands for more than a freed one.
        const double weight = sampled.in_use > 0 && sampled.freed > 0 && in_use > 0 && freed > 0
                                  ? (in_use / sampled.in_use) / (freed / sampled.freed)
                                  : 1;
        const interval ratio = ratio_of_events(sampled.in_use, sampled.freed);
        // Enough that was not freed lives longer than it was observed, and no more is known.
        if (freed > 0 || ratio.low < 1) {
            // Little's law is about what neither grows nor shrinks. Where most is still there, it
            // may be no older than what was observed.
            const bool grows = freed * 2 < static_cast<double>(row.value.allocated);
            const double low = ratio.low * weight * seconds;
            row.within =
                interval{grows ? std::min(low, seconds) : low, ratio.high * weight * seconds};
        }
    }
    return row;
}

lifetimes make_lifetimes(const viewed_profiles& profiles, const report_options& options) {
    viewed_profiles::impl& in = viewed_profiles::impl::of(profiles);
    require_interval(in);
    const profile_index& now = in.current().whole();
    const lifetime_maker maker{now.types, now.view.period, options.sample_type};
    const std::size_t width = maker.types().size();
    const delta_summary& summary = in.delta()->summary;
    lifetimes made{.type = now.types.sample_types[maker.types().front().allocated],
                   .duration_nanos = summary.duration_nanos,
                   .time_nanos = summary.time_nanos};
    const stack_rules rules{options};
    row_names names;
    const auto sums_of = [&](lazy_index& profile, std::size_t heap_pair::*which) {
        std::vector<std::size_t> types;
        for (const heap_pair& each : maker.types()) {
            types.push_back(each.*which);
        }
        return sum_rows(
            profile.whole(), types, rules, names,
            [&](std::span<const std::int64_t> values) { return maker.variance(values); });
    };
    const row_sums allocated = sums_of(in.main(), &heap_pair::allocated);
    row_sums before;
    row_sums after;
    about_input(error_input::previous,
                [&] { before = sums_of(in.previous(), &heap_pair::in_use); });
    about_input(error_input::current, [&] { after = sums_of(in.current(), &heap_pair::in_use); });
    // @param sums selects the sums, which have all types for each row.
    const auto row_of = [&](std::string name, std::vector<std::int64_t> row_sums::*sums,
                            std::size_t row) {
        const auto value = [&](const row_sums& from, std::size_t type) {
            const std::size_t i = row * (width + 1) + type;
            return i < (from.*sums).size() ? (from.*sums)[i] : 0; // a name that came later
        };
        const value_pair in_use{value(before, 0), value(after, 0)};
        const auto start = static_cast<double>(in_use.previous);
        const auto end = static_cast<double>(in_use.current);
        const auto grown = static_cast<double>(value(allocated, 0));
        const lifetimes::amount amount =
            make_amount(value(allocated, 0), grown + start - end, in_use, (start + end) / 2);
        // Where sizes differ, few events can stand for most of a number: it is as uncertain as that
        // of so many events that all stand for as much. What was freed is a part of what was there.
        const auto variance = [&](const row_sums& from) {
            return static_cast<double>(value(from, width)) * maker.variance_unit();
        };
        const double of_in_use = (variance(before) + variance(after)) / 2;
        const double of_all = variance(before) + variance(allocated);
        const double mean = amount.mean_in_use;
        const lifetime_maker::events sampled{
            of_in_use > 0 ? std::min(most_events, mean * mean / of_in_use) : 0,
            of_all > 0 ? std::min(most_events,
                                  static_cast<double>(amount.freed) * (start + grown) / of_all)
                       : 0};
        return maker.row(std::move(name), amount, sampled,
                         static_cast<double>(made.duration_nanos) / 1e9);
    };
    made.total = row_of("", &row_sums::shown, 0);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        made.rows.push_back(row_of(
            names.name(i), options.order == row_order::flat ? &row_sums::flat : &row_sums::cum, i));
    }
    put_in_order(made.rows);
    return made;
}

} // namespace pprofdelta
