// SPDX-License-Identifier: Apache-2.0
//
// The pipeline: how a profile becomes a delta, in six passes. They are those of DataDog's
// fastdelta.
//
//   1  index     find every record, give each string, function and location an identity
//   2  aggregate add up samples of the same stack and labels, next to their previous values
//   3  samples   subtract, and write the samples that are not all zero
//   4  locations write what those samples refer to, and the mappings
//   5  functions write what those locations refer to
//   6  strings   write the headers, and what anything refers to
//
// A computer runs them for each profile of a series, a diff for both of its profiles side by side.
// The last three are profile_writer::finish().
#include "delta/passes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "base/numbers.hpp"
#include "delta/series.hpp"
#include "delta/state_format.hpp"
#include "profile/producer_names.hpp"
#include "profile/producers.hpp"
#include "profile/writer.hpp"

namespace pprofdelta {

namespace {

void require_keys_for(match_mode match, const delta_options& options) {
    if (match != options.match) {
        refuse("the profile has keys for another match mode");
    }
}

// The mean number of units between two samples; 0 if it is not known. Go writes counts as they are
// with a period of 0, as where profiling was turned off, which is what a period of 1 says.
std::int64_t period_of(const profile_index& index) {
    const bool is_unscaled =
        index.view.period == 0 && is_heap_of_go(index.types.sample_types, index.types.period_type);
    return is_unscaled ? 1 : index.view.period;
}

} // namespace

class keyed_profile::impl {
public:
    impl(std::string_view profile, match_mode matched, std::size_t threads) : match{matched} {
        index.build(profile, match);
        keys = read_sample_keys(index, threads);
    }

    /// Adds up the samples.
    /// @param are_changed whether the keys are not those that were made.
    void aggregate(aggregation& samples, value_table& table, bool are_changed,
                   std::size_t threads) {
        if (are_changed) {
            keys = read_sample_keys(index, threads);
        }
        samples.run(index, keys, table);
    }

    match_mode match;
    profile_index index;
    std::vector<hash128> keys;
};

class delta_computer::impl {
public:
    explicit impl(delta_options options) : m_options{std::move(options)} {
        m_series.match = m_options.match;
    }

    delta_summary compute(std::string_view profile, std::string* delta, profile_source source);
    delta_summary compute(keyed_profile::impl& profile, std::string* delta, profile_source source);
    [[nodiscard]] bool has_previous() const noexcept { return m_has_previous; }
    [[nodiscard]] std::vector<type_treatment> types() const {
        return treatments(m_series.types, m_series.plan);
    }
    [[nodiscard]] std::vector<std::int64_t> totals() const;
    [[nodiscard]] const std::vector<std::int64_t>& negative_totals() const noexcept {
        return m_negative_totals;
    }
    [[nodiscard]] std::string save() const;
    void load(std::string_view state);

private:
    template <typename Aggregate>
    delta_summary run(profile_index& index, std::string* delta, profile_source source,
                      Aggregate&& aggregate);
    void require_same_series(profile_source source) const;
    [[nodiscard]] bool is_idle(const profile_index& index, profile_source source) const;
    void begin(const profile_index& index);
    void choose_sampled(const profile_index& index);
    void look_for_restart(const profile_index& index);
    void look_at_time(const profile_index& index, profile_source source);
    void write_samples();
    value_table::signs subtract_sampled(std::uint32_t entry);
    [[nodiscard]] std::int64_t duration(const profile_view& view) const;
    void advance(profile_index& index, profile_source source) noexcept;

    delta_options m_options;

    // The facts about the profiles before.
    bool m_has_previous = false;
    series m_series;
    value_table m_table;
    counter_changes m_changes;                 // for its memory
    std::optional<sampled_counters> m_sampled; // those that are subtracted before they are scaled
    counter_form m_form = counter_form::usual; // of the current profile

    // The call at hand.
    profile_index m_index;
    aggregation m_samples;
    profile_writer m_writer;
    std::vector<std::int64_t> m_values;
    std::vector<mapping_index::mapping> m_mappings; // to be kept
    delta_summary m_summary;
    std::vector<std::int64_t> m_totals; // of the delta
    std::vector<std::int64_t> m_negative_totals;
    bool m_totals_fit = true;
};

delta_summary delta_computer::impl::compute(std::string_view profile, std::string* delta,
                                            profile_source source) {
    require_same_series(source);
    m_index.build(profile, m_options.match);
    return run(m_index, delta, source,
               [&](bool) { m_samples.run(m_index, m_table, m_options.threads); });
}

delta_summary delta_computer::impl::compute(keyed_profile::impl& profile, std::string* delta,
                                            profile_source source) {
    require_same_series(source);
    require_keys_for(profile.match, m_options);
    return run(profile.index, delta, source, [&](bool are_keys_changed) {
        profile.aggregate(m_samples, m_table, are_keys_changed, m_options.threads);
    });
}

/// @param delta     nullptr if only the state is to advance.
/// @param aggregate `aggregate(bool are_keys_changed)`: whether those that were made before are
///                  others now.
template <typename Aggregate>
delta_summary delta_computer::impl::run(profile_index& index, std::string* delta,
                                        profile_source source, Aggregate&& aggregate) {
    m_mappings.clear();
    begin(index);
    choose_sampled(index);
    m_table.begin(delta == nullptr);
    try {
        aggregate(
            index.identify_mappings_by(m_series.processes.last, m_series.mappings, m_series.match));
        if (index.mappings.process().id() != 0) {
            m_mappings.assign(index.mappings.all().begin(), index.mappings.all().end());
        }
        if (delta != nullptr) {
            if (!is_idle(index, source)) {
                look_for_restart(index);
                look_at_time(index, source);
            }
            m_writer.start(index, nullptr, *delta);
            write_samples();
            m_writer.finish(m_summary.duration_nanos); // passes 4 to 6
        }
    } catch (...) {
        m_table.rollback();
        throw;
    }
    if (is_idle(index, source)) {
        m_table.rollback();
        m_series.time_nanos = index.view.time_nanos;
    } else {
        advance(index, source);
    }
    return m_summary;
}

// Exporters of OTLP send a message without samples when nothing happened. The counters say nothing
// then: what they were stays, or else all of it would count again.
bool delta_computer::impl::is_idle(const profile_index& index, profile_source source) const {
    return source == profile_source::otlp && m_has_previous && index.view.samples.empty();
}

void delta_computer::impl::require_same_series(profile_source source) const {
    if (m_has_previous && source != m_series.source) {
        throw error{error_kind::incompatible,
                    std::string{"the previous profile was "} + to_string(m_series.source) +
                        ", and this one is " + to_string(source) +
                        ": stacks of different formats do not match",
                    error_input::both};
    }
}

// Pass 1 is over. The first profile decides which types are subtracted.
void delta_computer::impl::begin(const profile_index& index) {
    m_summary = {};
    m_summary.samples_in = index.view.samples.size();
    m_summary.first = !m_has_previous;
    m_summary.time_nanos = index.view.time_nanos;
    m_summary.duration_nanos = duration(index.view);
    if (m_has_previous) {
        require_same(m_series.types, index.types);
        m_summary.out_of_order =
            index.view.time_nanos != 0 && index.view.time_nanos < m_series.time_nanos;
        m_summary.previous_has_duration = m_series.duration_nanos != 0;
    } else {
        m_series.plan = plan_subtraction(index.types, m_options);
        require_cumulative(m_series.plan, index.types);
        m_table.configure(index.types.sample_types.size(), m_series.plan.cumulative);
        m_series.types = index.types;
    }
}

// Go scales all that it ever sampled with the period of the moment (runtime/pprof/protomem.go;
// tried with Go 1.19).
void delta_computer::impl::choose_sampled(const profile_index& index) {
    m_sampled.reset();
    m_form = form_of(index);
    const std::int64_t before = m_series.period;
    const std::int64_t now = period_of(index);
    if (!set_periods(before, now, m_summary)) {
        return;
    }
    const bool is_plain = m_form == counter_form::plain && m_series.has_plain_counters;
    const bool is_rescaled = m_form == counter_form::usual && before != now;
    if ((!is_plain && !is_rescaled) || index.types.period_type != value_type{"space", "bytes"}) {
        return;
    }
    const auto place_of = [&](const value_type& type) {
        const auto& all = m_series.plan.cumulative;
        return static_cast<std::size_t>(
            std::ranges::find_if(all, [&](auto i) { return index.types.sample_types[i] == type; }) -
            all.begin());
    };
    const std::size_t objects = place_of({"alloc_objects", "count"});
    const std::size_t space = place_of({"alloc_space", "bytes"});
    if (std::max(objects, space) < m_series.plan.cumulative.size()) {
        m_sampled = sampled_counters{objects, space, before, now};
        m_summary.is_rescaled = is_rescaled;
    }
}

// A process of its own counts from its own start.
void delta_computer::impl::look_for_restart(const profile_index& index) {
    if (m_has_previous) {
        const process_sign& process = index.mappings.process();
        const bool is_of_jemalloc = m_form != counter_form::usual;
        look_for_reset(m_table,
                       {relation_of(m_series.processes.last, process),
                        is_of_jemalloc && m_summary.previous_period != 0,
                        m_sampled ? &*m_sampled : nullptr},
                       m_options.on_reset, index.view.duration_nanos, m_changes, m_summary);
        m_summary.is_rescaled = m_summary.is_rescaled && !m_summary.reset;
        m_series.processes.describe(process, m_summary);
    }
}

// Other heaps have the types of Go's, but not the names of its runtime.
static bool has_runtime_of_go(const profile_index& index) {
    for (std::uint32_t number = 0; number < index.strings.size(); ++number) {
        if (index.strings.text(number).starts_with("runtime.")) {
            return true;
        }
    }
    return false;
}

// Finds a profile whose time says nothing of the interval in which counters have changed.
void delta_computer::impl::look_at_time(const profile_index& index, profile_source source) {
    if (!m_has_previous || m_summary.reset || m_summary.negative_samples != 0) {
        return;
    }
    const bool is_same_process =
        relation_of(m_series.processes.last, index.mappings.process()) == process_relation::same;
    if (m_summary.out_of_order && is_same_process && m_table.has_changed()) {
        m_summary.clock_was_set = true;
    } else if (source == profile_source::protobuf && !index.view.samples.empty() &&
               index.view.time_nanos > m_series.time_nanos &&
               is_heap_of_go(index.types.sample_types, index.types.period_type) &&
               !m_table.has_changed() && has_runtime_of_go(index)) {
        m_summary.is_unpublished = true;
    }
    if (m_summary.clock_was_set || m_summary.is_unpublished) {
        m_summary.duration_nanos = 0;
    }
}

// Pass 3. The previous values of a new stack are zero, so a first profile needs no exception.
void delta_computer::impl::write_samples() {
    m_totals.assign(m_series.types.sample_types.size(), 0);
    m_negative_totals.assign(m_series.types.sample_types.size(), 0);
    m_totals_fit = true;
    if (!has_samples(m_options, m_summary)) {
        return;
    }
    const bool subtract = !m_summary.reset;
    m_values.resize(m_series.types.sample_types.size());
    m_samples.for_each([&](record sample, std::uint32_t entry) {
        value_table::signs signs = m_table.difference(entry, subtract, m_values.data());
        if (m_sampled && subtract) {
            signs = subtract_sampled(entry);
        }
        if (is_kept(m_options, signs)) {
            m_writer.write_sample(side::current, sample, m_values);
            ++m_summary.samples_kept;
            for (std::size_t i = 0; i < m_values.size(); ++i) {
                m_totals_fit &= !__builtin_add_overflow(m_totals[i], m_values[i], &m_totals[i]);
                m_negative_totals[i] +=
                    std::max(std::min<std::int64_t>(m_values[i], 0),
                             std::numeric_limits<std::int64_t>::min() / 2 - m_negative_totals[i]);
            }
        }
    });
}

// Replaces the differences of estimates by the estimate of the difference.
value_table::signs delta_computer::impl::subtract_sampled(std::uint32_t entry) {
    const auto& places = m_series.plan.cumulative;
    const std::size_t objects = places[m_sampled->objects];
    const std::size_t space = places[m_sampled->space];
    const std::int64_t* const now = m_table.current(entry);
    const heap_sample difference =
        m_sampled->difference(m_table.previous(entry), {now[objects], now[space]});
    m_values[objects] = difference.count;
    m_values[space] = difference.bytes;
    return {std::ranges::any_of(m_values, [](std::int64_t value) { return value != 0; }),
            std::ranges::any_of(places, [&](std::uint32_t i) { return m_values[i] < 0; })};
}

// Consumers tell a delta from a total by its duration.
std::int64_t delta_computer::impl::duration(const profile_view& view) const {
    return m_has_previous
               ? duration_between(m_series.time_nanos, view.time_nanos, view.duration_nanos)
               : view.duration_nanos;
}

// The delta is complete. Nothing here allocates, so nothing here can fail.
void delta_computer::impl::advance(profile_index& index, profile_source source) noexcept {
    if (m_summary.reset) {
        // A new series begins, and nothing of the old one is worth its memory.
        m_table.forget_previous();
    }
    if (m_sampled && m_sampled->period_before != m_sampled->period_now) {
        m_table.for_each_vanished([&](std::int64_t* counters) { m_sampled->rescale(counters); });
    }
    m_table.commit();
    if (index.types.has_period_type()) {
        std::swap(m_series.types.period_type, index.types.period_type);
    }
    m_series.source = source;
    m_series.processes.advance(index.mappings.process(), m_summary);
    std::swap(m_series.mappings, m_mappings);
    if (!m_summary.is_unpublished) {
        m_series.time_nanos = index.view.time_nanos;
    }
    m_series.duration_nanos = index.view.duration_nanos;
    m_series.period = period_of(index);
    m_series.has_plain_counters = m_form == counter_form::plain;
    m_has_previous = true;
}

std::vector<std::int64_t> delta_computer::impl::totals() const {
    if (!m_totals_fit) {
        fail_overflow();
    }
    return m_totals;
}

std::string delta_computer::impl::save() const {
    if (!m_has_previous) {
        refuse("there is no state to save before the first profile");
    }
    return encode_state(m_series, m_table);
}

void delta_computer::impl::load(std::string_view state) {
    series saved;
    value_table table;
    decode_state(state, saved, table);
    require_same_options(saved, m_options);
    std::swap(m_series, saved);
    std::swap(m_table, table);
    m_has_previous = true;
}

keyed_profile::keyed_profile(std::string_view profile, match_mode match, unsigned threads)
    : m_impl{about_input(error_input::current,
                         [&] { return std::make_unique<impl>(profile, match, threads); })} {}
keyed_profile::~keyed_profile() = default;
keyed_profile::keyed_profile(keyed_profile&&) noexcept = default;
keyed_profile& keyed_profile::operator=(keyed_profile&&) noexcept = default;

delta_computer::delta_computer(delta_options options)
    : m_impl{std::make_unique<impl>(std::move(options))} {}
delta_computer::~delta_computer() = default;
delta_computer::delta_computer(delta_computer&&) noexcept = default;
delta_computer& delta_computer::operator=(delta_computer&&) noexcept = default;

delta_summary delta_computer::compute(std::string_view profile, std::string& delta,
                                      profile_source source) {
    return about_input(error_input::current,
                       [&] { return m_impl->compute(profile, &delta, source); });
}

void delta_computer::prime(std::string_view profile, profile_source source) {
    about_input(error_input::current, [&] { m_impl->compute(profile, nullptr, source); });
}

delta_summary delta_computer::compute(keyed_profile& profile, std::string& delta,
                                      profile_source source) {
    return about_input(error_input::current,
                       [&] { return m_impl->compute(*profile.m_impl, &delta, source); });
}

bool delta_computer::has_previous() const noexcept { return m_impl->has_previous(); }

std::vector<type_treatment> delta_computer::types() const { return m_impl->types(); }

std::vector<std::int64_t> delta_computer::totals() const { return m_impl->totals(); }

std::vector<std::int64_t> delta_computer::negative_totals() const {
    return m_impl->negative_totals();
}

std::string delta_computer::save() const { return m_impl->save(); }

void delta_computer::load(std::string_view state) {
    about_input(error_input::state, [&] { m_impl->load(state); });
}

namespace {

// Writes the values of a sample that only the previous profile has.
value_table::signs negate(const std::int64_t* previous, std::vector<std::int64_t>& values) {
    value_table::signs signs;
    for (std::int64_t& value : values) {
        value = wrapping_subtract(0, *previous++);
        signs.is_nonzero |= value != 0;
        signs.has_negative |= value < 0;
    }
    return signs;
}

// A diff subtracts every type, and appends the samples that only the previous profile has, negated.
// An error is about the current profile, whose headers are written, unless it says otherwise.
//
// `read_now` gives the index of the current profile, and `aggregate_now(samples, table,
// are_keys_changed)` adds up its samples, as in delta_computer::impl::run().
template <typename ReadNow, typename AggregateNow>
delta_summary make_diff(std::string_view previous, const delta_options& options, std::string& delta,
                        ReadNow&& read_now, AggregateNow&& aggregate_now) {
    profile_index before;
    about_input(error_input::previous, [&] { before.build(previous, options.match); });
    profile_index& now = read_now();
    require_same(before.types, now.types);
    const bool are_keys_changed =
        now.identify_mappings_by(before.mappings.process(), before.mappings.all(), options.match);

    std::vector<std::uint32_t> types(now.types.sample_types.size());
    std::iota(types.begin(), types.end(), 0U);
    value_table table;
    table.configure(types.size(), types);
    aggregation samples_before;
    table.begin(true);
    about_input(error_input::previous, [&] { samples_before.run(before, table, options.threads); });
    table.commit();
    aggregation samples_now;
    table.begin();
    aggregate_now(samples_now, table, are_keys_changed);

    delta_summary summary;
    summary.samples_in = now.view.samples.size();
    summary.previous_has_duration = before.view.duration_nanos != 0;
    summary.time_nanos = now.view.time_nanos;
    set_periods(period_of(before), period_of(now), summary);
    profile_writer writer;
    writer.start(now, &before, delta);
    std::vector<std::int64_t> values(types.size());
    samples_now.for_each([&](record sample, std::uint32_t entry) {
        if (is_kept(options, table.difference(entry, true, values.data()))) {
            writer.write_sample(side::current, sample, values);
            ++summary.samples_kept;
        }
    });
    samples_before.for_each([&](record sample, std::uint32_t entry) {
        if (!table.is_current(entry) && is_kept(options, negate(table.previous(entry), values))) {
            writer.write_sample(side::previous, sample, values);
            ++summary.samples_kept;
        }
    });
    writer.finish(summary.duration_nanos); // two processes have no interval
    return summary;
}

} // namespace

delta_summary diff(std::string_view previous, std::string_view current,
                   const delta_options& options, std::string& delta) {
    return about_input(error_input::current, [&] {
        profile_index now;
        return make_diff(
            previous, options, delta,
            [&]() -> profile_index& {
                now.build(current, options.match);
                return now;
            },
            [&](aggregation& samples, value_table& table, bool) {
                samples.run(now, table, options.threads);
            });
    });
}

delta_summary diff(std::string_view previous, keyed_profile& current, const delta_options& options,
                   std::string& delta) {
    return about_input(error_input::current, [&] {
        keyed_profile::impl& now = *current.m_impl;
        require_keys_for(now.match, options);
        return make_diff(
            previous, options, delta, [&]() -> profile_index& { return now.index; },
            [&](aggregation& samples, value_table& table, bool are_keys_changed) {
                now.aggregate(samples, table, are_keys_changed, options.threads);
            });
    });
}

} // namespace pprofdelta
