// SPDX-License-Identifier: Apache-2.0
#include "select/viewed_profiles.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <pprofdelta/sample_types.hpp>

#include "delta/series.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"

namespace pprofdelta {

std::size_t find_type(const value_type_pattern& pattern, const std::vector<value_type>& types) {
    const std::vector<std::size_t> found = matching_types(pattern, types);
    if (found.size() > 1) {
        throw error{error_kind::incompatible, "several sample types match " + pattern.text() +
                                                  "; name one of: " + to_string(types)};
    }
    return found.front();
}

std::size_t choose_type(const profile_index& index, const report_options& options) {
    const std::vector<value_type>& types = index.types.sample_types;
    if (types.empty()) {
        throw error{error_kind::incompatible, "there is no sample type to report on"};
    }
    if (options.sample_type) {
        return find_type(*options.sample_type, types);
    }
    const auto number = index.view.default_sample_type;
    const std::string_view name = number < index.strings.size()
                                      ? index.strings.text(static_cast<std::uint32_t>(number))
                                      : std::string_view{};
    const auto found = std::ranges::find_if(
        types, [&](const value_type& type) { return !name.empty() && type.type == name; });
    return found == types.end() ? types.size() - 1
                                : static_cast<std::size_t>(found - types.begin());
}

const profile_index& lazy_index::with_types() {
    if (!m_has_types) {
        about_input(m_input, [&] { m_index.build_types(m_bytes); });
        m_has_types = true;
    }
    return m_index;
}

const profile_index& lazy_index::whole() {
    if (!m_is_whole) {
        static_cast<void>(with_types());
        about_input(m_input, [&] { m_index.build_places(match_mode::exact); });
        m_is_whole = true;
    }
    return m_index;
}

const profile_index& lazy_index::whole_as(const std::vector<value_type>& types) {
    const std::vector<value_type>& own = with_types().types.sample_types;
    if (own != types && own.size() == types.size()) {
        if (auto bytes = about_input(m_input, [&] { return convert_types(m_bytes, types); })) {
            m_converted = std::move(*bytes);
            m_bytes = m_converted;
            m_has_types = m_is_whole = false;
            m_totals.reset();
        }
    }
    return whole();
}

const std::vector<std::int64_t>& lazy_index::totals() {
    if (!m_totals) {
        const profile_index& index = with_types();
        m_totals = about_input(m_input, [&] { return pprofdelta::totals(index, &m_sizes); });
    }
    return *m_totals;
}

viewed_profiles::impl::impl(const computed_delta& delta)
    : m_delta{delta}, m_current{delta.current, error_input::current} {
    if (delta.previous) {
        m_previous.emplace(*delta.previous, error_input::previous);
    }
    m_changes.emplace(delta.delta, error_input::current);
}

viewed_profiles::impl& viewed_profiles::impl::of(const viewed_profiles& profiles) {
    impl& views = *profiles.m_impl;
    if (views.m_delta &&
        views.m_delta->types.size() != views.m_changes->with_types().types.sample_types.size()) {
        refuse("a computed_delta needs the types of its delta, those of delta_computer::types()");
    }
    return views;
}

compared_profiles viewed_profiles::impl::pair() {
    const compared_profiles both{m_previous->whole(), m_current.whole()};
    require_same(both.before.types, both.now.types);
    return both;
}

report::content viewed_profiles::impl::content_of(std::size_t type) const noexcept {
    if (m_delta && m_delta->types[type].is_cumulative()) {
        return report::content::delta;
    }
    return m_previous ? report::content::comparison : report::content::profile;
}

viewed_profiles::viewed_profiles(std::string_view profile)
    : m_impl{std::make_unique<impl>(profile)} {}
viewed_profiles::viewed_profiles(std::string_view previous, std::string_view current)
    : m_impl{std::make_unique<impl>(previous, current)} {}
viewed_profiles::viewed_profiles(const computed_delta& delta)
    : m_impl{std::make_unique<impl>(delta)} {}
viewed_profiles::~viewed_profiles() = default;

void viewed_profiles::prepare() const {
    if (m_impl->has_previous()) {
        static_cast<void>(m_impl->previous().whole());
    }
    static_cast<void>(m_impl->main().whole());
}

value_pair viewed_profiles::samples() const {
    const auto count = [](lazy_index& index) {
        return static_cast<std::int64_t>(index.with_types().view.samples.size());
    };
    return {m_impl->has_previous() ? count(m_impl->previous()) : 0, count(m_impl->current())};
}

namespace {

// The type that tells most of what was counted: the last one in bytes, else the last one.
// types.size() if all are gauges.
std::size_t main_counted_type(const std::vector<type_treatment>& types) {
    std::size_t last = types.size();
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].kind != value_kind::gauge &&
            (last == types.size() || types[i].type.unit == "bytes" ||
             types[last].type.unit != "bytes")) {
            last = i;
        }
    }
    return last;
}

row_sums sum_rows_of_all(const profile_index& index, const stack_rules& rules, row_names& names) {
    std::vector<std::size_t> all(index.types.sample_types.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return sum_rows(index, all, rules, names);
}

// Says by sample type whether a row is not the same in both.
std::vector<bool> types_with_changes(const row_sums& before, const row_sums& now,
                                     std::size_t types) {
    const auto of = [](const std::vector<std::int64_t>& sums, std::size_t i) {
        return i < sums.size() ? sums[i] : 0; // the names of `now` came last
    };
    std::vector<bool> changed(types);
    for (std::size_t i = 0; i < now.flat.size(); ++i) {
        if (of(before.flat, i) != now.flat[i] || of(before.cum, i) != now.cum[i]) {
            changed[i % types] = true;
        }
    }
    return changed;
}

std::vector<bool> types_with_changes(const compared_profiles& profiles, const stack_rules& rules) {
    row_names names;
    const row_sums before = about_input(
        error_input::previous, [&] { return sum_rows_of_all(profiles.before, rules, names); });
    const row_sums now = about_input(error_input::current,
                                     [&] { return sum_rows_of_all(profiles.now, rules, names); });
    return types_with_changes(before, now, profiles.now.types.sample_types.size());
}

// Whether the total of a type is that of its rows, so that no row can be without a change in it.
bool have_all_samples(const stack_rules& rules) {
    return !rules.focus && !rules.ignore && !rules.without_capture && !rules.hide &&
           !rules.show_from && rules.labels.empty() && rules.no_labels.empty();
}

// The type that tells most of what was counted, among those that changed, or types.size().
std::size_t main_changed_type(std::vector<type_treatment> types, const std::vector<bool>& changed) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        types[i].kind = changed[i] ? types[i].kind : value_kind::gauge;
    }
    return main_counted_type(types);
}

std::size_t choose_type_of_delta(viewed_profiles::impl& views, const report_options& options) {
    const computed_delta& delta = *views.delta();
    const profile_index& index = views.main().whole();
    const std::size_t usual = choose_type(index, options);
    if (options.sample_type || delta.types[usual].is_cumulative()) {
        return usual;
    }
    std::vector<type_treatment> types = delta.types;
    for (type_treatment& each : types) {
        each.kind = each.is_cumulative() ? each.kind : value_kind::gauge;
    }
    const std::size_t main = main_counted_type(types);
    const stack_rules rules{options};
    if (have_all_samples(rules) && views.main().totals()[main] != 0) {
        return main;
    }
    row_names names;
    const std::vector<bool> counted =
        types_with_changes({}, sum_rows_of_all(index, rules, names), delta.types.size());
    if (const std::size_t found = main_changed_type(types, counted); found != types.size()) {
        return found;
    }
    return views.has_previous() && types_with_changes(views.pair(), rules)[usual] ? usual : main;
}

std::size_t choose_type_of_two(viewed_profiles::impl& views, const report_options& options) {
    const compared_profiles profiles = views.pair();
    const profile_types& all = profiles.now.types;
    const std::size_t usual =
        about_input(error_input::both, [&] { return choose_type(profiles.now, options); });
    if (options.sample_type || all.sample_types.size() == 1) {
        return usual;
    }
    const stack_rules rules{options};
    if (have_all_samples(rules) &&
        views.previous().totals()[usual] != views.current().totals()[usual]) {
        return usual;
    }
    const std::vector<bool> changed = types_with_changes(profiles, rules);
    if (changed[usual]) {
        return usual;
    }
    std::vector<type_treatment> types = treatments(all, plan_subtraction(all, {}));
    std::size_t main = main_changed_type(types, changed);
    if (main == types.size()) {
        for (type_treatment& each : types) {
            each.kind = value_kind::cumulative;
        }
        main = main_changed_type(types, changed);
    }
    return main == types.size() ? usual : main;
}

} // namespace

std::size_t choose_type_of_one(const profile_index& index, const report_options& options) {
    const std::size_t usual = choose_type(index, options);
    if (options.sample_type || index.view.duration_nanos == 0) {
        return usual;
    }
    const std::vector<type_treatment> types =
        treatments(index.types, plan_subtraction(index.types, {}));
    const std::size_t counted = main_counted_type(types);
    return types[usual].kind != value_kind::gauge || counted == types.size() ? usual : counted;
}

std::size_t choose_type(viewed_profiles::impl& views, const report_options& options) {
    if (views.delta() != nullptr) {
        return choose_type_of_delta(views, options);
    }
    return views.has_previous() ? choose_type_of_two(views, options)
                                : choose_type_of_one(views.main().whole(), options);
}

} // namespace pprofdelta
