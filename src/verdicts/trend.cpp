// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/trend.hpp>

#include "base/numbers.hpp"
#include "captures/capture_series.hpp"
#include "captures/captures.hpp"
#include "profile/index.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "verdicts/family_test.hpp"
#include "verdicts/judging.hpp"
#include "verdicts/trend_family_test.hpp"
#include "views/lifetimes.hpp"
#include "views/limits.hpp"
#include "views/stack_tree.hpp"

namespace pprofdelta {

namespace {

constexpr double nanos_per_second = 1e9;

void check(const trend_options& options, const std::vector<limit>& limits) {
    check_test(options);
    if (options.seconds_between && !(*options.seconds_between > 0)) {
        refuse("the interval between captures must be more than 0");
    }
    for (const limit& l : limits) {
        if (limit::is_of_value(l.on)) {
            refuse(about_limit(l) + "a limit on a trend needs a '+', as in inuse_space>+1MiB/h");
        }
    }
}

// Real growth is what is looked for.
bool grows_more(const trend_row& a, const trend_row& b) {
    if ((a.verdict == trend_verdict::grows) != (b.verdict == trend_verdict::grows)) {
        return a.verdict == trend_verdict::grows;
    }
    return a.slope.value > b.slope.value;
}

} // namespace

class profile_trend::impl {
public:
    impl(const trend_options& options, std::vector<limit> limits)
        : m_options{options}, m_captures{options, std::move(limits)}, m_filter{options} {}

    void add(const profile_index& index, std::string name) {
        m_in_time.clear();
        m_types.clear();
        m_captures.add(index, std::move(name));
    }

    [[nodiscard]] const capture_series& captures() const noexcept { return m_captures; }
    [[nodiscard]] const std::vector<value_type>& types() const noexcept {
        return m_captures.reader().types();
    }

    const trend_rows& rows(std::size_t type) {
        std::optional<trend_rows>& all = of(type).rows;
        if (!all) {
            all = test_rows(type);
        }
        return *all;
    }

    /// @throws error invalid_argument without captures.
    const std::vector<trend_capture>& in_time() {
        require_captures();
        if (m_in_time.empty()) {
            m_in_time = captures().in_time();
        }
        return m_in_time;
    }

    void require_captures() const {
        if (captures().count() == 0) {
            refuse("a trend needs captures");
        }
    }

    [[nodiscard]] bool is_rate(std::size_t type) const {
        require_captures();
        captures().reader().require_type(type);
        return captures().is_rate(type);
    }

    const std::vector<std::size_t>& places(std::size_t type) { return of(type).values.places; }

    std::vector<trend_limit> judge() {
        require_captures();
        const std::vector<limit>& limits = captures().reader().limits();
        for_each_named_type(limits, types(), [&](std::size_t number, std::size_t type) {
            const limit& l = limits[number];
            if (captures().is_rate(type) && l.on != limit::bound::percent) {
                throw error{error_kind::incompatible,
                            about_limit(l) + "the values of " + to_string(types()[type]) +
                                " are rates, so their growth needs a limit in percent"};
            }
        });
        std::vector<trend_limit> all = judge_limits<trend_limit>(captures(), *this);
        for (trend_limit& each : all) {
            for (trend_row& row : each.functions) {
                row.verdict = row.course;
            }
        }
        return all;
    }

    // The members that judge_limits() asks for.

    // Those of a type, on totals and on named functions, are what was asked for, so they are tested
    // together.
    void test_limits(const std::vector<limit_place>& places, std::vector<trend_limit>& all) {
        std::map<std::size_t, std::vector<trend_limit*>> by_type;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            all[i].row = row_of(type, is_of_some(captures().reader().limits()[number])
                                          ? sample_group{sample_group::kind::limit, number}
                                          : sample_group{});
            by_type[type].push_back(&all[i]);
        }
        for (const auto& [type, found] : by_type) {
            std::vector<trend_row*> together;
            std::ranges::transform(found, std::back_inserter(together),
                                   [](trend_limit* each) { return &each->row; });
            const std::size_t hypotheses = of(type).test.run(together);
            for (trend_limit* const each : found) {
                each->too_few = of(type).test.too_few(hypotheses);
                each->has_other_periods = of(type).has_other_periods;
                if (each->row.corrected_p <= m_options.alpha) {
                    each->row.verdict = each->row.course; // a limit says itself what is too little
                }
                if (each->of == limit::scope::all && is_in_doubt(each->row)) {
                    follow_rows(each->row, rows(type), &trend_row::course);
                }
            }
        }
    }

    bool is_beyond(const limit& l, std::size_t type, const trend_row& row) {
        return of(type).test.is_beyond(l, types()[type], row);
    }

    const std::vector<trend_row>& rows_of_each(std::size_t type, trend_limit& found) {
        const trend_rows& all = rows(type);
        found.too_few = of(type).test.too_few(all.hypotheses);
        return found.of == limit::scope::each_leaf ? all.flat : all.cum;
    }

    std::optional<too_few_captures> too_few(std::size_t type, std::size_t hypotheses) {
        return of(type).test.too_few(hypotheses);
    }

    trend_causes causes(std::size_t type, std::size_t most) {
        constexpr double least_part = 0.05; // of the total's change
        const trend_row& total = rows(type).total;
        const double least_row = m_filter.least_size(types()[type], total);
        const capture_reader& reader = captures().reader();
        const trend_sums sums{captures(), of(type).values, type};
        stack_tree<trend_row> tree = make_stack_tree(reader.stacks(), reader.names(),
                                                     reader.no_stack(), {.width = least_row}, sums);
        std::vector<trend_row> own = own_rows(tree, sums);
        std::vector<trend_row*> tested = tree.rows();
        append_pointers(tested, own);
        std::erase_if(tested, [&](const trend_row* row) {
            return !(size_of(*row) > 0 && size_of(*row) >= least_row);
        });
        of(type).test.run(tested);
        trend_causes made{.total = change_of(total, total)};
        const double hours = of(type).test.hours();
        const double least = made.total != 0 ? least_part * std::fabs(made.total)
                             : total.verdict == trend_verdict::steps || hours == 0
                                 ? least_row
                                 : least_row / hours;
        if (least == 0) {
            return made;
        }
        const auto change = [&](const trend_row& row) {
            const std::span<const double> all{row.values};
            return change_tree::change{
                row.values.empty() ? 0 : median(all.first((all.size() + 1) / 2)),
                row.values.empty() ? 0 : median(all.subspan(all.size() / 2)),
                row.corrected_p <= m_options.alpha ? change_of(row, total) : 0};
        };
        cause_search<trend_row> search{tree, own, reader.names(), change};
        const auto functions = [&]() -> const auto& { return rows(type).flat; };
        const auto joined = [](const trend_row& /*gone*/, const trend_row& now) { return now; };
        for (change_cause<trend_row>& each :
             search.find(change(total), least, most, functions, joined)) {
            made.causes.push_back({each.of,
                                   std::move(each.frames),
                                   std::move(each.previous_name),
                                   each.depth,
                                   {change_of(each.value, total), each.value}});
        }
        return made;
    }

    pprofdelta::lifetimes lifetimes(const std::optional<value_type_pattern>& type,
                                    row_order order) {
        require_captures();
        const lifetime_maker maker{captures().reader().all_types(), captures().period(), type};
        const std::size_t allocated = maker.types().front().allocated;
        if (std::ranges::any_of(in_time(), &trend_capture::has_other_period)) {
            throw error{error_kind::incompatible,
                        "no lifetimes: the sampling period changed in between"};
        }
        double seconds = 0;
        if (std::ranges::all_of(maker.types(), [this](const heap_pair& each) {
                return captures().is_rate(each.allocated);
            })) {
            for_each_interval(allocated, [&](std::size_t /*i*/, std::size_t /*before*/,
                                             const auto& now) { seconds += now.seconds; });
        }
        if (!(seconds > 0)) {
            throw error{error_kind::incompatible,
                        "no lifetimes: they need two captures of one process, and what was counted "
                        "in between"};
        }
        const auto row_of = [&](std::string name, const sample_group& samples) {
            std::vector<lifetimes::amount> all;
            for (const heap_pair& each : maker.types()) {
                all.push_back(amount_of(each, samples, seconds));
            }
            return maker.row(std::move(name), all.front(), maker.events_of(all), seconds);
        };
        pprofdelta::lifetimes made{.type = types()[allocated],
                                   .duration_nanos = to_nearest(seconds * nanos_per_second),
                                   .time_nanos = in_time().back().time_nanos,
                                   .total = row_of("", {})};
        const row_names& names = captures().reader().names();
        const sample_group::kind of =
            order == row_order::flat ? sample_group::kind::flat : sample_group::kind::cum;
        for (std::uint32_t i = 0; i < names.size(); ++i) {
            if (m_filter.has(names.name(i))) {
                made.rows.push_back(row_of(names.name(i), {of, i}));
            }
        }
        put_in_order(made.rows);
        return made;
    }

private:
    // The slope, or for a total that steps, the change of a row at that step. What jumped once is
    // no part of what grows.
    static double change_of(const trend_row& row, const trend_row& total) {
        if (total.verdict == trend_verdict::steps) {
            const std::span<const double> all{row.values};
            return &row == &total ? total.after - total.before
                   : all.size() <= total.step
                       ? 0
                       : median(all.subspan(total.step)) - median(all.first(total.step));
        }
        return row.verdict == trend_verdict::steps || row.verdict == trend_verdict::level
                   ? 0
                   : row.slope.value;
    }

    // Calls `visit` with each value of a rate and the capture before it, of one run.
    template <typename Visit>
    void for_each_interval(std::size_t type, Visit&& visit) {
        const capture_series::measured_values& measured = of(type).values;
        for (std::size_t i = 0; i < measured.places.size(); ++i) {
            if (measured.places[i] != 0) { // a delta has what was before, which nobody knows
                visit(i, in_time()[measured.places[i] - 1].added, measured.values[i]);
            }
        }
    }

    lifetimes::amount amount_of(const heap_pair& types, const sample_group& samples,
                                double seconds) {
        const std::vector<double> in_use = captures().captures().values(types.in_use, samples);
        const std::vector<double> rates = row_of(types.allocated, samples).values;
        double allocated = 0;
        double grown = 0;
        double mean = 0;
        for_each_interval(types.allocated, [&](std::size_t i, std::size_t before, const auto& now) {
            allocated += std::round(rates[i] * now.seconds);
            grown += in_use[now.now] - in_use[before];
            mean += (in_use[before] + in_use[now.now]) / 2 * (now.seconds / seconds);
        });
        return make_amount(to_nearest(allocated), allocated - grown,
                           {to_nearest(in_use[in_time().front().added]),
                            to_nearest(in_use[in_time().back().added])},
                           mean);
    }

    // The parts that are the same for all rows of a type.
    struct type_test {
        type_test(const capture_series& captures, const std::vector<trend_capture>& in_time,
                  std::size_t type, const trend_options& options)
            : values{captures, in_time, type},
              has_other_periods{!captures.is_rate(type) &&
                                std::ranges::any_of(in_time, &trend_capture::has_other_period)},
              test{options, values.hours, values.runs, captures.period() > 1, !has_other_periods} {}

        capture_series::measured_values values;
        bool has_other_periods; // as in trend_limit
        trend_family_test test;
        std::optional<trend_rows> rows{};
    };

    type_test& of(std::size_t type) {
        auto found = m_types.find(type);
        if (found == m_types.end()) {
            require_captures();
            captures().reader().require_type(type);
            found = m_types.try_emplace(type, captures(), in_time(), type, m_options).first;
        }
        return found->second;
    }

    trend_row row_of(std::size_t type, const sample_group& samples) {
        trend_row made;
        made.values = of(type).values.of(captures().captures().values(type, samples));
        return made;
    }

    trend_rows test_rows(std::size_t type) {
        trend_rows result;
        result.total = row_of(type, {});
        std::vector<trend_row*> together = choose_rows(
            captures().reader().names(), m_filter, m_filter.least_size(types()[type], result.total),
            [&](const sample_group& samples) { return row_of(type, samples); }, result.flat,
            result.cum, result.left_out);
        result.folded_functions = captures().reader().names().folded();
        together.push_back(&result.total);
        result.hypotheses = of(type).test.run(together);
        follow_rows(result.total, result, &trend_row::verdict);
        for (trend_row* const row : together) {
            if (result.total.slope.value != 0) {
                row->share = row->slope.value / result.total.slope.value;
            }
        }
        std::ranges::sort(result.flat, {}, &trend_row::name);
        put_in_call_order(result.cum);
        std::ranges::stable_sort(result.flat, grows_more);
        std::ranges::stable_sort(result.cum, grows_more);
        return result;
    }

    // The outer ones first, and else by name.
    void put_in_call_order(std::vector<trend_row>& rows) const {
        const std::vector<std::uint32_t> depths = captures().depths_of_rows();
        std::map<std::string_view, std::uint32_t> by_name;
        for (std::uint32_t row = 0; row < depths.size(); ++row) {
            by_name[captures().reader().names().name(row)] = depths[row];
        }
        std::ranges::sort(rows, {}, [&](const trend_row& row) {
            return std::pair{by_name[row.name], std::string_view{row.name}};
        });
    }

    // Whether a total really changed, upwards, and does not show that it goes on.
    [[nodiscard]] bool is_in_doubt(const trend_row& total) const {
        return !m_options.are_independent && total.s > 0 && total.corrected_p <= m_options.alpha &&
               (total.verdict == trend_verdict::steps ||
                total.verdict == trend_verdict::levels_off ||
                total.verdict == trend_verdict::unsure);
    }

    // All other rows are noise in a total, and what fills up hides what goes on. Hence it grows as
    // well if a row does: a flat one, or else one that grows in several places.
    // @param shape tells whether a row does.
    void follow_rows(trend_row& total, const trend_rows& all,
                     trend_verdict trend_row::*shape) const {
        if (!is_in_doubt(total)) {
            return;
        }
        for (const std::vector<trend_row>* const rows : {&all.flat, &all.cum}) {
            if (total.through) {
                break;
            }
            for (const trend_row& row : *rows) {
                if (row.*shape == trend_verdict::grows &&
                    (!total.through || row.growth > total.through->in_all)) {
                    total.verdict = total.course = trend_verdict::grows;
                    total.through = {row.name, row.slope.value, row.growth};
                }
            }
        }
    }

    trend_options m_options;
    capture_series m_captures;
    row_filter m_filter;
    // These are kept until another capture is added.
    std::vector<trend_capture> m_in_time;
    std::map<std::size_t, type_test> m_types;
};

const char* to_string(trend_verdict found) noexcept {
    constexpr std::array names{"grows",      "falls",  "level",  "steps",
                               "levels off", "unsure", "too few"};
    return names[static_cast<std::size_t>(found)];
}

profile_trend::profile_trend(const trend_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_trend::~profile_trend() = default;

void profile_trend::add(const viewed_profiles& capture, std::string name) {
    m_impl->add(viewed_profiles::impl::of(capture).main().whole_as(m_impl->types()),
                std::move(name));
}

const std::vector<value_type>& profile_trend::types() const noexcept { return m_impl->types(); }

bool profile_trend::is_rate(std::size_t type) const { return m_impl->is_rate(type); }

std::vector<std::string> profile_trend::programs() const {
    return m_impl->captures().captures().programs();
}

bool profile_trend::has_negative_use() const {
    return std::ranges::any_of(m_impl->captures().captures().all(), &capture::has_negative_use);
}

std::size_t profile_trend::find_type(const std::optional<value_type_pattern>& pattern) const {
    return m_impl->captures().reader().find_type(pattern);
}

const std::vector<trend_capture>& profile_trend::captures() const { return m_impl->in_time(); }

std::vector<std::size_t> profile_trend::places(std::size_t type) const {
    return m_impl->places(type);
}

pprofdelta::lifetimes profile_trend::lifetimes(const std::optional<value_type_pattern>& type,
                                               row_order order) const {
    return m_impl->lifetimes(type, order);
}

trend_rows profile_trend::rows(std::size_t type) const { return m_impl->rows(type); }

trend_causes profile_trend::causes(std::size_t type, std::size_t most) const {
    return m_impl->causes(type, most);
}

std::vector<trend_limit> profile_trend::judge() const { return m_impl->judge(); }

std::optional<too_few_captures> profile_trend::too_few(std::size_t type,
                                                       std::size_t hypotheses) const {
    return m_impl->too_few(type, hypotheses);
}

} // namespace pprofdelta
