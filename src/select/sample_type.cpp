// SPDX-License-Identifier: Apache-2.0
#include "select/sample_type.hpp"

#include <algorithm>
#include <numeric>

#include <pprofdelta/error.hpp>

#include "base/about_input.hpp"
#include "delta/series.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"

namespace pprofdelta {

std::size_t find_type(const value_type_pattern& pattern, const std::vector<value_type>& types) {
    const auto matches = [&](const value_type& type) { return pattern.matches(type); };
    const auto found = std::find_if(types.begin(), types.end(), matches);
    if (found == types.end()) {
        fail_no_match(pattern, types);
    }
    if (std::any_of(found + 1, types.end(), matches)) {
        throw error{error_kind::incompatible, "several sample types are " + pattern.text() +
                                                  "; name one of: " + to_string(types)};
    }
    return static_cast<std::size_t>(found - types.begin());
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
    const auto found = std::find_if(types.begin(), types.end(), [&](const value_type& type) {
        return !name.empty() && type.type == name;
    });
    return found == types.end() ? types.size() - 1
                                : static_cast<std::size_t>(found - types.begin());
}

std::size_t main_cumulative_type(const std::vector<type_treatment>& types) {
    std::size_t last = types.size();
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].cumulative && (last == types.size() || types[i].type.unit == "bytes" ||
                                    types[last].type.unit != "bytes")) {
            last = i;
        }
    }
    return last;
}

std::size_t choose_type_of_one(const profile_index& index, const report_options& options) {
    const std::size_t usual = choose_type(index, options);
    if (options.sample_type || index.view.duration_nanos == 0) {
        return usual;
    }
    const std::vector<type_treatment> types =
        treatments(index.types, plan_subtraction(index.types, {}));
    const std::size_t cumulative = main_cumulative_type(types);
    return types[usual].cumulative || cumulative == types.size() ? usual : cumulative;
}

compared_profiles::compared_profiles(std::string_view previous, std::string_view current) {
    about_input(error_input::previous, [&] { before.build(previous, match_mode::exact); });
    about_input(error_input::current, [&] { now.build(current, match_mode::exact); });
    require_same(before.types, now.types);
}

namespace {

row_sums sum_rows_of_all(const profile_index& index, const stack_rules& rules, row_names& names) {
    std::vector<std::size_t> all(index.types.sample_types.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return sum_rows(index, all, rules, names);
}

// By sample type, whether a row is not the same in both.
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
    return !rules.focus && !rules.ignore && !rules.hide && !rules.show_from &&
           rules.labels.empty() && rules.no_labels.empty();
}

// The cumulative type that tells most among those that changed, or types.size().
std::size_t main_changed_type(std::vector<type_treatment> types, const std::vector<bool>& changed) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        types[i].cumulative = types[i].cumulative && changed[i];
    }
    return main_cumulative_type(types);
}

} // namespace

std::size_t choose_type_of_delta(const computed_delta& delta, const profile_index& index,
                                 const report_options& options) {
    const std::size_t usual = choose_type(index, options);
    if (options.sample_type || delta.types[usual].cumulative) {
        return usual;
    }
    const std::size_t main = main_cumulative_type(delta.types);
    const stack_rules rules{options};
    if (have_all_samples(rules) && totals(index)[main] != 0) {
        return main;
    }
    row_names names;
    const std::vector<bool> counted =
        types_with_changes({}, sum_rows_of_all(index, rules, names), delta.types.size());
    if (const std::size_t found = main_changed_type(delta.types, counted);
        found != delta.types.size()) {
        return found;
    }
    return delta.previous && types_with_changes({*delta.previous, delta.current}, rules)[usual]
               ? usual
               : main;
}

std::size_t choose_type_of_two(const compared_profiles& profiles, const report_options& options) {
    const profile_types& all = profiles.now.types;
    const std::size_t usual =
        about_input(error_input::both, [&] { return choose_type(profiles.now, options); });
    if (options.sample_type || all.sample_types.size() == 1) {
        return usual;
    }
    const stack_rules rules{options};
    const auto total = [&](error_input input, const profile_index& index) {
        return about_input(input, [&] { return totals(index)[usual]; });
    };
    if (have_all_samples(rules) && total(error_input::previous, profiles.before) !=
                                       total(error_input::current, profiles.now)) {
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
            each.cumulative = true;
        }
        main = main_changed_type(types, changed);
    }
    return main == types.size() ? usual : main;
}

} // namespace pprofdelta
