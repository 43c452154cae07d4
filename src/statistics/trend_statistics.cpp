// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <pprofdelta/trend_statistics.hpp>

#include "statistics/order.hpp"

namespace pprofdelta {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The numbers for each point: so many slopes are written down, and so many are drawn.
constexpr std::size_t most_close = 32;
constexpr std::size_t sample_share = 4;
// The reach on each side of the expected place of a rank in a sample, in units of its root: three
// standard deviations of a random one's median, and the ends of an interval of 95 % as well.
constexpr double reach_of_sample = 1.5;
// One that does not help can be drawn so often.
constexpr unsigned most_samples = 64;
// Slopes that differ by less than this part are equal: rounding does as much.
constexpr double equal_within = 1e-14;

struct exact_sum {
    double rounded = 0;
    double rest = 0;
};

// D. E. Knuth, The Art of Computer Programming 2, chapter 4.2.2.
exact_sum add(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a * b + c, as three numbers that are smaller each time, so that they compare like digits.
//
// S. Boldo, J.-M. Muller, Exact and approximated error of the FMA, IEEE Transactions on Computers
// 60 (2011).
std::array<double, 3> multiply_add(double a, double b, double c) {
    const double rounded = std::fma(a, b, c);
    const double product = a * b;
    const exact_sum low = add(c, std::fma(a, b, -product));
    const exact_sum high = add(product, low.rounded);
    const exact_sum rest = add((high.rounded - rounded) + high.rest, low.rest);
    return {rounded, rest.rounded, rest.rest};
}

bool is_one(double low, double high) {
    return std::isfinite(low) &&
           high - low <= equal_within * std::max(std::fabs(low), std::fabs(high));
}

/// Sorts, and shows which pairs change places. Equal items stay in their order.
/// @param room  has place for as many others.
/// @param visit called for an item that passes others: with these, and with it.
/// Cost: n log n, and that of the visits.
template <typename Item, typename IsBefore, typename Visit>
void merge_sort(std::span<Item> items, std::span<Item> room, const IsBefore& is_before,
                const Visit& visit) {
    if (items.size() < 2) {
        return;
    }
    const std::size_t half = items.size() / 2;
    merge_sort(items.first(half), room.first(half), is_before, visit);
    merge_sort(items.subspan(half), room.subspan(half), is_before, visit);
    std::copy(items.begin(), items.end(), room.begin());
    std::size_t left = 0;
    std::size_t right = half;
    for (Item& next : items) {
        if (right == room.size() || (left < half && !is_before(room[right], room[left]))) {
            next = room[left++];
        } else {
            if (left < half) {
                visit(std::span<const Item>{room.subspan(left, half - left)}, room[right]);
            }
            next = room[right++];
        }
    }
}

/// Finds slopes of pairs of points by their ranks, without a look at each pair.
///
/// A point with the value v - slope * t passes another where `slope` is that of both. Hence the
/// pairs with a slope between two others are those that change places from the order at the one to
/// that at the other, which sorting counts, and can draw a sample from. The sample says between
/// which slopes a rank is, and once these pairs are few, their slopes are written down. All orders
/// are exact, also of points that are equal but for less than a double has.
///
/// J. Matousek, Randomized optimal algorithm for slope selection, Information Processing Letters 39
/// (1991); here the sample is not random, but the same each time.
class slope_ranks {
public:
    /// @param times ascending in each run.
    /// @param runs  how many points each has; there are no pairs of points of different ones.
    slope_ranks(std::span<const double> times, std::span<const double> values,
                std::span<const std::size_t> runs)
        : m_times{times}, m_values{values}, m_runs{runs}, m_keys(times.size()),
          m_room(times.size()) {
        for (const std::size_t points : runs) {
            m_count += points * (points - std::min<std::size_t>(points, 1)) / 2;
        }
    }

    /// The number of pairs.
    [[nodiscard]] std::size_t count() const noexcept { return m_count; }

    /// The slope of a rank, which is from 0, less than count(); but for rounding it is exact. Ranks
    /// that are close to the one before take less time. O(n log n), and as much memory as points.
    [[nodiscard]] double at(std::size_t rank) {
        if (rank < m_below || rank - m_below >= m_close.size()) {
            find_close(rank);
        }
        const auto found = m_close.begin() + static_cast<std::ptrdiff_t>(rank - m_below);
        std::nth_element(m_close.begin(), found, m_close.end());
        return *found;
    }

private:
    using order = std::vector<std::uint32_t>;
    // A slope, or an infinite one, and whether pairs that have it have changed places.
    struct bound {
        double slope = 0;
        bool is_passed = false;
    };

    [[nodiscard]] double slope_of(std::uint32_t a, std::uint32_t b) const {
        const auto [first, last] = std::minmax(a, b); // so that there is no -0
        return (m_values[last] - m_values[first]) / (m_times[last] - m_times[first]);
    }

    void compute_keys(double slope) {
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            m_keys[i] = multiply_add(-slope, m_times[i], m_values[i]);
        }
    }

    // Puts points of each run in the order that they have there.
    template <typename Visit>
    void move_to(order& points, const bound& to, const Visit& visit) {
        const bool is_last = to.slope == infinite;
        if (!is_last) {
            compute_keys(to.slope);
        }
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
            if (!is_last && m_keys[a] != m_keys[b]) {
                return m_keys[a] < m_keys[b];
            }
            return to.is_passed ? a > b : a < b;
        };
        for_each_run(m_runs, std::span{points}, [&](std::span<std::uint32_t> run) {
            merge_sort(run, std::span{m_room}.first(run.size()), is_before, visit);
        });
    }

    // Counts those pairs that change places.
    std::size_t move_to(order& points, const bound& to) {
        std::size_t pairs = 0;
        move_to(points, to, [&](std::span<const std::uint32_t> passed, std::uint32_t) {
            pairs += passed.size();
        });
        return pairs;
    }

    // The slopes of pairs that change places, or of as many of them as are wanted, one from each of
    // so many equal parts.
    std::vector<double> slopes_up_to(order points, const bound& to, std::size_t inside,
                                     std::size_t wanted) {
        constexpr double golden_ratio = 0.6180339887498949;
        const double part =
            std::max(static_cast<double>(inside) / static_cast<double>(wanted), 1.0);
        std::vector<double> slopes;
        slopes.reserve(std::min(inside, wanted));
        const auto next_place = [&] {
            const auto number = static_cast<double>(slopes.size());
            const double within = number * golden_ratio - std::floor(number * golden_ratio);
            return static_cast<std::size_t>(part * number + within * (part - 1));
        };
        std::size_t before = 0;
        std::size_t next = next_place();
        move_to(points, to, [&](std::span<const std::uint32_t> passed, std::uint32_t distance) {
            for (; next < before + passed.size(); next = next_place()) {
                slopes.push_back(slope_of(passed[next - before], distance));
            }
            before += passed.size();
        });
        return slopes;
    }

    // Writes down the slopes among which that of a rank is.
    void find_close(std::size_t rank) {
        order points(m_times.size());
        std::iota(points.begin(), points.end(), 0U);
        bound end{infinite, true};
        std::size_t inside = m_count;
        double reach = reach_of_sample;
        m_below = 0;
        const auto is_among = [&](std::size_t first, std::size_t pairs) {
            return rank >= first && rank - first < pairs;
        };
        for (unsigned i = 0; i < most_samples && inside > most_close * points.size(); ++i) {
            const std::vector<double> sample =
                sorted(slopes_up_to(points, end, inside, sample_share * points.size() + i));
            const auto size = static_cast<double>(sample.size());
            const double expected =
                static_cast<double>(rank - m_below) / static_cast<double>(inside) * size;
            const double low = expected - reach * std::sqrt(size);
            const double high = expected + reach * std::sqrt(size);
            bound from{-infinite, true};
            order start = points;
            std::size_t below = m_below;
            if (low >= 0) {
                from.slope = sample[static_cast<std::size_t>(low)];
                below += move_to(start, {from.slope, false});
                const std::size_t equal = move_to(start, from);
                if (is_among(below, equal)) {
                    m_below = rank;
                    m_close = {from.slope};
                    return;
                }
                below += equal;
            }
            bound to = end;
            std::size_t left = inside - (below - m_below);
            if (high < size) {
                to = {sample[static_cast<std::size_t>(high)], false};
                order up = start;
                left = move_to(up, to);
                const bool is_equal = is_among(below + left, move_to(up, {to.slope, true}));
                if (is_equal || (is_among(below, left) && is_one(from.slope, to.slope))) {
                    m_below = rank;
                    m_close = {to.slope};
                    return;
                }
            }
            if (!is_among(below, left)) {
                reach *= 2;
                continue;
            }
            points = std::move(start);
            end = to;
            inside = left;
            m_below = below;
        }
        m_close = slopes_up_to(std::move(points), end, inside, inside);
    }

    std::span<const double> m_times;
    std::span<const double> m_values;
    std::span<const std::size_t> m_runs;
    std::size_t m_count = 0;
    std::vector<std::array<double, 3>> m_keys; // of points, at a slope: exact sums
    order m_room;
    // The slopes that are written down, and the number of smaller ones.
    std::vector<double> m_close;
    std::size_t m_below = 0;
};

using shares = std::vector<double>;

constexpr std::size_t most_known_sizes = 32; // of which distributions are kept

// The share of all orders of `more` equal numbers among `fewer` smaller ones, by how many of their
// pairs fall.
shares falls_among(std::size_t fewer, std::size_t more) {
    // The index is the number of equal ones so far. Each smaller number that comes next falls below
    // all of them.
    std::vector<shares> by_taken(more + 1, shares(fewer * more + 1));
    for (shares& each : by_taken) {
        each[0] = 1;
    }
    for (std::size_t smaller = 1; smaller <= fewer; ++smaller) {
        for (std::size_t taken = 1; taken <= more; ++taken) {
            // The last of smaller + taken numbers is one of these or one of those.
            const double is_smaller =
                static_cast<double>(smaller) / static_cast<double>(smaller + taken);
            shares& now = by_taken[taken];
            const shares& without = by_taken[taken - 1];
            for (std::size_t falls = fewer * more + 1; falls-- > 0;) {
                const double last_smaller = falls >= taken ? now[falls - taken] : 0;
                now[falls] = is_smaller * last_smaller + (1 - is_smaller) * without[falls];
            }
        }
    }
    return by_taken[more];
}

shares convolved(const shares& a, const shares& b) {
    shares result(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            result[i + j] += a[i] * b[j];
        }
    }
    return result;
}

// The pairs of which the later one is smaller; sorts the numbers.
std::size_t count_falls(std::span<double> numbers) {
    std::vector<double> room(numbers.size());
    std::size_t count = 0;
    merge_sort(numbers, std::span{room}, std::less<>{},
               [&](std::span<const double> larger, double) { count += larger.size(); });
    return count;
}

double pairs_of(double count) { return count * (count - 1) / 2; }

// The pairs of different numbers.
double unequal_pairs(const tie_sizes& ties) {
    double pairs = pairs_of(std::accumulate(ties.begin(), ties.end(), 0.0));
    for (const std::int32_t size : ties) {
        pairs -= pairs_of(size);
    }
    return pairs;
}

// The variance of S in a run.
double variance_of(const tie_sizes& ties) {
    const auto part = [](double count) { return count * (count - 1) * (2 * count + 5); };
    double sum = part(std::accumulate(ties.begin(), ties.end(), 0.0));
    for (const std::int32_t size : ties) {
        sum -= part(size);
    }
    return sum / 18;
}

} // namespace

trend_test::trend_test(std::vector<std::size_t> runs)
    : m_runs{std::move(runs)}, m_count{
                                   std::accumulate(m_runs.begin(), m_runs.end(), std::size_t{0})} {}

const trend_test::distribution&
trend_test::distribution_of(const std::vector<tie_sizes>& runs) const {
    const auto known = m_known.find(runs);
    if (known != m_known.end()) {
        return known->second;
    }
    distribution all{1};
    for (const tie_sizes& ties : runs) {
        std::size_t smaller = 0;
        for (const std::int32_t each : ties) {
            const auto size = static_cast<std::size_t>(each);
            all = convolved(all, falls_among(smaller, size));
            smaller += size;
        }
    }
    if (m_known.size() == most_known_distributions) {
        m_known.clear();
    }
    return m_known.emplace(runs, std::move(all)).first->second;
}

trend_test::result trend_test::test(std::span<const double> values) const {
    std::vector<double> numbers{values.begin(), values.end()};
    std::vector<tie_sizes> ties;
    std::size_t falls = 0;
    double pairs = 0;
    double variance = 0;
    for_each_run(m_runs, std::span{numbers}, [&](std::span<double> run) {
        falls += count_falls(run);
        ties.push_back(sizes_of_ties({run.begin(), run.end()}));
        pairs += unequal_pairs(ties.back());
        variance += variance_of(ties.back());
    });
    result r;
    r.s = pairs - 2 * static_cast<double>(falls);
    if (is_exact()) {
        // It is symmetric: so far from the middle on the one side and on the other.
        const distribution& all = distribution_of(ties);
        const std::size_t fewer = std::min(falls, all.size() - 1 - falls);
        r.p = 2 * std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(fewer) + 1,
                                  0.0);
    } else if (variance > 0) {
        r.p = 2 * upper_tail(std::fabs(r.s) / std::sqrt(variance));
    }
    r.p = std::min(r.p, 1.0);
    return r;
}

double trend_test::least_p() const {
    std::vector<double> growing(m_count);
    std::iota(growing.begin(), growing.end(), 0.0);
    return test(growing).p;
}

change_test::result change_test::test(std::span<const double> values) {
    const std::size_t count = values.size();
    if (count < 2 * least_on_a_side) {
        return {};
    }
    const std::vector<double> all_ranks = ranks(values, {});
    std::size_t best = least_on_a_side;
    double farthest = -1; // the square of the distance, over what the variance is in proportion to
    double sum = 0;       // of the ranks before a place
    for (std::size_t at = 1; at + least_on_a_side <= count; ++at) {
        sum += all_ranks[at - 1];
        const auto before = static_cast<double>(at);
        const auto after = static_cast<double>(count - at);
        const double distance = sum - before * static_cast<double>(count + 1) / 2;
        const double found = distance * distance / (before * after);
        if (at >= least_on_a_side && found > farthest) {
            farthest = found;
            best = at;
        }
    }
    if (m_tests.size() == most_known_sizes) {
        m_tests.clear();
    }
    u_test& at_best = m_tests.try_emplace({best, count - best}, best, count - best).first->second;
    const double p = at_best.test(values.first(best), values.subspan(best)).p;
    return {best, std::min(p * static_cast<double>(count - 2 * least_on_a_side + 1), 1.0)};
}

double change_test::least_p(std::size_t count) {
    if (count < 2 * least_on_a_side) {
        return 1;
    }
    const double p = u_test{count / 2, count - count / 2}.least_p();
    return std::min(p * static_cast<double>(count - 2 * least_on_a_side + 1), 1.0);
}

double rise_by_chance(std::span<const double> changes) {
    constexpr std::size_t most_exact = 16;
    constexpr double rounding = 1e-12; // of sums of the same numbers in another order
    std::vector<double> sizes;
    double sum = 0;
    double squares = 0;
    for (const double change : changes) {
        if (change != 0) {
            sizes.push_back(std::fabs(change));
            sum += change;
            squares += change * change;
        }
    }
    if (sizes.size() > most_exact) {
        return upper_tail(sum / std::sqrt(squares));
    }
    const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    const std::size_t ways = std::size_t{1} << sizes.size();
    std::size_t as_much = 0;
    for (std::size_t down = 0; down < ways; ++down) {
        double other = all;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            other -= (down >> i & 1U) != 0 ? 2 * sizes[i] : 0;
        }
        as_much += other >= sum - all * rounding ? 1 : 0;
    }
    return static_cast<double>(as_much) / static_cast<double>(ways);
}

trend_slope estimate_slope(std::span<const double> times, std::span<const double> values,
                           std::span<const std::size_t> runs, double alpha) {
    slope_ranks slopes{times, values, runs};
    if (slopes.count() == 0) {
        return {};
    }
    trend_slope result;
    result.value = (slopes.at((slopes.count() - 1) / 2) + slopes.at(slopes.count() / 2)) / 2;
    if (trend_test{{runs.begin(), runs.end()}}.least_p() > alpha) {
        return result;
    }
    double variance = 0;
    for_each_run(runs, values, [&](std::span<const double> run) {
        variance += variance_of(sizes_of_ties(sorted(run)));
    });
    const auto count = static_cast<double>(slopes.count());
    const double reach = deviations_for(alpha / 2) * std::sqrt(variance);
    const auto place = [&](double at) {
        return static_cast<std::size_t>(std::clamp(at, 0.0, count - 1));
    };
    result.within = {slopes.at(place(std::nearbyint((count - reach) / 2) - 1)),
                     slopes.at(place(std::nearbyint((count + reach) / 2)))};
    return result;
}

namespace {

// The shares are those of the noise of each number, over the walk's noise in the mean time between
// two.
constexpr std::array<double, 13> noise_shares{0,  0.01, 0.03, 0.1, 0.3,  1,       3,
                                              10, 30,   100,  300, 1000, infinite};
constexpr double weight_of_walk = noise_shares.size() - 1;

// The number of changes left to tell the noise from. One is for its share, which is estimated, too.
double freedom_of(std::size_t changes, std::size_t estimates) {
    return static_cast<double>(changes - std::min(changes, estimates + 1));
}

// Applies a whitening to changes.
void whiten(std::span<double> changes, std::span<const double> of_change,
            std::span<const double> of_before) {
    double before = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        before = changes[i] * of_change[i] + before * of_before[i];
        changes[i] = before;
    }
}

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(std::span<double> from, double factor, std::span<const double> what) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] -= factor * what[i];
    }
}

} // namespace

std::vector<double> drift_model::changes_of(std::span<const double> numbers) const {
    std::vector<double> changes;
    changes.reserve(m_changes);
    for_each_run(m_runs, numbers, [&](std::span<const double> run) {
        for (std::size_t i = 1; i < run.size(); ++i) {
            changes.push_back(run[i] - run[i - 1]);
        }
    });
    return changes;
}

drift_model::drift_model(std::span<const double> times, std::span<const std::size_t> runs)
    : m_runs{runs.begin(), runs.end()} {
    const std::vector<double> periods = changes_of(times);
    m_changes = periods.size();
    const double mean = std::accumulate(periods.begin(), periods.end(), 0.0) /
                        static_cast<double>(std::max<std::size_t>(m_changes, 1));
    for (const double share : noise_shares) {
        // The variances add up to one; changes next to each other share the noise of a number.
        const double noise = share == infinite ? 1 : share / (1 + share);
        whitening w;
        w.weight = share == 0 ? std::log(weight_of_walk) : 0;
        for_each_run(m_runs, times, [&](std::span<const double> run) {
            double shared = 0; // with the change before
            for (std::size_t i = 1; i < run.size(); ++i) {
                const double period = periods[w.of_change.size()] / mean;
                const double root = std::sqrt((1 - noise) * period + 2 * noise - shared * shared);
                w.of_change.push_back(1 / root);
                w.of_before.push_back(-shared / root);
                w.weight -= std::log(root);
                shared = -noise / root;
            }
        });
        w.time = periods;
        whiten(w.time, w.of_change, w.of_before);
        m_shares.push_back(std::move(w));
    }
}

drift_model::result drift_model::fit(std::span<const double> values,
                                     std::span<const double> shape) const {
    constexpr double rounding = 1e-20; // of squares
    const std::vector<double> changes = changes_of(values);
    const std::vector<double> of_shape = shape.empty() ? shares{} : changes_of(shape);
    const double freedom = freedom_of(m_changes, shape.empty() ? 1 : 2);
    if (freedom == 0) {
        return {{0, infinite}, {0, infinite}};
    }
    struct fitted {
        double likelihood = 0; // its logarithm
        result found;          // with squares of deviations
    };
    std::vector<fitted> all;
    std::vector<double> rest;
    std::vector<double> other;
    for (const whitening& w : m_shares) {
        rest = changes;
        whiten(rest, w.of_change, w.of_before);
        const double squares = product(rest, rest);
        const double of_time = product(w.time, w.time);
        fitted f;
        f.found.slope.value = product(w.time, rest) / of_time;
        subtract(rest, f.found.slope.value, w.time);
        double of_slope = 1 / of_time;
        double of_extra = 0;
        f.likelihood = w.weight - std::log(of_time) / 2;
        if (!shape.empty()) {
            other = of_shape;
            whiten(other, w.of_change, w.of_before);
            const double all_of_it = product(other, other);
            const double along = product(w.time, other) / of_time;
            subtract(other, along, w.time);
            const double across = product(other, other);
            if (across <= rounding * all_of_it) {
                return {{0, infinite}, {0, infinite}}; // a line as well
            }
            f.found.extra.value = product(other, rest) / across;
            subtract(rest, f.found.extra.value, other);
            f.found.slope.value -= f.found.extra.value * along;
            of_extra = 1 / across;
            of_slope += along * along / across;
            f.likelihood -= std::log(across) / 2;
        }
        const double left = product(rest, rest);
        if (left <= rounding * squares) {
            // There is no noise, nor a slope that is 0 but for rounding.
            f.found.slope.deviation = 0;
            if (f.found.slope.value * f.found.slope.value * of_time <= rounding * squares) {
                f.found.slope.value = 0;
            }
            return f.found;
        }
        const double variance = left / freedom;
        f.found.slope.deviation = variance * of_slope;
        f.found.extra.deviation = variance * of_extra;
        f.likelihood -= std::log(variance) * freedom / 2;
        all.push_back(f);
    }
    const double most = std::ranges::max_element(all, {}, &fitted::likelihood)->likelihood;
    double sum = 0;
    for (fitted& f : all) {
        f.likelihood = std::exp(f.likelihood - most);
        sum += f.likelihood;
    }
    // The weights keep no more digits than a float has, as functions of the standard library differ
    // in the last digits, and the estimated share has few.
    const auto together = [&](estimate result::*part) {
        estimate e;
        for (const fitted& f : all) {
            e.value += f.likelihood / sum * (f.found.*part).value;
        }
        for (const fitted& f : all) {
            const double off = (f.found.*part).value - e.value;
            e.deviation += f.likelihood / sum * ((f.found.*part).deviation + off * off);
        }
        return estimate{static_cast<float>(e.value), static_cast<float>(std::sqrt(e.deviation))};
    };
    return {together(&result::slope), together(&result::extra)};
}

double drift_model::reach(double alpha, std::size_t estimates) const {
    const double freedom = freedom_of(m_changes, estimates);
    if (freedom == 0) {
        return infinite;
    }
    const double normal = deviations_for(alpha / 2) * (8 * freedom + 3) / (8 * freedom + 1);
    return static_cast<float>(std::sqrt(freedom * std::expm1(normal * normal / freedom)));
}

} // namespace pprofdelta
