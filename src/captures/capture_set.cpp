// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_set.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "profile/producers.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "views/flame.hpp"
#include "views/stack_tree.hpp"

namespace pprofdelta {

namespace {

template <typename Operation>
void change_values(compared_row& to, Operation operation, const compared_row& change) {
    for (const compare_side side : both_sides) {
        std::vector<double>& values = values_of(to, side);
        const std::vector<double>& others = values_of(change, side);
        values.resize(std::max(values.size(), others.size()));
        std::ranges::transform(values, others, values.begin(), operation);
    }
    to.events = operation(to.events, change.events);
}

double share(const std::vector<double>& part, const std::vector<double>& all) {
    const double whole = median(all);
    return part.empty() || whole == 0 ? 0 : median(part) / whole;
}

// The median of what captures have, each by its factor, to be shown.
std::int64_t scaled_median(const std::vector<double>& sums, const std::vector<double>& factors) {
    std::vector<double> values;
    std::ranges::transform(sums, factors, std::back_inserter(values), std::multiplies<>{});
    return to_nearest(median(values));
}

} // namespace

test_kind test_of(const compare_options& options, std::size_t base, std::size_t head) {
    constexpr std::size_t fewest = 3; // with which there is any noise
    const bool takes_few = options.is_tested && !options.are_paired && base + head >= fewest;
    if (options.test != test_kind::automatic) {
        return takes_few ? options.test : test_kind::ranks;
    }
    return takes_few && std::min(base, head) < compare_options::enough_for_ranks
               ? test_kind::moderated
               : test_kind::ranks;
}

capture_set::capture_set(const compare_options& options, std::vector<limit> limits)
    : m_options{options}, m_normalized_by{options.normalized_by}, m_reader{options,
                                                                           std::move(limits),
                                                                           true} {}

void capture_set::add(compare_side to, const profile_index& index) {
    const std::size_t type = choose_type(index, {});
    m_reader.require_types_of(index);
    if (m_options.normalized_by == normalization::duration && index.view.duration_nanos <= 0) {
        throw error{error_kind::incompatible, "the profile has no duration to normalize by"};
    }
    m_reader.read(index, type,
                  "capture " + std::to_string(count(to) + 1) + " of the " + to_string(to),
                  m_sides[place_of(to)]);
    if (!m_options.normalized_by && m_options.scales_durations) {
        const value_pair medians = durations();
        m_normalized_by = durations_differ(medians.previous, medians.current)
                              ? std::optional{normalization::duration}
                              : std::nullopt;
    }
}

value_pair capture_set::durations() const {
    value_pair medians;
    for (const compare_side each : both_sides) {
        std::vector<double> all;
        for (const capture& c : side(each).all()) {
            if (c.duration_nanos <= 0) {
                return {};
            }
            all.push_back(static_cast<double>(c.duration_nanos));
        }
        (each == compare_side::base ? medians.previous : medians.current) =
            all.empty() ? 0 : to_nearest(median(all));
    }
    return medians;
}

bool capture_set::is_head_foreign() const {
    const auto& [base, head] = m_sides;
    if (base.programs() == head.programs()) {
        return false;
    }
    std::size_t in_base = 0;
    std::size_t in_head = 0;
    std::size_t in_both = 0;
    for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
        const bool base_has = base.has(row);
        const bool head_has = head.has(row);
        in_base += base_has ? 1 : 0;
        in_head += head_has ? 1 : 0;
        in_both += base_has && head_has ? 1 : 0;
    }
    return in_both * 2 < std::min(in_base, in_head);
}

std::optional<compare_side> capture_set::older_side() const noexcept {
    struct times {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
    };
    std::array<times, 2> of_sides;
    for (const compare_side each : both_sides) {
        times& of = of_sides[place_of(each)];
        for (const capture& c : side(each).all()) {
            if (c.time_nanos != 0) {
                of.first = std::min(of.first, c.time_nanos);
                of.last = std::max(of.last, c.time_nanos);
            }
        }
        if (of.first > of.last) {
            return std::nullopt;
        }
    }
    if (of_sides[0].last < of_sides[1].first) {
        return compare_side::base;
    }
    return of_sides[1].last < of_sides[0].first ? std::optional{compare_side::head} : std::nullopt;
}

std::vector<double> capture_set::scaled(compare_side side, std::size_t type,
                                        std::vector<double> sums, bool are_rounded) const {
    if (m_normalized_by) {
        const std::vector<double> by = factors(side, type);
        // Products of what was equal differ in their last digits, and a test would take that for a
        // difference.
        std::ranges::transform(sums, by, sums.begin(), [&](double number, double factor) {
            return are_rounded ? std::round(number * factor) : number * factor;
        });
    }
    return sums;
}

event_source capture_set::source_of_events(std::size_t type) const {
    std::int64_t period = 0;
    for (const capture_list& each : m_sides) {
        for (const capture& c : each.all()) {
            period = std::max(period, c.period);
        }
    }
    return event_source_of(m_reader.all_types(), type, period);
}

double capture_set::events(std::size_t type, const sample_group& samples) const {
    const auto [base, head] = std::pair{m_sides[0].all().size(), m_sides[1].all().size()};
    if (test_of(m_options, base, head) != test_kind::moderated) {
        return 0;
    }
    return source_of_events(type).events([&](std::size_t each) {
        return mean_size(m_sides[0].values(each, samples), m_sides[1].values(each, samples));
    });
}

bool capture_set::is_scaled(std::size_t type) const {
    const profile_types& types = m_reader.all_types();
    return m_normalized_by &&
           (m_normalized_by != normalization::duration ||
            kind_of(types.sample_types[type], types.period_type, true) != value_kind::gauge);
}

std::vector<double> capture_set::factors(compare_side which, std::size_t type) const {
    if (!is_scaled(type)) {
        return std::vector<double>(count(which), 1.0);
    }
    const auto size_of = [&](const capture& c) {
        return static_cast<double>(m_normalized_by == normalization::duration ? c.duration_nanos
                                                                              : c.totals[type]);
    };
    std::vector<double> sizes;
    for (const capture& c : side(compare_side::head).all()) {
        sizes.push_back(size_of(c));
    }
    const double usual = median(sizes);
    std::vector<double> result;
    for (const capture& c : side(which).all()) {
        const double size = size_of(c);
        result.push_back(size == 0 ? 0 : usual / size);
    }
    return result;
}

bool have_same_values(const compared_row& a, const compared_row& b) {
    return a.base.values == b.base.values && a.head.values == b.head.values;
}

void add_values(compared_row& to, const compared_row& more) {
    change_values(to, std::plus{}, more);
}
void subtract_values(compared_row& from, const compared_row& less) {
    change_values(from, std::minus{}, less);
}

compared_part part_of(const compared_row& row, const compared_row& total) {
    return {share(row.base.values, total.base.values), share(row.head.values, total.head.values)};
}

compared_row sums_of(const capture_set& captures, std::size_t type, const sample_group& samples) {
    compared_row sums;
    for (const compare_side side : both_sides) {
        values_of(sums, side) = captures.side(side).values(type, samples);
    }
    sums.events = captures.events(type, samples);
    return sums;
}

compared_row sums_of_stack(const capture_set& captures, std::size_t type, std::uint32_t stack) {
    return sums_of(captures, type, {sample_group::kind::stack, stack});
}

compared_row scale_row(const capture_set& captures, std::size_t type, compared_row sums,
                       bool is_rounded) {
    for (const compare_side side : both_sides) {
        values_of(sums, side) =
            captures.scaled(side, type, std::move(values_of(sums, side)), is_rounded);
    }
    return sums;
}

flame_graph draw(const capture_set& captures, std::size_t type, const flame_graph_limits& limits) {
    flame_graph graph;
    graph.type = captures.reader().types()[type];
    std::array<std::vector<double>, 2> factors;
    std::array<side_of_pair, 2> pair{&value_pair::previous, &value_pair::current};
    for (const compare_side side : both_sides) {
        factors[place_of(side)] = captures.factors(side, type);
        graph.total.*pair[place_of(side)] =
            scaled_median(captures.side(side).values(type, {}), factors[place_of(side)]);
    }
    // The width is that of the means, which add up, so that no frame is wider than its caller.
    const auto mean_width = [&](compare_side side, const compared_row& sums) {
        double width = 0;
        const std::vector<double>& values = values_of(sums, side);
        for (std::size_t i = 0; i < values.size(); ++i) {
            width += std::fabs(values[i] *
                               (factors[place_of(side)][i] / static_cast<double>(values.size())));
        }
        return width;
    };
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < captures.reader().stacks().size(); ++stack) {
        const compared_row sums = sums_of_stack(captures, type, stack);
        if (size_of(sums) > 0) {
            stacks.push_back({stack, mean_width(compare_side::head, sums),
                              mean_width(compare_side::base, sums)});
        }
    }
    // A frame may have a median where the other side has none; it is left out below if it has no
    // width.
    flame_graph_limits of_both = limits;
    of_both.keeps_previous = true;
    flame_tree tree = make_tree(captures.reader().stacks(), stacks, of_both);
    const std::vector<compared_row> sums =
        sums_of_nodes(stacks, tree, compared_sums{captures, type});
    for (std::size_t i = 0; i < sums.size(); ++i) {
        for (const compare_side side : both_sides) {
            tree.nodes[i].value.*pair[place_of(side)] =
                scaled_median(values_of(sums[i], side), factors[place_of(side)]);
        }
    }
    put_widths(tree.nodes);
    graph.left_out = tree.left_out;
    write_tree(limits.keeps_previous ? tree.nodes : with_width(tree.nodes, graph),
               captures.reader().names(), graph);
    return graph;
}

} // namespace pprofdelta
