// SPDX-License-Identifier: Apache-2.0
#include "delta/series.hpp"

#include <array>
#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

namespace {

// Those that Go's runtime counts since the start of the process; fastdelta's defaults.
bool is_known_cumulative(const value_type& type, const value_type& period_type) {
    const auto is = [&type](const char* name, const char* unit) {
        return type.type == name && type.unit == unit;
    };
    if (is("alloc_objects", "count") || is("alloc_space", "bytes")) {
        return true;
    }
    // Java's recordings use the same names for what happened during one recording.
    const bool is_recording = period_type.type == "mutex" && period_type.unit == "count";
    return !is_recording && (is("contentions", "count") || is("delay", "nanoseconds"));
}

std::vector<bool> matching(const std::vector<value_type_pattern>& patterns,
                           const profile_types& types) {
    std::vector<bool> matches(types.sample_types.size(), false);
    for (const value_type_pattern& pattern : patterns) {
        for (const std::size_t place : matching_types(pattern, types.sample_types)) {
            matches[place] = true;
        }
    }
    return matches;
}

} // namespace

subtraction_plan plan_subtraction(const profile_types& types, const delta_options& options) {
    const std::vector<bool> cumulative = matching(options.cumulative, types);
    const std::vector<bool> gauge = matching(options.gauge, types);
    subtraction_plan plan;
    for (std::size_t i = 0; i < types.sample_types.size(); ++i) {
        const value_type& type = types.sample_types[i];
        if (cumulative[i] && gauge[i]) {
            throw error{error_kind::incompatible,
                        to_string(type) + " is given as both cumulative and gauge"};
        }
        const bool subtract =
            cumulative[i] || (!gauge[i] && is_known_cumulative(type, types.period_type));
        plan.is_cumulative.push_back(subtract);
        if (subtract) {
            plan.cumulative.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return plan;
}

std::vector<type_treatment> treatments(const profile_types& types, const subtraction_plan& plan) {
    std::vector<type_treatment> all;
    for (std::size_t i = 0; i < types.sample_types.size(); ++i) {
        all.push_back({types.sample_types[i], plan.is_cumulative[i]});
    }
    return all;
}

void require_cumulative(const subtraction_plan& plan, const profile_types& types) {
    if (plan.cumulative.empty()) {
        throw error{error_kind::no_cumulative_type,
                    "no sample type is known to be cumulative; there are: " +
                        to_string(types.sample_types)};
    }
}

// In the order of their declarations.

const char* to_string(match_mode match) noexcept {
    constexpr std::array names{"exact", "line", "function"};
    return names[static_cast<std::size_t>(match)];
}

const char* to_string(reset_reason reason) noexcept {
    constexpr std::array names{"none", "process", "counters"};
    return names[static_cast<std::size_t>(reason)];
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
    // The plan was made from the first profile, which may have had no period type yet.
    profile_types first = saved.types;
    first.period_type = {};
    if (wanted.is_cumulative != saved.plan.is_cumulative &&
        plan_subtraction(first, options).is_cumulative != saved.plan.is_cumulative) {
        const auto names = [&](const subtraction_plan& plan) {
            std::vector<value_type> types;
            for (const std::uint32_t i : plan.cumulative) {
                types.push_back(saved.types.sample_types[i]);
            }
            return to_string(types);
        };
        throw error{error_kind::incompatible, "the state was saved for subtracting " +
                                                  names(saved.plan) + ", but " + names(wanted) +
                                                  " is requested"};
    }
}

} // namespace pprofdelta
