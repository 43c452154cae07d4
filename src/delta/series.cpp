// SPDX-License-Identifier: Apache-2.0
#include "delta/series.hpp"

#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

const char* to_string(match_mode match) noexcept {
    switch (match) {
    case match_mode::exact:
        return "exact";
    case match_mode::line:
        return "line";
    case match_mode::function:
        return "function";
    }
    return "";
}

const char* to_string(reset_reason reason) noexcept {
    switch (reason) {
    case reset_reason::none:
        return "none";
    case reset_reason::process:
        return "process";
    case reset_reason::counters:
        return "counters";
    }
    return "";
}

const char* to_string(profile_source source) noexcept {
    switch (source) {
    case profile_source::protobuf:
        return "protobuf";
    case profile_source::text:
        return "text";
    case profile_source::otlp:
        return "otlp";
    }
    return "";
}

void require_same_source(const series& kept, profile_source source) {
    if (source != kept.source) {
        throw error{error_kind::incompatible,
                    std::string{"the profile before was "} + to_string(kept.source) +
                        ", and this one is " + to_string(source) +
                        ": the stacks of one are not those of the other",
                    error_input::both};
    }
}

void require_same_options(const series& saved, const delta_options& options) {
    if (saved.match != options.match) {
        throw error{error_kind::incompatible, std::string{"the state was saved for matching by "} +
                                                  to_string(saved.match) + ", and " +
                                                  to_string(options.match) + " is asked for"};
    }
    const subtraction_plan wanted = plan_subtraction(saved.types, options);
    // The plan was made from the first profile, which may have had no period type yet.
    profile_types first = saved.types;
    first.period_type = {};
    if (wanted.is_cumulative != saved.plan.is_cumulative &&
        plan_subtraction(first, options).is_cumulative != saved.plan.is_cumulative) {
        throw error{error_kind::incompatible,
                    "the state was saved for subtracting " +
                        to_string(cumulative_types(saved.types, saved.plan)) + ", and " +
                        to_string(cumulative_types(saved.types, wanted)) + " is asked for"};
    }
}

} // namespace pprofdelta
