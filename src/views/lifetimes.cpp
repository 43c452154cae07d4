// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/lifetimes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/math/special_functions/beta.hpp>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "base/about_input.hpp"
#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"

namespace pprofdelta {

namespace {

// The places of two sample types of the same thing.
struct type_pair {
    std::size_t allocated;
    std::size_t in_use;
};

std::vector<type_pair> pairs_of(const std::vector<value_type>& types) {
    constexpr std::string_view prefix = "alloc_";
    std::vector<type_pair> all;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].type.starts_with(prefix)) {
            const value_type wanted{"inuse_" + types[i].type.substr(prefix.size()), types[i].unit};
            const auto found = std::find(types.begin(), types.end(), wanted);
            if (found != types.end()) {
                all.push_back({i, static_cast<std::size_t>(found - types.begin())});
            }
        }
    }
    return all;
}

type_pair choose_pair(const std::vector<value_type>& types, const std::vector<type_pair>& pairs,
                      const report_options& options) {
    if (options.sample_type) {
        const std::size_t type = find_type(*options.sample_type, types);
        for (const type_pair& each : pairs) {
            if (each.allocated == type || each.in_use == type) {
                return each;
            }
        }
    } else if (!pairs.empty()) {
        const auto in_bytes =
            std::find_if(pairs.rbegin(), pairs.rend(), [&](const type_pair& each) {
                return types[each.allocated].unit == "bytes";
            });
        return in_bytes != pairs.rend() ? *in_bytes : pairs.back();
    }
    throw error{error_kind::incompatible,
                "lifetimes need a pair of sample types alloc_X and inuse_X of the same unit"};
}

// The sums of some pairs of types, by row.
class amounts {
public:
    amounts(viewed_profiles::impl& of, const std::vector<type_pair>& pairs,
            const report_options& options)
        : m_pairs{pairs.size()}, m_is_flat{options.order == row_order::flat} {
        std::vector<std::size_t> allocated;
        std::vector<std::size_t> in_use;
        for (const type_pair& each : pairs) {
            allocated.push_back(each.allocated);
            in_use.push_back(each.in_use);
        }
        const stack_rules rules{options};
        m_allocated = sum_rows(of.main().whole(), allocated, rules, m_names);
        about_input(error_input::previous,
                    [&] { m_before = sum_rows(of.previous().whole(), in_use, rules, m_names); });
        about_input(error_input::current,
                    [&] { m_now = sum_rows(of.current().whole(), in_use, rules, m_names); });
    }

    [[nodiscard]] const row_names& names() const { return m_names; }
    [[nodiscard]] lifetimes::amount total(std::size_t pair) const {
        return {m_allocated.shown[pair], {m_before.shown[pair], m_now.shown[pair]}};
    }
    [[nodiscard]] lifetimes::amount of_row(std::size_t row, std::size_t pair) const {
        const auto value = [&](const row_sums& of) {
            const std::vector<std::int64_t>& all = m_is_flat ? of.flat : of.cum;
            const std::size_t i = row * m_pairs + pair;
            return i < all.size() ? all[i] : 0; // a name that came later
        };
        return {value(m_allocated), {value(m_before), value(m_now)}};
    }

private:
    std::size_t m_pairs;
    bool m_is_flat;
    row_names m_names;
    row_sums m_allocated;
    row_sums m_before;
    row_sums m_now;
};

// What was there at some time of the interval.
double was_there(const lifetimes::amount& value) {
    return static_cast<double>(value.allocated) + static_cast<double>(value.in_use.previous);
}

double mean_in_use(const lifetimes::amount& value) {
    return (static_cast<double>(value.in_use.previous) +
            static_cast<double>(value.in_use.current)) /
           2;
}

// How many allocations were sampled, by the rule of scale_heap_sample(). A thousand million of them
// leave nothing unsure that anybody sees, and far more are beyond ratio_of_events().
double sampled(double count, double bytes, double rate) {
    constexpr double most = 1e9;
    if (count <= 0 || bytes <= 0) {
        return 0;
    }
    return std::min(most, rate <= 1 ? count : count * -std::expm1(-bytes / count / rate));
}

// The ratio of the means of two numbers of events of Poisson processes, with 95 % confidence: given
// their sum, the one is binomial. (C. Clopper, E. Pearson, Biometrika 26, 1934.)
interval ratio_of_events(double a, double b) {
    constexpr double tail = 0.025;
    const auto ratio = [](double share) { return share / (1 - share); };
    return {a > 0 ? ratio(boost::math::ibeta_inv(a, b + 1, tail)) : 0,
            b > 0 ? ratio(boost::math::ibeta_inv(a + 1, b, 1 - tail))
                  : std::numeric_limits<double>::infinity()};
}

// The same of a row in several types.
struct row_amounts {
    lifetimes::amount value;
    // What tells how many allocations were sampled.
    lifetimes::amount objects{};
    lifetimes::amount bytes{};
};

// @param rate in bytes; empty if nobody knows how many allocations were sampled.
lifetimes::row make_row(std::string name, const row_amounts& of, std::optional<double> rate,
                        double duration) {
    lifetimes::row row{.name = std::move(name), .value = of.value};
    const double in_use = mean_in_use(of.value);
    const auto freed = static_cast<double>(of.value.freed());
    if (freed > 0) {
        row.seconds = in_use / freed * duration;
    }
    if (!rate) {
        return row;
    }
    const double events_in_use = sampled(mean_in_use(of.objects), mean_in_use(of.bytes), *rate);
    const double events_freed = sampled(static_cast<double>(of.objects.freed()),
                                        static_cast<double>(of.bytes.freed()), *rate);
    if (events_in_use > 0 || events_freed > 0) {
        // How much more one of those in use stands for than a freed one.
        const double weight = events_in_use > 0 && events_freed > 0 && in_use > 0 && freed > 0
                                  ? (in_use / events_in_use) / (freed / events_freed)
                                  : 1;
        const interval ratio = ratio_of_events(events_in_use, events_freed);
        row.within = interval{ratio.low * weight * duration, ratio.high * weight * duration};
    }
    return row;
}

void require_interval(viewed_profiles::impl& of) {
    const auto refuse = [](const char* why) {
        throw error{error_kind::incompatible, std::string{"no lifetimes: "} + why};
    };
    const computed_delta* const delta = of.delta();
    if (delta == nullptr || !of.has_previous()) {
        refuse("they need two profiles, and what was counted in between");
    } else if (delta->summary.reset) {
        refuse("the counters started over in between");
    } else if (delta->summary.duration_nanos <= 0) {
        refuse("the length of the interval is unknown");
    }
}

} // namespace

std::int64_t lifetimes::amount::freed() const noexcept {
    return std::max(std::int64_t{0},
                    to_nearest(was_there(*this) - static_cast<double>(in_use.current)));
}

lifetimes make_lifetimes(const viewed_profiles& of, const report_options& options) {
    viewed_profiles::impl& in = of.content();
    require_interval(in);
    const profile_index& now = in.current().whole();
    const std::vector<value_type>& types = now.types.sample_types;
    const std::vector<type_pair> known = pairs_of(types);
    std::vector<type_pair> read_types{choose_pair(types, known, options)};
    const auto of_unit = [&](std::string_view unit) {
        return std::find_if(known.begin(), known.end(), [&](const type_pair& each) {
            return types[each.allocated].unit == unit;
        });
    };
    const auto objects = of_unit("count");
    const auto bytes = of_unit("bytes");
    std::optional<double> rate;
    if (now.types.period_type.unit == "bytes" && now.view.period > 0 && objects != known.end() &&
        bytes != known.end()) {
        rate = static_cast<double>(now.view.period);
        read_types.insert(read_types.end(), {*objects, *bytes});
    }
    lifetimes made;
    made.type = types[read_types.front().allocated];
    made.duration_nanos = in.delta()->summary.duration_nanos;
    made.time_nanos = in.delta()->summary.time_nanos;
    const double duration = static_cast<double>(made.duration_nanos) / 1e9;
    const amounts all{in, read_types, options};
    // @param amount_of gives that of a type, by its place in what is read.
    const auto row_of = [&](std::string name, const auto& amount_of) {
        return make_row(std::move(name),
                        rate ? row_amounts{amount_of(0), amount_of(1), amount_of(2)}
                             : row_amounts{amount_of(0)},
                        rate, duration);
    };
    made.total = row_of("", [&](std::size_t type) { return all.total(type); });
    for (std::uint32_t i = 0; i < all.names().size(); ++i) {
        made.rows.push_back(
            row_of(all.names().name(i), [&](std::size_t type) { return all.of_row(i, type); }));
    }
    std::erase_if(made.rows, [](const lifetimes::row& row) { return was_there(row.value) == 0; });
    std::sort(made.rows.begin(), made.rows.end(),
              [](const lifetimes::row& a, const lifetimes::row& b) {
                  return std::tuple{was_there(b.value), std::string_view{a.name}} <
                         std::tuple{was_there(a.value), std::string_view{b.name}};
              });
    return made;
}

} // namespace pprofdelta
