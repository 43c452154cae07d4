// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/normalize.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "delta/passes.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "profile/stacks.hpp"
#include "profile/writer.hpp"

namespace pprofdelta {

namespace {

// Rounds the values of samples up or down so that what was rounded off nearly cancels out in the
// total, and in the samples that have a function, or end in it. Rounded one by one, many samples of
// one event each would be nothing together, or twice as much.
class even_rounding {
public:
    // `index` must outlive this. All of it is built.
    explicit even_rounding(const profile_index& index)
        : m_reader{index}, m_frames{index}, m_functions{index.view.functions.size()},
          m_places{m_functions + index.view.locations.size()},
          m_last_samples(2 * m_places + 1), m_types{index.types.sample_types.size()},
          m_off(m_last_samples.size() * m_types), m_off_here(m_types), m_added(m_types) {}

    // Rounds the values of `sample`, which are multiplied by `factors`.
    void round(record sample, const std::int64_t* values, const std::vector<double>& factors,
               std::vector<std::int64_t>& out) {
        m_reader.read(sample);
        find_groups();
        // The total counts as much as all others.
        const auto others = static_cast<double>(m_groups.size());
        const double weight = std::max(others, 1.0);
        std::ranges::transform(std::span{m_off}.first(m_types), m_off_here.begin(),
                               [&](double off) { return weight * off; });
        for (const std::size_t group : m_groups) {
            const double* const off = m_off.data() + group * m_types;
            std::transform(off, off + m_types, m_off_here.begin(), m_off_here.begin(), std::plus{});
        }
        for (std::size_t type = 0; type < m_types; ++type) {
            const double exact = static_cast<double>(values[type]) * factors[type];
            const double below = std::floor(exact);
            const double part = exact - below;
            // The one with the least sum of squares of what all groups are off.
            const bool is_up = part != 0 && m_off_here[type] < (weight + others) * (part - 0.5);
            m_added[type] = (is_up ? 1 : 0) - part;
            out[type] = to_nearest(is_up ? below + 1 : below);
        }
        m_groups.push_back(0);
        for (const std::size_t group : m_groups) {
            double* const off = m_off.data() + group * m_types;
            std::transform(off, off + m_types, m_added.begin(), off, std::plus{});
        }
    }

private:
    // The groups that a sample counts in, each once: by functions, or locations without any. Group
    // 0 is the total, which is left out.
    void find_groups() {
        ++m_sample;
        m_groups.clear();
        const auto add = [this](std::size_t group) {
            if (std::exchange(m_last_samples[group], m_sample) != m_sample) {
                m_groups.push_back(group);
            }
        };
        for (const std::uint32_t place : m_reader.locations()) {
            std::uint32_t frame = m_frames.begin(place);
            do {
                const bool is_named = frame != m_frames.begin(place + 1) &&
                                      m_frames.frames()[frame].function != id_map::npos;
                const std::size_t group =
                    1 + (is_named ? m_frames.frames()[frame].function : m_functions + place);
                if (m_groups.empty()) {
                    add(m_places + group); // of the samples that end there
                }
                add(group);
            } while (++frame < m_frames.begin(place + 1));
        }
    }

    stack_reader m_reader;
    frame_index m_frames;
    std::size_t m_functions;
    std::size_t m_places; // functions and locations
    std::uint64_t m_sample = 0;
    std::vector<std::uint64_t> m_last_samples; // by group
    std::size_t m_types;
    std::vector<double> m_off;         // what rounding has added to each group, by type
    std::vector<std::size_t> m_groups; // of the sample at hand; the next two are of it, too
    std::vector<double> m_off_here;
    std::vector<double> m_added;
};

std::vector<double> factors_by_total(const profile_index& previous, const profile_index& current) {
    const std::vector<std::int64_t> before = totals(previous);
    const std::vector<std::int64_t> now =
        about_input(error_input::current, [&] { return totals(current); });
    const auto is_zero = [](std::int64_t total) { return total == 0; };
    if (std::ranges::all_of(now, is_zero) && !std::ranges::all_of(before, is_zero)) {
        throw error{error_kind::incompatible, "the profile has no values to normalize by",
                    error_input::current};
    }
    std::vector<double> factors;
    std::transform(before.begin(), before.end(), now.begin(), std::back_inserter(factors),
                   [](std::int64_t from, std::int64_t to) {
                       return from == 0 ? 0.0 : static_cast<double>(to) / static_cast<double>(from);
                   });
    return factors;
}

std::vector<double> factors_by_duration(const profile_index& previous,
                                        const profile_index& current) {
    const std::int64_t from = previous.view.duration_nanos;
    const std::int64_t to = current.view.duration_nanos;
    if (from <= 0 || to <= 0) {
        throw error{error_kind::incompatible, "the profile has no duration to normalize by",
                    from <= 0 ? error_input::previous : error_input::current};
    }
    std::vector<double> factors;
    for (const value_type& type : previous.types.sample_types) {
        const bool is_gauge = kind_of(type, previous.types.period_type, true) == value_kind::gauge;
        factors.push_back(is_gauge ? 1 : static_cast<double>(to) / static_cast<double>(from));
    }
    return factors;
}

// An error is about the previous profile, which is written, unless it says otherwise.
normalized_profile scale(std::string_view previous, std::string_view current,
                         normalization normalize) {
    profile_index before;
    before.build(previous, match_mode::exact);
    profile_index now;
    about_input(error_input::current, [&] { now.build(current, match_mode::exact); });
    require_same(before.types, now.types);
    normalized_profile result;
    result.factors = normalize == normalization::total ? factors_by_total(before, now)
                                                       : factors_by_duration(before, now);
    // Equal samples are added up before they are rounded.
    value_table table;
    table.configure(result.factors.size(), {});
    table.begin();
    aggregation samples;
    samples.run(before, table, 1);
    profile_writer writer;
    writer.start(before, nullptr, result.profile);
    std::vector<std::int64_t> values(result.factors.size());
    even_rounding rounding{before};
    samples.for_each([&](record sample, std::uint32_t entry) {
        rounding.round(sample, table.current(entry), result.factors, values);
        if (std::any_of(values.begin(), values.end(), [](auto value) { return value != 0; })) {
            writer.write_sample(side::current, sample, values);
        }
    });
    writer.finish(normalize == normalization::duration ? now.view.duration_nanos
                                                       : before.view.duration_nanos);
    return result;
}

} // namespace

const char* to_string(normalization normalize) noexcept {
    return normalize == normalization::total ? "total" : "duration";
}

normalized_profile normalize(std::string_view previous, std::string_view current,
                             normalization normalize) {
    return about_input(error_input::previous, [&] { return scale(previous, current, normalize); });
}

} // namespace pprofdelta
