// SPDX-License-Identifier: Apache-2.0
#include "delta/series.hpp"

#include <array>
#include <optional>
#include <string>

#include <pprofdelta/error.hpp>

#include "profile/producers.hpp"

namespace pprofdelta {

namespace {

using chosen_kinds = std::vector<std::optional<value_kind>>;

void choose(const std::vector<value_type_pattern>& patterns, value_kind kind,
            const profile_types& types, chosen_kinds& chosen) {
    for (const value_type_pattern& pattern : patterns) {
        for (const std::size_t place : matching_types(pattern, types.sample_types)) {
            if (chosen[place] && chosen[place] != kind) {
                throw error{error_kind::incompatible,
                            to_string(types.sample_types[place]) + " is given as both " +
                                to_string(*chosen[place]) + " and " + to_string(kind)};
            }
            chosen[place] = kind;
        }
    }
}

std::vector<value_type> types_of_kind(const subtraction_plan& plan, const profile_types& types,
                                      value_kind kind) {
    std::vector<value_type> found;
    for (std::size_t i = 0; i < plan.kinds.size(); ++i) {
        if (plan.kinds[i] == kind) {
            found.push_back(types.sample_types[i]);
        }
    }
    return found;
}

} // namespace

subtraction_plan plan_subtraction(const profile_types& types, const delta_options& options) {
    chosen_kinds chosen(types.sample_types.size());
    choose(options.cumulative, value_kind::cumulative, types, chosen);
    choose(options.gauge, value_kind::gauge, types, chosen);
    choose(options.interval, value_kind::interval, types, chosen);
    subtraction_plan plan;
    for (std::size_t i = 0; i < types.sample_types.size(); ++i) {
        plan.kinds.push_back(chosen[i].value_or(
            kind_of(types.sample_types[i], types.period_type, types.has_duration)));
        if (plan.kinds.back() == value_kind::cumulative) {
            plan.cumulative.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return plan;
}

std::vector<type_treatment> treatments(const profile_types& types, const subtraction_plan& plan) {
    std::vector<type_treatment> all;
    for (std::size_t i = 0; i < types.sample_types.size(); ++i) {
        all.push_back({types.sample_types[i], plan.kinds[i]});
    }
    return all;
}

void require_cumulative(const subtraction_plan& plan, const profile_types& types) {
    if (plan.cumulative.empty()) {
        const auto intervals = types_of_kind(plan, types, value_kind::interval);
        throw error{error_kind::no_cumulative_type,
                    "no sample type is known to be cumulative; there are: " +
                        to_string(types.sample_types) +
                        (intervals.empty() ? ""
                                           : "; what was counted is of the profile's own interval, "
                                             "which merge, compare and top take as it is")};
    }
}

// The names follow the order of the declarations.

const char* to_string(value_kind kind) noexcept {
    constexpr std::array names{"gauge", "cumulative", "interval"};
    return names[static_cast<std::size_t>(kind)];
}

const char* to_string(match_mode match) noexcept {
    constexpr std::array names{"exact", "line", "function"};
    return names[static_cast<std::size_t>(match)];
}

const char* to_string(reset_reason reason) noexcept {
    constexpr std::array names{"none", "process", "counters", "sibling", "samples", "period"};
    return names[static_cast<std::size_t>(reason)];
}

const char* reset_text(reset_reason reason) noexcept {
    constexpr std::array texts{
        "the counters did not start over",
        "the counters started over: this is another process",
        "the counters started over: values fell, as after a restart",
        "the counters fell as those of one process do not: this is probably another process with "
        "the same addresses, such as a worker of the same parent",
        "no sample is as before, though the process is the same: names or labels have changed",
        "the counters started over: jemalloc samples with another period, so prof.reset ran, from "
        "which memory in use is counted, too"};
    return texts[static_cast<std::size_t>(reason)];
}

const char* to_string(profile_source source) noexcept {
    constexpr std::array names{"protobuf", "text", "otlp"};
    return names[static_cast<std::size_t>(source)];
}

void require_same_options(const series& saved, const delta_options& options) {
    if (saved.match != options.match) {
        throw error{error_kind::incompatible, std::string{"the state was saved for matching by "} +
                                                  to_string(saved.match) + ", but " +
                                                  to_string(options.match) + " is requested"};
    }
    const subtraction_plan wanted = plan_subtraction(saved.types, options);
    // The plan was made from the first profile, which may have had no period type yet, and a
    // duration.
    const auto is_plan_of = [&](const value_type& period_type, bool has_duration) {
        const profile_types first{saved.types.sample_types, period_type, has_duration};
        return plan_subtraction(first, options).cumulative == saved.plan.cumulative;
    };
    const value_type& period_type = saved.types.period_type;
    if (!is_plan_of(period_type, false) && !is_plan_of({}, false) &&
        !is_plan_of(period_type, true) && !is_plan_of({}, true)) {
        const auto names = [&](const subtraction_plan& plan) {
            return to_string(types_of_kind(plan, saved.types, value_kind::cumulative));
        };
        throw error{error_kind::incompatible, "the state was saved for subtracting " +
                                                  names(saved.plan) + ", but " + names(wanted) +
                                                  " is requested"};
    }
}

} // namespace pprofdelta
